/* SPDX-License-Identifier: Apache-2.0 */
/* A workload parsed and checked against a topology; no message is made and no file read. */
#pragma once

#include "workload/pattern.h"

#define EC_MESSAGE_WORDS_MAX (UINT32_C(1) << 24) /* words of one message */

/* Ways to carry out a collective operation, in the order of the words of by=. */
enum ec_collective_by { EC_BY_RING, EC_BY_DOUBLING, EC_BY_TREE, EC_BY_EXCHANGE, EC_BY_COUNT };

struct ec_workload_spec {
    enum ec_workload_id id;
    bool open_loop; /* rate given */
    struct ec_pattern pattern;
    bool on_bits; /* a permutation of the address bits of a cube: sdp */
    struct ec_sdp sdp;
    uint32_t per_node;         /* K, 1 unless given */
    unsigned sub;              /* the dimensions of the subcube that has the elements; 0: all */
    uint32_t node;             /* hotspot */
    double share;              /* hotspot with rate, else 0 */
    double rate;               /* flits/node/cycle; 0 in a closed workload */
    struct ec_lengths lengths; /* closed: first == last */
    struct ec_slice file;      /* or the pairs of ppermute, within the text that was parsed */
    struct ec_slice of;        /* the parts of a mixture, within the same text */
    struct ec_burst burst;
    struct ec_service service;
    enum ec_collective_by by;
    uint32_t
        ways; /* 0 unless by is EC_BY_RING; of a collective operation round its rings: 1 or 2 */
};

/* k, the storage dimensions that K elements per node need: the least k with K <= 2^k. */
unsigned ec_workload_storage(uint32_t per_node);

enum ec_code ec_workload_spec_parse(const char *text, const struct ec_topology *t,
                                    struct ec_workload_spec *ret, struct ec_error *reterr);

/* The same of a part of the mixture `mix`, "hotspot:node=5:m=64": colons separate keys, and it has
 * the rate and, unless it gives one, the length of the mixture. */
enum ec_code ec_workload_part_parse(struct ec_slice text, const struct ec_workload_spec *mix,
                                    const struct ec_topology *t, struct ec_workload_spec *ret,
                                    struct ec_error *reterr);
/* Canonical text: the main name, the keys in fixed order, m always, but not the parts of a
 * mixture. A file name that does not fit
 * loses its beginning ("perm:file=...st/map.csv,m=1"). */
void ec_workload_spec_format(const struct ec_workload_spec *s, char *buffer, size_t size);
