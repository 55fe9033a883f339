/* SPDX-License-Identifier: Apache-2.0 */
/* The table of workloads. Knows their names, keys and formulas; must not know how a workload is
 * built. Where the simulators of the field define a pattern differently, the formula is ours. */
#include "workload/table.h"

#include <string.h>
#include <strings.h>

#include "base/nearest.h"

static const struct ec_workload_info infos[] = {
    [EC_WORKLOAD_SHIFT] =
        {"shift", "", "q=1..p-1, labels=plain|gray",
         "i -> (i + q) mod p; gray: ring node i sits on cube node i xor (i >> 1)"},
    [EC_WORKLOAD_BITCOMP] = {"bitcomp", "bit_complement, vector_reversal",
                             "K=elements, sub=dimensions",
                             "every address bit inverted: i -> p - 1 - i (p = 2^n)"},
    [EC_WORKLOAD_BITREV] = {"bitrev", "bit_reverse, bit_reversal, bitreversal",
                            "K=elements, sub=dimensions", "d_i = s_(n-1-i) (p = 2^n)"},
    [EC_WORKLOAD_SHUFFLE] = {"shuffle", "perfect_shuffle", "K=elements, sub=dimensions",
                             "d_i = s_(i-1 mod n): the address rotated left (p = 2^n)"},
    [EC_WORKLOAD_UNSHUFFLE] = {"unshuffle", "bitrot, bit_rotation", "K=elements, sub=dimensions",
                               "d_i = s_(i+1 mod n): the address rotated right (p = 2^n)"},
    [EC_WORKLOAD_KSHUFFLE] = {"kshuffle", "k_shuffle", "k=1..n-1, K=elements, sub=dimensions",
                              "d_i = s_(i-k mod n): the address rotated left k times (p = 2^n)"},
    [EC_WORKLOAD_TRANSPOSE] =
        {"transpose", "", "K=elements, sub=dimensions",
         "(x, y) -> (y, x) on a square mesh or torus; else the address halves "
         "exchanged (p = 2^n, n even)"},
    [EC_WORKLOAD_TOCYCLIC] = {"tocyclic", "", "K=elements, sub=dimensions",
                              "element j of all moves from node j div K to node j mod p: "
                              "consecutive to cyclic (a cube)"},
    [EC_WORKLOAD_TOCONSECUTIVE] = {"toconsecutive", "", "K=elements, sub=dimensions",
                                   "element j of all moves from node j mod p to node j div K: "
                                   "cyclic to consecutive (a cube)"},
    [EC_WORKLOAD_GSH] =
        {"gsh", "sdp", "cycle=6-5-~4+3-0, K=elements, sub=dimensions",
         "bits of the machine address (node | slot) move in cycles, each to the place on its left; "
         "~: inverted on arrival (a cube)"},
    [EC_WORKLOAD_TORNADO] = {"tornado", "", "",
                             "every coordinate x -> x + ceil(r/2) - 1 mod r (r: radix)"},
    [EC_WORKLOAD_NEIGHBOR] = {"neighbor", "neighbour", "",
                              "every coordinate x -> x + 1 mod r, all dimensions at once"},
    [EC_WORKLOAD_RANDPERM] = {"randperm", "random_permutation", "",
                              "a random permutation drawn from the seed (a node may keep its own)"},
    [EC_WORKLOAD_HOTSPOT] = {"hotspot", "hot_spot", "node=0..p-1, share=S (with rate)",
                             "all other nodes send to one; with rate: a message goes there with "
                             "probability S (0.2), else as in uniform"},
    [EC_WORKLOAD_PERM] = {"perm", "permutation", "file=map.csv",
                          "rows src,dst; no node twice in a column; nodes may be missing"},
    [EC_WORKLOAD_TRACE] = {"trace", "", "file=packets.csv",
                           "rows cycle,source,destination,words; in any order, cycles from 1"},
    [EC_WORKLOAD_UNIFORM] = {"uniform", "uniform_random, random", "rate=R",
                             "open loop: every destination but the source is equally likely"},
    [EC_WORKLOAD_COUNT] = {NULL, NULL, NULL, NULL},
};

#define KEY(name) (1U << EC_KEY_##name)
#define COMMON    (KEY(RATE) | KEY(M))
#define BITS      (KEY(ELEMENTS) | KEY(SUB)) /* permutations of address bits */

