/* SPDX-License-Identifier: Apache-2.0 */
/* Runs cases for the experiments and checks the properties that all such runs must have.
 *
 * Knows the closed form of one packet over one link; must not know any bound or claim. */
#include "claims/experiments/play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"

enum { DEPTH = 4 }; /* the router's default */

/* --- Shifts ----------------------------------------------------------------------------------- */

uint64_t steps_time(uint64_t steps, uint32_t m, uint32_t ts)
{
    return steps * ec_cost_wormhole(1, m, m, ts, DEPTH);
}

uint64_t step_startup(uint32_t m, uint32_t ts)
{
    return steps_time(1, m, ts) - m;
}

bool play_steps(struct claims_run *run, bool timed, const char *words, struct claims_seen *ret)
{
    if (!claims_measure(run, timed, ret, words) ||
        !claims_require(run, ret->checked->valid && ret->checked->one_port, "%s: %s", words,
                        ret->checked->defect))
        return false;
    if (!timed)
        return true;
    const uint64_t cycles = steps_time(ret->steps, ret->workload->messages[0].words, ret->startup);
    claims_predicted(run, "cycles", cycles);
    return claims_require_uncontended(run, ret, "%s: contended cycles", words) &&
           claims_require_equal(run, ret->cycles, cycles, "%s: cycles of %u steps", words,
                                ret->steps);
}

static bool measure_data(struct claims_run *run, struct claims_seen *ret, const char *words)
{
    char text[460];
    snprintf(text, sizeof text, "%s --sync data", words);
    return claims_measure(run, true, ret, text);
}

bool play_data(struct claims_run *run, uint64_t cycles, const char *words)
{
    struct claims_seen seen;
    return measure_data(run, &seen, words) &&
           claims_require_predicted(run, &seen, "%s --sync data: cycles", words) &&
           claims_require(run, seen.cycles <= cycles, "%s --sync data is slower", words);
}

/* --- Schedules of one cycle ------------------------------------------------------------------- */

/* Elements in the longest packet of the step that starts at *transfer, which advances to the next
 * step. */
static uint32_t longest_packet(const struct ec_schedule *s, size_t *transfer)
{
    const uint32_t step = s->transfers[*transfer].step;
    uint32_t longest = 0;
    for (; *transfer < s->transfer_count && s->transfers[*transfer].step == step; (*transfer)++)
        longest = claims_max(longest, s->transfers[*transfer].count);
    return longest;
}

uint64_t count_transfers(const struct ec_schedule *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->transfer_count;)
        sum += longest_packet(s, &i);
    return sum;
}

/* Cycles of a schedule, one step after the other: for each step the words of its longest transfer,
 * and the time of a step over one link in addition to its words. */
static uint64_t schedule_time(const struct ec_schedule *s, uint32_t startup)
{
    return count_transfers(s) * s->words + s->steps * step_startup(1, startup);
}

bool play_words(struct claims_run *run, bool timed, const char *words, struct claims_seen *ret)
{
    if (!claims_measure(run, false, ret, words) ||
        !claims_require(run, ret->checked->valid && ret->load <= 1, "%s: %s", words,
                        ret->checked->defect))
        return false;
    /* With one port, messages of different steps meet in the ports of their nodes. */
    if (timed && ret->schedule->all_ports &&
        (!measure_data(run, ret, words) ||
         !claims_require_uncontended(run, ret, "%s: contended cycles", words)))
        return false;
    if (timed && !claims_measure(run, true, ret, words))
        return false;
    if (!timed)
        return true;
    const uint64_t cycles = schedule_time(ret->schedule, ret->startup);
    claims_predicted(run, "cycles", cycles);
    return claims_require_uncontended(run, ret, "%s: contended cycles", words) &&
           claims_require_equal(run, ret->cycles, cycles, "%s: cycles of %u steps", words,
                                ret->steps);
}

/* --- Schedules of several blocks -------------------------------------------------------------- */

static bool run_both(struct claims_run *run, const char *name, const char *text,
                     struct claims_seen *ret)
{
    if (!measure_data(run, ret, text))
        return false;
    const uint64_t data = ret->cycles;
    if (!claims_measure(run, true, ret, text))
        return false;
    const uint64_t cycles = schedule_time(ret->schedule, ret->startup);
    return claims_require_uncontended(run, ret, "%s, %s: contended cycles", name,
                                      ret->schedule->algorithm) &&
           claims_require_equal(run, ret->cycles, cycles, "%s, %s: cycles of %u steps", name,
                                ret->schedule->algorithm, ret->steps) &&
           /* With one port packets of different steps meet in the ports of their nodes. */
           claims_require(run, data <= cycles || !ret->schedule->all_ports,
                          "%s, %s: slower without steps", name, ret->schedule->algorithm);
}

bool play_blocks_words(struct claims_run *run, bool timed, const char *name, const char *words,
                       struct claims_seen *ret)
{
    if (timed ? !run_both(run, name, words, ret) : !claims_measure(run, false, ret, words))
        return false;
    return claims_require(run, ret->checked->valid && ret->checked->adjacent, "%s, %s: %s", name,
                          ret->schedule->algorithm, ret->checked->defect) &&
           claims_require_equal(run, ret->checked->max_step_load, 1, "%s, %s: load", name,
                                ret->schedule->algorithm);
}

