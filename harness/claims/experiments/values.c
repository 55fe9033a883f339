/* SPDX-License-Identifier: Apache-2.0 */
/* The values of records' formulas: quantities of the last audit or run, its schedule and network,
 * and closed forms.
 *
 * Must not know any claim. */
#include "claims/experiments/values.h"

#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"
#include "ec_cost_ecube.h"
#include "ec_cost_jh_bounds.h"

static bool is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

/* --- Quantities ------------------------------------------------------------------------------- */

size_t row_at(const struct ec_schedule *s, size_t row, bool count)
{
    size_t rows = 0, i = 0;
    for (; i < s->exchange_count; i++) {
        const bool first = i == 0 || s->exchanges[i].row != s->exchanges[i - 1].row;
        if (first && rows++ == row)
            return i;
    }
    return count ? rows : i;
}

/* One table of exchanges controls every node: in each step each node sends one packet over each
 * dimension that the table lists for the step, and over no other. */
static bool has_common_control(const struct ec_schedule *s)
{
    const unsigned storage = claims_storage(s->per_node);
    uint64_t *dims = calloc((size_t)s->steps + 1, sizeof *dims), expected = 0;
    bool common = dims && s->exchange_count > 0;
    for (size_t i = 0; common && i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        const uint64_t bit = UINT64_C(1) << x->processor;
        common = !(dims[x->step] & bit); /* one row at a time */
        dims[x->step] |= bit;
        expected += s->nodes;
    }
    /* The audit allows one transfer per link and step, so the count shows that none is missing. */
    for (size_t i = 0; common && i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        common = dims[t->step] >> storage & (t->src ^ t->dst);
    }
    free(dims);
    return common && s->transfer_count == expected;
}

/* The first transfer of a step, or where it would be. */
static size_t first_transfer(const struct ec_schedule *s, uint64_t step)
{
    size_t first = 0, end = s->transfer_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (s->transfers[middle].step < step)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* The dimensions that a step crosses: bit 0 those of the subcube of the elements, bit 1 the others.
 */
static unsigned crossed(const struct ec_schedule *s, uint64_t step)
{
    unsigned which = 0;
    for (size_t i = first_transfer(s, step), end = first_transfer(s, step + 1); i < end; i++)
        which |= (s->transfers[i].src ^ s->transfers[i].dst) < s->holders ? 1U : 2U;
    return which;
}

/* Elements on links of the dimensions in a set. */
static uint64_t elements_across(const struct ec_schedule *s, uint64_t dims)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->transfer_count; i++)
        count += (s->transfers[i].src ^ s->transfers[i].dst) & dims ? s->transfers[i].count : 0;
    return count;
}

/* After so many steps, do all nodes hold the same number of elements? */
static bool is_even(const struct ec_schedule *s, uint64_t steps)
{
    const uint64_t elements = (uint64_t)s->holders * s->per_node;
    uint32_t *held = calloc(s->nodes, sizeof *held);
    struct trace t;
    bool even = trace_open(&t, s) && held;
    while (even && t.step < steps)
        trace_go(&t);
    for (uint64_t e = 0; even && e < elements; e++)
        held[t.at[e].node]++;
    for (uint32_t n = 0; even && n < s->nodes; n++)
        even = (uint64_t)held[n] * s->nodes == elements;
    trace_close(&t);
    free(held);
    return even;
}

