/* SPDX-License-Identifier: Apache-2.0 */
/* Words that name things: topologies, router options, permutations of address bits, selections of
 * nodes and cycles, lists of rates. What parses must be printed as a text that parses to the same.
 *
 * Lines of an input: topology, router options, SDP cycles, nodes, cycles, a pair, rates. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/router.h"
#include "ecube/sdp.h"
#include "ecube/select.h"
#include "ecube/shape.h"
#include "ecube/topology.h"
#include "fuzz.h"
#include "program/sweep/search.h"

/* Nodes of networks on which selections are tried. */
enum { NODES_MAX = 4096, STORAGE = 3, PROCESSOR = 5 };

static bool same_topology(const struct ec_topology *a, const struct ec_topology *b)
{
    bool same = a->kind == b->kind && a->dims == b->dims && a->nodes == b->nodes &&
                a->address_bits == b->address_bits;
    for (unsigned d = 0; same && d < a->dims; d++)
        same = a->radix[d] == b->radix[d] && a->wrap[d] == b->wrap[d];
    return same;
}

static bool try_topology(const char *text, struct ec_topology *t)
{
    struct ec_topology again;
    struct ec_error e;
    char name[160];
    const enum ec_code code = ec_topology_parse(text, t, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return false;
    ec_topology_format(t, name, sizeof name);
    if (ec_topology_parse(name, &again, &e) != EC_OK || !same_topology(t, &again))
        fuzz_fail("'%s' is printed as '%s', which is another topology", text, name);
    (void)ec_topology_diameter(t);
    if (t->address_bits <= 20) {
        const uint32_t last = t->nodes - 1;
        if (ec_topology_node(t, ec_topology_address(t, last)) != last)
            fuzz_fail("%s: the address of its last node is another node", name);
        ec_topology_node_name(t, last, name, sizeof name);
    }
    return true;
}

static bool try_router(const char *text, const struct ec_topology *t, struct ec_router *r)
{
    struct ec_router again;
    struct ec_tile_shape shape;
    struct ec_error e;
    char name[160], second[160];
    enum ec_code code = ec_router_parse(text, t, r, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return false;
    code = ec_router_set_packet(r, 0, 8, &e);
    fuzz_check_error(code, &e);
    ec_router_format(r, name, sizeof name);
    char *packet = strstr(name, ",packet="); /* not an option of the router */
    if (packet)
        *packet = '\0';
    if (ec_router_parse(name, t, &again, &e) != EC_OK)
        fuzz_fail("'%s' is printed as '%s': %s", text, name, e.message);
    again.packet = r->packet;
    ec_router_format(&again, second, sizeof second);
    packet = strstr(second, ",packet=");
    if (packet)
        *packet = '\0';
    if (strcmp(name, second) != 0)
        fuzz_fail("'%s' is printed as '%s', which is '%s'", text, name, second);
    code = ec_shape_choose(t, r, &shape, &e);
    fuzz_check_error(code, &e);
    return true;
}

static void try_sdp(const char *text)
{
    struct ec_sdp s, again;
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2], factors[EC_SDP_DIMS_MAX / 2], virtual;
    struct ec_error e;
    char name[400];
    const enum ec_code code = ec_sdp_parse(text, STORAGE, PROCESSOR, &s, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return;
    const struct ec_sdp inverse = ec_sdp_inverse(&s);
    ec_sdp_format(&s, name, sizeof name);
    if (name[0] && ec_sdp_parse(name, STORAGE, PROCESSOR, &again, &e) != EC_OK)
        fuzz_fail("'%s' is printed as '%s': %s", text, name, e.message);
    if (!name[0])
        again = ec_sdp_identity(STORAGE, PROCESSOR);
    for (uint64_t x = 0; x < UINT64_C(1) << (STORAGE + PROCESSOR); x++) {
        if (ec_sdp_apply(&s, x) != ec_sdp_apply(&again, x) ||
            ec_sdp_apply(&inverse, ec_sdp_apply(&s, x)) != x)
            fuzz_fail("'%s' or its inverse moves element %" PRIu64 " elsewhere", text, x);
    }
    (void)ec_sdp_classify(&s);
    const unsigned count = ec_sdp_cycles(&s, cycles);
    for (unsigned k = 0; k < count; k++) {
        if (cycles[k].dim[0] < STORAGE)
            (void)ec_sdp_factor(&cycles[k], STORAGE, factors, &virtual);
    }
}

static void try_selection(char *const *line, const struct ec_topology *t, const struct ec_router *r)
{
    struct ec_node_set set;
    struct ec_cycle_range range;
    struct ec_error e;
    uint32_t src, dst;
    enum ec_code code = EC_OK;
    if (line[0]) {
        code = ec_select_nodes(line[0], t, r, &set, &e);
        fuzz_check_error(code, &e);
        for (size_t i = 0; code == EC_OK && i < set.count; i++) {
            if (set.nodes[i] >= t->nodes)
                fuzz_fail("'%s' selects node %" PRIu32, line[0], set.nodes[i]);
        }
        if (code == EC_OK)
            ec_node_set_free(&set);
    }
    if (line[1]) {
        code = ec_select_cycles(line[1], &range, &e);
        fuzz_check_error(code, &e);
        if (code == EC_OK && range.from > range.to)
            fuzz_fail("'%s' selects no cycle", line[1]);
    }
    if (line[2]) {
        code = ec_select_pair(line[2], t, &src, &dst, &e);
        fuzz_check_error(code, &e);
        if (code == EC_OK && (src >= t->nodes || dst >= t->nodes))
            fuzz_fail("'%s' selects a node beyond the last", line[2]);
    }
}

static void try_rates(const char *text)
{
    static struct sweep_rates rates;
    struct ec_error e;
    const enum ec_code code = sweep_rates_read(text, &rates, &e);
    fuzz_check_error(code, &e);
    for (size_t i = 1; code == EC_OK && i < rates.count; i++) {
        if (!(rates.at[i - 1].rate < rates.at[i].rate))
            fuzz_fail("'%s': the rates do not ascend", text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_lines l;
    struct ec_topology t;
    struct ec_router r;
    fuzz_lines_cut(data, size, 7, &l);
    if (try_topology(l.at[0], &t) && l.at[1] && try_router(l.at[1], &t, &r) &&
        t.nodes <= NODES_MAX && l.at[2])
        try_selection(l.at + 3, &t, &r);
    if (l.at[2])
        try_sdp(l.at[2]);
    if (l.at[6])
        try_rates(l.at[6]);
    fuzz_lines_free(&l);
    return 0;
}
