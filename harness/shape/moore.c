/* SPDX-License-Identifier: Apache-2.0 */
/* The Moore rule, tried at run time: a router whose outputs follow its inputs within a cycle gives
 * results that depend on the order in which routers are stepped, so it must be refused before it is
 * used. (Our own router is proved; this is for those of others.)
 *
 * One router alone, with neighbours and a node that keep the contract (shape/testbench.c). Knows
 * what is poked, and when; nothing of routes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/shape.h"
#include "ecube/word.h"
#include "network/names.h"
#include "shape/moore.h"
#include "shape/ports.h"
#include "shape/testbench.h"
#include "shape/tile_io.h"

enum {
    CYCLES = 400, /* per place: some hundred packets, buffers full and empty */
    PLACES = 8,
};

struct trial {
    const struct ec_tile_api *api;
    struct around around;
    struct ec_tile_bank *bank;
    struct ec_tile_listener listener;
    bool listening;             /* to legal traffic, after the reset */
    char said[200];             /* the first complaint of the RTL meanwhile; "": none */
    bool broken;                /* the simulator gave up, at any time */
    struct ec_net_pulse *pulse; /* of which `own` where nobody else reads it */
    struct ec_net_pulse own;
    struct ec_tile_io io, poked; /* one router each */
    uint64_t key, draws;         /* of what is poked */
};

static uint64_t draw(struct trial *m)
{
    return ec_rng_draw(m->key, m->draws++);
}

/* A router need not like what it is poked with. */
static void note_said(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct trial *m = context;
    (void)router;
    m->broken |= event == EC_RTL_BROKEN;
    if (event == EC_RTL_TEXT || m->said[0] || (!m->listening && event != EC_RTL_BROKEN))
        return;
    snprintf(m->said, sizeof m->said, "%s", text);
}

/* --- Any inputs ----------------------------------------------------------------------------- */

static void poke(struct trial *m)
{
    const uint32_t id = 0;
    m->poked.in_valid[0] = draw(m) & ((UINT64_C(2) << (m->around.ports - 1)) - 1);
    for (unsigned port = 0; port < m->around.ports; port++)
        m->poked.in_word[port] = draw(m) | EC_WORD_VALID;
    for (unsigned vc = 0; vc < m->around.vcs; vc++)
        m->poked.in_credit[vc] = draw(m) & ((UINT64_C(2) << (m->around.ports - 1)) - 1);
    m->api->peek(m->bank, &m->poked, &id, 1);
}

static bool differ(const struct trial *m, const char **ret_output, unsigned *ret_port)
{
    const struct ec_tile_io *a = &m->io, *b = &m->poked;
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
        for (unsigned vc = 0; vc < m->around.vcs; vc++)
            bits |= masks[k].a[vc] ^ masks[k].b[vc];
    }
    for (unsigned vc = 0; bits == 0 && vc < m->around.vcs; vc++) {
        *ret_output = "want_o";
        for (uint64_t left = a->contended[vc] | a->starved[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * m->around.vcs + vc;
            bits |= (uint64_t)(a->want[at] != b->want[at]) << port;
        }
    }
    *ret_port = bits ? (unsigned)__builtin_ctzll(bits) : m->around.ports;
    if (bits == 0)
        *ret_output = "quiet_o";
    return bits != 0 || a->quiet[0] != b->quiet[0];
}

static enum ec_code refuse(const struct trial *m, const char *output, unsigned port, unsigned cycle,
                           struct ec_error *reterr)
{
    char name[EC_NAME_SIZE] = "";
    if (port < m->around.ports) {
        const unsigned outer = ec_port_outside(&m->around.map, port);
        memcpy(name, " of port ", 10);
        ec_port_name(m->around.t, m->around.locals, outer, name + 9, sizeof name - 9);
    }
    return ec_fail(
        reterr, EC_CONTRACT,
        "this router breaks the Moore rule (contract, section 1): in cycle %u its output "
        "%s%.40s changes when its inputs change, without a clock edge; give that output a "
        "register, or make it a function of registers",
        cycle, output, name);
}

/* --- The trial ------------------------------------------------------------------------------ */

