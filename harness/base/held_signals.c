/* SPDX-License-Identifier: Apache-2.0 */
/* Noticing that a signal was handled.
 *
 * A sleep that returns EINTR tells, whatever flags the handler was installed with; but a signal
 * that comes between two sleeps would be missed, unless it is held back until the next one. */
#include "base/held_signals.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

void ec_signals_hold(sigset_t *ret)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, ret);
}

void ec_signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

bool ec_signals_pause(const sigset_t *before, long nanoseconds)
{
    const struct timespec time = {.tv_nsec = nanoseconds};
    return ppoll(NULL, 0, &time, before) < 0 && errno == EINTR;
}
