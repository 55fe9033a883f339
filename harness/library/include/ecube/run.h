/* SPDX-License-Identifier: Apache-2.0 */
/* A run: one workload played on one net, with every check and every counter. */
#ifndef ECUBE_RUN_H
#define ECUBE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/audit.h"
#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/shape.h"
#include "ecube/statistics.h"
#include "ecube/topology.h"
#include "ecube/unfinished.h"
#include "ecube/workload.h"

#pragma GCC visibility push(default)

struct ec_schedule;

/* A node starts a packet: from `cycle` on, the packet occupies its port. */
struct ec_offer {
    uint64_t cycle, created;
    uint32_t node, dst, words;
    unsigned local, vc; /* port and virtual channel; with dynamic allocation, which the head takes
                           later, the first of its class */
};

/* A packet has arrived. */
struct ec_delivery {
    uint32_t src, dst, words;
    unsigned hops;
    uint64_t created, injected, delivered; /* cycles, as in struct ec_packet_log */
    uint64_t message; /* its id in a trace, else its index in the list of messages; EC_NO_ID: in
                         open loop */
    bool last;        /* of its message */
    uint32_t class_;  /* its index in report.classes; EC_NONE: all packets are of one class */
};

/* After a failed check the run is repeated with the checks of the RTL on, and the routers at the
 * failure are dumped around its cycle. */
struct ec_failure_options {
    const char *folder; /* of the dump, ecube-failure-HASH.fst */
    const char *title;  /* of its layout, for example the command; or NULL */
    /* Returns the traced variant of the net's shape (ec_shape_options.traced), which the caller
     * keeps. Called only if a check failed. */
    enum ec_code (*traced)(void *context, struct ec_shape **ret, struct ec_error *reterr);
    void *context;
    const struct ec_unfinished *unfinished; /* notified of temporary files; or NULL */
};

/* Keep the state of a run in a file, which is replaced as a whole. */
struct ec_checkpoint_options {
    const char *path;
    double seconds;  /* of the clock between two checkpoints; 0: not by the clock */
    uint64_t cycles; /* simulated between two; 0: not by cycles */
    /* Kept in the file: the program that can read it, and whatever the caller needs to make the
     * same run again; and the compiled router (ec_shape_key), which ec_case_run() fills in. */
    const char *program, *command, *router;
    /* A checkpoint could not be written: called with a line, which says why; or NULL. */
    void (*tell)(void *context, const char *line);
    void *context;
    const struct ec_unfinished *unfinished; /* notified of temporary files; or NULL */
};

/* A checkpoint in memory, checked. EC_USAGE: the file cannot be read, is no checkpoint, is damaged,
 * or was written by another program. */
struct ec_restart;
enum ec_code ec_restart_open(const char *path, const char *program, struct ec_restart **ret,
                             struct ec_error *reterr);
void ec_restart_close(struct ec_restart *r); /* NULL is fine */
const char *ec_restart_command(const struct ec_restart *r);
const char *ec_restart_router(const struct ec_restart *r);

