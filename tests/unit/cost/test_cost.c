/* SPDX-License-Identifier: Apache-2.0 */
/* The closed forms against two models of the router's timing, one word at a time. */
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#include "ec_cost.h"

static const char *const mode_names[] = {"wormhole", "cut-through", "store-and-forward"};

struct flow {
    struct ec_cost_machine x;
    unsigned h, m;
};

#define WORDS_MAX    48
#define CHANNELS_MAX 12
#define WIRE_MAX     8

static void raise(uint64_t *time, uint64_t least)
{
    if (*time < least)
        *time = least;
}

/* First model: t[k][j], the cycle in which word k (from 1) crosses channel j (0: injection, 1..h:
 * links, h + 1: ejection), as the least solution of the rules. A rule never looks at a later
 * packet; within one, wormhole looks ahead by channels, so that it goes word by word, and
 * store-and-forward by words, so that it goes channel by channel. */
static void cross(const struct flow *f, uint64_t t[][CHANNELS_MAX], uint64_t k, unsigned j)
{
    const struct ec_cost_machine *x = &f->x;
    const uint64_t first = (k - 1) / x->packet * x->packet + 1; /* head of its packet */
    const uint64_t tail = first + x->packet - 1 < f->m ? first + x->packet - 1 : f->m;
    const uint64_t to = j > 1 ? x->link : 1; /* how long the channel before is */
    const bool head = k == first, whole = x->switching == EC_COST_STORE_AND_FORWARD;
    uint64_t *time = &t[k][j];

    *time = 1;
    if (k > 1)
        raise(time, t[k - 1][j] + 1); /* one word a cycle */
    if (j == 0 && head)
        raise(time, (k > 1 ? t[k - 1][0] : 0) + x->startup + 1);
    if (j > 0) /* it, or all of its packet, must be in the buffer */
        raise(time, t[head && whole ? tail : k][j - 1] + to + x->stages - 1);
    const uint64_t need = head && x->switching != EC_COST_WORMHOLE ? x->packet : 1;
    if (k - 1 + need <= x->depth)
        return;
    /* Free words beyond: the credit leaves with the grant, a cycle before the word if s >= 2. */
    const uint64_t freed = k - 1 + need - x->depth, early = x->stages >= 2;
    if (j == 0)
        raise(time, t[freed][1] - early + 1);
    else if (j <= f->h)
        raise(time, t[freed][j + 1] + x->link);
    else if (freed < k)
        raise(time, t[freed][j] + 1 + early);
}

static uint64_t recurrence(const struct flow *f)
{
    uint64_t t[WORDS_MAX][CHANNELS_MAX];

    for (uint64_t first = 1; first <= f->m; first += f->x.packet) {
        uint64_t end = first + f->x.packet <= f->m ? first + f->x.packet : f->m + 1;
        if (f->x.switching == EC_COST_STORE_AND_FORWARD) {
            for (unsigned j = 0; j <= f->h + 1; j++) {
                for (uint64_t k = first; k < end; k++)
                    cross(f, t, k, j);
            }
        } else {
            for (uint64_t k = first; k < end; k++) {
                for (unsigned j = 0; j <= f->h + 1; j++)
                    cross(f, t, k, j);
            }
        }
    }
    return t[f->m][f->h + 1];
}

/* Second model: cycle by cycle, the registers of routers and links as the router contract has them.
 * Router i feeds channel i + 1 from the buffer behind channel i. Words have no numbers: they leave
 * in the order in which they came. */
struct hop {
    uint64_t gone, here;                   /* words granted so far; words in the input VC */
    uint64_t credits;                      /* of its output VC */
    bool routed, traversed;                /* a word in the route stage, in the traversal stage */
    bool word[WIRE_MAX], credit[WIRE_MAX]; /* on the way on the link behind it, and back */
};

/* Which words of a message stand at a sender that has sent `gone` of them, all others being there
 * (at the node) or `here` of them. */
static bool may_send(const struct flow *f, uint64_t gone, uint64_t here, uint64_t credits)
{
    const uint64_t B = f->x.packet, rest = f->m - gone, packet = rest < B ? rest : B;
    const bool head = gone % B == 0;

    return rest > 0 && credits >= (head && f->x.switching != EC_COST_WORMHOLE ? B : 1) &&
           here >= (head && f->x.switching == EC_COST_STORE_AND_FORWARD ? packet : 1);
}

/* A wire of `length` cycles beyond the first: what comes out when `in` goes in. */
static bool shift(bool *wire, uint64_t length, bool in)
{
    if (length == 0)
        return in;
    const bool out = wire[length - 1];
    memmove(wire + 1, wire, (size_t)(length - 1) * sizeof *wire);
    wire[0] = in;
    return out;
}

