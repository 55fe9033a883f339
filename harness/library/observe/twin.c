/* SPDX-License-Identifier: Apache-2.0 */
/* Twins. Knows the tile interface and the data of a watcher; must not know files or layouts. */
#include "observe/waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/names.h"
#include "shape/tile_io.h"

/* "gen_port[2].gen_vc[1]" or "gen_output[2]...gen_vc[1]" in the hierarchy of rtl/ec_router.sv.
 * Foreign routers have other names: the place stays empty, and their message text includes it. */
static void find_place(const struct twins *w, const char *text, char *buffer, size_t size)
{
    const char *at = strstr(text, "gen_port["), *vc = strstr(text, "gen_vc[");
    const char *side = "input";
    unsigned port, channel;
    char name[EC_NAME_SIZE];
    buffer[0] = '\0';
    if (!at) {
        at = strstr(text, "gen_output[");
        side = "output";
    }
    if (!at || sscanf(strchr(at, '['), "[%u]", &port) != 1 || port >= w->ports)
        return;
    port = ec_port_outside(&w->map, port);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (vc && sscanf(vc, "gen_vc[%u]", &channel) == 1)
        snprintf(buffer, size, "%s %.20s VC %u", side, name, channel);
    else
        snprintf(buffer, size, "%s %.20s", side, name);
}

/* The meaning follows the last ": " of EC_CHECK's "%m: text". */
static const char *find_meaning(const char *text)
{
    const char *found = text;
    for (const char *c = strstr(text, ": "); c; c = strstr(c + 2, ": "))
        found = c + 2;
    return found;
}

static void note_rtl_failure(void *context, uint32_t slot, enum ec_rtl_event event,
                             const char *text)
{
    struct twins *w = context;
    struct twin_failure f = {.cycle = w->cycle};
    if (event == EC_RTL_TEXT || slot >= w->count || w->failure_count == TWIN_FAILURES_MAX)
        return;
    f.node = w->nodes[slot];
    find_place(w, text, f.place, sizeof f.place);
    if ((size_t)snprintf(f.what, sizeof f.what, "%s", find_meaning(text)) >= sizeof f.what)
        memcpy(f.what + sizeof f.what - sizeof "...", "...", sizeof "...");
    for (size_t i = 0; i < w->failure_count; i++) { /* a failed check often keeps failing */
        const struct twin_failure *old = &w->failures[i];
        if (old->node == f.node && strcmp(old->what, f.what) == 0 &&
            strcmp(old->place, f.place) == 0)
            return;
    }
    w->failures[w->failure_count++] = f;
}

static bool allocate_twins(struct twins *w)
{
    const size_t n = w->count;
    struct ec_arrays *const all = &w->arrays;
    EC_ARRAY(all, w->nodes, n);
    EC_ARRAY(all, w->slot, w->t->routers);
    EC_ARRAY(all, w->selected, ((size_t)w->t->routers + 63) / 64);
    EC_ARRAY(all, w->awake, n);
    EC_ARRAY(all, w->before, n);
    ec_tile_io_inputs(all, &w->io, n, w->ports, w->vcs);
    ec_tile_io_outputs(all, &w->io, n, w->ports, w->vcs);
    ec_tile_io_outputs(all, &w->expected, n, w->ports, w->vcs);
    return !all->memory_short;
}

void twins_close(struct twins *w)
{
    if (w->bank)
        w->api->close(w->bank);
    ec_arrays_free(&w->arrays);
    *w = (struct twins){0};
}

/* Twins are RTL and can crash or hang like routers, so their evaluations show in the pulse, too. */
static void begin_evaluation(const struct twins *w)
{
    if (!w->pulse)
        return;
    w->pulse->router = EC_NONE;
    ec_net_pulse_begin(w->pulse, w->cycle);
}

static void end_evaluation(const struct twins *w)
{
    if (w->pulse)
        ec_net_pulse_end(w->pulse);
}

