/* SPDX-License-Identifier: Apache-2.0 */
/* Which element is in which slot of which node: a set of elements that is searched by place. */
#ifndef EC_SLOTS_H
#define EC_SLOTS_H

#include <stdbool.h>

#include "ecube/schedule.h"

struct slots {
    const struct ec_place *at; /* [elements], not owned; fixed for those that are in */
    uint32_t *element; /* [mask + 1] an element + 1 after its place's hash; 0: none; owned */
    uint32_t mask;
};

/* Room for elements 0..count - 1, nothing in yet. False: out of memory. */
bool slots_open(struct slots *s, const struct ec_place *at, uint32_t count);
void slots_close(struct slots *s);

/* Before the place of `element` changes; and after it has. It may be in already, or not at all. */
void slots_leave(struct slots *s, uint32_t element);
/* Returns another that is in the same slot; EC_NONE if none is. */
uint32_t slots_enter(struct slots *s, uint32_t element);

#endif
