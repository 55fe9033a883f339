/* SPDX-License-Identifier: Apache-2.0 */
/* From --vary to command lines. Knows where a varied word belongs: an argument, an option, a key of
 * the router or a key of the workload; must not know which values they accept. */
#include "program/sweep/variants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalue.h"
#include "base/text.h"
#include "terminal/table.h"

enum { VARIANTS_MAX = 1000 };

/* A --vary. */
struct axis {
    struct ec_slice key, values;
    char separator; /* of the values */
    size_t count;
};

static enum ec_code no_memory(struct ec_error *e)
{
    return ec_fail(e, EC_MEMORY, "out of memory for a sweep");
}

/* --- Axes ----------------------------------------------------------------------------------- */

/* Commas separate values, unless there is a semicolon: then values may contain commas. */
static enum ec_code read_axis(const char *text, struct axis *ret, struct ec_error *e)
{
    struct axis a = {.separator = strchr(text, ';') ? ';' : ','};
    struct ec_slice rest = ec_slice_of(text), value;
    ec_slice_take(&rest, '=', &a.key);
    a.values = rest;
    if (!rest.at || a.key.length == 0)
        return ec_fail(e, EC_USAGE, "--vary '%.100s': expected KEY=VALUE,VALUE...", text);
    while (ec_slice_take(&rest, a.separator, &value)) {
        if (value.length == 0)
            return ec_fail(e, EC_USAGE, "--vary '%.100s': a value is empty", text);
        a.count++;
    }
    *ret = a;
    return EC_OK;
}

