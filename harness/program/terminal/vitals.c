/* SPDX-License-Identifier: Apache-2.0 */
/* Vital signs of a worker. Knows processor times, pulses and file names; must not know workers or
 * runs. */
#include "terminal/vitals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"

/* The value of the SIGTERM of ec_vitals_ask(). */
enum { AT_ONCE = 0x65637562 };

/* False: the value of the environment is invalid. */
static bool read_limit(double *ret)
{
    const char *text = getenv("ECUBE_CYCLE_SECONDS");
    *ret = EC_CYCLE_SECONDS;
    return !text || !*text || (ec_slice_fraction(ec_slice_of(text), ret) && *ret > 0);
}

enum ec_code ec_vitals_check(struct ec_error *reterr)
{
    double seconds;
    return read_limit(&seconds) ? EC_OK
                                : ec_fail(reterr, EC_USAGE,
                                          "ECUBE_CYCLE_SECONDS '%.100s': expected a number above 0",
                                          getenv("ECUBE_CYCLE_SECONDS"));
}

static double limit(const struct ec_vitals *v)
{
    double seconds;
    if (!read_limit(&seconds)) /* the program has refused it */
        seconds = EC_CYCLE_SECONDS;
    return seconds + EC_CYCLE_SECONDS_PER_ROUTER * v->pulse[0].nodes;
}

bool ec_vitals_alive(void *context, void *shared, double seconds, char *why, size_t size)
{
    struct ec_vitals *v = shared;
    (void)context;
    const uint64_t beats = v->pulse[0].beats + v->pulse[1].beats;
    const double now = ec_clock(CLOCK_MONOTONIC), most = limit(v), passed = now - v->tick;
    if ((!v->pulse[0].inside && !v->pulse[1].inside) || beats != v->beats) {
        v->beats = beats;
        v->since = seconds;
        v->asleep = 0;
        v->tick = now;
        return true;
    }
    v->asleep += passed < 1 ? passed : 1; /* both processes may have been suspended */
    v->tick = now;
    if (seconds - v->since > most)
        snprintf(why, size, "one cycle took more than %.3g s of processor time", most);
    else if (v->asleep > EC_CYCLE_SLEEP * most)
        snprintf(why, size, "one cycle took more than %.3g s", EC_CYCLE_SLEEP * most);
    else
        return true;
    return false;
}

bool ec_vitals_death(const struct ec_work_result *r, char *text, size_t size)
{
    const struct ec_vitals *v = r->shared;
    const unsigned side = v->pulse[1].inside || v->pulse[1].died;
    const struct ec_net_pulse *p = &v->pulse[side];
    const uint64_t in_cycle = p->died ? p->death.cycle : p->cycle;
    const uint32_t in_router = p->died ? p->death.router : p->router;
    const char *const trial = p->trial ? "trial of the router alone, " : "";
    char cycle[40] = "before the end of reset", router[32] = "";
    if (r->killed || !(p->died ? p->death.inside : p->inside)) {
        snprintf(text, size, "%s%s", r->why,
                 r->killed ? " by the system, for lack of memory, or by another process"
                 : r->status == EC_MEMORY ? ""
                                          : ", not in the RTL: this is an error in ecube");
        return false;
    }
    if (in_cycle)
        snprintf(cycle, sizeof cycle, "cycle %" PRIu64, in_cycle);
    if (in_router != EC_NONE)
        snprintf(router, sizeof router, ", router %" PRIu32, in_router);
    snprintf(text, size, "%s%s%s%s: %s", side ? "side B, " : "", trial, cycle, router, r->why);
    return true;
}

void ec_vitals_tidy(struct ec_vitals *v)
{
    ec_unfinished_remove(&v->files);
    v->pid = 0;
}

bool ec_vitals_ask(struct ec_vitals *v)
{
    const union sigval at_once = {.sival_int = AT_ONCE};
    if (v->pid && waitpid(v->pid, NULL, WNOHANG) != 0)
        v->pid = 0; /* another process may get this number */
    return v->pid && sigqueue(v->pid, SIGTERM, at_once) == 0;
}

bool ec_vitals_asks(const siginfo_t *signal)
{
    return signal->si_signo == SIGTERM && signal->si_code == SI_QUEUE &&
           signal->si_value.sival_int == AT_ONCE;
}

void ec_vitals_end(struct ec_vitals *v)
{
    if (v->pid)
        kill(v->pid, SIGKILL);
    ec_vitals_tidy(v);
}
