/* SPDX-License-Identifier: Apache-2.0 */
/* Random words, credits and taps of all routers at once against a model of the wires: what each
 * router gets in each cycle, which routers are stepped, what nodes and watchers see, and what is
 * counted. The model keeps all that is on its way in one list, and does not know that a network may
 * be cut into parts: the test carries what crosses their borders. */
#define RIG_NODES 640 /* from 512 on, rows are asked for in advance */
#include "backend/part.h"
#include "base/rng.h"
#include "ecube/partition.h"
#include "rig.h"

enum { TRAFFIC = 40, DRAIN = 40, WAY = 1 << 14, CHANNELS = RIG_NODES * 16, PARTS_MOST = 8 };

struct setting {
    const char *topology, *router;
    unsigned dims;
    bool no_sleep, shuffled;
    unsigned load;         /* percent */
    unsigned parts, every; /* 0: whole; cycles between the exchanges of the parts */
};

/* On its way to an input of a router. */
struct transit {
    uint64_t at; /* cycle */
    uint32_t node, from;
    unsigned port, vc;
    uint64_t word; /* 0: a credit */
};

/* A part, or the whole network. */
struct section {
    struct ec_net *net;
    const uint32_t *numbers; /* nodes of its routers; NULL: the same */
    struct ec_port_word in_words[NODES_MAX * 8], out_words[NODES_MAX * 8];
    struct ec_port_credit in_credits[NODES_MAX * 32], out_credits[NODES_MAX * 32];
    struct ec_port_events in, out;
    size_t words, credits; /* taken of its outputs */
};

struct model {
    const struct setting *x;
    struct rig g;             /* g.net: the first section */
    struct ec_partition *cut; /* NULL: whole */
    struct section section[PARTS_MOST];
    size_t sections;
    struct ec_net_watch watch;
    uint64_t watched[RIG_NODES / 64];
    struct shown shown[RIG_NODES]; /* in this cycle */
    bool seen[RIG_NODES];          /* by the watcher */
    uint32_t last_seen;
    unsigned cycles_seen;
    unsigned ports, depth, delay;
    struct transit way[WAY];
    size_t count;
    struct got due[RIG_NODES]; /* of the next step, in the ports of the shape */
    bool busy[RIG_NODES], awake[RIG_NODES];
    /* [(node * ports + port) * vcs + vc]: words sent by this output, or by the node to this local
     * port, whose credits have not come back; words that arrived and have not been credited; the
     * same at the node. */
    unsigned sent[CHANNELS], injected[CHANNELS], arrived[CHANNELS], ejected[CHANNELS];
    uint64_t flits[CHANNELS], contended[CHANNELS], starved[CHANNELS], inserted[CHANNELS];
    struct ec_port_word words[NODES_MAX * 8];
    struct ec_port_credit credits[NODES_MAX * 8];
    size_t word_count, credit_count;
    uint64_t in_flight, moved, stepped, key, drawn;
    uint32_t data;
    uint64_t now; /* the cycle that is stepped */
};

static uint64_t draw(struct model *m, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(m->key, m->drawn++), below);
}

static bool chance(struct model *m, unsigned percent)
{
    return draw(m, 100) < percent;
}

static size_t at(const struct model *m, uint32_t node, unsigned port, unsigned vc)
{
    return ((size_t)node * m->ports + port) * m->g.vcs + vc;
}

static void assert_number(const struct model *m, const char *what, size_t i, uint64_t is,
                          uint64_t should)
{
    if (is != should)
        fail_msg("%s %s, cycle %llu: %s %zu is %llx instead of %llx", m->x->topology, m->x->router,
                 (unsigned long long)m->g.net->cycle, what, i, (unsigned long long)is,
                 (unsigned long long)should);
}

static void send_on(struct model *m, uint32_t node, unsigned port, unsigned vc, uint64_t word)
{
    unsigned far_port;
    const uint32_t far = far_end(&m->g.t, node, port, &far_port);
    assert_true(far != EC_NONE && m->count < WAY);
    m->way[m->count++] =
        (struct transit){m->g.net->cycle + 2 + m->delay, far, node, far_port, vc, word};
}

/* --- Sections --------------------------------------------------------------------------------- */

static struct section *section_of(struct model *m, uint32_t node)
{
    return &m->section[m->cut ? m->cut->part_of[node] : 0];
}

/* Sections share the routers of the rig: those of the whole network. */
static struct section *opened;
static struct ec_net_pulse pulse;

static struct ec_tile_bank *open_section(size_t routers, const struct ec_tile_place *places,
                                         const uint32_t *numbers, uint32_t random_seed,
                                         const char *const *names,
                                         const struct ec_tile_listener *listener)
{
    (void)open_bank(routers, places, numbers, random_seed, names, listener);
    assert_true(pulse.inside && pulse.cycle == 0 && random_seed == 42);
    opened->numbers = numbers;
    return (struct ec_tile_bank *)(void *)opened;
}

