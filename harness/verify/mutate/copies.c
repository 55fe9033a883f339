/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the two copies. Knows their inputs, registers and outputs; must not know what is proved
 * about them. */
#include "mutate/copies.h"

#include <stdio.h>
#include <string.h>

#include "mutate/miter.h"

void copies_assume(struct ec_frames *f, const struct ec_aig *a, const uint32_t *map)
{
    for (uint32_t i = 0; i < a->assumptions; i++)
        ec_frames_fact(f, 1, ec_frames_at(map, a->assume[i]));
}

void copies_inputs(const struct ec_equal *e, uint32_t number, const uint32_t *from, uint32_t *map)
{
    memcpy(map + 1, from + 1, e->aig.inputs * sizeof *map);
    for (unsigned b = 0; b < COPIES_SELECT_BITS; b++) {
        if (e->select[b] != UINT32_MAX)
            map[1 + e->select[b]] = number >> b & 1;
    }
}

void copies_step(const struct ec_aig *a, const uint32_t *map, uint32_t *ret)
{
    for (uint32_t i = 0; i < a->registers; i++)
        ret[1 + a->inputs + i] = ec_frames_at(map, a->next[i]);
}

void copies_name_output(const struct ec_equal *e, size_t number, char *text, size_t size)
{
    const struct ec_aig_bit *b = &e->aig.bits[e->outputs[number]];
    snprintf(text, size, "%s_o[%u]", b->name + strlen(MITER_INSIDE), b->bit);
}
