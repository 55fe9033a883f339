/* SPDX-License-Identifier: Apache-2.0 */
/* The pulses of a network that several threads step, each a part of it with a pulse of its own, as
 * one pulse: the one that another process watches.
 *
 * The thread of the first part steps with the watched pulse. While it waits for another part, it
 * shows the pulse of that part, so a part that hangs is seen. A thread that dies leaves its place.
 */
#pragma once

#include "ecube/net.h"

/* The calling thread reports to `own`, and `watched` is the pulse that another process sees; they
 * may be the same. NULL, NULL: no longer. */
void heartbeat_enter(const struct ec_net_pulse *own, struct ec_net_pulse *watched);

/* Only in the thread that steps with `watched`, outside of its evaluations: show another pulse
 * there. */
void heartbeat_show(struct ec_net_pulse *watched, const struct ec_net_pulse *other);

/* The other one has moved on. */
void heartbeat_show_end(struct ec_net_pulse *watched);

/* In a process that may die of its RTL: from now on, a thread that crashes, aborts or exits between
 * heartbeat_enter and its end leaves its place in the watched pulse. */
void heartbeat_guard(void);
