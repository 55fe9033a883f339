/* SPDX-License-Identifier: Apache-2.0 */
/* Two networks as one. Knows the data of watchers; must not know nodes, packets or workloads.
 *
 * What side A shows is kept in rows, one per router, and compared with what side B shows. A router
 * that is not shown has no inputs and no outputs, so a sleeping router costs nothing here either.
 */
#include "diagnose/pair.h"

#include "shape/tile_io.h"

/* --- Rows ----------------------------------------------------------------------------------- */

/* Inputs and outputs of a router of side A: masks of valid ports, masks per VC, words in, words
 * out, want. */
enum { IN_VALID, OUT_VALID, VALID_MASKS, VC_MASKS = 4 };

static size_t row_size(const struct pair *p)
{
    return VALID_MASKS + (size_t)VC_MASKS * p->vcs + (size_t)2 * p->ports +
           ((size_t)p->ports * p->vcs + 7) / 8;
}

static struct ec_net_seen view_row(const struct pair *p, const uint64_t *row)
{
    const uint64_t *const masks = row + VALID_MASKS;
    const uint64_t *const words = masks + (size_t)VC_MASKS * p->vcs;
    return (struct ec_net_seen){.in_valid = row[IN_VALID],
                                .out_valid = row[OUT_VALID],
                                .in_credit = masks,
                                .out_credit = masks + p->vcs,
                                .contended = masks + (size_t)2 * p->vcs,
                                .starved = masks + (size_t)3 * p->vcs,
                                .in_word = words,
                                .out_word = words + p->ports,
                                .want = (const uint8_t *)(words + (size_t)2 * p->ports)};
}

static void copy_valid(uint64_t *to, const uint64_t *from, uint64_t valid)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        to[port] = from[port];
    }
}

static void fill_row(const struct pair *p, uint64_t *row, const struct ec_net_seen *seen)
{
    uint64_t *const masks = row + VALID_MASKS, *const words = masks + (size_t)VC_MASKS * p->vcs;
    uint8_t *const want = (uint8_t *)(words + (size_t)2 * p->ports);
    row[IN_VALID] = seen->in_valid;
    row[OUT_VALID] = seen->out_valid;
    copy_valid(words, seen->in_word, seen->in_valid);
    copy_valid(words + p->ports, seen->out_word, seen->out_valid);
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        masks[vc] = seen->in_credit[vc];
        masks[p->vcs + vc] = seen->out_credit[vc];
        masks[2 * p->vcs + vc] = seen->contended[vc];
        masks[3 * p->vcs + vc] = seen->starved[vc];
        for (uint64_t left = seen->contended[vc] | seen->starved[vc]; left; left &= left - 1) {
            const size_t at = (size_t)__builtin_ctzll(left) * p->vcs + vc;
            want[at] = seen->want[at];
        }
    }
}

/* Is there nothing to compare? */
static bool is_idle(const struct pair *p, const struct ec_net_seen *seen)
{
    uint64_t any = seen->in_valid | seen->out_valid;
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        any |= seen->in_credit[vc] | seen->out_credit[vc];
        if (p->taps)
            any |= seen->contended[vc] | seen->starved[vc];
    }
    return any == 0;
}

/* --- The first difference ----------------------------------------------------------------- */

/* Earlier cycles first; then words, credits, taps; then the lower router, VC and port. */
static bool comes_first(const struct pair_difference *x, const struct pair_difference *y)
{
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle;
    if (x->field != y->field)
        return x->field < y->field;
    if (x->node != y->node)
        return x->node < y->node;
    return x->vc != y->vc ? x->vc < y->vc : x->port < y->port;
}

static void note_difference(struct pair *p, struct pair_difference d)
{
    d.found = true;
    if (!p->first.found || comes_first(&d, &p->first))
        p->first = d;
}

static void compare_words(struct pair *p, struct pair_difference d, const uint64_t *a,
                          const uint64_t *b, uint64_t valid_a, uint64_t valid_b)
{
    for (uint64_t left = valid_a | valid_b; left; left &= left - 1) {
        d.port = (unsigned)__builtin_ctzll(left);
        d.a = valid_a >> d.port & 1 ? a[d.port] : 0;
        d.b = valid_b >> d.port & 1 ? b[d.port] : 0;
        if (d.a != d.b)
            note_difference(p, d);
    }
}