static struct ec_slice value_of(const struct axis *a, size_t index)
{
    struct ec_slice rest = a->values, value = {0};
    for (size_t i = 0; i <= index; i++)
        ec_slice_take(&rest, a->separator, &value);
    return value;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The keys of a workload behind another name. */
static char *set_pattern(const char *text, struct ec_slice name)
{
    char *result;
    if (asprintf(&result, "%.*s%s", (int)name.length, name.at, text + strcspn(text, ":")) < 0)
        return NULL;
    return result;
}

/* An option with a value that a sweep and the lines of a list of runs have; else NULL. */
static const struct cli_option *find_option(struct ec_slice key)
{
    const struct cli_parsed run = {.table = &cli_table, .scope = CLI_RUN};
    const struct cli_parsed sweep = {.table = &cli_table, .scope = CLI_SWEEP};
    const struct cli_option *o = cli_find_name(&run, key.at, key.length);
    const bool both = o && (o->scope & CLI_LINE) && cli_find_name(&sweep, key.at, key.length);
    return both && !cli_is_flag(o) ? o : NULL;
}

/* --- Variants ------------------------------------------------------------------------------- */

/* The value of an option among the words of a variant; NULL: it is not given. */
static char **find_value(const struct sweep_variant *v, const char *name)
{
    const struct cli_parsed run = {.table = &cli_table, .scope = CLI_RUN};
    for (size_t i = 0; i < v->options.count; i++) {
        const char *word = v->options.at[i] + strlen("--");
        const struct cli_option *o = cli_find_name(&run, word, strlen(word));
        const bool flag = o && cli_is_flag(o);
        if (!flag && strcmp(word, name) == 0)
            return &v->options.at[i + 1];
        i += !flag;
    }
    return NULL;
}

/* Takes ownership of `value`, which may be NULL: out of memory. */
static bool set_option(struct sweep_variant *v, const char *name, char *value)
{
    char word[64];
    const struct cli_option *o = find_option(ec_slice_of(name));
    char **old = o && o->gathers ? NULL : find_value(v, name);
    bool good = value != NULL;
    if (good && old) {
        free(*old);
        *old = value;
        return true;
    }
    snprintf(word, sizeof word, "--%s", name);
    good = good && cli_words_put(&v->options, word) && cli_words_put(&v->options, value);
    free(value);
    return good;
}

static void drop_option(struct sweep_variant *v, const char *name)
{
    for (char **value; (value = find_value(v, name));) {
        const size_t at = (size_t)(value - v->options.at) - 1;
        free(v->options.at[at]);
        free(v->options.at[at + 1]);
        v->options.count -= 2;
        memmove(&v->options.at[at], &v->options.at[at + 2],
                (v->options.count - at + 1) * sizeof *v->options.at); /* with the NULL at the end */
    }
}

static bool replace(char **text, char *with)
{
    if (!with)
        return false;
    free(*text);
    *text = with;
    return true;
}

/* "a.sv+b.sv:top=x", "NAME=a.sv+b.sv:top=x" or "ecube" for the router that comes with ecube.
 * *label becomes NAME. */
static enum ec_code set_rtl(struct sweep_variant *v, struct ec_slice value, struct ec_slice *label,
                            struct ec_error *e)
{
    static const char mark[] = ":top=";
    struct ec_slice rest = value, name = {0};
    if (ec_slice_is(value, "ecube")) {
        static const char *const options[] = {"rtl",     "top",       "define",        "parameter",
                                              "include", "file-list", "file-list-here"};
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            drop_option(v, options[i]);
        return EC_OK;
    }
    const char *top = memmem(value.at, value.length, mark, sizeof mark - 1);
    if (top && ec_slice_take(&rest, '=', &name) && name.at + name.length < top)
        value = rest;
    if (!top || top == value.at || name.length == 0)
        return ec_fail(e, EC_USAGE,
                       "--vary rtl=%.*s: expected FILE+FILE...:top=MODULE, the same after NAME=, "
                       "or ecube",
                       EC_SHOWN(value));
    char *files = strndup(value.at, (size_t)(top - value.at));
    for (char *c = files; c && *c; c++)
        *c = *c == '+' ? ',' : *c;
    top += sizeof mark - 1;
    const struct ec_slice module = {top, (size_t)(value.at + value.length - top)};
    *label = value.at == rest.at ? name : module;
    const bool good =
        set_option(v, "rtl", files) && set_option(v, "top", strndup(module.at, module.length));
    return good ? EC_OK : no_memory(e);
}

static bool has_key(const char *router, struct ec_slice key)
{
    struct ec_slice rest = ec_slice_of(router), pair, name;
    bool found = false;
    while (!found && ec_slice_take(&rest, ',', &pair)) {
        ec_slice_take(&pair, '=', &name);
        found = name.length == key.length && memcmp(name.at, key.at, key.length) == 0;
    }
    return found;
}

static enum ec_code set_value(struct sweep_variant *v, struct ec_slice key, struct ec_slice value,
                              struct ec_slice *label, struct ec_error *e)
{
    const struct ec_hint_place *place = ec_hint_find(NULL, key);
    const struct cli_option *option = find_option(key);
    bool good;
    if (ec_slice_is(key, "rtl"))
        return set_rtl(v, value, label, e);
    if (ec_slice_is(key, "rate") || ec_slice_is(key, "seed"))
        return ec_fail(e, EC_USAGE, "--vary %.*s=...: use --%.*ss, which every curve has",
                       EC_SHOWN(key), EC_SHOWN(key));
    if (ec_slice_is(key, "topology"))
        good = replace(&v->topology, strndup(value.at, value.length));
    else if (ec_slice_is(key, "workload"))
        good = replace(&v->workload, strndup(value.at, value.length));
    else if (ec_slice_is(key, "pattern"))
        good = replace(&v->workload, set_pattern(v->workload, value));
    else if (option)
        good = set_option(v, option->name, strndup(value.at, value.length));
    else if (place && place->grammar && strcmp(place->grammar, "router") == 0) {
        char **router = find_value(v, "router");
        if (router && has_key(*router, key))
            return ec_fail(e, EC_USAGE,
                           "--vary %.*s: --router has this key, too: leave it out there",
                           EC_SHOWN(key));
        good = set_option(v, "router", ec_keyvalue_set(router ? *router : "", key, value));
    } else
        good = replace(&v->workload, ec_keyvalue_set_named(v->workload, key, value));
    return good ? EC_OK : no_memory(e);
}

static void close_variant(struct sweep_variant *v)
{
    free(v->label);
    free(v->topology);
    free(v->workload);
    cli_words_free(&v->options);
    cli_job_free(&v->job);
    cli_words_free(&v->words);
}

static bool has_label(const struct sweep_variant *v, struct ec_slice key)
{
    struct ec_slice rest = ec_slice_of(v->label), label;
    bool found = false;
    while (!found && ec_slice_take(&rest, ' ', &label))
        found = label.length > key.length && label.at[key.length] == '=' &&
                memcmp(label.at, key.at, key.length) == 0;
    return found;
}

static bool add_label(struct sweep_variant *v, struct ec_slice key, struct ec_slice value)
{
    char *label;
    if (asprintf(&label, "%s%s%.*s=%.*s", v->label, *v->label ? ", " : "", (int)key.length, key.at,
                 (int)value.length, value.at) < 0)
        return false;
    return replace(&v->label, label);
}

/* A line of `ecube run` measures until a precision only if it says so. */
static bool set_defaults(struct sweep_variant *v)
{
    bool good = true;
    v->default_precision = !find_value(v, "precision");
    if (v->default_precision)
        good = set_option(v, "precision", strdup(SWEEP_PRECISION));
    if (good && !find_value(v, "cycles"))
        good = set_option(v, "cycles", strdup(SWEEP_CYCLES));
    return good;
}

/* Set the key of an axis to its value, or each of its keys, "topology+m", to its part of the value,
 * "mesh:8x8+4". The last key takes the rest. */
static enum ec_code set_all(struct sweep_variant *v, struct ec_slice keys, struct ec_slice value,
                            struct ec_error *e)
{
    const struct ec_slice all = keys, whole = value;
    struct ec_slice key, part = {0};
    while (ec_slice_take(&keys, '+', &key)) {
        const bool good = keys.at ? ec_slice_take(&value, '+', &part) : (part = value).at != NULL;
        if (!good || part.length == 0 || key.length == 0)
            return ec_fail(e, EC_USAGE, "--vary %.*s: expected a value for each key; got '%.*s'",
                           EC_SHOWN(all), EC_SHOWN(whole));
        if (has_label(v, key))
            return ec_fail(e, EC_USAGE, "--vary %.*s is given twice: put all values into one",
                           EC_SHOWN(key));
        struct ec_slice label = part;
        const enum ec_code code = set_value(v, key, part, &label, e);
        if (code != EC_OK || !add_label(v, key, label))
            return code != EC_OK ? code : no_memory(e);
    }
    return EC_OK;
}

/* Variant number `index` of the cross product. */
static enum ec_code make_variant(const struct cli_job *base, const struct axis *axes,
                                 size_t axis_count, size_t index, struct sweep_variant *v,
                                 struct ec_error *e)
{
    size_t rest = index, below = 1;
    *v = (struct sweep_variant){.label = strdup(""),
                                .topology = strdup(base->spec.topology),
                                .workload = strdup(base->spec.workload),
                                .job = cli_job_default()};
    bool good = v->label && v->topology && v->workload;
    for (size_t i = 0; good && i < base->parsed.repeated.count; i++)
        good = cli_words_put(&v->options, base->parsed.repeated.at[i]);
    drop_option(v, "seed"); /* every run has its own */
    if (!good || !set_defaults(v))
        return no_memory(e);
    for (size_t k = 0; k < axis_count; k++)
        below *= axes[k].count;
    for (size_t k = 0; k < axis_count; k++) {
        below /= axes[k].count;
        const struct ec_slice value = value_of(&axes[k], rest / below);
        rest %= below;
        const enum ec_code code = set_all(v, axes[k].key, value, e);
        if (code != EC_OK)
            return code;
    }
    return EC_OK;
}

/* Plots, tables and pages know a curve by its label. */
static enum ec_code check_label(const struct sweep_variants *v, struct ec_error *e)
{
    const char *label = v->at[v->count - 1].label;
    for (size_t i = 0; i + 1 < v->count; i++)
        if (strcmp(v->at[i].label, label) == 0)
            return ec_fail(
                e, EC_USAGE, "--vary: two curves have the label '%s': expected different values%s",
                label, strstr(label, "rtl=") ? ", or rtl=NAME=FILE+FILE...:top=MODULE" : "");
    return EC_OK;
}

static enum ec_code read_axes(const struct cli_words *texts, struct axis *axes, size_t *ret_count,
                              struct ec_error *e)
{
    size_t count = 1;
    for (size_t i = 0; i < texts->count; i++) {
        const enum ec_code code = read_axis(texts->at[i], &axes[i], e);
        if (code != EC_OK)
            return code;
        count *= axes[i].count;
        if (count > VARIANTS_MAX)
            return ec_fail(e, EC_USAGE, "--vary: more than %d variants", VARIANTS_MAX);
    }
    *ret_count = count;
    return EC_OK;
}

enum ec_code sweep_variants_open(const struct cli_job *base, struct sweep_variants *ret,
                                 struct ec_error *reterr)
{
    const size_t axis_count = base->vary.count;
    struct axis *axes = calloc(axis_count + 1, sizeof *axes);
    struct sweep_variants v = {0};
    size_t count = 0;
    enum ec_code code = axes ? read_axes(&base->vary, axes, &count, reterr) : no_memory(reterr);
    if (code == EC_OK) {
        v.at = calloc(count, sizeof *v.at);
        code = v.at ? EC_OK : no_memory(reterr);
    }
    while (code == EC_OK && v.count < count) {
        code = make_variant(base, axes, axis_count, v.count, &v.at[v.count], reterr);
        v.count++;
        code = code == EC_OK ? check_label(&v, reterr) : code;
    }
    free(axes);
    if (code != EC_OK)
        sweep_variants_close(&v);
    *ret = v;
    return code;
}

void sweep_variants_close(struct sweep_variants *v)
{
    for (size_t i = 0; i < v->count; i++)
        close_variant(&v->at[i]);
    free(v->at);
    *v = (struct sweep_variants){0};
}

static bool is_coarse(const struct sweep_variant *v, enum sweep_purpose purpose)
{
    return v->default_precision && purpose == SWEEP_LATENCY;
}

double sweep_variant_precision(const struct sweep_variant *v, enum sweep_purpose purpose)
{
    return is_coarse(v, purpose) ? strtod(SWEEP_COARSE_PRECISION, NULL) : v->job.spec.precision;
}

struct sweep_goal sweep_variant_goal(const struct sweep_variant *v, enum sweep_purpose purpose,
                                     uint64_t cycles)
{
    struct sweep_goal g = {.precision = sweep_variant_precision(v, purpose),
                           .cycles = v->job.spec.cycles};
    if (cycles == 0)
        return g;
    /* A run that stopped where its own interval looks narrow would prefer quiet times, and pooling
     * does not remove this bias: all replicas have the same length. */
    g.precision = EC_PRECISION_LEAST;
    snprintf(g.precision_text, sizeof g.precision_text, "%g", g.precision);
    g.cycles = cycles;
    snprintf(g.cycles_text, sizeof g.cycles_text, "%" PRIu64, g.cycles);
    return g;
}

/* `goal`: of a replica; NULL: the options of the point. */
static bool put_options(const struct sweep_variant *v, enum sweep_purpose purpose,
                        const struct sweep_goal *goal, struct cli_words *ret)
{
    char **const precision = find_value(v, "precision"), **const cycles = find_value(v, "cycles");
    bool good = true;
    for (size_t i = 0; good && i < v->options.count; i++) {
        const char *word = v->options.at[i];
        if (&v->options.at[i] == precision && is_coarse(v, purpose))
            word = SWEEP_COARSE_PRECISION;
        if (goal && &v->options.at[i] == precision)
            word = goal->precision_text;
        if (goal && &v->options.at[i] == cycles)
            word = goal->cycles_text;
        good = cli_words_put(ret, word);
    }
    return good;
}

bool sweep_variant_base(const struct sweep_variant *v, enum sweep_purpose purpose,
                        struct cli_words *ret)
{
    return cli_words_put(ret, v->topology) && cli_words_put(ret, v->workload) &&
           put_options(v, purpose, NULL, ret);
}

enum ec_code sweep_variant_parse(struct sweep_variant *v, struct ec_error *reterr)
{
    if (!cli_words_put(&v->words, "run") || !sweep_variant_base(v, SWEEP_GRID, &v->words))
        return no_memory(reterr);
    return cli_parse_line(&cli_table, cli_command_find(&cli_table, "run"), CLI_LINE,
                          (int)v->words.count, v->words.at, &v->job.parsed, reterr);
}

char *sweep_variant_workload(const struct sweep_variant *v, const struct sweep_rate *rate)
{
    return ec_keyvalue_set_named(v->workload, ec_slice_of("rate"), ec_slice_of(rate->text));
}

bool sweep_variant_words(const struct sweep_variant *v, const struct sweep_rate *rate,
                         uint64_t seed, uint64_t cycles, struct cli_words *ret)
{
    const struct sweep_goal goal = sweep_variant_goal(v, rate->purpose, cycles);
    char number[24];
    char *workload = sweep_variant_workload(v, rate);
    bool good = workload && cli_words_put(ret, v->topology) && cli_words_put(ret, workload) &&
                put_options(v, rate->purpose, cycles > 0 ? &goal : NULL, ret);
    snprintf(number, sizeof number, "%" PRIu64, seed);
    good = good && cli_words_put(ret, "--seed") && cli_words_put(ret, number);
    free(workload);
    return good;
}
