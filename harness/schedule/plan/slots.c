/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by place: an open hash table, since slots may have any number and nodes use few. Knows
 * places; must not know when and why elements change them. */
#include "schedule/plan/slots.h"

#include <stdlib.h>

/* Where the search for a place begins. */
static uint32_t home(const struct slots *s, struct ec_place p)
{
    uint64_t x = ((uint64_t)p.node << 32 | p.slot) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(x >> 32) & s->mask;
}

bool slots_open(struct slots *s, const struct ec_place *at, uint32_t count)
{
    uint64_t room = 4;

    while (room < 2 * (uint64_t)count)
        room *= 2;
    if (room > UINT32_MAX)
        return false;
    *s = (struct slots){.at = at, .mask = (uint32_t)room - 1};
    s->element = calloc(room, sizeof *s->element);
    return s->element != NULL;
}

void slots_close(struct slots *s)
{
    free(s->element);
}

void slots_leave(struct slots *s, uint32_t element)
{
    uint32_t i = home(s, s->at[element]);

    while (s->element[i] && s->element[i] != element + 1)
        i = (i + 1) & s->mask;
    if (!s->element[i])
        return;
    /* What a search would no longer reach moves up into the gap. */
    for (uint32_t next = (i + 1) & s->mask; s->element[next]; next = (next + 1) & s->mask) {
        const uint32_t begins = home(s, s->at[s->element[next] - 1]);
        if (((next - begins) & s->mask) >= ((next - i) & s->mask)) {
            s->element[i] = s->element[next];
            i = next;
        }
    }
    s->element[i] = 0;
}

uint32_t slots_enter(struct slots *s, uint32_t element)
{
    const struct ec_place p = s->at[element];
    uint32_t i = home(s, p), other = EC_NONE;

    for (; s->element[i]; i = (i + 1) & s->mask) {
        const uint32_t seen = s->element[i] - 1;
        if (seen == element)
            return EC_NONE;
        if (s->at[seen].node == p.node && s->at[seen].slot == p.slot)
            other = seen;
    }
    s->element[i] = element + 1;
    return other;
}
