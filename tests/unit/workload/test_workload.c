/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: grammar, refusals, and each map against a second definition of it. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void texts_become_canonical(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *text, *canonical;
    } cases[] = {
        {"cube:3", "shift:q=5", "shift:q=5,m=1"},
        {"cube:3", "shift:m=8,labels=plain,q=05", "shift:q=5,m=8"},
        {"cube:3", "shift:labels=gray,q=5", "shift:q=5,labels=gray,m=1"},
        {"cube:3", "bit_complement:m=2", "bitcomp:m=2"},
        {"cube:3", "BIT_REVERSE", "bitrev:m=1"},
        {"cube:3", "bitreversal", "bitrev:m=1"},
        {"cube:3", "bit_rotation", "unshuffle:m=1"},
        {"cube:3", "uniform_random:rate=.25,m=8", "uniform:rate=0.25,m=8"},
        {"cube:3", "random:rate=1e-2", "uniform:rate=0.01,m=1"},
        {"cube:4", "kshuffle:m=3,k=2", "kshuffle:k=2,m=3"},
        {"cube:4", "transpose:rate=0.427,m=1..16", "transpose:rate=0.427,m=1..16"},
        {"mesh:3x3", "transpose", "transpose:m=1"},
        {"cube:4", "tornado:m=8+1,rate=0.1", "tornado:rate=0.1,m=1+8"},
        {"cube:4", "neighbor:m=4..4,rate=0.1", "neighbor:rate=0.1,m=4"},
        {"cube:4", "hotspot", "hotspot:node=0,m=1"},
        {"cube:4", "hotspot:node=7,rate=0.1", "hotspot:node=7,share=0.2,rate=0.1,m=1"},
        {"cube:4", "hotspot:rate=0.1,share=0.5", "hotspot:node=0,share=0.5,rate=0.1,m=1"},
        {"cube:4", "randperm", "randperm:m=1"},
        {"cube:4", "uniform:rate=64", "uniform:rate=64,m=1"},
        {"cube:4", "bitrev:m=16777216", "bitrev:m=16777216"},
        {"cube:4", "bitrev:K=1", "bitrev:m=1"},
        {"cube:3", "kshuffle:K=4,k=4,m=2", "kshuffle:k=4,K=4,m=2"},
        {"cube:3", "gsh:K=16,cycle=3-0+~4-6-5", "gsh:cycle=6-5-~4+3-0,K=16,m=1"},
        {"cube:3", "sdp:cycle=0-5,K=18", "gsh:cycle=5-0,K=18,m=1"},
        {"cube:3", "gsh:cycle=~0", "gsh:cycle=~0,K=1,m=1"},
        {"cube:3", "gsh:cycle=2-1,rate=0.1", "gsh:cycle=2-1,K=1,rate=0.1,m=1"},
        {"cube:3", "tocyclic:K=8", "tocyclic:K=8,m=1"},
        {"cube:5", "gsh:sub=3,m=2,cycle=2-0,K=4", "gsh:cycle=2-0,K=4,sub=3,m=2"},
        {"cube:5", "bitcomp:sub=2", "bitcomp:sub=2,m=1"},
        {"cube:5", "kshuffle:sub=2,k=3,K=4", "kshuffle:k=3,K=4,sub=2,m=1"},
        {"cube:5", "transpose:sub=4", "transpose:sub=4,m=1"},
        {"cube:5", "tocyclic:K=4,sub=5", "tocyclic:K=4,m=1"},
        {"cube:5", "bitrev:sub=5", "bitrev:m=1"},
        {"cube:3", "ppermute:pairs=0>1,1>2", "ppermute:pairs=0>1,1>2,m=1"},
        {"ring:5", "collective_permute:m=3,pairs=4-4,0>3", "ppermute:pairs=4-4,0>3,m=3"},
        {"cube:4", "reshard:to=YX,m=2,from=XY,mesh=04x4", "reshard:mesh=4x4,from=XY,to=YX,m=2"},
        {"torus:3x5", "all_permute:mesh=5x1x3,from=XZ,to=ZXY",
         "reshard:mesh=5x1x3,from=XZ,to=ZXY,m=1"},
        {"cube:5", "reshard:mesh=2x4x2,from=XZ,to=Y,sub=4,K=3",
         "reshard:mesh=2x4x2,from=XZ,to=Y,K=3,sub=4,m=1"},
        {"cube:3", "uniform:burst=20,rate=0.1", "uniform:rate=0.1,burst=20,on=0.5,m=1"},
        {"cube:3", "shift:q=2,rate=0.1,on=0.25,burst=8.5",
         "shift:q=2,rate=0.1,burst=8.5,on=0.25,m=1"},
        {"cube:3", "uniform:reply=8,rate=0.1",
         "uniform:rate=0.1,m=1,reply=8,think=0,queue=inf,classes=2"},
        {"cube:3", "uniform:rate=0.1,reply=8,queue=4,think=20,outstanding=3,classes=1",
         "uniform:rate=0.1,m=1,reply=8,think=20,queue=4,outstanding=3,classes=1"},
        {"cube:3", "mix:of=uniform@3+bitcomp,rate=0.1",
         "mix:rate=0.1,m=1,of=uniform:m=1@3+bitcomp:m=1@1"},
        {"cube:3", "mix:of=uniform+bitcomp,rate=0.1,m=1..8",
         "mix:rate=0.1,m=1..8,of=uniform:m=1..8@1+bitcomp:m=1..8@1"},
        {"cube:4",
         "mixture:rate=0.1,m=8,of=hotspot:m=1+8:node=3@0.25+shift:q=2:labels=gray+transpose",
         "mix:rate=0.1,m=8,of=hotspot:node=3:share=0.2:m=1+8@0.25+shift:q=2:labels=gray:m=8@1+"
         "transpose:m=8@1"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = workload_of(cases[i].text, &t), *again;
        assert_string_equal(w->text, cases[i].canonical);
        assert_memory_equal(w->text, w->name, strlen(w->name));
        again = workload_of(w->text, &t); /* the canonical text means the same */
        assert_string_equal(again->text, w->text);
        assert_int_equal(again->message_count, w->message_count);
        ec_workload_close(again);
        ec_workload_close(w);
    }
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *text, *words;
    } cases[] = {
        {"cube:3", "", "unknown workload ''"},
        {"cube:3", ":q=1", "unknown workload ''"},
        {"cube:3", "shfit:q=1", "'shfit'|did you mean 'shift'"},
        {"cube:3", "banana", "'banana'|ecube list workloads"},
        {"cube:3", "shift", "missing key 'q'"},
        {"cube:3", "shift:", "''|q, labels, rate, m"},
        {"cube:3", "uniform:rate=0.1,burst=0.5", "burst=0.5|1 to 1e9"},
        {"cube:3", "uniform:rate=0.1,burst=2,on=1", "on=1|below 1"},
        {"cube:3", "uniform:rate=0.1,burst=2,on=0.9", "burst=2|at least 9 cycles"},
        {"cube:3", "uniform:rate=0.1,on=0.5", "on=0.5|burst="},
        {"cube:3", "bitrev:burst=8", "burst=8|rate="},
        {"cube:3", "bitrev:reply=8", "reply=8|rate="},
        {"cube:3", "uniform:rate=0.1,think=8", "think=8|reply="},
        {"cube:3", "uniform:rate=0.1,queue=8", "queue=8|reply="},
        {"cube:3", "uniform:rate=0.1,classes=2", "classes=2|reply="},
        {"cube:3", "uniform:rate=0.1,reply=8,queue=0", "queue=0|queue=inf"},
        {"cube:3", "uniform:rate=0.1,reply=8,classes=3", "classes=3|1 to 2"},
        {"cube:3", "uniform:rate=0.1,reply=0", "reply=0|1 to 16777216"},
        {"cube:3", "mix:rate=0.1", "missing key 'of'"},
        {"cube:3", "mix:of=uniform", "missing key 'rate'"},
        {"cube:3", "mix:rate=0.1,of=uniform+", "part 1|uniform+"},
        {"cube:3", "mix:rate=0.1,of=uniform+hotspo", "part 2|'hotspo'|did you mean 'hotspot'"},
        {"cube:3", "mix:rate=0.1,of=uniform@0", "part 1|weight"},
        {"cube:3", "mix:rate=0.1,of=uniform@x+bitrev", "part 1|weight"},
        {"cube:3", "mix:rate=0.1,of=uniform@1e-7+bitrev", "part 1|share"},
        {"cube:3", "mix:rate=0.1,of=bitrev:rate=0.5",
         "part 1|rate=0.5: expected that of the mixture"},
        {"cube:3", "mix:rate=0.1,of=bitrev:reply=8", "part 1|reply="},
        {"cube:3", "mix:rate=0.1,of=mix:of=uniform", "part 1|not a mixture"},
        {"cube:3", "mix:rate=0.1,of=trace:file=x", "part 1|trace"},
        {"cube:3",
         "mix:rate=0.1,of=uniform+uniform+uniform+uniform+uniform+uniform+uniform+uniform+"
         "uniform",
         "at most 8 parts"},
        {"cube:3", "mix:rate=0.1,of=uniform:0.5+bitrev", "part 1|'@' in front of a weight"},
        {"cube:3", "mix:rate=0.1,of=uniform,bitrev", "'bitrev' behind a comma|expected '+'"},
        {"cube:3", "shift,q=5", "a colon behind the name; did you mean 'shift:q=5'"},
        {"cube:3", "bursty:rate=0.1", "unknown workload 'bursty'|bursts are keys"},
        {"cube:3", "shift:q=0", "q=0|1 to 7"},
        {"cube:3", "shift:q=8", "q=8|1 to 7"},
        {"cube:3", "shift:q=-1", "q=-1|1 to 7"},
        {"cube:3", "shift:q=1.5", "q=1.5"},
        {"cube:3", "shift:q=99999999999999999999", "1 to 7"},
        {"cube:3", "shift:q=", "'q'|no value"},
        {"cube:3", "shift:q", "no value"},
        {"cube:3", "shift:q=1,q=2", "'q'|repeated"},
        {"cube:3", "shift:q=1,", "''"},
        {"cube:3", "shift:q=1,lables=gray", "did you mean 'labels'"},
        {"cube:3", "shift:q=1,labels=grey", "labels=grey|plain or gray"},
        {"mesh:2x4", "shift:q=1,labels=gray", "cube:D"},
        {"cube:3", "shift:q=1,k=2", "unknown key 'k'|q, labels, rate, m"},
        {"cube:3", "shift:q=1,m=0", "m=0|1 to 16777216"},
        {"cube:3", "shift:q=1,m=16777217", "m=16777217"},
        {"cube:3", "shift:q=1,m=1..8", "m=1..8|rate"},
        {"cube:3", "shift:q=1,m=1+8", "m=1+8|rate"},
        {"cube:3", "uniform:rate=0.1,m=8..1", "m=8..1"},
        {"cube:3", "uniform:rate=0.1,m=1.8", "m=1.8"},
        {"cube:3", "uniform:rate=0.1,m=1...8", "m=1...8"},
        {"cube:3", "uniform:rate=0.1,m=1+", "m=1+"},
        {"cube:3", "uniform:rate=0.1,m=0+8", "m=0+8"},
        {"cube:3", "uniform:rate=0.1,m=..8", "m=..8"},
        {"cube:3", "uniform", "missing key 'rate'"},
        {"cube:3", "uniform:m=8", "missing key 'rate'"},
        {"cube:3", "uniform:rate=0", "rate=0|above 0"},
        {"cube:3", "uniform:rate=-0.5", "rate=-0.5"},
        {"cube:3", "uniform:rate=64.1", "rate=64.1"},
        {"cube:3", "uniform:rate=nan", "rate=nan"},
        {"cube:3", "uniform:rate=lots", "rate=lots"},
        {"mesh:3x4", "bitrev", "2^n nodes|12"},
        {"mesh:3x4", "bitcomp", "2^n nodes"},
        {"ring:12", "shuffle", "2^n nodes"},
        {"torus:3x3", "unshuffle", "2^n nodes"},
        {"mesh:3x4", "kshuffle:k=1", "2^n nodes"},
        {"cube:3", "kshuffle", "missing key 'k'"},
        {"cube:3", "kshuffle:k=0", "1 to 2"},
        {"cube:3", "kshuffle:k=3", "k=3|1 to 2"},
        {"cube:5", "transpose", "even|5 bits|square"},
        {"mesh:3x4", "transpose", "square|12"},
        {"mesh:3x3x3", "transpose", "square|27"},
        {"cube:3", "gsh:K=4", "missing key 'cycle'"},
        {"cube:3", "gsh:cycle=", "no value"},
        {"cube:3", "gsh:cycle=2-x", "'x'|expected a dimension from 0 to 2"},
        {"cube:3",
         "gsh:cycle=0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-"
         "1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-"
         "0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-"
         "1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-0-1-"
         "2",
         "fewer than 256 characters"},
        {"cube:3", "gsh:cycle=1", "'1' has no effect|'~1'"},
        {"cube:3", "gsh:cycle=3-0", "dimension 3|3 of the processors"},
        {"cube:3", "gsh:cycle=2-1+1-0,K=4", "repeated dimension 1"},
        {"cube:3", "gsh:cycle=1-7,K=18", "K=18|dimension 1|multiple of 2^2 = 4"},
        {"cube:3", "gsh:cycle=~3+5-6,K=12", "K=12|dimension 3|multiple of 2^4 = 16"},
        {"cube:3", "shuffle:K=6", "K=6|dimension 2|multiple of 2^3 = 8"},
        {"cube:3", "bitrev:K=0", "K=0|1 to 2097152"},
        {"cube:3", "bitrev:K=2097153", "K=2097153|1 to 2097152"},
        {"cube:3", "bitrev:K=2,rate=0.1", "rate="},
        {"cube:3", "shift:q=1,K=2", "unknown key 'K'"},
        {"mesh:2x4", "bitrev:K=2", "K=2|cube:D"},
        {"mesh:2x4", "gsh:cycle=1-0", "cube:D"},
        {"ring:8", "tocyclic:K=8", "cube:D"},
        {"cube:3", "tocyclic", "missing key 'K'"},
        {"cube:3", "transpose:K=4", "even|K=4"},
        {"cube:3", "kshuffle:k=5,K=4", "1 to 4"},
        {"cube:3", "bitrev:sub=0", "sub=0|1 to 3"},
        {"cube:3", "bitrev:sub=4", "sub=4|1 to 3"},
        {"cube:3", "bitrev:sub=x", "sub=x|1 to 3"},
        {"mesh:2x4", "bitrev:sub=2", "subcube|cube:D"},
        {"cube:3", "bitrev:sub=2,rate=0.1", "sub=2|rate="},
        {"cube:3", "shift:q=1,sub=2", "unknown key 'sub'"},
        {"cube:4", "kshuffle:k=2,sub=2", "k=2|1 to 1"},
        {"cube:4", "transpose:sub=3", "even|3"},
        {"cube:4", "gsh:cycle=2-0,sub=2", "dimension 2|2 of the processors"},
        {"cube:4", "bitrev:K=4194305,sub=2", "1 to 4194304"},
        {"cube:3", "hotspot:node=8", "node=8|0 to 7"},
        {"cube:3", "hotspot:node=x", "node=x"},
        {"cube:3", "hotspot:share=0.5", "share|rate"},
        {"cube:3", "hotspot:rate=0.1,share=0", "share=0"},
        {"cube:3", "hotspot:rate=0.1,share=1.1", "share=1.1"},
        {"cube:3", "perm", "missing key 'file'"},
        {"cube:3", "trace", "missing key 'file'"},
        {"mesh:4x4", "allreduce:m=16", "got a mesh: or choose by=doubling or by=tree"},
        {"mesh:3x4", "alltoall:m=12,by=ring", "got a mesh: or choose by=exchange"},
        {"mesh:3x4", "allreduce:m=12", "got a mesh"},
        {"cube:3", "ppermute", "missing key 'pairs'"},
        {"cube:3", "ppermute:pairs=", "'pairs'|no value"},
        {"cube:3", "ppermute:pairs=0", "pair '0'|SOURCE-DESTINATION|quotes"},
        {"cube:3", "ppermute:pairs=0>1,2>8", "pair '2>8'|0 to 7"},
        {"cube:3", "ppermute:pairs=0>1,,2>3", "pair ''"},
        {"cube:3", "ppermute:pairs=0>1>2", "pair '0>1>2'"},
        {"cube:3", "ppermute:pairs=0>1,2>3,0>4", "pair '0>4'|node 0 sends twice"},
        {"cube:3", "ppermute:pairs=0-1,2>3,4>1", "pair '4>1'|node 1 receives twice"},
        {"cube:3", "ppermute:pairs=0>1,1>2,rate=0.1", "unknown key 'rate'"},
        {"cube:3", "ppermute:pairs=0>1,m=2,1>2", "unknown key '1>2'"},
        {"cube:4", "reshard:from=XY,to=YX", "missing key 'mesh'"},
        {"cube:4", "reshard:mesh=4x5,from=XY,to=YX", "mesh=4x5|16 devices"},
        {"cube:4", "reshard:mesh=4x0x4,from=XY,to=YX", "mesh=4x0x4|sizes"},
        {"cube:4", "reshard:mesh=4x,from=X,to=X", "mesh=4x|sizes"},
        {"cube:4", "reshard:mesh=2x2x2x2x1x1x1x1x1,from=X,to=X", "at most 8 axes"},
        {"cube:4", "reshard:mesh=4x4,from=XZ,to=YX", "from=XZ|axes of XY"},
        {"cube:4", "reshard:mesh=4x4,from=XY,to=YY", "to=YY|each at most once"},
        {"cube:4", "reshard:mesh=4x4,from=XY,to=Y", "16 shards|makes 4|allgather"},
        {"cube:5", "reshard:mesh=4x8,from=XY,to=YX,sub=4", "16 devices"},
        {"cube:3", "trace:file=x,m=3", "trace|unknown key 'm'"},
        {"cube:3", "trace:file=x,rate=0.1", "trace|unknown key 'rate'"},
        {"cube:3", "bitrev m=3", "'bitrev m=3'"},
        {"cube:3", "bitrev:m = 3", "'m '"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = NULL;
        struct ec_error error;
        enum ec_code code = ec_workload_open(cases[i].text, &t, 1, &w, &error);
        assert_refused(cases[i].text, code, EC_USAGE, &error, cases[i].words);
        assert_null(w);
    }
}

