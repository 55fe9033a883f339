/* SPDX-License-Identifier: Apache-2.0 */
/* Slices, flows and counters as JSON. It knows words on channels; it must not know how they are
 * observed or selected.
 *
 * A flow is an arrow from the slice of a packet on one channel to that on the next. Its state is
 * kept while the head is between the two, so a packet that leaves the selected routers takes no
 * memory, and one that comes back begins another flow. */
#include "observe/perfetto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "network/names.h"

/* The packet that is on a channel. */
struct slice {
    uint64_t first, last; /* cycles */
    uint64_t word;        /* its first word in the log */
    uint32_t flow;        /* 0: none */
    uint32_t words;       /* 0: the channel is free */
    char phase;           /* of the flow: s, t, f */
    bool named;           /* the track has a name */
};

struct perfetto {
    const struct ec_topology *t;
    const uint64_t *nodes;
    unsigned links, locals, vcs;
    struct ec_word_layout layout;
    unsigned tracks;      /* of a router: outputs, then injection channels, on each VC */
    struct slice *slices; /* [node * tracks + track] */
    uint32_t *buffered;   /* [node * (links + locals) + port] as written */
    struct lookup flows;  /* of heads on their way, by router and packet */
    uint32_t last_flow;
    bool memory_short;
};

struct perfetto *perfetto_open(const struct ec_topology *t, const struct ec_router *r,
                               const uint64_t *nodes)
{
    struct perfetto *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct perfetto){.t = t,
                           .nodes = nodes,
                           .links = ec_topology_links(t),
                           .locals = ec_router_local_ports(r, t),
                           .vcs = r->vcs,
                           .layout = ec_router_layout(r, t)};
    p->tracks = (p->links + 2 * p->locals) * p->vcs;
    p->slices = calloc((size_t)t->routers * p->tracks, sizeof *p->slices);
    p->buffered = calloc((size_t)t->routers * (p->links + p->locals), sizeof *p->buffered);
    if (p->slices && p->buffered)
        return p;
    perfetto_close(p);
    return NULL;
}

void perfetto_close(struct perfetto *p)
{
    if (!p)
        return;
    free(p->slices);
    free(p->buffered);
    lookup_free(&p->flows);
    free(p);
}

void perfetto_reset(struct perfetto *p)
{
    for (size_t i = 0; i < (size_t)p->t->routers * p->tracks; i++)
        p->slices[i].words = 0;
    memset(p->buffered, 0, (size_t)p->t->routers * (p->links + p->locals) * sizeof *p->buffered);
    lookup_clear(&p->flows);
}

bool perfetto_memory_short(const struct perfetto *p)
{
    return p->memory_short;
}

/* --- Flows ---------------------------------------------------------------------------------- */

static uint64_t flow_key(uint32_t node, uint32_t packet)
{
    return (uint64_t)node << 32 | packet;
}

static bool is_shown(const struct perfetto *p, uint32_t node)
{
    return !p->nodes || (p->nodes[node >> 6] >> (node & 63) & 1);
}

/* The router that a channel leads to; EC_NONE: to a node, or to a router that is not in the log. */
static uint32_t next_router(const struct perfetto *p, const struct perfetto_word *w)
{
    if (w->channel == PERFETTO_INJECTION)
        return w->node;
    const uint32_t next =
        w->port < p->links ? ec_topology_neighbor(p->t, w->node, w->port) : EC_NONE;
    return next != EC_NONE && is_shown(p, next) ? next : EC_NONE;
}

/* The part of a flow in a slice that begins with a head. */
static void join_flow(struct perfetto *p, struct slice *slice, const struct perfetto_word *w)
{
    const uint32_t packet = ec_word_src(&p->layout, w->word) << p->layout.number_bits |
                            ec_word_number(&p->layout, w->word);
    const uint32_t next = next_router(p, w);
    const uint64_t here = flow_key(w->node, packet), ahead = flow_key(next, packet);
    const bool out = w->channel == PERFETTO_OUTPUT;
    const uint32_t known = out ? lookup_find(&p->flows, here) : LOOKUP_NONE;
    const bool goes_on = known != LOOKUP_NONE;
    slice->flow = 0;
    if (goes_on)
        lookup_remove(&p->flows, here);
    else if (next == EC_NONE)
        return;
    slice->flow = goes_on ? known : ++p->last_flow;
    slice->phase = !goes_on ? 's' : next == EC_NONE ? 'f' : 't';
    if (next == EC_NONE)
        return;
    if (lookup_find(&p->flows, ahead) != LOOKUP_NONE) /* only a wrong router loses a head */
        lookup_remove(&p->flows, ahead);
    p->memory_short |= !lookup_add(&p->flows, ahead, slice->flow);
}

/* --- Tracks --------------------------------------------------------------------------------- */

/* Perfetto joins a process and a thread with the same number, and 0 is the kernel: both are counted
 * from 1, threads behind processes. */
static uint64_t process_of(uint32_t node)
{
    return (uint64_t)node + 1;
}

static uint64_t thread_of(const struct perfetto *p, size_t track)
{
    return (uint64_t)p->t->routers + 1 + track;
}

static size_t track_of(const struct perfetto *p, const struct perfetto_word *w)
{
    const unsigned channel = w->port + (w->channel == PERFETTO_INJECTION ? p->locals : 0);
    return (size_t)w->node * p->tracks + channel * p->vcs + w->vc;
}

