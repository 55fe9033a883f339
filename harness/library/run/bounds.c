/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of open-loop traffic: from its parts to traffic matrices with whole numbers, from their
 * loads to a bound on the rate, and from their distances to the latency of packets that meet no
 * others. Knows workloads and the closed form of one message; must not know how a run is played. */
#include "ecube/audit.h"

#include <math.h>
#include <stdlib.h>

#include "audit/traffic.h"
#include "run/predict.h"

enum {
    DIGITS = 15, /* of a share behind the point */
    FLOWS = 2 * EC_PARTS_MAX,
    MATRICES = 3 * FLOWS, /* at most */
};

/* The messages of a part, or the replies to them, as sums over the lengths that they can have. */
struct flow {
    const struct ec_part *part;
    struct ec_lengths words; /* of a message */
    bool reply;              /* from their destination to their source; not in the rate */
    traffic_sum messages;    /* of a node, in the common unit */
    uint64_t lengths;        /* how many there are, all equally likely */
    uint64_t double_mean;    /* words */
    uint64_t packets;        /* sum over the lengths */
};

struct setting {
    const struct ec_topology *t;
    const struct ec_router *r;
    uint32_t startup;
    size_t count, matrices;
    struct flow flow[FLOWS];
    struct traffic_matrix matrix[MATRICES]; /* through: messages of a pair, until set_costs() */
    size_t of[MATRICES];                    /* their flows */
    traffic_sum rate; /* load of an injection port at rate 1, without start-ups */
    bool overflow;
};

/* --- Whole numbers ---------------------------------------------------------------------------- */

static traffic_sum multiply(struct setting *s, traffic_sum a, traffic_sum b)
{
    traffic_sum product;
    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    s->overflow = true;
    return 0;
}

static traffic_sum divisor(traffic_sum a, traffic_sum b)
{
    while (b) {
        const traffic_sum rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The fraction, rounded once if both terms fit a double. */
static double ratio(traffic_sum a, traffic_sum b)
{
    const traffic_sum common = divisor(a, b);
    return (double)(a / common) / (double)(b / common);
}

static uint64_t power_of_ten(unsigned digits)
{
    uint64_t power = 1;
    while (digits-- > 0)
        power *= 10;
    return power;
}

/* x times 10^digits, if that is a whole number as far as a double can tell. */
static bool scaled(double x, unsigned digits, uint64_t *ret)
{
    const double power = (double)power_of_ten(digits), whole = nearbyint(x * power);
    *ret = (uint64_t)whole;
    return digits == DIGITS || whole / power == x; /* both are exact: the nearest to the decimal */
}

/* Digits that x needs behind the point. */
static unsigned digits_of(double x)
{
    unsigned digits = 0;
    uint64_t whole;
    while (!scaled(x, digits, &whole))
        digits++;
    return digits;
}

/* --- Lengths -------------------------------------------------------------------------------- */

/* Lengths from `least` on. */
static uint64_t lengths_from(const struct ec_lengths *l, uint64_t least)
{
    if (l->mix)
        return (uint64_t)(l->first >= least) + (l->last >= least);
    const uint64_t first = l->first > least ? l->first : least;
    return first > l->last ? 0 : l->last - first + 1;
}

/* The next length after `words`; 0: none. */
static uint32_t next_length(const struct ec_lengths *l, uint32_t words)
{
    if (words == l->last)
        return 0;
    return l->mix ? l->last : words + 1;
}

static uint64_t packets_of(const struct ec_lengths *l, uint32_t packet)
{
    uint64_t packets = 0;
    for (uint64_t before = 0; before < l->last; before += packet)
        packets += lengths_from(l, before + 1);
    return packets;
}

/* --- Matrices --------------------------------------------------------------------------------- */

static void add_matrix(struct setting *s, size_t flow, enum traffic_kind kind, traffic_sum messages)
{
    const bool reply = s->flow[flow].reply;
    if (reply && (kind == TRAFFIC_TO || kind == TRAFFIC_FROM))
        kind = kind == TRAFFIC_TO ? TRAFFIC_FROM : TRAFFIC_TO;
    s->of[s->matrices] = flow;
    s->matrix[s->matrices++] = (struct traffic_matrix){.kind = kind,
                                                       .node = s->flow[flow].part->hot_node,
                                                       .map = s->flow[flow].part->map,
                                                       .reversed = reply,
                                                       .through = messages};
}

/* In a unit in which all shares, and the equal parts of N - 1 destinations, are whole numbers. */
static void add_flow(struct setting *s, size_t flow, double weight, unsigned weight_digits,
                     unsigned share_digits)
{
    const struct ec_part *f = s->flow[flow].part;
    const uint64_t others = s->t->nodes - 1, one = power_of_ten(share_digits);
    uint64_t messages, share = 0;

    scaled(weight, weight_digits, &messages);
    s->flow[flow].messages = multiply(s, multiply(s, messages, one), others);
    if (f->map) {
        add_matrix(s, flow, TRAFFIC_MAP, s->flow[flow].messages);
        return;
    }
    scaled(f->hot_share, share_digits, &share);
    add_matrix(s, flow, TRAFFIC_ALL, multiply(s, messages, one - share));
    if (share == 0)
        return;
    add_matrix(s, flow, TRAFFIC_TO, multiply(s, multiply(s, messages, share), others));
    add_matrix(s, flow, TRAFFIC_FROM, multiply(s, messages, share)); /* the hot node */
}

static void add_flows(struct setting *s)
{
    unsigned weights = 0, shares = 0;
    traffic_sum common = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct ec_part *f = s->flow[i].part;
        const unsigned w = digits_of(f->share), h = f->map ? 0 : digits_of(f->hot_share);
        weights = w > weights ? w : weights;
        shares = h > shares ? h : shares;
    }
    for (size_t i = 0; i < s->count; i++)
        add_flow(s, i, s->flow[i].part->share, weights, shares);
    for (size_t i = 0; i < s->count; i++)
        common = divisor(common, s->flow[i].messages);
    for (size_t i = 0; i < s->matrices; i++)
        common = divisor(common, s->matrix[i].through);
    for (size_t i = 0; common > 0 && i < s->count; i++)
        s->flow[i].messages /= common;
    for (size_t i = 0; common > 0 && i < s->matrices; i++)
        s->matrix[i].through /= common;
}

static void set_lengths(struct setting *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct flow *f = &s->flow[i];
        const struct ec_lengths *l = &f->words;
        f->lengths = lengths_from(l, 1);
        f->double_mean = (uint64_t)l->first + l->last;
        f->packets = packets_of(l, s->r->packet);
    }
}

