/* SPDX-License-Identifier: Apache-2.0 */
/* Do options, workload and network fit each other? Must not need the state of a play. */
#include "run/play.h"

#include "ecube/schedule.h"
#include "traffic/process.h"

/* Messages per node and cycle: the range of the gaps in source.c. */
#define LEAST_RATE  1e-12
/* Messages per burst: a source draws every burst up to the next one with a message. */
#define LEAST_BURST 1e-6
/* Sums of cycles do not overflow. */
#define CYCLES_MAX  (UINT64_C(1) << 60)

static enum ec_code check_rate(const struct ec_workload *w, struct ec_error *reterr)
{
    const double mean = ec_workload_mean_words(w), on = w->burst.on;
    const char *const plural = mean > 1 ? "s" : "";
    if (w->rate >= mean)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s creates at least one message per node "
                       "and cycle: expected a rate below %g, or longer messages",
                       w->rate, mean, plural, mean);
    if (w->rate < mean * LEAST_RATE)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s is less than a message per node in %g "
                       "cycles: expected a rate of at least %g",
                       w->rate, mean, plural, 1 / LEAST_RATE, mean * LEAST_RATE);
    if (w->burst.cycles <= 0)
        return EC_OK;
    if (process_peak(w) > 1)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s and on=%g creates more than one message "
                       "per cycle in a burst: expected a rate of at most %g, or on=%g or more",
                       w->rate, mean, plural, on, mean * on, w->rate / mean);
    if (process_peak(w) * w->burst.cycles < LEAST_BURST)
        return ec_fail(
            reterr, EC_USAGE,
            "rate=%g with messages of %g word%s, burst=%g and on=%g: less than one burst "
            "in %g has a message: expected a rate of at least %g, or longer bursts",
            w->rate, mean, plural, w->burst.cycles, on, 1 / LEAST_BURST,
            mean * on * LEAST_BURST / w->burst.cycles);
    return EC_OK;
}

/* Requests and replies need lanes of their own; a node that can hold only some requests must never
 * hold the first packet of one whose rest it cannot get; and replies must flow when the window
 * begins. */
static enum ec_code check_service(const struct ec_router *r, const struct ec_workload *w,
                                  const struct ec_run_options *o, struct ec_error *reterr)
{
    struct ec_router own = *r;
    const enum ec_code code = ec_router_set_classes(&own, w->service.shared ? 1 : 2, reterr);
    if (code != EC_OK)
        return code;
    if (r->va == EC_VA_DYNAMIC && ec_router_classes(r) < own.classes)
        return ec_fail(reterr, EC_USAGE,
                       "router: the network was opened without classes=2, which its routers need "
                       "for requests and replies");
    if (w->service.queue > 0 && w->request > r->packet)
        return ec_fail(reterr, EC_USAGE,
                       "queue=%u needs requests of one packet, but those of %u words are longer "
                       "than a packet of at most %u: set --packet %u, shorter requests or "
                       "queue=inf",
                       w->service.queue, w->request, r->packet, w->request);
    if (w->service.think > o->warmup && !o->precision)
        return ec_fail(reterr, EC_USAGE,
                       "think=%u is longer than the warm-up of %llu cycles, so the window would "
                       "begin without replies: set --warmup %u or more",
                       w->service.think, (unsigned long long)o->warmup, 2 * w->service.think);
    return EC_OK;
}

static enum ec_code check_precision(const struct ec_workload *w, const struct ec_precision *o,
                                    struct ec_error *reterr)
{
    if (!w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "a precision for workload '%s', which ends by itself: expected an open-loop "
                       "workload (rate=...)",
                       w->text);
    if (!(o->relative >= EC_PRECISION_LEAST && o->relative <= EC_PRECISION_MOST))
        return ec_fail(reterr, EC_USAGE,
                       "precision %g: expected a part of the mean latency from %g to %g",
                       o->relative, EC_PRECISION_LEAST, EC_PRECISION_MOST);
    if (o->limit != 0 && (o->limit < PRECISION_LEAST || o->limit > CYCLES_MAX))
        return ec_fail(reterr, EC_USAGE,
                       "a measurement of at most %llu cycles (--cycles): expected %d to %llu",
                       (unsigned long long)o->limit, PRECISION_LEAST,
                       (unsigned long long)CYCLES_MAX);
    return EC_OK;
}