struct ec_run_options {
    uint64_t cycles; /* open loop: measured window, at least 1; messages are created until those
                        of the window have arrived. Closed: limit, 0 = none */
    uint64_t warmup; /* open loop: cycles before the window */
    /* Open loop: measure until the mean latency is this precise, instead of in a window; `cycles`
     * and `warmup` are then ignored. NULL: a window. */
    const struct ec_precision *precision;
    uint32_t startup;   /* t_s: cycles the sending port is occupied before each packet */
    uint64_t seed;      /* of everything random */
    double eject_stall; /* probability that a node accepts nothing at a port in a cycle, 0..0.99 */
    uint64_t age_bound; /* a packet in the network for longer than this, and four cycles for each
                           of its words, is suspected of a deadlock; 0: default */
    bool keep_packets;  /* fill report.packets_log */
    uint64_t interval;  /* cycles of an interval in report.intervals; 0: none */
    /* Without `interval`: intervals of a power of two of cycles, so that a run has 8 to 16 of them
     * (fewer in runs of less than 128 cycles). None in networks of more than 65536 links. */
    bool interval_auto;
    /* Called about every 100 ms; return false to interrupt (the report is then partial). NULL:
     * never. */
    bool (*progress)(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all);
    void *progress_context;
    /* Watchers of every link from the first cycle: waves, event logs, your own checks. They see
     * every cycle once and change nothing. */
    const struct ec_net_watch *const *watches;
    size_t watch_count;
    void (*offer)(void *context, const struct ec_offer *offer); /* or NULL */
    void *offer_context;
    void (*delivery)(void *context, const struct ec_delivery *delivery); /* or NULL */
    void *delivery_context;
    void (*taken)(void *context,
                  const struct ec_message *message); /* a node begins to send; NULL */
    void *taken_context;
    /* Write checkpoints, also when the run is interrupted; NULL: none. The case must be `saved`
     * (ec_case_spec). Not with watchers and callbacks of events. */
    const struct ec_checkpoint_options *checkpoint;
    const struct ec_restart *restart; /* continue from there: the same case and options; or NULL */
    const struct ec_failure_options *failure; /* NULL: a failed run leaves no wave */
    /* The schedule that the workload was made from (ec_schedule_workload): the check of delivery
     * then follows its elements to their targets. Or NULL. */
    const struct ec_schedule *schedule;
};

enum ec_outcome {
    EC_RUN_FINISHED,
    EC_RUN_LIMIT, /* closed run stopped by options.cycles */
    EC_RUN_DEADLOCK,
    EC_RUN_BROKEN, /* a check failed during the run */
    EC_RUN_INTERRUPTED,
};

#define EC_CHECKS(X)                                                                               \
    X(RTL, "rtl", "no error message, failed assertion or end of simulation in the RTL")            \
    X(DELIVERY, "delivery", "every word exactly once, at its node, in order")                      \
    X(DRAIN, "drain", "nothing left in the network, nothing after the end")                        \
    X(LEDGER, "ledger", "credits: 0..depth on every link and VC, all back at the end")             \
    X(VCS, "vcs", "every word on the virtual channel of its route and packet")                     \
    X(LOADS, "loads", "flits per channel = audited path loads")                                    \
    X(CONGESTION, "congestion", "contended cycles only where the audit allows them")               \
    X(TIME, "time", "measured cycles = predicted")                                                 \
    X(PROGRESS, "progress", "no deadlock")                                                         \
    X(STABILITY, "stability", "backlogs and latency do not grow in the window")                    \
    X(SWITCHING, "switching", "no packet faster than its switching mode allows")

/* What the window of an open-loop run shows (docs/MEASUREMENT.md). */
enum ec_steady {
    EC_STEADY_NONE,      /* closed, or the window is incomplete */
    EC_STEADY_SHOWN,     /* neither backlogs nor latency grow */
    EC_STEADY_TOO_SHORT, /* the window is too short to tell */
    EC_STEADY_GROWS,     /* the backlogs grow: beyond saturation */
};

enum ec_check_id {
#define EC_CHECK_ENUM(id, name, text) EC_CHECK_##id,
    EC_CHECKS(EC_CHECK_ENUM)
#undef EC_CHECK_ENUM
        EC_CHECK_COUNT
};

enum ec_verdict {
    EC_VERDICT_NONE, /* does not apply: nothing to compare with */
    EC_VERDICT_PASS,
    EC_VERDICT_FAIL,
    EC_VERDICT_UNCHECKED, /* applies, but could not be checked */
    EC_VERDICT_OPEN,      /* was checked, but not decided; the run does not pass */
};

struct ec_check {
    enum ec_verdict verdict;
    char detail[1200]; /* the observation; for a failure its cycle, router and port; for NONE and
                         UNCHECKED the reason, or "" if it is obvious */
};

struct ec_latency {
    double mean;
    uint64_t p50, p95, p99, max; /* cycles; nearest rank */
};

