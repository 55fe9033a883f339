/* SPDX-License-Identifier: Apache-2.0 */
/* A router whose place is a parameter needs a compilation for each place. Here they look like one
 * shape: placeholders in --parameter become numbers, and a bank hands each router to the shape of
 * its place.
 *
 * Knows places and shapes. Must not know how a shape is built, or the tools. */
#include "shape/places.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/output.h"
#include "base/workers.h"
#include "shape/build.h"
#include "shape/compiled.h"

/* --- Placeholders ----------------------------------------------------------------------------- */

static unsigned shift_of(uint32_t mask)
{
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

static uint32_t coordinate(const struct ec_tile_place *p, unsigned dim)
{
    return (p->coord & p->mask[dim]) >> shift_of(p->mask[dim]);
}

/* 1 if the dimension is not used. */
static uint32_t radix(const struct ec_tile_place *p, unsigned dim)
{
    return p->mask[dim] ? p->radix[dim] >> shift_of(p->mask[dim]) : 1;
}

static uint32_t node(const struct ec_tile_place *p)
{
    uint32_t number = 0;
    for (unsigned dim = EC_TILE_DIMS_MAX; dim-- > 0;)
        number = number * radix(p, dim) + coordinate(p, dim);
    return number;
}

/* The placeholder at `text`: its length, and its value at a place; 0: none begins here. */
static size_t placeholder(const char *text, const struct ec_tile_place *p, uint32_t *ret)
{
    static const struct {
        const char *name;
        uint32_t (*value)(const struct ec_tile_place *, unsigned dim);
    } of_dims[] = {{"%x", coordinate}, {"%r", radix}};
    for (size_t i = 0; i < sizeof of_dims / sizeof *of_dims; i++) {
        if (strncmp(text, of_dims[i].name, 2) != 0 || !isdigit((unsigned char)text[2]))
            continue;
        char *end;
        const unsigned long dim = strtoul(text + 2, &end, 10);
        *ret = dim < EC_TILE_DIMS_MAX ? of_dims[i].value(p, (unsigned)dim) : 0;
        return (size_t)(end - text);
    }
    if (strncmp(text, "%coord", 6) == 0) {
        *ret = p->coord;
        return 6;
    }
    if (strncmp(text, "%node", 5) == 0) {
        *ret = node(p);
        return 5;
    }
    return 0;
}

static bool is_parameter(const char *line)
{
    return strncmp(line, "--parameter ", strlen("--parameter ")) == 0;
}

bool ec_shape_has_places(const char *build)
{
    static const struct ec_tile_place any;
    uint32_t value;
    bool parameter = false;
    for (const char *at = build; at && *at; at++) {
        parameter = at == build || at[-1] == '\n' ? is_parameter(at) : parameter;
        if (parameter && placeholder(at, &any, &value) > 0)
            return true;
    }
    return false;
}

/* The options of a place; malloc'd, NULL: out of memory. */
static char *build_at(const char *build, const struct ec_tile_place *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool parameter = false;
    for (const char *at = build; out && *at;) {
        uint32_t value;
        parameter = at == build || at[-1] == '\n' ? is_parameter(at) : parameter;
        const size_t length = parameter ? placeholder(at, p, &value) : 0;
        if (length > 0)
            fprintf(out, "%" PRIu32, value);
        else
            fputc(*at, out);
        at += length > 0 ? length : 1;
    }
    (void)ec_memstream_close(out, &text);
    return text;
}

/* --- Shapes ----------------------------------------------------------------------------------- */

struct ec_places {
    struct ec_tile_api api;
    char *build; /* with placeholders */
    size_t count;
    struct {
        char *build;
        struct compiled shape;
    } at[EC_PLACES_MAX];
};

static enum ec_code no_memory(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for the places of a router");
}

/* The shape of a place; `count` if there is none. */
static size_t find(const struct ec_places *p, const char *build)
{
    size_t k = 0;
    while (k < p->count && strcmp(p->at[k].build, build) != 0)
        k++;
    return k;
}

/* Different texts of options are different shapes. */
static enum ec_code find_all(struct ec_places *p, const struct ec_shape_options *options,
                             struct ec_error *reterr)
{
    for (size_t i = 0; i < options->place_count; i++) {
        char *build = build_at(options->build, &options->places[i]);
        if (!build)
            return no_memory(reterr);
        if (find(p, build) < p->count) {
            free(build);
            continue;
        }
        if (p->count == EC_PLACES_MAX) {
            free(build);
            return ec_fail(reterr, EC_USAGE,
                           "the place of %s is a parameter, and each place needs a compilation: "
                           "expected at most %d places; for more, let the adapter give the router "
                           "relative coordinates, taken from coord_i",
                           options->top, EC_PLACES_MAX);
        }
        p->at[p->count++].build = build;
    }
    return EC_OK;
}

/* --- Building --------------------------------------------------------------------------------- */

struct builder {
    const struct ec_places *places;
    const struct ec_tile_shape *shape;
    const struct ec_shape_options *options;
    sigset_t before;
    size_t todo[EC_PLACES_MAX], count, done;
    struct ec_error error;
};

static struct ec_shape_options options_at(const struct ec_shape_options *options, const char *build)
{
    struct ec_shape_options own = *options;
    own.build = build;
    own.places = NULL;
    own.progress = NULL;
    return own;
}

static void end_pause(int signal_number)
{
    (void)signal_number;
}

/* SIGTERM of the parent ends the pauses of a build, which then ends its compilers and removes their
 * folder. Nothing else ends it: the handlers of the program are for the program. False: it came
 * before. */
static bool heed_parent(const sigset_t *held)
{
    static const int others[] = {SIGINT, SIGHUP};
    const struct sigaction action = {.sa_handler = end_pause};
    sigset_t mask = *held, pending;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        signal(others[i], SIG_IGN);
    sigaction(SIGTERM, &action, NULL);
    sigemptyset(&pending);
    sigpending(&pending);
    sigdelset(&mask, SIGTERM);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return !sigismember(&pending, SIGTERM);
}

static void build_in_worker(void *context, size_t item, void *shared, FILE *out)
{
    const struct builder *b = context;
    const struct ec_shape_options options =
        options_at(b->options, b->places->at[b->todo[item]].build);
    struct compiled open = {0};
    struct ec_error e = {.code = EC_OK};
    (void)shared;
    if (!heed_parent(&b->before))
        ec_fail(&e, EC_INTERRUPTED, "interrupted while a router shape was being built");
    else if (compiled_open(b->shape, &options, true, &open, &e) == EC_OK)
        compiled_close(&open);
    fwrite(&e, sizeof e, 1, out);
}

static bool one_built(void *context, const struct ec_work_result *result)
{
    struct builder *b = context;
    if (b->error.code != EC_OK) /* the first error counts */
        return false;
    if (!result->whole || result->size != sizeof b->error)
        ec_fail(&b->error, EC_TOOL, "building a router shape: %s", result->why);
    else
        memcpy(&b->error, result->text, sizeof b->error);
    b->done++;
    if (b->error.code == EC_OK)
        ec_shape_say(b->options, "%s: %zu of %zu built", b->options->top, b->done, b->count);
    return b->error.code == EC_OK;
}

static bool go_on(void *context)
{
    struct builder *b = context;
    if (!ec_signals_pause(&b->before, 1))
        return true;
    ec_fail(&b->error, EC_INTERRUPTED, "interrupted while router shapes were being built");
    return false;
}

static enum ec_code build_all(struct builder *b, struct ec_error *reterr)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = processors < 1 ? 1 : (size_t)processors;
    const struct ec_workers_plan plan = {.count = b->count,
                                         .jobs = (unsigned)(b->count < most ? b->count : most),
                                         .context = b,
                                         .work = build_in_worker,
                                         .done = one_built,
                                         .go_on = go_on};
    ec_shape_say(b->options, "building %s for %zu more place%s, %u at a time", b->options->top,
                 b->count, b->count == 1 ? "" : "s", plan.jobs);
    ec_signals_hold(&b->before);
    enum ec_code code = ec_workers_run(&plan, reterr);
    ec_signals_release(&b->before);
    if (code == EC_OK && b->error.code != EC_OK)
        code = ec_fail(reterr, b->error.code, "%s", b->error.message);
    return code;
}

