/* SPDX-License-Identifier: Apache-2.0 */
/* From probes to constants. Knows which runs say what; must not know what is predicted. */
#include "program/scale/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "parts/auto.h"
#include "program/scale/probe.h"
#include "program/scale/swap.h"
#include "program/scale/threads.h"

enum {
    SIZE_FIRST = 64,     /* routers of the smallest network whose constants are used */
    SIZE_STEP = 4,       /* from one size to the next */
    TINY = 8,            /* routers of the network that shows the cost of the loop */
    REPEATS = 4,         /* of a probe */
    MEMORY_NODES = 1024, /* below, the memory of the program is larger than that of a network */
};

/* Traffic that shows the cost of a word beside that of a router, as a part of that of the case; and
 * words per router and cycle with which a tiny network sleeps most of the time. */
#define LESS         5
#define TINY_WORDS   0.02
/* To pack or unpack a word or credit takes this part of the instructions for moving a word
 * (docs/SCALING.md); it is too little to be timed. */
#define CROSSING     0.1
/* Costs of a word and of a router whose ratio differs by this factor from the usual one are those
 * of a disturbance. */
#define UNUSUAL      8.0
/* A cycle takes some instructions. */
#define FIXED_LEAST  1e-9
/* A word and its credit in a message, and the record of a packet (run/part.c). */
#define WORD_BYTES   32.0
#define RECORD_BYTES 56.0

/* --- Memory ----------------------------------------------------------------------------------- */

/* Memory of this process now, and at most so far. */
static double memory_now(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return 0;
    if (fscanf(f, "%lu %lu", &pages, &resident) != 2)
        resident = 0;
    fclose(f);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double memory_most(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

/* The first network is the largest one, so its memory is new. */
static void note_memory(struct scale_measured *m, double before, uint32_t nodes)
{
    if (m->router_bytes <= 0 && before > 0 && nodes >= MEMORY_NODES)
        m->router_bytes = fmax(0, memory_most() - before) / nodes;
}

/* --- Load ------------------------------------------------------------------------------------- */

/* The words of a message move together: m (h + 1) moves in the m + h cycles of its way. */
static double train(double words, double hops)
{
    return words * (hops + 1) / (words + hops);
}

/* The part of routers that are awake, for so many words per router and cycle: of independent words,
 * a router has none with probability exp(-x words); x follows from a probe. */
static double awake_share(const struct scale_probe *p, double nodes, double words)
{
    const double asleep = 1 - p->awake / nodes;
    return asleep > 0 && p->words > 0 ? 1 - pow(asleep, words * nodes / p->words) : 1;
}

/* The load in the window of an open loop. The whole run, which was timed, begins and ends with less
 * traffic. */
static void load_of_window(const struct ec_report *r, const struct scale_probe *p,
                           struct scale_load *load)
{
    if (r->accepted <= 0 || r->words == 0)
        return;
    const double words = r->accepted * (1 + (double)r->flit_hops / (double)r->words);
    load->words = words * load->nodes;
    load->awake = load->nodes * awake_share(p, load->nodes, words);
}

/* The case is run: its own load. */
static enum ec_code run_case(struct ec_case *c, const struct scale_request *q,
                             struct scale_probe *run, struct scale_measured *ret,
                             struct ec_error *e)
{
    struct scale_load *load = &ret->load;
    struct ec_report *r;
    const double before = memory_now();
    cli_progress_say(q->progress, "running %s %s in one part", c->topology_text, c->workload->text);
    const enum ec_code code = scale_case_run(c, q->seconds / 4, run, &r, e);
    if (code != EC_OK)
        return code;
    note_memory(ret, before, load->nodes);
    load->awake = run->awake;
    load->words = run->words;
    if (r->messages > 0 && r->words > 0)
        load->train =
            train((double)r->words / (double)r->messages, (double)r->flit_hops / (double)r->words);
    if (c->workload->open_loop)
        load_of_window(r, run, load);
    ret->cycles = r->simulated_cycles;
    ret->channels = r->ports;
    ret->flits = r->flits;
    r->flits = NULL; /* now owned here */
    ec_report_close(r);
    return EC_OK;
}

static uint64_t links_of(const struct ec_topology *t)
{
    uint64_t links = 0;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++)
            links += ec_topology_neighbor(t, node, link) != EC_NONE;
    }
    return links;
}

