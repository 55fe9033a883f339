/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's procedures as printed and as corrected, and claims about them.
 *
 * Knows the formulas of the text; the procedures are algorithms of the library. */
#include <stdio.h>
#include <stdlib.h>

#include "study/experiments/play.h"

/* --- Duality ---------------------------------------------------------------------------------- */

/* Reverses the schedule of `seen` and plays it as the (p - q)-shift, `workload`. */
static bool dual_case(struct claims_run *run, const struct claims_seen *seen,
                      const struct claims_shift *g, const char *topology, const char *workload)
{
    const uint32_t steps = seen->steps;
    struct ec_schedule *back = NULL;
    struct claims_seen dual;
    struct ec_error e;
    char name[60];
    snprintf(name, sizeof name, "%s q=%u %.20s", topology, g->q, seen->schedule->algorithm);
    if (ec_schedule_reverse(seen->schedule, &back, &e) != EC_OK)
        return claims_require(run, false, "%s: %s", name, e.message);
    if (!claims_play_schedule(run, g->timed, &dual, back, topology, workload))
        return false;
    bool shifts = dual.workload->message_count == g->nodes;
    for (size_t i = 0; i < dual.workload->message_count; i++) {
        const struct ec_message *m = &dual.workload->messages[i];
        shifts &= dual.schedule->target[m->src].node == m->dst;
    }
    claims_case(run, dual.checked->valid && shifts && dual.steps == steps, "%s: %s", name,
                dual.checked->defect);
    if (g->timed)
        claims_require_equal(run, dual.cycles, steps_time(steps, 1, 0), "%s: cycles", name);
    return true;
}

/* The reversed schedule of a q-shift does the (p - q)-shift in as many steps. */
void experiment_dual(struct claims_run *run)
{
    static const char *const tori[] = {"forward", "plain", "merged", "per-column"};
    struct claims_seen seen;
    char topology[24], workload[40];
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        snprintf(topology, sizeof topology, "ring:%u", g.size);
        snprintf(workload, sizeof workload, "shift:q=%u", g.nodes - g.q);
        if (!claims_audit(run, &seen, "%s shift:q=%u --algorithm ring", topology, g.q) ||
            !dual_case(run, &seen, &g, topology, workload))
            return;
    }
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        snprintf(topology, sizeof topology, "torus:%ux%u", g.size, g.size);
        snprintf(workload, sizeof workload, "shift:q=%u", g.nodes - g.q);
        for (size_t a = 0; a < 4; a++) {
            if (!claims_audit(run, &seen, "%s shift:q=%u --algorithm %s", topology, g.q, tori[a]) ||
                !dual_case(run, &seen, &g, topology, workload))
                return;
        }
    }
    for (struct claims_shift g = claims_cube_steps(run); claims_next(&g) && g.size <= 10;) {
        snprintf(topology, sizeof topology, "cube:%u", g.size);
        snprintf(workload, sizeof workload, "shift:q=%u,labels=gray", g.nodes - g.q);
        if (!claims_audit(run, &seen, "%s shift:q=%u,labels=gray --algorithm gray-forward",
                          topology, g.q) ||
            !dual_case(run, &seen, &g, topology, workload))
            return;
    }
}

/* --- The mesh --------------------------------------------------------------------------------- */

/* Rows by q mod p and columns by q / p, with p the number of nodes, shift only the rows, by q. With
 * sqrt(p) for p the schedule `forward` does it. */
void experiment_mesh_stages(struct claims_run *run)
{
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        struct claims_seen seen;
        uint32_t lands = 0;
        bool printed = true;
        if (!play_torus(run, &g, "forward", 1, 0, &seen))
            return;
        claims_without_command(run);
        for (uint32_t i = 0; i < g.nodes; i++) {
            const uint32_t s = g.size, row = i / s, column = i % s;
            const uint32_t down = (row + g.q / g.nodes) % s, along = (column + g.q % g.nodes) % s;
            if (down * s + along != seen.schedule->target[i].node && printed) {
                printed = false;
                lands = i;
            }
        }
        claims_case(run, printed, "s=%u, q=%u: the packet of node %u does not arrive by rows alone",
                    g.size, g.q, lands);
    }
}

