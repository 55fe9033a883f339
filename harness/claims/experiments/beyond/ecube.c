/* SPDX-License-Identifier: Apache-2.0 */
/* E-cube routing of permutations of address bits, of linear maps and of any map of the nodes: the
 * theorems of docs/study/BEYOND.md.
 *
 * Counts walk every message bit by bit; audits and runs are those of the library. Knows the closed
 * forms; must not know how the library routes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "ec_cost_ecube.h"

enum {
    DIMS_MAX = 9,
    NODES_MAX = 1 << DIMS_MAX,
    WORDS = 16, /* longer than the paths, so that messages that share a link meet */
};

static const char *const router_orders[] = {"low", "high"};

/* --- Maps of the nodes ------------------------------------------------------------------------ */

struct map {
    unsigned n;
    uint32_t to[NODES_MAX];
};

struct order {
    uint8_t dim[DIMS_MAX];
};

static uint32_t nodes_of(unsigned n)
{
    return UINT32_C(1) << n;
}

static struct order common_order(unsigned n, bool highest_first)
{
    struct order o = {{0}};
    for (unsigned i = 0; i < n && i < DIMS_MAX; i++)
        o.dim[i] = (uint8_t)(highest_first ? n - 1 - i : i);
    return o;
}

/* Messages on the busiest link of each dimension. Returns the largest number. */
static uint32_t walk(const struct map *m, const struct order *o, uint32_t *ret_load)
{
    uint16_t load[NODES_MAX][DIMS_MAX];
    uint32_t most = 0;
    memset(load, 0, nodes_of(m->n) * sizeof *load);
    memset(ret_load, 0, m->n * sizeof *ret_load);
    for (uint32_t x = 0; x < nodes_of(m->n); x++) {
        uint32_t at = x;
        for (unsigned i = 0; i < m->n; i++) {
            const unsigned d = o->dim[i];
            if (!((at ^ m->to[x]) >> d & 1))
                continue;
            ret_load[d] = claims_max(ret_load[d], ++load[at][d]);
            most = claims_max(most, ret_load[d]);
            at ^= UINT32_C(1) << d;
        }
    }
    return most;
}

static bool is_free(const struct map *m, const struct order *o)
{
    uint32_t load[DIMS_MAX];
    return walk(m, o, load) <= 1;
}

/* The same map when dimension o->dim[i] is called i. */
static struct map renumbered(const struct map *m, const struct order *o)
{
    struct map r = {.n = m->n};
    for (uint32_t x = 0; x < nodes_of(m->n); x++) {
        uint32_t name = 0, image = 0;
        for (unsigned i = 0; i < m->n; i++) {
            name |= (x >> o->dim[i] & 1) << i;
            image |= (m->to[x] >> o->dim[i] & 1) << i;
        }
        r.to[name] = image;
    }
    return r;
}

/* Runs a map on RTL: some cycle is contended if and only if two messages share a link. Those that
 * share one in the first such dimension arrive there without contention, at most n cycles apart. */
static bool contention_is(struct claims_run *run, const struct map *m, bool shared,
                          const char *name)
{
    struct claims_seen seen;
    if (!claims_measure_map_if(run, true, &seen, m->n, m->to, WORDS))
        return false;
    claims_case(run, (seen.load > 1) == shared, "n=%u, %s: audited", m->n, name);
    if (claims_sees_contention(run, &seen))
        claims_case(run, (seen.contended > 0) == shared, "n=%u, %s: on RTL", m->n, name);
    return true;
}

/* --- Permutations of address bits ------------------------------------------------------------- */

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Arrangement `number` of n things. */
static struct order arrangement(unsigned n, unsigned number)
{
    struct order o = common_order(n, false);
    for (unsigned i = n; i > 1; number /= i--) {
        const unsigned j = number % i;
        const uint8_t last = o.dim[i - 1];
        o.dim[i - 1] = o.dim[j];
        o.dim[j] = last;
    }
    return o;
}

static struct ec_sdp bits_of(unsigned n, unsigned number, uint64_t complement)
{
    struct ec_sdp s = ec_sdp_identity(0, n);
    const struct order o = arrangement(n, number);
    memcpy(s.from, o.dim, n);
    s.complement = complement;
    return s;
}

