/* SPDX-License-Identifier: Apache-2.0 */
/* How many parts a run has. Knows processors and ranks; must not know how parts are simulated. */
#include "ecube/partition.h"
#include "parts/auto.h"
#include "session/session.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- "auto" ----------------------------------------------------------------------------------- */

/* What a router does in a cycle, about, in a closed workload: it sends a word. */
#define CLOSED_WORDS     1.0
/* Cycles of a run with a precision, about. */
#define PRECISION_CYCLES 65536.0

/* Links and the destination, on average over all pairs of nodes. */
static double path_words(const struct ec_topology *t)
{
    return ec_topology_diameter(t) / (t->kind == EC_MESH ? 3.0 : 2.0) + 1;
}

static double all_words(const struct ec_workload *w)
{
    double words = 0;
    for (size_t i = 0; i < w->message_count; i++)
        words += w->messages[i].words;
    return words;
}

static struct parts_work work_of(const struct ec_case *c, uint32_t ranks)
{
    const struct ec_run_options run = ec_case_run_options(c);
    const struct ec_workload *w = c->workload;
    const double path = path_words(&c->topology), nodes = c->topology.nodes;
    struct parts_work work = {.nodes = c->topology.nodes / ranks,
                              .ports = ec_topology_links(&c->topology) +
                                       ec_router_locals(&c->router, &c->topology),
                              .epoch = w->order ? 1 : c->router.link};
    if (w->open_loop) {
        work.words = w->rate * path;
        work.cycles = run.precision ? PRECISION_CYCLES : (double)(run.warmup + run.cycles);
    } else {
        work.words = CLOSED_WORDS;
        work.cycles = all_words(w) * path / nodes / CLOSED_WORDS;
    }
    return work;
}

static uint32_t auto_threads(const struct ec_case *c, uint32_t ranks, uint32_t processors)
{
    if (!c->workload)
        return 1;
    const struct parts_work work = work_of(c, ranks);
    return parts_auto(&work, processors);
}

static uint32_t threads_of(const struct ec_case *c, uint32_t ranks)
{
    const uint32_t most = c->topology.nodes / ranks, threads = c->spec.threads;

    if (threads == EC_THREADS_AUTO)
        return auto_threads(c, ranks, least(parts_processors(), EC_THREADS_MAX));
    return threads > 1 ? least(threads, most) : 1;
}

static const char *indivisible(enum ec_backend backend)
{
    return backend == EC_BACKEND_FLAT ? "flat" : backend == EC_BACKEND_SYSTEMC ? "systemc" : NULL;
}

static enum ec_code check(const struct ec_case *c, const struct ec_case_split *s,
                          struct ec_error *reterr)
{
    const uint32_t nodes = c->topology.nodes;
    const uint32_t most = least(nodes, EC_PARTITION_MAX);
    const char *whole = indivisible(c->spec.backend);

    if (c->spec.parts > 0 && s->threads > 1)
        return ec_fail(reterr, EC_USAGE,
                       "--parts %u --threads %u: expected one of them; every thread has its part",
                       c->spec.parts, s->threads);
    if (c->spec.parts > 0 && s->ranks > 1)
        return ec_fail(reterr, EC_USAGE,
                       "--parts %u under MPI: the parts take turns in one process; expected "
                       "--threads, or one rank",
                       c->spec.parts);
    if (s->ranks > nodes)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u nodes, too few for %u ranks of MPI: every rank needs a node",
                       c->topology_text, nodes, s->ranks);
    if (s->parts > most)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u nodes and cannot be split into %u parts: expected 1 to %u",
                       c->topology_text, nodes, s->parts, most);
    if (s->parts > 1 && whole)
        return ec_fail(reterr, EC_USAGE,
                       "the backend '%s' is one model of the whole network, which cannot be split "
                       "into %u parts; only 'tiles' can",
                       whole, s->parts);
    return EC_OK;
}

enum ec_code ec_case_split(const struct ec_case *c, struct ec_case_split *ret,
                           struct ec_error *reterr)
{
    struct ec_case_split s = {.ranks = session_rank_count(c->session)};
    const struct world *world = session_world(c->session);

    s.threads = world ? world->threads /* all ranks agree on them */
                : indivisible(c->spec.backend) && c->spec.threads == EC_THREADS_AUTO
                    ? 1
                    : threads_of(c, least(s.ranks, c->topology.nodes));
    s.parts = c->spec.parts > 0 ? c->spec.parts : s.ranks * s.threads;
    s.pays = auto_threads(c, 1, EC_PARTITION_MAX) > 1;
    const enum ec_code code = check(c, &s, reterr);
    if (code == EC_OK)
        *ret = s;
    return code;
}