/* Every twin has the pins and the name of its router. */
static bool open_bank(struct twins *w, const struct ec_router *r)
{
    struct ec_arrays arrays = {0};
    struct ec_tile_place *all, *places;
    char(*names)[EC_NAME_SIZE];
    const char **pointers;
    uint8_t *tables = NULL;
    EC_ARRAY(&arrays, all, w->t->routers);
    EC_ARRAY(&arrays, places, w->count);
    EC_ARRAY(&arrays, names, w->count);
    EC_ARRAY(&arrays, pointers, w->count);
    if (!arrays.memory_short) {
        ec_shape_places(w->t, r, &w->api->shape, all);
        for (size_t i = 0; i < w->count; i++) {
            places[i] = all[w->nodes[i]];
            ec_scope_name(w->t, w->nodes[i], names[i], sizeof names[i]);
            pointers[i] = names[i];
        }
        begin_evaluation(w);
        if (ec_shape_tables(w->t, r, &w->api->shape, w->nodes, w->count, places, &tables))
            w->bank = w->api->open(w->count, places, NULL, 0, pointers, &w->listener);
        end_evaluation(w);
    }
    free(tables);
    ec_arrays_free(&arrays);
    return w->bank != NULL;
}

enum ec_code twins_open(struct twins *w, const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_shape *shape, const struct ec_node_set *set,
                        struct ec_net_pulse *pulse, struct ec_error *reterr)
{
    const struct ec_tile_api *api = ec_shape_api(shape);
    if (!api->trace)
        return ec_fail(reterr, EC_INTERNAL, "router shape %s has no tracing", ec_shape_key(shape));
    *w = (struct twins){
        .t = t,
        .links = ec_topology_links(t),
        .locals = ec_router_local_ports(r, t),
        .map = ec_port_map_of(&api->shape, t, r),
        .vcs = api->shape.vcs,
        .api = api,
        .pulse = pulse,
        .count = set->count,
    };
    w->ports = w->map.shape_links + api->shape.locals;
    w->listener = (struct ec_tile_listener){.said = note_rtl_failure, .context = w};
    if (set->count == 0 || !allocate_twins(w))
        goto fail;
    for (uint32_t node = 0; node < t->routers; node++)
        w->slot[node] = EC_NONE;
    for (size_t i = 0; i < set->count; i++) {
        const uint32_t node = w->nodes[i] = set->nodes[i];
        w->slot[node] = (uint32_t)i;
        w->selected[node >> 6] |= UINT64_C(1) << (node & 63);
    }
    if (!open_bank(w, r))
        goto fail;
    twins_reset(w);
    return EC_OK;

fail:
    twins_close(w);
    return ec_fail(reterr, EC_MEMORY, "out of memory for %zu traced routers", set->count);
}

void twins_reset(struct twins *w)
{
    w->cycle = 0;
    w->awake_count = w->before_count = 0;
    memset(w->io.in_valid, 0, w->count * sizeof *w->io.in_valid);
    memset(w->io.in_credit, 0, w->count * w->vcs * sizeof *w->io.in_credit);
    begin_evaluation(w);
    w->api->reset(w->bank);
    end_evaluation(w);
    w->failure_count = 0; /* failures before the first reset are meaningless */
}

/* --- From the topology's ports to those of the shape ------------------------------------------ */

static void take_words(const struct twins *w, uint64_t *to, const uint64_t *from, uint64_t valid)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const unsigned inside = ec_port_inside(&w->map, port);
        if (inside < w->ports)
            to[inside] = from[port];
    }
}

static void take_masks(const struct twins *w, uint64_t *to, const uint64_t *from)
{
    for (unsigned vc = 0; vc < w->vcs; vc++)
        to[vc] = ec_ports_inside(&w->map, from[vc]);
}

