/* SPDX-License-Identifier: Apache-2.0 */
/* Two phases for every linear permutation y = A x + b of a cube: at most two steps, the right
 * places, and no link twice in a step, counted here link by link in both orders of the dimensions.
 * Uses only the data of a schedule from the library. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "ecube/schedule.h"

enum { DIMS = 10, NODES = 1 << DIMS };

/* Column c is the image of bit c. */
struct map {
    unsigned n;
    uint32_t column[DIMS], inverted;
};

static uint32_t image(const struct map *m, uint32_t x)
{
    uint32_t y = m->inverted;
    for (unsigned c = 0; c < m->n; c++)
        y ^= x >> c & 1 ? m->column[c] : 0;
    return y;
}

/* Walk from node to node in routing order and use the links. True if all were unused. */
static bool walk(unsigned n, bool high, uint32_t from, uint32_t to, uint32_t use,
                 uint32_t (*used)[DIMS])
{
    bool good = true;
    for (unsigned i = 0; i < n; i++) {
        const unsigned d = high ? n - 1 - i : i;
        if (!((from ^ to) >> d & 1))
            continue;
        good &= used[from][d] != use;
        used[from][d] = use;
        from ^= UINT32_C(1) << d;
    }
    return good;
}

static bool is_free(const struct map *m, bool high)
{
    static uint32_t used[NODES][DIMS];
    bool good = true;
    memset(used, 0, sizeof used[0] << m->n);
    for (uint32_t x = 0; x < UINT32_C(1) << m->n; x++)
        good &= walk(m->n, high, x, image(m, x), 1, used);
    return good;
}

static void check(const struct map *m, const struct ec_topology *t, bool high)
{
    static struct ec_message messages[NODES];
    static uint32_t at[NODES], used[NODES][DIMS];
    struct ec_workload w = {.text = "a linear map",
                            .nodes = t->nodes,
                            .messages = messages,
                            .message_count = t->nodes,
                            .permutation = true,
                            .per_node = 1,
                            .holders = t->nodes,
                            .words = 1};
    const struct ec_router r = {.order = high ? EC_ORDER_HIGH : EC_ORDER_LOW};
    struct ec_schedule *s;
    struct ec_schedule_audit a;
    struct ec_error e;
    bool good = true;

    for (uint32_t x = 0; x < t->nodes; x++) {
        messages[x] = (struct ec_message){1, x, image(m, x), 1, 0};
        at[x] = x;
    }
    if (ec_schedule_open(t, &w, high ? "two-phase:order=high" : "two-phase", &s, &e) ||
        ec_schedule_audit(t, &r, s, &a, &e))
        fail_msg("n=%u: %s", m->n, e.message);
    memset(used, 0, sizeof used[0] << m->n);
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        const uint32_t element = s->carried[x->first].element;
        good &= x->count == 1 && at[element] == x->src && x->src != x->dst;
        good &= walk(m->n, high, x->src, x->dst, x->step, used);
        at[element] = x->dst;
    }
    for (uint32_t x = 0; x < t->nodes; x++)
        good &= at[x] == messages[x].dst;
    if (!good || s->steps > (is_free(m, high) ? 1 : 2) || !a.valid || *a.defect)
        fail_msg("n=%u, A = columns %u %u %u %u..., b = %u, %s first: %u steps; audit: '%s'", m->n,
                 m->column[0], m->column[1], m->column[2], m->column[3], m->inverted,
                 high ? "highest" : "lowest", s->steps, a.defect);
    ec_schedule_close(s);
}

static struct ec_topology cube(unsigned n)
{
    char text[16];
    snprintf(text, sizeof text, "cube:%u", n);
    return topology_of(text);
}

/* Is the column independent of the first `count`? By all their sums. */
static bool is_new(const struct map *m, unsigned count, uint32_t column)
{
    for (uint32_t sum = 0; sum < UINT32_C(1) << count; sum++) {
        uint32_t left = column;
        for (unsigned c = 0; c < count; c++)
            left ^= sum >> c & 1 ? m->column[c] : 0;
        if (left == 0)
            return false;
    }
    return true;
}

/* Every A with these first columns, each with one b. Returns their number. */
static unsigned each_matrix(struct map *m, unsigned columns, const struct ec_topology *t)
{
    unsigned count = 0;
    if (columns == m->n) {
        m->inverted = (m->inverted + 5) % t->nodes;
        check(m, t, false);
        check(m, t, true);
        return 1;
    }
    for (uint32_t column = 1; column < t->nodes; column++) {
        if (!is_new(m, columns, column))
            continue;
        m->column[columns] = column;
        count += each_matrix(m, columns + 1, t);
    }
    return count;
}

static void every_matrix_of_small_cubes(NO_STATE)
{
    static const unsigned members[] = {1, 1, 6, 168, 20160}; /* of GL(n, 2) */
    for (unsigned n = 1; n < COUNT(members); n++) {
        const struct ec_topology t = cube(n);
        struct map m = {.n = n};
        assert_int_equal(each_matrix(&m, 0, &t), members[n]);
    }
}

static void random_matrices_of_larger_cubes(NO_STATE)
{
    uint64_t draw = 0;
    for (unsigned n = 5; n <= DIMS; n++) {
        const struct ec_topology t = cube(n);
        for (unsigned i = 0; i < 20; i++) {
            struct map m = {.n = n, .inverted = (uint32_t)(ec_rng_mix(++draw) % t.nodes)};
            for (unsigned c = 0; c < n; c++) {
                do
                    m.column[c] = (uint32_t)(ec_rng_mix(++draw) % t.nodes);
                while (!is_new(&m, c, m.column[c]));
            }
            check(&m, &t, i % 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every matrix of small cubes", every_matrix_of_small_cubes),
        TEST("random matrices of larger cubes", random_matrices_of_larger_cubes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
