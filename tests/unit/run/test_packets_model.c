/* SPDX-License-Identifier: Apache-2.0 */
/* Random records of packets against a list of them: packets of own sources, guests from other
 * parts, and packets that leave; which are found, in which order they come, which number is next,
 * and when a source must wait or ask. Numbers have few bits, so they come round. */
#include "run/packets.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "parts/exchange.h"
#include "unit.h"

enum { NODES = 9, BITS = 4, NUMBERS = 1 << BITS, STEPS = 400, MOST = NODES * NUMBERS };

enum place { NOWHERE, HERE, ELSEWHERE };

/* A packet by its source and number, which counts up. */
struct listed {
    uint32_t src;
    uint64_t number;
    enum place place;
    bool guest; /* of a source of another part, or it came back */
    unsigned hops;
    uint64_t stamp;
};

static struct bench {
    struct packets k;
    struct nodes_own own;
    struct listed list[STEPS];
    size_t count, entry[STEPS]; /* entry: packets by the entry of a guest, 1 + index; 0: free */
    size_t entries, freed[STEPS], freed_count;
    uint64_t next[NODES], key, drawn, stamp;
    uint64_t away[NODES]; /* 1 + the oldest number that ever left from here; 0: none */
    uint64_t window;
    bool crowded, cannot_split;
} b;

static uint64_t draw(uint64_t below)
{
    return ec_rng_below(ec_rng_draw(b.key, b.drawn++), below);
}

static bool is_own(uint32_t src)
{
    return nodes_own_has(&b.own, src);
}

/* The oldest number of an own source that has not left; its next number: there is none. */
static uint64_t oldest_here(uint32_t src)
{
    for (size_t i = 0; i < b.count; i++) {
        const struct listed *p = &b.list[i];
        if (p->src == src && p->place == HERE && !p->guest)
            return p->number;
    }
    return b.next[src];
}

static struct listed *draw_listed(enum place place)
{
    const size_t first = b.count ? draw(b.count) : 0;
    for (size_t i = 0; i < b.count; i++) {
        struct listed *p = &b.list[(first + i) % b.count];
        if (p->place == place)
            return p;
    }
    return NULL;
}

static struct packet *find(const struct listed *p)
{
    return packets_find(&b.k, p->src, (uint32_t)p->number & (NUMBERS - 1));
}

/* Is a number that looks the same in flight? */
static bool is_taken(uint32_t src, uint64_t number)
{
    for (size_t i = 0; i < b.count; i++) {
        if (b.list[i].src == src && b.list[i].place != NOWHERE &&
            (b.list[i].number - number) % NUMBERS == 0)
            return true;
    }
    return false;
}

/* --- What happens to packets ------------------------------------------------------------------ */

/* Of own sources, the numbers from the oldest one on must be told apart. */
static void try_add(void)
{
    const uint32_t src = nodes_own_at(&b.own, (uint32_t)draw(b.own.count));
    const uint64_t here = b.next[src] - oldest_here(src);
    const uint64_t away = b.away[src] ? b.next[src] - (b.away[src] - 1) : 0;
    const bool waits = here == NUMBERS || away >= NUMBERS;
    uint32_t number;
    struct packet *p = packets_add(&b.k, src, &number);
    b.crowded |= here < NUMBERS && away > b.window;
    b.cannot_split |= here < NUMBERS && away >= NUMBERS;
    assert_int_equal(p == NULL, waits);
    if (!p)
        return;
    assert_int_equal(number, b.next[src] % NUMBERS);
    *p = (struct packet){.left = 1, .words = 1, .injected = ++b.stamp};
    b.list[b.count++] =
        (struct listed){.src = src, .number = b.next[src]++, .place = HERE, .stamp = b.stamp};
}