static struct map map_of(const struct ec_sdp *s)
{
    struct map m = {.n = s->processor};
    for (uint32_t x = 0; x < nodes_of(m.n); x++)
        m.to[x] = (uint32_t)ec_sdp_apply(s, x);
    return m;
}

/* All permutations of 1 .. last bits, those of up to `inverted` bits with every complement:
 *
 *     for (struct bits b = {.last = 4}; bits_next(&b);)
 *         ... b.sdp, b.text ...
 */
struct bits {
    unsigned last, inverted;
    struct ec_sdp sdp;
    char text[64]; /* "2-0+~1"; "" for the identity */

    unsigned number; /* private to the iterator */
};

static bool bits_next(struct bits *b)
{
    unsigned n = b->sdp.processor;
    uint64_t complement = b->sdp.complement + 1;
    if (n == 0 || complement >= (n <= b->inverted ? nodes_of(n) : 1)) {
        complement = 0;
        b->number++;
    }
    if (n == 0 || b->number == factorial(n)) {
        b->number = 0;
        n++;
    }
    if (n > b->last)
        return false;
    b->sdp = bits_of(n, b->number, complement);
    ec_sdp_format(&b->sdp, b->text, sizeof b->text);
    return true;
}

/* All links of the dimension that are used have this load. */
static bool alike(const struct claims_seen *seen, unsigned dim, uint64_t load)
{
    bool used = false;
    for (uint32_t i = 0; i < seen->topology->nodes; i++) {
        const uint32_t here = seen->audit->link_load[i * seen->audit->links + dim];
        if (here != 0 && here != load)
            return false;
        used |= here > 0;
    }
    return used == (load > 0);
}

static bool bits_load(struct claims_run *run, const struct bits *b, bool high, bool timed)
{
    const unsigned n = b->sdp.processor;
    const struct order o = common_order(n, high);
    struct claims_seen seen;
    uint64_t load[DIMS_MAX], most = 0;
    bool same = true;
    if (!claims_measure_if(run, timed, &seen, "cube:%u gsh:cycle=%s,m=%u --router order=%s", n,
                           b->text, WORDS, router_orders[high]))
        return false;
    ec_cost_ecube_bits(n, b->sdp.from, b->sdp.complement, o.dim, load);
    for (unsigned d = 0; d < n; d++) {
        same &= alike(&seen, d, load[d]);
        most = load[d] > most ? load[d] : most;
    }
    claims_predicted(run, "link load", most);
    claims_case(run, same, "n=%u, %s, order %s: loads of the dimensions", n, b->text,
                router_orders[high]);
    claims_relate(run, seen.load, CLAIMS_EQ, most, "n=%u, %s, order %s: messages on a link", n,
                  b->text, router_orders[high]);
    return true;
}

void experiment_bits_load(struct claims_run *run)
{
    const bool full = claims_is_full(run);
    struct bits b = {.last = full ? 6 : 5, .inverted = full ? 4 : 3};
    while (bits_next(&b)) {
        const bool timed = b.sdp.processor <= 3 || (full && b.sdp.processor == 4);
        for (int high = 0; *b.text && high < 2; high++)
            if (!bits_load(run, &b, high, timed))
                return;
    }
}

/* Theorem 2: in the list of the dimensions that are crossed, every bit goes to the next one at
 * most. */
static bool goes_to_next(const struct ec_sdp *s, const struct order *o)
{
    unsigned place[DIMS_MAX] = {0}, count = 0;
    for (unsigned i = 0; i < s->processor; i++) {
        const unsigned d = o->dim[i];
        if (s->from[d] != d || s->complement >> d & 1)
            place[d] = ++count;
    }
    for (unsigned d = 0; d < s->processor; d++)
        if (place[d] > place[s->from[d]] + 1 && place[d] > 0)
            return false;
    return true;
}

