/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for people: the advice first, then the bounds and the table. Must not compute. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program/plan/plan.h"
#include "program/report/report.h"
#include "result/parameters.h"
#include "result/records.h"

enum { ROWS_SHOWN = 16 };

/* "parity" of "parity:block=4". */
static size_t family(const struct ec_candidate *k)
{
    return strcspn(k->algorithm, ":");
}

/* Do two rows differ in their names only: one schedule, or direct traffic that more ports do not
 * make faster? */
static bool is_same(const struct ec_candidate *a, const struct ec_candidate *b)
{
    const bool equal = a->cycles == b->cycles && a->basis == b->basis && a->steps == b->steps &&
                       a->startups == b->startups && a->memory == b->memory;
    if (a->keyed)
        return equal && strcmp(a->algorithm, b->algorithm) == 0;
    if (advice_is_direct(a) || advice_is_direct(b))
        return equal && advice_is_direct(a) && advice_is_direct(b);
    return equal && a->ports == b->ports && a->digest == b->digest;
}

/* Is this the first of the rows that differ in parameters of the algorithm only? */
static bool is_first_of_family(const struct advice *a, size_t i)
{
    const struct ec_candidate *k = a->rows[i].k;
    for (size_t j = 0; j < i; j++) {
        const struct ec_candidate *before = a->rows[j].k;
        if (before->ports == k->ports && family(before) == family(k) &&
            memcmp(before->algorithm, k->algorithm, family(k)) == 0)
            return false;
    }
    return true;
}

/* Cycles with their basis: "48 cycles predicted", "at least 34 cycles". */
static void put_cycles(const struct ec_candidate *k, FILE *out)
{
    const bool exact = k->basis != EC_BASIS_AT_LEAST;
    fprintf(out, "%s%" PRIu64 " cycle%s%s%s", exact ? "" : "at least ", k->cycles,
            cli_plural(k->cycles), exact ? " " : "", exact ? result_basis_name(k->basis) : "");
}

/* Says of candidates with one port whether all ports could be faster. */
static const char *optimal_text(const struct advice *a, const struct advice_row *row)
{
    if (row->optimal != ADVICE_OPTIMAL)
        return "";
    return a->all && row->k->cycles > a->least[EC_PORTS_ALL].cycles ? ", optimal with one port"
                                                                    : ", optimal";
}

/* What --run has verified. */
static void put_runs(const struct advice *a, FILE *out)
{
    size_t ran = 0, passed = 0;
    for (size_t i = 0; i < a->c->candidate_count; i++) {
        ran += a->rows[i].ran;
        passed += a->rows[i].passed;
    }
    if (ran > 0)
        fprintf(out, "; %zu of %zu run%s passed", passed, ran, ran == 1 ? "" : "s");
    fputc('\n', out);
}

static void put_verdict(const struct advice *a, FILE *out)
{
    const struct advice_row *first = &a->rows[0];
    const struct ec_candidate *k = first->k, *rival = advice_rival(a->c);
    fprintf(out, "%s  %s %s  use %s", advice_failed(a) ? "FAIL" : "PLAN", a->c->topology_text,
            a->c->pattern->text, k->algorithm);
    if (a->one && a->all)
        fprintf(out, ", ports=%s", result_ports_name(k->ports));
    fputs(": ", out);
    put_cycles(k, out);
    fputs(optimal_text(a, first), out);
    put_runs(a, out);
    if (a->interrupted)
        fputs("  interrupted the ranking is complete; runs or other values are missing\n", out);
    if (!rival)
        return;
    fprintf(out, "  unless      %s, ports=%s, is faster: ", rival->algorithm,
            result_ports_name(rival->ports));
    put_cycles(rival, out);
    fputs(" (a larger --budget measures it)\n", out);
}

/* The bound of steps, where there are schedules to compare with it. */
static void put_bound(const struct advice *a, enum ec_ports ports, FILE *out)
{
    const struct ec_least *least = &a->least[ports];
    const bool both = a->one && a->all;
    bool schedules = false;
    for (size_t i = 0; i < a->c->candidate_count; i++)
        schedules |=
            a->rows[i].k->steps > 0 && !a->rows[i].k->keyed && a->rows[i].k->ports == ports;
    fprintf(out, "  %-11s %" PRIu64 " cycle%s%s: %s\n", "lower bound", least->cycles,
            cli_plural(least->cycles),
            !both                   ? ""
            : ports == EC_PORTS_ALL ? " with all ports"
                                    : " with one port",
            least->cycles ? least->reason : "no message uses the network");
    if (schedules && least->steps > 0)
        fprintf(out, "              %" PRIu64 " step%s of one element over a link: %s\n",
                least->steps, cli_plural(least->steps), least->steps_reason);
}