/* Name; what must exist; value. */
#define QUANTITIES(X)                                                                              \
    X(nodes, true, seen->topology->nodes)                                                          \
    X(steps, true, seen->steps)                                                                    \
    X(load, true, seen->load)                                                                      \
    X(hops, true, seen->hops)                                                                      \
    X(links, true, ec_topology_links(seen->topology))                                              \
    X(cycles, seen->report, seen->cycles)                                                          \
    X(contended, seen->report, seen->contended)                                                    \
    X(predicted, seen->report, seen->predicted)                                                    \
    X(flits, seen->report, seen->report->max_link_flits)                                           \
    X(packets, seen->report, seen->report->packets)                                                \
    X(words, seen->report, seen->report->words)                                                    \
    X(run_hops, seen->report, seen->report->max_hops)                                              \
    X(valid, seen->checked, seen->checked->valid)                                                  \
    X(placed, seen->checked, seen->checked->placed)                                                \
    X(adjacent, seen->checked, seen->checked->adjacent)                                            \
    X(one_port, seen->checked, seen->checked->one_port)                                            \
    X(sound, seen->checked, seen->checked->sound)                                                  \
    X(congestion_free, seen->checked, seen->checked->congestion_free)                              \
    X(memory, seen->checked, seen->checked->peak_memory)                                           \
    X(shifted, seen->checked, seen->checked->shifted)                                              \
    X(local_moves, seen->checked, seen->checked->local_moves)                                      \
    X(elements, seen->checked, seen->checked->max_link_elements)                                   \
    X(element_hops, seen->checked, seen->checked->element_hops)                                    \
    X(transfers, seen->schedule, count_transfers(seen->schedule))                                  \
    X(sends, seen->schedule, seen->schedule->transfer_count)                                       \
    X(moves, seen->schedule, seen->schedule->move_count)                                           \
    X(exchanges, seen->schedule, seen->schedule->exchange_count)                                   \
    X(rows, seen->schedule, row_at(seen->schedule, SIZE_MAX, true))                                \
    X(element_words, seen->schedule, seen->schedule->words)                                        \
    X(common_control, seen->schedule, has_common_control(seen->schedule))                          \
    X(holders, seen->schedule, seen->schedule->holders)                                            \
    X(all_elements, seen->schedule, (uint64_t)seen->schedule->holders * seen->schedule->per_node)  \
    X(most_hops, seen->workload->sdp, most_hops(seen->workload->sdp))                              \
    X(messages, true, seen->workload->message_count)                                               \
    X(bijection, true, seen->workload->message_count == seen->workload->nodes && is_bijection(v))  \
    X(total_hops, seen->audit, seen->audit->total_hops)                                            \
    X(channels, seen->audit, seen->audit->channels)

/* The node that each node sends to. NULL: out of memory. */
static const uint32_t *sent_to(struct script_values *v)
{
    const struct ec_workload *w = v->seen->workload;
    if (v->to || !(v->to = calloc((size_t)w->nodes + 1, sizeof *v->to)))
        return v->to;
    for (uint32_t i = 0; i < w->nodes; i++)
        v->to[i] = i;
    for (size_t i = 0; i < w->message_count; i++)
        v->to[w->messages[i].src] = w->messages[i].dst;
    return v->to;
}

/* Is every node the destination of exactly one? */
static bool is_bijection(struct script_values *v)
{
    const uint32_t *to = sent_to(v), nodes = v->seen->workload->nodes;
    uint8_t *met = calloc((size_t)nodes + 1, 1);
    bool good = to && met;
    for (uint32_t i = 0; good && i < nodes; i++)
        good = met[to[i]]++ == 0;
    free(met);
    return good;
}

/* Of the last "sdp" line or case of the grid, or of the last workload. NULL: none. */
static const struct ec_sdp *sdp_of(const struct script_values *v)
{
    return v->has_sdp ? &v->sdp : v->seen ? v->seen->workload->sdp : NULL;
}

/* The dimensions that move, J, as a set. */
static uint64_t moved_dims(const struct ec_sdp *s)
{
    uint64_t moved = 0;
    for (unsigned i = 0; i < s->storage + s->processor; i++)
        moved |= (uint64_t)(s->from[i] != i) << i;
    return moved;
}

/* Cycle c of those of ec_sdp_cycles(), and of its parts from ec_sdp_factor() part p: the mixed
 * ones, then the virtual one. Of length 0: there is none. */
static struct ec_sdp_cycle of_cycle(const struct ec_sdp *s, uint64_t c)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    return c < ec_sdp_cycles(s, cycle) ? cycle[c] : (struct ec_sdp_cycle){.length = 0};
}

static unsigned factor(const struct ec_sdp *s, uint64_t c, uint64_t p, struct ec_sdp_cycle *ret)
{
    const struct ec_sdp_cycle cycle = of_cycle(s, c);
    struct ec_sdp_cycle part[EC_SDP_DIMS_MAX / 2], rest = {.length = 0};
    const unsigned count = cycle.length ? ec_sdp_factor(&cycle, s->storage, part, &rest) : 0;
    *ret = p < count ? part[p] : p == count ? rest : (struct ec_sdp_cycle){.length = 0};
    return count;
}

static struct ec_sdp_cycle of_part(const struct ec_sdp *s, uint64_t c, uint64_t p)
{
    struct ec_sdp_cycle part;
    factor(s, c, p, &part);
    return part;
}