/* --- The cube --------------------------------------------------------------------------------- */

/* The numbers of the nodes are the ring labels of labels=gray, or their addresses. */
static uint32_t number_of(const struct claims_seen *seen, uint32_t node)
{
    for (unsigned k = 1; seen->workload->gray && k < 32; k *= 2)
        node ^= node >> k;
    return node;
}

/* The step of iteration i, q = 2^i, of the procedure with the receive that it implies; on RTL, too.
 * Every node has to send to the node 2^i behind it in the ring. */
static bool play_iteration(struct claims_run *run, unsigned d, unsigned i, bool gray,
                           struct claims_seen *ret)
{
    const uint32_t p = UINT32_C(1) << d;
    if (!claims_measure_if(run, d <= 8, ret,
                           "cube:%u shift:q=%u%s --algorithm gohil-cube:reading=received", d,
                           1U << i, gray ? ",labels=gray" : ""))
        return false;
    bool leaps = ret->steps == 1 && ret->schedule->transfer_count == p;
    for (size_t k = 0; leaps && k < p; k++) {
        const struct ec_transfer *t = &ret->schedule->transfers[k];
        leaps = (number_of(ret, t->src) + (1U << i)) % p == number_of(ret, t->dst);
    }
    return claims_require(run, leaps && ret->checked->placed, "d=%u, i=%u: %s", d, i,
                          ret->checked->defect);
}

/* The most links between partners. *ret_first: the first node that is no neighbour of its partner.
 */
static uint32_t farthest_partner(const struct claims_seen *seen, uint32_t *ret_first)
{
    uint32_t most = 0;
    for (size_t k = 0; k < seen->schedule->transfer_count; k++) {
        const struct ec_transfer *t = &seen->schedule->transfers[k];
        const uint32_t links = ec_topology_distance(seen->topology, t->src, t->dst);
        if (links > 1 && most <= 1)
            *ret_first = t->src;
        most = claims_max(most, links);
    }
    return most;
}

/* Each phase sends to a neighbour: false, d - i links with plain numbers and two with Gray ones. */
void experiment_partner_distance(struct claims_run *run)
{
    for (unsigned d = 1; d <= (claims_is_full(run) ? 12 : 5); d++) {
        for (unsigned i = d; i-- > 0;) {
            struct claims_seen seen;
            uint32_t first = 0;
            for (int gray = 1; gray >= 0; gray--) {
                if (!play_iteration(run, d, i, gray, &seen))
                    return;
                const uint32_t most = farthest_partner(&seen, &first);
                claims_audited(run, "links to the partner", most);
                claims_require_equal(run, most, gray ? 1 + (i > 0) : d - i, "d=%u, i=%u, %s", d, i,
                                     gray ? "ring numbers" : "plain numbers");
                if (seen.report)
                    claims_require_equal(run, seen.report->max_hops, most, "d=%u, i=%u: on RTL", d,
                                         i);
                if (!gray)
                    claims_case(run, most == 1, "d=%u, q=%u: %u -> %u takes more than one link", d,
                                1U << i, first, (first + (1U << i)) % (1U << d));
            }
        }
    }
}

/* The partner to which a node sends is the node from which it receives: true for the highest i
 * only. */
void experiment_partner_both(struct claims_run *run)
{
    for (unsigned d = 1; d <= (claims_is_full(run) ? 12 : 5); d++) {
        const uint32_t p = UINT32_C(1) << d;
        uint32_t *to = calloc(p, sizeof *to);
        bool good = claims_require(run, to != NULL, "out of memory");
        for (unsigned i = d; good && i-- > 0;) {
            struct claims_seen seen;
            bool same = true;
            good = play_iteration(run, d, i, false, &seen);
            for (size_t k = 0; good && k < p; k++)
                to[seen.schedule->transfers[k].src] = seen.schedule->transfers[k].dst;
            for (uint32_t my = 0; good && my < p; my++)
                same &= to[to[my]] == my;
            if (!good)
                break;
            claims_require(run, same == (i == d - 1), "d=%u, i=%u: only the highest", d, i);
            claims_shown_by(run, "draw",
                            "cube:%u shift:q=%u --algorithm gohil-cube:reading=received", d,
                            1U << i);
            claims_case(run, same, "d=%u, i=%u: the sender to my is my - 2^i", d, i);
        }
        free(to);
        if (!good)
            return;
    }
}

