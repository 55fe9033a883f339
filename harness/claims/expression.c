/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates integer expressions directly from their text by recursive descent.
 *
 * Knows operators and arithmetic functions; must not know what names mean. */
#include "claims/expression.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 100 };

CLAIMS_FORMAT(2, 3)
static bool fail(struct claims_expression *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!*e->error)
        vsnprintf(e->error, sizeof e->error, format, args);
    va_end(args);
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool claims_take(struct claims_expression *e, const char *word)
{
    while (*e->at == ' ')
        e->at++;
    if (*e->at != *word)
        return false;
    const size_t length = strlen(word);
    if (strncmp(e->at, word, length) != 0 || (is_word(word[length - 1]) && is_word(e->at[length])))
        return false;
    e->at += length;
    return true;
}

bool claims_take_relation(struct claims_expression *e, enum claims_relation *ret)
{
    static const struct {
        const char *sign;
        enum claims_relation relation;
    } all[] = {{"==", CLAIMS_EQ},
               {"<=", CLAIMS_LE},
               {">=", CLAIMS_GE},
               {"<", CLAIMS_LT},
               {">", CLAIMS_GT}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (claims_take(e, all[i].sign)) {
            *ret = all[i].relation;
            return true;
        }
    }
    return false;
}

bool claims_holds(int64_t left, enum claims_relation relation, int64_t right)
{
    return relation == CLAIMS_EQ   ? left == right
           : relation == CLAIMS_LE ? left <= right
           : relation == CLAIMS_LT ? left < right
           : relation == CLAIMS_GE ? left >= right
                                   : left > right;
}

/* --- Functions of numbers --------------------------------------------------------------------- */

/* An overflow, which does not matter where nothing is computed. */
static bool too_large(struct claims_expression *e, int64_t *ret)
{
    *ret = 0;
    return e->skipping > 0 || fail(e, "number too large");
}

static bool power(struct claims_expression *e, int64_t base, int64_t exponent, int64_t *ret)
{
    *ret = 1;
    if (exponent < 0)
        return e->skipping > 0 || fail(e, "negative exponent");
    if (base >= -1 && base <= 1) /* the exponent may be anything */
        exponent = exponent > 2 ? 2 - exponent % 2 : exponent;
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(*ret, base, ret))
            return too_large(e, ret);
    return true;
}

static int64_t gcd(int64_t a, int64_t b)
{
    if (b == 0 || b == -1) /* INT64_MIN % -1 is not defined */
        return b == 0 ? a : b;
    return gcd(b, a % b);
}

/* False: unknown function. */
static bool call_builtin(const char *name, size_t length, const int64_t *a, size_t count,
                         int64_t *ret)
{
#define IS(word, arguments)                                                                        \
    (count == (arguments) && length == strlen(word) && strncmp(name, word, length) == 0)
    if (IS("min", 2))
        *ret = a[0] < a[1] ? a[0] : a[1];
    else if (IS("max", 2))
        *ret = a[0] > a[1] ? a[0] : a[1];
    else if (IS("ones", 1))
        *ret = __builtin_popcountll((uint64_t)a[0]);
    else if (IS("gamma", 1)) /* the largest j such that 2^j divides a */
        *ret = a[0] ? __builtin_ctzll((uint64_t)a[0]) : 0;
    else if (IS("log2", 1)) /* rounded up */
        *ret = a[0] > 1 ? 64 - __builtin_clzll((uint64_t)a[0] - 1) : 0;
    else if (IS("gray", 1))
        *ret = a[0] ^ a[0] >> 1;
    else if (IS("ring", 1)) /* the inverse of gray */
        for (int64_t rest = *ret = a[0]; (rest >>= 1);)
            *ret ^= rest;
    else if (IS("xor", 2))
        *ret = a[0] ^ a[1];
    else if (IS("and", 2))
        *ret = a[0] & a[1];
    else if (IS("bit", 2) && a[1] >= 0 && a[1] < 63)
        *ret = a[0] >> a[1] & 1;
    else if (IS("rotl", 3) && a[1] > 0 && a[1] < 63 && a[2] >= 0 && a[2] <= a[1]) /* of a[1] bits */
        *ret = (a[0] << a[2] | a[0] >> (a[1] - a[2])) & ((INT64_C(1) << a[1]) - 1);
    else if (IS("gcd", 2))
        *ret = gcd(a[0], a[1]);
    else if (IS("ceil", 2) && a[1] > 0)
        *ret = a[0] / a[1] + (a[0] % a[1] > 0);
    else
        return false;
#undef IS
    return true;
}

