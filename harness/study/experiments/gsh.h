/* SPDX-License-Identifier: Apache-2.0 */
/* What experiments on generalized shuffles (GSH) share: grids of one mixed or one real cycle, how
 * a schedule is asked for and what it must always show, and where its elements are. */
#ifndef CLAIMS_TRY_GSH_H
#define CLAIMS_TRY_GSH_H

#include "study/experiment.h"

/* One cycle on cube:(order + spectators), K elements per node. alpha_i is the i-th processor
 * dimension (i = 1..order; a real one has 0..order-1 instead); alpha_0 of a mixed one is storage
 * dimension 0. Bit i of `inverted`: inverted on arrival in alpha_i. */
struct try_gsh {
    bool real;
    unsigned order;      /* sigma_r */
    unsigned spectators; /* processor dimensions that do not move */
    uint32_t per_node;   /* K */
    uint32_t inverted;
    bool timed; /* this case also runs on RTL */

    /* The rest is the iterator's. */
    bool full, even;
    unsigned first_order, last_order;
    uint32_t first, last; /* of K */
};

/* MIX and REAL, from small to large:
 *
 *     for (struct try_gsh g = try_mixed_grid(run, 2, false); try_gsh_next(&g);)
 *
 * K doubles from `first` on; or every even K, if `even`. */
struct try_gsh try_mixed_grid(const struct claims_run *run, uint32_t first, bool even);
struct try_gsh try_real_grid(const struct claims_run *run, uint32_t first);
bool try_gsh_next(struct try_gsh *g);

/* One given case. */
struct try_gsh try_mixed_one(unsigned order, uint32_t per_node);

/* How its elements are sent; {0} is one word per packet, no start-up. */
struct try_pace {
    uint32_t block, startup; /* B, t_s */
};

/* "cube:3 gsh:cycle=5-4-3-0,K=8", and of "sigma_r=3, K=8". */
void try_gsh_words(const struct try_gsh *g, char *buffer, size_t size);
void try_gsh_name(const struct try_gsh *g, char *buffer, size_t size);
/* The latter in a format: TRY_GSH_CASE takes the arguments TRY_GSH(g). */
#define TRY_GSH_CASE "sigma_r=%u, K=%" PRIu32
#define TRY_GSH(g)   (g)->order, (g)->per_node

/* Audits the schedule that `algorithm` makes of the case, and runs it in both disciplines (with one
 * port, step by step only) if it is timed; `ret` shows the run step by step. Must show: it is
 * valid; no contended cycle; the cycles of its steps, each as long as its longest packet. False: go
 * no further. */
bool try_gsh_play(struct claims_run *run, const struct try_gsh *g, const char *algorithm,
                  struct try_pace pace, struct claims_seen *ret);
/* The same for all words of a case. */
bool try_play(struct claims_run *run, bool timed, const char *text, struct claims_seen *ret);
/* The same for any words of a workload with K elements per node ("cube:3 gsh:..."). */
bool try_words_play(struct claims_run *run, bool timed, const char *words, const char *algorithm,
                    struct try_pace pace, struct claims_seen *ret);

/* Start-ups (steps) and transfers in sequence (of each step the elements of its longest packet). */
uint64_t try_transfers(const struct ec_schedule *s);
/* What these cost on RTL: cycles of a word and of a packet beside its words, as one packet alone
 * shows; t_s comes to the latter. */
struct try_machine {
    uint64_t tc, tau;
};
bool try_machine(struct claims_run *run, struct try_machine *ret);
uint64_t try_cycles(const struct try_machine *m, uint64_t transfers, uint64_t startups,
                    uint32_t startup);

/* Follows the elements of a schedule step by step. */
struct try_trace {
    const struct ec_schedule *s;
    struct ec_place
        *at; /* [holders * per_node] after `step` and the moves before the next; owned */
    uint32_t step;
    size_t transfer, move;
};
/* False: out of memory. */
bool try_trace_open(struct try_trace *t, const struct ec_schedule *s);
/* Local moves before the next step. Then, with try_trace_go(), its transfers. */
void try_trace_move(struct try_trace *t);
void try_trace_go(struct try_trace *t);
void try_trace_close(struct try_trace *t);

/* Elements over each directed link: count[node * links + link]. NULL: out of memory. */
uint32_t *try_link_elements(const struct ec_topology *t, const struct ec_schedule *s);

/* A row of a schedule's table: exchanges[first .. end), and whether it begins elsewhere than in the
 * first processor dimension of all. */
struct try_row {
    size_t first, end;
    bool elsewhere;
};
/* The row that begins at exchange `first`; false beyond the last. */
bool try_row_at(const struct ec_schedule *s, size_t first, struct try_row *ret);

/* Random numbers, the same in every run. */
uint32_t try_drawn(uint64_t *state, uint32_t below);

#endif
