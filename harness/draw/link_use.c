/* SPDX-License-Identifier: Apache-2.0 */
/* Which link carried whose word in which cycle, as seen in a run. Knows words and links; must not
 * know why they move. */
#include <stdlib.h>

#include "draw/grid.h"
#include "ecube/word.h"

struct use {
    uint32_t cycle, node, source;
    uint16_t link;
};

struct link_use {
    const struct ec_topology *t;
    struct ec_net_watch watch;
    struct use *uses;
    size_t count, room;
    bool memory_short;
};

static void add(struct link_use *u, struct use use)
{
    if (u->count == u->room) {
        const size_t room = u->room ? 2 * u->room : 1024;
        struct use *uses = realloc(u->uses, room * sizeof *uses);
        if (!uses) {
            u->memory_short = true;
            return;
        }
        u->uses = uses;
        u->room = room;
    }
    u->uses[u->count++] = use;
}

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct link_use *u = context;
    const unsigned links = ec_topology_links(u->t);
    for (unsigned link = 0; link < links && !u->memory_short; link++) {
        const uint64_t word = seen->out_word[link];
        if (!(seen->out_valid >> link & 1))
            continue;
        add(u, (struct use){.cycle = (uint32_t)seen->cycle + 1, /* shown after that step */
                            .node = seen->node,
                            .source = ec_topology_node(u->t, ec_word_src(word)),
                            .link = (uint16_t)link});
    }
}

static void see_reset(void *context)
{
    struct link_use *u = context;
    u->count = 0;
}

struct link_use *link_use_open(const struct ec_topology *t)
{
    struct link_use *u = calloc(1, sizeof *u);
    if (u) {
        u->t = t;
        u->watch = (struct ec_net_watch){.router = see_router, .reset = see_reset, .context = u};
    }
    return u;
}

const struct ec_net_watch *link_use_watch(struct link_use *u)
{
    return &u->watch;
}

void link_use_close(struct link_use *u)
{
    if (u)
        free(u->uses);
    free(u);
}

static int by_link(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->link != y->link)
        return x->link < y->link ? -1 : 1;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

static void name_row(const struct link_use *u, const struct use *use, char *buffer, size_t size)
{
    char link[16];
    ec_topology_link_name(u->t, use->link, link, sizeof link);
    snprintf(buffer, size, "%u %s -> %u", use->node, link,
             ec_topology_neighbor(u->t, use->node, use->link));
}

enum ec_code grid_of_link_use(struct link_use *u, const char *title, struct grid *ret,
                              struct ec_error *reterr)
{
    struct grid g = {.row_head = "link",
                     .column_head = "cycle",
                     .legend = "cell: the source of the word that crosses this link in this cycle"};
    g.row = calloc(u->count ? u->count : 1, sizeof *g.row);
    g.cells = calloc(u->count ? u->count : 1, sizeof *g.cells);
    if (!g.row || !g.cells || u->memory_short) {
        grid_close(&g);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    }
    snprintf(g.title, sizeof g.title, "%s", title);
    if (u->count)
        qsort(u->uses, u->count, sizeof *u->uses, by_link);
    for (size_t i = 0; i < u->count; i++) {
        const struct use *x = &u->uses[i];
        if (i == 0 || x->node != x[-1].node || x->link != x[-1].link)
            name_row(u, x, g.row[g.rows++], sizeof *g.row);
        struct grid_cell *c = &g.cells[g.cell_count++];
        *c = (struct grid_cell){.row = g.rows - 1, .column = x->cycle, .colour = x->source};
        snprintf(c->text, sizeof c->text, "%u", x->source);
        g.columns = x->cycle > g.columns ? x->cycle : g.columns;
    }
    *ret = g;
    return EC_OK;
}