static void reset_section(struct ec_tile_bank *b)
{
    (void)b;
    assert_true(pulse.inside && pulse.cycle == 0);
}

static void step_section(struct ec_tile_bank *b, const struct ec_tile_io *io, const uint32_t *ids,
                         size_t count)
{
    const struct section *s = (const void *)b;
    assert_true(pulse.inside && pulse.cycle == s->net->cycle && pulse.router == EC_NONE);
    for (size_t i = 0; i < count; i++)
        step_router(&bank, io, ids[i], s->numbers[ids[i]]);
}

static void sections_open(struct model *m, const struct ec_tiles_options *options)
{
    const struct setting *x = m->x;
    struct ec_error error;
    struct rig *g = &m->g;
    rig_prepare(g, x->topology, x->router, x->dims);
    bank.api.open = open_section;
    bank.api.reset = reset_section;
    bank.api.step = step_section;
    m->cut = NULL;
    if (x->parts && ec_partition_open(&g->t, x->parts, &m->cut, &error) != EC_OK)
        fail_msg("%s", error.message);
    m->sections = x->parts ? x->parts : 1;
    for (uint32_t k = 0; k < m->sections; k++) {
        struct section *s = opened = &m->section[k];
        s->in = (struct ec_port_events){.words = s->in_words, .credits = s->in_credits};
        s->out = (struct ec_port_events){.words = s->out_words, .credits = s->out_credits};
        if ((m->cut ? tiles_open_part(&g->t, &g->r, NULL, options, m->cut, k, &s->net, &error)
                    : ec_tiles_open(&g->t, &g->r, NULL, options, &s->net, &error)) != EC_OK)
            fail_msg("%s", error.message);
        assert_true(s->net->foreign == options->foreign && s->net->has_taps);
        assert_true(s->net->pulse == &pulse && pulse.nodes == g->t.nodes && !pulse.inside);
        assert_true(s->net->topology == &g->t && s->net->router == &g->r);
        s->net->ops->watch(s->net, &m->watch);
    }
    g->net = m->section[0].net;
}

static void sections_reset(struct model *m)
{
    for (size_t k = 0; k < m->sections; k++)
        m->section[k].net->ops->reset(m->section[k].net);
}

static void sections_close(struct model *m)
{
    for (size_t k = 0; k < m->sections; k++)
        m->section[k].net->ops->close(m->section[k].net);
    ec_partition_close(m->cut);
}

/* Carries what has left each part to the others. */
static void exchange(struct model *m)
{
    for (size_t k = 0; m->cut && k < m->sections; k++) {
        const uint32_t *neighbour = m->cut->neighbour + m->cut->first_neighbour[k];
        const uint32_t neighbours = m->cut->first_neighbour[k + 1] - m->cut->first_neighbour[k];
        for (size_t i = 0; i < neighbours; i++) {
            size_t count;
            const struct crossing *x = tiles_part_leaving(m->section[k].net, i, &count);
            assert_true(tiles_part_enter(m->section[neighbour[i]].net, x, count));
        }
        tiles_part_left(m->section[k].net);
    }
}

static void step_sections(struct model *m)
{
    struct rig *g = &m->g;
    memcpy(m->shown, bank.show, g->t.nodes * sizeof *m->shown);
    memset(bank.got, 0, sizeof bank.got);
    memset(m->seen, 0, sizeof m->seen);
    m->cycles_seen = 0;
    for (size_t i = 0; i < g->in.word_count; i++) {
        struct section *s = section_of(m, g->in_words[i].port / g->locals);
        s->in_words[s->in.word_count++] = g->in_words[i];
    }
    for (size_t i = 0; i < g->in.credit_count; i++) {
        struct section *s = section_of(m, g->in_credits[i].port / g->locals);
        s->in_credits[s->in.credit_count++] = g->in_credits[i];
    }
    g->in.word_count = g->in.credit_count = 0;
    for (size_t k = 0; k < m->sections; k++) {
        struct section *s = &m->section[k];
        m->last_seen = 0;
        s->words = s->credits = 0;
        const uint64_t beats = pulse.beats;
        s->net->ops->step(s->net, &s->in, &s->out);
        assert_true(!pulse.inside && pulse.beats == beats + 1);
        s->in.word_count = s->in.credit_count = 0;
    }
    if (m->cut && g->net->cycle % m->x->every == 0)
        exchange(m);
}

/* --- The watcher ------------------------------------------------------------------------------ */

static bool is_watched(const struct model *m, uint32_t node)
{
    return !m->watch.nodes || m->watched[node / 64] >> node % 64 & 1;
}