/* The first one is built by itself: what is wrong with all of them is reported at once. */
static enum ec_code open_first(struct ec_places *p, const struct ec_tile_shape *shape,
                               const struct ec_shape_options *options, struct ec_error *reterr)
{
    struct ec_shape_options own = options_at(options, p->at[0].build);
    own.progress = options->progress;
    return compiled_open(shape, &own, true, &p->at[0].shape, reterr);
}

static enum ec_code open_all(struct ec_places *p, const struct ec_tile_shape *shape,
                             const struct ec_shape_options *options, struct ec_error *reterr)
{
    struct builder b = {.places = p, .shape = shape, .options = options};
    enum ec_code code = open_first(p, shape, options, reterr);
    for (size_t k = 1; k < p->count && code == EC_OK; k++) {
        const struct ec_shape_options own = options_at(options, p->at[k].build);
        if (compiled_open(shape, &own, false, &p->at[k].shape, NULL) != EC_OK)
            b.todo[b.count++] = k;
    }
    if (code == EC_OK && b.count > 0)
        code = build_all(&b, reterr);
    for (size_t i = 0; i < b.count && code == EC_OK; i++) {
        const size_t k = b.todo[i];
        const struct ec_shape_options own = options_at(options, p->at[k].build);
        code = compiled_open(shape, &own, true, &p->at[k].shape, reterr);
    }
    return code;
}

