/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the state of a router in words, from the account of the contract's rules. Must not know
 * the inside of a router, or the files that contain the texts. */
#include "observe/story.h"

#include <stdio.h>
#include <stdlib.h>

#include "contract/rules.h"
#include "ecube/tile.h"
#include "network/names.h"

#define NONE RULES_NOBODY

struct input {
    uint64_t front;          /* in the coming cycle; 0: the buffer is empty */
    uint32_t leaves;         /* the output VC by which it leaves in that cycle; NONE: it stays */
    bool vanishes;           /* it leaves its buffer, but by no output */
    struct story_input next; /* what it waits for; node EC_NONE: nothing */
    uint64_t since;
};

/* The rules account what a router shows at once, so the words that leave in the coming cycle are
 * noted here. */
struct router {
    uint32_t node;
    struct rules *rules;
    struct input *inputs;
    uint64_t seen;      /* the last cycle in which it was shown */
    uint64_t changed;   /* the last cycle that changed its story */
    uint64_t out_valid; /* in the coming cycle */
};

struct story {
    const struct ec_topology *t;
    const struct ec_router *r;
    unsigned links, locals, ports, vcs, inputs; /* inputs = ports * vcs */
    bool pipeline;                              /* own routers of several stages */
    struct ec_word_layout layout;
    size_t count;
    struct router *routers;
    uint32_t *slot; /* [node] or NONE */
};

/* --- Opening and closing -------------------------------------------------------------------- */

void story_reset(struct story *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct router *router = &s->routers[i];
        rules_reset(router->rules);
        router->seen = router->changed = router->out_valid = 0;
        for (unsigned k = 0; k < s->inputs; k++)
            router->inputs[k] = (struct input){.leaves = NONE, .next.node = EC_NONE, .since = 1};
    }
}

struct story *story_open(const struct ec_topology *t, const struct ec_router *r, bool foreign,
                         const struct ec_node_set *set)
{
    struct story *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct story){.t = t,
                        .r = r,
                        .links = ec_topology_links(t),
                        .locals = ec_router_local_ports(r, t),
                        .vcs = r->vcs,
                        .pipeline = !foreign && r->stages > 1,
                        .layout = ec_router_layout(r, t),
                        .slot = malloc(t->routers * sizeof *s->slot),
                        .routers = calloc(set->count ? set->count : 1, sizeof *s->routers)};
    s->ports = s->links + s->locals;
    s->inputs = s->ports * s->vcs;
    bool ok = s->slot && s->routers;
    for (uint32_t node = 0; ok && node < t->routers; node++)
        s->slot[node] = NONE;
    for (; ok && s->count < set->count; s->count++) {
        struct router *router = &s->routers[s->count];
        router->node = set->nodes[s->count];
        s->slot[router->node] = (uint32_t)s->count;
        router->rules = rules_open(t, r, router->node, (struct rules_options){.foreign = foreign});
        router->inputs = calloc(s->inputs, sizeof *router->inputs);
        ok = router->rules && router->inputs;
    }
    if (!ok) {
        story_close(s);
        return NULL;
    }
    story_reset(s);
    return s;
}

void story_close(struct story *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->routers && i < s->count; i++) {
        rules_close(s->routers[i].rules);
        free(s->routers[i].inputs);
    }
    free(s->routers);
    free(s->slot);
    free(s);
}

bool story_memory_short(const struct story *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (rules_memory_short(s->routers[i].rules))
            return true;
    }
    return false;
}

/* --- The account ---------------------------------------------------------------------------- */

static const struct router *find_router(const struct story *s, uint32_t node)
{
    return s->slot[node] == NONE ? NULL : &s->routers[s->slot[node]];
}

static const struct shadow_buffer *buffer_of(const struct router *router, unsigned input)
{
    return &rules_shadow(router->rules)->buffers[input];
}

static uint64_t front_of(const struct router *router, unsigned input)
{
    return shadow_front(rules_shadow(router->rules), input);
}

/* The output VC of which the packet of an input is passing; NONE: of none. */
static uint32_t held_by(const struct story *s, const struct router *router, unsigned input)
{
    for (unsigned k = 0; k < s->inputs; k++) {
        if (rules_output(router->rules, k)->holder == input)
            return k;
    }
    return NONE;
}