enum ec_code play_check_draws(const struct ec_router *r, const struct ec_workload *w,
                              struct ec_error *reterr)
{
    if (!ec_router_draws(r))
        return EC_OK;
    if (w->service.words > 0)
        return ec_fail(reterr, EC_USAGE,
                       "router: %s: its paths are the two message classes, which requests and "
                       "replies need: leave out one of them",
                       r->order == EC_ORDER_CLASS ? "order=class" : "routing=valiant");
    for (size_t i = 0; i < w->message_count; i++) {
        if (w->messages[i].way > ec_route_draw(r, w->nodes, UINT64_MAX))
            return ec_fail(reterr, EC_USAGE, "message %zu: the router has no path number %u", i,
                           w->messages[i].way);
    }
    return EC_OK;
}

enum ec_code play_check_workload(const struct ec_router *r, const struct ec_workload *w,
                                 const struct ec_run_options *o, struct ec_error *reterr)
{
    if (w->open_loop && check_rate(w, reterr) != EC_OK)
        return EC_USAGE;
    if (w->service.words > 0 && check_service(r, w, o, reterr) != EC_OK)
        return EC_USAGE;
    if (o->precision && check_precision(w, o->precision, reterr) != EC_OK)
        return EC_USAGE;
    return play_check_draws(r, w, reterr);
}

enum ec_code play_check(const struct ec_net *net, const struct ec_workload *w,
                        const struct ec_run_options *o, struct ec_error *reterr)
{
    if (net->router->packet == 0)
        return ec_fail(reterr, EC_USAGE,
                       "the packet bound of the router is 0: call ec_router_set_packet()");
    if (play_check_workload(net->router, w, o, reterr) != EC_OK)
        return EC_USAGE;
    if (o->cycles > CYCLES_MAX || o->warmup > CYCLES_MAX)
        return ec_fail(reterr, EC_USAGE, "too many cycles: expected at most %llu",
                       (unsigned long long)CYCLES_MAX);
    if (w->nodes != net->topology->nodes)
        return ec_fail(reterr, EC_USAGE, "the workload is for %u nodes, but the network has %u",
                       w->nodes, net->topology->nodes);
    if (w->message_count > EC_MESSAGES_MAX)
        return ec_fail(reterr, EC_USAGE, "workload '%s' has %zu messages: expected at most %u",
                       w->text, w->message_count, EC_MESSAGES_MAX);
    if (w->open_loop && o->cycles == 0 && !o->precision)
        return ec_fail(reterr, EC_USAGE,
                       "no measured cycles: expected at least 1 in an open-loop run");
    if (w->order && order_check(w, reterr) != EC_OK)
        return EC_USAGE;
    if (o->schedule && (!w->order || o->schedule->transfer_count != w->message_count))
        return ec_fail(reterr, EC_USAGE, "workload '%s' was not made from this schedule", w->text);
    if (!(o->eject_stall >= 0 && o->eject_stall <= 0.99))
        return ec_fail(reterr, EC_USAGE, "back-pressure %g: expected a probability from 0 to 0.99",
                       o->eject_stall);
    if ((o->checkpoint || o->restart) && !net->ops->state)
        return ec_fail(reterr, EC_USAGE, "the state of backend %s cannot be saved: expected tiles",
                       net->ops->name);
    if (o->watch_count && !net->ops->watch)
        return ec_fail(reterr, EC_USAGE, "backend %s cannot be watched", net->ops->name);
    return EC_OK;
}
