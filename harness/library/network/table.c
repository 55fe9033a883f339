/* SPDX-License-Identifier: Apache-2.0 */
/* Routing tables: memory, files, the paths of dimension order, and the walk along all paths. Must
 * not know traffic. */
#include "base/text.h"
#include "ecube/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "network/names.h"

/* What ec_table_open() makes. */
struct shared {
    struct ec_table table; /* first */
    unsigned users;
};

enum ec_code ec_table_open(uint32_t routers, uint32_t nodes, unsigned ports, bool classes,
                           struct ec_table **ret, struct ec_error *reterr)
{
    const uint64_t entries = (uint64_t)routers * nodes;
    if (entries > EC_TABLE_ENTRIES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "a routing table of %u routers and %u nodes has too many entries: expected "
                       "at most %u",
                       routers, nodes, EC_TABLE_ENTRIES_MAX);
    struct shared *shared = calloc(1, sizeof *shared);
    if (!shared)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a routing table");
    struct ec_table *const t = ec_table_share(&shared->table);
    *t = (struct ec_table){.routers = routers, .nodes = nodes, .ports = ports};
    t->port = malloc(entries);
    t->class_ = classes ? calloc(entries, 1) : NULL;
    if (!t->port || (classes && !t->class_)) {
        ec_table_close(t);
        return ec_fail(reterr, EC_MEMORY,
                       "out of memory for a routing table of %u routers and %u nodes", routers,
                       nodes);
    }
    memset(t->port, EC_TABLE_NONE, entries);
    *ret = t;
    return EC_OK;
}

struct ec_table *ec_table_share(struct ec_table *table)
{
    if (table)
        ((struct shared *)table)->users++;
    return table;
}

void ec_table_close(struct ec_table *table)
{
    if (!table || --((struct shared *)table)->users > 0)
        return;
    free(table->port);
    free(table->class_);
    free(table);
}

/* --- Files ------------------------------------------------------------------------------------ */

struct reading {
    struct ec_table *table;
    const char *path, *at; /* ends with a zero byte */
    unsigned line;
    uint32_t router, node; /* the next entry */
    struct ec_error *reterr;
};

static enum ec_code refuse_entry(const struct reading *r, const char *from)
{
    const size_t length = strcspn(from, " \t\r\n#");
    return ec_fail(r->reterr, EC_USAGE,
                   "%s:%u: entry '%.*s' of router %u for node %u: expected a port (0 to %u), '-'%s",
                   r->path, r->line, (int)(length < 20 ? length : 20), from, r->router, r->node,
                   r->table->ports - 1,
                   r->table->class_ ? " or PORT/CLASS with class 0 or 1"
                                    : "; PORT/CLASS needs --router dateline=on");
}

/* A number below `end`. */
static bool take_number(const char **at, unsigned end, unsigned *ret)
{
    const char *const from = *at;
    unsigned value = 0;
    for (; **at >= '0' && **at <= '9' && value < end; ++*at)
        value = 10 * value + (unsigned)(**at - '0');
    *ret = value;
    return *at != from && value < end;
}

static enum ec_code take_entry(struct reading *r)
{
    const char *const from = r->at;
    const size_t entry = (size_t)r->router * r->table->nodes + r->node;
    unsigned port = EC_TABLE_NONE, class_ = 0;
    bool good = true;
    if (*r->at == '-')
        r->at++;
    else
        good = take_number(&r->at, r->table->ports, &port);
    if (good && port != EC_TABLE_NONE && *r->at == '/') {
        r->at++;
        good = take_number(&r->at, r->table->class_ ? EC_TABLE_CLASSES : 1, &class_);
    }
    if (!good || !strchr(" \t\r\n#", *r->at))
        return refuse_entry(r, from);
    r->table->port[entry] = (uint8_t)port;
    if (r->table->class_)
        r->table->class_[entry] = (uint8_t)class_;
    r->node++;
    return EC_OK;
}

