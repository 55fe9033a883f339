/* SPDX-License-Identifier: Apache-2.0 */
/* Where the elements of a schedule are after a run. */
#ifndef EC_PLACEMENT_H
#define EC_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/schedule.h"
#include "ecube/workload.h"

/* Follow every element along the messages of a run, message i being transfer i: started[i] is the
 * cycle in which its source took it up, delivered[i] that of its last word; 0: never. True if every
 * element was in the source before the message that carries it started, that message had all its
 * words, and it ended at its target. Else `why` says what was seen first. False with "out of
 * memory", too. */
bool placement_follow(const struct ec_schedule *s, const struct ec_message *messages,
                      const uint64_t *started, const uint64_t *delivered, char *why, size_t size);

#endif