/* The packets of one traffic class: of a pattern of a mixture, of requests, or of replies. */
struct ec_class_use {
    char name[128];                    /* a pattern of the mixture, "requests" or "replies" */
    uint64_t messages, packets, words; /* delivered */
    bool measured;                     /* offered, accepted */
    double offered, accepted;          /* flits/node/cycle in the window, as in the report */
    struct ec_latency packet_latency, network_latency;
    struct ec_confidence confidence; /* open loop */
    double network_half;             /* cycles: of the mean of network_latency; 0: not known */
};

struct ec_packet_log {
    uint32_t src, dst, words;
    uint64_t created, injected, delivered; /* cycles */
};

/* What the replay of a failed run found. */
struct ec_failure {
    bool found;      /* the place is known */
    uint64_t cycle;  /* of the failure */
    uint32_t *nodes; /* the routers concerned, the culprit first; for a deadlock all routers of the
                        cycle; owned */
    size_t node_count;
    size_t wave_nodes;    /* how many of them, from the first, are in the dump */
    uint64_t first, last; /* cycles dumped */
    char wave[512];       /* the dump; "": none, and `note` has the reason if one was requested */
    char note[1100];      /* room for any message */
    char **checks;        /* checks inside the RTL that failed, one line each; owned */
    size_t check_count;
};

/* An input VC of those that wait for each other. */
struct ec_waiting_input {
    uint32_t node;
    unsigned port, vc; /* of the input: links, then local ports */
    unsigned wants;    /* output port */
};

struct ec_report {
    enum ec_outcome outcome;
    bool measured; /* false: the process of the run died; no number below is valid */
    struct ec_check checks[EC_CHECK_COUNT];
    bool passed; /* no check failed, none is open, and the outcome is FINISHED */

    uint64_t cycles;     /* first offer (or start-up) to last tail, inclusive */
    bool has_prediction; /* never for a foreign router, whose timing may differ */
    uint64_t predicted_cycles;
    uint64_t words, packets, messages; /* delivered */
    uint64_t flit_hops;                /* words times links crossed */
    unsigned max_hops;
    bool has_taps; /* false: contended and starved cycles are unknown, here and below */
    uint64_t contended_cycles, starved_cycles;
    uint32_t max_link_load;            /* audited, messages; 0 in open loop */
    uint64_t max_link_flits;           /* measured */
    struct ec_latency packet_latency;  /* creation to tail ejection */
    struct ec_latency network_latency; /* head injection to tail ejection */
    double offered, accepted;          /* open loop: flits/node/cycle in the window */
    enum ec_steady steady;
    bool backlogged;           /* TOO_SHORT because of backlogs that chance does not explain: a
                                  latency then depends on the length of the window */
    uint64_t suggested_cycles; /* TOO_SHORT: a longer window to try, estimated; else 0 */
    uint64_t window_messages;  /* open loop: created in the window */
    uint64_t window_missing;   /* of these, not arrived when the run stopped waiting; if any, or if
                                  the backlogs grow, no latency is measured */
    double eject_stalled;      /* measured: stalled port-cycles / eject_waiting */
    uint64_t eject_waiting;    /* port-cycles with a word to accept */
    uint64_t digest;    /* commutative sum over deliveries (source, destination, word, cycle) */
    double seconds;     /* wall time of the loop */
    double cpu_seconds; /* processor time of the loop */
    double router_cycles_per_second; /* nodes * simulated cycles / seconds */
    uint32_t parts, threads, ranks;  /* that simulated (session.h); no result depends on them */
    uint64_t
        simulated_cycles; /* steps of the net, drain included; idle time of a trace is skipped */
    uint64_t stepped;     /* router-cycles evaluated; in the others the router slept */

    /* Per channel, [router * ports + port]; owned. ports = links + local ports of a router; locals
     * are those of a node. */
    unsigned ports, locals;
    uint64_t *flits, *contended, *starved;
    uint64_t *injected; /* [node * locals + local] */
    uint64_t *blocked;  /* [node * locals + local] cycles in which the node had a word to send, but
                           no credit */

    struct ec_interval *intervals; /* [interval_count] in order, if requested; owned */
    size_t interval_count;

