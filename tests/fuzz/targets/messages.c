/* SPDX-License-Identifier: Apache-2.0 */
/* What parts and ranks tell each other: histograms, events for callbacks, records
 * of packets, statistics, rows of counters. A part gets any bytes instead of those of another part:
 * it ends with an error, or with some numbers.
 *
 * The first byte of an input chooses the reader. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "measure/latency.h"
#include "parts/gather.h"
#include "run/merge.h"

enum { PARTS = 2, ROOM = 4096 };

/* --- An exchange whose other part sends the input -------------------------------------------- */

struct fake {
    struct exchange x; /* first */
    struct fuzz_bytes input;
    struct exchange_bytes from[PARTS];
    _Alignas(EXCHANGE_ALIGN) unsigned char data[ROOM];
    struct exchange_end end;
};

static void take_some(struct fake *f, void *to, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = fuzz_byte(&f->input);
}

static bool fake_fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold)
{
    struct fake *f = (struct fake *)x;
    (void)fold;
    for (size_t i = 0; i < count && f->input.left > 0; i++)
        take_some(f, &values[i], 1);
    return f->end.code == EC_OK;
}

static bool fake_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                        const struct exchange_bytes **ret)
{
    struct fake *f = (struct fake *)x;
    const size_t wanted = 16u * fuzz_byte(&f->input);
    const size_t most = f->input.left < ROOM ? f->input.left : ROOM;
    (void)everyone;
    f->from[0] = (struct exchange_bytes){.data = (unsigned char *)(uintptr_t)bytes, .size = size};
    f->from[1] = (struct exchange_bytes){.data = f->data, .size = wanted < most ? wanted : most};
    take_some(f, f->data, f->from[1].size);
    *ret = f->from;
    return f->end.code == EC_OK;
}

static void fake_abort(struct exchange *x, enum ec_code code, const char *why)
{
    exchange_end_set(&((struct fake *)x)->end, code, why);
}

static const struct exchange_ops ops = {
    .fold = fake_fold, .gather = fake_gather, .abort = fake_abort};

/* --- Readers ---------------------------------------------------------------------------------- */

static void try_latency(struct fake *f)
{
    struct latency l = {0};
    if (latency_merge(&l, &f->x)) {
        const struct ec_latency s = latency_summary(&l);
        if (s.p50 > s.p95 || s.p95 > s.p99 || s.p99 > l.max)
            fuzz_fail("the latencies of a merged histogram are not in order");
    }
    latency_free(&l);
}

/* A network in two parts, as a scoreboard knows it. */
struct network {
    struct ec_topology t;
    struct ec_router r;
    struct ec_partition *cut;
};

static const struct network *network(void)
{
    static struct network n;
    struct ec_error e;
    if (!n.cut && (ec_topology_parse("cube:3", &n.t, &e) != EC_OK ||
                   ec_router_parse("", &n.t, &n.r, &e) != EC_OK ||
                   ec_partition_open(&n.t, PARTS, &n.cut, &e) != EC_OK))
        fuzz_fail("%s", e.message);
    return &n;
}

static void try_scoreboard(struct fake *f, bool merge)
{
    const struct network *n = network();
    struct scoreboard s;
    if (!scoreboard_open(&s, &n->t, &n->r, NULL))
        exit(1);
    s.keep_log = true;
    if (merge) {
        if (scoreboard_count_channels(&s))
            (void)scoreboard_merge(&s, &f->x, n->cut);
    } else {
        uint64_t records[64];
        const size_t size = f->input.left < sizeof records ? f->input.left : sizeof records;
        take_some(f, records, size);
        (void)scoreboard_enter(&s, (unsigned char *)records, size);
    }
    scoreboard_close(&s);
}

static void try_rows(struct fake *f)
{
    const struct network *n = network();
    uint64_t own[8 * 3] = {1}, whole[8 * 3] = {0};
    (void)gather_rows(&f->x, n->cut, own, 3, whole);
    (void)gather_nodes(&f->x, n->cut, whole, 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fake *f = aligned_alloc(EXCHANGE_ALIGN, sizeof *f);
    if (!f)
        exit(1);
    memset(f, 0, sizeof *f);
    f->x = (struct exchange){.ops = &ops, .part = 0, .parts = PARTS};
    f->input = (struct fuzz_bytes){data, size};
    switch (fuzz_below(&f->input, 5)) {
    case 0:
    case 1:
        try_latency(f);
        break;
    case 2:
    case 3:
        try_scoreboard(f, f->input.left % 2);
        break;
    default:
        try_rows(f);
    }
    free(f);
    return 0;
}