/* --- The bound on the rate -------------------------------------------------------------------- */

/* Turns numbers of messages into occupied cycles, in a unit in which the mean lengths and numbers
 * of packets of all flows are whole. Sets the rate. */
static void set_costs(struct setting *s)
{
    traffic_sum unit = 1, common = 0; /* unit: a common multiple of the numbers of lengths */
    for (size_t i = 0; s->startup && i < s->count; i++)
        unit = multiply(s, unit, s->flow[i].lengths / (uint64_t)divisor(unit, s->flow[i].lengths));
    for (size_t i = 0; i < s->count; i++) {
        const struct flow *f = &s->flow[i];
        if (!f->reply)
            s->rate += multiply(s, multiply(s, f->messages, f->double_mean), unit);
    }
    for (size_t i = 0; i < s->matrices; i++) {
        struct traffic_matrix *m = &s->matrix[i];
        const struct flow *f = &s->flow[s->of[i]];
        const traffic_sum words = multiply(s, unit, f->double_mean);
        const traffic_sum startups =
            s->startup ? multiply(s, 2 * unit / f->lengths, (traffic_sum)s->startup * f->packets)
                       : 0;
        const traffic_sum messages = m->through;
        m->through = multiply(s, messages, words);
        m->entry = multiply(s, messages, words + startups);
        common = divisor(common, divisor(m->through, m->entry));
    }
    common = divisor(common, s->rate);
    for (size_t i = 0; common > 0 && i < s->matrices; i++) {
        s->matrix[i].through /= common;
        s->matrix[i].entry /= common;
    }
    s->rate /= common > 0 ? common : 1;
}

/* Messages of a matrix that use the network, if each pair has one. */
static uint64_t pairs(const struct ec_topology *t, const struct traffic_matrix *m)
{
    uint64_t moving = 0;
    if (m->kind == TRAFFIC_ALL)
        return (uint64_t)t->nodes * (t->nodes - 1);
    if (m->kind != TRAFFIC_MAP)
        return t->nodes - 1;
    for (uint32_t i = 0; i < t->nodes; i++)
        moving += m->map[i] != i;
    return moving;
}

