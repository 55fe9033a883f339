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
    free(table->set);
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
                   "%s:%u: entry '%.*s' of router %u for node %u: expected a port (0 to %u), or "
                   "different ones with '|' between them, '-'%s",
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

/* PORT or PORT/CLASS */
static bool take_port(struct reading *r, unsigned *ret_port, unsigned *ret_class)
{
    *ret_class = 0;
    if (!take_number(&r->at, r->table->ports, ret_port))
        return false;
    if (*r->at != '/')
        return true;
    r->at++;
    return take_number(&r->at, r->table->class_ ? EC_TABLE_CLASSES : 1, ret_class);
}

/* From the first entry with several ports on, all entries are sets. False: out of memory. */
static bool add_port(struct ec_table *t, size_t entry, unsigned port, unsigned class_)
{
    const size_t entries = (size_t)t->routers * t->nodes;
    const bool first = t->port[entry] == EC_TABLE_NONE;
    uint64_t *const set = first || t->set ? t->set : calloc(2 * entries, sizeof *set);
    if (!first && !set)
        return false;
    for (size_t i = 0; set != t->set && i < 2 * entries; i++)
        set[i] = ec_table_ports(t, i / 2, i % 2);
    t->set = set;
    if (set)
        set[2 * entry + class_] |= UINT64_C(1) << port;
    if (first)
        t->port[entry] = (uint8_t)port;
    if (first && t->class_)
        t->class_[entry] = (uint8_t)class_;
    return true;
}

static enum ec_code take_entry(struct reading *r)
{
    struct ec_table *const t = r->table;
    const char *const from = r->at;
    const size_t entry = (size_t)r->router * t->nodes + r->node;
    bool more = *r->at != '-', good = true;
    r->at += !more;
    while (more && good) {
        unsigned port, class_;
        good = take_port(r, &port, &class_) && !(ec_table_all_ports(t, entry) >> port & 1);
        if (good && !add_port(t, entry, port, class_))
            return ec_fail(r->reterr, EC_MEMORY, "out of memory for the sets of ports of a table");
        more = *r->at == '|';
        r->at += more;
    }
    if (!good || !strchr(" \t\r\n#", *r->at))
        return refuse_entry(r, from);
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
    uint32_t *peer;  /* [router * links + link] the next router, or EC_NONE */
    uint32_t *hops;  /* [router] the most links to one destination, plus 1; or: */
    uint32_t *way;   /* [depth] the routers of a way to it */
    uint64_t *ahead; /* [router] on this way: the links that were not followed yet */
    struct ec_error *reterr;
};
#define UNSEEN     0
#define ON_THE_WAY UINT32_MAX

/* May words for this node leave by this port? *ret_last: it is the last one. */
static enum ec_code judge_port(const struct walking *w, uint32_t router, uint32_t dst,
                               unsigned port, bool *ret_last)
{
    const unsigned links = ec_topology_links(w->t);
    const size_t entry = (size_t)router * w->table->nodes + dst;
    const bool here = router == ec_topology_router(w->t, dst);
    const unsigned local =
        links + dst - ec_topology_first_node(w->t, ec_topology_router(w->t, dst));
    *ret_last = here && port == local;
    if (*ret_last)
        return ec_table_ports(w->table, entry, 1)
                   ? ec_fail(
                         w->reterr, EC_USAGE,
                         "routing table: router %u: class 1 on its local port: expected class 0",
                         router)
                   : EC_OK;
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
    if (w->peer[(size_t)router * links + port] == EC_NONE)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u sends words for node %u to port %u (%s), which "
                       "leads nowhere",
                       router, dst, port, name);
    return EC_OK;
}

/* The links by which words for this node may leave; none at its router. */
static enum ec_code look_ahead(const struct walking *w, uint32_t router, uint32_t dst,
                               uint64_t *ret)
{
    const uint64_t ports = ec_table_all_ports(w->table, (size_t)router * w->table->nodes + dst);
    enum ec_code code = EC_OK;
    bool last = false;
    if (ports == 0)
        return ec_fail(w->reterr, EC_USAGE,
                       "routing table: router %u has no way to node %u: expected a port", router,
                       dst);
    for (uint64_t left = ports; code == EC_OK && left; left &= left - 1)
        code = judge_port(w, router, dst, (unsigned)__builtin_ctzll(left), &last);
    *ret = last ? 0 : ports;
    return code;
}

enum { ROUND_SHOWN = 8 };

/* "3, 4, 5, 3": the way comes back to a router. */
static enum ec_code refuse_round(const struct walking *w, size_t depth, uint32_t router,
                                 uint32_t dst)
{
    char text[16 * (ROUND_SHOWN + 2)] = "";
    size_t at = 0, end;
    while (w->way[at] != router)
        at++;
    end = depth - at > ROUND_SHOWN ? at + ROUND_SHOWN : depth;
    for (; at < end; at++)
        ec_append(text, sizeof text, "%u, ", w->way[at]);
    ec_append(text, sizeof text, "%s%u", end < depth ? "..., " : "", router);
    return ec_fail(w->reterr, EC_USAGE, "routing table: words for node %u %s: routers %s", dst,
                   w->table->set ? "can go round for ever" : "go round and never arrive", text);
}

static uint32_t most_hops(const struct walking *w, uint32_t router, uint32_t dst)
{
    const unsigned links = ec_topology_links(w->t);
    uint64_t left = ec_table_all_ports(w->table, (size_t)router * w->table->nodes + dst);
    uint32_t most = 0;
    for (; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint32_t hops = port < links ? w->hops[w->peer[(size_t)router * links + port]] : 0;
        most = hops > most ? hops : most;
    }
    return most + 1;
}

/* Every way from a router to a node, depth first. */
static enum ec_code walk_from(const struct walking *w, uint32_t router, uint32_t dst)
{
    const unsigned links = ec_topology_links(w->t);
    size_t depth = 0;
    for (uint32_t next = router; depth > 0 || w->hops[router] == UNSEEN;) {
        if (w->hops[next] == UNSEEN) {
            w->hops[next] = ON_THE_WAY;
            w->way[depth++] = next;
            const enum ec_code code = look_ahead(w, next, dst, &w->ahead[next]);
            if (code != EC_OK)
                return code;
        }
        const uint32_t at = w->way[depth - 1];
        uint64_t *const ahead = &w->ahead[at];
        if (*ahead == 0) {
            w->hops[at] = most_hops(w, at, dst);
            depth--;
            continue;
        }
        next = w->peer[(size_t)at * links + (unsigned)__builtin_ctzll(*ahead)];
        *ahead &= *ahead - 1;
        if (w->hops[next] == ON_THE_WAY)
            return refuse_round(w, depth, next, dst);
    }
    return EC_OK;
}

/* The nodes whose words for `dst` may take more than a shortest path. */
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
    w.way = malloc(table->routers * sizeof *w.way);
    w.ahead = malloc(table->routers * sizeof *w.ahead);
    enum ec_code code = w.peer && w.hops && w.way && w.ahead
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
    free(w.way);
    free(w.ahead);
    if (code == EC_OK && ret_longer)
        *ret_longer = longer;
    return code;
}
