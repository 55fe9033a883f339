/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of selections. Knows topologies and paths; must not know the purpose of a selection.
 */
#include "ecube/select.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ecube/route.h"

#define NODE_FORMS                                                                                 \
    "a number, coordinates such as (1,2) or x1y2, a range such as 0-3, path:SRC-DST or all"

static bool append(struct ec_node_set *set, uint32_t node)
{
    /* Room doubles: it is full exactly when the count is a power of two. */
    if ((set->count & (set->count - 1)) == 0) {
        const size_t room = set->count ? 2 * set->count : 1;
        uint32_t *grown = realloc(set->nodes, room * sizeof *grown);
        if (!grown)
            return false;
        set->nodes = grown;
    }
    set->nodes[set->count++] = node;
    return true;
}

bool ec_node_set_add(struct ec_node_set *set, uint32_t node)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->nodes[i] == node)
            return true;
    }
    return append(set, node);
}

void ec_node_set_free(struct ec_node_set *set)
{
    free(set->nodes);
    *set = (struct ec_node_set){0};
}

static enum ec_code no_memory_for_selection(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for a selection of routers");
}

static enum ec_code bad_node(struct ec_slice s, const struct ec_topology *t, uint32_t count,
                             struct ec_error *reterr)
{
    char name[160];
    ec_topology_format(t, name, sizeof name);
    return ec_fail(reterr, EC_USAGE, "'%.*s' is not a %s of %s: expected 0 to %u%s%s", EC_SHOWN(s),
                   count == t->nodes ? "node" : "router", name, count - 1,
                   t->graph ? "" : ", or coordinates",
                   t->kind == EC_CUBE          ? " such as (101)"
                   : t->dims == 2 && !t->graph ? " such as (1,2) or x1y2"
                                               : "");
}

/* Coordinates, lowest dimension first, without their parentheses. */
static bool read_coordinates(struct ec_slice s, const struct ec_topology *t, uint32_t *ret)
{
    struct ec_slice part;
    uint64_t value;
    uint32_t node = 0;
    unsigned dim = 0;
    while (ec_slice_take(&s, ',', &part)) {
        if (dim == t->dims || !ec_slice_number(part, t->radix[dim] - 1, &value))
            return false;
        node += (uint32_t)value * t->stride[dim++];
    }
    *ret = node;
    return dim == t->dims;
}

/* The binary address of a node of a cube, as reports print it. */
static bool read_binary(struct ec_slice s, const struct ec_topology *t, uint32_t *ret)
{
    uint32_t node = 0;
    if (t->kind != EC_CUBE || s.length != t->dims)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] != '0' && s.at[i] != '1')
            return false;
        node = 2 * node + (uint32_t)(s.at[i] - '0');
    }
    *ret = node;
    return true;
}

/* "x1y2z0". */
static bool read_letters(struct ec_slice s, const struct ec_topology *t, uint32_t *ret)
{
    static const char letters[] = "xyz";
    uint32_t node = 0;
    size_t at = 0;
    if (t->kind == EC_CUBE || t->dims > 3)
        return false;
    for (unsigned dim = 0; dim < t->dims; dim++) {
        uint64_t value;
        size_t digits = 0;
        if (at == s.length || s.at[at++] != letters[dim])
            return false;
        while (at + digits < s.length && isdigit((unsigned char)s.at[at + digits]))
            digits++;
        if (!ec_slice_number((struct ec_slice){s.at + at, digits}, t->radix[dim] - 1, &value))
            return false;
        node += (uint32_t)value * t->stride[dim];
        at += digits;
    }
    *ret = node;
    return at == s.length;
}

/* A number below `count`: of nodes, or of routers. Only in a graph these differ. */
static enum ec_code read_node(struct ec_slice s, const struct ec_topology *t, uint32_t count,
                              uint32_t *ret, struct ec_error *reterr)
{
    uint64_t value;
    if (ec_slice_number(s, count - 1, &value)) {
        *ret = (uint32_t)value;
        return EC_OK;
    }
    if (t->graph)
        return bad_node(s, t, count, reterr);
    if (s.length >= 2 && s.at[0] == '(' && s.at[s.length - 1] == ')') {
        const struct ec_slice inside = {s.at + 1, s.length - 2};
        if (read_binary(inside, t, ret) || read_coordinates(inside, t, ret))
            return EC_OK;
    }
    return read_letters(s, t, ret) ? EC_OK : bad_node(s, t, count, reterr);
}

/* The '-' between two nodes; NULL if there is none. */
static const char *find_dash(struct ec_slice s)
{
    return s.length ? memchr(s.at, '-', s.length) : NULL;
}

static enum ec_code read_pair(struct ec_slice s, const struct ec_topology *t, uint32_t count,
                              uint32_t *ret_a, uint32_t *ret_b, struct ec_error *reterr)
{
    const char *dash = find_dash(s);
    if (!dash || dash == s.at || dash == s.at + s.length - 1)
        return ec_fail(reterr, EC_USAGE, "'%.*s': expected two nodes, SRC-DST, for example 5-0",
                       EC_SHOWN(s));
    const size_t before = (size_t)(dash - s.at);
    const struct ec_slice a = {s.at, before}, b = {dash + 1, s.length - before - 1};
    enum ec_code code = read_node(a, t, count, ret_a, reterr);
    return code == EC_OK ? read_node(b, t, count, ret_b, reterr) : code;
}

