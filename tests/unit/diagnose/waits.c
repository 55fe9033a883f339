/* SPDX-License-Identifier: Apache-2.0 */
#include "waits.h"

#include <string.h>

#include "network/names.h"
#include "unit.h"

struct account account;

/* --- What a buffer waits for, by definition --------------------------------------------------- */

enum { NEXT = 64 };

struct due {
    size_t next[NEXT];
    size_t count;
    bool open;
    char text[4000];
};

static unsigned need_of(uint64_t word)
{
    return ec_word_head(word) ? account.need : 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct due *d, const char *format, ...)
{
    const size_t used = strlen(d->text);
    va_list args;
    va_start(args, format);
    vsnprintf(d->text + used, sizeof d->text - used, format, args);
    va_end(args);
}

static const char *port_text(unsigned port)
{
    static char text[4][EC_NAME_SIZE];
    static unsigned last;
    last = (last + 1) % 4;
    ec_port_name(account.t, account.shadow->locals, port, text[last], sizeof text[last]);
    return text[last];
}

static void begin(struct due *d, size_t b)
{
    char router[64];
    *d = (struct due){0};
    ec_topology_node_name(account.t, (uint32_t)(b / account.shadow->vcs / account.shadow->ports),
                          router, sizeof router);
    add(d, "router %s, input %s VC %u: ", router,
        port_text((unsigned)(b / account.shadow->vcs % account.shadow->ports)),
        (unsigned)(b % account.shadow->vcs));
}

/* The credits of a local port come from the node. */
static void wait_at_node(struct due *d, uint32_t node, unsigned local, unsigned vc)
{
    const struct waiting_refusal *refusal = &account.refusal[node];
    if (!account.asks || !account.refuses[node][local][vc]) {
        add(d, ", whose node returns no credit");
        d->open = true;
        return;
    }
    add(d, ", whose node has no room: it holds %u request%s, and ", refusal->held,
        refusal->held == 1 ? "" : "s");
    bool any = false;
    for (unsigned k = 0; k < account.shadow->locals * account.shadow->vcs; k++) {
        const unsigned port = account.shadow->links + k / account.shadow->vcs;
        if (!(refusal->replies[k / account.shadow->vcs] >> k % account.shadow->vcs & 1))
            continue;
        add(d, "%s input %s VC %u", any ? " or" : "its replies wait for", port_text(port),
            k % account.shadow->vcs);
        d->next[d->count++] = shadow_at(account.shadow, node, port, k % account.shadow->vcs);
        any = true;
    }
    if (!any) {
        add(d, "no reply waits for the network");
        d->open = true;
    }
}

/* Is this VC of the wanted output closed to the front word of a buffer? */
static bool is_closed(size_t b, unsigned vc, struct due *d, bool first)
{
    const uint32_t node = (uint32_t)(b / account.shadow->vcs / account.shadow->ports);
    const unsigned port = account.ask[b].port,
                   own = (unsigned)(b % (account.shadow->ports * account.shadow->vcs));
    const struct rules_output *out = &account.out[shadow_at(account.shadow, node, port, vc)];
    if (out->holder != RULES_NOBODY && out->holder != own) {
        add(d, "%s VC %u, held by the packet from input %s VC %u", first ? "" : " or", vc,
            port_text(out->holder / account.shadow->vcs), out->holder % account.shadow->vcs);
        d->next[d->count++] =
            (size_t)node * account.shadow->ports * account.shadow->vcs + out->holder;
        return true;
    }
    if (account.r->depth >= out->sent + need_of(account.ask[b].word))
        return false;
    if (port >= account.shadow->links) {
        add(d, "%s VC %u", first ? "" : " or", vc);
        wait_at_node(d, node, port - account.shadow->links, vc);
        return true;
    }
    const uint32_t to = ec_topology_neighbor(account.t, node, port);
    const size_t behind = shadow_at(account.shadow, to, ec_topology_reverse(account.t, port), vc);
    if (account.shadow->buffers[behind].count < out->sent)
        return false; /* a credit is under way */
    char router[64];
    ec_topology_node_name(account.t, to, router, sizeof router);
    add(d, "%s VC %u, whose buffer in router %s is full", first ? "" : " or", vc, router);
    d->next[d->count++] = behind;
    return true;
}

