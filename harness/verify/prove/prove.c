/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs of a router: shape by shape, first by induction where invariants are known, then a bounded
 * search, then a proof of what is left, then a longer search. Knows the order of these steps and
 * what their outcomes mean; the tools are behind source.h, model.h and solve.h. */
#include "prove/prove.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "prove/induct.h"
#include "prove/moore.h"
#include "prove/properties.h"
#include "prove/solve.h"
#include "prove/trace.h"
#include "shape/cache.h"

/* The first search has this part of the time: it finds most defects, and a proof needs no more. */
#define FIRST_PART 0.34
/* And covers this one. Most of them are reached within a few cycles and seconds; with all modes
 * open, full buffers take longer. */
#define COVER_PART 0.5

#define NO_TRAFFIC "no cover is reached: it may hold for want of traffic"

const char *const ec_prove_not_covered[] = {
    "the wait of store-and-forward for the tail (section 7)",
    "rules 2 to 6 and 8 to 10 of section 6",
    "the taps contended_o, starved_o and want_o (section 8)", NULL};

struct outcome {
    enum ec_prove_verdict verdict;
    bool spared;    /* nobody asks it of this router: it does not count for the whole */
    unsigned depth; /* EC_HOLDS */
    char note[300];
};

/* A shape that is being examined. */
struct examination {
    const struct ec_prove_options *options;
    struct ec_prove_result *result;
    const struct ec_netlist_source *source;
    struct ec_prove_case c;
    struct ec_prove_shape shape;
    struct ec_tool_run run;
    struct ec_aig aig;
    struct ec_property_group *groups;
    struct outcome *outcomes; /* [count] */
    size_t count;
    uint32_t *open; /* outputs that are not decided, with room for all */
    size_t open_count;
    bool interrupted;
    unsigned cycles; /* without a violation of the open ones: cycles of the circuit */
    bool stopped;    /* by a signal */
};

