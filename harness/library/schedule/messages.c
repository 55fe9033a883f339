/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the messages of a run from a schedule: one per transfer, with the messages that it waits
 * for. Knows transfers, elements and local moves; must not know routes, routers or which algorithm
 * wrote the schedule.
 *
 * The cost of local moves: a node moves its elements one at a time. Before it sends in a step, it
 * makes all its moves since the step in which it sent last. They begin when the data that the
 * transfer waits for has arrived, and every transfer of the step waits for all of them. Moves after
 * a node's last transfer delay nothing, since a run ends with the last word. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "ecube/schedule.h"
#include "workload/spec.h"

struct element {
    uint32_t node;
    uint32_t brought; /* the transfer that brought it there; EC_NONE: it is at its origin */
};

struct making {
    const struct ec_schedule *s;
    struct ec_message_order *order;
    bool by_step;
    uint32_t local_cost;
    struct element *elements;
    uint32_t
        *moved; /* [nodes] the last of its moves that no transfer has waited for; EC_NONE: none */
    uint32_t *older; /* [moves] the one before each of them */
    uint32_t
        *mark; /* [transfers] the last transfer that waits for it: avoids duplicates in after[] */
    size_t next_move, after_room;
};

static enum ec_code no_memory_for_messages(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for the messages of a schedule");
}

static bool allocate(struct making *m, struct ec_workload *w)
{
    const struct ec_schedule *s = m->s;
    const size_t elements = (size_t)s->holders * s->per_node, count = s->transfer_count;
    struct ec_message_order *o = calloc(1, sizeof *o);
    w->order = m->order = o;
    w->messages = calloc(count + 1, sizeof *w->messages);
    m->elements = calloc(elements + 1, sizeof *m->elements);
    m->moved = malloc((s->nodes + (size_t)1) * sizeof *m->moved);
    m->older = malloc((s->move_count + 1) * sizeof *m->older);
    m->mark = malloc((count + 1) * sizeof *m->mark);
    if (!o || !w->messages || !m->elements || !m->moved || !m->older || !m->mark)
        return false;
    o->by_step = m->by_step;
    o->step = calloc(count + 1, sizeof *o->step);
    o->delay = m->local_cost && s->move_count ? calloc(count + 1, sizeof *o->delay) : NULL;
    o->first = m->by_step ? NULL : calloc(count + 1, sizeof *o->first);
    for (size_t e = 0; e < elements; e++)
        m->elements[e] = (struct element){(uint32_t)(e / s->per_node), EC_NONE};
    memset(m->moved, 0xff, s->nodes * sizeof *m->moved); /* EC_NONE */
    memset(m->mark, 0xff, count * sizeof *m->mark);
    return o->step && (o->delay || !m->local_cost || !s->move_count) && (o->first || m->by_step);
}

/* Record the moves before the transfers of a step at the nodes that make them. */
static void note_moves(struct making *m, uint32_t step)
{
    for (; m->next_move < m->s->move_count && m->s->moves[m->next_move].step <= step;
         m->next_move++) {
        const uint32_t node = m->elements[m->s->moves[m->next_move].element].node;
        m->older[m->next_move] = m->moved[node];
        m->moved[node] = (uint32_t)m->next_move;
    }
}

/* Transfer i waits for the transfer that brought this element, if any. */
static bool wait_for(struct making *m, size_t i, uint32_t element)
{
    const uint32_t brought = m->elements[element].brought;
    struct ec_message_order *o = m->order;
    if (brought == EC_NONE || m->mark[brought] == i)
        return true;
    m->mark[brought] = (uint32_t)i;
    return EC_LIST_PUSH(o->after, o->first[i + 1], m->after_room, brought);
}

