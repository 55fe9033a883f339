/* SPDX-License-Identifier: Apache-2.0 */
/* The rates of a curve. Knows the states of its points and the bound; must not know how a point is
 * measured. */
#include "program/sweep/search.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* Rates of a search are this share of the bound apart, and have the digits to be. */
#define NEAR (SWEEP_RESOLUTION / 10)

/* --- Lists of rates ------------------------------------------------------------------------- */

/* Add a rate unless it is there already. The text is what is measured, so the number is read from
 * it again. False: the list is full. */
static bool add_rate(struct sweep_rates *r, const char *text, enum sweep_purpose purpose)
{
    struct sweep_rate x = {.purpose = purpose};
    size_t at = 0;
    snprintf(x.text, sizeof x.text, "%s", text);
    ec_slice_fraction(ec_slice_of(x.text), &x.rate);
    while (at < r->count && r->at[at].rate < x.rate)
        at++;
    if (at < r->count && r->at[at].rate == x.rate)
        return true;
    if (r->count == SWEEP_RATES_MAX)
        return false;
    memmove(&r->at[at + 1], &r->at[at], (r->count - at) * sizeof r->at[0]);
    r->at[at] = x;
    r->count++;
    return true;
}

static int digits_for(double bound)
{
    const int digits = (int)ceil(-log10(NEAR * bound));
    return digits < 1 ? 1 : digits > 15 ? 15 : digits;
}

static void add_number(struct sweep_rates *r, double rate, double bound, enum sweep_purpose purpose)
{
    char text[32];
    snprintf(text, sizeof text, "%.*f", digits_for(bound), rate);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    if (strcmp(text, "0") != 0)
        add_rate(r, text, purpose);
}

static enum ec_code refuse(const char *text, struct ec_error *e)
{
    return ec_fail(e, EC_USAGE,
                   "--rates '%.100s': expected rates above 0, such as 0.1,0.2,0.25, or "
                   "FROM:TO:STEP, such as 0.05:0.4:0.05",
                   text);
}

static enum ec_code too_many(const char *text, struct ec_error *e)
{
    return ec_fail(e, EC_USAGE, "--rates '%.100s': more than %d rates", text, SWEEP_RATES_MAX);
}

static enum ec_code read_range(const char *text, struct sweep_rates *ret, struct ec_error *e)
{
    struct ec_slice rest = ec_slice_of(text), part;
    double x[3];
    for (size_t i = 0; i < 3; i++) {
        if (!ec_slice_take(&rest, ':', &part) || !ec_slice_fraction(part, &x[i]))
            return refuse(text, e);
    }
    if (rest.at || x[0] <= 0 || x[2] <= 0 || x[1] < x[0])
        return refuse(text, e);
    const double last = x[1] * (1 + 1e-9);
    bool fits = x[0] + SWEEP_RATES_MAX * x[2] > last;
    for (size_t i = 0; fits && x[0] + (double)i * x[2] <= last; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.10g", x[0] + (double)i * x[2]);
        fits = add_rate(ret, number, SWEEP_GIVEN);
    }
    return fits ? EC_OK : too_many(text, e);
}

enum ec_code sweep_rates_read(const char *text, struct sweep_rates *ret, struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(text), part;
    ret->count = 0;
    if (strchr(text, ':'))
        return read_range(text, ret, reterr);
    while (ec_slice_take(&rest, ',', &part)) {
        char number[32];
        double rate;
        if (part.length >= sizeof number || !ec_slice_fraction(part, &rate) || rate <= 0)
            return refuse(text, reterr);
        snprintf(number, sizeof number, "%.*s", (int)part.length, part.at);
        if (!add_rate(ret, number, SWEEP_GIVEN))
            return too_many(text, reterr);
    }
    return EC_OK;
}

void sweep_rates_grid(double bound, struct sweep_rates *ret)
{
    static const double fractions[] = {0.05, 0.1, 0.2, 0.3, 0.4,  0.5,
                                       0.6,  0.7, 0.8, 0.9, 0.95, 1.1};
    ret->count = 0;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        add_number(ret, fractions[i] * bound, bound, SWEEP_GRID);
}

/* --- Brackets ------------------------------------------------------------------------------- */

/* On which side of a saturation a point is. UNDECIDED: its run was too short to tell. */
enum side { BELOW, BEYOND, UNDECIDED };

static bool is_steady(const struct sweep_point *p)
{
    return p->row.state == SWEEP_STEADY || p->row.state == SWEEP_LIMIT;
}

static enum side by_backlog(const struct sweep_curve *c, const struct sweep_point *p)
{
    (void)c;
    return p->row.state == SWEEP_SATURATED ? BEYOND : is_steady(p) ? BELOW : UNDECIDED;
}

