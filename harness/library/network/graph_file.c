/* SPDX-License-Identifier: Apache-2.0 */
/* The text format of graphs (docs/WORKLOADS.md). Knows lines and words; must not know what follows
 * from the links. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ecube/router.h"
#include "network/graph.h"

enum { WORDS_MAX = 4 };

struct reading {
    struct graph_maker *m;
    const char *path;
    unsigned line;
    struct ec_slice word[WORDS_MAX];
    size_t words;
    struct ec_error *reterr;
};

static enum ec_code refuse(const struct reading *r, size_t word, const char *expected)
{
    static const struct ec_slice none = {"nothing", 7};
    const struct ec_slice got = word < r->words ? r->word[word] : none;
    return ec_fail(r->reterr, EC_USAGE, "%s:%u: expected %s; got '%.*s'", r->path, r->line,
                   expected, EC_SHOWN(got));
}

/* The words of a line, up to a comment. False: too many. */
static bool split(struct reading *r, struct ec_slice line)
{
    const char *const end = line.at + line.length;
    const char *at = line.at;

    for (r->words = 0; at < end; r->words++) {
        at += strspn(at, " \t\r");
        if (at >= end || *at == '#')
            return true;
        const size_t length = strcspn(at, " \t\r\n#");
        if (r->words == WORDS_MAX)
            return false;
        r->word[r->words] = (struct ec_slice){at, length};
        at += length;
    }
    return true;
}

static enum ec_code read_routers(struct reading *r)
{
    uint64_t number;

    if (r->words != 2 || !ec_slice_number(r->word[1], GRAPH_ROUTERS_MAX, &number) || number == 0)
        return ec_fail(r->reterr, EC_USAGE, "%s:%u: expected 'routers N', N from 1 to %u", r->path,
                       r->line, GRAPH_ROUTERS_MAX);
    if (r->m->routers)
        return ec_fail(r->reterr, EC_USAGE, "%s:%u: the number of routers is already given",
                       r->path, r->line);
    return graph_maker_open(r->m, (uint32_t)number, r->reterr);
}

/* "nodes ROUTER N" or "nodes FIRST-LAST N". */
static enum ec_code read_nodes(struct reading *r)
{
    uint64_t first, last, count;
    struct ec_slice rest = r->words > 1 ? r->word[1] : (struct ec_slice){0}, part = {0};

    ec_slice_take(&rest, '-', &part);
    if (!part.at || !ec_slice_number(part, r->m->routers - 1, &first))
        return refuse(r, 1, "a router or a range of routers, such as 0-3");
    last = first;
    if (rest.at && (!ec_slice_number(rest, r->m->routers - 1, &last) || last < first))
        return refuse(r, 1, "a router or a range of routers, such as 0-3");
    if (r->words != 3 || !ec_slice_number(r->word[2], EC_DIMS_MAX, &count))
        return refuse(r, 2, "a number of nodes, at most 24");
    for (uint64_t router = first; router <= last; router++)
        r->m->nodes[router] = (uint32_t)count;
    return EC_OK;
}

/* "ROUTER:PORT" of a port that is free. */
static enum ec_code read_end(const struct reading *r, size_t word, struct graph_end *ret)
{
    struct ec_slice rest = word < r->words ? r->word[word] : (struct ec_slice){0}, part = {0};
    uint64_t router, port;

    ec_slice_take(&rest, ':', &part);
    if (!part.at || !ec_slice_number(part, r->m->routers - 1, &router))
        return refuse(r, word, "ROUTER:PORT with a router of the graph");
    if (!rest.at || !ec_slice_number(rest, EC_DIMS_MAX - 1, &port))
        return refuse(r, word, "ROUTER:PORT with a port from 0 to 23");
    if (r->m->far[router * EC_DIMS_MAX + port] != EC_NONE)
        return refuse(r, word, "a port without a link");
    *ret = (struct graph_end){(uint32_t)router, (unsigned)port};
    return EC_OK;
}

/* "link A:PORT B:PORT [DELAY]" */
static enum ec_code read_link(struct reading *r)
{
    struct graph_end a = {0}, b = {0};
    uint64_t delay = 1;

    enum ec_code code = read_end(r, 1, &a);
    if (code == EC_OK)
        code = read_end(r, 2, &b);
    if (code)
        return code;
    if (a.router == b.router)
        return refuse(r, 2, "a link to another router");
    if (r->words == 4 && (!ec_slice_number(r->word[3], EC_LINK_MAX, &delay) || delay == 0))
        return refuse(r, 3, "a delay from 1 to 64 cycles");
    graph_connect(r->m, a, b, (unsigned)delay);
    return EC_OK;
}
_Static_assert(EC_DIMS_MAX == 24 && EC_LINK_MAX == 64, "the messages name both");

static enum ec_code read_line(struct reading *r, struct ec_slice line)
{
    if (!split(r, line))
        return ec_fail(r->reterr, EC_USAGE, "%s:%u: expected at most %d words", r->path, r->line,
                       WORDS_MAX);
    if (r->words == 0)
        return EC_OK;
    if (ec_slice_is(r->word[0], "routers"))
        return read_routers(r);
    if (!r->m->routers)
        return refuse(r, 0, "'routers N' in the first line");
    if (ec_slice_is(r->word[0], "nodes"))
        return read_nodes(r);
    return ec_slice_is(r->word[0], "link") ? read_link(r) : refuse(r, 0, "routers, nodes or link");
}

enum ec_code graph_read(const char *path, struct graph_maker *m, struct ec_error *reterr)
{
    struct reading r = {.m = m, .path = path, .reterr = reterr};
    struct ec_slice rest, line;
    char *text;
    size_t size;

    enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code)
        return code;
    rest = (struct ec_slice){text, size};
    while (code == EC_OK && ec_slice_take(&rest, '\n', &line)) {
        r.line++;
        code = read_line(&r, line);
    }
    if (code == EC_OK && !m->routers)
        code = ec_fail(reterr, EC_USAGE,
                       "%s: expected 'routers N' in the first line; the file is "
                       "empty",
                       path);
    free(text);
    return code;
}