/* The algorithm of the fewest steps so far; the first of equals. */
struct fewest {
    char algorithm[200];
    uint32_t steps;  /* 0: none */
    uint64_t enough; /* steps that end the search */
};

static bool fewest_wants(void *context, const struct ec_choice_offer *offer)
{
    const struct fewest *f = context;
    /* "cycles" repeats the algorithm that already carries the whole permutation */
    if (f->steps > 0 && strcmp(offer->name, "cycles") == 0)
        return false;
    return offer->all_ports && (f->steps == 0 || (f->steps > f->enough && offer->least < f->steps));
}

static enum ec_code fewest_take(void *context, const struct ec_choice_offer *offer,
                                struct ec_schedule *s, struct ec_error *reterr)
{
    struct fewest *f = context;
    (void)offer;
    (void)reterr;
    if (f->steps == 0 || s->steps < f->steps) {
        snprintf(f->algorithm, sizeof f->algorithm, "%s", s->algorithm);
        f->steps = s->steps;
    }
    ec_schedule_close(s);
    return EC_OK;
}

/* Offers the schedules of "TOPOLOGY WORKLOAD", packets of one element. */
static bool offer_all(struct claims_run *run, const char *words, const struct ec_choice *choice)
{
    char topology[40] = "", workload[160] = "";
    struct ec_topology t;
    struct ec_workload *w = NULL;
    struct ec_error e;
    if (!claims_require(run, sscanf(words, "%39s %159s", topology, workload) == 2,
                        "expected TOPOLOGY WORKLOAD; got %s", words))
        return false;
    enum ec_code code = ec_topology_parse(topology, &t, &e);
    if (code == EC_OK)
        code = ec_workload_open(workload, &t, 1, &w, &e);
    if (code == EC_OK)
        code = ec_schedule_choose(&t, w, "best:block=1", choice, &e);
    ec_workload_close(w);
    return claims_require(run, code == EC_OK, "%s: %s", words, code == EC_OK ? "" : e.message);
}

bool play_best(struct claims_run *run, const char *words, uint64_t enough, bool timed,
               struct claims_seen *ret)
{
    struct fewest fewest = {.enough = enough};
    const struct ec_choice choice = {&fewest, fewest_wants, fewest_take};
    char text[420];
    if (!offer_all(run, words, &choice) ||
        !claims_require(run, fewest.steps > 0, "%s: no schedule", words))
        return false;
    snprintf(text, sizeof text, "%s --algorithm %s", words, fewest.algorithm);
    return play_blocks_words(run, timed, words, text, ret);
}

static bool list_wants(void *context, const struct ec_choice_offer *offer)
{
    (void)context;
    return offer->all_ports;
}

static enum ec_code list_take(void *context, const struct ec_choice_offer *offer,
                              struct ec_schedule *s, struct ec_error *reterr)
{
    char *names = context;
    (void)offer;
    (void)reterr;
    claims_add(names, SCHEDULES_SIZE, "%s%s", *names ? ", " : "", s->algorithm);
    ec_schedule_close(s);
    return EC_OK;
}

bool list_schedules(struct claims_run *run, const char *words, char *ret)
{
    const struct ec_choice choice = {ret, list_wants, list_take};
    *ret = '\0';
    return offer_all(run, words, &choice) && claims_require(run, *ret, "%s: no schedule", words);
}

/* --- Elements --------------------------------------------------------------------------------- */

bool trace_open(struct trace *t, const struct ec_schedule *s)
{
    const uint32_t count = s->holders * s->per_node;
    *t = (struct trace){.s = s, .at = calloc((size_t)count + 1, sizeof *t->at)};
    for (uint32_t e = 0; t->at && e < count; e++)
        t->at[e] = (struct ec_place){e / s->per_node, e % s->per_node};
    return t->at != NULL;
}

void trace_close(struct trace *t)
{
    free(t->at);
    t->at = NULL;
}

void trace_move(struct trace *t)
{
    const struct ec_schedule *s = t->s;
    for (; t->move < s->move_count && s->moves[t->move].step <= t->step + 1; t->move++)
        t->at[s->moves[t->move].element].slot = s->moves[t->move].slot;
}

void trace_go(struct trace *t)
{
    const struct ec_schedule *s = t->s;
    t->step++;
    for (; t->transfer < s->transfer_count && s->transfers[t->transfer].step == t->step;
         t->transfer++) {
        const struct ec_transfer *x = &s->transfers[t->transfer];
        for (uint32_t i = x->first; i < x->first + x->count; i++)
            t->at[s->carried[i].element] = (struct ec_place){x->dst, s->carried[i].slot};
    }
}

uint32_t *link_elements(const struct ec_topology *t, const struct ec_schedule *s)
{
    const unsigned links = ec_topology_links(t);
    uint32_t *count = calloc((size_t)s->nodes * links + 1, sizeof *count);
    for (size_t i = 0; count && i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        for (unsigned link = 0; link < links; link++)
            if (ec_topology_neighbor(t, x->src, link) == x->dst)
                count[(size_t)x->src * links + link] += x->count;
    }
    return count;
}

uint32_t draw_below(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

unsigned most_hops(const struct ec_sdp *s)
{
    unsigned most = 0;
    for (uint64_t a = 0; a < UINT64_C(1) << (s->storage + s->processor); a++)
        most = claims_max(most, claims_ones((a ^ ec_sdp_apply(s, a)) >> s->storage));
    return most;
}