/* Processor time of all tools that have ended: it is the same on a busy machine. */
static double now(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec +
           (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
}

static struct ec_solve solver(struct examination *x, const struct ec_aig *aig)
{
    return (struct ec_solve){.aig = aig,
                             .run = x->run,
                             .progress = x->options->progress,
                             .context = x->options->context,
                             .what = x->shape.text};
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void put_row(struct examination *x, const struct ec_property *p, struct outcome outcome,
                    const struct ec_prove_trace *trace)
{
    struct ec_prove_row row = {.property = p->name,
                               .rule = p->rule,
                               .section = p->section,
                               .verdict = outcome.verdict,
                               .asked = !outcome.spared,
                               .depth = outcome.depth,
                               .note = outcome.note,
                               .trace = trace};
    struct ec_prove_result *r = x->result;
    unsigned *const counts[] = {&r->proved, &r->holds, &r->failed, &r->not_checked};
    if (outcome.verdict == EC_HOLDS && row.depth == 0) {
        row.verdict = EC_NOT_CHECKED;
        row.note = x->interrupted
                       ? "interrupted"
                       : "the time did not suffice for one cycle: choose a smaller shape or more "
                         "--seconds";
    }
    ++*counts[row.verdict];
    r->asked += row.asked;
    r->settled += row.asked && row.verdict == EC_PROVED;
    if (x->options->row != NULL)
        x->options->row(x->options->context, &x->shape, &row);
}

/* Where the output is, without the names of our own modules: an instance, or FILE:LINE. */
static void put_place(const struct ec_aig *a, uint32_t output, char *buffer, size_t size)
{
    const char *name = "";
    for (size_t i = 0; i < a->bit_count; i++) {
        if (!a->bits[i].input && a->bits[i].number == output)
            name = a->bits[i].name;
    }
    const char *inside = strstr(name, "u_router.");
    const char *skip = inside != NULL ? inside
                       : strncmp(name, EC_PROVE_INSIDE, sizeof EC_PROVE_INSIDE - 1) == 0
                           ? name + sizeof EC_PROVE_INSIDE - 1
                           : name;
    /* "FILE.sv:31.44-32.67$0.broken_assertion": the line is enough. */
    const char *line = strrchr(skip, ':'), *end = strrchr(skip, '.');
    if (line != NULL)
        end = line + 1 + strspn(line + 1, "0123456789");
    snprintf(buffer, size, "%.*s", end != NULL ? (int)(end - skip) : 0, skip);
}

static enum ec_code write_wave(struct examination *x, const struct ec_aig *aig,
                               const uint8_t *inputs, const char *property,
                               struct ec_prove_trace *trace, struct ec_error *reterr)
{
    const char *folder = x->options->folder;
    if (folder == NULL)
        return EC_OK;
    const bool here = strcmp(folder, ".") == 0;
    enum ec_code code =
        ec_path(trace->wave, sizeof trace->wave, reterr, "%s%secube-prove-%s-%u.vcd",
                here ? "" : folder, here ? "" : "/", property, x->result->failed + 1);
    return code == EC_OK ? ec_prove_wave(aig, inputs, trace->cycles, trace->wave, reterr) : code;
}

static enum ec_code put_failure(struct examination *x, const struct ec_property *p,
                                const struct ec_aig *aig, const struct ec_solve_bounded *b,
                                struct outcome outcome, struct ec_error *reterr)
{
    struct ec_prove_trace trace;
    enum ec_code code = ec_prove_trace_make(aig, &x->c, b->inputs, b->cycles, &trace, reterr);
    if (code == EC_OK)
        code = write_wave(x, aig, b->inputs, p->name, &trace, reterr);
    if (code == EC_OK)
        put_row(x, p, outcome, &trace);
    ec_prove_trace_free(&trace);
    return code;
}

/* --- Searches --------------------------------------------------------------------------------- */

static bool has(const struct ec_property_group *g, uint32_t output)
{
    for (size_t i = 0; i < g->count; i++) {
        if (g->outputs[i] == output)
            return true;
    }
    return false;
}

/* A search for each cycle until the bound of progress would take the others' time. */
static bool is_long(const struct examination *x, size_t k)
{
    return ec_property_is_progress(x->groups[k].property) && ec_prove_still(x->source, &x->c) > 2;
}

static bool is_open(const struct examination *x, size_t k)
{
    return x->outcomes[k].verdict == EC_HOLDS && x->groups[k].count > 0 && !is_long(x, k);
}

/* The outputs of all properties that are not decided; some belong to several. */
static void list_open(struct examination *x)
{
    x->open_count = 0;
    for (uint32_t i = 0; i < x->aig.outputs; i++) {
        bool open = false;
        for (size_t k = 0; k < x->count && !open; k++)
            open = is_open(x, k) && has(&x->groups[k], i);
        if (open)
            x->open[x->open_count++] = i;
    }
}

/* The output is violated: so are all properties that it belongs to. */
static enum ec_code fail_properties(struct examination *x, const struct ec_solve_bounded *b,
                                    struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < x->count && code == EC_OK; k++) {
        struct outcome *o = &x->outcomes[k];
        if (!is_open(x, k) || !has(&x->groups[k], b->output))
            continue;
        put_place(&x->aig, b->output, o->note, sizeof o->note);
        if (ec_property_is_invariant(x->groups[k].property)) {
            o->verdict = EC_NOT_CHECKED; /* no rule of the contract: proofs do without it */
            snprintf(o->note + strlen(o->note), sizeof o->note - strlen(o->note),
                     " does not hold in cycle %u: the sources have changed", b->cycles);
            continue;
        }
        o->verdict = EC_FAILED;
        code = put_failure(x, x->groups[k].property, &x->aig, b, *o, reterr);
    }
    list_open(x);
    return code;
}

/* Search all open outputs; a violated property is reported and no longer open. */
static enum ec_code search(struct examination *x, double seconds, struct ec_error *reterr)
{
    const double end = now() + seconds;
    const unsigned last = x->options->depth + 1;
    struct ec_solve s = solver(x, &x->aig);
    for (double left = seconds; x->open_count > 0 && x->cycles < last && left > 0;
         left = end - now()) {
        struct ec_solve_bounded b;
        enum ec_code code =
            ec_solve_bounded(&s, x->open, x->open_count, x->cycles, last, left, &b, reterr);
        if (code != EC_OK)
            return code;
        x->cycles = b.cycles;
        if (!b.violated)
            return EC_OK;
        code = fail_properties(x, &b, reterr);
        free(b.inputs);
        if (code != EC_OK)
            return code;
    }
    return EC_OK;
}

static bool must_stop(void *context)
{
    struct examination *x = context;
    x->stopped = x->stopped || ec_signals_pause(x->run.before, 0);
    return x->stopped;
}

static void show_induction(void *context, size_t proved, size_t left)
{
    const struct examination *x = context;
    char words[400];
    snprintf(words, sizeof words, "%s: induction, %zu of %zu", x->shape.text, proved,
             proved + left);
    if (x->options->progress != NULL)
        x->options->progress(x->options->context, words);
}

/* With the invariants of ecube's own router everything is inductive, unless it has a defect. */
static enum ec_code induct(struct examination *x, struct ec_error *reterr)
{
    if (!ec_prove_has_invariants(x->source) || x->open_count == 0)
        return EC_OK;
    uint32_t *bad = calloc(x->open_count, sizeof *bad);
    bool *keep = malloc(x->open_count * sizeof *keep);
    const struct ec_induct q = {.aig = &x->aig,
                                .bad = bad,
                                .count = x->open_count,
                                .all = true,
                                .each = x->options->seconds,
                                .seconds = x->options->seconds,
                                .stop = must_stop,
                                .progress = show_induction,
                                .context = x};
    enum ec_code code =
        bad && keep ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (size_t i = 0; i < x->open_count && code == EC_OK; i++) {
        bad[i] = x->aig.output[x->open[i]];
        keep[i] = true;
    }
    if (code == EC_OK)
        code = ec_induct(&q, keep, reterr);
    for (size_t k = 0; k < x->count && code == EC_OK && keep[0]; k++) {
        if (is_open(x, k))
            x->outcomes[k].verdict = EC_PROVED;
    }
    free(bad);
    free(keep);
    list_open(x);
    return code;
}

/* All open properties together, which help each other; else one by one. */
static enum ec_code prove(struct examination *x, struct ec_error *reterr)
{
    /* Invariants are of use to all properties together only. */
    const bool together = ec_prove_has_invariants(x->source);
    const double seconds = x->options->seconds, end = now() + seconds;
    struct ec_solve s = solver(x, &x->aig);
    size_t waiting = 0;
    bool proved;
    enum ec_code code = ec_solve_proved(&s, x->open, x->open_count, together,
                                        together ? seconds : seconds / 2, &proved, reterr);
    for (size_t k = 0; code == EC_OK && k < x->count; k++) {
        if (is_open(x, k) && proved)
            x->outcomes[k].verdict = EC_PROVED;
        waiting += is_open(x, k);
    }
    for (size_t k = 0; code == EC_OK && k < x->count; k++) {
        if (!is_open(x, k))
            continue;
        const double share = (end - now()) / (double)waiting--;
        if (share < 0.5)
            break;
        code = ec_solve_proved(&s, x->groups[k].outputs, x->groups[k].count, false, share, &proved,
                               reterr);
        if (code == EC_OK && proved)
            x->outcomes[k].verdict = EC_PROVED;
    }
    list_open(x);
    return code;
}

/* Progress of a router whose bound is long. In the cycles before the bound the solver has nothing
 * to do: the count cannot have got there. */
static enum ec_code search_long(struct examination *x, double seconds, struct ec_error *reterr)
{
    const unsigned still = ec_prove_still(x->source, &x->c);
    struct ec_solve s = solver(x, &x->aig);
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < x->count && code == EC_OK; k++) {
        const struct ec_property_group *g = &x->groups[k];
        struct outcome *o = &x->outcomes[k];
        struct ec_solve_bounded b;
        if (!is_long(x, k) || o->verdict != EC_HOLDS)
            continue;
        code = ec_solve_bounded(&s, g->outputs, g->count, 0, still + x->options->depth + 1, seconds,
                                &b, reterr);
        if (code == EC_OK && b.violated) {
            o->verdict = EC_FAILED;
            code = put_failure(x, g->property, &x->aig, &b, *o, reterr);
        } else if (code == EC_OK && b.cycles <= still + 1) {
            o->verdict = EC_NOT_CHECKED;
            snprintf(o->note, sizeof o->note,
                     "the time did not suffice for %u cycles without movement: choose a smaller "
                     "shape or more --seconds",
                     still);
        }
        o->depth = b.cycles > 0 ? b.cycles - 1 : 0;
        free(b.inputs);
    }
    return code;
}

