/* SPDX-License-Identifier: Apache-2.0 */
/* A play: sources, senders, a net, receivers and the scoreboard, advanced cycle by cycle.
 *
 * A play is a function of its options alone. Reset and played again to the same cycle, it is in the
 * same state; diagnosis relies on that. */
#pragma once

#include "ecube/run.h"
#include "measure/intervals.h"
#include "measure/precision.h"
#include "run/part.h"
#include "run/ports.h"
#include "run/scoreboard.h"
#include "traffic/service.h"
#include "traffic/source.h"

enum play_state {
    PLAY_ON,
    PLAY_IDLE,   /* until_idle: all messages have arrived so far */
    PLAY_DONE,   /* all delivered (closed), or creation over and network empty (open loop) */
    PLAY_LIMIT,  /* options.cycles reached in a closed run */
    PLAY_STUCK,  /* nothing moves although words are in the network: deadlock or loss */
    PLAY_OLD,    /* a packet is older than the bound: perhaps a partial deadlock */
    PLAY_BROKEN, /* scoreboard or ledger violated */
    PLAY_UNMET,  /* messages wait for others that can never be sent */
    PLAY_INTERRUPTED,
};

struct play {
    struct ec_net *net;               /* borrowed */
    struct part *part;                /* of a split run, borrowed; NULL: there is only this one */
    const struct ec_net_watch *watch; /* of the run; replays have their own */
    const struct ec_workload *w;
    struct ec_run_options options;
    struct sources *sources;
    struct senders senders;
    struct receivers receivers;
    struct scoreboard board;
    struct intervals intervals;
    struct service *service;  /* NULL: no replies */
    struct steady steady;     /* open loop, a fixed window */
    struct precision precise; /* open loop, options.precision */
    uint64_t messages_before; /* open loop: created before the window */
    uint64_t window_messages; /* open loop: created in the window, with the replies to them */
    uint64_t replies;         /* created by the latest mark */
    uint64_t *created;        /* [ports * 2] words of requests and of replies created by it; NULL:
                                 no replies */
    uint64_t class_words[EC_CLASSES_MAX]; /* of each traffic class, created in the window */
    bool grows;                           /* open loop: the backlogs grew in the window */
    bool stopped;                         /* open loop: the creation of messages has ended */
    bool hosting;                         /* the list of messages may grow: the play does not end */
    bool until_idle; /* play_on() without a cycle stops when nothing is under way */
    /* Of a hosted workload: a packet, or a message of a node to itself, has arrived; with the index
     * of the message. Not called in replays. */
    void (*arrived)(void *context, const struct ec_delivery *delivery);
    void (*home)(void *context, uint32_t message, uint64_t now);
    void *host;
    struct ec_port_events in, out;
    /* Called after each step with what the nodes sent in it and get from it; NULL except in some
     * replays. */
    void (*stepped)(void *context, uint64_t cycle, const struct ec_port_events *in,
                    const struct ec_port_events *out);
    void *stepped_context;
    uint64_t all[PART_VALUES]; /* of the whole network: by these the play decides how to go on */
    uint64_t cycle;            /* cycles played */
    uint64_t skipped;          /* of these, idle cycles that were not stepped */
    uint64_t mark;             /* open loop: the cycle after which pass_mark() is due */
    uint64_t last_move;        /* cycle of the last word seen anywhere */
    uint64_t idle_at;          /* last cycle that began with idle senders of this part */
    uint64_t last_idle; /* the same of all, with an empty network, if nothing has moved since */
    uint64_t moved;
    uint64_t age_bound;      /* in force */
    uint32_t clock_every;    /* simulated cycles between checks of the clock */
    uint64_t last_report;    /* of progress, in nanoseconds */
    bool saved;              /* first part: a checkpoint was written */
    uint64_t checkpoint_at;  /* the cycle after which one is due; UINT64_MAX: none is */
    double checkpoint_since; /* seconds: when the clock for the next one began */
    double spent[2];         /* seconds and processor seconds of this run so far, before `since` */
    double since[2];         /* on their clocks */
    bool again;              /* this is a replay */
    bool interrupted;        /* by the user, in the run or in a replay */
};

/* EC_USAGE: options, workload and net do not fit each other. What random traffic must fulfil is
 * known without a net. */
enum ec_code play_check_workload(const struct ec_router *r, const struct ec_workload *w,
                                 const struct ec_run_options *o, struct ec_error *reterr);
/* The same of a router whose sources draw paths. */
enum ec_code play_check_draws(const struct ec_router *r, const struct ec_workload *w,
                              struct ec_error *reterr);
enum ec_code play_check(const struct ec_net *net, const struct ec_workload *w,
                        const struct ec_run_options *o, struct ec_error *reterr);
/* `part`: of a split run, which `net` is the network of; then this is collective, as all calls
 * below, and EC_MEMORY has no message where another part lacks memory. NULL: the run is not split.
 */
enum ec_code play_open(struct play *p, struct ec_net *net, struct part *part,
                       const struct ec_workload *w, const struct ec_run_options *options,
                       struct ec_error *reterr);
void play_close(struct play *p);
void play_reset(struct play *p);
/* Play until the state is not PLAY_ON, or, if `until` is not 0, until that cycle has been played.
 */
enum play_state play_on(struct play *p, uint64_t until);
/* Has a check failed here, or is memory short? Other parts learn of it when they meet. */
bool play_broken(const struct play *p);
/* Are no messages waiting or under way? */
bool play_idle(const struct play *p);
/* Message `index` was added to the list of a hosted workload. */
void play_add(struct play *p, uint32_t index);
/* The callbacks of the caller are called in a run, but not in a replay. */
void play_set_callbacks(struct play *p, bool run);
/* Replay from the start to `until`, seen by `watch` only, not by the run's watchers. If `until` was
 * reached before, the play is in the same state again. False: the user interrupted it. */
bool play_again(struct play *p, const struct ec_net_watch *watch, uint64_t until);
/* The end of the last interval. False: out of memory. */
bool play_end_intervals(struct play *p);
/* Open loop: the cycles in which the sources were observed. */
const struct steady *play_steady(const struct play *p);
/* Open loop: how many cycles after the window to wait for its messages. A source that sent at least
 * half of its words in the window needs at most another window for the rest; after that, the bound
 * on the age of packets applies. */
uint64_t play_patience(const struct play *p);
/* A hash of the command (or NULL), the network, the workload as it was named, and the seed. */
uint64_t play_key(const struct play *p, const char *command);