/* The entries of one line. */
static enum ec_code take_line(struct reading *r)
{
    enum ec_code code = EC_OK;
    for (r->node = 0; code == EC_OK;) {
        r->at += strspn(r->at, " \t\r");
        if (*r->at == '\0' || *r->at == '\n' || *r->at == '#')
            break;
        if (r->router == r->table->routers)
            return ec_fail(r->reterr, EC_USAGE, "%s:%u: expected one line for each of %u routers",
                           r->path, r->line, r->table->routers);
        if (r->node == r->table->nodes)
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%u: router %u: expected an entry for each of %u nodes, got more",
                           r->path, r->line, r->router, r->table->nodes);
        code = take_entry(r);
    }
    if (code != EC_OK || r->node == 0)
        return code;
    if (r->node < r->table->nodes)
        return ec_fail(r->reterr, EC_USAGE,
                       "%s:%u: router %u: expected an entry for each of %u nodes, got %u", r->path,
                       r->line, r->router, r->table->nodes, r->node);
    r->router++;
    return EC_OK;
}

enum ec_code ec_table_read(struct ec_table *table, const char *path, struct ec_error *reterr)
{
    char *text;
    size_t size;
    enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    struct reading r = {.table = table, .path = path, .at = text, .reterr = reterr};
    while (code == EC_OK && *r.at) {
        r.line++;
        code = take_line(&r);
        r.at += strcspn(r.at, "\n");
        r.at += *r.at == '\n';
    }
    if (code == EC_OK && r.router < table->routers)
        code = ec_fail(reterr, EC_USAGE, "%s: expected a line for each of %u routers, got %u", path,
                       table->routers, r.router);
    free(text);
    return code;
}

/* --- Dimension order -------------------------------------------------------------------------- */

/* The dateline class of this link on the way from a node to another. */
static unsigned class_of(const struct ec_topology *t, uint32_t node, unsigned link, uint32_t dst)
{
    const unsigned dim = link / t->links_per_dim;
    if (!t->wrap[dim])
        return 0;
    const uint32_t from = ec_topology_coord(t, node, dim), to = ec_topology_coord(t, dst, dim);
    return link % 2 ? from > to : from < to;
}

void ec_table_fill(struct ec_table *table, const struct ec_topology *t, const struct ec_router *r)
{
    const struct ec_router order = {.order = r->order, .ties = r->ties};
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (uint32_t dst = 0; dst < t->nodes; dst++) {
            const size_t at = (size_t)node * t->nodes + dst;
            const uint32_t link = ec_route_link(t, &order, node, dst);
            table->port[at] = (uint8_t)(link == EC_NONE ? ec_topology_links(t) : link);
            if (table->class_ && link != EC_NONE)
                table->class_[at] = (uint8_t)class_of(t, node, link, dst);
        }
    }
}

/* --- The walk --------------------------------------------------------------------------------- */

struct walking {
    const struct ec_table *table;
    const struct ec_topology *t;
    uint32_t *peer; /* [router * links + link] the next router, or EC_NONE */
    uint32_t *hops; /* [router] to one destination, plus 1; or: */
    struct ec_error *reterr;
};
#define UNSEEN     0
#define ON_THE_WAY UINT32_MAX

/* The router after this one, or itself if it is the last. */
static enum ec_code go_on(const struct walking *w, uint32_t router, uint32_t dst, uint32_t *ret)
{
    const unsigned links = ec_topology_links(w->t);
    const unsigned port = w->table->port[(size_t)router * w->table->nodes + dst];
    if (port == EC_TABLE_NONE)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u has no way to node %u: expected a port", router,
                       dst);
    const bool here = router == ec_topology_router(w->t, dst);
    const unsigned local =
        links + dst - ec_topology_first_node(w->t, ec_topology_router(w->t, dst));
    if (here && port == local) {
        *ret = router;
        return w->table->class_ && w->table->class_[(size_t)router * w->table->nodes + dst]
                   ? ec_fail(
                         w->reterr, EC_USAGE,
                         "routing table: router %u: class 1 on its local port: expected class 0",
                         router)
                   : EC_OK;
    }
    if (port >= links && !here)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u sends words for node %u to port %u: expected a "
                       "link, 0 to %u",
                       router, dst, port, links - 1);
    char name[EC_NAME_SIZE];
    ec_port_name(w->t, w->table->ports - links, port, name, sizeof name);
    if (here)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u sends words for its own node %u to port %u (%s): "
                       "expected local port %u",
                       router, dst, port, name, local);
    *ret = w->peer[(size_t)router * links + port];
    if (*ret == EC_NONE)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u sends words for node %u to port %u (%s), which "
                       "leads nowhere",
                       router, dst, port, name);
    return EC_OK;
}

