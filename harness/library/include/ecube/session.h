/* SPDX-License-Identifier: Apache-2.0 */
/* From option strings to a run.
 *
 *   struct ec_case_spec spec = ec_case_spec_default();
 *   spec.topology = "cube:3";
 *   spec.workload = "shift:q=5,m=64";
 *   ec_session_open(NULL, &session, &e);
 *   ec_case_open(session, &spec, &c, &e);   parses topology, router, workload; makes the schedule
 *   ec_case_run(c, NULL, &report, &e);      audit, compiled router, network, run
 *
 * A session keeps compiled routers and the last network for the cases that follow. */
#ifndef ECUBE_SESSION_H
#define ECUBE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/audit.h"
#include "ecube/compare.h"
#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/schedule.h"
#include "ecube/shape.h"
#include "ecube/topology.h"
#include "ecube/trial.h"
#include "ecube/wave.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

/* What steps the routers. */
enum ec_backend {
    EC_BACKEND_TILES,   /* a compiled router per node, links wired by the harness */
    EC_BACKEND_FLAT,    /* the whole network as one compiled model */
    EC_BACKEND_SYSTEMC, /* the independent model in SystemC */
};

/* What makes the code of the routers of EC_BACKEND_TILES: results are the same. */
enum ec_engine_choice {
    EC_ENGINE_VERILATOR,
    EC_ENGINE_SIMD, /* many routers in one instruction (ec_engine_simd()) */
    EC_ENGINE_AUTO, /* by a fixed rule of network and workload, SIMD where it is not slower */
};

#define EC_THREADS_MAX  1024
#define EC_THREADS_AUTO UINT32_MAX /* as many as pay on this computer */

/* A case as the options of `ecube run` describe it. All strings are borrowed. */
struct ec_case_spec {
    const char *topology;
    const char *workload;  /* NULL: the caller steps the network itself */
    const char *router;    /* NULL: defaults */
    const char *algorithm; /* NULL: direct */
    enum ec_sync sync;
    bool has_sync;       /* sync was given: an error without an algorithm */
    uint32_t local_cost; /* cycles per word that a node moves within its memory */
    uint32_t packet;     /* words of the longest packet; 0: default */
    uint32_t longest;    /* words of the longest message where there is no workload; 0: 1 */
    uint32_t startup;    /* cycles before each packet */
    uint32_t combine;    /* cycles per word that a node combines in a reduction */
    uint64_t cycles, warmup;
    bool has_cycles, has_warmup;
    bool warmup_optional; /* for a closed workload the warm-up is ignored instead of an error */
    double precision;     /* open loop: measure until the mean latency is this precise (measure.h),
                             for at most `cycles`; 0: a window */
    uint64_t seed;        /* of everything random */
    double eject_stall;   /* probability, 0 to 0.99 */
    enum ec_backend backend;
    enum ec_engine_choice engine; /* of the backend tiles */
    const char *rtl, *top; /* the user's router: comma-separated files, top module; NULL: ecube's */
    const char *build;     /* how it is compiled, as in ec_shape_options; or NULL */
    bool own_time;         /* do not compare the cycles with closed forms, whatever the router */
    bool no_sleep;         /* step quiet routers too */
    uint64_t shuffle;      /* not 0: step the routers in an order drawn from this */
    bool saved;            /* the state of the run can be saved (ec_checkpoint_options) */
    enum ec_cover cover;   /* what the routers count, besides traced ones */
    uint32_t random_init;  /* not 0: start all registers at values drawn from this */
    /* "best". A candidate without a prediction is run for at most the cycles of the fastest one so
     * far, or with `no_trials` not at all: then there is only a lower bound. `all_candidates`:
     * those that cannot be the fastest are judged, too, and may run for about a second. has_budget:
     * no candidate runs for more than `budget` cycles; with all_candidates each may run so long. */
    bool no_trials, all_candidates, has_budget;
    uint64_t budget;
    /* How a run is split; the result is the same. A run with watchers or callbacks of events is not
     * split; they are called by the calling thread. 0 or 1: one thread; at most one per node. */
    uint32_t threads;
    bool pin; /* bind the threads to processors: no other run shares them */
    /* The machine, for results in its units; they do not change a result. 0: not known. */
    double clock;       /* MHz */
    uint32_t link_bits; /* of data in a word */
};

/* All defaults; topology and workload are NULL. */
struct ec_case_spec ec_case_spec_default(void);

/* Is the algorithm to be chosen (algorithm "best")? */
bool ec_case_spec_chooses(const struct ec_case_spec *spec);

/* --- Sessions --------------------------------------------------------------------------------- */