/* Dimension i of a cycle; EC_SDP_DIMS_MAX: there is none. */
static unsigned dim_of(struct ec_sdp_cycle c, uint64_t i)
{
    return i < c.length ? c.dim[i] : EC_SDP_DIMS_MAX;
}

/* Dimension i of the order along the cycles, without conflicts on links. */
static unsigned free_order(const struct ec_sdp *s, uint64_t i)
{
    uint8_t order[EC_SDP_DIMS_MAX];
    ec_cost_ecube_order(s->processor, s->from, order);
    return order[i];
}

#define SDP_QUANTITIES(X)                                                                          \
    X(sdp_dims, sdp, sdp->storage + sdp->processor)                                                \
    X(sdp_storage, sdp, sdp->storage)                                                              \
    X(sdp_moved, sdp, moved_dims(sdp))                                                             \
    X(sdp_inverted, sdp, sdp->complement)                                                          \
    X(sdp_cycles, sdp, ec_sdp_cycles(sdp, (struct ec_sdp_cycle[EC_SDP_DIMS_MAX / 2]){{0}}))        \
    X(sdp_order, sdp, ec_sdp_classify(sdp).order)                                                  \
    X(sdp_kind, sdp, ec_sdp_classify(sdp).kind)

bool values_quantity(struct script_values *v, const char *name, size_t length, int64_t *ret)
{
    const struct claims_seen *seen = v->seen;
    const struct ec_sdp *sdp = sdp_of(v);
#define QUANTITY(word, known, value)                                                               \
    if (is(name, length, #word)) {                                                                 \
        if (known)                                                                                 \
            *ret = (int64_t)(value);                                                               \
        return known;                                                                              \
    }
    SDP_QUANTITIES(QUANTITY)
    if (!seen)
        return false;
    QUANTITIES(QUANTITY)
#undef QUANTITY
    return false;
}

void values_see(struct script_values *v, const struct claims_seen *seen)
{
    free(v->places);
    free(v->seats);
    free(v->to);
    free(v->elements);
    free(v->parts);
    *v = (struct script_values){.map = v->map,
                                .seen = seen,
                                .least_signed = v->least_signed,
                                .least_signed_of = v->least_signed_of};
}

void values_close(struct script_values *v)
{
    values_see(v, NULL);
    free(v->least_signed);
}

/* --- Closed forms ----------------------------------------------------------------------------- */

/* The fewest steps of any sum of phases +-2^j that equals q mod 2^d, by search: a phase costs one
 * step for j = 0, else two. Lists them for all q. False: out of memory. */
static bool list_least_signed(struct script_values *v, unsigned d)
{
    const uint32_t p = UINT32_C(1) << d;
    uint32_t *steps = v->least_signed;
    if (d == v->least_signed_of)
        return true;
    steps = v->least_signed = realloc(steps, p * sizeof *steps);
    v->least_signed_of = steps ? d : 0;
    for (uint32_t i = 0; steps && i < p; i++)
        steps[i] = i ? UINT32_MAX : 0;
    for (uint32_t cost = 0; steps && cost <= 2 * d; cost++) {
        for (uint32_t i = 0; i < p; i++) {
            for (uint32_t j = 0; steps[i] == cost && j < d; j++) {
                const uint32_t leap = UINT32_C(1) << j, next = cost + (j ? 2 : 1);
                uint32_t *ahead = &steps[(i + leap) % p], *back = &steps[(i + p - leap) % p];
                *ahead = claims_min(*ahead, next);
                *back = claims_min(*back, next);
            }
        }
    }
    return steps;
}

/* The least elements on a link of a real cycle of order r that flow theory allows, of K. */
static struct ec_cost_ratio flow_part(unsigned r, bool inverted)
{
    struct ec_cost_ratio part;
    return ec_cost_jh_flow(r, inverted, &part) ? part : (struct ec_cost_ratio){0, 1};
}

/* Name, number of arguments, value for arguments a[]. */
#define FORMS(X)                                                                                   \
    X(step_time, 2, steps_time(1, (uint32_t)a[0], (uint32_t)a[1]))                                 \
    X(step_startup, 2, step_startup((uint32_t)a[0], (uint32_t)a[1]))                               \
    X(cut_through, 5, ec_cost_cut_through(a[0], a[1], a[2], a[3], a[4]))                           \
    X(is_open, 2, multi_is_open(a[0], a[1]))                                                       \
    X(bound_real, 1, ec_cost_jh_bound_real(a[0]))                                                  \
    X(flow_num, 2, flow_part((unsigned)a[0], a[1] != 0).num)                                       \
    X(flow_den, 2, flow_part((unsigned)a[0], a[1] != 0).den)                                       \
    X(price, 4, price((unsigned)a[0], (unsigned)(a[1] % 3), (unsigned)a[2], (unsigned)(a[3] % 4))) \
    X(flow_steps, 3, ec_cost_jh_flow_steps((unsigned)a[0], a[1] != 0, a[2]))                       \
    X(least_pipelined, 2, least_pipelined((uint32_t)a[0], (uint32_t)a[1]))                         \
    X(least_exchanges, 4,                                                                          \
      least_exchanges((unsigned)a[0], (unsigned)a[1], (unsigned)a[2], (unsigned)a[3]))             \
    X(least_on_square, 2, least_on_square(a[0] != 0, (uint32_t)a[1]))                              \
    X(bound_mixed, 3, ec_cost_jh_bound_mixed(a[0], a[1], a[2]))

static bool call_form(const char *name, size_t length, const uint64_t *a, size_t count,
                      int64_t *ret)
{
#define FORM(form, arguments, result)                                                              \
    if (count == (arguments) && length == strlen(#form) && strncmp(name, #form, length) == 0) {    \
        *ret = (int64_t)(result);                                                                  \
        return true;                                                                               \
    }
    FORMS(FORM)
#undef FORM
    return false;
}

/* --- Networks and schedules ------------------------------------------------------------------- */

/* Lists the places of all elements after every step. False: out of memory. */
static bool follow(struct script_values *v)
{
    const struct ec_schedule *s = v->seen->schedule;
    const size_t count = (size_t)s->holders * s->per_node, size = ((size_t)s->steps + 1) * count;
    struct trace t;
    if (v->places)
        return true;
    v->places = calloc(size + 1, sizeof *v->places);
    v->seats = calloc(size + 1, sizeof *v->seats);
    bool good = trace_open(&t, s) && v->places && v->seats;
    for (size_t step = 0; good && step <= s->steps; step++) {
        if (step > 0)
            trace_go(&t);
        memcpy(v->places + step * count, t.at, count * sizeof *t.at);
        trace_move(&t);
        for (size_t e = 0; e < count; e++)
            v->seats[step * count + e] = t.at[e].slot;
    }
    trace_close(&t);
    return good;
}

/* The label of a node in a shift, on the ring of labels=gray or as it is. */
static uint32_t label_of(const struct script_values *v, uint32_t node)
{
    for (unsigned k = 1; v->seen->workload->gray && k < 32; k *= 2)
        node ^= node >> k;
    return node;
}

/* Has every packet moved by `by` labels after `step` steps? */
static bool has_moved(const struct script_values *v, uint64_t step, uint64_t by)
{
    const uint32_t nodes = v->seen->schedule->nodes;
    const struct ec_place *at = v->places + step * nodes;
    for (uint32_t i = 0; i < nodes; i++)
        if (label_of(v, at[i].node) != (label_of(v, i) + by) % nodes)
            return false;
    return true;
}

static uint32_t root_of(uint32_t *root, uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

static bool find_parts(struct script_values *v)
{
    const struct ec_schedule *s = v->seen->schedule;
    uint32_t *root = v->parts;
    if (root || !(root = v->parts = calloc((size_t)s->nodes + 1, sizeof *root)))
        return root;
    for (uint32_t i = 0; i < s->nodes; i++)
        root[i] = i;
    for (size_t k = 0; k < s->transfer_count; k++) {
        const uint32_t a = root_of(root, label_of(v, s->transfers[k].src)),
                       b = root_of(root, label_of(v, s->transfers[k].dst));
        root[claims_max(a, b)] = claims_min(a, b);
    }
    for (uint32_t i = 0; i < s->nodes; i++)
        root[i] = root_of(root, i);
    return true;
}

static bool count_elements(struct script_values *v)
{
    if (!v->elements)
        v->elements = link_elements(v->seen->topology, v->seen->schedule);
    return v->elements;
}

/* Do all nodes send `words` words over this link: one message each by the audit, and by the
 * counters of the run, if there was one? */
static bool sent_by_all(const struct claims_seen *seen, uint64_t link, uint64_t words)
{
    bool all = true;
    for (uint64_t i = 0; i < seen->topology->nodes; i++) {
        all &= seen->audit->link_load[i * seen->audit->links + link] == 1;
        all &= !seen->report || seen->report->flits[i * seen->report->ports + link] == words;
    }
    return all;
}

/* Of nodes, links and elements; a[] are the arguments. Name, their number, bounds, value. */
#define NODES ((uint64_t)v->seen->topology->nodes)
#define LINKS ((uint64_t)ec_topology_links(v->seen->topology))
#define OF_NETWORK(X)                                                                              \
    X(to, 1, a[0] < NODES && sent_to(v), v->to[a[0]])                                              \
    X(distance, 2, a[0] < NODES && a[1] < NODES,                                                   \
      ec_topology_distance(v->seen->topology, (uint32_t)a[0], (uint32_t)a[1]))                     \
    X(neighbor, 2, a[0] < NODES && a[1] < LINKS,                                                   \
      ec_topology_neighbor(v->seen->topology, (uint32_t)a[0], (unsigned)a[1]))                     \
    X(sent_by_all, 2, a[0] < LINKS && v->seen->audit, sent_by_all(v->seen, a[0], a[1]))            \
    X(link_load, 2, a[0] < NODES && a[1] < LINKS && v->seen->audit,                                \
      v->seen->audit->link_load[a[0] * v->seen->audit->links + a[1]])                              \
    X(link_flits, 2, a[0] < NODES && a[1] < LINKS && v->seen->report,                              \
      v->seen->report->flits[a[0] * v->seen->report->ports + a[1]])

#define OF_SDP(X)                                                                                  \
    X(apply, 1, true, ec_sdp_apply(s, a[0]))                                                       \
    X(from, 1, a[0] < s->storage + s->processor, s->from[a[0]])                                    \
    X(inverted, 1, a[0] < s->storage + s->processor, s->complement >> a[0] & 1)                    \
    X(cycle, 2, true, dim_of(of_cycle(s, a[0]), a[1]))                                             \
    X(cycle_length, 1, true, of_cycle(s, a[0]).length)                                             \
    X(cycle_inverted, 2, a[1] < 64, of_cycle(s, a[0]).complement >> a[1] & 1)                      \
    X(parts, 1, true, factor(s, a[0], 0, &(struct ec_sdp_cycle){0}))                               \
    X(part_of, 3, true, dim_of(of_part(s, a[0], a[1]), a[2]))                                      \
    X(part_length, 2, true, of_part(s, a[0], a[1]).length)                                         \
    X(part_inverted, 3, a[2] < 64, of_part(s, a[0], a[1]).complement >> a[2] & 1)                  \
    X(free_order, 1, a[0] < s->processor && s->storage == 0, free_order(s, a[0]))

/* Of the last map; draw() and arranged() need none. */
#define OF_MAP(X)                                                                                  \
    X(map, 1, a[0] >> m->dims == 0, m->to[a[0]])                                                   \
    X(was, 1, a[0] >> m->dims == 0, m->was[a[0]])                                                  \
    X(busiest, 3, a[2] >> m->dims == 0, map_busiest(m, a[0], a[1], a[2]))                          \
    X(draw, 1, a[0] > 0, draw_below(&m->drawn, (uint32_t)a[0]))                                    \
    X(arranged, 3, a[0] <= 16 && a[2] < a[0], arranged((unsigned)a[0], a[1], (unsigned)a[2]))

#define ELEMENTS (uint64_t) s->holders * s->per_node
#define OF_SCHEDULE(X)                                                                             \
    X(crossed, 1, true, crossed(s, a[0]))                                                          \
    X(across, 1, true, elements_across(s, a[0]))                                                   \
    X(even, 1, true, is_even(s, a[0]))                                                             \
    X(link_steps, 1, true, claims_link_steps(v->seen->topology, s, (unsigned)a[0], 1))             \
    X(whole_steps, 1, true, claims_link_steps(v->seen->topology, s, (unsigned)a[0], s->nodes))     \
    X(link_elements, 2, a[0] < NODES && a[1] < LINKS && count_elements(v),                         \
      v->elements[a[0] * LINKS + a[1]])                                                            \
    X(part, 1, a[0] < NODES && find_parts(v), v->parts[a[0]])                                      \
    X(moved, 2, s->per_node == 1 && a[0] <= s->steps && follow(v), has_moved(v, a[0], a[1]))       \
    X(target, 1, a[0] < ELEMENTS, s->target[a[0]].node)                                            \
    X(target_slot, 1, a[0] < ELEMENTS, s->target[a[0]].slot)                                       \
    X(at, 2, a[0] <= s->steps && a[1] < ELEMENTS && follow(v),                                     \
      v->places[a[0] * ELEMENTS + a[1]].node)                                                      \
    X(slot, 2, a[0] <= s->steps && a[1] < ELEMENTS && follow(v),                                   \
      v->places[a[0] * ELEMENTS + a[1]].slot)                                                      \
    X(seat, 2, a[0] <= s->steps && a[1] < ELEMENTS && follow(v), v->seats[a[0] * ELEMENTS + a[1]]) \
    X(step, 1, a[0] < s->transfer_count, s->transfers[a[0]].step)                                  \
    X(src, 1, a[0] < s->transfer_count, s->transfers[a[0]].src)                                    \
    X(dst, 1, a[0] < s->transfer_count, s->transfers[a[0]].dst)                                    \
    X(count, 1, a[0] < s->transfer_count, s->transfers[a[0]].count)                                \
    X(carried, 2, a[0] < s->transfer_count && a[1] < s->transfers[a[0]].count,                     \
      s->carried[s->transfers[a[0]].first + a[1]].element)                                         \
    X(move_step, 1, a[0] < s->move_count, s->moves[a[0]].step)                                     \
    X(move_element, 1, a[0] < s->move_count, s->moves[a[0]].element)                               \
    X(is_aligned, 3, v->seen->workload->sdp, is_aligned(v->seen, a[0], a[1] != 0, a[2] != 0))      \
    X(row, 1, true, row_at(s, a[0], false))                                                        \
    X(exchange_row, 1, a[0] < s->exchange_count, s->exchanges[a[0]].row)                           \
    X(exchange_step, 1, a[0] < s->exchange_count, s->exchanges[a[0]].step)                         \
    X(exchange_storage, 1, a[0] < s->exchange_count, s->exchanges[a[0]].storage)                   \
    X(exchange_processor, 1, a[0] < s->exchange_count, s->exchanges[a[0]].processor)

#define LOOK(word, arguments, within, result)                                                      \
    if (count == (arguments) && is(name, length, #word)) {                                         \
        if (!(within))                                                                             \
            return false;                                                                          \
        *ret = (int64_t)(result);                                                                  \
        return true;                                                                               \
    }

static bool call_network(struct script_values *v, const char *name, size_t length,
                         const uint64_t *a, size_t count, int64_t *ret)
{
    OF_NETWORK(LOOK)
    return false;
}

static bool call_sdp(const struct script_values *v, const char *name, size_t length,
                     const uint64_t *a, size_t count, int64_t *ret)
{
    const struct ec_sdp *s = sdp_of(v);
    if (s) {
        OF_SDP(LOOK)
    }
    return false;
}

static bool call_map(struct script_values *v, const char *name, size_t length, const uint64_t *a,
                     size_t count, int64_t *ret)
{
    struct script_map *m = v->map;
    OF_MAP(LOOK)
    return false;
}

static bool call_schedule(struct script_values *v, const char *name, size_t length,
                          const uint64_t *a, size_t count, int64_t *ret)
{
    const struct ec_schedule *s = v->seen->schedule;
    OF_SCHEDULE(LOOK)
    return false;
}
#undef LOOK

bool values_call(struct script_values *v, const char *name, size_t length, const int64_t *arguments,
                 size_t count, int64_t *ret)
{
    uint64_t a[6] = {0};
    for (size_t i = 0; i < count && i < 6; i++) {
        if (arguments[i] < 0)
            return false;
        a[i] = (uint64_t)arguments[i];
    }
    return (v->seen && v->seen->schedule && call_schedule(v, name, length, a, count, ret)) ||
           (v->seen && call_network(v, name, length, a, count, ret)) ||
           call_sdp(v, name, length, a, count, ret) || call_map(v, name, length, a, count, ret) ||
           (is(name, length, "least_signed") && count == 2 && a[0] >= 1 && a[0] <= 16 &&
            a[1] >> a[0] == 0 && list_least_signed(v, (unsigned)a[0]) &&
            (*ret = v->least_signed[a[1]], true)) ||
           call_form(name, length, a, count, ret);
}
