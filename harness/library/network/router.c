/* SPDX-License-Identifier: Apache-2.0 */
/* Router options: keys, defaults and limits. Knows which options make sense on which topology; must
 * not know which of them have compiled RTL. */
#include "ecube/router.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/keyvalue.h"

/* The words of each enum, in its order. */
static const char *const switching_names[] = {"wormhole", "cut-through", "store-and-forward", NULL};
static const char *const order_names[] = {"low", "high", "class", NULL};
static const char *const va_names[] = {"static", "dynamic", NULL};
static const char *const ports_names[] = {"one", "all", NULL};
static const char *const routing_names[] = {"dor",      "minimal", "any", "table",
                                            "adaptive", "valiant", NULL};
static const char *const ordered_names[] = {"no", "yes", NULL};
static const char *const ties_names[] = {"up", "balanced", NULL};
static const char *const speedup_names[] = {"vcs", "1", NULL};
static const char *const dateline_names[] = {"off", "on", NULL};

/* The keys, in canonical order. */
enum {
    VCS,
    DEPTH,
    SWITCHING,
    ORDER,
    PORTS,
    DATELINE,
    VA,
    STAGES,
    LINK,
    CLASSES,
    ROUTING,
    TABLE,
    ORDERED,
    TIES,
    SPEEDUP,
    KEY_COUNT
};

static const struct ec_key keys[] = {
    [VCS] = {"vcs", EC_VALUE_NUMBER, 1, EC_VCS_MAX, .expected = "1, 2, 4 or 8"},
    [DEPTH] = {"depth", EC_VALUE_NUMBER, 1, EC_DEPTH_MAX},
    [SWITCHING] = {"switching", EC_VALUE_CHOICE, .choices = switching_names},
    [ORDER] = {"order", EC_VALUE_CHOICE, .choices = order_names},
    [PORTS] = {"ports", EC_VALUE_CHOICE, .choices = ports_names},
    [DATELINE] = {"dateline", EC_VALUE_CHOICE, .choices = dateline_names},
    [VA] = {"va", EC_VALUE_CHOICE, .choices = va_names},
    [STAGES] = {"stages", EC_VALUE_NUMBER, 1, EC_STAGES_MAX},
    [LINK] = {"link", EC_VALUE_NUMBER, 1, EC_LINK_MAX},
    [CLASSES] = {"classes", EC_VALUE_NUMBER, 1, 2},
    [ROUTING] = {"routing", EC_VALUE_CHOICE, .choices = routing_names},
    [TABLE] = {"table", EC_VALUE_TEXT, .expected = "the name of a file, table=NAME"},
    [ORDERED] = {"ordered", EC_VALUE_CHOICE, .choices = ordered_names},
    [TIES] = {"ties", EC_VALUE_CHOICE, .choices = ties_names},
    [SPEEDUP] = {"speedup", EC_VALUE_CHOICE, .choices = speedup_names},
};

static const struct ec_grammar grammar = {
    .what = "router", .keys = keys, .count = KEY_COUNT, .taken = (1U << KEY_COUNT) - 1};

/* Two classes of channels break the cycles of rings, and those of dragonflies. */
static bool wraps(const struct ec_topology *t)
{
    if (t->kind == EC_DRAGONFLY)
        return true;
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->wrap[d])
            return true;
    }
    return false;
}

/* With more than 3 nodes in a wrapped dimension, some paths take two links of it, so that packets
 * can wait for each other around the whole ring. */
static bool ring_can_deadlock(const struct ec_topology *t)
{
    if (t->kind == EC_DRAGONFLY)
        return true;
    for (unsigned d = 0; d < t->dims; d++) {
        if (t->wrap[d] && t->radix[d] > 3)
            return true;
    }
    return false;
}

/* Read the keys of `text`: values[] as written, numbers[KEY_COUNT] over the defaults. */
static enum ec_code read_options(const char *text, uint64_t *numbers, struct ec_slice *values,
                                 struct ec_error *reterr)
{
    enum ec_code code = EC_OK;

    if (text && *text)
        code = ec_keyvalue_split(&grammar, ec_slice_of(text), values, reterr);
    for (int k = 0; code == EC_OK && k < KEY_COUNT; k++) {
        if (values[k].at && k != TABLE)
            code = ec_keyvalue_read(&grammar, &keys[k], values[k], &numbers[k], reterr);
    }
    if (code == EC_OK && (numbers[VCS] & (numbers[VCS] - 1)) != 0)
        code = ec_keyvalue_refuse(&grammar, &keys[VCS], values[VCS], keys[VCS].expected, reterr);
    return code;
}

