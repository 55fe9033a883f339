/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a message whose channels are as those before it left them: its words go one by one as
 * the rules of docs/TIMING.md say. Knows these rules and numbers; not when a message may start, and
 * above all not the simulator. */
#include "ec_cost_way.h"

#include "ec_cost_exact.h"

#define min ec_cost_min
#define max ec_cost_max

/* In wormhole and cut-through words never wait on an idle way if a buffer has one place more than a
 * head asks for: the words of a packet follow its head at one a cycle, and it one hop a cycle. */
static bool is_rigid(const struct ec_cost_machine *m)
{
    switch (m->switching) {
    case EC_COST_WORMHOLE:
        return m->depth > 1;
    case EC_COST_CUT_THROUGH:
        return m->depth > m->packet;
    case EC_COST_STORE_AND_FORWARD:
        break;
    }
    return false;
}

struct packet {
    size_t message;
    uint64_t words;
    uint64_t start;  /* of its start-up */
    size_t way, end; /* channel[way .. end) of its message */
};

static size_t buffer_of(const struct ec_cost_way *w, size_t way)
{
    return (size_t)w->messages->channel[way] * w->machine->vcs + w->messages->vc[way];
}

/* When word number `word` (from 1) of a buffer left it; known for the last D of them. */
static uint64_t *left_of(const struct ec_cost_way *w, size_t buffer, uint64_t word)
{
    return &w->left[buffer * w->depth + word % w->depth];
}

/* Rules 3 and 4: the cycle in which the next word that goes to a buffer finds room there. */
static uint64_t room(const struct ec_cost_way *w, size_t buffer, bool head)
{
    const uint64_t need =
        head && w->machine->switching != EC_COST_WORMHOLE ? w->machine->packet : 1;
    const uint64_t places = w->buffer[buffer].came + need;

    return places > w->depth ? *left_of(w, buffer, places - w->depth) + 1 : 1;
}

/* When a word that was on the channel before in cycle `here` is in front of its buffer. */
static uint64_t front(const struct ec_cost_way *w, size_t from, uint64_t here)
{
    const uint64_t went = w->buffer[from].went;

    return max(here + 1, went ? *left_of(w, from, went) + 1 : 1);
}

/* A word of a packet crosses channel way[j]. `here`: the cycle in which it crossed the channel
 * before; `tail`: the same for the last word of its packet. Returns the cycle, or 0 if it meets
 * another message. */
static uint64_t cross(struct ec_cost_way *w, const struct packet *p, size_t j, bool head,
                      uint64_t here, uint64_t tail)
{
    struct ec_cost_channel *c = &w->channel[w->messages->channel[j]];
    uint64_t time;

    if (j == p->way) {
        time = max(c->busy_until + 1, head ? p->start + w->machine->startup : 1); /* rules 2, 6 */
    } else {
        time = front(w, buffer_of(w, j - 1), here); /* rule 1 */
        if (c->user != p->message && time <= c->busy_until)
            return 0;
        time = max(time, c->busy_until + 1); /* rule 2 */
        if (head && w->machine->switching == EC_COST_STORE_AND_FORWARD)
            time = max(time, tail + 1); /* rule 5 */
    }
    if (j + 1 < p->end) {
        time = max(time, room(w, buffer_of(w, j), head));
        w->buffer[buffer_of(w, j)].came++;
    }
    if (j > p->way)
        *left_of(w, buffer_of(w, j - 1), ++w->buffer[buffer_of(w, j - 1)].went) = time;
    c->busy_until = time;
    c->user = p->message;
    return time;
}

/* All of a packet at once, where its words never wait. */
static size_t go_rigid(struct ec_cost_way *w, const struct packet *p)
{
    uint64_t head = p->start + w->machine->startup;

    for (size_t j = p->way; j < p->end; j++, head++) {
        struct ec_cost_channel *c = &w->channel[w->messages->channel[j]];
        if (c->user != p->message && head <= c->busy_until)
            return j;
        c->busy_until = head + p->words - 1;
        c->user = p->message;
    }
    return p->end;
}

/* Word by word: a word looks back at earlier words further on. */
static size_t go_by_words(struct ec_cost_way *w, const struct packet *p)
{
    for (uint64_t k = 0; k < p->words; k++) {
        uint64_t here = 0;
        for (size_t j = p->way; j < p->end; j++) {
            here = cross(w, p, j, k == 0, here, 0);
            if (here == 0)
                return j;
        }
    }
    return p->end;
}

/* Channel by channel: a head looks back at its tail one channel before. */
static size_t go_by_channels(struct ec_cost_way *w, const struct packet *p)
{
    for (size_t j = p->way; j < p->end; j++) {
        const uint64_t tail = w->here[p->words - 1];
        for (uint64_t k = 0; k < p->words; k++) {
            w->here[k] = cross(w, p, j, k == 0, w->here[k], tail);
            if (w->here[k] == 0)
                return j;
        }
    }
    return p->end;
}

static size_t go_packet(struct ec_cost_way *w, const struct packet *p)
{
    if (w->rigid)
        return go_rigid(w, p);
    return w->machine->switching == EC_COST_STORE_AND_FORWARD ? go_by_channels(w, p)
                                                              : go_by_words(w, p);
}

bool ec_cost_way_open(struct ec_cost_way *w, const struct ec_cost_machine *machine,
                      const struct ec_cost_messages *messages)
{
    const size_t channels = machine->channels, buffers = channels * machine->vcs;
    uint64_t longest = 0;

    for (size_t i = 0; i < messages->count; i++)
        longest = max(longest, messages->words[i]);
    *w = (struct ec_cost_way){.machine = machine, .messages = messages, .rigid = is_rigid(machine)};
    w->depth = w->rigid ? 1 : machine->depth;
    w->channel = ec_cost_zeroed(channels, 1, sizeof *w->channel);
    w->buffer = ec_cost_zeroed(channels, machine->vcs, sizeof *w->buffer);
    w->left = ec_cost_zeroed(buffers, w->depth, sizeof *w->left);
    w->here = ec_cost_zeroed(min(longest, machine->packet), 1, sizeof *w->here);
    return w->channel && w->buffer && w->left && w->here;
}

void ec_cost_way_close(struct ec_cost_way *w)
{
    free(w->channel);
    free(w->buffer);
    free(w->left);
    free(w->here);
}

bool ec_cost_way_go(struct ec_cost_way *w, size_t message, uint64_t start, uint64_t *ret_sent,
                    uint64_t *ret_finish, struct ec_cost_times *times)
{
    const struct ec_cost_messages *m = w->messages;
    struct packet p = {
        .message = message, .start = start, .way = m->way[message], .end = m->way[message + 1]};
    const struct ec_cost_channel *port = &w->channel[m->channel[p.way]];

    for (uint64_t rest = m->words[message]; rest > 0; rest -= p.words) {
        p.words = min(rest, w->machine->packet);
        const size_t stop = go_packet(w, &p);
        if (stop < p.end) {
            times->verdict = EC_COST_MEETING;
            times->channel = m->channel[stop];
            times->earlier = w->channel[times->channel].user;
            times->later = message;
            return false;
        }
        p.start = port->busy_until + 1;
    }
    *ret_sent = port->busy_until;
    *ret_finish = w->channel[m->channel[p.end - 1]].busy_until;
    return true;
}
