/* SPDX-License-Identifier: Apache-2.0 */
/* What the callbacks of several parts see: written down in each part, called in the first one, in
 * the order of the whole network. The test is the exchange, so parts take turns in one thread. */
#include "run/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { PARTS = 3, VCS = 2, NODES_MOST = 128 };

/* --- An exchange without threads ------------------------------------------------------------- */

static struct {
    struct exchange_bytes all[PARTS];
    uint64_t folded[20]; /* what the first part said, which comes first */
    unsigned aborts;
    char why[EXCHANGE_WHY];
    bool reversed; /* bytes of later parts have lower addresses */
} hub;

static unsigned char places[PARTS][1 << 12];

struct part {
    struct exchange x; /* first: the interface */
    unsigned folds;
    struct seen s;
};

static bool swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold, size_t count)
{
    (void)x, (void)values, (void)fold, (void)count;
    return false;
}

static bool fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold how)
{
    struct part *const p = (struct part *)x;
    assert_int_equal(count, 1);
    assert_int_equal(how, EXCHANGE_OR);
    assert_between(p->folds, 0, COUNT(hub.folded) - 1);
    if (x->part == 0)
        hub.folded[p->folds] = *values;
    assert_true(x->part == 0 || *values == 0);
    *values = hub.folded[p->folds++];
    return true;
}

/* The bytes of the other parts are those of their last call. */
static bool gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                   const struct exchange_bytes **ret)
{
    struct exchange_bytes *const own = &hub.all[x->part];
    if (hub.reversed) {
        assert_between(size, 0, sizeof places[0]);
        own->data = places[PARTS - 1 - x->part];
    } else {
        free(own->data);
        own->data = malloc(size + 1);
    }
    own->size = own->room = size;
    assert_non_null(own->data);
    if (size > 0)
        memcpy(own->data, bytes, size);
    *ret = everyone || x->part == 0 ? hub.all : NULL;
    return true;
}

static void note_abort(struct exchange *x, enum ec_code code, const char *why)
{
    (void)x;
    assert_int_equal(code, EC_INTERNAL);
    hub.aborts++;
    snprintf(hub.why, sizeof hub.why, "%s", why);
}

static const struct exchange_end *end(const struct exchange *x)
{
    static const struct exchange_end none = {EC_OK, ""};
    (void)x;
    return &none;
}

static const struct exchange_ops ops = {swap, fold, gather, note_abort, end};

/* --- Memory ----------------------------------------------------------------------------------- */

/* The linker puts it in place of the library's own. */
static bool memory_fails;

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
    return memory_fails ? NULL : __real_realloc(p, size);
}

/* --- Callbacks -------------------------------------------------------------------------------- */

/* One line for each call. */
static char calls[4000];

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    const size_t used = strlen(calls);
    va_list args;
    va_start(args, format);
    vsnprintf(calls + used, sizeof calls - used, format, args);
    va_end(args);
}

static void on_delivery(void *context, const struct ec_delivery *d)
{
    assert_string_equal(context, "delivery");
    note("delivery %u>%u m%u %u\n", d->src, d->dst, (unsigned)d->message, (unsigned)d->delivered);
}

static void on_taken(void *context, const struct ec_message *m)
{
    assert_string_equal(context, "taken");
    note("taken %u>%u %u words\n", m->src, m->dst, m->words);
}

static void on_offer(void *context, const struct ec_offer *o)
{
    assert_string_equal(context, "offer");
    note("offer %u>%u vc%u\n", o->node, o->dst, o->vc);
}

static void on_text(void *context, uint64_t cycle, uint32_t node, const char *text)
{
    assert_string_equal(context, "text");
    note("text %u:%u %.20s+%u\n", (unsigned)cycle, node, text, (unsigned)strlen(text));
}