/* May the router choose the output of the head at this front? */
static bool has_choice(const struct story *s, const struct router *router, unsigned input)
{
    unsigned count = 0;
    for (unsigned port = 0; ec_router_chooses(s->r) && port < s->ports; port++)
        count += rules_may_leave(router->rules, input, port);
    return count > 1;
}

static uint32_t output_asked(const struct story *s, const struct router *router, unsigned input)
{
    const struct input *in = &router->inputs[input];
    if (in->leaves != NONE)
        return in->leaves;
    const uint32_t held = held_by(s, router, input);
    if (held != NONE && !ec_word_head(in->front))
        return held;
    const struct rules_ask ask = rules_ask(router->rules, input);
    if (has_choice(s, router, input))
        return NONE;
    return in->front && ask.port < s->ports ? ask.port * s->vcs + ask.vc : NONE;
}

static bool has_credits(const struct story *s, const struct router *router, unsigned output,
                        uint64_t word)
{
    return rules_output(router->rules, output)->sent +
               rules_need(router->rules, word, output % s->vcs) <=
           s->r->depth;
}

/* --- From cycle to cycle -------------------------------------------------------------------- */

/* The output VC on which a word is in the coming cycle; NONE: on none. */
static uint32_t way_of(const struct story *s, const struct ec_net_seen *seen, uint64_t word)
{
    const uint64_t field = ec_word_vc_mask(s->vcs);
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (port < s->ports && (seen->out_word[port] | field) == (word | field))
            return port * s->vcs + ec_word_vc(seen->out_word[port], s->vcs);
    }
    return NONE;
}

/* The word that enters an input VC; 0: none. */
static uint64_t entering(const struct story *s, const struct ec_net_seen *seen, unsigned input)
{
    const unsigned port = input / s->vcs;
    if (!(seen->in_valid >> port & 1))
        return 0;
    const uint64_t word = seen->in_word[port];
    return ec_word_vc(word, s->vcs) == input % s->vcs ? word : 0;
}

/* A word is granted its output in one cycle and on it in the next. */
static void see_grants(const struct story *s, struct router *router, uint64_t now)
{
    for (unsigned k = 0; k < s->inputs; k++) {
        struct input *in = &router->inputs[k];
        const struct rules_ask ask = rules_ask(router->rules, k);
        in->front = ask.since <= now ? ask.word : 0;
        in->leaves = rules_granted(router->rules, k);
        in->vanishes = false;
    }
}

static void see_words(const struct story *s, struct router *router, const struct ec_net_seen *seen)
{
    uint32_t before[EC_TILE_PORTS_MAX * EC_VCS_MAX];
    for (unsigned k = 0; k < s->inputs; k++) {
        const uint64_t enters = entering(s, seen, k);
        before[k] = buffer_of(router, k)->count + (enters != 0);
        router->inputs[k].front = buffer_of(router, k)->count ? front_of(router, k) : enters;
    }
    rules_see(router->rules, seen);
    for (unsigned k = 0; k < s->inputs; k++) {
        struct input *in = &router->inputs[k];
        const bool gone = buffer_of(router, k)->count < before[k];
        in->leaves = gone ? way_of(s, seen, in->front) : NONE;
        in->vanishes = gone && in->leaves == NONE;
    }
}

void story_see(struct story *s, const struct ec_net_seen *seen)
{
    if (s->slot[seen->node] == NONE)
        return;
    struct router *router = &s->routers[s->slot[seen->node]];
    if (s->pipeline) {
        rules_see(router->rules, seen);
        see_grants(s, router, seen->cycle + 1);
    } else {
        see_words(s, router, seen);
    }
    router->out_valid = seen->out_valid;
    router->seen = router->changed = seen->cycle;
}

/* A router was not stepped: the words that it showed before have left. */
static void let_rest(const struct story *s, struct router *router, uint64_t cycle)
{
    for (unsigned k = 0; k < s->inputs; k++) {
        struct input *in = &router->inputs[k];
        if (in->front != front_of(router, k) || in->leaves != NONE)
            router->changed = cycle;
        in->front = front_of(router, k);
        in->leaves = NONE;
        in->vanishes = false;
    }
    router->out_valid = 0;
}