static void see_masks(const struct model *m, const char *what, const uint64_t *is,
                      const uint64_t *should)
{
    for (unsigned vc = 0; vc < m->g.vcs; vc++) {
        for (unsigned port = 0; port < m->ports; port++)
            assert_number(m, what, port, is[vc] >> port & 1, should[vc] >> inside(&m->g, port) & 1);
    }
}

static void see_words(const struct model *m, const char *what, const uint64_t *is, uint64_t valid,
                      const uint64_t *should, uint64_t due)
{
    for (unsigned port = 0; port < m->ports; port++) {
        const unsigned in = inside(&m->g, port);
        assert_number(m, what, port, valid >> port & 1, due >> in & 1);
        if (due >> in & 1)
            assert_number(m, what, port, is[port], should[in]);
    }
}

/* A router as the watcher sees it: what it got, and what it shows. */
static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct model *m = context;
    const struct rig *g = &m->g;
    const struct shown *show = &m->shown[seen->node];
    const struct got *due = &m->due[seen->node];
    assert_true(seen->node < g->t.nodes && seen->node >= m->last_seen);
    assert_number(m, "the cycle of a router", seen->node, seen->cycle, m->now);
    m->last_seen = seen->node;
    m->seen[seen->node] = true;
    see_words(m, "a word into a watched router", seen->in_word, seen->in_valid, due->word,
              due->valid);
    see_words(m, "a word of a watched router", seen->out_word, seen->out_valid, show->word,
              show->valid);
    see_masks(m, "a credit for a watched router", seen->in_credit, due->credit);
    see_masks(m, "a credit of a watched router", seen->out_credit, show->credit);
    see_masks(m, "contention in a watched router", seen->contended, show->contended);
    see_masks(m, "starvation in a watched router", seen->starved, show->starved);
    for (unsigned port = 0; port < m->ports; port++) {
        for (unsigned vc = 0; vc < g->vcs; vc++) {
            const unsigned at_ = inside(g, port);
            const unsigned want = show->want[at_ * g->vcs + vc];
            const uint64_t taps = show->contended[vc] | show->starved[vc];
            for (unsigned to = 0; taps >> at_ & 1 && to < m->ports; to++) {
                if (inside(g, to) == want)
                    assert_number(m, "the wish of a watched router", port,
                                  seen->want[port * g->vcs + vc], to);
            }
        }
    }
}

static void see_cycle(void *context, uint64_t cycle)
{
    struct model *m = context;
    assert_number(m, "the cycle of the watcher", 0, cycle, m->now);
    m->cycles_seen++;
}

static void compare_watched(const struct model *m)
{
    for (uint32_t node = 0; node < m->g.t.nodes; node++)
        assert_number(m, "the watcher's view of router", node, m->seen[node],
                      m->awake[node] && is_watched(m, node));
    assert_number(m, "the cycles of the watcher", 0, m->cycles_seen, m->sections);
}

/* --- A cycle ---------------------------------------------------------------------------------- */

/* It arrives in the step that comes next. */
static void arrive(struct model *m, const struct transit *x)
{
    struct got *due = &m->due[x->node];
    const uint64_t bit = UINT64_C(1) << inside(&m->g, x->port);
    m->awake[x->node] = true;
    if (x->word) {
        due->valid |= bit;
        due->word[inside(&m->g, x->port)] = x->word;
        m->arrived[at(m, x->node, x->port, x->vc)]++;
    } else {
        due->credit[x->vc] |= bit;
        m->sent[at(m, x->node, x->port, x->vc)]--;
    }
}

static void arrive_all(struct model *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (m->way[i].at == m->g.net->cycle + 1)
            arrive(m, &m->way[i]);
        else
            m->way[kept++] = m->way[i];
    }
    m->count = kept;
}

/* What a node puts on its local port. */
static void use_local(struct model *m, uint32_t node, unsigned local, bool traffic)
{
    struct rig *g = &m->g;
    const unsigned port = g->net_links + local, vc = (unsigned)draw(m, g->vcs);
    unsigned *sent = &m->injected[at(m, node, port, vc)];
    if (traffic && *sent < m->depth && chance(m, m->x->load)) {
        const uint64_t word = word_of(vc, ++m->data);
        send_word(g, node, local, word);
        arrive(m, &(struct transit){0, node, node, port, vc, word});
        m->inserted[node * g->locals + local]++;
        m->in_flight++;
        m->moved++;
        ++*sent;
    }
    for (unsigned v = 0; v < g->vcs; v++) {
        unsigned *owed = &m->ejected[at(m, node, port, v)];
        if (*owed == 0 || !(chance(m, 50) || !traffic))
            continue;
        --*owed;
        send_credit(g, node, local, v);
        arrive(m, &(struct transit){0, node, node, port, v, 0});
    }
}