static void every_listed_workload_opens(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:4");
    size_t count = 0;

    for (const struct ec_workload_info *info; (info = ec_workload_at(count)); count++) {
        char text[80];
        struct ec_workload *w = NULL;
        struct ec_error error;
        snprintf(text, sizeof text, "%s:q=1", info->name);
        enum ec_code code = ec_workload_open(text, &t, 1, &w, &error);
        /* Known by name: at most the key is wrong. */
        assert_true(code == EC_OK || strstr(error.message, "unknown key 'q'"));
        assert_true(strlen(info->formula) > 10);
        ec_workload_close(w);
    }
    assert_true(count >= 14);
}

static void pairs_are_messages(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("torus:3x3");
    struct ec_workload *w = workload_of("ppermute:pairs=8>0,3-7,5>5,m=4", &t);
    static const uint32_t pairs[][2] = {{3, 7}, {5, 5}, {8, 0}};

    assert_int_equal(w->message_count, COUNT(pairs));
    for (size_t i = 0; i < COUNT(pairs); i++) {
        assert_int_equal(w->messages[i].src, pairs[i][0]);
        assert_int_equal(w->messages[i].dst, pairs[i][1]);
        assert_int_equal(w->messages[i].words, 4);
    }
    assert_true(w->permutation);
    ec_workload_close(w);
}