void experiment_bits_free(struct claims_run *run)
{
    const bool full = claims_is_full(run);
    struct bits b = {.last = full ? 5 : 4, .inverted = full ? 4 : 3};
    while (bits_next(&b)) {
        for (int high = 0; *b.text && high < 2; high++) {
            const unsigned n = b.sdp.processor;
            const struct order o = common_order(n, high);
            const bool expected = goes_to_next(&b.sdp, &o);
            struct claims_seen seen;
            if (!claims_measure(run, &seen, "cube:%u gsh:cycle=%s,m=%u --router order=%s", n,
                                b.text, WORDS, router_orders[high]))
                return;
            claims_case(run, expected == (seen.load <= 1), "n=%u, %s, order %s: audited", n, b.text,
                        router_orders[high]);
            if (claims_sees_contention(run, &seen))
                claims_case(run, expected == (seen.contended == 0), "n=%u, %s, order %s: on RTL", n,
                            b.text, router_orders[high]);
        }
    }
}

/* Free permutations of n bits, counted by walking all messages: [lowest first, both orders]. */
static void count_bits(unsigned n, bool inverted, uint64_t *ret_free)
{
    const struct order low = common_order(n, false), high = common_order(n, true);
    ret_free[0] = ret_free[1] = 0;
    for (unsigned number = 0; number < factorial(n); number++) {
        for (uint64_t complement = 0; complement < (inverted ? nodes_of(n) : 1); complement++) {
            const struct ec_sdp s = bits_of(n, number, complement);
            const struct map m = map_of(&s);
            const bool free_low = is_free(&m, &low);
            ret_free[0] += free_low;
            ret_free[1] += free_low && is_free(&m, &high);
        }
    }
}

void experiment_bits_count(struct claims_run *run)
{
    const unsigned last = claims_is_full(run) ? 9 : 7;
    uint64_t seen[2];
    claims_table_row(run, "n,permutations,free,in both orders,with inversions,free,in both orders");
    for (unsigned n = 1; n <= last; n++) {
        char inverted[80] = ",,";
        count_bits(n, false, seen);
        claims_predicted(run, "permutations", ec_cost_ecube_bits_free(n));
        claims_relate(run, seen[0], CLAIMS_EQ, ec_cost_ecube_bits_free(n), "n=%u: free", n);
        claims_relate(run, seen[1], CLAIMS_EQ, UINT64_C(1) << (n - 1), "n=%u: in both orders", n);
        if (n + 2 <= last) {
            uint64_t all[2];
            count_bits(n, true, all);
            claims_relate(run, all[0], CLAIMS_EQ, ec_cost_ecube_bits_free_complemented(n),
                          "n=%u, inverted: free", n);
            claims_relate(run, all[1], CLAIMS_EQ, ec_cost_ecube_bits_free_both(n),
                          "n=%u, inverted: in both orders", n);
            snprintf(inverted, sizeof inverted, "%u,%" PRIu64 ",%" PRIu64, factorial(n) << n,
                     all[0], all[1]);
        }
        claims_table_row(run, "%u,%u,%" PRIu64 ",%" PRIu64 ",%s", n, factorial(n), seen[0], seen[1],
                         inverted);
    }
}

/* --- Affine maps ------------------------------------------------------------------------------ */

/* x -> A x + b over GF(2); column c is the image of bit c. */
struct affine {
    unsigned n;
    uint32_t column[DIMS_MAX], inverted;
};

static struct map image(const struct affine *a)
{
    struct map m = {.n = a->n, .to = {a->inverted}};
    for (uint32_t x = 1; x < nodes_of(a->n); x++)
        m.to[x] = m.to[x & (x - 1)] ^ a->column[__builtin_ctz(x)];
    return m;
}

/* The rank of columns `columns` in rows `rows`. */
static unsigned rank(const struct affine *a, uint32_t rows, uint32_t columns)
{
    uint32_t basis[DIMS_MAX] = {0};
    unsigned found = 0;
    for (unsigned c = 0; c < a->n; c++) {
        uint32_t v = columns >> c & 1 ? a->column[c] & rows : 0;
        for (unsigned i = a->n; v && i-- > 0;) {
            if (!(v >> i & 1))
                continue;
            if (basis[i] == 0) {
                basis[i] = v;
                found++;
                break;
            }
            v ^= basis[i];
        }
    }
    return found;
}

static bool crossed(const struct affine *a, unsigned d)
{
    bool unit = true;
    for (unsigned c = 0; c < a->n; c++)
        unit &= (a->column[c] >> d & 1) == (c == d);
    return !unit || a->inverted >> d & 1;
}