/* --- Moore rule and covers -------------------------------------------------------------------- */

/* Without the inputs of the other copy, which come last in every cycle. */
static void keep_own_inputs(struct ec_solve_bounded *b, uint32_t own, uint32_t all)
{
    for (size_t t = 0; t <= b->cycles; t++)
        memmove(b->inputs + t * own, b->inputs + t * all, own);
}

/* `reached`: some cover is, so that there is traffic. A router without a path needs none. */
static enum ec_code examine_moore(struct examination *x, bool reached, struct ec_error *reterr)
{
    static const char *const watched[] = {EC_PROVE_INSIDE "link",
                                          EC_PROVE_INSIDE "credit",
                                          EC_PROVE_INSIDE "contended",
                                          EC_PROVE_INSIDE "starved",
                                          EC_PROVE_INSIDE "want",
                                          EC_PROVE_INSIDE "quiet",
                                          NULL};
    /* Section 12: your own router may have an asynchronous reset. */
    const char *const inputs[] = {EC_PROVE_WORD, EC_PROVE_CREDIT,
                                  x->source->top == NULL ? EC_PROVE_RST : NULL, NULL};
    struct ec_aig twin;
    struct outcome o = {.verdict = EC_PROVED, .note = "no path"};
    struct ec_solve_bounded b = {0};
    const uint32_t output = 0;
    bool path, proved = false;
    enum ec_code code = ec_prove_moore(&x->aig, watched, inputs, &path, &twin, reterr);
    struct ec_solve s = solver(x, &twin);
    const double seconds = x->options->seconds * FIRST_PART;
    if (code == EC_OK && path)
        code = ec_solve_bounded(&s, &output, 1, 0, x->options->depth + 1, seconds, &b, reterr);
    if (code == EC_OK && path && !b.violated)
        code = ec_solve_proved(&s, &output, 1, false, seconds, &proved, reterr);
    if (code == EC_OK && b.violated) {
        o = (struct outcome){.verdict = EC_FAILED,
                             .note = "an output changes with an input of the same cycle"};
        keep_own_inputs(&b, x->aig.inputs, twin.inputs);
        code = put_failure(x, &ec_property_moore, &x->aig, &b, o, reterr);
    } else if (code == EC_OK) {
        if (path && !reached)
            o = (struct outcome){.verdict = EC_NOT_CHECKED, .note = NO_TRAFFIC};
        else if (path)
            o = (struct outcome){.verdict = proved ? EC_PROVED : EC_HOLDS,
                                 .depth = b.cycles > 0 ? b.cycles - 1 : 0};
        put_row(x, &ec_property_moore, o, NULL);
    }
    free(b.inputs);
    ec_aig_free(&twin);
    return code;
}