/* Destination of `src` in a closed workload that has one message per node. */
static uint32_t map(const struct ec_workload *w, uint32_t src)
{
    assert_int_equal(w->message_count, w->nodes);
    assert_int_equal(w->messages[src].src, src);
    assert_int_equal(w->messages[src].cycle, 1);
    return w->messages[src].dst;
}

/* Check a workload bit by bit: bit i of the destination comes from bit from[i] of the source. */
static void assert_bits(const char *topology, const char *text, const unsigned *from, bool inverted)
{
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(text, &t);

    for (uint32_t src = 0; src < t.nodes; src++) {
        for (unsigned i = 0; UINT32_C(1) << i < t.nodes; i++) {
            unsigned expected = (src >> from[i] & 1) ^ inverted;
            if ((map(w, src) >> i & 1) != expected)
                fail_msg("%s on %s: bit %u of the destination of %u", text, topology, i, src);
        }
    }
    assert_true(w->permutation);
    ec_workload_close(w);
}

static void bit_patterns_move_bits(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 10; n++) {
        unsigned same[10], reverse[10], left[10], right[10], halves[10];
        char topology[16], text[32];
        for (unsigned i = 0; i < n; i++) {
            same[i] = i;
            reverse[i] = n - 1 - i;
            left[i] = (i + n - 1) % n;
            right[i] = (i + 1) % n;
            halves[i] = (i + n / 2) % n;
        }
        snprintf(topology, sizeof topology, "cube:%u", n);
        assert_bits(topology, "bitcomp", same, true);
        assert_bits(topology, "bitrev", reverse, false);
        assert_bits(topology, "shuffle", left, false);
        assert_bits(topology, "unshuffle", right, false);
        if (n % 2 == 0)
            assert_bits(topology, "transpose", halves, false);
        for (unsigned k = 1; k < n; k++) {
            unsigned rotated[10];
            for (unsigned i = 0; i < n; i++)
                rotated[i] = (i + n - k) % n;
            snprintf(text, sizeof text, "kshuffle:k=%u", k);
            assert_bits(topology, text, rotated, false);
        }
    }
}