uint64_t perfetto_begin(struct perfetto *p, FILE *out)
{
    uint64_t lines = 0;
    fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"1 us is 1 cycle\"},"
          "\"traceEvents\":[",
          out);
    for (uint32_t node = 0; node < p->t->routers; node++) {
        char name[EC_NAME_SIZE];
        if (!is_shown(p, node))
            continue;
        ec_topology_node_name(p->t, node, name, sizeof name);
        fprintf(out,
                "%s\n{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"name\":\"process_name\","
                "\"args\":{\"name\":\"router %s\"}},\n"
                "{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"name\":\"process_sort_index\","
                "\"args\":{\"sort_index\":%" PRIu32 "}}",
                lines ? "," : "", process_of(node), name, process_of(node), node);
        lines += 2;
    }
    return lines;
}

/* "inject", "eject", "dim0 to 5", each with its VC; injection comes first in a router. */
static uint64_t name_track(struct perfetto *p, FILE *out, const struct perfetto_word *w)
{
    const size_t track = track_of(p, w);
    const bool local = w->port >= p->links, in = w->channel == PERFETTO_INJECTION;
    char port[EC_NAME_SIZE], name[2 * EC_NAME_SIZE];
    ec_port_name(p->t, p->locals, w->port, port, sizeof port);
    if (!local)
        snprintf(name, sizeof name, "%s to %" PRIu32, port,
                 ec_topology_neighbor(p->t, w->node, w->port));
    else
        snprintf(name, sizeof name, "%s%s%s", in ? "inject" : "eject", p->locals > 1 ? " " : "",
                 p->locals > 1 ? port : "");
    p->slices[track].named = true;
    fprintf(out,
            ",\n{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"name\":\"thread_name\","
            "\"args\":{\"name\":\"%s VC %u\"}},\n"
            "{\"ph\":\"M\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
            ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
            process_of(w->node), thread_of(p, track), name, w->vc, process_of(w->node),
            thread_of(p, track),
            ((in ? w->port - p->links : w->port + p->locals)) * p->vcs + w->vc);
    return 2;
}

/* --- Slices and counters -------------------------------------------------------------------- */

static uint64_t put_slice(struct perfetto *p, FILE *out, size_t track, bool tail)
{
    struct slice *s = &p->slices[track];
    const uint64_t process = process_of((uint32_t)(track / p->tracks));
    const uint32_t src = ec_topology_node(p->t, ec_word_src(&p->layout, s->word));
    const uint32_t dst = ec_topology_node(p->t, ec_word_dst(&p->layout, s->word));
    const uint32_t number = ec_word_number(&p->layout, s->word);
    char name[EC_NAME_SIZE];
    ec_word_name(p->t, &p->layout, s->word, name, sizeof name);
    name[strcspn(name, ".")] = '\0'; /* without the number of the word */
    fprintf(out,
            ",\n{\"ph\":\"X\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRIu64
            ",\"dur\":%" PRIu64 ",\"cat\":\"packet\",\"name\":\"%s\",\"args\":{\"src\":%" PRIu32
            ",\"dst\":%" PRIu32 ",\"packet\":%" PRIu32 ",\"words\":%" PRIu32
            ",\"head\":%s,\"tail\":%s}}",
            process, thread_of(p, track), s->first, s->last - s->first + 1, name, src, dst, number,
            s->words, ec_word_head(s->word) ? "true" : "false", tail ? "true" : "false");
    s->words = 0;
    if (!s->flow)
        return 1;
    fprintf(out,
            ",\n{\"ph\":\"%c\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRIu64
            ",\"cat\":\"packet\",\"name\":\"hop\",\"id\":%" PRIu32 "%s}",
            s->phase, process, thread_of(p, track), s->first, s->flow,
            s->phase == 'f' ? ",\"bp\":\"e\"" : "");
    return 2;
}

uint64_t perfetto_word(struct perfetto *p, FILE *out, const struct perfetto_word *w)
{
    const uint64_t packet_mask = ~(EC_WORD_HEAD | EC_WORD_TAIL | ec_word_vc_mask(p->vcs) |
                                   ((UINT64_C(1) << p->layout.index_bits) - 1));
    const size_t track = track_of(p, w);
    struct slice *s = &p->slices[track];
    uint64_t lines = s->named ? 0 : name_track(p, out, w);
    /* Only a wrong router mixes packets, or leaves a tail out. */
    if (s->words && (ec_word_head(w->word) || (s->word ^ w->word) & packet_mask))
        lines += put_slice(p, out, track, false);
    if (!s->words) {
        s->first = w->cycle;
        s->word = w->word;
        s->flow = 0;
        if (ec_word_head(w->word))
            join_flow(p, s, w);
    }
    s->last = w->cycle;
    s->words++;
    return ec_word_tail(w->word) ? lines + put_slice(p, out, track, true) : lines;
}

uint64_t perfetto_buffered(struct perfetto *p, FILE *out, uint64_t cycle, uint32_t node,
                           unsigned port, uint32_t words)
{
    uint32_t *written = &p->buffered[(size_t)node * (p->links + p->locals) + port];
    char name[EC_NAME_SIZE];
    if (*written == words)
        return 0;
    *written = words;
    ec_port_name(p->t, p->locals, port, name, sizeof name);
    fprintf(out,
            ",\n{\"ph\":\"C\",\"pid\":%" PRIu64 ",\"ts\":%" PRIu64
            ",\"name\":\"input %s\",\"args\":{\"words\":%" PRIu32 "}}",
            process_of(node), cycle, name, words);
    return 1;
}

uint64_t perfetto_end(struct perfetto *p, FILE *out)
{
    uint64_t lines = 0;
    for (size_t track = 0; track < (size_t)p->t->routers * p->tracks; track++) {
        if (p->slices[track].words)
            lines += put_slice(p, out, track, false);
    }
    fputs("\n]}\n", out);
    return lines;
}
