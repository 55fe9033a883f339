/* SPDX-License-Identifier: Apache-2.0 */
/* A workload as the user wrote it: the text taken apart and checked against a topology, nothing
 * built and no file read yet. */
#ifndef EC_WORKLOAD_SPEC_H
#define EC_WORKLOAD_SPEC_H

#include "workload/table.h"

#define EC_MESSAGE_WORDS_MAX (UINT32_C(1) << 24) /* words of one message */

struct ec_workload_spec {
    enum ec_workload_id id;
    bool open_loop; /* rate given */
    struct ec_pattern pattern;
    bool on_bits; /* sdp and per_node say what moves: bits of a cube's addresses */
    struct ec_sdp sdp;
    uint32_t per_node;         /* K, 1 unless given */
    unsigned sub;              /* the dimensions of the subcube that has the elements; 0: all */
    uint32_t node;             /* hotspot */
    double share;              /* hotspot with rate, else 0 */
    double rate;               /* flits/node/cycle; 0 in a closed workload */
    struct ec_lengths lengths; /* closed: first == last */
    struct ec_slice file;      /* within the text that was parsed */
};

enum ec_code ec_workload_spec_parse(const char *text, const struct ec_topology *t,
                                    struct ec_workload_spec *ret, struct ec_error *reterr);

/* Canonical text: the main name, the keys in fixed order, m always. A file name that does not fit
 * loses its beginning ("perm:file=...st/map.csv,m=1"). */
void ec_workload_spec_format(const struct ec_workload_spec *s, char *buffer, size_t size);

#endif