/* One cycle of all routers. `in`: a word from the node; `ret_credit`: a credit to it. True: the
 * last router shows a word to its node. */
static bool step(const struct flow *f, struct hop *hop, bool in, bool *ret_credit)
{
    bool grant[CHANNELS_MAX], shown[CHANNELS_MAX];

    for (unsigned i = 0; i <= f->h; i++) { /* what all show, from their registers */
        grant[i] = may_send(f, hop[i].gone, hop[i].here, hop[i].credits);
        shown[i] = f->x.stages >= 2 ? hop[i].traversed : grant[i];
    }
    *ret_credit = grant[0];
    for (unsigned i = 0; i <= f->h; i++) {
        const bool last = i == f->h;
        const bool word = i == 0 ? in : shift(hop[i - 1].word, f->x.link - 1, shown[i - 1]);
        const bool credit = last ? shown[i] : shift(hop[i].credit, f->x.link - 1, grant[i + 1]);
        const bool enters = f->x.stages == 3 ? hop[i].routed : word;
        hop[i].routed = word;
        hop[i].traversed = grant[i];
        hop[i].here = hop[i].here + enters - grant[i];
        hop[i].gone += grant[i];
        hop[i].credits = hop[i].credits + credit - grant[i];
    }
    return shown[f->h];
}

static uint64_t clockwork(const struct flow *f)
{
    struct hop hop[CHANNELS_MAX] = {{0}};
    uint64_t sent = 0, seen = 0, credits = f->x.depth, startup = f->x.startup;

    for (unsigned i = 0; i <= f->h; i++)
        hop[i].credits = f->x.depth;
    for (uint64_t cycle = 1;; cycle++) {
        bool credit, send = false;
        if (sent < f->m && sent % f->x.packet == 0 && startup > 0)
            startup--;
        else
            send = may_send(f, sent, f->m - sent, credits);
        seen += step(f, hop, send, &credit);
        credits = credits + credit - send;
        sent += send;
        if (send && sent % f->x.packet == 0)
            startup = f->x.startup;
        if (seen == f->m)
            return cycle;
    }
}

static void compare(const struct flow *f, uint64_t model, const char *name)
{
    const uint64_t form = ec_cost_message(&f->x, f->h, f->m);

    if (form == model)
        return;
    fail_msg("%s h=%u m=%u B=%" PRIu64 " ts=%" PRIu64 " depth=%" PRIu64 " s=%" PRIu64 " L=%" PRIu64
             ": closed form %" PRIu64 ", %s %" PRIu64,
             mode_names[f->x.switching], f->h, f->m, f->x.packet, f->x.startup, f->x.depth,
             f->x.stages, f->x.link, form, name, model);
}

struct range {
    unsigned h, m, ts, s, L; /* the largest ones */
};

/* Every depth from the smallest that works to well above full rate. */
static void for_all(enum ec_cost_switching mode, const struct range *r,
                    uint64_t (*model)(const struct flow *), const char *name)
{
    struct flow f = {.x = {.switching = mode}};

    for (f.x.stages = 1; f.x.stages <= r->s; f.x.stages++) {
        for (f.x.link = 1; f.x.link <= r->L; f.x.link++) {
            for (f.m = 1; f.m <= r->m; f.m++) {
                for (f.x.packet = 1; f.x.packet <= f.m + 2; f.x.packet++) { /* may exceed m */
                    const uint64_t most = ec_cost_full_rate(&f.x) + 2;
                    f.x.depth = mode == EC_COST_WORMHOLE ? 1 : f.x.packet;
                    for (; f.x.depth <= most; f.x.depth++) {
                        for (f.x.startup = 0; f.x.startup <= r->ts; f.x.startup++) {
                            for (f.h = 1; f.h <= r->h; f.h++)
                                compare(&f, model(&f), name);
                        }
                    }
                }
            }
        }
    }
}

/* The router of version 1, and every pipeline and link on shorter messages. */
static const struct range plain = {8, 40, 9, 1, 1}, staged = {3, 13, 5, 3, 4};

static void compare_recurrence(enum ec_cost_switching mode)
{
    for_all(mode, &plain, recurrence, "recurrence");
    for_all(mode, &staged, recurrence, "recurrence");
}

static void test_wormhole(void **state)
{
    (void)state;
    compare_recurrence(EC_COST_WORMHOLE);
}

static void test_cut_through(void **state)
{
    (void)state;
    compare_recurrence(EC_COST_CUT_THROUGH);
}

static void test_store_and_forward(void **state)
{
    (void)state;
    compare_recurrence(EC_COST_STORE_AND_FORWARD);
}

