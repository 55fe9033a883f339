/* SPDX-License-Identifier: Apache-2.0 */
/* Routes from coordinates. Knows the text of the contract; must not call the library. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include <stddef.h>
#include <stdio.h>

#include "runner.h"

static void *zeroes(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

static void coordinates(const struct ec_topology *t, uint32_t node, uint32_t *x)
{
    for (unsigned d = 0; d < t->dims; d++) {
        x[d] = node % t->radix[d];
        node /= t->radix[d];
    }
}

static uint32_t label(const struct ec_topology *t, const uint32_t *x)
{
    uint32_t node = 0;
    for (unsigned d = t->dims; d-- > 0;)
        node = node * t->radix[d] + x[d];
    return node;
}

/* Section 5.2 of the contract: is the way from a to b in a dimension upwards? */
static bool upwards(const struct ec_topology *t, const struct ec_router *r, unsigned d, uint32_t a,
                    uint32_t b)
{
    const uint32_t k = t->radix[d], n = (b + k - a) % k;
    if (!t->wrap[d])
        return b > a;
    return 2 * n < k || (2 * n == k && (r->ties == EC_TIES_UP || a % 2 == 0));
}

/* One message: follow its path, dimension by dimension. */
static void walk(struct oracle_loads *l, const struct ec_topology *t, const struct ec_router *r,
                 const struct ec_message *m)
{
    uint32_t here[EC_DIMS_MAX], there[EC_DIMS_MAX];
    unsigned hops = 0, first = 0, back = 0;
    coordinates(t, m->src, here);
    coordinates(t, m->dst, there);
    for (unsigned k = 0; k < t->dims; k++) {
        const unsigned d = r->order == EC_ORDER_LOW ? k : t->dims - 1 - k;
        while (here[d] != there[d]) {
            const uint32_t node = label(t, here);
            const bool up = upwards(t, r, d, here[d], there[d]);
            /* Radix 2 has one link, which is its own way back. */
            const bool single = t->links_per_dim == 1 || t->radix[d] == 2;
            const unsigned link = d * t->links_per_dim + (single || up ? 0 : 1);
            first = hops++ ? first : link;
            back = single ? link : link ^ 1;
            l->link[node * l->links + link]++;
            l->link_words[node * l->links + link] += m->words;
            here[d] = (here[d] + (up ? 1 : t->radix[d] - 1)) % t->radix[d];
        }
    }
    if (!hops)
        return;
    const bool all = l->locals > 1;
    l->hops += hops;
    l->longest = hops > l->longest ? hops : l->longest;
    l->eject[m->dst * l->locals + (all ? back : 0)]++;
    l->eject_words[m->dst * l->locals + (all ? back : 0)] += m->words;
    l->inject_words[m->src * l->locals + (all ? first : 0)] += m->words;
}

struct oracle_loads oracle_loads(const struct ec_topology *t, const struct ec_router *r,
                                 const struct ec_message *messages, size_t count)
{
    struct oracle_loads l = {.links = t->dims * t->links_per_dim};
    l.locals = r->ports == EC_PORTS_ALL ? l.links : 1;
    const size_t links = (size_t)t->nodes * l.links, locals = (size_t)t->nodes * l.locals;
    l.link = zeroes(links, sizeof *l.link);
    l.link_words = zeroes(links, sizeof *l.link_words);
    l.eject = zeroes(locals, sizeof *l.eject);
    l.eject_words = zeroes(locals, sizeof *l.eject_words);
    l.inject_words = zeroes(locals, sizeof *l.inject_words);
    for (size_t i = 0; i < count; i++)
        walk(&l, t, r, &messages[i]);
    for (size_t i = 0; i < links; i++) {
        l.links_used += l.link[i] > 0;
        l.busiest = l.link[i] > l.busiest ? l.link[i] : l.busiest;
    }
    for (size_t i = 0; i < locals; i++)
        l.busiest_eject = l.eject[i] > l.busiest_eject ? l.eject[i] : l.busiest_eject;
    return l;
}

void oracle_loads_free(struct oracle_loads *l)
{
    free(l->link);
    free(l->link_words);
    free(l->eject);
    free(l->eject_words);
    free(l->inject_words);
    *l = (struct oracle_loads){0};
}

/* One bit of a cycle, "3" or "~3". */
struct bit {
    unsigned number;
    bool inverted;
};

static struct bit read_bit(const char **at)
{
    struct bit bit = {.inverted = **at == '~'};
    char *end;
    bit.number = (unsigned)strtoul(*at + bit.inverted, &end, 10);
    assert_true(end > *at);
    for (*at = end; **at == ' ';)
        ++*at;
    return bit;
}

uint32_t oracle_cycles(const char *cycles, uint32_t node)
{
    uint32_t result = node;
    for (const char *at = strchr(cycles, '('); at; at = strchr(at, '(')) {
        at++;
        const struct bit first = read_bit(&at);
        struct bit to = first;
        for (bool last = false; !last;) { /* bit `to` takes the value of the next one */
            last = *at == ')';
            const struct bit from = last ? first : read_bit(&at);
            const uint32_t value = (node >> from.number & 1) ^ to.inverted;
            result = (result & ~(UINT32_C(1) << to.number)) | value << to.number;
            to = from;
        }
    }
    return result;
}