/* The predecessors of transfer i, and how long its node moves elements after them. */
static enum ec_code make_order(struct making *m, size_t i, struct ec_error *reterr)
{
    const struct ec_schedule *s = m->s;
    const struct ec_transfer *t = &s->transfers[i];
    struct ec_message_order *o = m->order;
    uint64_t moves = 0;
    bool good = true;
    o->step[i] = t->step;
    if (!m->by_step)
        o->first[i + 1] = o->first[i];
    for (uint32_t k = 0; good && !m->by_step && k < t->count; k++)
        good = wait_for(m, i, s->carried[t->first + k].element);
    for (uint32_t k = m->moved[t->src]; good && o->delay && k != EC_NONE; k = m->older[k]) {
        moves++;
        good = m->by_step || wait_for(m, i, s->moves[k].element);
    }
    if (!good)
        return no_memory_for_messages(reterr);
    /* Factors below 2^32, 2^28 and 2^24: the first product fits, the second is checked. */
    if (moves && (uint64_t)m->local_cost * moves > UINT32_MAX / s->words)
        return ec_fail(reterr, EC_USAGE,
                       "--local-cost %" PRIu32 ": node %" PRIu32 " moves %" PRIu64
                       " elements of %" PRIu32 " words before step %" PRIu32
                       ": expected less than 2^32 cycles",
                       m->local_cost, t->src, moves, s->words, t->step);
    if (o->delay)
        o->delay[i] = (uint32_t)((uint64_t)m->local_cost * moves * s->words);
    return EC_OK;
}

/* After the transfers [begin, end) of a step: their elements have new places, and the moves that
 * they waited for are made. */
static void end_step(struct making *m, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const struct ec_transfer *t = &m->s->transfers[i];
        m->moved[t->src] = EC_NONE;
        for (uint32_t k = 0; k < t->count; k++)
            m->elements[m->s->carried[t->first + k].element] =
                (struct element){t->dst, (uint32_t)i};
    }
}

static enum ec_code make_message(struct ec_workload *w, const struct ec_schedule *s, size_t i,
                                 struct ec_error *reterr)
{
    const struct ec_transfer *t = &s->transfers[i];
    const uint64_t words = (uint64_t)t->count * s->words;
    if (words == 0 || words > EC_MESSAGE_WORDS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "step %" PRIu32 " of algorithm %s sends %" PRIu64 " words from node %" PRIu32
                       " to %" PRIu32 ": expected 1 to %" PRIu32,
                       t->step, s->algorithm, words, t->src, t->dst, EC_MESSAGE_WORDS_MAX);
    w->messages[i] = (struct ec_message){1, t->src, t->dst, (uint32_t)words, 0};
    if (words > w->longest)
        w->longest = (uint32_t)words;
    return EC_OK;
}

static enum ec_code make_all(struct making *m, struct ec_workload *w, struct ec_error *reterr)
{
    const struct ec_schedule *s = m->s;
    for (size_t begin = 0, end; begin < s->transfer_count; begin = end) {
        const uint32_t step = s->transfers[begin].step;
        note_moves(m, step);
        for (end = begin; end < s->transfer_count && s->transfers[end].step == step; end++) {
            enum ec_code code = make_message(w, s, end, reterr);
            if (code == EC_OK)
                code = make_order(m, end, reterr);
            if (code != EC_OK)
                return code;
        }
        end_step(m, begin, end);
    }
    return EC_OK;
}

enum ec_code ec_schedule_workload(const struct ec_schedule *s, const struct ec_workload *of,
                                  enum ec_sync sync, uint32_t local_cost, struct ec_workload **ret,
                                  struct ec_error *reterr)
{
    struct making m = {.s = s, .by_step = sync == EC_SYNC_STEP, .local_cost = local_cost};
    struct ec_workload *w = calloc(1, sizeof *w);
    if (!w)
        return no_memory_for_messages(reterr);
    memcpy(w->text, of->text, sizeof w->text);
    w->name = of->name;
    w->nodes = s->nodes;
    w->per_node = s->per_node;
    w->holders = s->holders;
    w->words = s->words;
    w->message_count = s->transfer_count;
    enum ec_code code = allocate(&m, w) ? make_all(&m, w, reterr) : no_memory_for_messages(reterr);
    free(m.elements);
    free(m.moved);
    free(m.older);
    free(m.mark);
    if (code == EC_OK)
        *ret = w;
    else
        ec_workload_close(w);
    return code;
}