/* The case is too large to be run: its words follow from its rate and its mean path. */
static enum ec_code bound_case(const struct ec_case *c, struct scale_measured *ret,
                               struct ec_error *e)
{
    struct scale_load *load = &ret->load;
    struct ec_bounds b;
    if (!c->workload->open_loop)
        return ec_fail(e, EC_USAGE,
                       "%s has %u nodes, and only random traffic (rate=) is known without a run: "
                       "use it, or allow a run with --nodes %u",
                       c->topology_text, c->topology.nodes, c->topology.nodes);
    const enum ec_code code = ec_case_bounds(c, &b, e);
    if (code != EC_OK)
        return code;
    if (!b.has_rate || c->workload->rate >= b.rate)
        return ec_fail(e, EC_USAGE,
                       "%s has %u nodes, and rate=%g is beyond its saturation (%g): use a lower "
                       "rate, or allow a run with --nodes %u",
                       c->topology_text, c->topology.nodes, c->workload->rate,
                       b.has_rate ? b.rate : 0, c->topology.nodes);
    load->words = c->workload->rate * b.sends * (b.hops + 1) * load->nodes;
    load->train = train(ec_workload_mean_words(c->workload), b.hops);
    ret->link_words =
        c->workload->rate * b.sends * b.hops * load->nodes / (double)links_of(&c->topology);
    return EC_OK;
}

/* --- Work ------------------------------------------------------------------------------------- */

/* Networks of several sizes, which are probed in turn, so that what disturbs this machine for a
 * moment disturbs all of them. The faster probes count. */
struct bench {
    struct scale_bench open;
    double words; /* per router and cycle */
    struct scale_probe probe;
};

struct benches {
    struct bench at[SCALE_SIZES_MAX + 2]; /* ascending sizes, then: */
    size_t sizes;
    struct bench *less, *tiny; /* the smallest with less traffic; a tiny one with hardly any */
};

/* The sizes to measure, the last one the largest allowed. */
static size_t choose_sizes(const struct ec_topology *t, uint32_t most, uint32_t *sizes)
{
    const uint32_t last = scale_smaller(t, most).nodes;
    size_t count = 0;
    for (uint32_t n = SIZE_FIRST; n < last && count + 1 < SCALE_SIZES_MAX; n *= SIZE_STEP) {
        const uint32_t nodes = scale_smaller(t, n).nodes;
        if (nodes < last && (count == 0 || nodes > sizes[count - 1]))
            sizes[count++] = nodes;
    }
    sizes[count++] = last;
    return count;
}

/* The first probe says how many cycles take how long. */
static enum ec_code open_bench(const struct ec_case *c, const struct scale_request *q,
                               uint32_t nodes, double words, struct bench *b, struct ec_error *e)
{
    b->words = words;
    cli_progress_say(q->progress, "measuring %u routers", nodes);
    const enum ec_code code = scale_bench_open(c, nodes, q->pulse, &b->open, e);
    return code == EC_OK ? scale_bench_run(&b->open, words, 0, &b->probe, e) : code;
}

static enum ec_code open_benches(const struct ec_case *c, const struct scale_request *q,
                                 double words, struct benches *all, struct scale_measured *m,
                                 struct ec_error *e)
{
    uint32_t sizes[SCALE_SIZES_MAX];
    enum ec_code code = EC_OK;
    all->sizes = choose_sizes(&c->topology, q->nodes, sizes);
    all->less = &all->at[all->sizes];
    all->tiny = &all->at[all->sizes + 1];
    for (size_t i = all->sizes; code == EC_OK && i-- > 0;) {
        const double before = memory_now();
        code = open_bench(c, q, sizes[i], words, &all->at[i], e);
        note_memory(m, before, sizes[i]);
    }
    if (code == EC_OK)
        code = open_bench(c, q, sizes[0], words / LESS, all->less, e);
    if (code == EC_OK)
        code = open_bench(c, q, TINY, TINY_WORDS, all->tiny, e);
    return code;
}

static void close_benches(struct benches *all)
{
    for (size_t i = 0; i < SCALE_SIZES_MAX + 2; i++)
        scale_bench_close(&all->at[i].open);
}