/* The rest of a packet is still in front of this input. */
static struct story_input wait_upstream(const struct story *s, const struct router *router,
                                        unsigned input)
{
    const unsigned port = input / s->vcs;
    const struct story_input nothing = {.node = EC_NONE};
    const uint32_t up = port < s->links ? ec_topology_neighbor(s->t, router->node, port) : EC_NONE;
    const struct router *sender = up == EC_NONE ? NULL : find_router(s, up);
    if (!sender)
        return nothing;
    const unsigned output = ec_topology_back(s->t, router->node, port) * s->vcs + input % s->vcs;
    const uint32_t holder = rules_output(sender->rules, output)->holder;
    return holder == RULES_NOBODY ? nothing : (struct story_input){up, holder};
}

/* The buffer behind an output VC that is a link. */
static struct story_input buffer_behind(const struct story *s, const struct router *router,
                                        unsigned output)
{
    const unsigned port = output / s->vcs;
    return (struct story_input){ec_topology_neighbor(s->t, router->node, port),
                                ec_topology_back(s->t, router->node, port) * s->vcs +
                                    output % s->vcs};
}

/* The input that this one waits for: the holder of the output VC that it wants, the full buffer
 * behind that, or the one that has the rest of its packet. */
static struct story_input wait_of(const struct story *s, const struct router *router,
                                  unsigned input)
{
    const struct input *in = &router->inputs[input];
    const struct story_input nothing = {.node = EC_NONE};
    const uint32_t asked = output_asked(s, router, input);
    if (in->leaves != NONE || in->vanishes || asked == NONE)
        return nothing;
    if (!in->front)
        return wait_upstream(s, router, input);
    const uint32_t holder = rules_output(router->rules, asked)->holder;
    if (holder != RULES_NOBODY && holder != input)
        return (struct story_input){router->node, holder};
    if (asked / s->vcs >= s->links || has_credits(s, router, asked, in->front))
        return nothing;
    return buffer_behind(s, router, asked);
}

void story_cycle(struct story *s, uint64_t cycle)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->routers[i].seen < cycle)
            let_rest(s, &s->routers[i], cycle);
    }
    for (size_t i = 0; i < s->count; i++) {
        struct router *router = &s->routers[i];
        for (unsigned k = 0; router->changed == cycle && k < s->inputs; k++) {
            struct input *in = &router->inputs[k];
            const struct story_input next = wait_of(s, router, k);
            if (next.node != in->next.node || next.input != in->next.input || in->leaves != NONE)
                in->since = cycle + 1;
            in->next = next;
        }
    }
}

bool story_changed(const struct story *s, size_t slot, uint64_t cycle)
{
    return s->routers[slot].changed == cycle;
}

unsigned story_inputs(const struct story *s)
{
    return s->inputs;
}

/* --- Answers -------------------------------------------------------------------------------- */

/* "+x VC 0"; without the VC if there is only one. */
static void name_vc(const struct story *s, unsigned port, unsigned vc, char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    ec_port_name(s->t, s->locals, port, name, sizeof name);
    if (s->vcs > 1)
        snprintf(buffer, size, "%.40s VC %u", name, vc);
    else
        snprintf(buffer, size, "%s", name);
}

void story_name(const struct story *s, struct story_input at, char *buffer, size_t size)
{
    char router[EC_NAME_SIZE], name[EC_NAME_SIZE];
    ec_topology_node_name(s->t, at.node, router, sizeof router);
    name_vc(s, at.input / s->vcs, at.input % s->vcs, name, sizeof name);
    snprintf(buffer, size, "%s %s", router, name);
}

void story_front(const struct story *s, struct story_input at, char *buffer, size_t size)
{
    const struct router *router = find_router(s, at.node);
    const uint64_t word = router ? router->inputs[at.input].front : 0;
    char name[EC_NAME_SIZE];
    buffer[0] = '\0';
    if (!word)
        return;
    ec_word_name(s->t, &s->layout, word, name, sizeof name);
    snprintf(buffer, size, "%s%s%s", name, ec_word_head(word) ? " head" : "",
             ec_word_tail(word) ? " tail" : "");
}

