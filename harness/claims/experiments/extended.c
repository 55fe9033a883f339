/* SPDX-License-Identifier: Apache-2.0 */
/* Data in a subcube: permutations that stay there, and extended-cube permutations, which use the
 * whole cube (Johnsson and Ho, Definition 3 and Corollary 2).
 *
 * Knows closed forms and follows elements from node to node; must not know how schedules are
 * made. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "claims/experiments/play.h"
#include "ec_cost_jh_bounds.h"
#include "ecube/sdp.h"

/* --- The grid ECP ----------------------------------------------------------------------------- */

/* One cycle of the n = g.order dimensions of a subcube, mixed or real, in a cube of n + e
 * dimensions (g.spectators) with K elements in each node of the subcube. Each of 2^e subcubes
 * permutes K/2^e of them (at least 2 for mixed cycles). */
struct extension {
    struct gsh g;
    unsigned e;
    char name[64], words[220]; /* "mixed sigma_r=2, e=1, K=8", "cube:3 gsh:...,sub=2" */
    unsigned dims_max, e_max;  /* private to the iterator */
    uint32_t most;             /* K */
};

static struct extension extensions(const struct claims_run *run)
{
    const bool full = claims_is_full(run);
    return (struct extension){
        .g = {.real = true, .per_node = UINT32_MAX / 2},
        .e = 1,
        .dims_max = full ? 10 : 4,
        .e_max = full ? 8 : 2,
        .most = full ? 1024 : 16,
    };
}

static void write_words(struct extension *x)
{
    char words[200];
    gsh_words(&x->g, words, sizeof words);
    snprintf(x->words, sizeof x->words, "%s,sub=%u", words, x->g.order);
}

/* In increasing order: e, then n, mixed, real, then K. */
static bool extension_next(struct extension *x)
{
    struct gsh *g = &x->g;
    g->per_node *= 2;
    while (g->per_node > x->most || g->per_node << g->order > 1U << 14 ||
           (g->real && g->order < 2)) {
        if (g->real) {
            g->real = false;
            g->order++;
        } else {
            g->real = true;
        }
        if (g->order + x->e > x->dims_max) {
            x->e++;
            g->order = 1;
            g->real = false;
        }
        if (x->e > x->e_max)
            return false;
        g->per_node = g->real ? 1U << x->e : 2U << x->e;
    }
    g->timed = g->order + x->e <= 8 && g->per_node <= claims_max(64, 2U << x->e);
    g->spectators = x->e;
    snprintf(x->name, sizeof x->name, "%s sigma_r=%u, e=%u, K=%u", g->real ? "real" : "mixed",
             g->order, x->e, g->per_node);
    write_words(x);
    return true;
}

/* --- Phases ----------------------------------------------------------------------------------- */

/* The steps in which elements leave their subcube, permute, and return. */
struct phases {
    uint32_t expand, permute, compress;
    bool separate; /* one after the other */
    bool even;     /* before and after the second, all nodes hold the same number of elements */
};

static bool nodes_are_even(const struct trace *t, uint32_t *held)
{
    const struct ec_schedule *s = t->s;
    bool even = true;
    for (uint32_t n = 0; n < s->nodes; n++)
        held[n] = 0;
    for (uint32_t i = 0; i < s->holders * s->per_node; i++)
        held[t->at[i].node]++;
    for (uint32_t n = 0; n < s->nodes; n++)
        even &= (uint64_t)held[n] * s->nodes == (uint64_t)s->holders * s->per_node;
    return even;
}

/* The dimensions that step `step` crosses: bit 0 those of a subcube, bit 1 the others. */
static unsigned crossed(const struct ec_schedule *s, uint32_t step)
{
    unsigned which = 0;
    for (size_t i = 0; i < s->transfer_count; i++)
        if (s->transfers[i].step == step)
            which |= (s->transfers[i].src ^ s->transfers[i].dst) < s->holders ? 1U : 2U;
    return which;
}

static bool find_phases(const struct ec_schedule *s, struct phases *ret)
{
    struct trace t;
    uint32_t *held = calloc(s->nodes, sizeof *held);
    const bool good = trace_open(&t, s) && held;
    *ret = (struct phases){.separate = true, .even = true};
    for (uint32_t step = 1; good && step <= s->steps; step++) {
        const unsigned which = crossed(s, step);
        uint32_t *phase = which == 1 ? &ret->permute : ret->permute ? &ret->compress : &ret->expand;
        ret->separate &= which != 3 && !(which == 1 && ret->compress);
        if (phase != &ret->expand && *phase == 0)
            ret->even &= nodes_are_even(&t, held);
        *phase += 1;
        trace_move(&t);
        trace_go(&t);
    }
    trace_close(&t);
    free(held);
    return good;
}

static bool play(struct claims_run *run, const struct extension *x, const char *algorithm,
                 struct pace pace, struct claims_seen *seen, struct phases *phases)
{
    return play_paced(run, x->g.timed, x->words, algorithm, pace, seen) &&
           claims_require(run, find_phases(seen->schedule, phases), "out of memory") &&
           claims_require(run, phases->separate, "%s, %s: phases that overlap", x->name, algorithm);
}

