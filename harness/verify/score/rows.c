/* SPDX-License-Identifier: Apache-2.0 */
/* The runs that judge mutants: those of the default baseline with the same compiled router, and
 * some on the network of the command that reach what these may leave out. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "ecube/shape.h"

/* WORKLOAD and options; `router` is added to the options of the router. */
static const struct {
    const char *words, *router;
} own[] = {
    {"uniform:rate=0.2,m=1..9 --cycles 1500", ""},
    {"uniform:rate=0.7,m=1..5 --cycles 1500", ""},
    {"uniform:rate=0.4,m=4 --cycles 1500 --eject-stall 0.4", ""},
    {"randperm:m=12 --seed 3", ""},
    {"hotspot:m=6", ""},
    {"uniform:rate=0.5,m=1..9 --cycles 1500", "order=high"},
    {"uniform:rate=0.4,m=1..9 --cycles 1500 --packet 3", "switching=cut-through"},
    {"uniform:rate=0.4,m=1..9 --cycles 1500 --packet 2", "switching=store-and-forward"},
    {"uniform:rate=0.4,m=1..4 --cycles 1500", "depth=2"},
    {"uniform:rate=0.2,m=3,reply=2 --cycles 1500", ""},
    {"uniform:rate=0.2,m=3,reply=2,classes=1 --cycles 1500", ""},
    {"uniform:rate=0.3,m=1..5 --cycles 1500 --random-init 7", ""},
    {"uniform:rate=0.3,m=1..5 --cycles 1500 --no-sleep", ""},
};

/* A row that runs on this shape; others, and those that the options of this router exclude, are
 * none of its business. */
static enum ec_code add(struct mutate *m, const struct regress_runner *r,
                        const struct ec_tile_shape *shape, const char *text,
                        struct ec_error *reterr)
{
    struct regress_file *f = &m->rows;
    struct regress_line l = {.text = strdup(text), .is_run = true};
    struct ec_tile_shape other;
    if (l.text && (regress_shape(r, &l, &other, NULL) != EC_OK || !ec_shape_same(shape, &other))) {
        free(l.text);
        return EC_OK;
    }
    if (!l.text || !EC_LIST_PUSH(f->lines, f->count, f->room, l)) {
        free(l.text);
        return ec_fail(reterr, EC_MEMORY, "out of memory for the rows of a router");
    }
    f->runs++;
    return EC_OK;
}

static enum ec_code add_baseline(struct mutate *m, const struct regress_runner *r,
                                 const struct ec_tile_shape *shape, struct ec_error *reterr)
{
    char data[PATH_MAX], path[PATH_MAX];
    struct regress_file all = {0};
    enum ec_code code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/harness/program/regress/default.txt", data);
    if (code == EC_OK)
        code = regress_file_read(path, &all, reterr);
    for (size_t i = 0; i < all.count && code == EC_OK; i++) {
        if (all.lines[i].is_run)
            code = add(m, r, shape, all.lines[i].text, reterr);
    }
    regress_file_close(&all);
    return code;
}

static enum ec_code add_own(struct mutate *m, const struct regress_runner *r,
                            const struct ec_tile_shape *shape, struct ec_error *reterr)
{
    const char *router = m->job->spec.router ? m->job->spec.router : "";
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own && code == EC_OK; i++) {
        const char *more = own[i].router;
        char text[800];
        snprintf(text, sizeof text, "%.200s %s%s%.300s%s%s", m->plain->topology_text, own[i].words,
                 *router || *more ? " --router " : "", router, *router && *more ? "," : "", more);
        code = add(m, r, shape, text, reterr);
    }
    return code;
}

enum ec_code mutate_rows(struct mutate *m, struct ec_error *reterr)
{
    const struct regress_runner r = {.rtl = m->job->spec.rtl,
                                     .top = m->job->spec.top,
                                     .build = m->job->spec.build,
                                     .threads = 1,
                                     .progress = m->progress,
                                     .session = m->session};
    struct ec_tile_shape shape;
    enum ec_code code = ec_shape_choose(&m->plain->topology, &m->plain->router, &shape, reterr);
    if (code == EC_OK)
        code = add_own(m, &r, &shape, reterr);
    return code == EC_OK ? add_baseline(m, &r, &shape, reterr) : code;
}
