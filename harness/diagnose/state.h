/* SPDX-License-Identifier: Apache-2.0 */
/* What a diagnosis has gathered; shared by its two halves (conservation, and who waits for whom).
 */
#ifndef EC_DIAGNOSIS_STATE_H
#define EC_DIAGNOSIS_STATE_H

#include "diagnose/diagnosis.h"
#include "diagnose/wires.h"

#define NOBODY UINT32_MAX

/* The shadow of one input buffer: a ring that grows. */
struct shadow {
    uint64_t *ring;
    uint32_t first, count, size; /* words that have not left the router */
    int32_t ahead; /* foreign routers: credits returned for words that have not left, less words
                      that left before their credits */
};

struct diagnosis {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    bool foreign;
    unsigned links, locals, ports, vcs; /* ports = links + locals */
    struct wires *wires;
    struct shadow *shadow;    /* [(node * ports + port) * vcs + vc] */
    uint32_t *holder;         /* same index, of output VCs: the input buffer (in this router) of the
                                 packet that holds it, or NOBODY */
    uint32_t *sent;           /* same index, of output VCs: words sent and not credited */
    uint64_t cycle, moved_at; /* the last cycle seen; the last in which a word left any router */
    bool wrong_vc;            /* the violation is a word on the wrong VC: nothing is lost by it */
    char violation[400];
    uint64_t violation_cycle;
    uint32_t violation_node;
    bool memory_short;
};

static inline size_t diagnosis_at(const struct diagnosis *d, uint32_t node, unsigned port,
                                  unsigned vc)
{
    return ((size_t)node * d->ports + port) * d->vcs + vc;
}

static inline uint64_t diagnosis_front(const struct shadow *s)
{
    return s->ring[s->first];
}

void diagnosis_port_name(const struct diagnosis *d, unsigned port, char *buffer, size_t size);
void diagnosis_word_text(const struct diagnosis *d, uint64_t word, char *buffer, size_t size);
/* The output port that the contract's routing gives a word in this router; d->ports if none. */
unsigned diagnosis_due_port(const struct diagnosis *d, uint32_t node, unsigned in_port,
                            uint64_t word);
/* The VC that it gives a word from input VC (in_port, vc) on output port `port`. */
unsigned diagnosis_due_vc(const struct diagnosis *d, uint32_t node, unsigned in_port, unsigned vc,
                          unsigned port);
/* The sender's end of an input port; false at a local port. */
bool diagnosis_upstream(const struct diagnosis *d, uint32_t node, unsigned port, uint32_t *ret_node,
                        unsigned *ret_port);

#endif