static void show_one_word(struct model *m, uint32_t node, unsigned port, unsigned vc)
{
    struct rig *g = &m->g;
    const size_t out = at(m, node, port, vc);
    const uint64_t word = word_of(vc, ++m->data);
    show_word(g, node, port, word);
    m->sent[out]++;
    m->flits[node * m->ports + port]++;
    m->moved++;
    if (port < g->net_links) {
        send_on(m, node, port, vc, word);
        return;
    }
    m->ejected[out]++;
    m->in_flight--;
    m->words[m->word_count++] = (struct ec_port_word){node * g->locals + port - g->net_links, word};
}

static void show_one_credit(struct model *m, uint32_t node, unsigned port, unsigned vc)
{
    struct rig *g = &m->g;
    const size_t in = at(m, node, port, vc);
    show_credit(g, node, port, vc);
    m->arrived[in]--;
    if (port < g->net_links) {
        send_on(m, node, port, vc, 0);
        return;
    }
    m->injected[in]--;
    m->credits[m->credit_count++] =
        (struct ec_port_credit){node * g->locals + port - g->net_links, vc};
}

/* Front flits that do not move; a foreign router may show any port. */
static void show_taps(struct model *m, uint32_t node, unsigned from, unsigned vc)
{
    struct rig *g = &m->g;
    struct shown *show = &bank.show[node];
    const unsigned kind = (unsigned)draw(m, 3), port = (unsigned)draw(m, m->ports + 2);
    const unsigned want = port < m->ports ? inside(g, port) : bank.ports + port - m->ports;
    if (kind != 1)
        show->contended[vc] |= UINT64_C(1) << from;
    if (kind != 0)
        show->starved[vc] |= UINT64_C(1) << from;
    show->want[from * g->vcs + vc] = (uint8_t)want;
    if (port < m->ports)
        (kind == 1 ? m->starved : m->contended)[node * m->ports + port]++;
}

static bool has_far_end(const struct model *m, uint32_t node, unsigned port)
{
    unsigned back;
    return port >= m->g.net_links || far_end(&m->g.t, node, port, &back) != EC_NONE;
}

static void show_router(struct model *m, uint32_t node, bool traffic)
{
    struct rig *g = &m->g;
    for (unsigned port = 0; port < m->ports; port++) {
        const unsigned vc = (unsigned)draw(m, g->vcs);
        if (!has_far_end(m, node, port))
            continue;
        /* Words that leave a network must have entered it. */
        if (traffic && m->sent[at(m, node, port, vc)] < m->depth && chance(m, m->x->load) &&
            (port < g->net_links || m->in_flight > 0))
            show_one_word(m, node, port, vc);
    }
    for (unsigned vc = 0; vc < g->vcs; vc++) {
        for (unsigned port = 0; port < m->ports; port++) {
            if (m->arrived[at(m, node, port, vc)] && (chance(m, 50) || !traffic))
                show_one_credit(m, node, port, vc);
        }
    }
    for (unsigned from = 0; traffic && from < bank.ports; from++) {
        if (chance(m, 15))
            show_taps(m, node, from, (unsigned)draw(m, g->vcs));
    }
    bool owes = false;
    for (size_t i = at(m, node, 0, 0); i < at(m, node + 1, 0, 0); i++)
        owes |= m->arrived[i] > 0;
    m->busy[node] = bank.show[node].busy = owes || (traffic && chance(m, 20));
}

/* Each section shows what is its own, in the order of nodes. */
static void compare_outputs(struct model *m)
{
    uint64_t in_flight = 0, moved = 0;
    for (size_t i = 0; i < m->word_count; i++) {
        struct section *s = section_of(m, m->words[i].port / m->g.locals);
        const struct ec_port_word *is = &s->out_words[s->words++];
        assert_number(m, "the port of word", i, is->port, m->words[i].port);
        assert_number(m, "word", i, is->word, m->words[i].word);
    }
    for (size_t i = 0; i < m->credit_count; i++) {
        struct section *s = section_of(m, m->credits[i].port / m->g.locals);
        const struct ec_port_credit *is = &s->out_credits[s->credits++];
        assert_number(m, "the port of credit", i, is->port, m->credits[i].port);
        assert_number(m, "the VC of credit", i, is->vc, m->credits[i].vc);
    }
    for (size_t k = 0; k < m->sections; k++) {
        const struct section *s = &m->section[k];
        const struct ec_net_fault *fault = s->net->ops->fault(s->net);
        assert_number(m, "the number of words", k, s->out.word_count, s->words);
        assert_number(m, "the number of credits", k, s->out.credit_count, s->credits);
        in_flight += s->net->in_flight;
        moved += s->net->moved;
        if (fault->found)
            fail_msg("%s %s: router %u port %u: %s", m->x->topology, m->x->router, fault->node,
                     fault->port, fault->what);
    }
    assert_number(m, "words in flight", 0, in_flight, m->in_flight);
    assert_number(m, "words moved", 0, moved, m->moved);
}