/* --- The grammar ------------------------------------------------------------------------------ */

static bool evaluate_choice(struct claims_expression *e, int64_t *ret);

static bool evaluate_call(struct claims_expression *e, const char *name, size_t length,
                          int64_t *ret)
{
    int64_t a[CLAIMS_ARGUMENTS_MAX];
    size_t count = 0;
    do {
        if (count == CLAIMS_ARGUMENTS_MAX || !evaluate_choice(e, &a[count++]))
            return fail(e, "too many arguments for %.*s", (int)length, name);
    } while (claims_take(e, ","));
    if (!claims_take(e, ")"))
        return fail(e, "expected ')' at '%.40s'", e->at);
    *ret = 0;
    if (e->skipping || call_builtin(name, length, a, count, ret) ||
        e->call(e->context, name, length, a, count, ret))
        return true;
    return fail(e, "unknown function %.*s with %zu arguments", (int)length, name, count);
}

enum range { ALL, ANY, SUM, LEAST, MOST, FIRST, RANGES };

static enum range range_of(const char *name, size_t length)
{
    static const char *const names[RANGES] = {"all", "any", "sum", "least", "most", "first"};
    int i = 0;
    while (i < RANGES && (strlen(names[i]) != length || strncmp(names[i], name, length) != 0))
        i++;
    return (enum range)i;
}

/* Adds the value for one i. True: no other value matters. */
static bool range_takes(enum range range, bool first, int64_t i, int64_t value, int64_t *ret)
{
    switch (range) {
    case ALL:
        *ret = value != 0;
        return value == 0;
    case ANY:
        *ret = value != 0;
        return value != 0;
    case SUM:
        *ret += value;
        return false;
    case LEAST:
        *ret = first || value < *ret ? value : *ret;
        return false;
    case MOST:
        *ret = first || value > *ret ? value : *ret;
        return false;
    default:
        *ret = value ? i : i + 1;
        return value != 0;
    }
}

/* NAME = FIRST .. LAST: EXPRESSION) */
static bool evaluate_range(struct claims_expression *e, enum range range, int64_t *ret)
{
    struct claims_bound bound = {.outer = e->bound};
    int64_t last, value;
    e->at += strspn(e->at, " ");
    bound.name = e->at;
    while (is_word(e->at[bound.length]))
        bound.length++;
    e->at += bound.length;
    if (bound.length == 0 || !claims_take(e, "=") || !claims_evaluate_sum(e, &bound.value) ||
        !claims_take(e, "..") || !claims_evaluate_sum(e, &last) || !claims_take(e, ":"))
        return fail(e, "expected NAME = FIRST .. LAST: EXPRESSION at '%.40s'", bound.name);
    const char *body = e->at;
    const int64_t first = bound.value;
    const bool empty = e->skipping > 0 || first > last;
    *ret = range == ALL || (range == FIRST ? first : 0);
    struct claims_expression inner = *e;
    inner.bound = &bound;
    inner.skipping += empty;
    do {
        inner.at = body;
        if (!evaluate_choice(&inner, &value))
            return fail(e, "%s", inner.error);
    } while (!empty && !range_takes(range, bound.value == first, bound.value, value, ret) &&
             bound.value++ < last);
    e->at = inner.at;
    return claims_take(e, ")") || fail(e, "expected ')' at '%.40s'", e->at);
}