/* --- Banks ------------------------------------------------------------------------------------ */

/* A router, alone in a bank of its shape. */
struct seat {
    struct ec_tile_bank *all;
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_listener listener;
    uint32_t number;
};

/* Known under this name to the users of the API; shapes have other structs of this name. */
struct ec_tile_bank {
    const struct ec_tile_listener *listener;
    unsigned ports, vcs;
    size_t count;
    struct seat seats[];
};

static void relay(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    const struct seat *s = context;
    (void)router;
    s->all->listener->said(s->all->listener->context, s->number, event, text);
}

static void announce(const struct seat *s)
{
    const struct ec_tile_listener *listener = s->all->listener;
    if (listener && listener->router)
        *listener->router = s->number;
}

/* The rows of one router. */
static struct ec_tile_io rows_of(const struct ec_tile_bank *b, const struct ec_tile_io *io,
                                 uint32_t id)
{
    const size_t ports = (size_t)id * b->ports, vcs = (size_t)id * b->vcs;
    return (struct ec_tile_io){.in_word = io->in_word + ports,
                               .in_valid = io->in_valid + id,
                               .in_credit = io->in_credit + vcs,
                               .out_word = io->out_word + ports,
                               .out_valid = io->out_valid + id,
                               .out_credit = io->out_credit + vcs,
                               .contended = io->contended + vcs,
                               .starved = io->starved + vcs,
                               .want = io->want + ports * b->vcs,
                               .quiet = io->quiet + id};
}

static void reset_bank(struct ec_tile_bank *b)
{
    for (uint32_t id = 0; id < b->count; id++) {
        announce(&b->seats[id]);
        b->seats[id].api->reset(b->seats[id].bank);
    }
}

static void step_bank(struct ec_tile_bank *b, const struct ec_tile_io *io, const uint32_t *ids,
                      size_t count)
{
    const uint32_t first = 0;
    for (size_t k = 0; k < count; k++) {
        const struct ec_tile_io own = rows_of(b, io, ids[k]);
        announce(&b->seats[ids[k]]);
        b->seats[ids[k]].api->step(b->seats[ids[k]].bank, &own, &first, 1);
    }
}

static void peek_bank(struct ec_tile_bank *b, const struct ec_tile_io *io, const uint32_t *ids,
                      size_t count)
{
    const uint32_t first = 0;
    for (size_t k = 0; k < count; k++) {
        const struct ec_tile_io own = rows_of(b, io, ids[k]);
        announce(&b->seats[ids[k]]);
        b->seats[ids[k]].api->peek(b->seats[ids[k]].bank, &own, &first, 1);
    }
}