static void compare_bits(struct pair *p, struct pair_difference d, const uint64_t *a,
                         const uint64_t *b)
{
    for (d.vc = 0; d.vc < p->vcs; d.vc++) {
        for (uint64_t left = a[d.vc] ^ b[d.vc]; left; left &= left - 1) {
            d.port = (unsigned)__builtin_ctzll(left);
            d.a = a[d.vc] >> d.port & 1;
            d.b = b[d.vc] >> d.port & 1;
            note_difference(p, d);
        }
    }
}

static void compare_want(struct pair *p, uint64_t cycle, uint32_t node, const struct ec_net_seen *a,
                         const struct ec_net_seen *b)
{
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        const uint64_t both =
            (a->contended[vc] | a->starved[vc]) & (b->contended[vc] | b->starved[vc]);
        for (uint64_t left = both; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * p->vcs + vc;
            if (a->want[at] != b->want[at])
                note_difference(p, (struct pair_difference){.cycle = cycle,
                                                            .node = node,
                                                            .port = port,
                                                            .vc = vc,
                                                            .field = EC_COMPARED_WANT,
                                                            .a = a->want[at],
                                                            .b = b->want[at]});
        }
    }
}

static uint64_t differing_words(const uint64_t *a, const uint64_t *b, uint64_t valid)
{
    uint64_t differ = 0;
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        differ |= a[port] ^ b[port];
    }
    return differ;
}

/* The usual case: all but `want` is the same. */
static bool is_same(const struct pair *p, const struct ec_net_seen *a, const struct ec_net_seen *b)
{
    uint64_t differ = (a->in_valid ^ b->in_valid) | (a->out_valid ^ b->out_valid);
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        differ |= (a->in_credit[vc] ^ b->in_credit[vc]) | (a->out_credit[vc] ^ b->out_credit[vc]);
        if (p->taps)
            differ |= (a->contended[vc] ^ b->contended[vc]) | (a->starved[vc] ^ b->starved[vc]);
    }
    return differ == 0 && differing_words(a->in_word, b->in_word, a->in_valid) == 0 &&
           differing_words(a->out_word, b->out_word, a->out_valid) == 0;
}

/* Inputs belong to this cycle, outputs to the next one. */
static void compare_channels(struct pair *p, struct pair_difference d, const struct ec_net_seen *a,
                             const struct ec_net_seen *b)
{
    d.field = EC_COMPARED_IN_WORD;
    compare_words(p, d, a->in_word, b->in_word, a->in_valid, b->in_valid);
    d.field = EC_COMPARED_IN_CREDIT;
    compare_bits(p, d, a->in_credit, b->in_credit);
    d.cycle++;
    d.field = EC_COMPARED_OUT_WORD;
    compare_words(p, d, a->out_word, b->out_word, a->out_valid, b->out_valid);
    d.field = EC_COMPARED_OUT_CREDIT;
    compare_bits(p, d, a->out_credit, b->out_credit);
    if (!p->taps)
        return;
    d.field = EC_COMPARED_CONTENDED;
    compare_bits(p, d, a->contended, b->contended);
    d.field = EC_COMPARED_STARVED;
    compare_bits(p, d, a->starved, b->starved);
}

static void compare_router(struct pair *p, uint64_t cycle, uint32_t node,
                           const struct ec_net_seen *a, const struct ec_net_seen *b)
{
    if (!is_same(p, a, b))
        compare_channels(p, (struct pair_difference){.cycle = cycle, .node = node}, a, b);
    if (p->taps)
        compare_want(p, cycle + 1, node, a, b);
}

/* A router that a side has not shown. */
static const uint64_t zeros[EC_TILE_PORTS_MAX];
static const struct ec_net_seen nothing = {.in_word = zeros,
                                           .in_credit = zeros,
                                           .out_word = zeros,
                                           .out_credit = zeros,
                                           .contended = zeros,
                                           .starved = zeros,
                                           .want = (const uint8_t *)zeros};