/* The smallest depth at which packets keep full rate (docs/TIMING.md), at least 4. */
static uint64_t default_depth(const uint64_t *numbers)
{
    const uint64_t link = numbers[LINK], stages = numbers[STAGES];
    if (numbers[SWITCHING] != EC_WORMHOLE)
        return 2 * link + stages + 1;
    return 2 * link + stages - 1 < 4 ? 4 : 2 * link + stages - 1;
}

static bool prescribes(const uint64_t *numbers)
{
    return numbers[ROUTING] == EC_ROUTING_DOR || numbers[ROUTING] == EC_ROUTING_TABLE ||
           numbers[ROUTING] == EC_ROUTING_VALIANT;
}

static bool adapts(const uint64_t *numbers)
{
    return numbers[ROUTING] == EC_ROUTING_ADAPTIVE;
}

/* Only rings of even length have ties, and in dimensions of radix 2 both ways are one link. */
static enum ec_code check_ties(const struct ec_topology *t, const uint64_t *numbers,
                               struct ec_error *reterr)
{
    bool even = false;
    for (unsigned d = 0; d < t->dims; d++)
        even = even || (t->wrap[d] && t->radix[d] % 2 == 0);
    if (numbers[TIES] == EC_TIES_UP || (even && (prescribes(numbers) || adapts(numbers))))
        return EC_OK;
    return even ? ec_fail(reterr, EC_USAGE,
                          "router: ties=balanced prescribes paths, and routing=%s does not: leave "
                          "one of them out",
                          routing_names[numbers[ROUTING]])
                : ec_fail(reterr, EC_USAGE,
                          "router: ties=balanced: expected a ring of 4 or more nodes, an even "
                          "number, in some dimension: leave it out");
}

static bool draws(const uint64_t *numbers)
{
    return numbers[ORDER] == EC_ORDER_CLASS || numbers[ROUTING] == EC_ROUTING_VALIANT;
}

/* The message class of a packet is its order, or that of a leg of its path, so that both need VCs,
 * and on rings datelines. */
static enum ec_code check_draws(const struct ec_topology *t, const uint64_t *numbers,
                                const struct ec_slice *values, struct ec_error *reterr)
{
    const bool rings = ring_can_deadlock(t), legs = numbers[ROUTING] == EC_ROUTING_VALIANT;
    const char *const name = legs ? "routing=valiant" : "order=class";
    const unsigned least = numbers[DATELINE] || rings ? 4 : 2;
    if (!draws(numbers))
        return EC_OK;
    if (numbers[ORDER] == EC_ORDER_CLASS && numbers[ROUTING] != EC_ROUTING_DOR)
        return ec_fail(reterr, EC_USAGE, "router: order=class: expected routing=dor with it");
    if (legs && numbers[PORTS] != EC_PORTS_ONE)
        return ec_fail(reterr, EC_USAGE, "router: routing=valiant: leave out ports=all");
    if (legs && 2 * t->address_bits > EC_WORD_ADDRESS_BITS_WIDE)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=valiant: words have %d bits for destination and node on "
                       "the way, %d each; this network needs %u",
                       EC_WORD_ADDRESS_BITS_WIDE, EC_WORD_ADDRESS_BITS_WIDE / 2, t->address_bits);
    if (numbers[VCS] < least || (values[CLASSES].at && numbers[CLASSES] != 2))
        return ec_fail(reterr, EC_USAGE,
                       "router: %s: each %s is a message class with VCs of its own: "
                       "expected vcs=%u or more%s, and no classes=1; got vcs=%u",
                       name, legs ? "leg" : "order", least, least == 4 ? " with datelines" : "",
                       (unsigned)numbers[VCS]);
    if (rings && !numbers[DATELINE])
        return ec_fail(reterr, EC_USAGE,
                       "router: %s: expected dateline=on, since rings of more than 3 nodes can "
                       "deadlock without",
                       name);
    return EC_OK;
}

/* Every message class has lanes of its own, one or with adaptive routing two, and with datelines a
 * lane is two channels. */