static void on_router(void *context, const struct ec_net_seen *s)
{
    assert_string_equal(context, "watch");
    note("router %u:%u in", (unsigned)s->cycle, s->node);
    for (unsigned port = 0; port < 64; port++) {
        if (s->in_valid >> port & 1)
            note(" %u=%x", port, (unsigned)s->in_word[port]);
        else
            assert_true(s->in_word[port] == 0);
    }
    note(" out");
    for (unsigned port = 0; port < 64; port++) {
        if (s->out_valid >> port & 1)
            note(" %u=%x", port, (unsigned)s->out_word[port]);
    }
    for (unsigned vc = 0; vc < VCS; vc++) {
        note(" | %llx %llx %llx %llx", (unsigned long long)s->in_credit[vc],
             (unsigned long long)s->out_credit[vc], (unsigned long long)s->contended[vc],
             (unsigned long long)s->starved[vc]);
        for (unsigned port = 0; port < 64; port++) {
            if ((s->contended[vc] | s->starved[vc]) >> port & 1)
                note(" w%u", s->want[port * VCS + vc]);
        }
    }
    note("\n");
}

static void on_cycle(void *context, uint64_t cycle)
{
    assert_string_equal(context, "watch");
    note("cycle %u\n", (unsigned)cycle);
}

static uint64_t bitmap[NODES_MOST / 64];
static uint32_t nodes = 126; /* of the network */
static struct ec_net_watch watch;
static struct seen_calls all_calls, no_calls;
static struct part parts[PARTS];
static uint64_t now;

/* `wanted`: the first part has callbacks. */
static void parts_open(bool wanted)
{
    static char names[][10] = {"delivery", "taken", "offer", "text", "watch"};
    memset(&hub, 0, sizeof hub);
    calls[0] = '\0';
    now = 0;
    watch = (struct ec_net_watch){.router = on_router, .cycle = on_cycle, .context = names[4]};
    all_calls = (struct seen_calls){.delivery = on_delivery,
                                    .taken = on_taken,
                                    .offer = on_offer,
                                    .text = on_text,
                                    .delivery_context = names[0],
                                    .taken_context = names[1],
                                    .offer_context = names[2],
                                    .text_context = names[3],
                                    .watch = &watch};
    no_calls = (struct seen_calls){0};
    for (uint32_t k = 0; k < PARTS; k++) {
        struct part *const p = &parts[k];
        *p = (struct part){.x = {.ops = &ops, .part = k, .parts = PARTS}};
        seen_open(&p->s, &p->x, k == 0 && wanted ? &all_calls : &no_calls);
    }
}

static void parts_begin(void)
{
    for (uint32_t k = 0; k < PARTS; k++)
        assert_true(seen_begin(&parts[k].s, nodes, VCS, &now));
}

/* The others first: what they have written is there when the first part asks. */
static bool meet(bool show)
{
    for (uint32_t k = PARTS; k-- > 1;) {
        assert_true(seen_meet(&parts[k].s, show));
        assert_false(seen_any(&parts[k].s));
    }
    return seen_meet(&parts[0].s, show);
}

static void parts_close(void)
{
    for (uint32_t k = 0; k < PARTS; k++) {
        seen_close(&parts[k].s);
        if (!hub.reversed)
            free(hub.all[k].data);
    }
}

static void deliver(uint32_t part, uint32_t src, uint32_t dst, uint32_t message)
{
    seen_delivery(
        &parts[part].s,
        &(struct ec_delivery){.src = src, .dst = dst, .message = message, .delivered = now});
}

static void take(uint32_t part, uint32_t src, uint32_t dst, uint32_t words)
{
    seen_taken(&parts[part].s, &(struct ec_message){now, src, dst, words});
}

static void offer(uint32_t part, uint32_t node, uint32_t dst, unsigned vc)
{
    seen_offer(&parts[part].s,
               &(struct ec_offer){.cycle = now, .node = node, .dst = dst, .vc = vc});
}

