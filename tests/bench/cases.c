/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of cases. Knows the program's grammar for topologies, routers and workloads; must not
 * know how a case is measured. */
#include "cases.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const struct bench_load bench_loads[] = {
    {"cube6-m8-0.02", "cube:6", "vcs=1,depth=4", "uniform:rate=0.02,m=8", 800000, false},
    {"cube6-m8-0.2", "cube:6", "vcs=1,depth=4", "uniform:rate=0.2,m=8", 120000, false},
    {"cube6-m8-0.5", "cube:6", "vcs=1,depth=4", "uniform:rate=0.5,m=8", 60000, false},
    {"cube6-m1-0.02", "cube:6", "vcs=1,depth=8", "uniform:rate=0.02,m=1", 400000, false},
    {"cube6-m1-0.427", "cube:6", "vcs=1,depth=8", "uniform:rate=0.427,m=1", 80000, false},
    {"cube6-m1-0.768", "cube:6", "vcs=1,depth=8", "uniform:rate=0.768,m=1", 60000, false},
    {"mesh8x8-m8-0.02", "mesh:8x8", "vcs=1,depth=4", "uniform:rate=0.02,m=8", 600000, false},
    {"mesh8x8-m8-0.1", "mesh:8x8", "vcs=1,depth=4", "uniform:rate=0.1,m=8", 150000, false},
    {"mesh8x8-m8-0.2", "mesh:8x8", "vcs=1,depth=4", "uniform:rate=0.2,m=8", 80000, false},
    {"torus8x8-m8-0.02", "torus:8x8", "vcs=2,depth=4", "uniform:rate=0.02,m=8", 400000, false},
    {"torus8x8-m8-0.15", "torus:8x8", "vcs=2,depth=4", "uniform:rate=0.15,m=8", 80000, false},
    {"torus8x8-m8-0.28", "torus:8x8", "vcs=2,depth=4", "uniform:rate=0.28,m=8", 50000, false},
    {"cube12-m8-0.02", "cube:12", "vcs=1,depth=4", "uniform:rate=0.02,m=8", 2500, false},
#if BENCH_SYSTEMC
    {"cube6-0.2-systemc", "cube:6", "vcs=1,depth=4", "uniform:rate=0.2,m=8", 120000, true},
    {"torus8-.15-systemc", "torus:8x8", "vcs=2,depth=4", "uniform:rate=0.15,m=8", 80000, true},
#endif
};
const size_t bench_load_count = COUNT(bench_loads);

const struct bench_comparison bench_comparisons[] = {
    {"compare-cube6-0.02", "cube:6", "vcs=1,depth=4", "uniform:rate=0.02,m=8", 400000},
    {"compare-cube6-0.2", "cube:6", "vcs=1,depth=4", "uniform:rate=0.2,m=8", 60000},
    {"compare-cube6-0.5", "cube:6", "vcs=1,depth=4", "uniform:rate=0.5,m=8", 30000},
};
const size_t bench_comparison_count = COUNT(bench_comparisons);

const struct bench_schedule bench_schedules[] = {
    {"schedule-flow", "cube:6", "gsh:cycle=17-16-15-14-13,K=8192", "flow"},
    {"schedule-a1-packed", "cube:6", "gsh:cycle=17-16-15-14-13,K=8192", "a1-packed"},
    {"schedule-pipelined", "cube:6", "gsh:cycle=18-17-16-15-14-13-0,K=8192", "pipelined"},
    {"schedule-cycles", "cube:6", "gsh:cycle=18-17-0+16-15-14-13,K=8192", "cycles"},
};
const size_t bench_schedule_count = COUNT(bench_schedules);

const struct bench_build bench_builds[] = {
    {"build-5-ports", "mesh:8x8", "vcs=1,depth=4"},
    {"build-7-ports", "cube:6", "vcs=1,depth=4"},
    {"build-13-ports", "cube:12", "vcs=1,depth=4"},
    {"build-24-ports", "cube:12", "vcs=1,depth=4,ports=all"},
};
const size_t bench_build_count = COUNT(bench_builds);