/* A cover of rtl/formal, which speaks of traffic. Those of a router may be reached without any. */
static bool is_of_traffic(const struct ec_aig *a, uint32_t output)
{
    for (size_t i = 0; i < a->bit_count; i++) {
        if (!a->bits[i].input && a->bits[i].number == output &&
            strstr(a->bits[i].name, "u_router.") == NULL)
            return true;
    }
    return false;
}

/* Reach every cover. *ret_any: one of traffic was reached. Those that are constant cannot be. */
static enum ec_code examine_covers(struct examination *x, bool *ret_any, struct ec_error *reterr)
{
    struct ec_property_group *g = &x->groups[x->count];
    const double end = now() + x->options->seconds * COVER_PART;
    struct ec_solve s = solver(x, &x->aig);
    size_t left = g->count;
    unsigned first = 0;
    bool any = false;
    uint32_t *list = calloc(g->count + 1, sizeof *list);
    enum ec_code code = list ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for covers");
    if (code == EC_OK)
        memcpy(list, g->outputs, g->count * sizeof *list);
    while (code == EC_OK && left > 0 && first <= x->options->depth && now() < end) {
        struct ec_solve_bounded b;
        code =
            ec_solve_bounded(&s, list, left, first, x->options->depth + 1, end - now(), &b, reterr);
        if (code != EC_OK || !b.violated)
            break;
        first = b.cycles;
        any = any || is_of_traffic(&x->aig, b.output);
        size_t kept = 0;
        for (size_t i = 0; i < left; i++) {
            if (list[i] != b.output)
                list[kept++] = list[i];
        }
        left = kept;
        free(b.inputs);
    }
    struct outcome o = {.verdict = left + g->constant == 0 ? EC_PROVED : EC_NOT_CHECKED};
    int used = snprintf(o.note, sizeof o.note, "%zu of %zu situations reached", g->count - left,
                        g->count + g->constant);
    if (g->constant > 0)
        used += snprintf(o.note + used, sizeof o.note - (size_t)used,
                         "; %zu cannot be reached by any traffic", g->constant);
    if (left > 0)
        snprintf(o.note + used, sizeof o.note - (size_t)used, "; not within depth and time: ");
    if (left > 0)
        put_place(&x->aig, list[0], o.note + strlen(o.note), sizeof o.note - strlen(o.note));
    *ret_any = any;
    free(list);
    if (code == EC_OK)
        put_row(x, &ec_property_covers, o, NULL);
    return code;
}