static enum ec_code check_lanes(const uint64_t *numbers, struct ec_error *reterr)
{
    const unsigned vcs = (unsigned)numbers[VCS];
    if (numbers[DATELINE] && vcs % 2)
        return ec_fail(reterr, EC_USAGE, "router: dateline=on: expected vcs=2, 4 or 8; got vcs=%u",
                       vcs);
    const unsigned least = (numbers[DATELINE] ? 2 : 1) * (unsigned)numbers[CLASSES];
    if (adapts(numbers) && vcs < 2 * (least ? least : numbers[DATELINE] + 1))
        return ec_fail(
            reterr, EC_USAGE,
            "router: routing=adaptive: expected vcs=%u or more%s%s: escape VCs, and as many "
            "adaptive ones; got vcs=%u",
            2 * (least ? least : (unsigned)numbers[DATELINE] + 1),
            numbers[DATELINE] ? " with datelines" : "",
            numbers[CLASSES] == 2 ? " and two message classes" : "", vcs);
    if (vcs < least)
        return ec_fail(reterr, EC_USAGE,
                       "router: classes=%u: two message classes need vcs=%u or more%s; got vcs=%u",
                       (unsigned)numbers[CLASSES], least,
                       numbers[DATELINE] ? " with datelines" : "", vcs);
    return EC_OK;
}

/* Packets on different lanes overtake each other. */
static enum ec_code check_ordered(const uint64_t *numbers, struct ec_error *reterr)
{
    const uint64_t classes = numbers[CLASSES] ? numbers[CLASSES] : 1;
    if (!numbers[ORDERED] || numbers[VCS] <= classes << numbers[DATELINE])
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "router: ordered=yes: packets on different VCs overtake each other: expected "
                   "a VC for each message class, got vcs=%u and classes=%u",
                   (unsigned)numbers[VCS], (unsigned)classes);
}

/* A table has no local port for each link, and one from a file no order. */
static enum ec_code check_table(const uint64_t *numbers, const struct ec_slice *values,
                                struct ec_error *reterr)
{
    if (values[TABLE].length >= EC_TABLE_NAME_SIZE)
        return ec_fail(reterr, EC_USAGE,
                       "router: table=%.40s...: the name is too long: expected at most %d "
                       "characters",
                       values[TABLE].at, EC_TABLE_NAME_SIZE - 1);
    if (numbers[PORTS] != EC_PORTS_ONE)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=table names a local port for each node: leave out "
                       "ports=all");
    if (values[TABLE].at && (values[ORDER].at || values[TIES].at))
        return ec_fail(reterr, EC_USAGE, "router: table=%.*s prescribes all paths: leave out %s",
                       EC_SHOWN(values[TABLE]), values[ORDER].at ? "order" : "ties");
    return check_ordered(numbers, reterr);
}

/* A head takes any VC that is open, and packets overtake each other. */
static enum ec_code check_adaptive(const uint64_t *numbers, const struct ec_slice *values,
                                   struct ec_error *reterr)
{
    if (numbers[VA] == EC_VA_STATIC)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=adaptive chooses VCs, too: leave out va=static");
    if (numbers[PORTS] != EC_PORTS_ONE)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=adaptive prescribes no last link: leave out ports=all");
    if (values[ORDERED].at)
        return ec_fail(reterr, EC_USAGE,
                       "router: ordered: packets of routing=adaptive overtake each other: leave it "
                       "out");
    return EC_OK;
}

/* Without a prescribed route the class of datelines and the local port of a packet are not known.
 */
static enum ec_code check_routing(const struct ec_topology *t, const uint64_t *numbers,
                                  const struct ec_slice *values, struct ec_error *reterr)
{
    const char *const name = routing_names[numbers[ROUTING]];
    if (t->graph && numbers[ROUTING] != EC_ROUTING_TABLE &&
        numbers[ROUTING] != EC_ROUTING_MINIMAL && numbers[ROUTING] != EC_ROUTING_ANY)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=%s: expected routing=table, the default, in a graph, or "
                       "minimal or any for a router of yours",
                       name);
    if (t->graph && numbers[ORDER] != EC_ORDER_LOW)
        return ec_fail(reterr, EC_USAGE, "router: order: a graph has no dimensions: leave it out");
    if (t->kind == EC_GRAPH && numbers[LINK] != t->graph->delay)
        return ec_fail(reterr, EC_USAGE,
                       "router: link: the file of the graph has the delays of its links: leave it "
                       "out");
    const bool chooses = !prescribes(numbers);
    if (values[TABLE].at && numbers[ROUTING] != EC_ROUTING_TABLE)
        return ec_fail(reterr, EC_USAGE, "router: table=%.*s: expected routing=table with it",
                       EC_SHOWN(values[TABLE]));
    if (!chooses && values[ORDERED].at && !values[TABLE].at)
        return ec_fail(reterr, EC_USAGE,
                       "router: ordered: expected routing=minimal, any or a table with sets; "
                       "with routing=%s order follows from the path: leave it out",
                       name);
    if (!chooses)
        return numbers[ROUTING] == EC_ROUTING_TABLE ? check_table(numbers, values, reterr) : EC_OK;
    if (adapts(numbers))
        return check_adaptive(numbers, values, reterr);
    if (numbers[DATELINE])
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=%s: expected dateline=off, since the classes of datelines "
                       "follow from prescribed paths",
                       name);
    if (numbers[PORTS] != EC_PORTS_ONE || values[ORDER].at)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=%s prescribes no first link: leave out %s", name,
                       values[ORDER].at ? "order" : "ports=all");
    return check_ordered(numbers, reterr);
}

