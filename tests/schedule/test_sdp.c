/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations: texts, algebra, cycles and factors, against bit-level definitions
 * written here. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/sdp.h"

/* Deterministic noise for random permutations. */
static uint32_t noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static struct ec_sdp random_sdp(unsigned storage, unsigned processor, uint64_t *state)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);
    const unsigned m = storage + processor;

    for (unsigned i = m; i-- > 1;) {
        const unsigned j = noise(state) % (i + 1);
        const uint8_t kept = s.from[i];
        s.from[i] = s.from[j];
        s.from[j] = kept;
    }
    s.complement = noise(state) & ((UINT64_C(1) << m) - 1);
    return s;
}

/* First `a`, then `b`. */
static struct ec_sdp compose(const struct ec_sdp *a, const struct ec_sdp *b)
{
    struct ec_sdp both = ec_sdp_identity(a->storage, a->processor);

    both.complement = b->complement;
    for (unsigned i = 0; i < a->storage + a->processor; i++) {
        both.from[i] = a->from[b->from[i]];
        both.complement ^= (a->complement >> b->from[i] & 1) << i;
    }
    return both;
}

/* The definition, bit by bit. */
static uint64_t moved(const struct ec_sdp *s, uint64_t a)
{
    uint64_t to = 0;

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        const bool bit = (a >> s->from[i] & 1) != (s->complement >> i & 1);
        to += bit ? UINT64_C(1) << i : 0;
    }
    return to;
}

static void assert_same(const struct ec_sdp *a, const struct ec_sdp *b)
{
    assert_int_equal(a->storage, b->storage);
    assert_int_equal(a->processor, b->processor);
    assert_int_equal(a->complement, b->complement);
    for (unsigned i = 0; i < a->storage + a->processor; i++)
        assert_int_equal(a->from[i], b->from[i]);
}

static void texts_name_cycles(NO_STATE)
{
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {"", ""},
        {"6-5-~4+3-0", "6-5-~4+3-0"},
        {"~4-6-5", "6-5-~4"},
        {"0-6", "6-0"},
        {"3-0+5-6", "6-5+3-0"},
        {"~2+~0", "~2+~0"},
        {"~2+1-0", "1-0+~2"},
        {"2-5-1-4", "4-2-5-1"},
        {"03-0", "3-0"},
        {"6-5-4-3-2-1-0", "2-1-0-6-5-4-3"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_sdp s, again;
        struct ec_error error;
        char text[200];
        if (ec_sdp_parse(cases[i].text, 4, 3, &s, &error) != EC_OK)
            fail_msg("%s", error.message);
        ec_sdp_format(&s, text, sizeof text);
        assert_string_equal(text, cases[i].canonical);
        assert_int_equal(ec_sdp_parse(text, 4, 3, &again, &error), EC_OK);
        assert_same(&s, &again);
    }
}

static void a_cycle_moves_each_bit_one_place_to_the_left(NO_STATE)
{
    struct ec_sdp s;

    assert_int_equal(ec_sdp_parse("6-5-~4+3-0", 4, 3, &s, NULL), EC_OK);
    for (uint64_t a = 0; a < 128; a++) {
        const uint64_t to = ec_sdp_apply(&s, a);
        assert_int_equal(to >> 6 & 1, a >> 5 & 1);
        assert_int_equal(to >> 5 & 1, a >> 4 & 1);
        assert_int_equal(to >> 4 & 1, !(a >> 6 & 1));
        assert_int_equal(to >> 3 & 1, a & 1);
        assert_int_equal(to & 1, a >> 3 & 1);
        assert_int_equal(to & 6, a & 6);
    }
}