/* --- Definition 3 ----------------------------------------------------------------------------- */

static bool stays_in_subcube(const struct ec_schedule *s)
{
    bool inside = true;
    for (size_t i = 0; i < s->transfer_count; i++)
        inside &= s->transfers[i].src < s->holders && s->transfers[i].dst < s->holders;
    return inside;
}

/* A sub-cube permutation uses no link outside its subcube. An extended-cube permutation does, and
 * permutes K/2^e elements of each node of the cube. */
void experiment_cube_of_data(struct claims_run *run)
{
    for (struct extension x = extensions(run); extension_next(&x);) {
        struct claims_seen seen;
        struct phases phases;
        const char *inside = x.g.real ? "a2" : "pipelined";
        if (!play_paced(run, x.g.timed, x.words, inside, PLAIN_PACE, &seen))
            return;
        const bool stays = stays_in_subcube(seen.schedule);
        if (!play(run, &x, "extended", PLAIN_PACE, &seen, &phases))
            return;
        claims_case(run,
                    stays && !stays_in_subcube(seen.schedule) && phases.even && phases.permute > 0,
                    "%s", x.name);
    }
}

/* --- Corollary 2 ------------------------------------------------------------------------------ */

/* The transfers of the three phases in sequence are not below the bound. with: 0 one port; 1 n
 * ports as printed, where the bound is above the transfers. */
void experiment_corollary2(struct claims_run *run)
{
    const bool one_port = claims_with(run) == 0;
    for (struct extension x = extensions(run); extension_next(&x);) {
        const uint64_t k = x.g.per_node, r = x.g.order;
        const struct ec_cost_ratio bound = one_port ? ec_cost_jh_corollary2_one_port(x.e, r, k)
                                                    : ec_cost_jh_corollary2_n_port_printed(x.e, k),
                                   least = one_port ? bound : ec_cost_jh_corollary2_n_port(x.e, k);
        struct claims_seen seen;
        struct phases phases;
        if (!play(run, &x, one_port ? "extended-one-port" : "extended", PLAIN_PACE, &seen, &phases))
            return;
        claims_predicted(run, "least steps", ec_cost_ceil(least.num, least.den));
        claims_relate(run, ec_cost_ceil(bound.num, bound.den), CLAIMS_LE, seen.steps,
                      "%s, completed in %u steps: lower bound", x.name, seen.steps);
        claims_require(run, ec_cost_ceil(least.num, least.den) <= seen.steps,
                       "%s: below the corrected bound", x.name);
        if (one_port && !x.g.real)
            claims_require_equal(run, seen.steps * bound.den, bound.num, "%s: steps", x.name);
    }
}

/* The smallest number of start-ups of three phases: e dimensions, the permutation, and e dimensions
 * back, because some element needs all of them. As printed for real cycles and where the number of
 * moved and uncomplemented dimensions is even. No schedule is below, even if each link carries one
 * packet. */
void experiment_extended_startups(struct claims_run *run)
{
    for (struct extension x = extensions(run); extension_next(&x);) {
        const unsigned moved = x.g.order + !x.g.real;
        if (x.g.per_node != 2U << x.e)
            continue;
        for (x.g.inverted = 0; x.g.inverted < 1U << moved; x.g.inverted++) {
            const unsigned plain_dims = moved - claims_ones(x.g.inverted);
            struct claims_seen seen;
            write_words(&x);
            if (!play_paced(run, x.g.timed && x.g.inverted == 0, x.words, "extended",
                            (struct pace){.block = x.g.per_node}, &seen))
                return;
            const uint32_t least = 2 * x.e + most_hops(seen.workload->sdp);
            claims_predicted(run, "least start-ups", least);
            claims_relate_if(run, x.g.real || plain_dims % 2 == 0, least, CLAIMS_EQ,
                             ec_cost_jh_corollary2_startups_printed(x.e, x.g.order, plain_dims),
                             "%s, complements %x: start-ups", x.name, x.g.inverted);
            claims_require_equal(
                run, least,
                ec_cost_jh_corollary2_startups(x.e, x.g.order, x.g.real, moved - plain_dims),
                "%s, complements %x: corrected", x.name, x.g.inverted);
            claims_require(run, seen.steps >= least, "%s, complements %x: %u start-ups", x.name,
                           x.g.inverted, seen.steps);
        }
        x.g.inverted = 0;
    }
}

/* K - K/2^e elements of a node leave over e links: at least (K - K/2^e)/e steps, and as many back.
 * These are enough. */
void experiment_expand_term(struct claims_run *run)
{
    for (struct extension x = extensions(run); extension_next(&x);) {
        const uint64_t k = x.g.per_node, leave = k - (k >> x.e);
        struct claims_seen seen;
        struct phases phases;
        if (!play(run, &x, "extended", PLAIN_PACE, &seen, &phases))
            return;
        claims_predicted(run, "expand and compress", 2 * ec_cost_ceil(leave, x.e));
        claims_relate(run, phases.expand + phases.compress, CLAIMS_EQ, 2 * ec_cost_ceil(leave, x.e),
                      "%s: expand and compress", x.name);
    }
}