/* A router with two words in, one out, and taps on both VCs. */
static void show(uint32_t part, uint32_t node)
{
    uint64_t in[64] = {0}, out[64] = {0}, in_credit[] = {1, UINT64_C(1) << 63};
    uint64_t out_credit[] = {0, 6}, contended[] = {2, 0}, starved[] = {UINT64_C(1) << 40, 5};
    uint8_t want[64 * VCS] = {0};
    in[0] = 0xa0;
    in[63] = 0xb0 + node;
    out[7] = 0xc0;
    want[1 * VCS + 0] = 11;
    want[40 * VCS + 0] = 12;
    want[0 * VCS + 1] = 13;
    want[2 * VCS + 1] = 255;
    const struct ec_net_watch *w = &parts[part].s.watch;
    w->router(w->context, &(struct ec_net_seen){.cycle = now,
                                                .node = node,
                                                .in_word = in,
                                                .out_word = out,
                                                .in_valid = UINT64_C(1) << 63 | 1,
                                                .out_valid = 1 << 7,
                                                .in_credit = in_credit,
                                                .out_credit = out_credit,
                                                .contended = contended,
                                                .starved = starved,
                                                .want = want});
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void events_come_in_the_order_of_one_part(void **state)
{
    (void)state;
    parts_open(true);
    hub.reversed = true;
    parts_begin();
    now = 5;
    offer(2, 40, 1, 1);
    take(2, 40, 2, 9);
    deliver(2, 7, 41, 3);
    deliver(2, 8, 30, 4);
    deliver(1, 9, 35, 5);
    parts[0].s.watch.cycle(parts[0].s.watch.context, 5);
    show(1, 12);
    show(0, 11);
    seen_text(&parts[1].s, 5, 50, "b");
    seen_text(&parts[1].s, 4, 60, "a");
    take(0, 3, 4, 1);
    now = 4;
    deliver(0, 1, 99, 6);
    deliver(1, 2, 99, 7); /* of the same node: parts in their order */
    deliver(0, 3, 99, 8);
    assert_true(seen_any(&parts[0].s));
    assert_true(meet(true));
    assert_string_equal(calls, "delivery 1>99 m6 4\n"
                               "delivery 3>99 m8 4\n"
                               "delivery 2>99 m7 4\n"
                               "text 4:60 a+1\n"
                               "delivery 8>30 m4 5\n"
                               "delivery 9>35 m5 5\n"
                               "delivery 7>41 m3 5\n"
                               "taken 3>4 1 words\n"
                               "offer 40>1 vc1\n"
                               "taken 40>2 9 words\n"
                               "text 5:50 b+1\n"
                               "router 5:11 in 0=a0 63=bb out 7=c0 | 1 0 2 10000000000 w11 w12 | "
                               "8000000000000000 6 0 5 w13 w255\n"
                               "router 5:12 in 0=a0 63=bc out 7=c0 | 1 0 2 10000000000 w11 w12 | "
                               "8000000000000000 6 0 5 w13 w255\n"
                               "cycle 5\n");
    static const uint64_t count[SEEN_KINDS] = {
        [SEEN_DELIVERY] = 6, [SEEN_TAKEN] = 2,  [SEEN_OFFER] = 1,
        [SEEN_TEXT] = 2,     [SEEN_ROUTER] = 2, [SEEN_CYCLE] = 1};
    for (unsigned k = 0; k < SEEN_KINDS; k++)
        assert_int_equal(all_calls.count[k], count[k]);
    calls[0] = '\0';
    assert_true(meet(true)); /* each once */
    assert_string_equal(calls, "");
    deliver(1, 1, 2, 3);
    assert_true(meet(false)); /* forgotten */
    assert_true(meet(true));
    assert_string_equal(calls, "");
    assert_int_equal(hub.aborts, 0);
    parts_close();
}

static void nothing_is_written_that_nobody_wants(void **state)
{
    (void)state;
    parts_open(false);
    parts_begin();
    for (uint32_t k = 0; k < PARTS; k++) {
        const struct seen *const s = &parts[k].s;
        for (unsigned kind = 0; kind < SEEN_KINDS; kind++)
            assert_false(s->wanted[kind]);
        assert_true(!s->watch.router && !s->watch.cycle && !s->watch.nodes);
        seen_text(&parts[k].s, 1, 2, "text");
        assert_false(seen_any(s));
    }
    parts_close();
    parts_open(true);
    parts_begin();
    for (uint32_t k = 0; k < PARTS; k++) {
        const struct seen *const s = &parts[k].s;
        for (unsigned kind = 0; kind < SEEN_CYCLE; kind++)
            assert_true(s->wanted[kind]);
        assert_int_equal(s->wanted[SEEN_CYCLE], k == 0); /* once for all parts */
        assert_true(s->watch.router && !s->watch.cycle == (k > 0) && !s->watch.nodes);
    }
    parts_close();
}

/* The caller wants one kind of events only. */
static void each_kind_is_wanted_by_itself(void **state)
{
    (void)state;
    static const enum seen_kind kinds[] = {SEEN_DELIVERY, SEEN_TAKEN, SEEN_OFFER, SEEN_ROUTER,
                                           SEEN_CYCLE};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        parts_open(true);
        all_calls.delivery = kinds[i] == SEEN_DELIVERY ? on_delivery : NULL;
        all_calls.taken = kinds[i] == SEEN_TAKEN ? on_taken : NULL;
        all_calls.offer = kinds[i] == SEEN_OFFER ? on_offer : NULL;
        watch.router = kinds[i] == SEEN_ROUTER ? on_router : NULL;
        watch.cycle = kinds[i] == SEEN_CYCLE ? on_cycle : NULL;
        parts_begin();
        for (uint32_t k = 0; k < PARTS; k++) {
            for (size_t j = 0; j < COUNT(kinds); j++)
                assert_int_equal(parts[k].s.wanted[kinds[j]],
                                 j == i && (kinds[j] != SEEN_CYCLE || k == 0));
        }
        parts_close();
    }
}

