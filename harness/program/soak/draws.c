/* SPDX-License-Identifier: Apache-2.0 */
/* What a soak draws. Knows words of the command line only; that they are right is seen when they
 * are read. */
#include "program/soak/draws.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct network {
    const char *topology;
    unsigned nodes, vcs, all_ports, deepest;
    bool wired; /* small enough to be compiled as a whole, again and again */
};

/* Few shapes: cubes of 3 and 6 dimensions, grids of 2 and 3, 1 to 4 VCs with one and all ports,
 * depths to 4 and 8. Of each kind the smaller networks come first. */
static const struct network networks[] = {
    {"cube:1", 2, 1, 0, 4, true},        {"cube:2", 4, 1, 0, 4, false},
    {"cube:3", 8, 1, 0, 4, true},        {"cube:4", 16, 1, 0, 4, true},
    {"cube:5", 32, 1, 0, 4, false},      {"cube:6", 64, 1, 0, 4, false},
    {"cube:3", 8, 1, 1, 4, true},        {"cube:4", 16, 1, 1, 4, false},
    {"cube:6", 64, 1, 1, 4, false},      {"cube:6", 64, 1, 0, 8, false},
    {"mesh:2x2", 4, 1, 0, 4, false},     {"mesh:1x5", 5, 1, 0, 4, false},
    {"mesh:4x3", 12, 1, 0, 4, true},     {"mesh:8x8", 64, 1, 0, 4, false},
    {"ring:2", 2, 1, 0, 4, true},        {"ring:3", 3, 1, 0, 4, false},
    {"torus:3x3", 9, 1, 0, 4, false},    {"ring:5", 5, 2, 0, 4, true},
    {"ring:8", 8, 2, 0, 4, false},       {"torus:2x3", 6, 2, 0, 4, false},
    {"torus:4x4", 16, 2, 0, 4, true},    {"torus:5x3", 15, 2, 0, 4, true},
    {"mesh:4x4", 16, 2, 0, 4, false},    {"torus:6x7", 42, 2, 0, 4, false},
    {"torus:4x4", 16, 2, 0, 8, false},   {"torus:8x8", 64, 2, 0, 8, false},
    {"mesh:2x3", 6, 2, 1, 4, true},      {"torus:3x3", 9, 2, 1, 4, true},
    {"torus:4x4", 16, 2, 1, 4, false},   {"ring:8", 8, 4, 0, 4, true},
    {"torus:4x4", 16, 4, 0, 4, false},   {"mesh:3x2x2", 12, 2, 0, 4, true},
    {"torus:4x2x2", 16, 2, 0, 4, true},  {"torus:2x3x4", 24, 2, 0, 4, false},
    {"torus:4x4x4", 64, 2, 0, 4, false}, {"cube:3", 8, 2, 0, 4, false},
    {"cube:4", 16, 4, 1, 4, false},      {"mesh:1x4", 4, 4, 0, 4, false},
    {"mesh:4x4", 16, 4, 0, 4, false},    {"mesh:3x3", 9, 1, 1, 4, false},
    {"ring:3", 3, 4, 1, 4, false},       {"torus:5x3", 15, 4, 1, 4, false},
    {"torus:3x1x5", 15, 2, 1, 4, false},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Patterns that every topology has. */
static const char *const traffics[] = {"uniform", "shift:q=1", "hotspot", "randperm"};
enum { TRAFFICS = sizeof traffics / sizeof *traffics };

static const char *const switchings[] = {"wormhole", "cut-through", "store-and-forward"};

/* Router-cycles of a comparison, at most and about: so that a thousand of them are a night's soak
 * on the slowest backend. */
enum { ROUTER_CYCLES = 400000 };
/* Cycles of a wave beyond the difference. */
enum { AFTER = 16 };

static uint64_t mix(uint64_t x) /* splitmix64 */
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 to below `bound`. */
static unsigned draw(uint64_t *state, unsigned bound)
{
    *state = mix(*state);
    return (unsigned)(*state >> 32) % bound;
}

/* What was drawn has to fit together: a packet into a buffer, and no uniform traffic in closed
 * loop. */
static void settle(struct soak_case *c)
{
    const struct network *n = &networks[c->network];
    if (c->depth > n->deepest)
        c->depth = n->deepest;
    if (c->switching != 0 && c->packet > c->depth)
        c->packet = c->depth;
    if (c->traffic == 0 && c->rate == 0)
        c->rate = 1;
    if (c->rate == 0)
        c->last = c->first;
    if (c->last < c->first)
        c->last = c->first;
    /* One message per node and cycle is the most that a process can create. */
    if (c->rate >= 50 * (c->first + c->last))
        c->rate = 50 * (c->first + c->last) - 1;
    if (n->vcs == 1 || strncmp(n->topology, "cube", 4) == 0 || strncmp(n->topology, "mesh", 4) == 0)
        c->dateline_off = 0;
    if (c->whole) /* without datelines rings deadlock */
        c->dateline_off = 0;
}

/* Of a closed run --cycles is the limit. */
static bool has_cycles(const struct soak_case *c)
{
    return c->rate != 0 || !c->whole;
}

struct soak_case soak_draw(uint64_t seed, uint64_t index, bool wired, bool whole)
{
    uint64_t s = mix(seed) ^ mix(index + 1);
    struct soak_case c = {.whole = whole};
    do
        c.network = draw(&s, NETWORKS);
    while (wired && !networks[c.network].wired);
    c.traffic = draw(&s, TRAFFICS);
    c.depth = 1 + draw(&s, networks[c.network].deepest);
    c.switching = draw(&s, 3);
    c.order = draw(&s, 2);
    c.packet = draw(&s, 3) ? 0 : 1 + draw(&s, 4);
    c.dateline_off = draw(&s, 8) == 0;
    c.first = 1 + draw(&s, 12);
    c.last = c.first + (draw(&s, 2) ? draw(&s, 8) : 0);
    c.rate = draw(&s, 3) ? 1 + draw(&s, 100) : 0;
    c.startup = draw(&s, 3) ? 0 : draw(&s, 40);
    c.stall = draw(&s, 3) ? 0 : 10 * draw(&s, 10);
    c.cycles = 100 + draw(&s, ROUTER_CYCLES / networks[c.network].nodes);
    c.seed = 1 + draw(&s, 1000000);
    settle(&c);
    if (c.rate == 0)
        c.first = c.last = c.first * (1 + draw(&s, 16)); /* closed: longer messages, one each */
    return c;
}

/* --- Smaller -------------------------------------------------------------------------------- */

static bool lower(unsigned *value, unsigned to)
{
    const bool can = *value > to;
    *value = can ? to : *value;
    return can;
}

/* A smaller network of the same routers; other traffic may need longer to show the same. */
static bool instead(struct soak_case *c, unsigned network, bool wired)
{
    enum { LONGER = 4, AT_LEAST = 200 };
    const struct network *n = &networks[c->network], *m = &networks[network];
    if (m->nodes >= n->nodes || m->vcs != n->vcs || m->all_ports != n->all_ports ||
        (wired && !m->wired))
        return false;
    c->network = network;
    c->cycles = LONGER * c->cycles + AT_LEAST;
    return true;
}

static bool shorter(struct soak_case *c, uint64_t to)
{
    const bool can = to >= 1 && c->cycles > to && has_cycles(c);
    c->cycles = can ? to : c->cycles;
    return can;
}

/* Ways: to the cycle of the difference; each network, the smallest first; then these. */
enum { WAY_ENDS, WAY_NETWORK, WAY_RATE = WAY_NETWORK + NETWORKS };

bool soak_shrink(struct soak_case *c, unsigned way, uint64_t ends, bool wired, bool *ret_more)
{
    bool can = false;
    *ret_more = true;
    if (way == WAY_ENDS)
        can = ends > 0 && shorter(c, ends + AFTER);
    else if (way < WAY_RATE)
        can = instead(c, way - WAY_NETWORK, wired);
    switch (way) {
    case WAY_RATE:
        can = lower(&c->rate, c->rate / 2) && c->rate > 0;
        break;
    case WAY_RATE + 1:
        can = lower(&c->last, c->first);
        break;
    case WAY_RATE + 2:
        can = c->first > 1 && lower(&c->first, c->first / 2);
        c->last = can ? c->first : c->last;
        break;
    case WAY_RATE + 3:
        can = lower(&c->stall, 0);
        break;
    case WAY_RATE + 4:
        can = lower(&c->startup, 0);
        break;
    case WAY_RATE + 5:
        can = lower(&c->packet, 0);
        break;
    case WAY_RATE + 6:
        can = lower(&c->switching, 0);
        break;
    case WAY_RATE + 7:
        can = lower(&c->order, 0);
        break;
    case WAY_RATE + 8:
        can = shorter(c, c->cycles / 2);
        break;
    default:
        *ret_more = way < WAY_RATE;
        break;
    }
    settle(c);
    return can;
}

/* --- Words ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool add(struct cli_words *words, const char *format,
                                                      ...)
{
    char word[160];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(word, sizeof word, format, args);
    va_end(args);
    return cli_words_add(words, word, (size_t)length);
}

static bool add_workload(const struct soak_case *c, struct cli_words *words)
{
    const char *name = traffics[c->traffic];
    const char separator = strchr(name, ':') ? ',' : ':';
    if (c->rate == 0)
        return add(words, "%s%cm=%u", name, separator, c->first);
    char length[32];
    snprintf(length, sizeof length, c->last > c->first ? "%u..%u" : "%u", c->first, c->last);
    return add(words, "%s%crate=%u.%02u,m=%s", name, separator, c->rate / 100, c->rate % 100,
               length);
}

bool soak_words(const struct soak_case *c, struct cli_words *words)
{
    const struct network *n = &networks[c->network];
    bool good = add(words, "%s", n->topology) && add_workload(c, words) && add(words, "--router") &&
                add(words, "vcs=%u,depth=%u,switching=%s,order=%s,ports=%s%s", n->vcs, c->depth,
                    switchings[c->switching], c->order ? "high" : "low",
                    n->all_ports ? "all" : "one", c->dateline_off ? ",dateline=off" : "") &&
                add(words, "--seed") && add(words, "%" PRIu64, c->seed);
    if (has_cycles(c))
        good = good && add(words, "--cycles") && add(words, "%" PRIu64, c->cycles);
    if (c->rate)
        good = good && add(words, "--warmup") && add(words, "0");
    if (c->packet)
        good = good && add(words, "--packet") && add(words, "%u", c->packet);
    if (c->startup)
        good = good && add(words, "--startup") && add(words, "%u", c->startup);
    if (c->stall)
        good = good && add(words, "--eject-stall") && add(words, "0.%u", c->stall);
    return good;
}