static void compare(struct model *m)
{
    const struct rig *g = &m->g;
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        const struct got *is = &bank.got[node], *due = &m->due[node];
        assert_number(m, "the steps of router", node, is->steps, m->awake[node]);
        assert_number(m, "the words of router", node, is->valid, due->valid);
        for (uint64_t left = due->valid; left; left &= left - 1) {
            const int port = __builtin_ctzll(left);
            assert_number(m, "a word of router", node, is->word[port], due->word[port]);
        }
        for (unsigned vc = 0; vc < g->vcs; vc++)
            assert_number(m, "the credits of router", node, is->credit[vc], due->credit[vc]);
    }
    compare_outputs(m);
    compare_watched(m);
}

/* Near links bring a credit back as soon as it is shown; on far ones it is out until it arrives. */
static void compare_drained(struct model *m)
{
    struct ec_net_fault fault;
    uint64_t out = m->delay > 0 ? m->count : 0;
    for (size_t i = 0; i < at(m, m->g.t.nodes, 0, 0); i++)
        out += m->sent[i] + m->injected[i];
    for (size_t i = 0; i < m->count; i++)
        out += m->way[i].word != 0;
    bool drained = true;
    for (size_t k = 0; k < m->sections; k++)
        drained &= m->section[k].net->ops->drained(m->section[k].net, &fault);
    if (out == 0)
        assert_true(drained);
    else if (drained) /* what is left are credits, on their last wire */
        fail_msg("%s %s: drained, but not in the model", m->x->topology, m->x->router);
}

/* Has it been carried to the section of its router? */
static bool is_carried(const struct model *m, const struct transit *x)
{
    const uint64_t sent = x->at - m->g.r.link;
    return sent <= m->g.net->cycle / m->x->every * m->x->every;
}

/* What is first under way in a section, on far links: between its own routers, what was sent first;
 * else, of what entered, what arrives first; else what leaves, for the first of its neighbours. */
static const struct transit *first_under_way(struct model *m, const struct section *s)
{
    const struct transit *entered = NULL, *leaving = NULL;
    for (size_t i = 0; i < m->count; i++) {
        const struct transit *x = &m->way[i];
        const struct section *from = section_of(m, x->from), *to = section_of(m, x->node);
        if (from == s && to == s)
            return x;
        if (to == s && is_carried(m, x) &&
            (!entered || x->at < entered->at ||
             (x->at == entered->at && from < section_of(m, entered->from))))
            entered = x;
        if (from == s && !is_carried(m, x) && (!leaving || to < section_of(m, leaving->node)))
            leaving = x;
    }
    return entered ? entered : leaving;
}

static void compare_on_the_way(struct model *m)
{
    for (size_t k = 0; m->delay > 0 && k < m->sections; k++) {
        const struct section *s = &m->section[k];
        struct ec_net_fault fault = {0};
        const struct transit *x = first_under_way(m, s);
        if (!x)
            continue;
        assert_false(s->net->ops->drained(s->net, &fault));
        assert_number(m, "the router of what is under way", k, fault.node, x->node);
        assert_number(m, "its port", k, fault.port, x->port);
        assert_number(m, "its VC", k, fault.vc, x->vc);
        assert_string_equal(fault.what,
                            x->word ? "a word is on the link" : "a credit is on the link");
        assert_true(fault.cycle == s->net->cycle && fault.found);
    }
}

/* On near links, with all credits back: the first one that a router has not taken. */
static void compare_untaken(struct model *m)
{
    const struct transit *first = NULL;
    struct ec_net_fault fault = {0};
    for (size_t i = 0; i < m->count; i++) {
        const struct transit *x = &m->way[i];
        const bool before = !first || x->node < first->node ||
                            (x->node == first->node &&
                             (x->vc < first->vc || (x->vc == first->vc && x->port < first->port)));
        first = before ? x : first;
    }
    if (!first)
        return;
    assert_false(m->g.net->ops->drained(m->g.net, &fault));
    assert_string_equal(fault.what, "a credit is under way");
    assert_number(m, "the router of a credit", 0, fault.node, first->node);
    assert_number(m, "its port", 0, fault.port, first->port);
    assert_number(m, "its VC", 0, fault.vc, first->vc);
}