/* --- Watching ------------------------------------------------------------------------------ */

static void keep_row_of_a(void *context, const struct ec_net_seen *seen)
{
    struct pair *p = context;
    if (is_idle(p, seen))
        return;
    fill_row(p, p->rows + seen->node * p->stride, seen);
    p->shown[0][seen->node] = seen->cycle;
    p->active++;
}

static void compare_row_of_b(void *context, const struct ec_net_seen *seen)
{
    struct pair *p = context;
    const bool both = p->shown[0][seen->node] == seen->cycle;
    if (!both && is_idle(p, seen))
        return;
    const struct ec_net_seen a = both ? view_row(p, p->rows + seen->node * p->stride) : nothing;
    p->shown[1][seen->node] = seen->cycle;
    p->matched += both;
    compare_router(p, seen->cycle, seen->node, &a, seen);
}

/* Routers that only side A has shown. */
static void find_unmatched(struct pair *p)
{
    const uint64_t cycle = p->net.cycle;
    for (uint32_t node = 0; node < p->net.topology->routers; node++) {
        const struct ec_net_seen a = view_row(p, p->rows + node * p->stride);
        if (p->shown[0][node] == cycle && p->shown[1][node] != cycle)
            compare_router(p, cycle, node, &a, &nothing);
    }
}

/* --- The interface of a net ---------------------------------------------------------------- */

static struct pair *pair_of(struct ec_net *net)
{
    return (struct pair *)net;
}

unsigned pair_rtl_side(const struct pair *p)
{
    const struct ec_net_rtl *a = p->side[0]->rtl, *b = p->side[1]->rtl;
    const bool said_a = a && a->count, said_b = b && b->count;
    if (said_a && said_b)
        return b->cycle < a->cycle;
    return said_a ? 0 : said_b ? 1 : 2;
}

/* Either side may end the simulation. */
static void update_rtl(struct pair *p)
{
    const unsigned first = pair_rtl_side(p);
    if (first > 1)
        return;
    const struct ec_net_rtl *other = p->side[1 - first]->rtl;
    p->rtl = *p->side[first]->rtl;
    p->rtl.ended |= other && other->ended;
    p->rtl.broken |= other && other->broken;
}

static void pair_step(struct ec_net *net, const struct ec_port_events *in,
                      struct ec_port_events *out)
{
    struct pair *p = pair_of(net);
    struct ec_net *a = p->side[0], *b = p->side[1];
    a->cycle = b->cycle = p->net.cycle; /* idle cycles may have been skipped */
    p->active = p->matched = 0;
    a->ops->step(a, in, out);
    b->ops->step(b, in, &p->out_b);
    p->net.cycle = a->cycle;
    p->net.moved = a->moved;
    p->net.in_flight = a->in_flight;
    p->net.memory_short = a->memory_short || b->memory_short;
    update_rtl(p);
    if (!p->comparing)
        return;
    p->compared += p->active;
    if (p->active != p->matched)
        find_unmatched(p);
    if (p->first.found)
        p->fault.found = true;
}

static void pair_reset(struct ec_net *net)
{
    struct pair *p = pair_of(net);
    const size_t bytes = p->net.topology->routers * sizeof **p->shown;
    for (unsigned k = 0; k < 2; k++) {
        memset(p->shown[k], 0, bytes);
        p->side[k]->numbered = p->net.numbered;
        p->side[k]->ops->reset(p->side[k]);
    }
    p->first = (struct pair_difference){0};
    p->fault = (struct ec_net_fault){0};
    p->rtl = (struct ec_net_rtl){0};
    p->compared = 0;
    p->net.cycle = p->net.moved = p->net.in_flight = 0;
    p->net.memory_short = false;
    update_rtl(p);
}

static void pair_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct ec_net *a = pair_of(net)->side[0];
    a->ops->counters(a, ret);
}