static const struct ec_workload_traits traits[EC_WORKLOAD_COUNT] = {
    [EC_WORKLOAD_SHIFT] = {COMMON | KEY(Q) | KEY(LABELS), KEY(Q), ec_pattern_shift, false, false},
    [EC_WORKLOAD_BITCOMP] = {COMMON | BITS, 0, ec_pattern_complement, true, false},
    [EC_WORKLOAD_BITREV] = {COMMON | BITS, 0, ec_pattern_reverse, true, false},
    [EC_WORKLOAD_SHUFFLE] = {COMMON | BITS, 0, ec_pattern_rotate, true, false},
    [EC_WORKLOAD_UNSHUFFLE] = {COMMON | BITS, 0, ec_pattern_rotate, true, false},
    [EC_WORKLOAD_KSHUFFLE] = {COMMON | KEY(K) | BITS, KEY(K), ec_pattern_rotate, true, false},
    [EC_WORKLOAD_TRANSPOSE] = {COMMON | BITS, 0, ec_pattern_transpose, false, false},
    [EC_WORKLOAD_TOCYCLIC] = {COMMON | BITS, KEY(ELEMENTS), NULL, true, true},
    [EC_WORKLOAD_TOCONSECUTIVE] = {COMMON | BITS, KEY(ELEMENTS), NULL, true, true},
    [EC_WORKLOAD_GSH] = {COMMON | KEY(CYCLE) | BITS, KEY(CYCLE), NULL, true, true},
    [EC_WORKLOAD_TORNADO] = {COMMON, 0, ec_pattern_tornado, false, false},
    [EC_WORKLOAD_NEIGHBOR] = {COMMON, 0, ec_pattern_neighbor, false, false},
    [EC_WORKLOAD_RANDPERM] = {COMMON, 0, NULL, false, false},
    [EC_WORKLOAD_HOTSPOT] = {COMMON | KEY(NODE) | KEY(SHARE), 0, NULL, false, false},
    [EC_WORKLOAD_PERM] = {COMMON | KEY(FILE), KEY(FILE), NULL, false, false},
    [EC_WORKLOAD_TRACE] = {KEY(FILE), KEY(FILE), NULL, false, false},
    [EC_WORKLOAD_UNIFORM] = {COMMON, KEY(RATE), NULL, false, false},
};

const char *const ec_workload_keys[EC_KEY_COUNT + 1] = {
    [EC_KEY_Q] = "q",         [EC_KEY_LABELS] = "labels", [EC_KEY_K] = "k",
    [EC_KEY_CYCLE] = "cycle", [EC_KEY_ELEMENTS] = "K",    [EC_KEY_SUB] = "sub",
    [EC_KEY_NODE] = "node",   [EC_KEY_SHARE] = "share",   [EC_KEY_FILE] = "file",
    [EC_KEY_RATE] = "rate",   [EC_KEY_M] = "m",
};

const struct ec_workload_info *ec_workload_list(void)
{
    return infos;
}

const struct ec_workload_traits *ec_workload_traits(enum ec_workload_id id)
{
    return &traits[id];
}

static bool same_word(struct ec_slice a, const char *b)
{
    return strlen(b) == a.length && strncasecmp(a.at, b, a.length) == 0;
}

enum ec_workload_id ec_workload_find(struct ec_slice name)
{
    for (int id = 0; id < EC_WORKLOAD_COUNT; id++) {
        struct ec_slice aliases = ec_slice_of(infos[id].aliases), alias;
        if (same_word(name, infos[id].name))
            return (enum ec_workload_id)id;
        while (ec_slice_take(&aliases, ',', &alias)) {
            if (alias.length && *alias.at == ' ')
                alias = (struct ec_slice){alias.at + 1, alias.length - 1};
            if (alias.length == name.length && alias.length &&
                strncasecmp(alias.at, name.at, name.length) == 0)
                return (enum ec_workload_id)id;
        }
    }
    return EC_WORKLOAD_COUNT;
}

const char *ec_workload_hint(struct ec_slice name, char *buffer, size_t size)
{
    const char *names[EC_WORKLOAD_COUNT + 1];

    for (int id = 0; id <= EC_WORKLOAD_COUNT; id++)
        names[id] = infos[id].name;
    return ec_nearest_hint(name.at, name.length, names, buffer, size);
}