static void parts_show_the_routers_that_are_wanted(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 63, 64, 65, 127, 128, 126};
    bitmap[0] = 0x123456789abcdef0;
    bitmap[1] = 0x5a5;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        nodes = sizes[i];
        parts_open(true);
        watch.nodes = bitmap;
        parts_begin();
        const size_t size = nodes > 64 ? 16 : 8; /* all that the caller has, and no more */
        assert_int_equal(hub.all[0].size, size);
        for (uint32_t k = 0; k < PARTS; k++) {
            assert_true(k == 0 || hub.all[k].size == 0);
            assert_non_null(parts[k].s.watch.nodes);
            assert_memory_equal(parts[k].s.watch.nodes, bitmap, size);
        }
        parts_close();
    }
}

static void texts_are_limited(void **state)
{
    (void)state;
    char text[700];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    parts_open(true);
    parts_begin();
    seen_text(&parts[1].s, 1, 1, text);
    seen_text(&parts[1].s, 2, 1, text + sizeof text - 1 - 500);
    seen_text(&parts[1].s, 3, 1, "");
    assert_true(meet(true));
    assert_string_equal(calls, "text 1:1 xxxxxxxxxxxxxxxxxxxx+500\n"
                               "text 2:1 xxxxxxxxxxxxxxxxxxxx+500\n"
                               "text 3:1 +0\n");
    for (unsigned i = 0; i < 2 * SEEN_TEXTS_MOST; i++)
        seen_text(&parts[1].s, 1, 1, "t");
    assert_true(meet(true));
    assert_int_equal(all_calls.count[SEEN_TEXT], SEEN_TEXTS_MOST);
    parts_close();
}

/* Many events need more room. */
static void any_number_of_events_is_kept(void **state)
{
    (void)state;
    parts_open(true);
    parts_begin();
    for (uint32_t i = 0; i < 3000; i++)
        deliver(1 + i % 2, i, i, i);
    all_calls.delivery = NULL; /* not even read */
    assert_false(meet(true));
    assert_int_equal(hub.aborts, 1);
    parts_close();
    parts_open(true);
    parts_begin();
    for (uint32_t i = 0; i < 20; i++) {
        deliver(1 + i % 2, i, 20 - i, i);
        show(1, i);
    }
    assert_true(meet(true));
    assert_int_equal(all_calls.count[SEEN_DELIVERY], 20);
    assert_int_equal(all_calls.count[SEEN_ROUTER], 20);
    assert_int_equal(strncmp(calls, "delivery 19>1 m19 0\ndelivery 18>2 m18 0\n", 40), 0);
    parts_close();
}

/* The bytes of another part, cut off anywhere, or with any byte changed: no callback may see what
 * is not there. What is called then may be wrong, as the bytes are. */