static enum ec_code probe_all(struct benches *all, double seconds, struct ec_error *e)
{
    const size_t count = all->sizes + 2;
    enum ec_code code = EC_OK;
    for (size_t i = 0; code == EC_OK && i < count * REPEATS; i++) {
        struct bench *b = &all->at[i % count];
        struct scale_probe p = {0};
        const uint64_t cycles = scale_bench_cycles(&b->open, seconds / (double)(count * REPEATS));
        code = scale_bench_run(&b->open, b->words, cycles, &p, e);
        if (i < count || p.seconds < b->probe.seconds)
            b->probe = p;
    }
    return code;
}

/* The costs of a router and of a word, from two equations
 *   seconds - fixed = router * A + word * W.
 * Their difference is small, so in a short or disturbed measurement one of them becomes almost 0.
 * Then their usual ratio counts. */
static void solve(const struct benches *all, double ratio, struct scale_machine *m)
{
    const struct scale_probe *x = &all->at[0].probe, *y = &all->less->probe;
    const double tx = fmax(0, x->seconds - m->fixed), ty = fmax(0, y->seconds - m->fixed);
    const double det = x->awake * y->words - y->awake * x->words;
    m->router = det != 0 ? (tx * y->words - ty * x->words) / det : 0;
    m->word = det != 0 ? (x->awake * ty - y->awake * tx) / det : 0;
    m->estimated = m->word < ratio * m->router / UNUSUAL || m->word > ratio * m->router * UNUSUAL;
    if (!m->estimated)
        return;
    m->router = tx / (x->awake + ratio * x->words);
    m->word = ratio * m->router;
}

/* What remains of a cycle of a tiny network depends on the costs of a router, and these a little on
 * what remains. Then the sizes, as far as their cost differs from that of the smallest. */
static void find_constants(const struct benches *all, unsigned ports, struct scale_machine *m)
{
    const struct scale_probe *tiny = &all->tiny->probe;
    const double ratio = PARTS_WORD_NS / (PARTS_PORT_NS * ports);
    m->fixed = 0;
    for (int i = 0; i < 4; i++) {
        solve(all, ratio, m);
        m->fixed =
            fmax(FIXED_LEAST, tiny->seconds - m->router * tiny->awake - m->word * tiny->words);
    }
    solve(all, ratio, m);
    m->crossing = CROSSING * m->word;
    m->size_count = all->sizes;
    for (size_t i = 0; i < all->sizes; i++) {
        const struct scale_probe *p = &all->at[i].probe;
        const double small = m->router * p->awake + m->word * p->words;
        m->size[i].routers = all->at[i].open.topology.nodes;
        m->size[i].locality = small > 0 ? (p->seconds - m->fixed) / small : 1;
    }
}

static enum ec_code measure_work(const struct ec_case *c, const struct scale_request *q,
                                 struct scale_measured *ret, struct ec_error *e)
{
    struct scale_load *load = &ret->load;
    struct benches all = {0};
    const double words = load->words / load->nodes;
    enum ec_code code = open_benches(c, q, words, &all, ret, e);
    if (code == EC_OK)
        code = probe_all(&all, q->seconds / 2, e);
    if (code == EC_OK)
        find_constants(&all, ret->ports, &ret->machine);
    if (code == EC_OK && load->awake == 0) {
        const struct bench *last = &all.at[all.sizes - 1];
        load->awake = load->nodes * awake_share(&last->probe, last->open.topology.nodes, words);
    }
    close_benches(&all);
    return code;
}

/* --- Threads ---------------------------------------------------------------------------------- */

/* An exchange is at least a swap; the rest is the work of the parts for it. */
static enum ec_code measure_threads(const struct ec_case *c, const struct scale_request *q,
                                    unsigned threads, double seconds, struct scale_measured *m,
                                    struct ec_error *e)
{
    struct ec_partition *partition;
    struct scale_swap swap;
    double exchange = 0, slowdown = 1;
    const struct scale_load *load = &m->load;
    const uint32_t most = q->nodes < load->nodes ? q->nodes : load->nodes;
    cli_progress_say(q->progress, "measuring %u threads", threads);
    enum ec_code code = ec_partition_open(&c->topology, threads, &partition, e);
    if (code != EC_OK)
        return code;
    code = scale_time_swaps(partition, NULL, seconds / 4, &swap, e);
    ec_partition_close(partition);
    if (code == EC_OK)
        code = scale_time_epochs(c, most, threads, seconds / 2, &exchange, e);
    if (code == EC_OK)
        code = scale_time_together(c, most / threads, load->words / load->nodes, threads,
                                   seconds / 4, &slowdown, e);
    if (code != EC_OK)
        return code;
    if (m->machine.threads_count == 0)
        m->machine.epoch = fmax(0, exchange - swap.latency);
    m->machine.threads[m->machine.threads_count++] =
        (struct scale_threads){.threads = threads,
                               .latency = fmax(swap.latency, exchange),
                               .byte = swap.byte,
                               .slowdown = slowdown};
    return EC_OK;
}