static enum ec_code add_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                             uint32_t dst, struct ec_node_set *set, struct ec_error *reterr)
{
    const size_t count = ec_route_path(t, r, src, dst, NULL, 0);
    struct ec_hop *hops = malloc((count + 1) * sizeof *hops);
    if (!hops)
        return no_memory_for_selection(reterr);
    ec_route_path(t, r, src, dst, hops, count);
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = ec_node_set_add(set, hops[i].node);
    free(hops);
    return good && ec_node_set_add(set, ec_topology_router(t, dst))
               ? EC_OK
               : no_memory_for_selection(reterr);
}

static enum ec_code add_range(uint32_t first, uint32_t last, struct ec_node_set *set,
                              struct ec_error *reterr)
{
    const bool fresh =
        set->count == 0; /* no duplicates to look for, so that `all` takes linear time */
    for (uint32_t node = first; node <= last; node++) {
        if (!(fresh ? append(set, node) : ec_node_set_add(set, node)))
            return no_memory_for_selection(reterr);
    }
    return EC_OK;
}

static enum ec_code add_item(struct ec_slice s, const struct ec_topology *t,
                             const struct ec_router *r, struct ec_node_set *set,
                             struct ec_error *reterr)
{
    static const char path[] = "path:";
    uint32_t a, b;
    enum ec_code code;
    if (s.length == 0)
        return ec_fail(reterr, EC_USAGE, "empty item: expected " NODE_FORMS);
    if (ec_slice_is(s, "all"))
        return add_range(0, t->routers - 1, set, reterr);
    if (s.length >= strlen(path) && strncmp(s.at, path, strlen(path)) == 0) {
        const struct ec_slice pair = {s.at + strlen(path), s.length - strlen(path)};
        code = read_pair(pair, t, t->nodes, &a, &b, reterr);
        return code == EC_OK ? add_path(t, r, a, b, set, reterr) : code;
    }
    if (find_dash(s)) {
        code = read_pair(s, t, t->routers, &a, &b, reterr);
        if (code == EC_OK && a > b)
            code = ec_fail(reterr, EC_USAGE, "range '%.*s' is empty: %u is greater than %u",
                           EC_SHOWN(s), a, b);
        return code == EC_OK ? add_range(a, b, set, reterr) : code;
    }
    code = read_node(s, t, t->routers, &a, reterr);
    return code == EC_OK ? add_range(a, a, set, reterr) : code;
}

/* Up to the next comma outside parentheses. */
static bool take_item(struct ec_slice *rest, struct ec_slice *ret)
{
    if (!rest->at)
        return false;
    size_t length = 0;
    bool inside = false;
    while (length < rest->length && (inside || rest->at[length] != ',')) {
        inside = rest->at[length] == '(' || (inside && rest->at[length] != ')');
        length++;
    }
    *ret = (struct ec_slice){rest->at, length};
    *rest = length < rest->length
                ? (struct ec_slice){rest->at + length + 1, rest->length - length - 1}
                : (struct ec_slice){NULL, 0};
    return true;
}

enum ec_code ec_select_nodes(const char *text, const struct ec_topology *t,
                             const struct ec_router *r, struct ec_node_set *ret,
                             struct ec_error *reterr)
{
    struct ec_node_set set = {0};
    struct ec_slice rest = ec_slice_of(text), item;
    enum ec_code code = EC_OK;
    while (code == EC_OK && take_item(&rest, &item))
        code = add_item(item, t, r, &set, reterr);
    if (code == EC_OK)
        *ret = set;
    else
        ec_node_set_free(&set);
    return code;
}

enum ec_code ec_select_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                            uint32_t dst, struct ec_node_set *ret, struct ec_error *reterr)
{
    struct ec_node_set set = {0};
    enum ec_code code = add_path(t, r, src, dst, &set, reterr);
    if (code == EC_OK)
        *ret = set;
    else
        ec_node_set_free(&set);
    return code;
}

enum ec_code ec_select_cycles(const char *text, struct ec_cycle_range *ret, struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(text), from, to = {0};
    struct ec_cycle_range range = {1, UINT64_MAX};
    ec_slice_take(&rest, ':', &from);
    const bool open = rest.at != NULL;
    if (open)
        to = rest;
    bool good = from.length == 0 ? open : ec_slice_number(from, UINT64_MAX - 1, &range.from);
    if (good && to.length > 0)
        good = ec_slice_number(to, UINT64_MAX - 1, &range.to);
    else if (!open)
        range.to = range.from;
    if (!good || (from.length == 0 && to.length == 0) || range.from == 0)
        return ec_fail(
            reterr, EC_USAGE,
            "'%.*s' is not a range of cycles: expected FROM:TO, FROM: or :TO, counted from "
            "1, for example 100:200",
            EC_SHOWN(ec_slice_of(text)));
    if (range.to < range.from)
        return ec_fail(reterr, EC_USAGE,
                       "range of cycles '%.*s' is empty: expected FROM:TO with FROM <= TO",
                       EC_SHOWN(ec_slice_of(text)));
    *ret = range;
    return EC_OK;
}

enum ec_code ec_select_pair(const char *text, const struct ec_topology *t, uint32_t *ret_src,
                            uint32_t *ret_dst, struct ec_error *reterr)
{
    return read_pair(ec_slice_of(text), t, t->nodes, ret_src, ret_dst, reterr);
}