/* What the table shows, and what it leaves out. */
struct shown {
    bool *row;
    size_t *same; /* a shown row before that is the same, or the row itself */
    size_t rows, variants, others;
    int width;   /* of the names */
    int optimal; /* of the last column if one follows, else 0 */
};

/* The names of the rows that this one stands for: "    also forward, plain". */
static void put_same(const struct advice *a, const struct shown *s, size_t i, FILE *out)
{
    const char *before = "    also ";
    for (size_t j = i + 1; j < a->c->candidate_count; j++) {
        const struct ec_candidate *k = a->rows[j].k;
        if (s->same[j] != i)
            continue;
        fputs(before, out);
        if (advice_is_direct(k) || k->keyed)
            fprintf(out, "with ports=%s", result_ports_name(k->ports));
        else
            fputs(k->algorithm, out);
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', out);
}

static void put_row(const struct advice *a, const struct shown *s, size_t i, FILE *out)
{
    const struct advice_row *row = &a->rows[i];
    const int width = s->width;
    const struct ec_candidate *k = row->k;
    const bool exact = k->basis != EC_BASIS_AT_LEAST;
    fprintf(out, "  %-*s  %-5s %8" PRIu64 " %-9s", width, k->algorithm, result_ports_name(k->ports),
            k->cycles, exact ? result_basis_name(k->basis) : "or more");
    if (exact && row->least->cycles)
        fprintf(out, " %7.2f", (double)k->cycles / (double)row->least->cycles);
    else
        fprintf(out, " %7s", "-");
    if (k->keyed)
        fprintf(out, " %6" PRIu32 " %9" PRIu64 " %7s", k->steps, k->startups, "-");
    else if (!advice_is_direct(k))
        fprintf(out, " %6" PRIu32 " %9" PRIu64 " %7" PRIu32, k->steps, k->startups, k->memory);
    else
        fprintf(out, " %6s %9" PRIu64 " %7s", "-", k->startups, "-");
    if (a->c->spec.clock > 0)
        fprintf(out, " %9.4g", result_microseconds(a->c, (double)k->cycles));
    if (a->c->spec.link_bits > 0)
        fprintf(out, " %9.4g", advice_bandwidth(a, k));
    fprintf(out, "  %-*s", row->ran ? s->optimal : 0, advice_optimal_name(row->optimal));
    if (row->ran)
        fprintf(out, "  %s, %" PRIu64 " cycles", row->passed ? "PASS" : "FAIL", row->measured);
    fputc('\n', out);
    put_same(a, s, i, out);
}

static bool choose_rows(const struct advice *a, struct shown *ret)
{
    const size_t count = a->c->candidate_count;
    *ret = (struct shown){.row = calloc(count, sizeof *ret->row),
                          .same = calloc(count, sizeof *ret->same),
                          .width = 9};
    if (!ret->row || !ret->same)
        return false;
    for (size_t i = 0; i < count; i++) {
        const int width = (int)strlen(a->rows[i].k->algorithm);
        const bool always = a->job->verbose || a->rows[i].ran;
        ret->optimal = a->rows[i].ran ? 9 : ret->optimal; /* "not known" */
        ret->same[i] = i;
        for (size_t j = 0; !always && j < i && ret->same[i] == i; j++) {
            if (ret->row[j] && is_same(a->rows[j].k, a->rows[i].k))
                ret->same[i] = j;
        }
        if (!always && !is_first_of_family(a, i)) {
            ret->variants++;
            ret->same[i] = i;
        } else if (ret->same[i] != i) {
            continue;
        } else if (!always && ret->rows >= ROWS_SHOWN) {
            ret->others++;
        } else {
            ret->row[i] = true;
            ret->rows++;
            ret->width = width > ret->width ? width : ret->width;
        }
    }
    return true;
}

static void put_table(const struct advice *a, FILE *out)
{
    struct shown shown;
    const bool good = choose_rows(a, &shown);
    if (good)
        fprintf(out, "\n  %-*s  %-5s %8s %-9s %7s %6s %9s %7s%s%s  %-*s%s\n", shown.width,
                "algorithm", "ports", "cycles", "", "/ bound", "steps", "start-ups", "memory",
                a->c->spec.clock > 0 ? "        us" : "",
                a->c->spec.link_bits > 0 ? " GB/s node" : "", shown.optimal, "optimal",
                shown.optimal ? "  run" : "");
    for (size_t i = 0; good && i < a->c->candidate_count; i++) {
        if (shown.row[i])
            put_row(a, &shown, i, out);
    }
    if (!good)
        fprintf(out, "\n  out of memory for the table of algorithms\n");
    if (shown.others)
        fprintf(out, "  and %zu algorithm%s not faster (--verbose shows all)\n", shown.others,
                shown.others == 1 ? " that is" : "s that are");
    if (shown.variants)
        fprintf(out, "  and %zu with other parameters (--verbose shows all)\n", shown.variants);
    free(shown.row);
    free(shown.same);
}

/* The permutation, as the papers name it. */
static void put_factors(const struct advice_factors *f, FILE *out)
{
    if (f->shift) {
        fprintf(out, "  shift       q = %" PRIu32 ", digits %s, signed %s\n", f->shift, f->digits,
                f->signed_digits);
    } else if (f->kind) {
        fprintf(out, "  permutation %s, sigma %u, sigma_r %u, sigma_s %u", f->kind, f->order,
                f->real_order, f->storage_order);
        if (f->blocks)
            fprintf(out, ", beta %u of orders %s", f->blocks, f->orders);
        if (*f->real_orders)
            fprintf(out, ", real cycles of orders %s", f->real_orders);
        if (f->complements)
            fprintf(out, ", %u complement%s", f->complements, cli_plural(f->complements));
        if (f->cycle_count || !f->complements)
            fprintf(out, "\n              %u cycle%s: %s\n", f->cycle_count,
                    cli_plural(f->cycle_count), *f->cycles ? f->cycles : "none");
        else
            fprintf(out, "\n              no cycle, inverted: %s\n", f->cycles);
    }
}

/* Do the parameters of the algorithm change after a point? */
static bool is_change(const struct ec_axis_point *p)
{
    return strcmp(p[0].best.algorithm, p[1].best.algorithm) != 0;
}

/* Where they change: ": block=2 at 15, block=8 at 128". */
static void put_parameters(const struct advice_range *r, FILE *out)
{
    for (const struct ec_axis_point *p = r->first; p <= r->last; p++) {
        const struct ec_candidate *k = &p->best;
        const char *keys = k->algorithm + family(k);
        if (p > r->first && !is_change(p - 1))
            continue;
        fputs(p > r->first ? ", " : ": ", out);
        if (*keys)
            fprintf(out, "%.*s", (int)strcspn(keys + 1, " "), keys + 1);
        else
            fputs(k->block == 1 ? "block=1" : "no key", out);
        fprintf(out, " at %" PRIu64, p->value);
    }
}

/* "m = 24 to 1024  per-column, ports=one". */
static void put_range(const struct advice_range *r, bool first, FILE *out)
{
    char label[24] = "", range[64];
    const struct ec_candidate *k = &r->first->best;
    bool constant = true;
    for (const struct ec_axis_point *p = r->first; p < r->last; p++)
        constant &= !is_change(p);
    if (first)
        snprintf(label, sizeof label, "by %s", r->parameter);
    if (r->first == r->last)
        snprintf(range, sizeof range, "%" PRIu64, r->first->value);
    else
        snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, r->first->value, r->last->value);
    fprintf(out, "  %-11s %-12s %.*s, ports=%s", label, range,
            (int)(constant ? strlen(k->algorithm) : family(k)), k->algorithm,
            result_ports_name(k->ports));
    if (!constant)
        put_parameters(r, out);
    if (r->first->open)
        fprintf(out, ", or %s, ports=%s, which is not predicted\n", r->first->rival.algorithm,
                result_ports_name(r->first->rival.ports));
    else
        fputs(r->measured ? " (measured)\n" : "\n", out);
}