/* The leap of every step of a schedule, in bits of *ret_leaps. False: the nodes of a step leap
 * differently, not by a power of two, or by a leap that an earlier step had. */
static bool leaps_of(const struct claims_seen *seen, uint32_t *ret_leaps)
{
    const uint32_t p = seen->topology->nodes;
    uint32_t step = 0, leap = 0;
    *ret_leaps = 0;
    for (size_t k = 0; k < seen->schedule->transfer_count; k++) {
        const struct ec_transfer *t = &seen->schedule->transfers[k];
        const uint32_t now = (t->dst + p - t->src) % p;
        if (t->step != step) {
            if (claims_ones(now) != 1 || *ret_leaps & now || (step && now > leap))
                return false;
            step = t->step;
            leap = now;
            *ret_leaps |= now;
        }
        if (now != leap)
            return false;
    }
    return true;
}

/* The loop runs d times: the procedure has a phase for each of d leaps, and all of them for q = p -
 * 1. A smaller q leaves out those that it does not contain. */
void experiment_cube_loop(struct claims_run *run)
{
    uint32_t all = 0;
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        struct claims_seen seen;
        uint32_t leaps = 0;
        if (!claims_measure_if(run, g.timed && g.size <= 8, &seen,
                               "cube:%u shift:q=%u --algorithm gohil-cube:reading=received", g.size,
                               g.q))
            return;
        claims_require(run, seen.checked->placed && leaps_of(&seen, &leaps),
                       "d=%u, q=%u: not leaps from high to low", g.size, g.q);
        claims_require_equal(run, seen.steps, claims_ones(g.q), "d=%u, q=%u: phases", g.size, g.q);
        all = g.q == 1 ? leaps : all | leaps;
        if (!g.last)
            continue;
        claims_predicted(run, "rounds", g.size);
        claims_relate(run, claims_ones(all), CLAIMS_EQ, g.size, "d=%u: rounds", g.size);
        claims_relate(run, seen.steps, CLAIMS_EQ, g.size, "d=%u, q=%u: phases", g.size, g.q);
    }
}

/* --- Throughput ------------------------------------------------------------------------------- */

/* Half of every node's message of 2 `words` words goes forward round the ring and half backward,
 * both in every step, with all ports. NULL: out of memory. */
static struct ec_schedule *both_ways(uint32_t p, uint32_t words)
{
    const size_t transfers = (size_t)p * p;
    struct ec_schedule *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct ec_schedule){.algorithm = "both ways",
                              .nodes = p,
                              .holders = p,
                              .per_node = 2,
                              .words = words,
                              .all_ports = true,
                              .steps = p / 2,
                              .transfers = calloc(transfers, sizeof *s->transfers),
                              .carried = calloc(transfers, sizeof *s->carried),
                              .target = calloc((size_t)p * 2, sizeof *s->target)};
    if (!s->transfers || !s->carried || !s->target) {
        ec_schedule_close(s);
        return NULL;
    }
    for (uint32_t step = 1; step <= p / 2; step++) {
        for (uint32_t node = 0; node < p; node++) {
            for (uint32_t way = 0; way < 2; way++) {
                const uint32_t home = (way ? node + step - 1 : node + p - step + 1) % p;
                const uint32_t used = (uint32_t)s->transfer_count++;
                s->transfers[used] =
                    (struct ec_transfer){.step = step,
                                         .src = node,
                                         .dst = (way ? node + p - 1 : node + 1) % p,
                                         .first = used,
                                         .count = 1};
                s->carried[s->carried_count++] = (struct ec_carried){home * 2 + way, way};
            }
        }
    }
    for (uint32_t e = 0; e < 2 * p; e++)
        s->target[e] = (struct ec_place){(e / 2 + p / 2) % p, e % 2};
    return s;
}

/* The half-way shift of a ring: whole messages one way through one port, against halves both
 * ways. */
