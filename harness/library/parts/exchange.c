/* SPDX-License-Identifier: Apache-2.0 */
/* What all transports share, the transport of a single part, and the choice of a transport. Knows
 * bytes and numbers; must not know threads. */
#include "parts/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parts/transport.h"

bool exchange_room(struct exchange_bytes *b, size_t size)
{
    if (size <= b->room)
        return true;
    size_t room = b->room ? b->room : 1024;
    while (room < size && room <= SIZE_MAX / 4)
        room *= 2;
    void *data;
    if (room < size || posix_memalign(&data, EXCHANGE_ALIGN, room))
        return false;
    if (b->size)
        memcpy(data, b->data, b->size);
    if (b->room)
        free(b->data);
    b->data = data;
    b->room = room;
    return true;
}

bool exchange_keep(struct exchange_bytes *b, const void *bytes, size_t size)
{
    b->size = 0; /* nothing to be moved */
    if (!exchange_room(b, size))
        return false;
    if (size)
        memcpy(b->data, bytes, size);
    b->size = size;
    return true;
}

void exchange_free(struct exchange_bytes *b)
{
    if (b->room)
        free(b->data);
    *b = (struct exchange_bytes){0};
}

void exchange_end_set(struct exchange_end *end, enum ec_code code, const char *why)
{
    if (end->code != EC_OK)
        return;
    snprintf(end->why, sizeof end->why, "%s", *why ? why : "aborted");
    end->code = code;
}

struct alone {
    struct exchange x;
    struct exchange_bytes gathered;
    struct exchange_end end;
};

static bool alone_swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold,
                       size_t count)
{
    (void)values, (void)fold, (void)count;
    return ((struct alone *)x)->end.code == EC_OK;
}

static bool alone_fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold)
{
    (void)values, (void)fold, (void)count;
    return ((struct alone *)x)->end.code == EC_OK;
}

static void alone_abort(struct exchange *x, enum ec_code code, const char *why)
{
    exchange_end_set(&((struct alone *)x)->end, code, why);
}

static bool alone_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                         const struct exchange_bytes **ret)
{
    struct alone *a = (struct alone *)x;
    (void)everyone;
    *ret = NULL;
    if (a->end.code != EC_OK)
        return false;
    if (!exchange_keep(&a->gathered, bytes, size)) {
        alone_abort(x, EC_MEMORY, "out of memory for what a part gathers");
        return false;
    }
    *ret = &a->gathered;
    return true;
}

static const struct exchange_end *alone_end(const struct exchange *x)
{
    return &((const struct alone *)x)->end;
}

static const struct exchange_ops alone_ops = {
    .swap = alone_swap,
    .fold = alone_fold,
    .gather = alone_gather,
    .abort = alone_abort,
    .end = alone_end,
};

static void run_alone(parts_body *body, void *context)
{
    struct alone a = {.x = {.ops = &alone_ops, .parts = 1}};
    body(context, &a.x);
    exchange_free(&a.gathered);
}

/* The seed of random delays that the environment asks for; 0: none. */
static enum ec_code read_seed(uint64_t *ret, struct ec_error *reterr)
{
    const char *text = getenv("ECUBE_EXCHANGE_DELAY");
    *ret = 0;
    if (text && *text && !ec_slice_number(ec_slice_of(text), UINT64_MAX, ret))
        return ec_fail(reterr, EC_USAGE, "ECUBE_EXCHANGE_DELAY '%.100s': expected a number", text);
    return EC_OK;
}

enum ec_code parts_run(const struct parts_plan *plan, parts_body *body, void *context,
                       struct ec_error *reterr)
{
    if (plan->refused && (plan->transport != PARTS_RANKS || plan->parts == 1)) {
        if (reterr)
            *reterr = *plan->refused;
        return plan->refused->code;
    }
    if (plan->parts == 1) {
        run_alone(body, context);
        return EC_OK;
    }
    struct parts_plan p = *plan;
    enum ec_code code = p.delay_seed ? EC_OK : read_seed(&p.delay_seed, reterr);
    if (code != EC_OK)
        return code;
    return p.transport == PARTS_RANKS ? ranks_run(&p, body, context, reterr)
                                      : team_run(&p, body, context, reterr);
}