/* A replay (not `comparing`) continues beyond a difference, even if side B breaks a rule then. */
static const struct ec_net_fault *pair_fault(const struct ec_net *net)
{
    const struct pair *p = (const struct pair *)net;
    for (unsigned k = 0; p->comparing && !p->fault.found && k < 2; k++) {
        const struct ec_net_fault *fault = p->side[k]->ops->fault(p->side[k]);
        if (fault->found)
            return fault;
    }
    return &p->fault;
}

bool pair_net_drained(const struct pair *p, struct ec_net_fault *ret_fault)
{
    return p->side[0]->ops->drained(p->side[0], ret_fault) &&
           p->side[1]->ops->drained(p->side[1], ret_fault);
}

static bool pair_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    return pair_net_drained((const struct pair *)net, ret_fault);
}

/* See pair_look(). */
static void pair_watch(struct ec_net *net, const struct ec_net_watch *watch)
{
    (void)net;
    (void)watch;
}

static void pair_unwatch(struct pair *p)
{
    for (unsigned k = 0; k < 2; k++) {
        if (p->side[k])
            p->side[k]->ops->watch(p->side[k], NULL);
    }
}

void pair_look(struct pair *p, const struct ec_net_watch *a, const struct ec_net_watch *b)
{
    p->comparing = false;
    p->side[0]->ops->watch(p->side[0], a);
    p->side[1]->ops->watch(p->side[1], b);
}

static const struct ec_net_ops pair_ops = {.name = "pair",
                                           .reset = pair_reset,
                                           .step = pair_step,
                                           .counters = pair_counters,
                                           .fault = pair_fault,
                                           .drained = pair_drained,
                                           .watch = pair_watch};

static bool allocate_rows(struct pair *p)
{
    const size_t nodes = p->net.topology->routers, row = p->stride;
    const size_t locals =
        p->net.topology->nodes * (size_t)ec_router_locals(p->net.router, p->net.topology);
    struct ec_arrays *const all = &p->arrays;
    EC_ARRAY(all, p->rows, nodes * row); /* at most 2^16 nodes times some hundred words */
    EC_ARRAY(all, p->shown[0], nodes);
    EC_ARRAY(all, p->shown[1], nodes);
    EC_ARRAY(all, p->out_b.words, locals);
    EC_ARRAY(all, p->out_b.credits, locals * p->vcs);
    return !all->memory_short;
}

enum ec_code pair_open(struct pair *p, struct ec_net *a, struct ec_net *b, struct ec_error *reterr)
{
    struct ec_tile_shape seen;
    const struct ec_topology *t = a->topology;
    for (unsigned k = 0; k < 2; k++) {
        const struct ec_net *side = k ? b : a;
        if (!side->ops->watch)
            return ec_fail(reterr, EC_USAGE, "cannot compare backend %s: it cannot be watched",
                           side->ops->name);
    }
    if (b->topology->nodes != t->nodes || b->router->vcs != a->router->vcs ||
        b->router->ports != a->router->ports)
        return ec_fail(reterr, EC_USAGE,
                       "cannot compare networks of different topologies or routers");
    const enum ec_code code = ec_shape_choose(t, a->router, &seen, reterr);
    if (code != EC_OK)
        return code;
    *p = (struct pair){
        .net = {.ops = &pair_ops, .topology = t, .router = a->router, .has_taps = a->has_taps},
        .side = {a, b},
        .vcs = seen.vcs,
        .taps = a->has_taps && b->has_taps,
        .comparing = true,
        .watch = {{.router = keep_row_of_a, .context = p},
                  {.router = compare_row_of_b, .context = p}},
    };
    p->net.rtl = &p->rtl;
    p->ports = ec_tile_shape_links(&seen) + seen.locals;
    p->stride = row_size(p);
    if (!allocate_rows(p)) {
        pair_close(p);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a comparison of %u routers", t->nodes);
    }
    for (unsigned k = 0; k < 2; k++)
        p->side[k]->ops->watch(p->side[k], &p->watch[k]);
    return EC_OK;
}

void pair_close(struct pair *p)
{
    pair_unwatch(p);
    ec_arrays_free(&p->arrays);
    *p = (struct pair){0};
}