enum { ROUND_SHOWN = 8 };

/* "3, 4, 5, 3" */
static enum ec_code refuse_round(const struct walking *w, uint32_t router, uint32_t dst)
{
    char text[16 * (ROUND_SHOWN + 2)] = "";
    uint32_t at = router;
    size_t steps = 0;
    do {
        if (steps++ < ROUND_SHOWN)
            ec_append(text, sizeof text, "%u, ", at);
        go_on(w, at, dst, &at);
    } while (at != router);
    ec_append(text, sizeof text, "%s%u", steps > ROUND_SHOWN ? "..., " : "", router);
    return ec_fail(w->reterr, EC_USAGE,
                   "routing table: words for node %u go round and never arrive: routers %s", dst,
                   text);
}

static enum ec_code walk_from(const struct walking *w, uint32_t router, uint32_t dst)
{
    uint32_t at = router, next = router, steps = 0;
    while (w->hops[at] == UNSEEN) {
        w->hops[at] = ON_THE_WAY;
        const enum ec_code code = go_on(w, at, dst, &next);
        if (code != EC_OK)
            return code;
        w->hops[next] = next == at ? 1 : w->hops[next];
        steps += next != at;
        at = next;
    }
    if (w->hops[at] == ON_THE_WAY)
        return refuse_round(w, at, dst);
    const uint32_t rest = w->hops[at];
    for (at = router; w->hops[at] == ON_THE_WAY; at = next) {
        w->hops[at] = rest + steps--;
        go_on(w, at, dst, &next);
    }
    return EC_OK;
}

/* The nodes whose words for `dst` take more than a shortest path. */
static uint64_t count_longer(const struct walking *w, uint32_t dst)
{
    uint64_t longer = 0;
    for (uint32_t src = 0; src < w->table->nodes; src++)
        longer += w->hops[ec_topology_router(w->t, src)] - 1 > ec_topology_distance(w->t, src, dst);
    return longer;
}

enum ec_code ec_table_check(const struct ec_table *table, const struct ec_topology *t,
                            uint64_t *ret_longer, struct ec_error *reterr)
{
    const unsigned links = ec_topology_links(t);
    uint64_t longer = 0;
    struct walking w = {.table = table, .t = t, .reterr = reterr};
    w.peer = malloc((size_t)table->routers * links * sizeof *w.peer);
    w.hops = malloc(table->routers * sizeof *w.hops);
    enum ec_code code = w.peer && w.hops
                            ? EC_OK
                            : ec_fail(reterr, EC_MEMORY, "out of memory for the paths of a table");
    for (uint32_t router = 0; code == EC_OK && router < table->routers; router++) {
        for (unsigned link = 0; link < links; link++)
            w.peer[(size_t)router * links + link] = ec_topology_neighbor(t, router, link);
    }
    for (uint32_t dst = 0; code == EC_OK && dst < table->nodes; dst++) {
        memset(w.hops, UNSEEN, table->routers * sizeof *w.hops);
        for (uint32_t src = 0; code == EC_OK && src < table->nodes; src++)
            code = walk_from(&w, ec_topology_router(t, src), dst);
        longer += code == EC_OK && ret_longer ? count_longer(&w, dst) : 0;
    }
    free(w.peer);
    free(w.hops);
    if (code == EC_OK && ret_longer)
        *ret_longer = longer;
    return code;
}