/* Callbacks may be NULL. */
struct ec_session_options {
    void *context; /* of all callbacks */
    /* The phase that begins, "cube:3 shift:q=5,m=64: auditing"; NULL: the phase has ended. */
    void (*phase)(void *context, const char *text);
    /* A router is being compiled ("building router shape ... (about 10 s)"). */
    void (*building)(void *context, const char *line);
    /* A line that the RTL printed, with its place. At most about 20 lines per run. */
    void (*rtl)(void *context, const char *line);
    /* The run goes on, but something is wrong: "rank 1 on HOST has not answered since ...". */
    void (*warning)(void *context, const char *line);
    /* A run begins; cycles: warm-up plus window in open loop, else 0. */
    void (*begin)(void *context, uint32_t nodes, uint64_t cycles);
    /* As in struct ec_run_options, with the context of this struct. */
    bool (*progress)(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all);
    /* For callers that make several runs: between two of them; false: no more. */
    bool (*go_on)(void *context);
};

struct ec_session; /* not for several threads at a time */

/* `options` may be NULL. */
enum ec_code ec_session_open(const struct ec_session_options *options, struct ec_session **ret,
                             struct ec_error *reterr);
void ec_session_close(struct ec_session *s); /* NULL is fine */

/* The networks of a side (0 or 1) report their progress in `pulse` (net.h); NULL ends that. */
void ec_session_show(struct ec_session *s, unsigned side, struct ec_net_pulse *pulse);

/* --- Cases ------------------------------------------------------------------------------------ */

/* Origin of a candidate's cycles. AT_LEAST is a lower bound. */
enum ec_basis { EC_BASIS_PREDICTED, EC_BASIS_MEASURED, EC_BASIS_AT_LEAST };

/* An algorithm among which "best" chose. */
struct ec_candidate {
    char algorithm[200];
    enum ec_ports ports;
    uint64_t cycles;
    enum ec_basis basis;
    uint32_t block;    /* elements per packet; 0: the algorithm has no such key */
    uint32_t steps;    /* 0: direct */
    bool keyed;        /* a way of a collective operation: keys of the workload, "by=tree" */
    bool routed;       /* its transfers may cross several links */
    uint64_t startups; /* packets one after the other: in each step those of its longest message;
                          direct: of the busiest local port */
    uint32_t memory;   /* with all_candidates: the most elements in a node after any step; 0:
                          direct */
    uint64_t digest; /* with all_candidates: of all transfers, the same for the same schedule under
                        another name; 0: direct */
};

/* The objects of a specification. */
struct ec_case {
    struct ec_session *session;    /* borrowed */
    struct ec_case *owner;         /* of all that is owned; NULL: this case (see ec_case_on) */
    struct ec_case_spec spec;      /* its strings are borrowed */
    unsigned side;                 /* which of the two networks of the session it uses */
    struct ec_precision precision; /* of spec.precision */
    struct ec_topology topology;
    struct ec_router router;
    struct ec_table *table;             /* of routing=table; owned */
    bool updown;                        /* up/down routing, since shortest paths can deadlock */
    bool ports_chosen;                  /* ports=all because the algorithm needs it */
    struct ec_workload *pattern;        /* as parsed; NULL without a workload; owned */
    struct ec_schedule *schedule;       /* NULL: direct; owned */
    struct ec_workload *played;         /* messages of the schedule; NULL: direct; owned */
    const struct ec_workload *workload; /* the one to run: `pattern` or `played` */
    struct ec_candidate *candidates;    /* of "best", the one chosen first; or NULL; owned */
    size_t candidate_count;
    bool audited;
    struct ec_audit *audit;                    /* after ec_case_audit; NULL: open loop; owned */
    struct ec_schedule_audit found;            /* of the schedule, after ec_case_audit */
    char topology_text[160], router_text[320]; /* canonical */
    char algorithm[200]; /* canonical, "direct" or "best (gray-forward:order=A)" */
};

/* Parse the specification and make the schedule, which may take long. Without a workload only
 * topology and router are parsed. EC_USAGE: a bad option value. `s` may be NULL if the case is not
 * run: what needs a compiled router or a network then fails with EC_USAGE. The session and the
 * strings of the specification must outlive the case. */
enum ec_code ec_case_open(struct ec_session *s, const struct ec_case_spec *spec,
                          struct ec_case **ret, struct ec_error *reterr);
/* The same without the messages of a schedule, which saves time: `played` is NULL, `workload` is
 * the pattern, and only the schedule is audited. A case with a schedule cannot be run then. */
enum ec_code ec_case_open_unplayed(struct ec_session *s, const struct ec_case_spec *spec,
                                   struct ec_case **ret, struct ec_error *reterr);
void ec_case_close(struct ec_case *c); /* NULL is fine */

/* The same case on other hardware (backend, engine, rtl, top, build, own_time, no_sleep, shuffle
 * and random_init from `spec`) and on a side of the session. It borrows all objects of `c`, the
 * audit too, whichever of them is audited: do not close it, and keep `c` until it is not used any
 * more.
 */
struct ec_case ec_case_on(struct ec_case *c, const struct ec_case_spec *spec, unsigned side);

