/* SPDX-License-Identifier: Apache-2.0 */
/* The Moore rule: after a clock edge, random inputs must not change any output. If outputs follow
 * inputs within a cycle, results depend on the order in which routers are stepped.
 *
 * Knows the pins of a router. Must not know what legal traffic is. */
#include <stdio.h>

#include "ecube/word.h"
#include "network/names.h"
#include "trial/rig.h"

bool rig_differ(const struct rig *g, const struct ec_tile_io *a, const struct ec_tile_io *b,
                const char **ret_output, unsigned *ret_port)
{
    const unsigned vcs = g->bench.vcs;
    uint64_t bits = a->out_valid[0] ^ b->out_valid[0];
    *ret_output = "link_o";
    for (uint64_t left = a->out_valid[0] & b->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        bits |= (uint64_t)(a->out_word[port] != b->out_word[port]) << port;
    }
    const struct {
        const char *name;
        const uint64_t *a, *b;
    } masks[] = {{"credit_o", a->out_credit, b->out_credit},
                 {"contended_o", a->contended, b->contended},
                 {"starved_o", a->starved, b->starved}};
    for (unsigned k = 0; bits == 0 && k < sizeof masks / sizeof *masks; k++) {
        *ret_output = masks[k].name;
        for (unsigned vc = 0; vc < vcs; vc++)
            bits |= masks[k].a[vc] ^ masks[k].b[vc];
    }
    for (unsigned vc = 0; bits == 0 && vc < vcs; vc++) {
        *ret_output = "want_o";
        for (uint64_t left = a->contended[vc] | a->starved[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * vcs + vc;
            bits |= (uint64_t)(a->want[at] != b->want[at]) << port;
        }
    }
    *ret_port = bits ? (unsigned)__builtin_ctzll(bits) : g->bench.ports;
    if (bits == 0)
        *ret_output = "quiet_o";
    return bits != 0 || a->quiet[0] != b->quiet[0];
}

void rig_port_of(const struct rig *g, unsigned port, char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    buffer[0] = '\0';
    if (port >= g->bench.ports)
        return;
    ec_port_name(g->bench.t, g->bench.locals, ec_port_outside(&g->bench.map, port), name,
                 sizeof name);
    snprintf(buffer, size, " of port %.40s", name);
}

static uint64_t draw(struct rig *g)
{
    return ec_rng_draw(g->key, g->draws++);
}

static void change_inputs(struct rig *g)
{
    const uint64_t all = (UINT64_C(2) << (g->bench.ports - 1)) - 1;
    g->poked.in_valid[0] = draw(g) & all;
    for (unsigned port = 0; port < g->bench.ports; port++)
        g->poked.in_word[port] = draw(g) | EC_WORD_VALID;
    for (unsigned vc = 0; vc < g->bench.vcs; vc++)
        g->poked.in_credit[vc] = draw(g) & all;
}

bool rig_poke(struct rig *g)
{
    const uint32_t id = 0;
    const char *output;
    unsigned port;
    char name[EC_NAME_SIZE];
    change_inputs(g);
    g->api->peek(g->bank, &g->poked, &id, 1);
    if (g->broken || !rig_differ(g, &g->io, &g->poked, &output, &port))
        return true;
    rig_port_of(g, port, name, sizeof name);
    g->code = ec_fail(
        &g->error, EC_CONTRACT,
        "this router breaks the Moore rule (contract, section 1): in cycle %u its output "
        "%s%.60s changes when its inputs change, without a clock edge; register that output, or "
        "make it a function of registers",
        (unsigned)g->cycle, output, name);
    return false;
}