static void close_trial(struct trial *m)
{
    m->pulse->trial = false;
    m->api->close(m->bank);
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++) {
        ec_tile_io_free_inputs(both[k]);
        ec_tile_io_free_outputs(both[k]);
    }
    around_close(&m->around);
}

static bool open_trial(struct trial *m, const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_tile_place *places, uint32_t node)
{
    m->pulse = m->pulse ? m->pulse : &m->own;
    bool good = around_open(&m->around, t, r, &m->api->shape, node, CYCLES, node);
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++)
        good = ec_tile_io_inputs(both[k], 1, m->around.ports, m->around.vcs) &&
               ec_tile_io_outputs(both[k], 1, m->around.ports, m->around.vcs) && good;
    m->listener = (struct ec_tile_listener){.said = note_said, .context = m};
    m->pulse->router = node;
    m->pulse->trial = true;
    ec_net_pulse_begin(m->pulse, 0);
    m->bank = good ? m->api->open(1, &places[node], 0, NULL, &m->listener) : NULL;
    ec_net_pulse_end(m->pulse);
    return m->bank != NULL;
}

static void note(const struct trial *m, unsigned cycle, struct moore_seen *seen)
{
    const struct around *a = &m->around;
    char name[EC_NAME_SIZE];
    ec_topology_node_name(a->t, a->node, name, sizeof name);
    snprintf(seen->wrong, sizeof seen->wrong, "router %.80s, cycle %u: %s", name, cycle,
             m->said[0]    ? m->said
             : a->wrong[0] ? a->wrong
                           : "no word has left");
}

static enum ec_code try_place(struct trial *m, struct moore_seen *seen, struct ec_error *reterr)
{
    const uint32_t id = 0;
    const char *output;
    unsigned port;
    ec_net_pulse_begin(m->pulse, 0);
    m->api->reset(m->bank);
    for (unsigned cycle = 1; cycle <= CYCLES; cycle++) {
        around_offer(&m->around, &m->io);
        ec_net_pulse_begin(m->pulse, cycle);
        m->listening = true;
        m->api->step(m->bank, &m->io, &id, 1);
        m->listening = false;
        around_take(&m->around, &m->io);
        if (!seen->wrong[0] &&
            (m->said[0] || m->around.wrong[0] || (cycle == CYCLES && m->around.words == 0)))
            note(m, cycle, seen);
        if (!m->broken)
            poke(m);
        ec_net_pulse_end(m->pulse);
        if (m->broken) { /* by what it was poked with, perhaps: a run will tell */
            if (!seen->wrong[0])
                note(m, cycle, seen);
            break;
        }
        if (differ(m, &output, &port))
            return refuse(m, output, port, cycle, reterr);
    }
    seen->words += m->around.words;
    return EC_OK;
}

enum ec_code moore_try(const struct ec_tile_api *api, const struct ec_topology *t,
                       const struct ec_router *r, struct ec_net_pulse *pulse,
                       struct moore_seen *seen, struct ec_error *reterr)
{
    const uint32_t count = t->nodes < PLACES ? t->nodes : PLACES;
    struct ec_router router = *r;
    struct ec_tile_place *places = calloc(t->nodes, sizeof *places);
    if (!places)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u routers", t->nodes);
    router.packet = r->packet ? r->packet : r->depth;
    ec_shape_places(t, &router, &api->shape, places);
    enum ec_code code = EC_OK;
    for (uint32_t k = 0; code == EC_OK && k < count; k++) {
        const uint32_t node = count > 1 ? (t->nodes - 1) * k / (count - 1) : 0; /* ends, too */
        struct trial m = {.api = api, .pulse = pulse, .key = ec_rng_key(2, node)};
        code = open_trial(&m, t, &router, places, node)
                   ? try_place(&m, seen, reterr)
                   : ec_fail(reterr, EC_MEMORY, "out of memory for a router");
        close_trial(&m);
    }
    free(places);
    return code;
}

enum ec_code ec_shape_moore(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            struct ec_error *reterr)
{
    const struct ec_tile_api *api = ec_shape_api(s);
    struct moore_seen seen = {0}; /* the checks of the run will look at that */
    return api->peek ? moore_try(api, t, r, pulse, &seen, reterr) : EC_OK;
}