static void wrong_cycles_are_refused(NO_STATE)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"x-1", "'x'|dimension from 0 to 6"},
        {"7-0", "dimension 7|4 of the storage|3 of the processors|begin at 4"},
        {"1-2+3-1", "repeated dimension 1|at most once"},
        {"1-1", "repeated dimension 1"},
        {"3", "'3'|has no effect|'~3'"},
        {"1-", "''"},
        {"1--2", "''"},
        {"+", "''"},
        {"1-2+", "''"},
        {"~~1", "'~~1'"},
        {"-1", "''"},
        {"99999999999999999999-1", "'99999999999999999999'"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_sdp s;
        struct ec_error error;
        assert_refused(cases[i].text, ec_sdp_parse(cases[i].text, 4, 3, &s, &error), EC_USAGE,
                       &error, cases[i].words);
    }
    struct ec_sdp s;
    struct ec_error error;
    assert_refused("40 + 1", ec_sdp_parse("1-0", 40, 1, &s, &error), EC_USAGE, &error, "40");
}

static void algebra_is_that_of_maps(NO_STATE)
{
    uint64_t seed = 1;

    for (int round = 0; round < 200; round++) {
        const unsigned k = noise(&seed) % 5, n = 1 + noise(&seed) % 4;
        const struct ec_sdp a = random_sdp(k, n, &seed), b = random_sdp(k, n, &seed);
        const struct ec_sdp both = compose(&a, &b), inverse = ec_sdp_inverse(&a);
        for (uint64_t x = 0; x < UINT64_C(1) << (k + n); x++) {
            assert_int_equal(ec_sdp_apply(&a, x), moved(&a, x));
            assert_int_equal(ec_sdp_apply(&both, x), moved(&b, moved(&a, x)));
            assert_int_equal(ec_sdp_apply(&inverse, moved(&a, x)), x);
        }
    }
}

/* The permutation that a cycle alone is. */
static struct ec_sdp of_cycle(const struct ec_sdp_cycle *c, unsigned storage, unsigned processor)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);

    for (unsigned i = 0; i < c->length; i++) {
        s.from[c->dim[i]] = c->dim[(i + c->length - 1) % c->length];
        s.complement |= (c->complement >> i & 1) << c->dim[i];
    }
    return s;
}

static void cycles_compose_to_the_whole(NO_STATE)
{
    uint64_t seed = 2;

    for (int round = 0; round < 500; round++) {
        const unsigned k = noise(&seed) % 6, n = 1 + noise(&seed) % 6;
        const struct ec_sdp s = random_sdp(k, n, &seed);
        struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
        const unsigned count = ec_sdp_cycles(&s, cycles);
        struct ec_sdp product = ec_sdp_identity(k, n);
        for (unsigned i = 0; i < k + n; i++)
            product.complement |= s.from[i] == i ? s.complement & UINT64_C(1) << i : 0;
        unsigned moved_dims = 0, lowest_before = 0;
        for (unsigned c = 0; c < count; c++) {
            const struct ec_sdp one = of_cycle(&cycles[c], k, n);
            product = compose(&product, &one);
            moved_dims += cycles[c].length;
            unsigned lowest = 99;
            bool mixed = false;
            for (unsigned i = 0; i < cycles[c].length; i++) {
                const unsigned dim = cycles[c].dim[i];
                const unsigned next = cycles[c].dim[(i + 1) % cycles[c].length];
                lowest = dim < lowest ? dim : lowest;
                mixed |= dim < k && next >= k;
            }
            assert_true(c == 0 || lowest > lowest_before);
            lowest_before = lowest;
            if (mixed)
                assert_true(cycles[c].dim[0] < k && cycles[c].dim[1] >= k);
        }
        assert_same(&product, &s);
        assert_int_equal(ec_sdp_classify(&s).order, moved_dims);
    }
}