enum ec_code ec_router_parse(const char *text, const struct ec_topology *t, struct ec_router *ret,
                             struct ec_error *reterr)
{
    uint64_t numbers[KEY_COUNT] = {[VCS] = ring_can_deadlock(t) ? 2 : 1,
                                   [SWITCHING] = EC_WORMHOLE,
                                   [ORDER] = EC_ORDER_LOW,
                                   [PORTS] = EC_PORTS_ONE,
                                   [VA] = EC_VA_STATIC,
                                   [ROUTING] = t->graph ? EC_ROUTING_TABLE : EC_ROUTING_DOR,
                                   [STAGES] = 1,
                                   [LINK] = t->graph ? t->graph->delay : 1};
    struct ec_slice values[KEY_COUNT] = {{0}};

    enum ec_code code = read_options(text, numbers, values, reterr);
    if (code)
        return code;
    if (!values[VCS].at && draws(numbers))
        numbers[VCS] *= 2;
    if (!values[DEPTH].at)
        numbers[DEPTH] = default_depth(numbers);
    if (!values[DATELINE].at)
        numbers[DATELINE] = adapts(numbers)
                                ? ring_can_deadlock(t)
                                : wraps(t) && numbers[VCS] >= (draws(numbers) ? 4 : 2) &&
                                      !values[TABLE].at && prescribes(numbers);
    if (adapts(numbers) && !values[VCS].at)
        numbers[VCS] = 2 * (numbers[DATELINE] + 1) * (numbers[CLASSES] ? numbers[CLASSES] : 1);
    if (adapts(numbers) && !values[VA].at)
        numbers[VA] = EC_VA_DYNAMIC;
    if (numbers[DATELINE] && !wraps(t) && !values[TABLE].at) {
        char name[160];
        ec_topology_format(t, name, sizeof name);
        return ec_fail(
            reterr, EC_USAGE,
            "router: dateline=on: expected a topology that wraps, a dragonfly or table=; no "
            "dimension of %s wraps: leave it out",
            name);
    }
    code = check_ties(t, numbers, reterr);
    if (code == EC_OK)
        code = check_draws(t, numbers, values, reterr);
    if (code == EC_OK && draws(numbers))
        numbers[CLASSES] = 2;
    if (code == EC_OK)
        code = check_lanes(numbers, reterr);
    if (code == EC_OK)
        code = check_routing(t, numbers, values, reterr);
    if (code)
        return code;
    *ret = (struct ec_router){
        .vcs = (unsigned)numbers[VCS],
        .depth = (unsigned)numbers[DEPTH],
        .switching = (enum ec_switching)numbers[SWITCHING],
        .order = (enum ec_order)numbers[ORDER],
        .ports = (enum ec_ports)numbers[PORTS],
        .dateline = numbers[DATELINE],
        .va = (enum ec_va)numbers[VA],
        .routing = (enum ec_routing)numbers[ROUTING],
        .ordered = numbers[ORDERED],
        .ties = (enum ec_ties)numbers[TIES],
        .stages = (unsigned)numbers[STAGES],
        .link = (unsigned)numbers[LINK],
        .classes = (unsigned)numbers[CLASSES],
        .speedup = (unsigned)numbers[SPEEDUP],
    };
    snprintf(ret->table_file, sizeof ret->table_file, "%.*s", (int)values[TABLE].length,
             values[TABLE].at ? values[TABLE].at : "");
    return EC_OK;
}

/* The largest packet that keeps full rate at this depth (docs/TIMING.md); 0: none does. */
static uint32_t full_rate_packet(const struct ec_router *r, uint32_t longest)
{
    const uint32_t loop = ec_router_loop(r) - 1; /* words sent until a credit is back */
    if (r->switching == EC_WORMHOLE)
        return longest;
    if (r->switching == EC_CUT_THROUGH)
        return r->depth > loop ? r->depth - loop : 0;
    return r->depth >= loop ? (r->depth - loop + 1) / 2 : 0;
}

