/* SPDX-License-Identifier: Apache-2.0 */
/* The common interval of replicas, and how long they must be. Knows figures of runs; must not know
 * who makes them, or when. */
#include "program/sweep/replicas.h"

#include <math.h>
#include <string.h>

#include "measure/precision.h"
#include "measure/student.h"

static double value_at(const void *first, size_t offset)
{
    double value;
    memcpy(&value, (const char *)first + offset, sizeof value);
    return value;
}

struct replicas_mean replicas_spread(const void *first, size_t stride, size_t count)
{
    const double n = (double)count;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += value_at(first, i * stride);
    const double mean = sum / n;
    for (size_t i = 0; i < count; i++) {
        const double off = value_at(first, i * stride) - mean;
        squares += off * off;
    }
    if (count < 2)
        return (struct replicas_mean){mean, -1};
    return (struct replicas_mean){mean, ec_student_975(n - 1) * sqrt(squares / (n - 1) / n)};
}

/* The spread of few means looks narrow by chance too often for a rule that stops then. The batches
 * of all replicas together hardly ever do, but miss correlation that is longer than they are. So
 * the interval is the wider one of both. In a mean of n, skewness adds 1 / n of what it adds to
 * each: a third moment is additive. */
struct replicas_mean replicas_pool(const struct replica *r, size_t count)
{
    struct replicas_mean all = replicas_spread(&r->mean, sizeof *r, count);
    double variance = 0, skew = 0, batches = 0;
    for (size_t i = 0; i < count; i++) {
        variance += r[i].error * r[i].error;
        skew += r[i].skew;
        batches += r[i].batches;
    }
    const double n = (double)count, t = ec_student_975(ESTIMATE_FREEDOM * batches);
    all.half = fmax(all.half, t * sqrt(variance) / n + skew / (n * n));
    return all;
}

/* --- Lengths ---------------------------------------------------------------------------------- */

/* Of a replica, for each replica. */
enum { PACKETS_EACH = 64 };

static uint64_t most_of(size_t count, uint64_t limit)
{
    return limit > count ? limit / count : 1;
}

uint64_t replicas_first(size_t count, uint64_t limit)
{
    const uint64_t most = most_of(count, limit), each = EC_PRECISION_FIRST / count;
    const uint64_t first = each > PRECISION_LEAST ? each : PRECISION_LEAST;
    return first < most ? first : most;
}

/* The packets of all, as a part of those that are needed; 0: some replica is not steady. The mean
 * of a replica is too low by a part that falls with its packets. It remains in the mean of all, and
 * their interval shrinks. */
static double packets_of(const struct replica *r, size_t count)
{
    uint64_t sum = 0, least = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!r[i].steady)
            return 0;
        least = r[i].packets < least ? r[i].packets : least;
        sum += r[i].packets;
    }
    return fmin((double)sum / PRECISION_PACKETS, (double)least / (double)(PACKETS_EACH * count));
}

bool replicas_enough(const struct replica *r, size_t count)
{
    return packets_of(r, count) >= 1;
}

/* A round begins again at cycle 1. So the next one is as long as its result is expected to need,
 * and much longer if nothing is known. */
uint64_t replicas_next(const struct replica *r, size_t count, double precision, uint64_t cycles,
                       uint64_t limit)
{
    const uint64_t most = most_of(count, limit);
    const double packets = packets_of(r, count);
    uint64_t next = cycles < EC_PRECISION_FIRST ? 2 * cycles : 4 * cycles;
    if (packets > 0) {
        const struct replicas_mean all = replicas_pool(r, count);
        const double wider = all.half / (precision * all.mean);
        const double times = fmax(1.1 * wider * wider, 1 / packets);
        if (wider <= 1 && packets >= 1)
            return 0;
        for (next = 2 * cycles; next < most && (double)next < times * (double)cycles;)
            next *= 2;
    }
    if (cycles >= most)
        return 0;
    return next <= most / 2 ? next : most;
}
