/* SPDX-License-Identifier: Apache-2.0 */
/* A play: sources, senders, a net, receivers and the scoreboard, advanced cycle by cycle.
 *
 * A play is a function of its options alone: reset and played again to the same cycle it is in the
 * same state, which is what diagnosis rests on. */
#ifndef EC_PLAY_H
#define EC_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/run.h"
#include "run/receiver.h"
#include "run/scoreboard.h"
#include "run/sender.h"
#include "run/source.h"

enum play_state {
    PLAY_ON,
    PLAY_DONE,   /* all delivered (closed), or creation over and network empty (open loop) */
    PLAY_LIMIT,  /* options.cycles reached in a closed run */
    PLAY_STUCK,  /* nothing moves although something should: deadlock or loss */
    PLAY_OLD,    /* a packet is older than the bound: perhaps a partial deadlock */
    PLAY_BROKEN, /* scoreboard or ledger violated */
    PLAY_UNMET,  /* messages wait for others that will never be sent */
    PLAY_INTERRUPTED,
};

struct play {
    struct ec_net *net;               /* borrowed */
    const struct ec_net_watch *watch; /* of the run itself; replays have their own */
    const struct ec_workload *w;
    struct ec_run_options options;
    struct sources *sources;
    struct senders senders;
    struct receivers receivers;
    struct scoreboard board;
    struct steady steady;     /* open loop */
    uint64_t messages_before; /* open loop: created before the window */
    uint64_t window_messages; /* open loop: created in the window */
    bool grows;               /* open loop: so the window showed */
    bool stopped;             /* open loop: nothing is created any more */
    struct ec_port_events in, out;
    uint64_t cycle;     /* cycles played */
    uint64_t skipped;   /* of these, idle and not stepped */
    uint64_t mark;      /* open loop: the cycle after which pass_mark() has something to do */
    uint64_t last_move; /* cycle of the last word seen anywhere */
    uint64_t last_idle; /* cycle that began with nothing under way and nobody in a start-up */
    uint64_t moved;
    uint64_t age_bound;   /* now in force */
    uint32_t clock_every; /* simulated cycles between looks at the clock */
    uint64_t last_report; /* of progress, in nanoseconds */
    bool interrupted;     /* the user wants an end, in the run or in a replay */
};

enum ec_code play_open(struct play *p, struct ec_net *net, const struct ec_workload *w,
                       const struct ec_run_options *options, struct ec_error *reterr);
void play_close(struct play *p);
void play_reset(struct play *p);
/* Play on until something is to be said, or, if `until` is not 0, until that cycle has been played.
 */
enum play_state play_on(struct play *p, uint64_t until);
/* Play again from the start to `until`, seen by `watch` alone: the run's own watchers see nothing
 * of it. If `until` was reached before, the play is then in the very state it was in. False: the
 * user interrupted it. */
bool play_again(struct play *p, const struct ec_net_watch *watch, uint64_t until);
/* Open loop: for so many cycles after the window its messages are waited for. A source that sent at
 * least half of the words it created needs for the rest no longer than it has played; the network
 * may then keep them for as long as it may keep any. */
uint64_t play_patience(const struct play *p);
/* A hash of all that the play is a function of, but for the backend. */
uint64_t play_key(const struct play *p);

#endif