static enum ec_code find_rate(struct setting *s, struct ec_bounds *b, struct ec_error *reterr)
{
    struct traffic *traffic;
    traffic_sum words = 0, ejection;
    const enum ec_code code = traffic_open(s->t, s->r, s->matrix, s->matrices, &traffic, reterr);
    if (code != EC_OK)
        return code;
    const traffic_sum load = traffic_busiest(traffic, &b->channel, &ejection);
    const traffic_sum rate = multiply(s, s->rate, traffic_paths(traffic));
    traffic_close(traffic);
    for (size_t i = 0; i < s->matrices; i++)
        words += s->matrix[i].through * pairs(s->t, &s->matrix[i]); /* fits as the loads do */
    b->has_rate = load > 0;
    if (!b->has_rate)
        return EC_OK;
    b->rate = ratio(rate, load);
    b->load = ratio(load, rate);
    b->ejection = ratio(ejection, rate);
    b->sends = ratio(words, multiply(s, s->rate, s->t->nodes));
    return EC_OK;
}

/* --- Latency without contention ----------------------------------------------------------------
 */

/* How often a closed form is needed for each number of words, over the lengths of a flow. Each
 * packet arrives when a message that ends with it would arrive. If, from the second packet on, each
 * further full packet adds the same time, words above two packets are reduced to at most two. */
struct prefixes {
    uint64_t *count; /* [room + 1] by words */
    uint32_t room;
    bool affine;
    traffic_sum further; /* full packets in excess */
};

static void add_prefix(const struct setting *s, struct prefixes *p, uint64_t words, uint64_t times)
{
    const uint64_t packet = s->r->packet,
                   excess = p->affine && words > 2 * packet ? (words - packet - 1) / packet : 0;
    p->count[words - excess * packet] += times;
    p->further += (traffic_sum)excess * times;
}

/* All packets of all lengths. */
static bool prefixes_open(const struct setting *s, const struct ec_lengths *l, struct prefixes *p)
{
    const uint64_t packet = s->r->packet;
    *p = (struct prefixes){.room = l->last, .affine = predict_is_affine(s->r, s->startup)};
    if (p->affine && 2 * packet < l->last)
        p->room = (uint32_t)(2 * packet);
    p->count = calloc((size_t)p->room + 1, sizeof *p->count);
    if (!p->count)
        return false;
    for (uint64_t words = packet; words < l->last; words += packet)
        add_prefix(s, p, words, lengths_from(l, words + 1));
    for (uint32_t words = l->first; words > 0; words = next_length(l, words))
        add_prefix(s, p, words, 1);
    return true;
}

/* Cycles of all of them together over this number of hops. */
static traffic_sum prefixes_time(const struct setting *s, const struct prefixes *p, unsigned hops)
{
    traffic_sum sum = 0;
    for (uint32_t words = 1; words <= p->room; words++) {
        if (p->count[words])
            sum += (traffic_sum)p->count[words] * predict_message(s->r, hops, words, s->startup);
    }
    if (p->further > 0) {
        const uint32_t two = 2 * s->r->packet, three = 3 * s->r->packet;
        sum += p->further * (predict_message(s->r, hops, three, s->startup) -
                             predict_message(s->r, hops, two, s->startup));
    }
    return sum;
}

/* A mean of whole numbers with whole weights; if these get too large, a rounded one. */
struct mean {
    traffic_sum sum, weight;
    bool rounded;
    long double rounded_sum, rounded_weight;
};

static void mean_add(struct mean *m, traffic_sum weight, traffic_sum sum, traffic_sum count)
{
    traffic_sum x, y;
    m->rounded |= __builtin_mul_overflow(weight, sum, &x) ||
                  __builtin_mul_overflow(weight, count, &y) ||
                  __builtin_add_overflow(m->sum, x, &m->sum) ||
                  __builtin_add_overflow(m->weight, y, &m->weight);
    m->rounded_sum += (long double)weight * (long double)sum;
    m->rounded_weight += (long double)weight * (long double)count;
}

static double mean_value(const struct mean *m)
{
    return m->rounded ? (double)(m->rounded_sum / m->rounded_weight) : ratio(m->sum, m->weight);
}

/* The sum of the cycles of a flow's packets over all distances. In wormhole and
 * cut-through each further hop takes the same number of cycles more. */
static bool add_times(const struct setting *s, const struct flow *f, const uint64_t *histogram,
                      traffic_sum weight, struct mean *mean)
{
    const unsigned diameter = traffic_furthest(s->t, s->r), hop = ec_router_hop(s->r);
    struct prefixes p;
    traffic_sum sum = 0, count = 0, one;

    if (!prefixes_open(s, &f->words, &p))
        return false;
    one = prefixes_time(s, &p, 1);
    const traffic_sum further = (traffic_sum)f->packets * hop; /* of each further hop */
    for (unsigned h = 0; h <= diameter; h++) {
        if (histogram[h] == 0)
            continue;
        const traffic_sum time = s->r->switching == EC_STORE_AND_FORWARD
                                     ? prefixes_time(s, &p, h)
                                     : one + (traffic_sum)h * further - further;
        sum += histogram[h] * time;
        count += (traffic_sum)histogram[h] * f->packets;
    }
    free(p.count);
    mean_add(mean, weight, sum, count);
    return true;
}