/* On near links: the first credits that are missing, of an output rather than of a node. */
static void compare_owed(struct model *m)
{
    static unsigned out[CHANNELS];
    const struct rig *g = &m->g;
    struct ec_net_fault fault = {0};
    char what[100];
    size_t i = 0;
    const size_t count = at(m, g->t.nodes, 0, 0);
    memcpy(out, m->sent, sizeof out);
    for (size_t k = 0; k < m->count; k++)
        out[at(m, m->way[k].node, m->way[k].port, m->way[k].vc)] -= m->way[k].word == 0;
    while (i < count && !out[i] && !m->injected[i])
        i++;
    if (m->delay > 0 || m->cut)
        return;
    if (i == count) {
        compare_untaken(m);
        return;
    }
    const unsigned port = (unsigned)(i / g->vcs % m->ports);
    snprintf(what, sizeof what, "%u of %u credits of %s never came back",
             out[i] ? out[i] : m->injected[i], m->depth,
             out[i] ? "the output" : "the injection port");
    assert_false(g->net->ops->drained(g->net, &fault));
    assert_string_equal(fault.what, what);
    assert_number(m, "the router of credits", 0, fault.node, i / g->vcs / m->ports);
    assert_number(m, "their port", 0, fault.port, port);
    assert_number(m, "their VC", 0, fault.vc, i % g->vcs);
    assert_true(fault.cycle == g->net->cycle && fault.found);
}

/* Those of a part are in the order of its nodes. */
static void compare_section_counters(const struct model *m, const struct section *s,
                                     uint64_t *ret_stepped)
{
    struct ec_net_counters c;
    const struct rig *g = &m->g;
    size_t router = 0;
    s->net->ops->counters(s->net, &c);
    assert_number(m, "ports", 0, c.ports, m->ports);
    *ret_stepped += c.stepped;
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        if (m->cut && &m->section[m->cut->part_of[node]] != s)
            continue;
        for (unsigned port = 0; port < m->ports; port++) {
            const size_t is = router * m->ports + port, i = node * m->ports + port;
            assert_number(m, "flits of channel", i, c.flits[is], m->flits[i]);
            assert_number(m, "contended cycles of channel", i, c.contended[is], m->contended[i]);
            assert_number(m, "starved cycles of channel", i, c.starved[is], m->starved[i]);
        }
        for (unsigned k = 0; k < g->locals; k++)
            assert_number(m, "words into port", node * g->locals + k,
                          c.injected[router * g->locals + k], m->inserted[node * g->locals + k]);
        router++;
    }
}

static void compare_counters(const struct model *m)
{
    uint64_t stepped = 0;
    for (size_t k = 0; k < m->sections; k++)
        compare_section_counters(m, &m->section[k], &stepped);
    assert_number(m, "steps", 0, stepped, m->stepped);
}

static void play_cycle(struct model *m, bool traffic)
{
    struct rig *g = &m->g;
    memset(m->due, 0, sizeof m->due);
    m->word_count = m->credit_count = 0;
    for (uint32_t node = 0; node < g->t.nodes; node++)
        m->awake[node] = m->busy[node] || m->x->no_sleep;
    memset(m->busy, 0, sizeof m->busy);
    arrive_all(m);
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        for (unsigned local = 0; local < g->locals; local++)
            use_local(m, node, local, traffic);
    }
    for (uint32_t node = 0; node < g->t.nodes; node++) {
        m->stepped += m->awake[node];
        if (m->awake[node])
            show_router(m, node, traffic);
    }
    m->now = g->net->cycle + 1;
    step_sections(m);
    compare(m);
}

static void play(struct model *m, uint64_t seed)
{
    m->key = ec_rng_key(seed, 23);
    m->drawn = m->count = 0;
    m->in_flight = m->moved = m->stepped = 0;
    memset(m->busy, 0, sizeof m->busy);
    memset(m->sent, 0, sizeof m->sent);
    memset(m->injected, 0, sizeof m->injected);
    memset(m->arrived, 0, sizeof m->arrived);
    memset(m->ejected, 0, sizeof m->ejected);
    memset(m->flits, 0, sizeof m->flits);
    memset(m->contended, 0, sizeof m->contended);
    memset(m->starved, 0, sizeof m->starved);
    memset(m->inserted, 0, sizeof m->inserted);
    for (unsigned i = 0; i < TRAFFIC; i++) {
        play_cycle(m, true);
        compare_drained(m);
        compare_on_the_way(m);
        compare_owed(m);
    }
    compare_counters(m);
    assert_true(m->moved > TRAFFIC);
}

/* --- One wrong event -------------------------------------------------------------------------- */

enum wrong { WORD, CREDIT, MISSING_WORD, MISSING_CREDIT, NODE_WORD, NODE_CREDIT, WRONGS };

static unsigned tried[WRONGS];

/* Words of this output whose credits have not come back in the next step: near links bring them as
 * soon as they are shown. */