    struct ec_source_use *sources;       /* [node]; owned */
    struct ec_fairness latency_fairness; /* mean packet latency; if it is measured at all */
    struct ec_fairness share_fairness;   /* words / offered */
    struct ec_measurement measurement;   /* with options.precision; else its state is NONE */

    /* With a mixture, or with replies; owned. */
    struct ec_class_use *classes;
    size_t class_count;
    struct ec_latency round_trip;               /* creation of a request to the tail of its reply */
    struct ec_confidence round_trip_confidence; /* open loop */
    uint32_t most_requests; /* in one node at a time, from the acceptance of a request to the
                               last word of the reply sent */

    /* Deadlock: the buffers that wait for each other, one line each; owned. Each waits for the next
     * one, the last for the first; in a knot some wait until any one of several others moves. */
    char **waiting;
    struct ec_waiting_input *waiting_at; /* [waiting_count] the input of each step; owned */
    size_t waiting_count;
    bool knot;
    bool protocol; /* it passes nodes that have no room for requests: neither the routers nor the
                      routing are to blame */

    struct ec_failure failure;

    struct ec_packet_log *packets_log; /* [packets] in order of delivery, if keep_packets; owned */

    struct ec_confidence packet_confidence; /* open loop: of packet_latency and `accepted` */
    double network_half; /* open loop, cycles: of the mean of network_latency; 0: not known */
};

/* The place of a local port of a node in the arrays over output channels of a report. */
static inline size_t ec_report_ejection(const struct ec_report *report, const struct ec_topology *t,
                                        uint32_t node, unsigned local)
{
    const uint32_t router = ec_topology_router(t, node);
    const uint32_t before = (node - ec_topology_first_node(t, router)) * report->locals;
    return (size_t)router * report->ports + ec_topology_links(t) + before + local;
}

/* Reset `net` and play `w` on it. `audit` belongs to the same topology, router and workload; NULL
 * in open loop. EC_OK whenever there is a report, whatever its verdict; the caller closes it.
 * EC_USAGE: options, workload and net do not fit each other; EC_MEMORY. */
enum ec_code ec_run(struct ec_net *net, const struct ec_workload *w, const struct ec_audit *audit,
                    const struct ec_run_options *options, struct ec_report **ret,
                    struct ec_error *reterr);
void ec_report_close(struct ec_report *report); /* accepts NULL */

/* The report of a run whose process died in the RTL: BROKEN, the check RTL failed with the detail
 * `what`, nothing measured. */
enum ec_code ec_report_of_death(const char *what, struct ec_report **ret, struct ec_error *reterr);

/* The predicted cycles of a run; *ret_known is false if there is no prediction. For a workload
 * whose paths share no channel (audit->congestion_free, all messages in cycle 1, at most one per
 * node): the closed form of the slowest message; 0 if no message crosses a link. For messages that
 * wait for others (w->order; no audit needed): the longest path through them, if no two of them
 * share a channel at a time, and none overtakes another at its port. EC_MEMORY. */
enum ec_code ec_predict(const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_workload *w, const struct ec_audit *audit, uint32_t startup,
                        bool *ret_known, uint64_t *ret_cycles, struct ec_error *reterr);

/* What no way to carry a closed workload can beat, whatever its routes and schedules. */
struct ec_least {
    uint64_t cycles;  /* of ecube's own routers, counted as those of a run */
    uint64_t words;   /* that the busiest channel carries at least, from which they follow */
    char reason[200]; /* which bound it is: "2048 words over the 32 links of dim2 one way" */
    /* Steps of schedules in which a link carries at most one element in a step and, with one port,
     * a node sends and receives at most one. Not a bound of cycles. */
    uint64_t steps;
    char steps_reason[120];
};

/* `r`: its ports count, and its packet bound as an upper bound of all packets. No message uses the
 * network: 0 cycles. EC_USAGE: an open-loop workload. EC_MEMORY. */
enum ec_code ec_least_cycles(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, uint32_t startup, struct ec_least *ret,
                             struct ec_error *reterr);

const char *ec_check_name(enum ec_check_id id);
const char *ec_check_text(enum ec_check_id id);

#pragma GCC visibility pop

#endif