static bool evaluate_name(struct claims_expression *e, const char *name, size_t length,
                          int64_t *ret)
{
    for (const struct claims_bound *b = e->bound; b; b = b->outer) {
        if (b->length == length && strncmp(b->name, name, length) == 0) {
            *ret = b->value;
            return true;
        }
    }
    *ret = 0;
    return e->skipping || e->value(e->context, name, length, ret) ||
           fail(e, "no value is called %.*s", (int)length, name);
}

static bool evaluate_unsigned(struct claims_expression *e, int64_t *ret)
{
    int64_t quick;
    e->at += strspn(e->at, " ");
    const char *word = e->at;
    size_t length = 0;
    if (isdigit((unsigned char)*word)) {
        for (*ret = 0; isdigit((unsigned char)*e->at); e->at++) {
            if (__builtin_mul_overflow(*ret, 10, ret) ||
                __builtin_add_overflow(*ret, *e->at - '0', ret))
                return fail(e, "number too large");
        }
        return true;
    }
    if (claims_take(e, "("))
        return evaluate_choice(e, ret) &&
               (claims_take(e, ")") || fail(e, "expected ')' at '%.40s'", e->at));
    if (claims_take(e, "[")) {
        if (!evaluate_choice(e, &quick) || !claims_take(e, "|") || !evaluate_choice(e, ret) ||
            !claims_take(e, "]"))
            return fail(e, "expected [QUICK|FULL] at '%.40s'", word);
        *ret = e->full ? *ret : quick;
        return true;
    }
    while (is_word(word[length]))
        length++;
    e->at += length;
    if (length == 0)
        return fail(e, "expected a value at '%.40s'", word);
    if (!claims_take(e, "("))
        return evaluate_name(e, word, length, ret);
    const enum range range = range_of(word, length);
    return range < RANGES ? evaluate_range(e, range, ret) : evaluate_call(e, word, length, ret);
}

static bool evaluate_primary(struct claims_expression *e, int64_t *ret)
{
    bool negative = false;
    while (claims_take(e, "-"))
        negative = !negative;
    if (!evaluate_unsigned(e, ret))
        return false;
    return !negative || !__builtin_sub_overflow(0, *ret, ret) || too_large(e, ret);
}

static bool evaluate_power(struct claims_expression *e, int64_t *ret)
{
    int64_t exponent;
    if (!evaluate_primary(e, ret))
        return false;
    return !claims_take(e, "^") ||
           (evaluate_primary(e, &exponent) && power(e, *ret, exponent, ret));
}

/* By a divisor that is not 0, unless the result does not matter. */
static bool multiply(struct claims_expression *e, char sign, int64_t right, int64_t *ret)
{
    bool overflow = false;
    if (sign == '*')
        overflow = __builtin_mul_overflow(*ret, right, ret);
    else if (right == -1) /* INT64_MIN / -1 is not defined */
        overflow = __builtin_mul_overflow(*ret, sign == '/' ? -1 : 0, ret);
    else if (right != 0)
        *ret = sign == '/' ? *ret / right : *ret % right;
    return !overflow || too_large(e, ret);
}

static bool evaluate_product(struct claims_expression *e, int64_t *ret)
{
    int64_t right;
    if (!evaluate_power(e, ret))
        return false;
    for (;;) {
        e->at += strspn(e->at, " ");
        const char sign = *e->at;
        if (sign != '*' && sign != '/' && sign != '%')
            return true;
        e->at++;
        if (!evaluate_power(e, &right))
            return false;
        if (right == 0 && sign != '*' && !e->skipping)
            return fail(e, "division by zero");
        if (!multiply(e, sign, right, ret))
            return false;
    }
}