static unsigned words_out(const struct model *m, uint32_t node, unsigned port, unsigned vc)
{
    unsigned out = m->sent[at(m, node, port, vc)];
    for (size_t i = 0; i < m->count; i++) {
        const struct transit *x = &m->way[i];
        const bool here = m->delay == 0 || x->at == m->g.net->cycle + 1;
        out -= here && x->node == node && x->port == port && x->vc == vc && x->word == 0;
    }
    return out;
}

/* Makes this event happen in the next step, if it would be wrong there. */
static bool make_wrong(struct model *m, enum wrong kind, uint32_t node, unsigned port, unsigned vc)
{
    struct rig *g = &m->g;
    const bool link = port < g->net_links, leads = has_far_end(m, node, port);
    unsigned back = 0;
    const uint32_t far = link ? far_end(&g->t, node, port, &back) : EC_NONE;
    const uint64_t word = word_of(vc, 77);
    if (kind < NODE_WORD && !m->busy[node] && !m->x->no_sleep) /* it will not be stepped */
        return false;
    switch (kind) {
    case WORD:
        if (!leads || words_out(m, node, port, vc) < m->depth)
            return false;
        show_word(g, node, port, word);
        return true;
    case CREDIT:
        if (!leads || (link ? words_out(m, far, back, vc) : m->injected[at(m, node, port, vc)]))
            return false;
        show_credit(g, node, port, vc);
        return true;
    case MISSING_WORD:
        if (!leads)
            show_word(g, node, port, word);
        return !leads;
    case MISSING_CREDIT:
        if (!leads)
            show_credit(g, node, port, vc);
        return !leads;
    case NODE_WORD:
        if (link || m->injected[at(m, node, port, vc)] < m->depth)
            return false;
        send_word(g, node, port - g->net_links, word);
        return true;
    case NODE_CREDIT:
        if (link || m->ejected[at(m, node, port, vc)])
            return false;
        send_credit(g, node, port - g->net_links, vc);
        return true;
    case WRONGS:
        break;
    }
    return false;
}

static void assert_fault_is(const struct model *m, const struct ec_net_fault *is,
                            const struct ec_net_fault *due)
{
    if (is->kind != due->kind || is->cycle != due->cycle || is->node != due->node ||
        is->port != due->port || is->vc != due->vc || strcmp(is->what, due->what) != 0)
        fail_msg("%s %s: cycle %llu router %u port %u VC %u: %s\n"
                 "  expected cycle %llu router %u port %u VC %u: %s",
                 m->x->topology, m->x->router, (unsigned long long)is->cycle, is->node, is->port,
                 is->vc, is->what, (unsigned long long)due->cycle, due->node, due->port, due->vc,
                 due->what);
}

/* It is the only fault, in one of the sections: returns the one that is kept there. */
static const struct ec_net_fault *assert_only_fault(const struct model *m,
                                                    const struct ec_net_fault *due)
{
    const struct ec_net_fault *ret = NULL;
    for (size_t k = 0; k < m->sections; k++) {
        const struct ec_net_fault *is = m->section[k].net->ops->fault(m->section[k].net);
        if (!is->found)
            continue;
        assert_null(ret);
        assert_fault_is(m, is, due);
        ret = is;
    }
    if (!ret)
        fail_msg("%s %s: not found: cycle %llu router %u port %u VC %u: %s", m->x->topology,
                 m->x->router, (unsigned long long)due->cycle, due->node, due->port, due->vc,
                 due->what);
    return ret;
}

/* Credits of all nodes and routers that nothing allows: the first fault stays. */
static void make_all_wrong(struct model *m)
{
    struct rig *g = &m->g;
    for (unsigned k = 0; k < 4 + m->delay; k++) {
        for (uint32_t node = 0; node < g->t.nodes; node++) {
            send_credit(g, node, 0, 0); /* wakes the router */
            for (unsigned port = 0; k > 1 && port < m->ports; port++) {
                if (has_far_end(m, node, port))
                    show_credit(g, node, port, k % g->vcs);
            }
        }
        m->now = g->net->cycle + 1;
        step_sections(m);
        assert_number(m, "the cycles of the watcher", 0, m->cycles_seen, m->sections);
    }
    memset(bank.show, 0, sizeof bank.show);
}