/* Why a word whose output VC is not held by another packet does not leave. */
static void describe_stop(const struct story *s, const struct router *router, unsigned input,
                          unsigned asked, char *buffer, size_t size)
{
    const uint64_t word = router->inputs[input].front;
    const unsigned port = asked / s->vcs;
    const char *places =
        rules_need(router->rules, word, asked % s->vcs) > 1 ? "too few places" : "no place";
    char name[EC_NAME_SIZE];
    name_vc(s, port, asked % s->vcs, name, sizeof name);
    if (has_credits(s, router, asked, word)) {
        if (s->r->switching == EC_STORE_AND_FORWARD && ec_word_head(word) &&
            !rules_ask(router->rules, input).complete)
            snprintf(buffer, size, "waits for its tail");
        else if (router->out_valid >> port & 1)
            snprintf(buffer, size, "waits for its turn at %s", name);
        else
            snprintf(buffer, size, "stays, although %s is free", name);
    } else if (port >= s->links) {
        snprintf(buffer, size, "waits for the node at %s: %s", name, places);
    } else {
        story_name(s, buffer_behind(s, router, asked), name, sizeof name);
        snprintf(buffer, size, "waits for %s: %s", name, places);
    }
}

void story_state(const struct story *s, struct story_input at, char *buffer, size_t size)
{
    const struct router *router = find_router(s, at.node);
    char name[EC_NAME_SIZE], own[EC_NAME_SIZE];
    buffer[0] = '\0';
    if (!router)
        return;
    const struct input *in = &router->inputs[at.input];
    const uint32_t asked = output_asked(s, router, at.input);
    if (in->vanishes) {
        snprintf(buffer, size, "vanishes: its credit returns, but it is not sent");
        return;
    }
    if (asked == NONE) {
        snprintf(buffer, size, "%s",
                 !in->front                        ? ""
                 : has_choice(s, router, at.input) ? "stays: it may leave by several ports"
                                                   : "stays: it names no node");
        return;
    }
    name_vc(s, asked / s->vcs, asked % s->vcs, own, sizeof own);
    const uint32_t holder = rules_output(router->rules, asked)->holder;
    if (in->leaves != NONE) {
        snprintf(buffer, size, "leaves by %s", own);
    } else if (!in->front) {
        snprintf(buffer, size, "waits for the rest of its packet");
    } else if (holder != RULES_NOBODY && holder != at.input) {
        name_vc(s, holder / s->vcs, holder % s->vcs, name, sizeof name);
        snprintf(buffer, size, "waits for %s, which holds %s", name, own);
    } else {
        describe_stop(s, router, at.input, asked, buffer, size);
    }
}

bool story_asks(const struct story *s, struct story_input at, unsigned *ret_output)
{
    const struct router *router = find_router(s, at.node);
    const uint32_t asked = router ? output_asked(s, router, at.input) : NONE;
    if (asked == NONE)
        return false;
    *ret_output = asked;
    return true;
}

bool story_is_busy(const struct story *s, struct story_input at)
{
    const struct router *router = find_router(s, at.node);
    return router && router->inputs[at.input].front != 0;
}

size_t story_chain(const struct story *s, struct story_input start, struct story_input *inputs,
                   size_t room, bool *ret_circle)
{
    struct story_input at = start;
    size_t count = 0;
    *ret_circle = false;
    while (at.node != EC_NONE && count < room) {
        const struct router *router = find_router(s, at.node);
        for (size_t i = 0; i < count; i++) {
            if (inputs[i].node == at.node && inputs[i].input == at.input) {
                *ret_circle = i == 0;
                return count;
            }
        }
        if (!router)
            break;
        inputs[count++] = at;
        at = wait_of(s, router, at.input);
    }
    return count;
}

uint64_t story_since(const struct story *s, struct story_input at)
{
    const struct router *router = find_router(s, at.node);
    return router ? router->inputs[at.input].since : 0;
}