static void test_clockwork(void **state)
{
    static const struct range small = {4, 16, 5, 1, 1}, pipes = {2, 8, 3, 3, 3};

    (void)state;
    for (int mode = EC_COST_WORMHOLE; mode <= EC_COST_STORE_AND_FORWARD; mode++) {
        for_all((enum ec_cost_switching)mode, &small, clockwork, "clockwork");
        for_all((enum ec_cost_switching)mode, &pipes, clockwork, "clockwork");
    }
}

/* Long links: depths around full rate, and a train of many words below it. */
static void test_long_links(void **state)
{
    static const uint64_t links[] = {16, 63, 64};
    struct flow f = {.h = 2, .m = 45};

    (void)state;
    for (int mode = EC_COST_WORMHOLE; mode <= EC_COST_STORE_AND_FORWARD; mode++) {
        for (unsigned i = 0; i < 9; i++) {
            f.x = (struct ec_cost_machine){.switching = (enum ec_cost_switching)mode,
                                           .packet = 4,
                                           .stages = 1 + i % 3,
                                           .link = links[i / 3]};
            for (f.x.depth = 4; f.x.depth <= ec_cost_full_rate(&f.x) + 1; f.x.depth++) {
                for (f.x.startup = 0; f.x.startup <= 40; f.x.startup += 5)
                    compare(&f, recurrence(&f), "recurrence");
            }
        }
    }
}

/* What is said about the forms: at full rate a deeper buffer changes nothing and one word less
 * does, for a message that is long enough; if T is affine, each further full packet adds the same.
 */
static void test_properties(void **state)
{
    struct ec_cost_machine x = {.startup = 0};
    unsigned affine = 0;

    (void)state;
    for (unsigned i = 0; i < 3 * 3 * 5 * 6 * 24; i++) {
        x.switching = (enum ec_cost_switching)(i % 3);
        x.stages = 1 + i / 3 % 3;
        x.link = 1 + i / 9 % 5;
        x.packet = 1 + i / 45 % 6;
        x.startup = 0;
        x.depth = ec_cost_full_rate(&x);
        const uint64_t full = ec_cost_message(&x, 2, 2000);
        x.depth++;
        assert_int_equal(ec_cost_message(&x, 2, 2000), full);
        x.depth -= 2;
        if (x.depth > 0 && (x.switching == EC_COST_WORMHOLE || x.depth >= x.packet))
            assert_true(ec_cost_message(&x, 2, 2000) > full);

        x.depth = x.packet + i / 270 % 24;
        x.startup = i / 270 % 3 * 4;
        if (!ec_cost_is_affine(&x))
            continue;
        affine++;
        const uint64_t B = x.packet,
                       each = ec_cost_message(&x, 2, 3 * B) - ec_cost_message(&x, 2, 2 * B);
        for (uint64_t m = B + 1; m < 9 * B; m++) {
            assert_true(ec_cost_is_closed(&x, m));
            assert_int_equal(ec_cost_message(&x, 2, m + B) - ec_cost_message(&x, 2, m), each);
        }
    }
    assert_true(affine > 1000);
}

static uint64_t stored_and_forwarded(uint64_t h, uint64_t m, uint64_t B, uint64_t ts,
                                     uint64_t depth)
{
    const struct ec_cost_machine x = {.switching = EC_COST_STORE_AND_FORWARD,
                                      .startup = ts,
                                      .packet = B,
                                      .depth = depth,
                                      .stages = 1,
                                      .link = 1};
    return ec_cost_message(&x, h, m);
}

static void test_textbook(void **state)
{
    (void)state;
    for (uint64_t h = 1; h <= 12; h++) {
        for (uint64_t m = 1; m <= 64; m++) {
            for (uint64_t B = 1; B <= m; B++) {
                uint64_t n = (m + B - 1) / B, ts = 3;
                assert_int_equal(ec_cost_wormhole(h, m, B, ts, 2), n * ts + h + m + 1);
                assert_int_equal(ec_cost_cut_through(h, m, B, ts, B + 1), n * ts + h + m + 1);
                assert_int_equal(stored_and_forwarded(h, m, B, 0, 2 * B), m + (h + 1) * B);
            }
            assert_int_equal(stored_and_forwarded(h, m, m, 7, m), 7 + (h + 2) * m);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the wormhole form equals the recurrence at every depth", test_wormhole),
        TEST("the cut-through form equals the recurrence at every depth", test_cut_through),
        TEST("the store-and-forward form equals the recurrence at every depth",
             test_store_and_forward),
        TEST("all forms equal a cycle-by-cycle model of buffers and credits", test_clockwork),
        TEST("the forms equal the recurrence on links of up to 64 cycles", test_long_links),
        TEST("full rate is the least depth that is fast enough; affine forms are affine",
             test_properties),
        TEST("at full rate the forms are those of the textbook", test_textbook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