static void bit_patterns_work_on_any_topology_of_2n_nodes(void **state)
{
    (void)state;
    static const unsigned reverse[] = {3, 2, 1, 0}, halves[] = {2, 3, 0, 1};

    assert_bits("ring:16", "bitrev", reverse, false);
    assert_bits("torus:2x8", "bitrev", reverse, false);
    assert_bits("mesh:2x8", "transpose", halves, false);
    assert_bits("mesh:4x4", "transpose", halves, false); /* coordinates are the halves here */
}

/* Check a workload on the coordinates of every node. */
static void assert_coordinates(const char *topology, const char *text,
                               uint32_t (*moved)(uint32_t x, uint32_t radix))
{
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(text, &t);

    for (uint32_t src = 0; src < t.nodes; src++) {
        for (unsigned d = 0; d < t.dims; d++)
            assert_int_equal(ec_topology_coord(&t, map(w, src), d),
                             moved(ec_topology_coord(&t, src, d), t.radix[d]));
    }
    assert_true(w->permutation);
    ec_workload_close(w);
}

static uint32_t tornado(uint32_t x, uint32_t r)
{
    return (x + (r % 2 ? (r + 1) / 2 : r / 2) - 1) % r;
}

static uint32_t neighbor(uint32_t x, uint32_t r)
{
    return x + 1 == r ? 0 : x + 1;
}