/* Theorem 1. */
static void affine_case(struct claims_run *run, const struct affine *a)
{
    const struct order o = common_order(a->n, false);
    const struct map m = image(a);
    uint32_t load[DIMS_MAX];
    walk(&m, &o, load);
    for (unsigned d = 0; d < a->n; d++) {
        const unsigned r = rank(a, (UINT32_C(2) << d) - 1, (UINT32_C(1) << d) - 1);
        claims_relate(run, load[d], CLAIMS_EQ, crossed(a, d) ? UINT64_C(1) << (d - r) : 0,
                      "n=%u, dimension %u, rank %u: messages on a link", a->n, d, r);
    }
}

/* Calls `look` with every invertible A, b = 0. */
static bool each_linear(struct claims_run *run, struct affine *a, unsigned columns,
                        bool (*look)(struct claims_run *run, const struct affine *a, void *context),
                        void *context)
{
    if (columns == a->n)
        return look(run, a, context);
    for (a->column[columns] = 1; a->column[columns] < nodes_of(a->n); a->column[columns]++) {
        const uint32_t among = (UINT32_C(2) << columns) - 1;
        if (rank(a, UINT32_MAX, among) == columns + 1 &&
            !each_linear(run, a, columns + 1, look, context))
            return false;
    }
    return true;
}

static struct affine random_affine(unsigned n, bool invertible, uint64_t *state)
{
    struct affine a = {.n = n, .inverted = draw_below(state, nodes_of(n))};
    do {
        for (unsigned c = 0; c < n; c++)
            a.column[c] = draw_below(state, nodes_of(n));
    } while (invertible && rank(&a, UINT32_MAX, UINT32_MAX) < n);
    return a;
}

static bool every_inversion(struct claims_run *run, const struct affine *a, void *context)
{
    struct affine b = *a;
    (void)context;
    for (b.inverted = 0; b.inverted < nodes_of(b.n); b.inverted++)
        affine_case(run, &b);
    return true;
}

void experiment_affine_load(struct claims_run *run)
{
    const bool full = claims_is_full(run);
    uint64_t state = 1;
    claims_without_command(run);
    for (unsigned n = 1; n <= 3; n++) {
        struct affine a = {.n = n};
        each_linear(run, &a, 0, every_inversion, NULL);
    }
    for (unsigned n = 2; n <= (full ? 9U : 7U); n++) { /* also maps that are not invertible */
        for (unsigned i = 0; i < 100; i++) {
            const struct affine a = random_affine(n, i % 2, &state);
            affine_case(run, &a);
        }
    }
    for (unsigned n = 2; n <= (full ? 6U : 4U); n++) {
        for (unsigned i = 0; i < 20; i++) {
            const struct affine a = random_affine(n, true, &state);
            const struct map m = image(&a);
            const struct order o = common_order(n, false);
            if (!contention_is(run, &m, !is_free(&m, &o), "random affine map"))
                return;
        }
    }
}

static bool count_free(struct claims_run *run, const struct affine *a, void *context)
{
    uint64_t *counts = context; /* A, A x, A x + b */
    const struct order o = common_order(a->n, false);
    struct affine b = *a;
    (void)run;
    counts[0]++;
    for (b.inverted = 0; b.inverted < nodes_of(b.n); b.inverted++) {
        const struct map m = image(&b);
        const bool is = is_free(&m, &o);
        counts[1] += is && b.inverted == 0;
        counts[2] += is;
    }
    return true;
}

void experiment_affine_count(struct claims_run *run)
{
    claims_without_command(run);
    claims_table_row(run, "n,A x,free,A x + b,free");
    for (unsigned n = 1; n <= 4; n++) {
        struct affine a = {.n = n};
        uint64_t counts[3] = {0};
        each_linear(run, &a, 0, count_free, counts);
        claims_predicted(run, "maps", ec_cost_ecube_maps_free(n, false));
        claims_require_equal(run, counts[0], ec_cost_ecube_maps(n, false), "n=%u: all A", n);
        claims_relate(run, counts[1], CLAIMS_EQ, ec_cost_ecube_maps_free(n, false),
                      "n=%u: free A x", n);
        claims_relate(run, counts[2], CLAIMS_EQ, ec_cost_ecube_maps_free(n, true),
                      "n=%u: free A x + b", n);
        claims_table_row(run, "%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, n, counts[0],
                         counts[1], counts[0] << n, counts[2]);
    }
}