static void close_bank(struct ec_tile_bank *b)
{
    for (size_t id = 0; b && id < b->count; id++)
        b->seats[id].api->close(b->seats[id].bank);
    free(b);
}

static bool open_seat(const struct ec_places *p, struct ec_tile_bank *b,
                      const struct ec_tile_place *place, uint32_t number, uint32_t seed)
{
    struct seat *const s = &b->seats[b->count];
    char *build = build_at(p->build, place);
    const size_t k = build ? find(p, build) : p->count;
    free(build);
    if (k == p->count)
        return false;
    *s = (struct seat){.all = b,
                       .api = p->at[k].shape.api,
                       .listener = {.said = relay, .context = s},
                       .number = number};
    announce(s);
    s->bank = s->api->open(1, place, NULL, seed ? seed + number : 0, NULL,
                           b->listener ? &s->listener : NULL);
    b->count += s->bank != NULL;
    return s->bank != NULL;
}

struct ec_tile_bank *ec_places_bank(const struct ec_places *p, size_t routers,
                                    const struct ec_tile_place *places, const uint32_t *numbers,
                                    uint32_t random_seed, const struct ec_tile_listener *listener)
{
    struct ec_tile_bank *b = calloc(1, sizeof *b + routers * sizeof *b->seats);
    if (!b)
        return NULL;
    b->listener = listener;
    b->vcs = p->api.shape.vcs;
    b->ports = p->api.shape.dims * p->api.shape.links_per_dim + p->api.shape.locals;
    for (size_t i = 0; i < routers; i++) {
        const uint32_t number = numbers ? numbers[i] : (uint32_t)i;
        if (!open_seat(p, b, &places[i], number, random_seed)) {
            close_bank(b);
            return NULL;
        }
    }
    return b;
}

/* --- The interface ---------------------------------------------------------------------------- */

static struct ec_tile_api common_api(const struct ec_places *p)
{
    struct ec_tile_api api = *p->at[0].shape.api;
    for (size_t k = 1; k < p->count; k++) {
        const struct ec_tile_api *other = p->at[k].shape.api;
        api.has_taps = api.has_taps && other->has_taps;
        api.has_quiet = api.has_quiet && other->has_quiet;
    }
    api.open = NULL;
    api.trace = NULL;
    api.reset = reset_bank;
    api.step = step_bank;
    api.close = close_bank;
    api.peek = peek_bank;
    return api;
}

enum ec_code ec_places_open(const struct ec_tile_shape *shape,
                            const struct ec_shape_options *options, struct ec_places **ret,
                            struct ec_error *reterr)
{
    if (options->traced)
        return ec_fail(reterr, EC_USAGE,
                       "the place of %s is a parameter: such routers have no waves, unless the "
                       "adapter gives the router relative coordinates",
                       options->top);
    struct ec_places *p = calloc(1, sizeof *p);
    if (!p)
        return no_memory(reterr);
    p->build = strdup(options->build);
    enum ec_code code = p->build ? find_all(p, options, reterr) : no_memory(reterr);
    if (code == EC_OK && p->count == 0)
        code = ec_fail(reterr, EC_USAGE,
                       "--parameter: the place of %s is a parameter: expected a network",
                       options->top);
    if (code == EC_OK)
        code = open_all(p, shape, options, reterr);
    if (code != EC_OK) {
        ec_places_close(p);
        return code;
    }
    p->api = common_api(p);
    *ret = p;
    return EC_OK;
}

const struct ec_tile_api *ec_places_api(const struct ec_places *p)
{
    return &p->api;
}

const char *ec_places_key(const struct ec_places *p)
{
    return p->at[0].shape.key;
}

void ec_places_points(const struct ec_places *p, ec_point_take *take, void *context)
{
    for (size_t k = 0; k < p->count; k++) {
        if (p->at[k].shape.points)
            p->at[k].shape.points(take, context);
    }
}

void ec_places_close(struct ec_places *p)
{
    for (size_t k = 0; p && k < p->count; k++) {
        compiled_close(&p->at[k].shape);
        free(p->at[k].build);
    }
    if (p)
        free(p->build);
    free(p);
}