/* --- A shape ---------------------------------------------------------------------------------- */

/* Why a property has no verdict of a solver; NULL: it has. *ret_spared: it does not matter. */
static const char *why_unchecked(const struct examination *x, const struct ec_property_group *g,
                                 bool reached, bool *ret_spared)
{
    const struct ec_property *p = g->property;
    const bool foreign = x->source->top != NULL, exists = g->count + g->constant > 0;
    const bool assertions = strcmp(p->name, "assertions") == 0;
    *ret_spared = ec_property_is_invariant(p);
    if (assertions && x->source->unread_assertions[0] != '\0')
        return x->source->unread_assertions;
    if (exists && !(p->own && foreign))
        return reached ? NULL : NO_TRAFFIC;
    *ret_spared = true;
    if (p->own && foreign)
        return "the contract does not ask it of your own router";
    if (strcmp(p->section, "8.3") == 0 && !x->source->features[EC_FEATURE_QUIET])
        return "the router has no quiet_o";
    if (assertions)
        return "the sources of the router have none";
    if (p->own)
        return "it is stated for routers of one stage";
    *ret_spared = false;
    return "the circuit does not have it";
}

/* All properties that have not failed. Invariants and further properties may be missing. */
static void put_rest(struct examination *x, bool reached)
{
    for (size_t k = 0; k < x->count; k++) {
        const struct ec_property_group *g = &x->groups[k];
        struct outcome o = x->outcomes[k];
        if (o.verdict == EC_FAILED ||
            (g->count + g->constant == 0 && ec_property_is_optional(g->property)))
            continue;
        const char *why = why_unchecked(x, g, reached, &o.spared);
        if (!is_long(x, k))
            o.depth = x->cycles > 0 ? x->cycles - 1 : 0;
        if (why != NULL) {
            o.verdict = EC_NOT_CHECKED;
            snprintf(o.note, sizeof o.note, "%s", why);
        }
        put_row(x, g->property, o, NULL);
    }
}