/* Audit a closed workload and its schedule, unless it is done already; `with_words` as in
 * ec_audit_open. Does nothing in open loop. */
enum ec_code ec_case_audit(struct ec_case *c, bool with_words, struct ec_error *reterr);

/* The closed form for the case (ec_predict), if one applies. Call ec_case_audit first. */
enum ec_code ec_case_predict(const struct ec_case *c, bool *ret_known, uint64_t *ret_cycles,
                             struct ec_error *reterr);

/* What no algorithm can beat for the pattern of the case, with these local ports (ec_least_cycles).
 */
enum ec_code ec_case_least(const struct ec_case *c, enum ec_ports ports, struct ec_least *ret,
                           struct ec_error *reterr);

/* The bounds of open-loop traffic (ec_bounds); without any in closed workloads, and without the
 * latency if the case has a foreign router or nodes that stall. EC_MEMORY. */
enum ec_code ec_case_bounds(const struct ec_case *c, struct ec_bounds *ret,
                            struct ec_error *reterr);

/* Can the messages of the case deadlock (ec_deadlock_possible)? A foreign router may share its
 * buffers among VCs, or prevent deadlocks by itself: UNCHECKED where that matters. EC_MEMORY. */
enum ec_code ec_case_deadlock(const struct ec_case *c, struct ec_deadlock *ret,
                              struct ec_error *reterr);

/* The compiled router of the case, or its whole network (EC_BACKEND_FLAT): built and loaded if
 * needed. NULL for EC_BACKEND_SYSTEMC. The session owns it. */
enum ec_code ec_case_shape(const struct ec_case *c, struct ec_shape **ret, struct ec_error *reterr);
/* The engine of that router, and with EC_ENGINE_AUTO why: "verilator: ...". The text is the
 * session's, until its next compiled router is opened; "" before the first. */
const char *ec_case_engine(const struct ec_case *c);
/* Try the router of the case alone (ec_trial_run). `shape` of the options is set here. */
enum ec_code ec_case_try(const struct ec_case *c, const struct ec_trial_options *options,
                         struct ec_trial_result *ret, struct ec_error *reterr);
/* The network of the case. The session owns it; it lives until a case of the same side needs
 * another one. */
enum ec_code ec_case_net(const struct ec_case *c, struct ec_net **ret, struct ec_error *reterr);

/* A wave of routers of the case (wave.h; `pulse` is that of the network). Connect it to the network
 * with ec_wave_watch; close it before the case. */
enum ec_code ec_case_wave(const struct ec_case *c, const struct ec_wave_options *options,
                          struct ec_wave **ret, struct ec_error *reterr);
/* The same with another packet bound: `r` is borrowed until the wave is closed. */
enum ec_code ec_case_wave_of(const struct ec_case *c, const struct ec_router *r,
                             const struct ec_wave_options *options, struct ec_wave **ret,
                             struct ec_error *reterr);

/* Run options of the case: limits and stimulus as specified (by default 1000 cycles of warm-up and
 * a window of 10000 in open loop), the progress callback of the session, the schedule. The caller
 * adds watches, keep_packets and failure. */
struct ec_run_options ec_case_run_options(const struct ec_case *c);
/* Can the nodes create this random traffic, and can it be measured so? ec_run() checks it, too;
 * here it costs no network. EC_USAGE. */
enum ec_code ec_case_check(const struct ec_case *c, struct ec_error *reterr);
/* Dump a wave into the current folder if the run fails. `c` must outlive the run. */
struct ec_failure_options ec_case_failure_options(struct ec_case *c);

/* Everything before a run: the audit, the compiled router, the network. EC_UNSOUND: the schedule
 * sends an element that the node does not hold. */
enum ec_code ec_case_prepare(struct ec_case *c, struct ec_error *reterr);

/* How a run of the case is split on this computer: `parts` parts of the network, in `ranks`
 * processes (of MPI) with `threads` threads each. */
struct ec_case_split {
    uint32_t parts, threads, ranks;
    bool pays; /* by the rule of EC_THREADS_AUTO: two parts or more have enough work */
};
/* EC_USAGE: more ranks than nodes, too many parts, or a backend that cannot be split. */
enum ec_code ec_case_split(const struct ec_case *c, struct ec_case_split *ret,
                           struct ec_error *reterr);

/* Prepare and run the case. `options`: NULL for ec_case_run_options(). Errors as in
 * ec_case_prepare() and ec_run(). */
enum ec_code ec_case_run(struct ec_case *c, const struct ec_run_options *options,
                         struct ec_report **ret, struct ec_error *reterr);

/* Compare the networks of two cases that differ in hardware only (ec_case_on) in lock-step.
 * wave[k]: how to dump side k at a difference, or NULL. Otherwise as ec_compare(). */
enum ec_code ec_case_compare(const struct ec_case *a, const struct ec_case *b,
                             const struct ec_failure_options *const wave[2],
                             struct ec_comparison **ret, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