/* Each number of threads that has processors; the model extrapolates to more. Two are always
 * measured, because ranks have the work of their exchange, too. */
static enum ec_code measure_all_threads(const struct ec_case *c, const struct scale_request *q,
                                        struct scale_measured *m, struct ec_error *e)
{
    const unsigned processors = parts_processors();
    uint32_t list[SCALE_THREADS_MAX] = {2};
    size_t count = 1;
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < q->thread_count && count < SCALE_THREADS_MAX; i++) {
        if (q->threads[i] > 2)
            list[count++] = q->threads[i];
    }
    for (size_t i = 0; code == EC_OK && i < count; i++) {
        if (list[i] <= processors && list[i] <= c->topology.nodes)
            code = measure_threads(c, q, list[i], q->seconds / 4 / (double)count, m, e);
    }
    return code;
}

/* --- All -------------------------------------------------------------------------------------- */

/* Load the compiled router and all code, before memory and times are measured. */
static enum ec_code warm_up(const struct ec_case *c, const struct scale_request *q,
                            struct ec_error *e)
{
    struct bench b = {0};
    const enum ec_code code = open_bench(c, q, TINY, TINY_WORDS, &b, e);
    scale_bench_close(&b.open);
    return code;
}

/* Do other programs keep more processors busy than there are? */
static bool others_work(void)
{
    double load;
    return getloadavg(&load, 1) == 1 && load > parts_processors() + 0.5;
}

static double packet_words(const struct ec_workload *w)
{
    return w->open_loop ? ec_workload_mean_words(w) : w->longest;
}

enum ec_code scale_measure(struct ec_case *c, const struct scale_request *q,
                           struct scale_measured *ret, struct ec_error *reterr)
{
    struct scale_load *load = &ret->load;
    struct scale_probe run = {0};
    struct ec_tile_shape shape;
    const bool runs = c->topology.nodes <= q->nodes;
    *ret = (struct scale_measured){.load = {.nodes = c->topology.nodes,
                                            .train = 1,
                                            .link = c->router.link,
                                            .looks_ahead = !c->workload->order,
                                            .measured = 1}};
    enum ec_code code = ec_shape_choose(&c->topology, &c->router, &shape, reterr);
    if (code != EC_OK)
        return code;
    load->bytes = WORD_BYTES + RECORD_BYTES / fmin(c->router.packet, packet_words(c->workload));
    ret->ports = shape.dims * shape.links_per_dim + shape.locals;
    code = runs ? EC_OK : bound_case(c, ret, reterr);
    if (code == EC_OK)
        code = warm_up(c, q, reterr);
    if (code == EC_OK && runs)
        code = run_case(c, q, &run, ret, reterr);
    if (code == EC_OK && load->words <= 0)
        code = ec_fail(reterr, EC_USAGE,
                       "%s %s: no word uses the network, so there is nothing to split",
                       c->topology_text, c->workload->text);
    if (code == EC_OK)
        code = measure_work(c, q, ret, reterr);
    if (code == EC_OK)
        code = measure_all_threads(c, q, ret, reterr);
    if (code == EC_OK && runs) {
        const double whole = scale_work(&ret->machine, load->nodes, load->awake, load->words);
        load->measured = run.seconds / scale_work(&ret->machine, load->nodes, run.awake, run.words);
        ret->cycle = load->measured * whole;
        ret->run = run.seconds;
    }
    ret->busy = others_work();
    if (code != EC_OK)
        scale_measured_free(ret);
    return code;
}

void scale_measured_free(struct scale_measured *m)
{
    free(m->flits);
    m->flits = NULL;
}