static void coordinate_patterns_move_coordinates(void **state)
{
    (void)state;
    static const char *const networks[] = {"ring:7", "mesh:4x5", "torus:8x8", "torus:3x1x6",
                                           "cube:4"};

    for (size_t i = 0; i < COUNT(networks); i++) {
        assert_coordinates(networks[i], "tornado", tornado);
        assert_coordinates(networks[i], "neighbor", neighbor);
    }
}

/* The shard of a device: its coordinates on the named axes as digits of mixed radix, the first one
 * the most significant. */
static uint32_t shard(const uint32_t *size, const char *names, uint32_t device)
{
    const uint32_t at[] = {device % size[0], device / size[0] % size[1],
                           device / size[0] / size[1]};
    uint32_t value = 0;

    for (; *names; names++)
        value = value * size[*names - 'X'] + at[*names - 'X'];
    return value;
}

/* All meshes of three axes and all pairs of axes that make as many shards. */
static void reshards_move_shards(void **state)
{
    (void)state;
    static const char *const axes[] = {"X",  "Y",   "Z",   "XY",  "YX",  "XZ",  "ZX", "YZ",
                                       "ZY", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    static const uint32_t meshes[][3] = {{2, 4, 2}, {4, 2, 8}, {3, 2, 3}, {4, 4, 1}, {2, 3, 6}};

    for (size_t i = 0; i < COUNT(meshes) * COUNT(axes) * COUNT(axes); i++) {
        const uint32_t *size = meshes[i / COUNT(axes) / COUNT(axes)];
        const char *from = axes[i / COUNT(axes) % COUNT(axes)], *to = axes[i % COUNT(axes)];
        const uint32_t nodes = size[0] * size[1] * size[2];
        char network[16], text[64], cycles[170];
        if (shard(size, from, nodes - 1) != shard(size, to, nodes - 1))
            continue;
        snprintf(network, sizeof network, "ring:%u", nodes);
        snprintf(text, sizeof text, "reshard:mesh=%ux%ux%u,from=%s,to=%s", size[0], size[1],
                 size[2], from, to);
        const struct ec_topology t = topology_of(network);
        struct ec_workload *w = workload_of(text, &t), *bits = NULL;
        for (uint32_t src = 0; src < nodes; src++)
            assert_int_equal(shard(size, to, map(w, src)), shard(size, from, src));
        assert_true(w->permutation);
        if (*w->shuffle && (nodes & (nodes - 1)) == 0) { /* it is the shuffle that it names */
            snprintf(network, sizeof network, "cube:%d", __builtin_ctz(nodes));
            snprintf(cycles, sizeof cycles, "gsh:cycle=%s", w->shuffle);
            const struct ec_topology cube = topology_of(network);
            bits = workload_of(cycles, &cube);
            for (uint32_t src = 0; src < nodes; src++)
                assert_int_equal(ec_sdp_apply(bits->sdp, src), map(w, src));
            ec_workload_close(bits);
            bits = workload_of(text, &cube);
            for (uint32_t src = 0; src < nodes; src++)
                assert_int_equal(map(bits, src), map(w, src));
        } else { /* all stay, or there are no bits */
            for (uint32_t src = 0; src < nodes && (nodes & (nodes - 1)) == 0; src++)
                assert_int_equal(map(w, src), src);
        }
        ec_workload_close(bits);
        ec_workload_close(w);
    }
}

static void transpose_swaps_coordinates(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("torus:5x5");
    struct ec_workload *w = workload_of("transpose:m=3", &t);

    for (uint32_t src = 0; src < t.nodes; src++) {
        assert_int_equal(ec_topology_coord(&t, map(w, src), 0), ec_topology_coord(&t, src, 1));
        assert_int_equal(ec_topology_coord(&t, map(w, src), 1), ec_topology_coord(&t, src, 0));
        assert_int_equal(w->messages[src].words, 3);
    }
    ec_workload_close(w);
}

static void shifts_add_q(void **state)
{
    (void)state;
    static const char *const networks[] = {"cube:5", "ring:7", "mesh:3x4"};

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (uint32_t q = 1; q < t.nodes; q++) {
            char text[32];
            snprintf(text, sizeof text, "shift:q=%u", q);
            struct ec_workload *w = workload_of(text, &t);
            for (uint32_t src = 0; src < t.nodes; src++)
                assert_int_equal(map(w, src), (src + q) % t.nodes);
            assert_true(w->permutation);
            assert_int_equal(w->shift, q);
            assert_false(w->gray);
            ec_workload_close(w);
        }
    }
}