static bool same_table(const struct ec_table *a, const struct ec_table *b)
{
    if (a == b || !a || !b)
        return a == b;
    const size_t entries = (size_t)a->routers * a->nodes;
    return a->routers == b->routers && a->nodes == b->nodes && a->ports == b->ports &&
           memcmp(a->port, b->port, entries) == 0 && !a->class_ == !b->class_ &&
           (!a->class_ || memcmp(a->class_, b->class_, entries) == 0) && !a->set == !b->set &&
           (!a->set || memcmp(a->set, b->set, 2 * entries * sizeof *a->set) == 0);
}

bool ec_router_same(const struct ec_router *a, const struct ec_router *b)
{
    return a->vcs == b->vcs && a->depth == b->depth && a->switching == b->switching &&
           a->order == b->order && a->ports == b->ports && a->dateline == b->dateline &&
           a->va == b->va && a->routing == b->routing && a->ordered == b->ordered &&
           strcmp(a->table_file, b->table_file) == 0 && same_table(a->table, b->table) &&
           a->ties == b->ties && a->stages == b->stages && a->link == b->link &&
           a->speedup == b->speedup && ec_router_classes(a) == ec_router_classes(b);
}

enum ec_code ec_router_set_packet(struct ec_router *r, uint32_t packet, uint32_t longest,
                                  struct ec_error *reterr)
{
    if (packet == 0) {
        const uint32_t full_rate = full_rate_packet(r, longest);
        packet = full_rate < longest ? full_rate : longest;
        packet = packet ? packet : 1;
    }
    if (r->switching != EC_WORMHOLE && packet > r->depth)
        return ec_fail(
            reterr, EC_USAGE,
            "a packet of %u words does not fit a buffer of %u words, and %s switching buffers "
            "whole packets: choose packets of at most %u words, or a depth of at least %u",
            packet, r->depth, switching_names[r->switching], r->depth, packet);
    r->packet = packet;
    return EC_OK;
}

enum ec_code ec_router_set_classes(struct ec_router *r, unsigned needed, struct ec_error *reterr)
{
    const unsigned lanes = ec_router_lanes(r);
    if (r->routing == EC_ROUTING_ADAPTIVE && lanes < 2 * needed)
        return ec_fail(reterr, EC_USAGE,
                       "requests and replies need escape and adaptive VCs each, but vcs=%u is "
                       "enough for one class: set vcs=%u in --router, or classes=1 in the workload "
                       "to let them share",
                       r->vcs, 2 * r->vcs);
    if (lanes < needed)
        return ec_fail(reterr, EC_USAGE,
                       "requests and replies need a lane each, but vcs=%u%s makes %u lane: set "
                       "vcs=%u in --router, or classes=1 in the workload to let them share",
                       r->vcs, r->dateline ? " with datelines" : "", lanes, 2 * r->vcs);
    if (r->classes == 0)
        r->classes = needed;
    if (r->classes < needed)
        return ec_fail(reterr, EC_USAGE,
                       "router: classes=%u: the workload has %u message classes: leave it out",
                       r->classes, needed);
    r->classes_needed = needed;
    return EC_OK;
}

void ec_router_format(const struct ec_router *r, char *buffer, size_t size)
{
    char more[128 + EC_TABLE_NAME_SIZE] = "", order[16] = "";
    if ((!ec_router_chooses(r) || r->routing == EC_ROUTING_ADAPTIVE) &&
        !*r->table_file) /* which have none: ec_router_parse() refuses it */
        snprintf(order, sizeof order, "order=%s,", order_names[r->order]);
    if (r->va != EC_VA_STATIC)
        ec_append(more, sizeof more, "va=%s,", va_names[r->va]);
    if (r->stages != 1)
        ec_append(more, sizeof more, "stages=%u,", r->stages);
    if (r->link != 1)
        ec_append(more, sizeof more, "link=%u,", r->link);
    if (r->classes > 1 && r->classes != r->classes_needed && !ec_router_draws(r))
        ec_append(more, sizeof more, "classes=%u,", r->classes);
    if (r->routing != EC_ROUTING_DOR)
        ec_append(more, sizeof more, "routing=%s,%s%s%s%s", routing_names[r->routing],
                  *r->table_file ? "table=" : "", r->table_file, *r->table_file ? "," : "",
                  r->ordered ? "ordered=yes," : "");
    if (r->ties != EC_TIES_UP)
        ec_append(more, sizeof more, "ties=%s,", ties_names[r->ties]);
    if (r->speedup)
        ec_append(more, sizeof more, "speedup=%u,", r->speedup);
    snprintf(buffer, size, "vcs=%u,depth=%u,switching=%s,%sports=%s,dateline=%s,%spacket=%u",
             r->vcs, r->depth, switching_names[r->switching], order, ports_names[r->ports],
             dateline_names[r->dateline], more, r->packet);
}
