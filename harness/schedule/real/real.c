/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH: the table of their algorithms, and the question whether one applies. Knows
 * permutations; must not know how an algorithm moves an element. */
#include "schedule/real/real.h"

#define BLOCK (PLAN_BLOCK)

static const char *const kinds[] = {
    [EC_SDP_VIRTUAL] = "virtual", [EC_SDP_REAL] = "real", [EC_SDP_MIXED] = "mixed"};

uint32_t real_groups(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0);
}

enum ec_code real_one_cycle(const struct plan *p, struct ec_sdp_cycle *ret, struct ec_error *reterr)
{
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
    const struct ec_sdp *s = p->w->sdp;

    const enum ec_code code = plan_check_bits(p, reterr);
    if (code)
        return code;
    const struct ec_sdp_class kind = ec_sdp_classify(s);
    const unsigned count = ec_sdp_cycles(s, cycles);
    if (count == 0)
        return ec_fail(reterr, EC_USAGE,
                       "%s moves one cycle of processor dimensions; %s has none (best finds an "
                       "algorithm for any)",
                       p->s->algorithm, p->w->text);
    if (kind.kind != EC_SDP_REAL || count != 1)
        return ec_fail(reterr, EC_USAGE,
                       "%s moves one cycle of processor dimensions; %s has %u %s cycle%s (best "
                       "finds an algorithm for any)",
                       p->s->algorithm, p->w->text, count, kinds[kind.kind], count == 1 ? "" : "s");
    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        if (s->from[i] == i && s->complement >> i & 1)
            return ec_fail(reterr, EC_USAGE,
                           "%s moves one cycle and nothing else; %s also inverts dimension %u "
                           "(best finds an algorithm for any)",
                           p->s->algorithm, p->w->text, i);
    }
    *ret = cycles[0];
    return EC_OK;
}

#define ONE_CYCLE    "one real cycle of r dimensions on cube:N"
#define JOHNSSON(at) "Johnsson and Ho, TR-04-91, " at

const struct plan_algorithm plan_real_algorithms[] = {
    {.info = {"a1-one-port", "block=B", ONE_CYCLE ", K even",
              "pairs of elements, one after the other, go around the cycle: (r + 1) K/2 steps",
              JOHNSSON("section 7, algorithm A1")},
     .keys = BLOCK,
     .make = real_a1_one_port},
    {.info = {"a1-pipelined", "block=B", ONE_CYCLE ", K even",
              "all pairs begin in the same dimension: K/2 + max(K/2, r) steps",
              JOHNSSON("section 7, algorithm A1")},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_a1_pipelined},
    {.info = {"a1-concurrent", "block=B", ONE_CYCLE ", K even",
              "groups of r pairs, each beginning in a dimension of its own: (r + 1) ceil(K / 2r) "
              "steps",
              JOHNSSON("section 7, algorithm A1")},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_a1_concurrent},
    {.info = {"a1-packed", "block=B", ONE_CYCLE ", K even",
              "the same without waiting for whole groups: max(r + 1, ceil((r + 1) K / 2r)) steps",
              "docs/GSH-REAL.md"},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_a1_packed},
    {.info = {"a2", "block=B", ONE_CYCLE,
              "r sequences of K/r elements, in twice the memory: r ceil(K/r) steps",
              JOHNSSON("section 7, algorithm A2")},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_a2},
    {.info = {"a2-one-port", "block=B", ONE_CYCLE,
              "all elements one dimension after the other, in twice the memory: r K steps",
              JOHNSSON("section 7, algorithm A2")},
     .keys = BLOCK,
     .make = real_a2_one_port},
    {.info = {"a2x2", "block=B", "b real 2-cycles on cube:N, each inverting none or both",
              "of each two elements one goes each way round the square: K/2 + 1 steps if K >= 4b",
              JOHNSSON("section 7, algorithm A2 squared")},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_a2x2},
    {.info = {"cycle4", "block=B", "one real 2-cycle that inverts one bit on cube:N",
              "a shift on rings of 4 nodes, a quarter of it the long way: ceil(3K/4) steps",
              "docs/GSH-REAL.md"},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_cycle4},
    {.info = {"crossing", "block=B", "i dimensions inverted and none moved, on cube:N",
              "every element crosses each of them once: max(K, i) steps, the least possible",
              "docs/GSH-REAL.md"},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_crossing},
    {.info = {"crossing-one-port", "block=B", "i dimensions inverted and none moved, on cube:N",
              "all elements cross one dimension after the other: i K steps, the least possible",
              "docs/GSH-REAL.md"},
     .keys = BLOCK,
     .make = real_crossing_one_port},
    {.info = {"flow", "block=B", ONE_CYCLE ", 2 <= r <= 5, an even number of inversions",
              "every element takes one of a few routes, in the shares of a best flow: about K/2, "
              "4K/7, 7K/12, 18K/31 steps for r = 2, 3, 4, 5",
              "docs/GSH-REAL.md"},
     .keys = BLOCK,
     .all_ports = true,
     .make = real_flow},
    {.info = {.name = NULL}},
};