static void gray_labels_lay_a_ring_into_the_cube(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:5");
    uint32_t place[32]; /* of ring node i: the reflected code, built by reflection */

    place[0] = 0;
    for (uint32_t half = 1; half < 32; half *= 2) {
        for (uint32_t i = 0; i < half; i++)
            place[half + i] = half | place[half - 1 - i];
    }
    for (uint32_t q = 1; q < 32; q++) {
        char text[40];
        snprintf(text, sizeof text, "shift:q=%u,labels=gray", q);
        struct ec_workload *w = workload_of(text, &t);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(map(w, place[i]), place[(i + q) % 32]);
        assert_int_equal(w->shift, q);
        assert_true(w->gray);
        ec_workload_close(w);
    }
}

/* Where every element of a workload of K per node has to go, by a second definition: as a row of
 * processors whose elements have one global number each. */
static void consecutive_and_cyclic_are_layouts_of_numbers(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        for (uint32_t per_node = 1; per_node <= 32; per_node *= 2) {
            const uint32_t nodes = UINT32_C(1) << n;
            char topology[16], text[2][32];
            snprintf(topology, sizeof topology, "cube:%u", n);
            snprintf(text[0], sizeof text[0], "tocyclic:K=%u", per_node);
            snprintf(text[1], sizeof text[1], "toconsecutive:K=%u", per_node);
            struct ec_topology t = topology_of(topology);
            struct ec_workload *cyclic = workload_of(text[0], &t), *back = workload_of(text[1], &t);
            const unsigned k = cyclic->sdp->storage;
            for (uint32_t j = 0; j < nodes * per_node; j++) {
                const uint64_t there = (uint64_t)(j / per_node) << k | j % per_node;
                const uint64_t here = (uint64_t)(j % nodes) << k | j / nodes;
                assert_int_equal(ec_sdp_apply(cyclic->sdp, there), here);
                assert_int_equal(ec_sdp_apply(back->sdp, here), there);
            }
            ec_workload_close(cyclic);
            ec_workload_close(back);
        }
    }
}

