/* SPDX-License-Identifier: Apache-2.0 */
/* Every linear permutation y = A x + b of a cube in two congestion-free phases of whole messages,
 * each on the router's own paths (docs/study/BEYOND.md, theorem 7). Knows matrices over GF(2) and
 * the order of dimensions; must not know links. */
#include "schedule/shift/shift.h"

/* Row d has bit c if bit c of x is in bit d of y. Dimensions are numbered in routing order. */
struct linear {
    unsigned dims;
    bool high; /* the router corrects the highest dimension first */
    uint32_t row[EC_DIMS_MAX];
    uint32_t inverted; /* b */
};

/* A label with its bits in routing order, and back. */
static uint32_t renumber(const struct linear *a, uint32_t label)
{
    uint32_t reversed = 0;

    if (!a->high)
        return label;
    for (unsigned d = 0; d < a->dims; d++)
        reversed |= (label >> d & 1) << (a->dims - 1 - d);
    return reversed;
}

static uint32_t multiply(const struct linear *a, uint32_t x)
{
    uint32_t y = 0;

    for (unsigned d = 0; d < a->dims; d++)
        y |= (uint32_t)__builtin_parity(a->row[d] & x) << d;
    return y;
}

/* The matrix of the targets. False: they are not linear. */
static bool find_matrix(const struct journey *j, struct linear *a)
{
    const struct ec_place *target = j->p->s->target;

    a->inverted = renumber(a, target[0].node);
    for (unsigned c = 0; c < a->dims; c++) {
        const uint32_t x = renumber(a, UINT32_C(1) << c);
        const uint32_t column = renumber(a, target[x].node) ^ a->inverted;
        for (unsigned d = 0; d < a->dims; d++)
            a->row[d] |= (column >> d & 1) << c;
    }
    for (uint32_t x = 0; x < j->nodes; x++) {
        if (renumber(a, target[x].node) != (multiply(a, renumber(a, x)) ^ a->inverted))
            return false;
    }
    return true;
}

/* A basis of rows over GF(2): entry c has c as its highest bit, or is 0. */
struct basis {
    uint32_t row[EC_DIMS_MAX];
};

/* What is left of a row after those of the basis are taken out: 0 if it is in their span. */
static uint32_t reduce(const struct basis *b, uint32_t row)
{
    for (unsigned c = EC_DIMS_MAX; c-- > 0 && row;)
        row ^= row >> c & 1 ? b->row[c] : 0;
    return row;
}

/* Returns true if the rank has grown. */
static bool extend(struct basis *b, uint32_t row)
{
    const uint32_t left = reduce(b, row);

    if (left)
        b->row[31 - __builtin_clz(left)] = left;
    return left != 0;
}

static unsigned rank(const struct linear *a, unsigned rows, uint32_t columns)
{
    struct basis b = {{0}};
    unsigned count = 0;

    for (unsigned d = 0; d < rows; d++)
        count += extend(&b, a->row[d] & columns);
    return count;
}

/* Theorem 1: full rank of rows 0..d and columns 0..d-1 for every d that messages cross. */
static bool is_free(const struct linear *a)
{
    for (unsigned d = 0; d < a->dims; d++) {
        const uint32_t bit = UINT32_C(1) << d;
        const bool crossed = a->row[d] != bit || a->inverted & bit;
        if (crossed && rank(a, d + 1, bit - 1) < d)
            return false;
    }
    return true;
}

/* Row k of V A is row k of A, or the sum with a later row, so that the leading minors of V A are
 * not zero. Returns that later row, or k if there is none. `above`: columns 0..k of the rows of V A
 * before k; theorem 7 shows that a row outside their span exists. */
static unsigned partner_of(const struct linear *a, unsigned k, const struct basis *above)
{
    const uint32_t columns = (UINT32_C(2) << k) - 1;
    unsigned partner = k;

    while (partner < a->dims && !reduce(above, a->row[partner] & columns))
        partner++;
    return partner;
}

/* ret_later[k]: the later bits of y that bit k of V y adds to its own. */
static void choose_middle(const struct linear *a, uint32_t *ret_later)
{
    uint32_t rows[EC_DIMS_MAX] = {0};

    for (unsigned k = 0; k < a->dims; k++) {
        struct basis above = {{0}};
        for (unsigned i = 0; i < k; i++)
            extend(&above, rows[i] & ((UINT32_C(2) << k) - 1));
        const unsigned partner = partner_of(a, k, &above);
        ret_later[k] = partner > k ? UINT32_C(1) << partner : 0;
        rows[k] = partner > k ? a->row[k] ^ a->row[partner] : a->row[k];
    }
}

/* The node between the phases: V y. */
static uint32_t middle_of(const struct linear *a, const uint32_t *later, uint32_t target)
{
    const uint32_t y = renumber(a, target);
    uint32_t z = y;

    for (unsigned k = 0; k < a->dims; k++)
        z ^= (uint32_t)__builtin_parity(y & later[k]) << k;
    return renumber(a, z);
}

/* In the current step every element that is not at its node goes there. */
static void send_all(struct journey *j, const struct linear *a, const uint32_t *later)
{
    bool used = false;

    for (uint32_t i = 0; i < j->nodes; i++) {
        const uint32_t target = j->p->s->target[i].node;
        const uint32_t to = later ? middle_of(a, later, target) : target;
        if (to == j->at[i])
            continue;
        journey_send(j, i, to);
        used = true;
    }
    j->step += used;
}

static enum ec_code check(const struct plan *p, struct ec_error *reterr)
{
    if (p->t->kind == EC_CUBE && p->w->permutation && p->w->words > 0)
        return EC_OK;
    return plan_refuse(p, reterr,
                       "expected a permutation on a cube, with messages of one length; got "
                       "'%.100s': use --algorithm direct",
                       p->w->text);
}

enum ec_code two_phase_make(struct plan *p, struct ec_error *reterr)
{
    static const char *const orders[] = {"low", "high", NULL};
    struct linear a = {.dims = p->t->dims};
    struct journey j = {0};
    uint32_t later[EC_DIMS_MAX] = {0};
    unsigned order = 0;
    enum ec_code code = check(p, reterr);

    if (code == EC_OK)
        code = plan_choice(p, PLAN_KEY_ORDER, orders, 0, &order, reterr);
    if (code == EC_OK)
        code = journey_open(p, &j, reterr);
    if (code)
        return code;
    a.high = order == 1;
    plan_expect(p, 2 * (uint64_t)j.nodes);
    if (!find_matrix(&j, &a) || rank(&a, a.dims, UINT32_MAX) < a.dims) {
        code = plan_refuse(p, reterr,
                           "expected a linear permutation y = A x + b of the address bits, with an "
                           "invertible A; '%.100s' is none: use --algorithm direct",
                           p->w->text);
    } else {
        if (!is_free(&a)) {
            choose_middle(&a, later);
            send_all(&j, &a, later);
        }
        send_all(&j, &a, NULL);
    }
    journey_close(&j);
    return code;
}
