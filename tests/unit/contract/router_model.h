/* SPDX-License-Identifier: Apache-2.0 */
/* A model of one router and of all around it, written from sections 4 to 8 of the contract: it
 * keeps lists of words, and gets random legal traffic. */
#ifndef EC_UNIT_ROUTER_MODEL_H
#define EC_UNIT_ROUTER_MODEL_H

#include "contract/rules.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/word.h"
#include "pins.h"

enum { PORTS = 8, VCS = 4, INPUTS = PORTS * VCS, ROOM = 16, NOBODY = -1 };

/* Of traffic, of the time until all is empty, and of the delays of foreign routers. */
enum { TRAFFIC = 70, CYCLES = 150, LATE = 200 };

/* What the model knows of the outputs of one cycle. */
struct facts {
    int from[PORTS];        /* the input VC from which the word on a port came, or NOBODY */
    int granted[PORTS];     /* the input VC that is granted a port, or NOBODY */
    unsigned to[PORTS];     /* the VC that it is granted */
    uint64_t front[INPUTS]; /* 0: empty, or the word is in the route stage */
    uint64_t since[INPUTS];
    uint64_t queue[INPUTS][3];   /* the first words in the buffer; 0: none */
    uint64_t left[INPUTS];       /* the last word that left before this cycle; 0: none */
    uint64_t left_at[INPUTS];    /* and when */
    unsigned port[INPUTS];       /* where the front word must leave */
    unsigned choice[INPUTS];     /* the VC there */
    bool request[INPUTS];        /* it could leave */
    bool complete[INPUTS];       /* its packet is there up to the tail */
    int holder[PORTS][VCS];      /* of each output VC, before this cycle */
    unsigned free[PORTS][VCS];   /* credits */
    uint64_t packet[PORTS][VCS]; /* of the holder */
    uint64_t credit_at[PORTS][VCS];
    uint64_t freed_at[PORTS][VCS];
};

struct queued {
    uint64_t word, entered; /* entered: the first cycle in the buffer */
    unsigned port, vcs;     /* where it must leave; VCs: bits */
};

struct input {
    struct queued q[ROOM + 1];
    unsigned count;
    uint64_t since;
    /* Several stages: the word between allocation and output. */
    bool between;
    struct queued leaving;
    uint64_t leaving_since;
    unsigned leaving_vc;
    uint64_t left, left_at;
    /* The neighbour or node behind it. */
    unsigned credits;
    uint32_t rest, dst, src, number, words; /* rest: words of the packet to send */
};

struct output {
    int holder;
    uint64_t packet;
    unsigned sent, shown; /* words: granted and not credited; of these, on the output */
    uint64_t credit_at, freed_at, correct_at, out_since;
};

struct setting {
    const char *topology;
    uint32_t node;
    const char *router;
    unsigned load, credits; /* percent */
};

/* Those who use a setting: tests of foreign routers, of ecube's own, and of grants. */
enum { TEST_FREE = 1, TEST_OWN = 2, TEST_GRANTS = 4, SETTINGS_MAX = 40 };
/* Fills the settings of a test; how many there are. */
size_t model_settings(unsigned test, struct setting ret[SETTINGS_MAX]);

struct model {
    const struct setting *x;
    struct ec_topology t;
    struct ec_router r;
    struct ec_word_layout layout;
    unsigned links, locals, ports, vcs, buffers;
    struct input in[INPUTS];
    struct output out[INPUTS];
    unsigned pointer[PORTS];
    uint64_t moved_at, shown_at;
    struct pins pins[CYCLES + 2 * LATE];
    struct facts facts[CYCLES + LATE + 3];
    unsigned late_words, late_credits; /* cycles, of a foreign router */
    uint64_t key, drawn;
};

/* All is empty, before cycle 1. */
void model_open(struct model *b, const struct setting *x, uint64_t seed);
uint64_t model_draw(struct model *b, uint64_t below);
/* Cycle `now` = 1, 2, ...: what enters the router in it; then, with now + 1, what it shows. */
void model_enter(struct model *b, uint64_t now);
void model_show(struct model *b, uint64_t now);
bool model_is_empty(const struct model *b);

/* Credits that a word needs, and that an output VC has. */
unsigned model_need(const struct model *b, uint64_t word);
unsigned model_free(const struct model *b, const struct output *out);
/* The VC that the front word of an input VC takes, or would take. */
unsigned model_choose(const struct model *b, unsigned own);
/* Is a whole packet there in cycle `now`? */
bool model_is_complete(const struct input *in, uint64_t now);

/* Shows the rules what is on the pins in a cycle, and in the next one. */
void model_see(struct rules *rules, const struct model *b, uint64_t cycle);
/* As they are called in messages. The last four of each stay. */
const char *model_word_name(const struct model *b, uint64_t word);
/* "packet 8 has not ended: ...; ", if `word` of another packet leaves although `front` has not. */
const char *model_rest_name(const struct model *b, uint64_t front, uint64_t word);
/* Has the word to move in the dimension of this port? Local port: to an address that differs, but
 * not in its lowest bit? */
bool model_moves(const struct model *b, uint64_t word, unsigned port);
const char *model_port_name(const struct model *b, unsigned port);
const char *model_vc_name(const struct model *b, unsigned port, unsigned vc);
const char *model_when(const char *event, const char *never, uint64_t cycle);
const char *model_credit_name(uint64_t cycle);
/* `what` of VC number `at` is as it should be. */
void model_assert(const struct model *b, uint64_t cycle, const char *what, unsigned at, uint64_t is,
                  uint64_t should);

#endif
