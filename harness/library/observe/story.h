/* SPDX-License-Identifier: Apache-2.0 */
/* The story of chosen routers: which word is at the front of every input VC, and what it waits for.
 * Derived from the words and credits that a watcher sees on their links, so it is the same for any
 * router. Judges nothing.
 *
 * Not a watcher: its owner passes on the observations. After story_cycle(c), all answers are about
 * cycle c + 1. Input and output VCs are numbered port * vcs + vc, by the ports of the topology. */
#pragma once

#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/select.h"
#include "ecube/topology.h"

struct story;

struct story_input {
    uint32_t node;
    unsigned input;
};

/* `foreign`: credits may come some cycles before or after their words (contract, section 12).
 * Borrows t and r. NULL: out of memory. */
struct story *story_open(const struct ec_topology *t, const struct ec_router *r, bool foreign,
                         const struct ec_node_set *set);
void story_close(struct story *s); /* NULL is fine */
/* Out of memory: what it tells is not reliable. */
bool story_memory_short(const struct story *s);
void story_reset(struct story *s);
/* Routers that were not chosen are ignored. */
void story_see(struct story *s, const struct ec_net_seen *seen);
void story_cycle(struct story *s, uint64_t cycle);

/* Did this cycle change anything in a router (by its place in the set)? */
bool story_changed(const struct story *s, size_t slot, uint64_t cycle);
unsigned story_inputs(const struct story *s); /* of a router */

/* "0 (0,0) local VC 0"; without the VC if there is only one. */
void story_name(const struct story *s, struct story_input at, char *buffer, size_t size);
/* "0->2 #0.4 head"; "" for an empty buffer. */
void story_front(const struct story *s, struct story_input at, char *buffer, size_t size);
/* What that word does: "leaves by +x VC 0", "waits for 1 (1,0) -x VC 0: no place", "waits for local
 * VC 0, which holds +x VC 0"; also for an empty buffer in the middle of a packet. */
void story_state(const struct story *s, struct story_input at, char *buffer, size_t size);

bool story_is_busy(const struct story *s, struct story_input at); /* it has a word */
/* The output VC that the front word, or the packet that is passing, asks for; false: none. */
bool story_asks(const struct story *s, struct story_input at, unsigned *ret_output);
/* The inputs from `start` on of which each waits for the next one, until one that waits for none,
 * or whose router was not chosen, or that is in the list already. Fills up to `room` and returns
 * how many. *ret_circle: the last one waits for the first. */
size_t story_chain(const struct story *s, struct story_input start, struct story_input *inputs,
                   size_t room, bool *ret_circle);
/* The first cycle in which the input had its front word and waited as it does now. */
uint64_t story_since(const struct story *s, struct story_input at);