/* The messages of `w` are one per element that leaves its node, by node and slot; all local
 * addresses are used once on arrival. */
static void assert_elements(const struct ec_workload *w, uint32_t words)
{
    const uint32_t per_node = w->per_node;
    unsigned char *taken = calloc((size_t)w->holders * per_node, 1);
    size_t next = 0;

    assert_non_null(taken);
    for (uint32_t src = 0; src < w->holders; src++) {
        for (uint32_t slot = 0; slot < per_node; slot++) {
            const uint64_t from = (uint64_t)src << w->sdp->storage | slot;
            uint64_t to = 0;
            for (unsigned i = 0; i < w->sdp->storage + w->sdp->processor; i++)
                to |= ((from >> w->sdp->from[i] ^ w->sdp->complement >> i) & 1) << i;
            const uint32_t dst = (uint32_t)(to >> w->sdp->storage);
            const uint32_t place = (uint32_t)(to - ((uint64_t)dst << w->sdp->storage));
            assert_true(dst < w->holders && place < per_node);
            assert_false(taken[dst * per_node + place]++);
            if (dst == src)
                continue;
            assert_true(next < w->message_count);
            const struct ec_message *m = &w->messages[next++];
            assert_true(m->cycle == 1 && m->src == src && m->dst == dst && m->words == words);
        }
    }
    assert_int_equal(next, w->message_count);
    free(taken);
}

static void every_element_that_leaves_its_node_is_a_message(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "gsh:cycle=6-5-~4+3-0,K=16,m=3",
        "shuffle:K=8,m=3",
        "bitcomp:K=4,m=3",
        "bitrev:K=32,m=3",
        "kshuffle:k=3,K=4,m=3",
        "transpose:K=8,m=3",
        "tocyclic:K=2,m=3",
        "gsh:cycle=6-0,K=18,m=3",
        "gsh:cycle=5-~0+1-7-6,K=28,m=3",
        "gsh:cycle=~2-1,K=1,m=3",
        "gsh:cycle=5-4+~3,K=7,m=3",
        "unshuffle:K=4,m=3",
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct ec_topology t = topology_of("cube:3");
        struct ec_workload *w = workload_of(texts[i], &t);
        assert_elements(w, 3);
        assert_int_equal(w->words, 3);
        assert_int_equal(w->holders, 8);
        assert_int_equal(w->permutation, w->per_node == 1);
        ec_workload_close(w);
    }
}

/* The same messages as in a cube of the subcube's size. */
static void the_elements_of_a_subcube_move_as_in_a_cube(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "gsh:cycle=6-5-~4+3-0,K=16",
        "shuffle:K=8",
        "bitcomp",
        "bitrev:K=1",
        "kshuffle:k=2",
        "transpose:K=8",
        "tocyclic:K=2",
        "gsh:cycle=~2-1",
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct ec_topology small = topology_of("cube:3"), large = topology_of("cube:6");
        char text[64];
        snprintf(text, sizeof text, "%s%ssub=3", texts[i], strchr(texts[i], ':') ? "," : ":");
        struct ec_workload *a = workload_of(texts[i], &small), *b = workload_of(text, &large);
        assert_elements(b, 1);
        assert_int_equal(b->nodes, 64);
        assert_int_equal(b->holders, 8);
        assert_int_equal(b->per_node, a->per_node);
        assert_int_equal(b->permutation, a->permutation);
        size_t next = 0;
        for (size_t m = 0; m < a->message_count; m++) {
            if (a->messages[m].src == a->messages[m].dst) /* some patterns list these too */
                continue;
            assert_true(next < b->message_count);
            assert_int_equal(a->messages[m].src, b->messages[next].src);
            assert_int_equal(a->messages[m].dst, b->messages[next++].dst);
        }
        assert_int_equal(b->message_count, next);
        ec_workload_close(a);
        ec_workload_close(b);
    }
}