static bool ring_ports(struct claims_run *run, uint32_t p, uint32_t m)
{
    struct claims_shift g = single_shift(p, p, p / 2);
    struct ec_schedule *s;
    struct claims_seen seen;
    char topology[24], workload[40];
    snprintf(topology, sizeof topology, "ring:%u", p);
    snprintf(workload, sizeof workload, "shift:q=%u,m=%u", p / 2, m);
    if (!play_ring(run, &g, "ring", m, 0, &seen))
        return false;
    const uint64_t one = seen.cycles;
    s = both_ways(p, m / 2);
    if (!claims_require(run, s != NULL, "out of memory") ||
        !claims_play_schedule(run, true, &seen, s, topology, workload) ||
        !claims_require(run, seen.checked->valid, "p=%u: %s", p, seen.checked->defect))
        return false;
    claims_require_equal(run, seen.cycles, steps_time(p / 2, m / 2, 0), "p=%u: cycles", p);
    claims_relate(run, seen.cycles, CLAIMS_LT, one, "ring, p=%u, halves both ways: cycles", p);
    return true;
}

/* A mixed GSH of two processor dimensions with long elements: an exchange at a time, in packets of
 * the best size, against pipelined exchanges. */
static bool mixed_ports(struct claims_run *run, uint32_t k)
{
    const uint32_t low = k == 4 ? 2 : 3; /* the first node bit */
    struct claims_seen seen;
    uint64_t one = UINT64_MAX;
    char words[60];
    snprintf(words, sizeof words, "cube:2 gsh:cycle=%u-%u-0,K=%u,m=64", low + 1, low, k);
    for (uint32_t block = 1; block <= k / 2; block *= 2) {
        if (!claims_measure(run, &seen, "%s --algorithm one-port:block=%u", words, block))
            return false;
        one = seen.cycles < one ? seen.cycles : one;
    }
    if (!claims_measure(run, &seen, "%s --algorithm pipelined", words))
        return false;
    claims_relate(run, seen.cycles, CLAIMS_LT, one, "mixed GSH, sigma_r=2, K=%u: cycles", k);
    return true;
}

/* One port compared with all ports. */
void experiment_multiport(struct claims_run *run)
{
    for (uint32_t p = 4; p <= (claims_is_full(run) ? 32 : 16); p += 2)
        if (!ring_ports(run, p, 64))
            return;
    for (uint32_t k = 4; k <= 8; k *= 2)
        if (!mixed_ports(run, k))
            return;
}

/* Are all messages of the run whole: in each step of the schedule a node sends its m words as one
 * packet, and the links count those words and no others? */
static bool whole_messages(const struct claims_seen *seen)
{
    const struct ec_schedule *s = seen->schedule;
    const uint32_t m = seen->workload->messages[0].words;
    const unsigned links = ec_topology_links(seen->topology);
    uint64_t sent = 0, counted = 0;
    bool whole = seen->checked->one_port;
    for (size_t i = 0; i < s->transfer_count; i++) {
        whole &= (uint64_t)s->transfers[i].count * s->words == m;
        sent += m;
    }
    if (!seen->report)
        return whole;
    for (uint32_t node = 0; node < s->nodes; node++)
        for (unsigned link = 0; link < links; link++)
            counted += seen->report->flits[node * seen->report->ports + link];
    return whole && counted == sent && seen->report->packets == s->transfer_count &&
           seen->report->packets * m == seen->report->words;
}

/* err.10: the transcribed procedures send whole messages. In packets of 8 words the same steps take
 * more packets, which the runs would show. */
void experiment_no_split(struct claims_run *run)
{
    const uint32_t m = 64;
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        if (!play_torus(run, &g, "gohil-mesh", m, 0, &seen))
            return;
        claims_case(run, whole_messages(&seen), "s=%u, q=%u", g.size, g.q);
    }
    for (struct claims_shift g = claims_cube_steps(run); claims_next(&g);) {
        if (g.size > 8)
            break;
        if (!play_gray(run, &g, "gohil-cube", m, 0, &seen))
            return;
        claims_case(run, whole_messages(&seen), "d=%u, q=%u", g.size, g.q);
    }
    if (!claims_measure(run, &seen, "torus:4x4 shift:q=5,m=%u --algorithm gohil-mesh --packet 8",
                        m))
        return;
    claims_require(run, !whole_messages(&seen), "split messages look whole");
}
