/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes and nets kept for the next run.
 *
 * Knows which parts of a job make a different compiled router or a different network; knows nothing
 * of workloads. */
#include "program/case/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/systemc.h"

enum { TEXTS_MAX = 20 };

/* What makes a compiled shape a different one. */
struct wanted {
    struct ec_tile_shape shape;
    bool random_init, traced;
    bool flat;                   /* a whole network, of this topology: */
    struct ec_topology topology; /* else of no account */
};

struct entry {
    struct wanted wanted;
    char *rtl, *top; /* NULL: our own router */
    struct ec_shape *open;
};

struct cli_pool {
    struct cli_progress *progress;
    struct ec_vitals *vitals; /* NULL: nobody watches */
    unsigned side;
    unsigned texts; /* of the RTL, in this run */
    struct entry *entries;
    size_t count;

    /* The last net and what it was made of; it borrows these copies. */
    struct ec_net *net;
    struct ec_topology topology;
    struct ec_router router;
    struct ec_shape *shape;
    struct ec_tiles_options options;
};

enum ec_code cli_pool_open(struct cli_progress *progress, struct cli_pool **ret,
                           struct ec_error *reterr)
{
    struct cli_pool *p = calloc(1, sizeof *p);
    if (!p)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    p->progress = progress;
    *ret = p;
    return EC_OK;
}

void cli_pool_show(struct cli_pool *p, struct ec_vitals *vitals, unsigned side)
{
    p->vitals = vitals;
    p->side = side;
}

struct ec_net_pulse *cli_pool_pulse(const struct cli_pool *p)
{
    return p->vitals ? &p->vitals->pulse[p->side] : NULL;
}

static void drop_net(struct cli_pool *p)
{
    if (p->net)
        p->net->ops->close(p->net);
    p->net = NULL;
}

