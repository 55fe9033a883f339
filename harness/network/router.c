/* SPDX-License-Identifier: Apache-2.0 */
/* Router options: their grammar, defaults and limits. Knows which choices make sense on which
 * topology; must not know which of them the RTL has been compiled for. */
#include "ecube/router.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

/* The keys, in canonical order. */
enum key { KEY_VCS, KEY_DEPTH, KEY_SWITCHING, KEY_ORDER, KEY_PORTS, KEY_DATELINE, KEY_COUNT };
static const char *const key_names[] = {"vcs",   "depth",    "switching", "order",
                                        "ports", "dateline", NULL};

/* The words of each enum, in its order. */
static const char *const switching_names[] = {"wormhole", "cut-through", "store-and-forward", NULL};
static const char *const order_names[] = {"low", "high", NULL};
static const char *const ports_names[] = {"one", "all", NULL};
static const char *const dateline_names[] = {"off", "on", NULL};

static bool wraps(const struct ec_topology *t)
{
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->wrap[d])
            return true;
    }
    return false;
}

/* On a wrapped dimension of more than 3 nodes some paths have two links, and these can wait for
 * each other all round the ring. */
static bool ring_can_deadlock(const struct ec_topology *t)
{
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->wrap[d] && t->radix[d] > 3)
            return true;
    }
    return false;
}