bool claims_evaluate_sum(struct claims_expression *e, int64_t *ret)
{
    int64_t right;
    if (!evaluate_product(e, ret))
        return false;
    for (;;) {
        const bool plus = claims_take(e, "+");
        if (!plus && !claims_take(e, "-"))
            return true;
        if (!evaluate_product(e, &right))
            return false;
        if ((plus ? __builtin_add_overflow(*ret, right, ret)
                  : __builtin_sub_overflow(*ret, right, ret)) &&
            !too_large(e, ret))
            return false;
    }
}

static bool evaluate_comparison(struct claims_expression *e, int64_t *ret)
{
    enum claims_relation relation;
    int64_t right;
    unsigned negations = 0;
    while (claims_take(e, "not"))
        negations++;
    if (!claims_evaluate_sum(e, ret))
        return false;
    if (claims_take(e, "!=")) {
        if (!claims_evaluate_sum(e, &right))
            return false;
        *ret = *ret != right;
    } else if (claims_take_relation(e, &relation)) {
        if (!claims_evaluate_sum(e, &right))
            return false;
        *ret = claims_holds(*ret, relation, right);
    }
    if (negations > 0)
        *ret = (*ret != 0) == (negations % 2 == 0);
    return true;
}

/* After "0 and" or "1 or" the right operand is parsed, but has no effect. */
static bool evaluate_logic(struct claims_expression *e, bool is_or, int64_t *ret)
{
    int64_t right;
    if (!(is_or ? evaluate_logic(e, false, ret) : evaluate_comparison(e, ret)))
        return false;
    while (claims_take(e, is_or ? "or" : "and")) {
        const bool decided = (*ret != 0) == is_or;
        e->skipping += decided;
        const bool good = is_or ? evaluate_logic(e, false, &right) : evaluate_comparison(e, &right);
        e->skipping -= decided;
        if (!good)
            return false;
        *ret = decided ? is_or : right != 0;
    }
    return true;
}

static bool evaluate_open_choice(struct claims_expression *e, int64_t *ret)
{
    int64_t other;
    if (!evaluate_logic(e, true, ret) || !claims_take(e, "?"))
        return !*e->error;
    const bool first = *ret != 0;
    e->skipping += !first;
    bool good = evaluate_choice(e, ret);
    e->skipping -= !first;
    good = good && (claims_take(e, ":") || fail(e, "expected ':' at '%.40s'", e->at));
    e->skipping += first;
    good = good && evaluate_choice(e, &other);
    e->skipping -= first;
    *ret = first ? *ret : other;
    return good;
}

/* Everything that is nested comes through here. */
static bool evaluate_choice(struct claims_expression *e, int64_t *ret)
{
    if (e->depth == DEPTH_MAX)
        return fail(e, "more than %d expressions in each other", DEPTH_MAX);
    e->depth++;
    const bool good = evaluate_open_choice(e, ret);
    e->depth--;
    return good;
}

bool claims_evaluate(struct claims_expression *e, int64_t *ret)
{
    return evaluate_choice(e, ret);
}

bool claims_call_form(struct claims_expression *e, const char *const *forms, const char *name,
                      size_t length, const int64_t *arguments, size_t count, int64_t *ret)
{
    struct claims_bound bound[CLAIMS_ARGUMENTS_MAX];
    struct claims_expression inner = *e;
    while (forms && *forms && (strncmp(*forms, name, length) != 0 || (*forms)[length] != '('))
        forms++;
    if (!forms || !*forms)
        return false;
    const char *at = *forms + length;
    for (size_t i = 0; i < count; i++) {
        at += 1 + strspn(at + 1, " ");
        bound[i] = (struct claims_bound){at, strcspn(at, ",)"), arguments[i], inner.bound};
        inner.bound = &bound[i];
        at += bound[i].length;
        if (*at != (i + 1 < count ? ',' : ')'))
            return false;
    }
    inner.at = at + strcspn(at, "=") + 1;
    if (!claims_evaluate(&inner, ret))
        return fail(e, "%s", inner.error);
    return !*inner.at || fail(e, "unexpected '%.40s'", inner.at);
}