void cli_pool_close(struct cli_pool *p)
{
    if (!p)
        return;
    drop_net(p);
    for (size_t i = 0; i < p->count; i++) {
        ec_shape_close(p->entries[i].open);
        free(p->entries[i].rtl);
        free(p->entries[i].top);
    }
    free(p->entries);
    free(p);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_topology(const struct ec_topology *a, const struct ec_topology *b)
{
    if (a->kind != b->kind || a->dims != b->dims || a->links_per_dim != b->links_per_dim)
        return false;
    for (unsigned d = 0; d < a->dims; d++) {
        if (a->radix[d] != b->radix[d] || a->wrap[d] != b->wrap[d])
            return false;
    }
    return true;
}

static bool same_wanted(const struct wanted *a, const struct wanted *b)
{
    return ec_shape_same(&a->shape, &b->shape) && a->random_init == b->random_init &&
           a->traced == b->traced && a->flat == b->flat &&
           (!a->flat || same_topology(&a->topology, &b->topology));
}

/* "a.sv,b.sv" as a NULL-terminated list; *ret_text holds the texts. Both NULL for NULL. */
static bool split_files(const char *files, const char ***ret_list, char **ret_text)
{
    *ret_list = NULL;
    *ret_text = NULL;
    if (!files)
        return true;
    size_t n = 1;
    for (const char *c = files; *c; c++)
        n += *c == ',';
    const char **list = calloc(n + 1, sizeof *list);
    char *text = strdup(files), *rest = text;
    if (!list || !text) {
        free(list);
        free(text);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        list[i] = strsep(&rest, ",");
    *ret_list = list;
    *ret_text = text;
    return true;
}

static enum ec_code open_shape(struct cli_pool *p, const struct cli_job *job,
                               const struct wanted *wanted, struct ec_shape **ret,
                               struct ec_error *reterr)
{
    const char **list;
    char *text;
    if (!split_files(job->spec.rtl, &list, &text))
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    struct ec_shape_options options = {
        .random_init = wanted->random_init,
        .traced = wanted->traced,
        .rtl = list,
        .top = job->spec.top,
        .network = wanted->flat ? &wanted->topology : NULL,
        .progress = job->quiet ? NULL : cli_progress_line,
        .progress_context = p->progress,
    };
    cli_progress_erase(p->progress); /* a build tells itself, and waits for no other signal */
    enum ec_code code = ec_shape_open(&wanted->shape, &options, ret, reterr);
    free(list);
    free(text);
    return code;
}

/* Keep an open shape; closes it if there is no room. */
static enum ec_code keep_shape(struct cli_pool *p, const struct cli_job *job,
                               const struct wanted *wanted, struct ec_shape *open,
                               struct ec_error *reterr)
{
    struct entry *grown = realloc(p->entries, (p->count + 1) * sizeof *grown);
    p->entries = grown ? grown : p->entries;
    struct entry e = {
        .wanted = *wanted,
        .rtl = job->spec.rtl ? strdup(job->spec.rtl) : NULL,
        .top = job->spec.top ? strdup(job->spec.top) : NULL,
        .open = open,
    };
    if (!grown || !e.rtl != !job->spec.rtl || !e.top != !job->spec.top) {
        free(e.rtl);
        free(e.top);
        ec_shape_close(open);
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    }
    p->entries[p->count++] = e;
    return EC_OK;
}

static enum ec_code find_shape(struct cli_pool *p, const struct cli_case *c, bool traced,
                               struct ec_shape **ret, struct ec_error *reterr)
{
    const struct cli_job *job = c->job;
    struct wanted wanted = {
        .random_init = job->spec.random_init != 0 && !traced,
        .traced = traced,
        .flat =
            job->spec.backend == EC_BACKEND_FLAT && !traced, /* waves are those of single routers */
        .topology = c->topology,
    };
    enum ec_code code = (wanted.flat ? ec_flat_choose : ec_shape_choose)(&c->topology, &c->router,
                                                                         &wanted.shape, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < p->count; i++) {
        const struct entry *e = &p->entries[i];
        if (same_wanted(&e->wanted, &wanted) && same_text(e->rtl, job->spec.rtl) &&
            same_text(e->top, job->spec.top)) {
            *ret = e->open;
            return EC_OK;
        }
    }
    struct ec_shape *open;
    code = open_shape(p, job, &wanted, &open, reterr);
    if (code == EC_OK)
        code = keep_shape(p, job, &wanted, open, reterr);
    if (code == EC_OK)
        *ret = open;
    return code;
}

enum ec_code cli_pool_shape(struct cli_pool *p, const struct cli_case *c, struct ec_shape **ret,
                            struct ec_error *reterr)
{
    return find_shape(p, c, false, ret, reterr);
}

enum ec_code cli_pool_traced(struct cli_pool *p, const struct cli_case *c, struct ec_shape **ret,
                             struct ec_error *reterr)
{
    return find_shape(p, c, true, ret, reterr);
}

static bool same_router(const struct ec_router *a, const struct ec_router *b)
{
    return a->vcs == b->vcs && a->depth == b->depth && a->switching == b->switching &&
           a->order == b->order && a->ports == b->ports && a->dateline == b->dateline &&
           a->packet == b->packet;
}

static bool same_options(const struct ec_tiles_options *a, const struct ec_tiles_options *b)
{
    return a->no_sleep == b->no_sleep && a->shuffle_seed == b->shuffle_seed &&
           a->random_seed == b->random_seed && a->foreign == b->foreign && a->text == b->text;
}

/* What the RTL prints. It may print in every cycle. */
static void show_text(void *context, uint64_t cycle, uint32_t node, const char *text)
{
    struct cli_pool *p = context;
    char router[128], line[512];
    if (++p->texts > TEXTS_MAX + 1)
        return;
    if (p->texts > TEXTS_MAX) {
        cli_progress_line(p->progress, "RTL: further texts of this run are not shown");
        return;
    }
    snprintf(router, sizeof router, "?");
    if (node != EC_NONE)
        ec_topology_node_name(&p->topology, node, router, sizeof router);
    snprintf(line, sizeof line, "RTL: cycle %" PRIu64 ", router %s: %s", cycle, router, text);
    for (char *c = line; *c; c++)
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    cli_progress_line(p->progress, line);
}

/* A router of one's own is tried before a network is made of it. */
static enum ec_code open_tiles(struct cli_pool *p, const struct cli_job *job,
                               struct ec_error *reterr)
{
    struct ec_error e;
    const enum ec_code code =
        job->spec.rtl ? ec_shape_moore(p->shape, &p->topology, &p->router, p->options.pulse, &e)
                      : EC_OK;
    if (code != EC_OK)
        return ec_fail(reterr, code, "--top %.60s: %s", job->spec.top, e.message);
    return ec_tiles_open(&p->topology, &p->router, p->shape, &p->options, &p->net, reterr);
}

enum ec_code cli_pool_net(struct cli_pool *p, const struct cli_case *c, struct ec_net **ret,
                          struct ec_shape **ret_shape, struct ec_error *reterr)
{
    struct ec_tiles_options options = {
        .no_sleep = c->job->spec.no_sleep,
        .shuffle_seed = c->job->spec.shuffle,
        .random_seed = c->job->spec.random_init,
        .foreign = c->job->spec.rtl != NULL || c->job->spec.own_time,
        .pulse = cli_pool_pulse(p),
        .text = c->job->quiet ? NULL : show_text,
        .text_context = p,
    };
    const bool systemc = c->job->spec.backend == EC_BACKEND_SYSTEMC;
    struct ec_shape *shape = NULL; /* the model in SystemC is compiled once and for all */
    enum ec_code code = systemc ? EC_OK : cli_pool_shape(p, c, &shape, reterr);
    if (code != EC_OK)
        return code;
    bool same = p->net && !(p->net->rtl && p->net->rtl->broken) && p->shape == shape &&
                same_options(&p->options, &options) && same_topology(&p->topology, &c->topology) &&
                same_router(&p->router, &c->router);
    p->texts = 0;
    if (!same) {
        drop_net(p);
        p->topology = c->topology;
        p->router = c->router;
        p->shape = shape;
        p->options = options;
        code = systemc ? ec_systemc_open(&p->topology, &p->router, &p->net, reterr)
                       : open_tiles(p, c->job, reterr);
        if (code != EC_OK) {
            p->net = NULL;
            return code;
        }
    }
    *ret = p->net;
    *ret_shape = shape;
    return EC_OK;
}