static void factors_compose_to_the_cycle(NO_STATE)
{
    uint64_t seed = 3;
    unsigned mixed = 0, several = 0;

    for (int round = 0; round < 1000; round++) {
        const unsigned k = 1 + noise(&seed) % 4, n = 1 + noise(&seed) % 5;
        const struct ec_sdp s = random_sdp(k, n, &seed);
        struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2], blocks[EC_SDP_DIMS_MAX / 2], last;
        const unsigned count = ec_sdp_cycles(&s, cycles);
        for (unsigned c = 0; c < count; c++) {
            const struct ec_sdp whole = of_cycle(&cycles[c], k, n);
            if (ec_sdp_classify(&whole).kind != EC_SDP_MIXED)
                continue;
            const unsigned beta = ec_sdp_factor(&cycles[c], k, blocks, &last);
            struct ec_sdp product = ec_sdp_identity(k, n);
            unsigned real = 0;
            for (unsigned b = 0; b < beta; b++) {
                const struct ec_sdp one = of_cycle(&blocks[b], k, n);
                product = compose(&product, &one);
                assert_true(blocks[b].dim[0] < k && !(blocks[b].complement & 1));
                for (unsigned i = 1; i < blocks[b].length; i++)
                    assert_true(blocks[b].dim[i] >= k);
                real += blocks[b].length - 1;
            }
            const struct ec_sdp moves = of_cycle(&last, k, n);
            assert_int_equal(ec_sdp_classify(&moves).real_order, 0);
            product = compose(&product, &moves);
            assert_same(&product, &whole);
            assert_int_equal(real, ec_sdp_classify(&whole).real_order);
            mixed++;
            several += beta > 1;
        }
    }
    assert_true(mixed > 500 && several > 100);
}

static const char *const kinds[] = {"identity", "virtual", "real", "mixed"};

/* One row of named-permutations.csv. */
static void check_named(struct table *row)
{
    char topology[24];
    snprintf(topology, sizeof topology, "cube:%u", table_number(row, 0));
    const struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(table_text(row, 2), &t);
    assert_non_null(w->sdp);
    assert_int_equal(w->sdp->processor, table_number(row, 0));
    assert_int_equal(w->sdp->storage, table_number(row, 1));

    const struct ec_sdp_class class = ec_sdp_classify(w->sdp);
    assert_int_equal(class.order, table_number(row, 3));
    assert_int_equal(class.real_order, table_number(row, 4));
    assert_int_equal(class.storage_order, table_number(row, 5));
    assert_string_equal(kinds[class.kind], row->cell[6]);

    struct ec_sdp expected = ec_sdp_identity(w->sdp->storage, w->sdp->processor);
    unsigned count = 0;
    for (char *at = row->cell[8]; (at = strchr(at, '(')); count++) {
        unsigned dims[EC_SDP_DIMS_MAX], length = 0;
        while (*at++ != ')') {
            const bool inverted = *at == '~';
            dims[length] = (unsigned)strtoul(at + inverted, &at, 10);
            expected.complement |= (uint64_t)inverted << dims[length++];
        }
        for (unsigned i = 0; i < length; i++)
            expected.from[dims[i]] = (uint8_t)dims[(i + 1) % length];
    }
    assert_int_equal(count, table_number(row, 7));
    assert_same(w->sdp, &expected);
    ec_workload_close(w);
}

static void named_permutations_are_these_cycles(NO_STATE)
{
    struct table t = table_open("named-permutations");

    while (table_next(&t))
        check_named(&t);
    assert_int_equal(t.rows, 64);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("cycles have one canonical text, which means the same", texts_name_cycles),
        TEST("a cycle moves every bit to the place on its left, inverted where it says so",
             a_cycle_moves_each_bit_one_place_to_the_left),
        TEST("a text that is not a permutation is refused in one clear line",
             wrong_cycles_are_refused),
        TEST("apply, compose and inverse are those of maps of addresses", algebra_is_that_of_maps),
        TEST("the cycles and inversions of a permutation compose to it",
             cycles_compose_to_the_whole),
        TEST("the constituting mixed GSH of a cycle, then its virtual one, compose to it",
             factors_compose_to_the_cycle),
        TEST("the named permutations have the cycles, orders and kinds of the table",
             named_permutations_are_these_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
