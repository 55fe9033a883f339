/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of Ctrl-C in a library that installs no signal handlers: SIGINT, SIGTERM and SIGHUP are
 * held back in this thread except during pauses, and a pause tells whether one was handled. */
#ifndef ECUBE_HELD_SIGNALS_H
#define ECUBE_HELD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Hold the signals back; *ret is the mask of before, for the pauses and for the end. */
void ec_signals_hold(sigset_t *ret);
void ec_signals_release(const sigset_t *before);

/* Sleep. True if the program handled a signal meanwhile, or one that came since the last pause.
 * (A signal that the program does not handle ends it here.) */
bool ec_signals_pause(const sigset_t *before, long nanoseconds);

#endif
