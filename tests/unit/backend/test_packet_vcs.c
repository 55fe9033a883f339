/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what packets on their way keep, against a list in the test. */
#include "backend/vcs.h"

#include <string.h>

#include "base/rng.h"
#include "unit.h"

enum { NAMES = 4096 };

static uint32_t list[NAMES]; /* [name] what it keeps + 1; 0: unknown */

/* Names are spread, as those of packets are: place and name differ. */
static uint32_t name_of(uint32_t k)
{
    return k * 77 + 1;
}

static struct packet_vcs opened(void)
{
    struct packet_vcs l;
    assert_true(packet_vcs_open(&l));
    memset(list, 0, sizeof list);
    return l;
}

static void keep(struct packet_vcs *l, uint32_t k, uint32_t kept)
{
    packet_vcs_keep(l, name_of(k), kept);
    list[k] = kept + 1;
}

static void forget(struct packet_vcs *l, uint32_t k)
{
    packet_vcs_forget(l, name_of(k));
    list[k] = 0;
}

static void assert_as_listed(const struct packet_vcs *l)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < NAMES; k++) {
        count += list[k] != 0;
        assert_int_equal(packet_vcs_find(l, name_of(k)), list[k] ? list[k] - 1 : VC_UNKNOWN);
    }
    assert_int_equal(l->count, count);
    assert_true(count <= (uint32_t)1 << (l->bits - 1)); /* as the header promises */
    size_t taken = 0;
    for (size_t i = 0; i < (size_t)1 << l->bits; i++)
        taken += l->of[i].packet != 0;
    assert_int_equal(taken, count);
}

static void what_is_kept_is_found_until_it_is_forgotten(void **state)
{
    (void)state;
    struct packet_vcs l = opened();
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t draw = ec_rng_mix(i);
        const uint32_t k = (uint32_t)(draw % (i < 10000 ? 150 : NAMES));
        if (draw >> 20 & 1)
            keep(&l, k, (uint32_t)(draw >> 40) % VC_UNKNOWN);
        else
            forget(&l, k);
        if (i % 97 == 0)
            assert_as_listed(&l);
    }
    assert_true(l.bits > 8); /* it has grown */
    for (uint32_t k = 0; k < NAMES; k++)
        forget(&l, k);
    assert_as_listed(&l);
    packet_vcs_close(&l);
    assert_null(l.of);
}

/* The places wrap: packets whose home is the last place are found at the first ones. */
static void packets_of_one_place_are_told_apart(void **state)
{
    (void)state;
    struct packet_vcs l = opened();
    uint32_t same[6], count = 0;
    for (uint32_t k = 0; k < NAMES && count < COUNT(same); k++) {
        if (packet_vcs_place(&l, name_of(k)) == 255)
            same[count++] = k;
    }
    assert_int_equal(count, COUNT(same));
    for (uint32_t gone = 0; gone < count; gone++) {
        for (uint32_t i = 0; i < count; i++)
            keep(&l, same[i], i);
        assert_as_listed(&l);
        forget(&l, same[gone]);
        assert_as_listed(&l);
        forget(&l, same[gone]); /* an unknown one */
        assert_as_listed(&l);
    }
    packet_vcs_close(&l);
}

/* The table grows when half of it is taken, and not before. */
static void it_grows_when_half_is_taken(void **state)
{
    (void)state;
    struct packet_vcs l = opened();
    for (uint32_t k = 0; k < 128; k++)
        keep(&l, k, 1);
    assert_int_equal(l.bits, 8);
    keep(&l, 128, 1);
    assert_int_equal(l.bits, 9);
    assert_as_listed(&l);
    packet_vcs_close(&l);
}

static void a_reset_forgets_all(void **state)
{
    (void)state;
    struct packet_vcs l = opened();
    for (uint32_t k = 0; k < 100; k++)
        keep(&l, k, k % VC_UNKNOWN);
    packet_vcs_reset(&l);
    memset(list, 0, sizeof list);
    assert_as_listed(&l);
    keep(&l, 7, 3);
    assert_as_listed(&l);
    packet_vcs_reset(&l);
    list[7] = 0;
    assert_as_listed(&l);
    packet_vcs_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("what is kept is found until it is forgotten",
             what_is_kept_is_found_until_it_is_forgotten),
        TEST("packets of one place are told apart", packets_of_one_place_are_told_apart),
        TEST("the table grows when half of it is taken", it_grows_when_half_is_taken),
        TEST("a reset forgets all", a_reset_forgets_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