/* The entry of a guest is the one that was freed last, or a new one. */
static void try_enter(void)
{
    struct listed *p = draw(2) ? draw_listed(ELSEWHERE) : NULL;
    if (!p) {
        const uint32_t src = (uint32_t)draw(NODES);
        const uint64_t number = draw(NUMBERS);
        if (is_own(src) || is_taken(src, number))
            return;
        p = &b.list[b.count++];
        *p = (struct listed){.src = src, .number = number};
    }
    p->place = HERE;
    p->guest = true;
    p->hops = (unsigned)draw(9);
    p->stamp = ++b.stamp;
    const struct packet packet = {.left = 1, .words = 1, .injected = p->stamp};
    assert_true(packets_enter(&b.k, p->src, (uint32_t)p->number % NUMBERS, &packet, p->hops));
    const size_t at = b.freed_count ? b.freed[--b.freed_count] : b.entries++;
    b.entry[at] = (size_t)(p - b.list) + 1;
}

static void forget_guest(const struct listed *p)
{
    for (size_t k = 0; p->guest && k < b.entries; k++) {
        if (b.entry[k] != (size_t)(p - b.list) + 1)
            continue;
        b.entry[k] = 0;
        b.freed[b.freed_count++] = k;
    }
}

static void try_remove(void)
{
    struct listed *p = draw_listed(HERE);
    if (!p)
        return;
    struct packet *is = find(p);
    assert_non_null(is);
    const uint32_t guest = packets_guest(&b.k, is);
    assert_int_equal(guest != 0, p->guest);
    is->left = 0;
    packets_remove(&b.k, p->src, guest);
    forget_guest(p);
    p->place = NOWHERE;
}

/* A packet that left before is known to be away already. */
static void try_leave(void)
{
    struct listed *p = draw_listed(HERE);
    if (!p)
        return;
    packets_leave(&b.k, p->src, (uint32_t)p->number % NUMBERS, find(p));
    forget_guest(p);
    p->place = is_own(p->src) ? ELSEWHERE : NOWHERE;
    if (!p->guest && (b.away[p->src] == 0 || p->number < b.away[p->src] - 1))
        b.away[p->src] = p->number + 1;
}

static void learn(void *context, struct exchange *x)
{
    *(bool *)context = packets_learn(&b.k, x);
}

/* There is one part: a packet elsewhere that is not here is nowhere. A source that uses many
 * numbers learns which is the oldest; the next time to ask is half way to the limit, or a quarter
 * of the numbers if none of them uses more. */
static void try_learn(void)
{
    static const uint32_t first[] = {0, 0};
    const struct parts_plan plan = {.parts = 1, .first = first};
    const uint64_t limit = NUMBERS - 1, least = limit / 4;
    uint64_t worst = 0;
    struct ec_error error;
    bool learned = false;
    assert_int_equal(parts_run(&plan, learn, &learned, &error), EC_OK);
    assert_true(learned);
    for (uint32_t k = 0; k < b.own.count; k++) {
        const uint32_t src = nodes_own_at(&b.own, k);
        if (b.away[src] == 0 || b.next[src] - (b.away[src] - 1) <= least / 2)
            continue;
        b.away[src] = 0;
        for (size_t i = b.count; i-- > 0;) {
            struct listed *p = &b.list[i];
            if (p->src != src)
                continue;
            p->place = p->place == ELSEWHERE ? NOWHERE : p->place;
            if (p->place == HERE && p->guest)
                b.away[src] = p->number + 1;
        }
        const uint64_t numbers = b.away[src] ? b.next[src] - (b.away[src] - 1) : 0;
        worst = numbers > worst ? numbers : worst;
    }
    b.window = worst < least ? least : worst + (limit - worst + 1) / 2;
    b.window = b.window > limit ? limit : b.window;
    b.crowded = false;
    assert_int_equal(b.k.window, b.window);
}

/* --- Comparing -------------------------------------------------------------------------------- */