static void random_permutations_depend_on_the_seed_only(void **state)
{
    (void)state;
    struct ec_topology cube = topology_of("cube:8"), mesh = topology_of("mesh:16x16");
    struct ec_workload *a, *b, *c;
    unsigned same = 0;

    assert_int_equal(ec_workload_open("randperm", &cube, 5, &a, NULL), EC_OK);
    assert_int_equal(ec_workload_open("randperm", &mesh, 5, &b, NULL), EC_OK);
    assert_int_equal(ec_workload_open("randperm", &cube, 6, &c, NULL), EC_OK);
    assert_true(a->permutation && b->permutation && c->permutation);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(map(a, i), map(b, i));
        same += map(a, i) == map(c, i);
    }
    assert_true(same < 10);
    ec_workload_close(a);
    ec_workload_close(b);
    ec_workload_close(c);
}

static void hotspot_gathers_at_one_node(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("mesh:3x3");
    struct ec_workload *w = workload_of("hotspot:node=4,m=2", &t);

    assert_int_equal(w->message_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(w->messages[i].src, i < 4 ? i : i + 1);
        assert_int_equal(w->messages[i].dst, 4);
        assert_int_equal(w->messages[i].words, 2);
    }
    assert_false(w->permutation);
    ec_workload_close(w);
}

static void rates_open_the_loop(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:3");
    struct ec_workload *w = workload_of("bitrev:rate=0.5,m=2..6", &t);

    assert_true(w->open_loop);
    assert_true(w->rate > 0.4999 && w->rate < 0.5001);
    assert_int_equal(w->longest, 6);
    assert_int_equal(w->parts[0].lengths.first, 2);
    assert_int_equal(w->parts[0].lengths.last, 6);
    assert_false(w->parts[0].lengths.mix);
    assert_int_equal(w->parts[0].map[1], 4);
    assert_int_equal(w->message_count, 0);
    assert_int_equal(w->shift, 0);
    ec_workload_close(w);

    w = workload_of("uniform:rate=0.5,m=16+1", &t);
    assert_true(w->open_loop && w->parts[0].lengths.mix && !w->parts[0].map);
    assert_int_equal(w->parts[0].lengths.first, 1);
    assert_int_equal(w->longest, 16);
    assert_true(w->parts[0].hot_share <= 0);
    ec_workload_close(w);

    w = workload_of("uniform:rate=0.5,m=4+4", &t);
    assert_string_equal(w->text, "uniform:rate=0.5,m=4");
    assert_false(w->parts[0].lengths.mix);
    ec_workload_close(w);

    w = workload_of("mix:rate=0.5,m=2,of=bitrev@3+uniform:m=1+8@1", &t);
    assert_true(w->open_loop && w->part_count == 2 && w->longest == 8);
    assert_true(w->parts[0].share > 0.7499 && w->parts[0].share < 0.7501);
    assert_true(w->parts[0].map[1] == 4 && !w->parts[1].map);
    assert_string_equal(w->parts[1].text, "uniform:m=1+8");
    ec_workload_close(w);

    w = workload_of("uniform:rate=0.5,m=2,reply=9,queue=inf", &t);
    assert_true(w->longest == 9 && w->request == 2 && w->service.queue == 0 && !w->service.shared);
    ec_workload_close(w);

    w = workload_of("hotspot:rate=0.5,node=3", &t);
    assert_int_equal(w->parts[0].hot_node, 3);
    assert_true(w->parts[0].hot_share > 0.199 && w->parts[0].hot_share < 0.201);
    ec_workload_close(w);
    ec_workload_close(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("every text has one canonical form, which means the same", texts_become_canonical),
        TEST("every wrong form of a workload is refused in one clear line", bad_texts_are_refused),
        TEST("every workload of the list is known by its name", every_listed_workload_opens),
        TEST("bit patterns move every address bit where they say", bit_patterns_move_bits),
        TEST("bit patterns work on labels of any topology of 2^n nodes",
             bit_patterns_work_on_any_topology_of_2n_nodes),
        TEST("tornado and neighbor move every coordinate", coordinate_patterns_move_coordinates),
        TEST("the pairs of ppermute are its messages", pairs_are_messages),
        TEST("a reshard moves every shard to a device that keeps it then", reshards_move_shards),
        TEST("transpose swaps the coordinates of a square network", transpose_swaps_coordinates),
        TEST("a shift adds q to every label, for every q", shifts_add_q),
        TEST("Gray labels lay the shifted ring into the cube",
             gray_labels_lay_a_ring_into_the_cube),
        TEST("tocyclic and toconsecutive exchange two layouts of numbered elements",
             consecutive_and_cyclic_are_layouts_of_numbers),
        TEST("every element that leaves its node is a message, and each finds a place of its own",
             every_element_that_leaves_its_node_is_a_message),
        TEST("the elements of a subcube move as in a cube",
             the_elements_of_a_subcube_move_as_in_a_cube),
        TEST("a random permutation depends on its seed only",
             random_permutations_depend_on_the_seed_only),
        TEST("hotspot sends from all other nodes to one", hotspot_gathers_at_one_node),
        TEST("a rate turns any pattern into an open loop", rates_open_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