static enum side by_latency(const struct sweep_curve *c, const struct sweep_point *p)
{
    const double limit = SWEEP_SLOW_FACTOR * c->zero_load;
    const struct sweep_mean *l = &p->row.latency;
    if (p->row.state == SWEEP_SATURATED)
        return BEYOND;
    if (!is_steady(p) || !l->known || !(l->half_width >= 0))
        return UNDECIDED;
    return l->mean - l->half_width > limit    ? BEYOND
           : l->mean + l->half_width <= limit ? BELOW
                                              : UNDECIDED;
}

/* What the widths of brackets are parts of: the bound or, where none is known, the words that a
 * node sends at most in a cycle. */
static double scale(const struct sweep_curve *c)
{
    return c->has_bound ? c->bound : 1;
}

static struct sweep_bracket bracket(const struct sweep_curve *c,
                                    enum side (*side)(const struct sweep_curve *,
                                                      const struct sweep_point *))
{
    /* At the bound there is no steady state, whatever was measured. */
    struct sweep_bracket b = {.has_high = c->has_bound, .high = c->has_bound ? c->bound : HUGE_VAL};
    for (size_t i = 0; i < c->point_count && c->points[i].rate < b.high; i++) {
        const enum side s = side(c, &c->points[i]);
        if (s == BELOW)
            b.low = c->points[i].rate;
        if (s != BEYOND)
            continue;
        b.has_high = true;
        b.high = c->points[i].rate;
    }
    b.has_low = b.low > 0 || b.has_high; /* without traffic nothing grows */
    return b;
}

bool sweep_bracket_is_narrow(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return b->high - b->low <= SWEEP_RESOLUTION * scale(c) * (1 + 1e-9);
}

bool sweep_bracket_is_measured(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return b->has_low && b->has_high && (!c->has_bound || b->high < c->bound);
}

bool sweep_bracket_is_found(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return sweep_bracket_is_measured(c, b) ||
           (b->has_low && b->has_high && sweep_bracket_is_narrow(c, b));
}

void sweep_curve_judge(struct sweep_curve *c)
{
    c->backlog = bracket(c, by_backlog);
    c->latency = c->has_zero_load ? bracket(c, by_latency) : (struct sweep_bracket){0};
    c->last_saturated = c->most_saturated = NULL;
    for (size_t i = 0; i < c->point_count; i++) {
        const struct sweep_point *p = &c->points[i];
        if (p->row.state != SWEEP_SATURATED || !p->row.accepted.known)
            continue;
        c->last_saturated = p;
        if (!c->most_saturated || p->row.accepted.mean > c->most_saturated->row.accepted.mean)
            c->most_saturated = p;
    }
}

size_t sweep_bracket_undecided(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    size_t count = 0;
    for (size_t i = 0; i < c->point_count; i++)
        count += c->points[i].rate > b->low && c->points[i].rate < b->high;
    return count;
}

/* Three interior points. If as many are undecided, more between them would be, too. */
static void narrow(const struct sweep_curve *c, const struct sweep_bracket *b,
                   enum sweep_purpose purpose, struct sweep_rates *ret)
{
    enum { PARTS = 4 };
    if (!b->has_low || !b->has_high || sweep_bracket_is_narrow(c, b) ||
        sweep_bracket_undecided(c, b) >= PARTS - 1)
        return;
    for (int i = 1; i < PARTS; i++)
        add_number(ret, b->low + (b->high - b->low) * i / PARTS, scale(c), purpose);
}

/* Has the curve a point so near that another one would show nothing new? */
static bool is_known(const struct sweep_curve *c, double rate)
{
    for (size_t i = 0; i < c->point_count; i++) {
        if (fabs(c->points[i].rate - rate) < NEAR * scale(c))
            return true;
    }
    return false;
}

/* Remove such rates, and those beside a rate for the other bracket. */
static void thin_out(const struct sweep_curve *c, struct sweep_rates *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        const double rate = r->at[i].rate;
        if (!is_known(c, rate) && (kept == 0 || rate - r->at[kept - 1].rate >= NEAR * scale(c)))
            r->at[kept++] = r->at[i];
    }
    r->count = kept;
}

void sweep_rates_next(const struct sweep_curve *c, unsigned what, struct sweep_rates *ret)
{
    ret->count = 0;
    if (what & SWEEP_SEARCH_BACKLOG)
        narrow(c, &c->backlog, SWEEP_BACKLOG, ret);
    if (what & SWEEP_SEARCH_LATENCY)
        narrow(c, &c->latency, SWEEP_LATENCY, ret);
    thin_out(c, ret);
}