static void compare_found(void)
{
    for (size_t i = 0; i < b.count; i++) {
        const struct listed *p = &b.list[i];
        if (p->place != HERE && is_taken(p->src, p->number))
            continue; /* of another one, which may be here */
        const struct packet *is = find(p);
        assert_int_equal(is != NULL, p->place == HERE);
        if (!is)
            continue;
        assert_true(is->injected == p->stamp);
        const uint32_t guest = packets_guest(&b.k, is);
        assert_ptr_equal(packets_find_again(&b.k, p->src, (uint32_t)p->number % NUMBERS, guest),
                         is);
        if (guest)
            assert_int_equal(b.k.guests.guest[guest - 1].hops, p->hops);
    }
}

/* Own sources in turn, oldest first; then guests by their entry. */
static void compare_order(void)
{
    struct packets_at at = {0};
    const struct packet *is;
    for (uint32_t i = 0; i < b.own.count; i++) {
        for (size_t k = 0; k < b.count; k++) {
            const struct listed *p = &b.list[k];
            if (p->src != nodes_own_at(&b.own, i) || p->place != HERE || p->guest)
                continue;
            assert_non_null(is = packets_next(&b.k, &at));
            assert_true(is->injected == p->stamp && at.src == p->src);
        }
    }
    for (size_t k = 0; k < b.entries; k++) {
        if (b.entry[k] == 0)
            continue;
        const struct listed *p = &b.list[b.entry[k] - 1];
        assert_non_null(is = packets_next(&b.k, &at));
        assert_true(is->injected == p->stamp && at.src == p->src);
    }
    assert_null(packets_next(&b.k, &at));
}

static void compare_sources(void)
{
    for (uint32_t i = 0; i < b.own.count; i++) {
        const uint32_t src = nodes_own_at(&b.own, i);
        const struct outstanding *o = &b.k.source[src];
        assert_true(o->next == b.next[src]);
        assert_int_equal(o->away, b.away[src]);
    }
    for (uint32_t src = 0; src < NODES; src++) {
        const struct outstanding *o = &b.k.source[src];
        if (!is_own(src)) /* those of other parts stay zero */
            assert_true(!o->ring && !o->next && !o->first && !o->away);
    }
    assert_int_equal(b.k.crowded, b.crowded);
    assert_int_equal(b.k.cannot_split, b.cannot_split);
    assert_false(b.k.memory_short);
}

static void begin(uint64_t seed)
{
    packets_reset(&b.k);
    b.count = b.entries = b.freed_count = 0;
    memset(b.next, 0, sizeof b.next);
    memset(b.away, 0, sizeof b.away);
    b.crowded = b.cannot_split = false;
    b.key = ec_rng_key(seed, 3);
    b.drawn = 0;
    b.window = (NUMBERS - 1) / 4;
    assert_int_equal(b.k.window, b.window);
}

static void records_are_those_of_the_list(void **state)
{
    (void)state;
    static const uint32_t some[] = {1, 2, 4, 7};
    unsigned waited = 0, crowded = 0;
    for (uint64_t trial = 0; trial < 120; trial++) {
        b.own = nodes_all(NODES);
        if (trial % 3)
            assert_true(nodes_own_open(&b.own, some, COUNT(some)));
        assert_true(packets_open(&b.k, NODES, BITS, trial % 3 ? &b.own : NULL));
        for (unsigned again = 0; again < 3; again++) { /* a reset forgets all */
            begin(3 * trial + again);
            const uint64_t busy = 1 + draw(8);
            for (unsigned i = 0; i < STEPS && b.count + 1 < STEPS; i++) {
                const uint64_t what = draw(6 + busy);
                if (again && draw(40) == 0)
                    try_learn();
                else if (what == 0)
                    try_leave();
                else if (what == 1)
                    try_enter();
                else if (what < 5)
                    try_remove();
                else
                    try_add();
                if (i % 5 == 0) {
                    compare_found();
                    compare_order();
                    compare_sources();
                }
            }
            waited += b.cannot_split;
            crowded += b.crowded;
        }
        packets_close(&b.k);
        if (trial % 3)
            nodes_own_close(&b.own);
    }
    assert_true(waited > 5 && crowded > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("records are those of the list", records_are_those_of_the_list),
    };
    return cmocka_run_group_tests_name("packets model", tests, NULL, NULL);
}
