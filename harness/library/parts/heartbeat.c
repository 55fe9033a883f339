/* SPDX-License-Identifier: Apache-2.0 */
/* Pulses of several threads. Knows pulses and signals; must not know parts, workers or runs. */
#include "parts/heartbeat.h"

#include <signal.h>
#include <stdlib.h>

/* Known per thread, because a signal says nothing else about the thread that gets it. */
static _Thread_local const struct ec_net_pulse *volatile own_pulse;
static _Thread_local struct ec_net_pulse *volatile watched_pulse;

void heartbeat_enter(const struct ec_net_pulse *own, struct ec_net_pulse *watched)
{
    own_pulse = own;
    watched_pulse = watched;
}

/* Another thread writes `other` meanwhile: each member is right, or will be at the next look. */
__attribute__((no_sanitize("thread"))) void heartbeat_show(struct ec_net_pulse *watched,
                                                           const struct ec_net_pulse *other)
{
    watched->cycle = other->cycle;
    watched->router = other->router;
    watched->beats = other->beats;
    watched->inside = other->inside;
}

void heartbeat_show_end(struct ec_net_pulse *watched)
{
    watched->inside = false;
    watched->router = EC_NONE;
}

/* Of several threads that die at the same time, one wins. */
static void leave_place(void)
{
    const struct ec_net_pulse *own = own_pulse;
    struct ec_net_pulse *watched = watched_pulse;
    if (!own || !watched || watched->died)
        return;
    watched->death.cycle = own->cycle;
    watched->death.router = own->router;
    watched->death.inside = own->inside;
    watched->died = true;
}

static void on_death(int number)
{
    leave_place();
    raise(number); /* the action is the default one again */
}

void heartbeat_guard(void)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    struct sigaction action = {.sa_handler = on_death, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        struct sigaction old;
        if (sigaction(deaths[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(deaths[i], &action, NULL);
    }
    atexit(leave_place);
}