static void damaged_bytes_are_noticed(void **state)
{
    (void)state;
    static const char why[] = "what another part has seen is damaged";
    parts_open(true);
    parts_begin();
    now = 3;
    show(1, 4);
    deliver(1, 1, 2, 3);
    assert_true(seen_meet(&parts[1].s, true));
    assert_true(seen_meet(&parts[2].s, true));
    const struct exchange_bytes whole = hub.all[1];
    const size_t both = whole.size, last = 24 - 8 + sizeof(struct ec_delivery); /* a head has 16 */
    assert_true(both > last);
    for (size_t size = 0; size < both; size++) {
        const unsigned before = hub.aborts;
        const bool at_an_end = size == 0 || size == both - last;
        hub.all[1].size = size;
        assert_int_equal(seen_meet(&parts[0].s, true), at_an_end);
        assert_int_equal(hub.aborts, before + !at_an_end);
        assert_string_equal(hub.aborts ? hub.why : why, why);
    }
    hub.all[1].size = both;
    for (size_t i = 0; i < both; i++) {
        unsigned char *const byte = &hub.all[1].data[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            *byte ^= (unsigned char)(1u << bit);
            (void)seen_meet(&parts[0].s, true);
            calls[0] = '\0';
            *byte ^= (unsigned char)(1u << bit);
        }
    }
    assert_true(seen_meet(&parts[0].s, true));
    parts_close();
}

/* A text that is longer than any, by the size in its head. */
static void texts_that_are_too_long_are_noticed(void **state)
{
    (void)state;
    for (uint16_t size = 499; size <= 502; size++) {
        parts_open(true);
        parts_begin();
        seen_text(&parts[1].s, 1, 1, "t");
        for (uint32_t i = 0; i < 40; i++)
            take(1, i, 2, 3);
        for (uint32_t k = PARTS; k-- > 1;)
            assert_true(seen_meet(&parts[k].s, true));
        struct exchange_bytes *bytes = &hub.all[1];
        memcpy(bytes->data + 14, &size, sizeof size); /* behind cycle, node and kind */
        bytes->size = 16 + size;
        assert_int_equal(seen_meet(&parts[0].s, true), size <= 500);
        assert_int_equal(hub.aborts, size > 500);
        parts_close();
    }
}

/* An event of a kind that the first part does not want, or that does not exist. */
static void strange_events_are_noticed(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind <= SEEN_KINDS; kind++) {
        parts_open(true);
        parts_begin();
        deliver(1, 1, 2, 3);
        take(1, 1, 2, 3);
        offer(1, 1, 2, 0);
        seen_text(&parts[1].s, 1, 1, "t");
        show(1, 4);
        parts[0].s.watch.cycle(&parts[1].s, 7);
        for (uint32_t k = PARTS; k-- > 1;)
            assert_true(seen_meet(&parts[k].s, true));
        all_calls.delivery = kind == SEEN_DELIVERY ? NULL : on_delivery;
        all_calls.taken = kind == SEEN_TAKEN ? NULL : on_taken;
        all_calls.offer = kind == SEEN_OFFER ? NULL : on_offer;
        all_calls.text = kind == SEEN_TEXT ? NULL : on_text;
        watch.router = kind == SEEN_ROUTER ? NULL : on_router;
        watch.cycle = kind == SEEN_CYCLE ? NULL : on_cycle;
        assert_int_equal(seen_meet(&parts[0].s, true), kind == SEEN_KINDS);
        assert_int_equal(hub.aborts, kind != SEEN_KINDS);
        parts_close();
    }
}

static void short_memory_is_noticed(void **state)
{
    (void)state;
    parts_open(true);
    parts_begin();
    deliver(1, 1, 2, 3);
    memory_fails = true;
    for (unsigned i = 0; i < 100; i++)
        deliver(1, 1, 2, 3);
    memory_fails = false;
    assert_true(parts[1].s.memory_short);
    assert_false(seen_meet(&parts[1].s, true));
    parts_close();
    parts_open(true);
    parts_begin();
    memory_fails = true;
    show(1, 2);
    memory_fails = false;
    assert_true(seen_any(&parts[1].s));
    assert_false(seen_meet(&parts[1].s, true));
    parts_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("events come in the order of one part", events_come_in_the_order_of_one_part),
        TEST("nothing is written that nobody wants", nothing_is_written_that_nobody_wants),
        TEST("each kind is wanted by itself", each_kind_is_wanted_by_itself),
        TEST("parts show the routers that are wanted", parts_show_the_routers_that_are_wanted),
        TEST("texts are limited", texts_are_limited),
        TEST("any number of events is kept", any_number_of_events_is_kept),
        TEST("damaged bytes are noticed", damaged_bytes_are_noticed),
        TEST("texts that are too long are noticed", texts_that_are_too_long_are_noticed),
        TEST("strange events are noticed", strange_events_are_noticed),
        TEST("short memory is noticed", short_memory_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