/* Before its first reset a router may be in any state. */
static enum ec_code wait_for_reset(struct examination *x, const struct ec_property_group *g,
                                   struct ec_error *reterr)
{
    const struct ec_aig_bit *over = ec_aig_find(&x->aig, false, EC_PROVE_RESET_OVER, 0);
    enum ec_code code = EC_OK;
    if (over == NULL)
        return ec_fail(reterr, EC_INTERNAL, "the circuit has no " EC_PROVE_RESET_OVER);
    for (size_t i = 0; i < g->count && code == EC_OK; i++)
        code = ec_aig_limit(&x->aig, g->outputs[i], x->aig.output[over->number], reterr);
    return code;
}

static enum ec_code open_outputs(struct examination *x, struct ec_error *reterr)
{
    size_t groups;
    char *text = ec_tool_text(x->run.folder, EC_PROVE_CONSTANTS);
    enum ec_code code =
        ec_properties_of(&x->aig, text != NULL ? text : "", &x->groups, &groups, reterr);
    free(text);
    if (code != EC_OK)
        return code;
    x->count = groups - 1; /* the last one has the covers */
    for (size_t k = 0; k < groups && code == EC_OK; k++) {
        if (ec_property_is_of_sources(x->groups[k].property))
            code = wait_for_reset(x, &x->groups[k], reterr);
    }
    if (code != EC_OK)
        return code;
    x->outcomes = calloc(groups, sizeof *x->outcomes);
    x->open = calloc(x->aig.outputs + 1, sizeof *x->open);
    if (x->outcomes == NULL || x->open == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for properties");
    for (size_t k = 0; k < x->count; k++) {
        x->outcomes[k].verdict = x->groups[k].count > 0 ? EC_HOLDS : EC_PROVED;
        if (x->groups[k].count == 0)
            snprintf(x->outcomes[k].note, sizeof x->outcomes[k].note, "no logic can violate it");
    }
    list_open(x);
    return EC_OK;
}

static enum ec_code examine(struct examination *x, struct ec_error *reterr)
{
    const double seconds = x->options->seconds;
    bool reached = true, examined = false;
    if (x->options->progress != NULL)
        x->options->progress(x->options->context, "reading the router with Yosys");
    enum ec_code code = ec_prove_model(x->source, &x->c, &x->run, &x->aig, reterr);
    if (code == EC_OK)
        code = open_outputs(x, reterr);
    if (code == EC_OK)
        code = examine_covers(x, &reached, reterr);
    if (code == EC_OK)
        code = examine_moore(x, reached, reterr);
    examined = code == EC_OK;
    if (code == EC_OK)
        code = induct(x, reterr);
    if (code == EC_OK)
        code = search(x, seconds * FIRST_PART, reterr);
    if (code == EC_OK)
        code = search_long(x, seconds, reterr);
    if (code == EC_OK)
        code = prove(x, reterr);
    if (code == EC_OK && x->open_count > 0)
        code = search(x, seconds, reterr);
    x->interrupted = code == EC_INTERRUPTED;
    if (code == EC_OK || (x->interrupted && examined))
        put_rest(x, reached);
    return code;
}

static void describe(struct examination *x)
{
    const struct ec_tile_shape *s = &x->c.shape;
    char network[160] = "", mode[200] = "";
    if (x->c.topology != NULL) {
        ec_topology_format(x->c.topology, network, sizeof network);
        ec_router_format(x->c.router, mode, sizeof mode);
        if (x->c.router->packet == 0)
            *strrchr(mode, ',') = '\0';
        snprintf(x->shape.assumptions, sizeof x->shape.assumptions,
                 "every node of %.60s, %.180s%s; %s", network, mode,
                 x->c.router->packet == 0 ? ", every packet bound" : "",
                 ec_router_chooses(x->c.router) && s->dynamic != EC_TILE_ADAPTIVE
                     ? "legal traffic, by links only where the neighbour has no other shortest way"
                     : "any legal traffic");
    } else {
        snprintf(x->shape.assumptions, sizeof x->shape.assumptions,
                 "every node of every network with %u address bits, every mode, depth and packet "
                 "bound; any legal traffic",
                 s->address_bits);
    }
    snprintf(x->shape.text, sizeof x->shape.text,
             "%s%s%s dims=%u locals=%u vcs=%u depth=%u%s stages=%u", network,
             network[0] != '\0' ? "  " : "", s->links_per_dim == 2 ? "grid" : "cube", s->dims,
             s->locals, s->vcs, s->depth_max, s->dynamic ? " va=dynamic" : "", s->stages);
}

static enum ec_code examine_case(const struct ec_prove_options *options,
                                 const struct ec_netlist_source *source, struct ec_prove_case c,
                                 const struct ec_tool_run *run, struct ec_prove_result *result,
                                 struct ec_error *reterr)
{
    struct examination x = {
        .options = options, .result = result, .source = source, .c = c, .run = *run};
    describe(&x);
    result->shapes++;
    if (options->begin != NULL)
        options->begin(options->context, &x.shape);
    struct ec_error e;
    enum ec_code code = examine(&x, &e);
    /* It may lack networks that nobody asked for, but not the first one, too. */
    if (code == EC_TOOL && options->topology == NULL && options->top != NULL &&
        result->shapes > 1 && x.aig.outputs == 0) {
        struct outcome o = {.verdict = EC_NOT_CHECKED};
        snprintf(o.note, sizeof o.note, "%.299s", e.message);
        put_row(&x, &ec_property_shape, o, NULL);
        code = EC_OK;
    }
    if (code != EC_OK && reterr != NULL)
        *reterr = e;
    ec_properties_free(x.groups, x.groups != NULL ? x.count + 1 : 0);
    free(x.outcomes);
    free(x.open);
    ec_aig_free(&x.aig);
    return code;
}

/* --- Shapes ----------------------------------------------------------------------------------- */

static unsigned power_of_two(unsigned least)
{
    unsigned power = 2;
    while (power < least)
        power *= 2;
    return power;
}

/* Words as narrow as the router allows; the environment needs four bits of data. */
static struct ec_prove_case narrowed(const struct ec_netlist_source *s, struct ec_tile_shape shape,
                                     unsigned address_used)
{
    struct ec_prove_case c = {.shape = shape};
    const bool narrow = s->features[EC_FEATURE_ADDRESS_BITS] && s->data_bits;
    const unsigned vc_bits = shape.vcs == 8 ? 3 : 2;
    c.address_used = address_used;
    c.data_used = EC_PROVE_DATA_USED;
    c.shape.address_bits = narrow ? address_used : 16;
    c.data_bits = narrow ? EC_PROVE_DATA_USED : 64 - 3 - vc_bits - 2 * c.shape.address_bits;
    return c;
}

static enum ec_code examine_network(const struct ec_prove_options *options,
                                    const struct ec_netlist_source *source,
                                    const struct ec_topology *t, const struct ec_router *r,
                                    const struct ec_tool_run *run, struct ec_prove_result *result,
                                    struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    struct ec_prove_case c;
    enum ec_code code = ec_shape_choose(t, r, &shape, reterr);
    if (code != EC_OK)
        return code;
    /* Not one that serves several networks. */
    shape.dims = t->dims;
    shape.locals = ec_router_locals(r, t);
    shape.depth_max = power_of_two(r->depth);
    const unsigned address = ec_router_address_bits(r, t);
    c = narrowed(source, shape, address > 0 ? address : 1);
    c.topology = t;
    c.router = r;
    return examine_case(options, source, c, run, result, reterr);
}

/* Small networks for a user's router that names none: of two dimensions, for which most routers are
 * made, and without dimensions of two nodes, which use only one of their links. */
static enum ec_code examine_small(const struct ec_prove_options *options,
                                  const struct ec_netlist_source *source,
                                  const struct ec_tool_run *run, struct ec_prove_result *result,
                                  struct ec_error *reterr)
{
    static const char *const networks[] = {"mesh:3x1", "mesh:3x3"};
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < sizeof networks / sizeof *networks && code == EC_OK; i++) {
        struct ec_topology t;
        struct ec_router r;
        code = ec_topology_parse(networks[i], &t, reterr);
        if (code == EC_OK)
            code = ec_router_parse("depth=2", &t, &r, reterr);
        if (code == EC_OK)
            code = ec_router_set_packet(&r, 0, 2, reterr);
        if (code == EC_OK)
            code = examine_network(options, source, &t, &r, run, result, reterr);
    }
    return code;
}