static void take_want(const struct twins *w, uint8_t *to, const struct ec_net_seen *seen)
{
    for (unsigned vc = 0; vc < w->vcs; vc++) {
        for (uint64_t left = seen->contended[vc] | seen->starved[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const unsigned inside = ec_port_inside(&w->map, port);
            if (inside < w->ports)
                to[inside * w->vcs + vc] =
                    (uint8_t)ec_port_inside(&w->map, seen->want[port * w->vcs + vc]);
        }
    }
}

void twins_see(struct twins *w, const struct ec_net_seen *seen)
{
    const uint32_t slot = w->slot[seen->node];
    if (slot == EC_NONE)
        return;
    const size_t word = (size_t)slot * w->ports, vc = (size_t)slot * w->vcs;
    take_words(w, w->io.in_word + word, seen->in_word, seen->in_valid);
    take_masks(w, w->io.in_credit + vc, seen->in_credit);
    w->io.in_valid[slot] = ec_ports_inside(&w->map, seen->in_valid);
    take_words(w, w->expected.out_word + word, seen->out_word, seen->out_valid);
    take_masks(w, w->expected.out_credit + vc, seen->out_credit);
    take_masks(w, w->expected.contended + vc, seen->contended);
    take_masks(w, w->expected.starved + vc, seen->starved);
    take_want(w, w->expected.want + word * w->vcs, seen);
    w->expected.out_valid[slot] = ec_ports_inside(&w->map, seen->out_valid);
    w->awake[w->awake_count++] = slot;
}

void twins_show(struct twins *w, bool all)
{
    for (size_t i = 0; all && i < w->count; i++)
        w->before[i] = (uint32_t)i;
    if (all)
        w->before_count = w->count;
    /* A router that sleeps now may still have the inputs of the last cycle on its pins. */
    begin_evaluation(w);
    w->api->trace->show(w->bank, &w->io, w->before, w->before_count);
    w->api->trace->show(w->bank, &w->io, w->awake, w->awake_count);
    end_evaluation(w);
}

/* Does the twin have the same outputs as its router? */
static bool is_same(const struct twins *w, uint32_t slot)
{
    const struct ec_tile_io *a = &w->io, *b = &w->expected;
    const size_t word = (size_t)slot * w->ports, first = (size_t)slot * w->vcs;
    if (a->out_valid[slot] != b->out_valid[slot])
        return false;
    for (uint64_t left = a->out_valid[slot]; left; left &= left - 1) {
        const size_t at = word + (unsigned)__builtin_ctzll(left);
        if (a->out_word[at] != b->out_word[at])
            return false;
    }
    for (unsigned vc = 0; vc < w->vcs; vc++) {
        const size_t i = first + vc;
        if (a->out_credit[i] != b->out_credit[i] || a->contended[i] != b->contended[i] ||
            a->starved[i] != b->starved[i])
            return false;
        for (uint64_t left = a->contended[i] | a->starved[i]; left; left &= left - 1) {
            const size_t at = (word + (unsigned)__builtin_ctzll(left)) * w->vcs + vc;
            if (a->want[at] != b->want[at])
                return false;
        }
    }
    return true;
}

void twins_step(struct twins *w, uint64_t cycle)
{
    uint32_t *const swap = w->before;
    w->cycle = cycle;
    begin_evaluation(w);
    w->api->step(w->bank, &w->io, w->awake, w->awake_count);
    end_evaluation(w);
    for (size_t i = 0; i < w->awake_count; i++) {
        const uint32_t slot = w->awake[i];
        if (!w->differs && !is_same(w, slot)) {
            w->differs = true;
            w->differs_cycle = cycle + 1;
            w->differs_node = w->nodes[slot];
        }
        w->io.in_valid[slot] = 0;
        memset(w->io.in_credit + (size_t)slot * w->vcs, 0, w->vcs * sizeof *w->io.in_credit);
    }
    w->before = w->awake;
    w->before_count = w->awake_count;
    w->awake = swap;
    w->awake_count = 0;
}