static void add_hops(const struct setting *s, const uint64_t *histogram, traffic_sum weight,
                     struct mean *mean)
{
    const unsigned diameter = traffic_furthest(s->t, s->r);
    traffic_sum hops = 0, count = 0;
    for (unsigned h = 0; h <= diameter; h++) {
        hops += (traffic_sum)histogram[h] * h;
        count += histogram[h];
    }
    mean_add(mean, weight, hops, count);
}

/* False: the latency of a message alone in the network is not known in closed form. */
static bool has_closed_form(const struct setting *s)
{
    if (s->t->graph && s->t->graph->delays)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t longest = s->flow[i].words.last;
        if (!predict_is_alone(s->r, longest) || !predict_is_closed(s->r, longest, s->startup))
            return false;
    }
    return true;
}

/* Uses the numbers of messages of the matrices: call before set_costs(). */
static enum ec_code find_latency(struct setting *s, struct ec_bounds *b, struct ec_error *reterr)
{
    const size_t room = (size_t)traffic_furthest(s->t, s->r) + 1;
    const bool known = has_closed_form(s);
    struct mean packet = {0}, hops = {0};
    uint64_t *histogram = malloc(room * sizeof *histogram);
    enum ec_code code = EC_OK;
    traffic_sum all = 1; /* a common multiple of the numbers of lengths */

    for (size_t i = 0; i < s->count; i++)
        all = multiply(s, all, s->flow[i].lengths / (uint64_t)divisor(all, s->flow[i].lengths));
    for (size_t i = 0; histogram && code == EC_OK && i < s->matrices; i++) {
        const struct traffic_matrix *m = &s->matrix[i];
        const struct flow *f = &s->flow[s->of[i]];
        const traffic_sum weight = multiply(s, m->through, all / f->lengths);
        for (size_t h = 0; h < room; h++)
            histogram[h] = 0;
        code = traffic_hops(s->t, s->r, m, histogram, reterr);
        if (code != EC_OK)
            break;
        add_hops(s, histogram, m->through, &hops);
        if (known && !add_times(s, f, histogram, weight, &packet))
            code = ec_fail(reterr, EC_MEMORY, "out of memory for the lengths of the messages");
    }
    if (!histogram)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the distances of %u nodes",
                       s->t->nodes);
    free(histogram);
    if (code != EC_OK || hops.rounded_weight <= 0)
        return code;
    b->has_zero_load = known;
    b->zero_load = known ? mean_value(&packet) : 0;
    b->hops = mean_value(&hops);
    return EC_OK;
}

/* --- The calls -------------------------------------------------------------------------------- */

static enum ec_code find_bounds(struct setting *s, struct ec_bounds *ret, struct ec_error *reterr)
{
    struct ec_bounds b = {0};

    set_lengths(s);
    add_flows(s);
    enum ec_code code = find_latency(s, &b, reterr);
    if (code != EC_OK)
        return code;
    set_costs(s);
    if (!s->overflow)
        code = find_rate(s, &b, reterr);
    if (s->overflow)
        return ec_fail(reterr, EC_USAGE,
                       "the weights and shares of the traffic have too many digits for a network "
                       "of %u nodes: expected shorter fractions",
                       s->t->nodes);
    if (code == EC_OK)
        *ret = b;
    return code;
}

enum ec_code ec_bounds(const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_workload *w, uint32_t startup, struct ec_bounds *ret,
                       struct ec_error *reterr)
{
    if (!w->open_loop)
        return ec_fail(
            reterr, EC_USAGE,
            "workload '%s' is a list of messages: expected random traffic, with rate=", w->text);
    struct setting s = {.t = t, .r = r, .startup = startup};
    for (unsigned k = 0; k < w->part_count; k++)
        s.flow[s.count++] = (struct flow){.part = &w->parts[k], .words = w->parts[k].lengths};
    for (unsigned k = 0; w->service.words > 0 && k < w->part_count; k++)
        s.flow[s.count++] = (struct flow){.part = &w->parts[k],
                                          .words = {w->service.words, w->service.words, false},
                                          .reply = true};
    return find_bounds(&s, ret, reterr);
}