/* After random traffic, one event that is against the counts. Nothing else happens. */
static void try_wrong(struct model *m, enum wrong kind)
{
    static const char *const texts[WRONGS] = {
        "a word was sent without a credit",  "a credit too many was returned",
        "a word was sent to a missing link", "a credit was sent to a missing link",
        "a node sent without a credit",      "a node returned a credit too many",
    };
    const struct rig *g = &m->g;
    struct ec_net_fault due = {.found = true, .kind = EC_FAULT_LEDGER};
    bool made = false;
    for (unsigned i = 0; !made && i < 2000; i++) {
        due.node = (uint32_t)draw(m, g->t.nodes);
        due.port = (unsigned)draw(m, m->ports);
        due.vc = (unsigned)draw(m, g->vcs);
        made = make_wrong(m, kind, due.node, due.port, due.vc);
    }
    if (!made)
        return;
    tried[kind]++;
    due.cycle = g->net->cycle + (kind < NODE_WORD ? 2 : 1);
    snprintf(due.what, sizeof due.what, "%s", texts[kind]);
    m->watch.router = NULL; /* its model does not know of this event */
    for (unsigned k = 0; k < 2 * m->g.r.link + 1; k++) {
        m->now = g->net->cycle + 1;
        step_sections(m);
    }
    const struct ec_net_fault *const kept = assert_only_fault(m, &due);
    make_all_wrong(m);
    assert_fault_is(m, kept, &due);
    m->watch.router = see_router;
}

static void the_wires_are_those_of_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"mesh:3x3", "", 2, false, false, 30, 0, 0},
        {"mesh:3x3", "vcs=2", 2, false, true, 30, 0, 0},
        {"cube:3", "vcs=8", 3, true, true, 40, 0, 0},
        {"cube:4", "ports=all", 4, false, false, 10, 0, 0},
        {"torus:4x3", "vcs=2,ports=all", 3, false, false, 20, 0, 0},
        {"torus:4x4", "vcs=4,link=3", 2, false, false, 30, 0, 0},
        {"ring:5", "vcs=4", 1, true, false, 60, 0, 0},
        {"ring:11", "link=2", 1, false, true, 15, 0, 0},
        {"mesh:2x5", "vcs=8,link=5", 2, false, false, 10, 0, 0},
        {"cube:9", "", 9, false, false, 2, 0, 0},
        {"mesh:16x33", "vcs=2", 2, true, false, 3, 0, 0},
        {"ring:600", "vcs=4,link=2", 1, false, true, 3, 0, 0},
        {"mesh:3x3", "vcs=2", 2, false, false, 30, 2, 1},
        {"cube:4", "vcs=2,ports=all", 5, false, true, 15, 4, 1},
        {"torus:4x4", "vcs=4,link=3", 3, false, false, 30, 3, 3},
        {"mesh:5x3", "vcs=8,link=4", 2, true, false, 20, 5, 2},
        {"torus:5x16", "link=2,ports=all", 3, false, false, 10, 6, 1},
        {"mesh:16x33", "vcs=2", 2, false, false, 3, 8, 1},
    };
    static struct model m;
    for (size_t i = 0; i < COUNT(settings); i++) {
        const struct ec_tiles_options options = {.no_sleep = settings[i].no_sleep,
                                                 .foreign = i % 2,
                                                 .pulse = &pulse,
                                                 .random_seed = 42,
                                                 .shuffle_seed = settings[i].shuffled ? 7 + i : 0};
        m.x = &settings[i];
        /* All routers are watched, or a third of them. */
        m.watch = (struct ec_net_watch){.router = see_router,
                                        .cycle = see_cycle,
                                        .nodes = i % 4 ? m.watched : NULL,
                                        .context = &m};
        m.key = ec_rng_key(i, 29);
        for (uint32_t node = 0; node < RIG_NODES; node++)
            m.watched[node / 64] ^= (uint64_t)chance(&m, 33) << node % 64;
        sections_open(&m, &options);
        m.ports = m.g.net_links + m.g.locals;
        m.depth = DEPTH;
        m.delay = m.g.r.link - 1;
        assert_true(at(&m, m.g.t.nodes, 0, 0) <= CHANNELS);
        m.watch.router = NULL; /* a watcher of cycles only */
        make_all_wrong(&m);
        m.watch.router = see_router;
        sections_reset(&m); /* although no word has moved */
        play(&m, 2 * i);
        for (unsigned k = 0; k < DRAIN; k++)
            play_cycle(&m, false), compare_owed(&m);
        compare_drained(&m);
        compare_counters(&m);
        assert_balanced(&m.g);
        sections_reset(&m);
        play(&m, 2 * i + 1);
        sections_reset(&m); /* with words on all wires */
        play(&m, 2 * i);
        for (unsigned k = 0; k < (m.g.t.nodes < 100 ? 3 * WRONGS : WRONGS); k++) {
            try_wrong(&m, (enum wrong)(k % WRONGS));
            sections_reset(&m);
            play(&m, 100 * i + k);
        }
        sections_close(&m);
    }
    for (unsigned kind = 0; kind < WRONGS; kind++)
        assert_number(&m, "trials of a wrong event", kind, tried[kind] > 3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the wires are those of the model", the_wires_are_those_of_the_model),
    };
    return cmocka_run_group_tests_name("wiring model", tests, NULL, NULL);
}
