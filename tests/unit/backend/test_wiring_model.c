/* SPDX-License-Identifier: Apache-2.0 */
/* Random words, credits and taps of all routers at once against a model of the wires: what each
 * router gets in each cycle, which routers are stepped, what nodes see, and what is counted. The
 * model keeps all that is on its way in one list. */
#define RIG_NODES 640 /* from 512 on, rows are asked for in advance */
#include "rig.h"

#include "base/rng.h"

enum { TRAFFIC = 40, DRAIN = 40, WAY = 1 << 14, CHANNELS = RIG_NODES * 16 };

struct setting {
    const char *topology, *router;
    unsigned dims;
    bool no_sleep, shuffled;
    unsigned load; /* percent */
};

/* On its way to an input of a router. */
struct transit {
    uint64_t at; /* cycle */
    uint32_t node;
    unsigned port, vc;
    uint64_t word; /* 0: a credit */
};

struct model {
    const struct setting *x;
    struct rig g;
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
    m->way[m->count++] = (struct transit){m->g.net->cycle + 2 + m->delay, far, far_port, vc, word};
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
        arrive(m, &(struct transit){0, node, port, vc, word});
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
        arrive(m, &(struct transit){0, node, port, v, 0});
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
    assert_number(m, "the number of words", 0, g->out.word_count, m->word_count);
    for (size_t i = 0; i < m->word_count; i++) {
        assert_number(m, "the port of word", i, g->out_words[i].port, m->words[i].port);
        assert_number(m, "word", i, g->out_words[i].word, m->words[i].word);
    }
    assert_number(m, "the number of credits", 0, g->out.credit_count, m->credit_count);
    for (size_t i = 0; i < m->credit_count; i++) {
        assert_number(m, "the port of credit", i, g->out_credits[i].port, m->credits[i].port);
        assert_number(m, "the VC of credit", i, g->out_credits[i].vc, m->credits[i].vc);
    }
    assert_number(m, "words in flight", 0, g->net->in_flight, m->in_flight);
    assert_number(m, "words moved", 0, g->net->moved, m->moved);
    if (fault_of(g)->found)
        fail_msg("%s %s: router %u port %u: %s", m->x->topology, m->x->router, fault_of(g)->node,
                 fault_of(g)->port, fault_of(g)->what);
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
    const bool drained = m->g.net->ops->drained(m->g.net, &fault);
    if (out == 0)
        assert_true(drained);
    else if (drained) /* what is left are credits, on their last wire */
        fail_msg("%s %s: drained, but not in the model", m->x->topology, m->x->router);
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
    if (m->delay > 0 || i == count)
        return;
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

static void compare_counters(struct model *m)
{
    struct ec_net_counters c;
    const struct rig *g = &m->g;
    g->net->ops->counters(g->net, &c);
    assert_number(m, "ports", 0, c.ports, m->ports);
    assert_number(m, "steps", 0, c.stepped, m->stepped);
    for (size_t i = 0; i < (size_t)g->t.nodes * m->ports; i++) {
        assert_number(m, "flits of channel", i, c.flits[i], m->flits[i]);
        assert_number(m, "contended cycles of channel", i, c.contended[i], m->contended[i]);
        assert_number(m, "starved cycles of channel", i, c.starved[i], m->starved[i]);
    }
    for (size_t i = 0; i < (size_t)g->t.nodes * g->locals; i++)
        assert_number(m, "words into port", i, c.injected[i], m->inserted[i]);
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
    step(g);
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
        compare_owed(m);
    }
    compare_counters(m);
    assert_true(m->moved > TRAFFIC);
}

static void the_wires_are_those_of_the_model(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"mesh:3x3", "", 2, false, false, 30},
        {"mesh:3x3", "vcs=2", 2, false, true, 30},
        {"cube:3", "vcs=8", 3, true, true, 40},
        {"cube:4", "ports=all", 4, false, false, 10},
        {"torus:4x3", "vcs=2,ports=all", 3, false, false, 20},
        {"torus:4x4", "vcs=4,link=3", 2, false, false, 30},
        {"ring:5", "vcs=4", 1, true, false, 60},
        {"ring:11", "link=2", 1, false, true, 15},
        {"mesh:2x5", "vcs=8,link=5", 2, false, false, 10},
        {"cube:9", "", 9, false, false, 2},
        {"mesh:16x33", "vcs=2", 2, true, false, 3},
        {"ring:600", "vcs=4,link=2", 1, false, true, 3},
    };
    static struct model m;
    for (size_t i = 0; i < COUNT(settings); i++) {
        const struct ec_tiles_options options = {.no_sleep = settings[i].no_sleep,
                                                 .shuffle_seed = settings[i].shuffled ? 7 + i : 0};
        m.x = &settings[i];
        rig_open(&m.g, m.x->topology, m.x->router, m.x->dims, &options);
        m.ports = m.g.net_links + m.g.locals;
        m.depth = DEPTH;
        m.delay = m.g.r.link - 1;
        assert_true(at(&m, m.g.t.nodes, 0, 0) <= CHANNELS);
        play(&m, 2 * i);
        for (unsigned k = 0; k < DRAIN; k++)
            play_cycle(&m, false), compare_owed(&m);
        compare_drained(&m);
        compare_counters(&m);
        assert_balanced(&m.g);
        m.g.net->ops->reset(m.g.net);
        play(&m, 2 * i + 1);
        m.g.net->ops->reset(m.g.net); /* with words on all wires */
        play(&m, 2 * i);
        rig_close(&m.g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the wires are those of the model", the_wires_are_those_of_the_model),
    };
    return cmocka_run_group_tests_name("wiring model", tests, NULL, NULL);
}