static bool are_closed(size_t b, unsigned vcs, struct due *d)
{
    bool first = true;
    begin(d, b);
    add(d, "packet %.70s wants output %s", account.name(account.context, account.ask[b].word).text,
        port_text(account.ask[b].port));
    for (unsigned vc = 0; vc < account.shadow->vcs; vc++) {
        if (!(vcs >> vc & 1))
            continue;
        if (!is_closed(b, vc, d, first))
            return false;
        first = false;
    }
    return true;
}

static unsigned of_other_class(unsigned vcs)
{
    unsigned ret = 0;
    for (unsigned vc = 0; vc < 8; vc++)
        ret |= (vcs >> vc & 1) << (vc % 2 ? vc - 1 : vc + 1);
    return ret;
}

static void wait_of(size_t b, bool foreign, struct due *d)
{
    const struct rules_ask *ask = &account.ask[b];
    const uint32_t node = (uint32_t)(b / account.shadow->vcs / account.shadow->ports);
    const unsigned in = (unsigned)(b / account.shadow->vcs % account.shadow->ports);
    const bool parted = ec_word_head(ask->word) && !ask->complete;
    if (ask->word == 0 || (account.r->switching == EC_STORE_AND_FORWARD && parted)) {
        begin(d, b);
        add(d, "waits for the rest of its packet");
        const uint32_t up =
            in < account.shadow->links ? ec_topology_neighbor(account.t, node, in) : EC_NONE;
        d->open = true;
        if (up == EC_NONE)
            return;
        const uint32_t holder =
            account
                .out[shadow_at(account.shadow, up, ec_topology_reverse(account.t, in),
                               (unsigned)(b % account.shadow->vcs))]
                .holder;
        if (holder == RULES_NOBODY)
            return;
        d->open = false;
        d->next[d->count++] = (size_t)up * account.shadow->ports * account.shadow->vcs + holder;
        return;
    }
    if (ask->port == account.shadow->ports) {
        begin(d, b);
        add(d, "word %.70s names no node", account.name(account.context, ask->word).text);
        d->open = true;
        return;
    }
    if (are_closed(b, ask->vcs, d))
        return;
    if (account.cycle > account.moved_at + account.still_after && account.r->dateline &&
        ask->port < account.shadow->links && are_closed(b, of_other_class(ask->vcs), d)) {
        add(d,
            foreign ? " (VC %u is free, but perhaps not the link)"
                    : " (the dateline rule says VC %u)",
            ask->vc);
        return;
    }
    const struct rules_output *out =
        &account.out[shadow_at(account.shadow, node, ask->port, ask->vc)];
    begin(d, b);
    d->open = true;
    add(d, "packet %.70s could leave and does not, by output %s VC %u with %u of %u credits free",
        account.name(account.context, ask->word).text, port_text(ask->port), ask->vc,
        account.r->depth - out->sent, account.r->depth);
    const bool asleep = account.cycle > account.shown_at[node] + account.still_after;
    if (out->credit_at && !asleep)
        add(d, ", the last one came back in cycle %llu", (unsigned long long)out->credit_at);
    if (asleep)
        add(d, "; the router sleeps since cycle %llu: quiet_o is wrong",
            (unsigned long long)account.shown_at[node] + 1);
}

/* --- Knots, by definition --------------------------------------------------------------------- */

static struct due due[WAITS_BUFFERS];
static bool reaches[WAITS_BUFFERS][WAITS_BUFFERS]; /* by waits, in any number of steps, also none */
static size_t order[WAITS_BUFFERS], ordered; /* as a search from the first buffer on meets them */
static bool met[WAITS_BUFFERS];

static void meet(size_t b)
{
    if (met[b])
        return;
    met[b] = true;
    order[ordered++] = b;
    for (size_t i = 0; i < due[b].count; i++)
        meet(due[b].next[i]);
}

