/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of all parts, brought together in part 0 at the end of a run. Part 0 then has what
 * one part would have; in the other parts the values mean nothing.
 *
 * All functions are collective and return false if memory is short or another part is gone. */
#pragma once

#include "ecube/partition.h"
#include "measure/steady.h"
#include "parts/exchange.h"
#include "run/play.h"
#include "run/ports.h"
#include "run/scoreboard.h"
#include "traffic/service.h"
#include "workload/order.h"

/* A play that has ended, of a part. */
bool play_merge(struct play *p);
/* All but the packets in flight. Of a check that failed in another part only that it failed. */
bool scoreboard_merge(struct scoreboard *s, struct exchange *x,
                      const struct ec_partition *partition);
/* After cycle `now`: what senders_blocked() and the totals say. */
bool senders_merge(struct senders *s, struct exchange *x, const struct ec_partition *partition,
                   uint64_t now);
bool receivers_merge(struct receivers *r, struct exchange *x);
/* `service` NULL: nothing to do, in all parts. */
bool service_merge(struct service *service, struct exchange *x);
/* When messages were started and delivered; `order` NULL: nothing to do, in all parts. */
bool order_merge(struct order *order, struct exchange *x);
/* The latencies by batch. */
bool steady_merge(struct steady *s, struct exchange *x);