/* --- Orders of the dimensions ----------------------------------------------------------------- */

/* Theorem 3: continue with a dimension whose row keeps the columns of those before independent. */
static bool greedy_order(const struct affine *a, unsigned first, struct order *ret)
{
    uint32_t taken = 0;
    for (unsigned i = 0; i < a->n; i++) {
        unsigned d = i ? 0 : first;
        while (d < a->n && (taken >> d & 1 || rank(a, taken | UINT32_C(1) << d, taken) < i))
            d++;
        if (d == a->n)
            return false;
        ret->dim[i] = (uint8_t)d;
        taken |= UINT32_C(1) << d;
    }
    return true;
}

static bool has_order(struct claims_run *run, const struct affine *a, void *context)
{
    const struct map m = image(a);
    struct order o;
    (void)context;
    for (unsigned first = 0; first < a->n; first++)
        claims_case(run, greedy_order(a, first, &o) && is_free(&m, &o),
                    "n=%u, first dimension %u: a linear map has no free order", a->n, first);
    return true;
}

/* C! l_1 ... l_C n! / m!, the cycles being those of the dimensions that messages cross. */
static uint64_t free_orders(const struct ec_sdp *s)
{
    uint64_t seen = 0, orders = factorial(s->processor), cycles = 0;
    unsigned moved = 0;
    for (unsigned d = 0; d < s->processor; d++) {
        unsigned length = 0;
        if (s->from[d] == d && !(s->complement >> d & 1))
            continue;
        for (unsigned c = d; !(seen >> c & 1); c = s->from[c], length++)
            seen |= UINT64_C(1) << c;
        if (length == 0)
            continue;
        orders *= length * ++cycles;
        moved += length;
    }
    return orders / factorial(moved);
}

static bool bits_orders(struct claims_run *run, const struct bits *b, bool timed)
{
    const unsigned n = b->sdp.processor;
    const struct map m = map_of(&b->sdp);
    struct order o;
    uint64_t count = 0;
    ec_cost_ecube_order(n, b->sdp.from, o.dim);
    claims_case(run, is_free(&m, &o), "n=%u, %s: the order along the cycles", n, b->text);
    if (timed) {
        const struct map r = renumbered(&m, &o);
        if (!contention_is(run, &r, false, b->text))
            return false;
    }
    for (unsigned i = 0; i < factorial(n); i++) {
        const struct order other = arrangement(n, i);
        count += is_free(&m, &other);
    }
    claims_relate(run, count, CLAIMS_EQ, free_orders(&b->sdp), "n=%u, %s: free orders", n, b->text);
    return true;
}

void experiment_free_order(struct claims_run *run)
{
    const bool full = claims_is_full(run);
    uint64_t state = 1;
    struct bits b = {.last = full ? 6 : 5, .inverted = full ? 4 : 3};
    claims_without_command(run);
    while (bits_next(&b))
        if (*b.text && !bits_orders(run, &b, b.sdp.processor <= 4 && b.sdp.complement == 0))
            return;
    for (unsigned n = 1; n <= (full ? 4U : 3U); n++) {
        struct affine a = {.n = n};
        each_linear(run, &a, 0, has_order, NULL);
    }
    for (unsigned n = 4; n <= (full ? 9U : 6U); n++) {
        for (unsigned i = 0; i < 50; i++) {
            const struct affine a = random_affine(n, true, &state);
            const struct map m = image(&a);
            struct order o;
            has_order(run, &a, NULL);
            if (n > 4 || i >= 10 || !greedy_order(&a, 0, &o))
                continue;
            const struct map r = renumbered(&m, &o);
            if (!contention_is(run, &r, false, "renumbered affine map"))
                return;
        }
    }
}

/* --- Any permutation of the nodes ------------------------------------------------------------- */