void waits_find(bool foreign)
{
    const size_t count = account.shadow->count;
    memset(reaches, 0, sizeof reaches);
    memset(met, 0, sizeof met);
    ordered = 0;
    for (size_t b = 0; b < count; b++)
        wait_of(b, foreign, &due[b]);
    for (size_t b = 0; b < count; b++) {
        size_t list[WAITS_BUFFERS], listed = 1;
        list[0] = b;
        reaches[b][b] = true;
        for (size_t k = 0; k < listed; k++) {
            for (size_t i = 0; i < due[list[k]].count; i++) {
                const size_t to = due[list[k]].next[i];
                if (!reaches[b][to])
                    list[listed++] = to;
                reaches[b][to] = true;
            }
        }
    }
    for (size_t b = 0; b < count; b++) {
        if (account.shadow->buffers[b].count > 0)
            meet(b);
    }
}

/* From here, can something still move? */
static bool may_move(size_t b)
{
    for (size_t k = 0; k < account.shadow->count; k++) {
        if (reaches[b][k] && due[k].open)
            return true;
    }
    return false;
}

/* Is it in a knot: everything that it waits for waits for it, and nothing may move? */
bool waits_in_knot(size_t b)
{
    for (size_t k = 0; k < account.shadow->count; k++) {
        if (reaches[b][k] && !reaches[k][b])
            return false;
    }
    return !may_move(b);
}

static bool reaches_knot(size_t b)
{
    for (size_t k = 0; k < account.shadow->count; k++) {
        if (reaches[b][k] && waits_in_knot(k))
            return true;
    }
    return false;
}

/* The first buffer with words whose waits lead to a knot; SIZE_MAX: none do. */
size_t waits_start(void)
{
    for (size_t b = 0; b < account.shadow->count; b++) {
        if (account.shadow->buffers[b].count > 0 && reaches_knot(b))
            return b;
    }
    return SIZE_MAX;
}

/* --- Comparison ------------------------------------------------------------------------------- */

static void assert_text(const char *is, const char *should)
{
    char cut[700]; /* a line has no room for more */
    snprintf(cut, sizeof cut, "%s", should);
    assert_string_equal(is, cut);
}

/* The routers of these buffers, each once, in this order. */
static void assert_nodes(const struct ec_node_set *nodes, const size_t *buffers, size_t count)
{
    struct ec_node_set should = {0};
    for (size_t i = 0; i < count; i++)
        assert_true(ec_node_set_add(
            &should, (uint32_t)(buffers[i] / account.shadow->vcs / account.shadow->ports)));
    assert_int_equal(nodes->count, should.count);
    for (size_t i = 0; i < should.count; i++)
        assert_int_equal(nodes->nodes[i], should.nodes[i]);
    ec_node_set_free(&should);
}

void waits_assert_knot(const struct waiting_found *w, const struct ec_node_set *nodes)
{
    const size_t start = waits_start();
    size_t buffers[WAITS_BUFFERS] = {0}, members = 0;
    bool several = false;
    assert_between(w->count, 1, account.shadow->count);
    for (size_t i = 0; i < w->count; i++) {
        const struct ec_waiting_input *in = &w->inputs[i];
        const size_t b = buffers[i] = shadow_at(account.shadow, in->node, in->port, in->vc);
        assert_true(waits_in_knot(b) && reaches[start][b] && reaches[buffers[0]][b]);
        assert_int_equal(in->wants, account.ask[b].port);
        assert_text(w->lines[i], due[b].text);
        several |= due[b].count > 1;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(buffers[k], b);
    }
    for (size_t b = 0; b < account.shadow->count; b++)
        members += reaches[buffers[0]][b];
    assert_int_equal(w->count, members);
    assert_int_equal(w->knot, several);
    for (size_t i = 0; !several && i < w->count; i++)
        assert_int_equal(due[buffers[i]].next[0], buffers[(i + 1) % w->count]);
    assert_null(w->culprit);
    if (nodes)
        assert_nodes(nodes, buffers, w->count);
}

void waits_assert_no_knot(const struct waiting_found *w, const struct ec_node_set *nodes)
{
    size_t k = 0;
    while (k < ordered && !due[order[k]].open)
        k++;
    assert_int_equal(w->count, 0);
    assert_int_equal(w->culprit != NULL, k < ordered);
    if (k < ordered)
        assert_text(w->culprit, due[order[k]].text);
    assert_nodes(nodes, &order[k], k < ordered);
}