/* Shapes of ecube's own router: all places, modes and depths of each. */
static enum ec_code examine_own(const struct ec_prove_options *options,
                                const struct ec_netlist_source *source,
                                const struct ec_tool_run *run, struct ec_prove_result *result,
                                struct ec_error *reterr)
{
    static const struct ec_tile_shape shapes[] = {
        {.dims = 1, .links_per_dim = 2, .locals = 1, .vcs = 1, .depth_max = 2, .stages = 1},
        {.dims = 2, .links_per_dim = 1, .locals = 1, .vcs = 1, .depth_max = 2, .stages = 1},
        {.dims = 1, .links_per_dim = 2, .locals = 1, .vcs = 2, .depth_max = 2, .stages = 1},
        {.dims = 1,
         .links_per_dim = 2,
         .locals = 1,
         .vcs = 2,
         .depth_max = 2,
         .dynamic = 1,
         .stages = 1},
    };
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && code == EC_OK; i++)
        code = examine_case(options, source, narrowed(source, shapes[i], 2), run, result, reterr);
    return code;
}

static enum ec_code examine_all(const struct ec_prove_options *options, struct ec_tool_run *run,
                                struct ec_prove_result *result, struct ec_error *reterr)
{
    const struct ec_netlist_reading reading = {
        .rtl = options->rtl, .top = options->top, .build = options->build};
    struct ec_netlist_source source;
    enum ec_code code = ec_netlist_open(&reading, run, &source, reterr);
    if (code == EC_OK && options->topology != NULL)
        code = examine_network(options, &source, options->topology, options->router, run, result,
                               reterr);
    else if (code == EC_OK)
        code = (options->top != NULL ? examine_small : examine_own)(options, &source, run, result,
                                                                    reterr);
    ec_netlist_close(&source);
    return code;
}

enum ec_code ec_prove(const struct ec_prove_options *options, struct ec_prove_result *ret,
                      struct ec_error *reterr)
{
    const char *const tools[] = {ec_tool_yosys(), EC_TOOL_ABC};
    char cache[PATH_MAX];
    struct ec_stage stage = {.lock = -1};
    sigset_t before;
    *ret = (struct ec_prove_result){0};
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < sizeof tools / sizeof *tools && code == EC_OK; i++)
        code = ec_tool_find(tools[i], reterr);
    if (code == EC_OK)
        code = ec_cache_open(cache, sizeof cache, reterr);
    if (code == EC_OK)
        code = ec_stage_open(cache, &stage, reterr);
    if (code != EC_OK)
        return code;
    struct ec_tool_run run = {.folder = stage.path,
                              .log = "yosys.log",
                              .here = true,
                              .seconds = options->seconds < 60 ? 60 : options->seconds};
    ec_signals_hold(&before);
    run.before = &before;
    code = examine_all(options, &run, ret, reterr);
    ec_stage_close(&stage);
    ec_signals_release(&before);
    return code;
}