static enum ec_code parse_word(enum key key, struct ec_slice value, const char *const *words,
                               unsigned *ret, struct ec_error *reterr)
{
    char hint[64], list[80] = "";
    size_t used = 0;

    for (unsigned i = 0; words[i]; i++) {
        if (ec_slice_is(value, words[i])) {
            *ret = i;
            return EC_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return ec_fail(reterr, EC_USAGE, "router option '%s=%.*s': not one of %s%s", key_names[key],
                   EC_SHOWN(value), list,
                   ec_nearest_hint(value.at, value.length, words, hint, sizeof hint));
}

static enum ec_code parse_value(enum key key, struct ec_slice value, unsigned *ret,
                                struct ec_error *reterr)
{
    uint64_t number;

    switch (key) {
    case KEY_VCS:
        if (!ec_slice_number(value, EC_VCS_MAX, &number) || number == 0 || number == 3)
            return ec_fail(reterr, EC_USAGE, "router option 'vcs=%.*s': not one of 1, 2, 4",
                           EC_SHOWN(value));
        *ret = (unsigned)number;
        return EC_OK;
    case KEY_DEPTH:
        if (!ec_slice_number(value, EC_DEPTH_MAX, &number) || number == 0)
            return ec_fail(reterr, EC_USAGE,
                           "router option 'depth=%.*s': not a number of words from 1 to %d",
                           EC_SHOWN(value), EC_DEPTH_MAX);
        *ret = (unsigned)number;
        return EC_OK;
    case KEY_SWITCHING:
        return parse_word(key, value, switching_names, ret, reterr);
    case KEY_ORDER:
        return parse_word(key, value, order_names, ret, reterr);
    case KEY_PORTS:
        return parse_word(key, value, ports_names, ret, reterr);
    case KEY_DATELINE:
        return parse_word(key, value, dateline_names, ret, reterr);
    case KEY_COUNT:
        break;
    }
    return ec_fail(reterr, EC_INTERNAL, "router option %d has no reader", (int)key);
}

static enum ec_code find_key(struct ec_slice name, struct ec_slice option, enum key *ret,
                             struct ec_error *reterr)
{
    char hint[64];

    for (int k = 0; k < KEY_COUNT; k++) {
        if (ec_slice_is(name, key_names[k])) {
            *ret = (enum key)k;
            return EC_OK;
        }
    }
    if (ec_slice_is(name, "packet"))
        return ec_fail(reterr, EC_USAGE,
                       "router option '%.*s': the packet bound is a choice of its own, --packet",
                       EC_SHOWN(option));
    return ec_fail(reterr, EC_USAGE,
                   "router option '%.*s': no option is called '%.*s'%s (options: vcs, depth, "
                   "switching, order, ports, dateline)",
                   EC_SHOWN(option), EC_SHOWN(name),
                   ec_nearest_hint(name.at, name.length, key_names, hint, sizeof hint));
}

/* Fill values[] and given[] from the text; both have KEY_COUNT entries. */
static enum ec_code parse_options(const char *text, unsigned *values, bool *given,
                                  struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(text), option;

    if (rest.length == 0)
        return EC_OK;
    while (ec_slice_take(&rest, ',', &option)) {
        struct ec_slice value = option, name;
        enum key key = KEY_COUNT;
        ec_slice_take(&value, '=', &name);
        enum ec_code code = find_key(name, option, &key, reterr);
        if (code)
            return code;
        if (!value.at)
            return ec_fail(reterr, EC_USAGE, "router option '%.*s' has no value (%s=...)",
                           EC_SHOWN(option), key_names[key]);
        if (given[key])
            return ec_fail(reterr, EC_USAGE, "router option '%s' is given twice", key_names[key]);
        given[key] = true;
        code = parse_value(key, value, &values[key], reterr);
        if (code)
            return code;
    }
    return EC_OK;
}

enum ec_code ec_router_parse(const char *text, const struct ec_topology *t, struct ec_router *ret,
                             struct ec_error *reterr)
{
    unsigned values[KEY_COUNT] = {
        [KEY_VCS] = ring_can_deadlock(t) ? 2 : 1,
        [KEY_DEPTH] = 4,
        [KEY_SWITCHING] = EC_WORMHOLE,
        [KEY_ORDER] = EC_ORDER_LOW,
        [KEY_PORTS] = EC_PORTS_ONE,
    };
    bool given[KEY_COUNT] = {false};

    enum ec_code code = parse_options(text ? text : "", values, given, reterr);
    if (code)
        return code;
    if (!given[KEY_DATELINE])
        values[KEY_DATELINE] = wraps(t) && values[KEY_VCS] >= 2;
    if (values[KEY_DATELINE] && !wraps(t)) {
        char name[160];
        ec_topology_format(t, name, sizeof name);
        return ec_fail(reterr, EC_USAGE,
                       "router option 'dateline=on': no dimension of %s wraps; leave it out", name);
    }
    if (values[KEY_DATELINE] && values[KEY_VCS] % 2)
        return ec_fail(reterr, EC_USAGE,
                       "router option 'dateline=on' takes two classes of virtual channels, but "
                       "vcs=%u; use vcs=2 or vcs=4, or dateline=off",
                       values[KEY_VCS]);
    *ret = (struct ec_router){
        .vcs = values[KEY_VCS],
        .depth = values[KEY_DEPTH],
        .switching = (enum ec_switching)values[KEY_SWITCHING],
        .order = (enum ec_order)values[KEY_ORDER],
        .ports = (enum ec_ports)values[KEY_PORTS],
        .dateline = values[KEY_DATELINE],
        .packet = 0,
    };
    return EC_OK;
}

enum ec_code ec_router_set_packet(struct ec_router *r, uint32_t packet, uint32_t longest,
                                  struct ec_error *reterr)
{
    uint32_t full_rate = longest; /* the largest bound that keeps it at this depth */

    if (r->switching == EC_CUT_THROUGH)
        full_rate = r->depth - 1;
    else if (r->switching == EC_STORE_AND_FORWARD)
        full_rate = r->depth / 2;

    if (packet == 0) {
        packet = full_rate < longest ? full_rate : longest;
        packet = packet ? packet : 1;
    }
    if (r->switching != EC_WORMHOLE && packet > r->depth)
        return ec_fail(
            reterr, EC_USAGE,
            "a packet of %u words does not fit a buffer of %u, but %s switching keeps "
            "whole packets; choose a packet of at most %u words or a depth of at least %u",
            packet, r->depth, switching_names[r->switching], r->depth, packet);
    r->packet = packet;
    return EC_OK;
}

void ec_router_format(const struct ec_router *r, char *buffer, size_t size)
{
    snprintf(buffer, size, "vcs=%u,depth=%u,switching=%s,order=%s,ports=%s,dateline=%s,packet=%u",
             r->vcs, r->depth, switching_names[r->switching], order_names[r->order],
             ports_names[r->ports], dateline_names[r->dateline], r->packet);
}
