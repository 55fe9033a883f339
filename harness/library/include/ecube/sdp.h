/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations (SDP) and their cycles, the generalized shuffle permutations (GSH)
 * of Johnsson and Ho, TR-04-91, sections 2 and 3.
 *
 * The machine address of an element is (processor bits | storage bits): storage dimensions 0..k-1
 * are the bits of its local address, processor bit b is dimension k + b. An SDP moves the element
 * at machine address a to the address whose bit i is bit from[i] of a, inverted if bit i of
 * `complement` is set. */
#ifndef ECUBE_SDP_H
#define ECUBE_SDP_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/error.h"

#pragma GCC visibility push(default)

#define EC_SDP_DIMS_MAX 40

struct ec_sdp {
    unsigned storage;   /* k: 2^k elements per node */
    unsigned processor; /* n: 2^n nodes */
    uint8_t from[EC_SDP_DIMS_MAX];
    uint64_t complement;
};

/* One cycle of an SDP: dim[i] <- dim[i - 1], dim[0] <- dim[length - 1] (alpha_i <- alpha_(i-1)).
 * Bit i of `complement`: inverted on arrival in dim[i]. */
struct ec_sdp_cycle {
    unsigned length;
    uint8_t dim[EC_SDP_DIMS_MAX];
    uint64_t complement;
};

/* The kinds of Johnsson and Ho: virtual moves stay in the node, real ones keep local addresses,
 * mixed ones do neither. */
enum ec_sdp_kind { EC_SDP_IDENTITY, EC_SDP_VIRTUAL, EC_SDP_REAL, EC_SDP_MIXED };

struct ec_sdp_class {
    enum ec_sdp_kind kind;
    unsigned order;         /* sigma: dimensions moved */
    unsigned real_order;    /* sigma_r: processor dimensions moved */
    unsigned storage_order; /* sigma_s */
};

/* The identity on k storage and n processor dimensions. */
struct ec_sdp ec_sdp_identity(unsigned storage, unsigned processor);

/* Parse cycles such as "6-5-~4+3-0": joined by '+', each alpha_(sigma-1)-...-alpha_0; '~' inverts
 * on arrival; "~4" alone inverts dimension 4. EC_USAGE. */
enum ec_code ec_sdp_parse(const char *cycles, unsigned storage, unsigned processor,
                          struct ec_sdp *ret, struct ec_error *reterr);
/* The canonical text in the same grammar; "" for the identity. */
void ec_sdp_format(const struct ec_sdp *s, char *buffer, unsigned size);

/* The destination of the element at machine address `address`. */
uint64_t ec_sdp_apply(const struct ec_sdp *s, uint64_t address);
struct ec_sdp ec_sdp_inverse(const struct ec_sdp *s);

/* The disjoint cycles of length >= 2, by lowest dimension. A cycle begins (dim[0]) at a storage
 * dimension whose successor is a processor dimension, if it has one. A dimension that is only
 * inverted is not a cycle. Returns their number; ret[EC_SDP_DIMS_MAX / 2]. */
unsigned ec_sdp_cycles(const struct ec_sdp *s, struct ec_sdp_cycle *ret);
struct ec_sdp_class ec_sdp_classify(const struct ec_sdp *s);

/* The factors of a mixed cycle from ec_sdp_cycles() (Johnsson and Ho, section 3). First its
 * constituting mixed GSH, each one storage dimension (dim[0], never inverted) and the run of
 * processor dimensions after it; then one virtual GSH, a left cyclic shift of all storage
 * dimensions of the cycle with their inversions (of length 1, at most an inversion, if there is
 * one). Returns the number of the former; ret[EC_SDP_DIMS_MAX / 2]. */
unsigned ec_sdp_factor(const struct ec_sdp_cycle *c, unsigned storage, struct ec_sdp_cycle *ret,
                       struct ec_sdp_cycle *ret_virtual);

#pragma GCC visibility pop

#endif