static struct map random_map(unsigned n, uint64_t *state)
{
    struct map m = {.n = n};
    for (uint32_t i = 0; i < nodes_of(n); i++) {
        const uint32_t j = draw_below(state, i + 1);
        m.to[i] = m.to[j];
        m.to[j] = i;
    }
    return m;
}

/* Every permutation of the nodes of a 3-cube, by exchanges of node `fixed` and those after it. */
static void each_map(struct claims_run *run, struct map *m, uint32_t fixed, uint32_t *most)
{
    const struct order o = common_order(m->n, false);
    uint32_t load[DIMS_MAX];
    if (fixed == nodes_of(m->n)) {
        *most = claims_max(*most, walk(m, &o, load));
        return;
    }
    for (uint32_t i = fixed; i < nodes_of(m->n); i++) {
        const uint32_t a = m->to[fixed], b = m->to[i];
        m->to[fixed] = b;
        m->to[i] = a;
        each_map(run, m, fixed + 1, most);
        m->to[i] = b;
        m->to[fixed] = a;
    }
}

void experiment_most_load(struct claims_run *run)
{
    const unsigned last = claims_is_full(run) ? 8 : 6;
    uint64_t state = 1;
    for (unsigned n = 2; n <= last; n++) {
        struct claims_seen seen;
        if (!claims_measure(run, &seen, "cube:%u kshuffle:k=%u,m=%u", n, (n + 1) / 2, WORDS))
            return;
        claims_relate(run, seen.load, CLAIMS_EQ, ec_cost_ecube_most(n),
                      "n=%u, k-shuffle: messages on a link", n);
    }
    claims_without_command(run);
    for (unsigned n = 1; n <= 3; n++) {
        struct map m = {.n = n};
        uint32_t most = 0;
        for (uint32_t i = 0; i < nodes_of(n); i++)
            m.to[i] = i;
        each_map(run, &m, 0, &most);
        claims_relate(run, most, CLAIMS_EQ, ec_cost_ecube_most(n),
                      "n=%u, all permutations: messages on a link", n);
    }
    for (unsigned n = 4; n <= 9; n++) {
        for (unsigned i = 0; i < 200; i++) {
            const struct map m = random_map(n, &state);
            const struct order o = common_order(n, i % 2);
            uint32_t load[DIMS_MAX];
            claims_case(run, walk(&m, &o, load) <= ec_cost_ecube_most(n),
                        "n=%u: a random permutation has a larger load", n);
        }
    }
}

/* y_d = x_d xor a random function of the bits below d. */
static struct map random_triangle(unsigned n, uint64_t *state)
{
    struct map m = {.n = n};
    for (uint32_t below = 1; below < nodes_of(n); below *= 2) {
        for (uint32_t x = 0; x < below; x++) {
            const uint32_t flipped = draw_below(state, 2) * below;
            m.to[x + below] = m.to[x] + below - flipped;
            m.to[x] += flipped;
        }
    }
    return m;
}

static bool triangle_case(struct claims_run *run, const struct map *m, const char *name, bool timed)
{
    for (int high = 0; high < 2; high++) {
        const struct order o = common_order(m->n, high);
        claims_case(run, is_free(m, &o), "n=%u, %s, order %s", m->n, name, router_orders[high]);
    }
    return !timed || contention_is(run, m, false, name);
}

void experiment_triangular(struct claims_run *run)
{
    const unsigned last = claims_is_full(run) ? 7 : 5;
    uint64_t state = 1;
    claims_without_command(run);
    for (unsigned n = 1; n <= last; n++) {
        for (uint32_t a = 1; a < nodes_of(n); a += 2) {
            for (uint32_t b = 0; b < nodes_of(n); b++) {
                struct map m = {.n = n};
                for (uint32_t x = 0; x < nodes_of(n); x++)
                    m.to[x] = (a * x + b) % nodes_of(n);
                if (!triangle_case(run, &m, "a x + b", n <= 4 && a > 1 && b % 5 == 1))
                    return;
            }
        }
    }
    for (unsigned n = 2; n <= last + 2; n++) {
        for (unsigned i = 0; i < 100; i++) {
            const struct map m = random_triangle(n, &state);
            if (!triangle_case(run, &m, "a triangular function", n <= 5 && i < 10))
                return;
        }
    }
}
