/* SPDX-License-Identifier: Apache-2.0 */
/* Compares both ends of every link. Knows the links of a topology and the signals at both ends;
 * must not know packets or routes. A router that is not seen in a cycle has no inputs in it and no
 * outputs in the next one. */
#include "diagnose/diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"

/* What all routers got and showed in one cycle. */
struct sight {
    uint64_t *cycle;     /* [nodes] the cycle in which a router was seen last */
    uint64_t *in_word;   /* [node * links + link]; likewise out_word */
    uint64_t *out_word;  /* 0: no word */
    uint64_t *in_credit; /* [node * vcs + vc], bits are ports; likewise out_credit */
    uint64_t *out_credit;
    uint32_t *list, count; /* the routers seen in the latest cycle */
};

struct wires {
    const struct ec_topology *t;
    unsigned links, vcs;
    struct sight sight[2]; /* of odd and even cycles */
};

static void close_sight(struct sight *s)
{
    free(s->cycle);
    free(s->in_word);
    free(s->out_word);
    free(s->in_credit);
    free(s->out_credit);
    free(s->list);
}

static bool open_sight(struct sight *s, const struct wires *w)
{
    const size_t nodes = w->t->nodes, links = nodes * w->links, vcs = nodes * w->vcs;

    s->cycle = calloc(nodes, sizeof *s->cycle); /* cycles count from 1 */
    s->in_word = calloc(links + 1, sizeof *s->in_word);
    s->out_word = calloc(links + 1, sizeof *s->out_word);
    s->in_credit = calloc(vcs, sizeof *s->in_credit);
    s->out_credit = calloc(vcs, sizeof *s->out_credit);
    s->list = calloc(nodes, sizeof *s->list);
    return s->cycle && s->in_word && s->out_word && s->in_credit && s->out_credit && s->list;
}

struct wires *wires_open(const struct ec_topology *t, unsigned vcs)
{
    struct wires *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    *w = (struct wires){.t = t, .links = ec_topology_links(t), .vcs = vcs};
    if (open_sight(&w->sight[0], w) && open_sight(&w->sight[1], w))
        return w;
    wires_close(w);
    return NULL;
}

void wires_close(struct wires *w)
{
    if (!w)
        return;
    close_sight(&w->sight[0]);
    close_sight(&w->sight[1]);
    free(w);
}

/* The word on a link; not 0 if there is one, even if all its other bits are. */
static uint64_t word_on(uint64_t valid, const uint64_t *words, unsigned link)
{
    return valid >> link & 1 ? words[link] | EC_WORD_VALID : 0;
}

void wires_see(struct wires *w, const struct ec_net_seen *seen)
{
    struct sight *s = &w->sight[seen->cycle & 1];
    const size_t link = (size_t)seen->node * w->links, vc = (size_t)seen->node * w->vcs;

    if (s->count && s->cycle[s->list[0]] != seen->cycle)
        s->count = 0;
    s->list[s->count++] = seen->node;
    s->cycle[seen->node] = seen->cycle;
    for (unsigned k = 0; k < w->links; k++) {
        s->in_word[link + k] = word_on(seen->in_valid, seen->in_word, k);
        s->out_word[link + k] = word_on(seen->out_valid, seen->out_word, k);
    }
    memcpy(s->in_credit + vc, seen->in_credit, w->vcs * sizeof *s->in_credit);
    memcpy(s->out_credit + vc, seen->out_credit, w->vcs * sizeof *s->out_credit);
}

/* One end of a link in one cycle. */
struct end {
    const struct sight *s;
    uint32_t node;
    unsigned port;
    bool seen;
};

static struct end end_of(const struct sight *s, uint64_t cycle, uint32_t node, unsigned port)
{
    return (struct end){s, node, port, s->cycle[node] == cycle};
}

static uint64_t word_at(const struct wires *w, struct end e, const uint64_t *words)
{
    return e.seen ? words[(size_t)e.node * w->links + e.port] : 0;
}

static bool credit_at(const struct wires *w, struct end e, const uint64_t *credits, unsigned vc)
{
    return e.seen && credits[(size_t)e.node * w->vcs + vc] >> e.port & 1;
}

/* Compare `out`, seen in the previous cycle, with `in`. `lost`: look for words and credits that do
 * not arrive, otherwise for those that were not sent. */
static bool ends_differ(const struct wires *w, struct end out, struct end in, bool lost,
                        struct wire_fault *ret)
{
    const uint64_t sent = word_at(w, out, out.s->out_word), got = word_at(w, in, in.s->in_word);

    if (sent != got && (lost ? sent : got) != 0) {
        ret->word = lost ? sent : got;
        return true;
    }
    for (unsigned vc = 0; vc < w->vcs; vc++) {
        const bool gave = credit_at(w, out, out.s->out_credit, vc);
        const bool has = credit_at(w, in, in.s->in_credit, vc);
        if (gave != has && (lost ? gave : has)) {
            ret->word = 0;
            ret->vc = vc;
            return true;
        }
    }
    return false;
}

/* Check all links of the routers seen at this end. */
static bool judge_end(const struct wires *w, uint64_t cycle, bool lost, struct wire_fault *ret)
{
    const struct sight *before = &w->sight[~cycle & 1], *now = &w->sight[cycle & 1];
    const struct sight *here = lost ? before : now;

    for (uint32_t i = 0; i < here->count; i++) {
        const uint32_t node = here->list[i];
        for (unsigned port = 0; port < w->links; port++) {
            const uint32_t peer = ec_topology_neighbor(w->t, node, port);
            if (peer == EC_NONE)
                continue;
            const unsigned back = ec_topology_reverse(w->t, port);
            const struct end out =
                end_of(before, cycle - 1, lost ? node : peer, lost ? port : back);
            const struct end in = end_of(now, cycle, lost ? peer : node, lost ? back : port);
            if (!ends_differ(w, out, in, lost, ret))
                continue;
            ret->cycle = cycle;
            ret->node = node;
            ret->peer = peer;
            ret->port = port;
            ret->lost = lost;
            return true;
        }
    }
    return false;
}

bool wires_judge(struct wires *w, uint64_t cycle, struct wire_fault *ret)
{
    struct sight *now = &w->sight[cycle & 1];

    if (now->count && now->cycle[now->list[0]] != cycle)
        now->count = 0; /* no router was seen */
    return judge_end(w, cycle, true, ret) || judge_end(w, cycle, false, ret);
}
