/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes as servers of requests: a node accepts a request while it has a place, thinks, and
 * answers. The place is free again when the last word of the reply has been sent. */
#pragma once

#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/workload.h"
#include "parts/own_nodes.h"
#include "parts/state.h"
#include "traffic/assembly.h"
#include "traffic/source.h"

struct service;

/* A packet whose head has arrived at a node. */
struct service_packet {
    uint64_t created; /* its message */
    uint32_t src, words;
    bool asks;        /* the last packet of a request: its acceptance makes a reply */
    uint32_t part_of; /* the request in the assembly: its last acceptance does; else EC_NONE */
};

/* The nodes `own` (NULL: all) as servers. NULL if memory is short. Borrows its arguments. The
 * workload has replies. */
struct service *service_open(const struct ec_topology *t, const struct ec_router *r,
                             const struct ec_workload *w, const struct nodes_own *own);
void service_close(struct service *s);
/* Requests of several packets are assembled there; after opening. */
void service_assemble(struct service *s, struct assembly *assembly);
void service_reset(struct service *s);

/* The head of a packet arrives at a VC of a port. False if memory is short. */
bool service_arrive(struct service *s, uint32_t port, unsigned vc, struct service_packet p);
/* Has the node room for the next word there? Always for the words of a packet that it has begun to
 * accept, and for replies. */
bool service_accepts(const struct service *s, uint32_t port, unsigned vc);
/* It accepts that word in cycle `now`. If that completes a request, *ret_port will have its reply
 * from cycle *ret_ready on; else EC_NONE. False if memory is short. */
bool service_accept(struct service *s, uint32_t port, unsigned vc, uint64_t now, uint32_t *ret_port,
                    uint64_t *ret_ready);

/* The cycle from which a port has a reply; SOURCE_NEVER: none. */
uint64_t service_next(const struct service *s, uint32_t port);
struct source_message service_take(struct service *s, uint32_t port);
/* The last word of a reply has left its node. */
void service_sent(struct service *s, uint32_t node);

/* Requests that a node holds, thinking or with a reply that has not left. */
uint32_t service_held(const struct service *s, uint32_t node);
/* The most that any node has held. */
uint32_t service_most(const struct service *s);
/* A node of another part has held so many. */
void service_note_most(struct service *s, uint32_t most);
/* No node holds a request. */
bool service_idle(const struct service *s);
/* Some node thinks about a request in cycle `now`. */
bool service_thinks(const struct service *s, uint64_t now);
/* Replies created at a port in cycles 1..now, sent or not; `now` must not decrease. */
uint64_t service_created(struct service *s, uint32_t port, uint64_t now);

/* The state: that of each own node, in its unit, after that of the assembly; then the rest. */
void service_state_node(struct service *s, struct state *state, uint32_t node);
void service_state(struct service *s, struct state *state);