static void put_crossings(const struct advice *a, FILE *out)
{
    bool limit = false;
    for (size_t i = 0; i < a->range_count; i++)
        limit |= strcmp(a->ranges[i].parameter, "K") == 0;
    if (a->range_count)
        fputs("\n  fastest at other values, all else as above", out);
    if (limit)
        fprintf(out, " (K: up to %d elements in all nodes, or those of this plan)",
                EC_AXIS_ELEMENTS_MAX);
    fputs(a->range_count ? "\n" : "", out);
    for (size_t i = 0; i < a->range_count; i++)
        put_range(&a->ranges[i], i == 0 || a->ranges[i].parameter != a->ranges[i - 1].parameter,
                  out);
}

void advice_text(const struct advice *a, bool brief, FILE *out)
{
    put_verdict(a, out);
    if (brief && !a->job->verbose)
        return;
    fprintf(out, "  run it      %s\n", a->command);
    fprintf(out,
            "  valid for   vcs=%u: another vcs= in --router, or --packet, can change the winner\n",
            a->c->router.vcs);
    put_factors(&a->factors, out);
    if (a->all)
        put_bound(a, EC_PORTS_ALL, out);
    if (a->one)
        put_bound(a, EC_PORTS_ONE, out);
    put_table(a, out);
    put_crossings(a, out);
}
