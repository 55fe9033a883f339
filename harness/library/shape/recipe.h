/* SPDX-License-Identifier: Apache-2.0 */
/* A recipe: everything that goes into the compilation of one shape, and its hash. */
#pragma once

#include <limits.h>

#include "ecube/shape.h"
#include "shape/sources.h"

/* Verilator (or Yosys, for another engine) and a C++ compiler. */
struct ec_toolchain {
    char verilator[PATH_MAX];      /* program: $VERILATOR, else "verilator" */
    char verilator_version[256];   /* "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)" */
    char verilator_root[PATH_MAX]; /* folder of include/verilated.cpp; "": of Yosys */
    char cxx[PATH_MAX];    /* command, perhaps with words after it: $CXX, else "c++", else "g++" */
    char cxx_version[256]; /* first line of its --version */
};

/* Layout of the data folder, which is that of the source tree. */
#define EC_DATA_RTL         "rtl"
#define EC_DATA_WRAPPER     EC_DATA_RTL "/ec_tile.sv"
#define EC_DATA_SHIM        "harness/library/shape/shim"
#define EC_DATA_GUARD       "harness/library/shape/shim/ec_guard.h"
#define EC_DATA_LANES       "harness/library/shape/shim/ec_lanes.cpp"
#define EC_DATA_LANES_H     "harness/library/shape/shim/ec_lanes.h"
#define EC_DATA_FABRIC      "harness/library/shape/shim/ec_fabric.h"
#define EC_DATA_FABRIC_H    "harness/library/shape/fabric.h"
#define EC_DATA_RUNTIME     "harness/library/shape/shim/ec_runtime.cpp"
#define EC_DATA_RUNTIME_H   "harness/library/shape/shim/ec_runtime.h"
#define EC_DATA_COVER       "harness/library/shape/shim/ec_cover.cpp"
#define EC_DATA_COVER_H     "harness/library/shape/shim/ec_cover.h"
#define EC_DATA_COVER_RTL   "rtl/cover/ec_cover.sv"
#define EC_DATA_STATE       "harness/library/shape/shim/ec_state.cpp"
#define EC_DATA_STATE_H     "harness/library/shape/bank_state.h"
#define EC_DATA_TRACE       "harness/library/shape/shim/ec_trace.cpp"
#define EC_DATA_TRACE_FILES "harness/library/shape/shim/ec_trace_files.cpp"
#define EC_DATA_INCLUDE     "harness/library/include"
#define EC_DATA_TILE_H      EC_DATA_INCLUDE "/ecube/tile.h"
#define EC_DATA_WORD_H      EC_DATA_INCLUDE "/ecube/word.h"
#define EC_DATA_POINT_H     "harness/library/shape/point.h"

#define EC_VERILATOR_FLAGS   "--cc -O3 --prefix Vec_tile"
/* Waves and the checks of our own RTL are off in the fast shapes; assertions of foreign RTL are on
 * (docs/adr/0017-worker-processes.md). */
#define EC_VERILATOR_FAST    "--no-assert"
#define EC_VERILATOR_FOREIGN "--assert"
/* The style of a foreign router is up to its author; not the errors that it states itself. */
#define EC_VERILATOR_STYLE   "-Wno-fatal -Werror-USERERROR -Werror-USERFATAL"
/* What foreign.c checks: what an earlier version accepted is built again. */
#define EC_FOREIGN_RULES     "own modules, widths of ports, features, table of sources, own errors"
#define EC_VERILATOR_TRACED                                                                        \
    "--assert --trace-fst --trace-structs --trace-max-width 1024 -DEC_CHECKS -DEC_TRACE"
/* Besides one of these. */
#define EC_VERILATOR_SAVED       "--savable"
/* Likewise. Verilator 5.006 would take the statements of a clocked block apart as if
 * counting did not depend on the condition: branches behind a function counted wrongly. In whole
 * blocks it sees loops of logic that are none, and settle at once. Later versions warn that a
 * function counts, and count user points only where assertions are on. */
#define EC_VERILATOR_COVER       "--assert --coverage-line --coverage-user -fno-split -Wno-fatal"
#define EC_VERILATOR_TOGGLE      "--coverage-toggle"
#define EC_VERILATOR_FAST_INIT   "--x-assign fast --x-initial fast"
#define EC_VERILATOR_RANDOM_INIT "--x-assign unique --x-initial unique"

/* Flags of g++, which clang++ does not get. */
#define EC_CXX_GNU_UNIQUE "-fno-gnu-unique"
#define EC_CXX_GNU_PRE    "-fno-tree-pre"

/* No flag depends on the processor: machines may share a cache. Hot code is as fast at -O2 as at
 * -O3 (measured with 7 and 13 ports). Code that runs once per instance is not optimised. */
#define EC_CXX_FLAGS                                                                               \
    "-std=gnu++17 -fPIC " EC_CXX_GNU_UNIQUE " -DVM_COVERAGE=0 -DVM_SC=0 -DVL_USER_STOP "           \
    "-DVL_USER_FINISH -DVL_USER_FATAL -DVL_USER_WARN"
#define EC_CXX_FAST       "-DVM_TRACE=0 -DEC_SHAPE_TRACED=0"
#define EC_CXX_TRACED     "-DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DEC_SHAPE_TRACED=1"
#define EC_CXX_TILE_FLAGS EC_CXX_FLAGS " -fvisibility=hidden"
#define EC_CXX_COLD       "O0" /* in a pragma */
#define EC_CXX_RUNTIME    "-O1"
/* Of hot code where each bit has a counter: the code is ten times as long. */
#define EC_CXX_TOGGLE     "-O0"
/* Of the engine simd. */
#define EC_CXX_LANES      "-std=gnu++17 -fPIC -shared -fvisibility=hidden -O2 -Wno-psabi"
#define EC_LINK_FLAGS     "-shared -Wl,-Bsymbolic"
/* Functions of the C library that EC_DATA_RUNTIME and EC_DATA_TRACE_FILES replace. */
#define EC_LINK_FAST      "-Wl,--wrap=fwrite"
#define EC_LINK_TRACED    EC_LINK_FAST ",--wrap=fopen,--wrap=tmpfile,--wrap=fclose,--wrap=mmap"

/* The compiled design: one router, or a whole network. */
struct ec_recipe_kind {
    const char *top;     /* module */
    const char *wrapper; /* its file in the data folder */
    const char *config;  /* configuration of Verilator that goes with it, or NULL */
    const char *flags;   /* of Verilator, besides the common ones */
    const char *shim;    /* the C++ around the class */
    const char *hot;     /* optimisation of the hot code */
};

struct ec_recipe {
    const struct ec_recipe_kind *kind;
    const struct ec_engine *engine; /* borrowed; NULL: Verilator */
    struct ec_tile_shape shape;
    uint32_t nodes;       /* wired inside; 0: one router */
    char parameters[512]; /* of the top module, for Verilator */
    bool random_init, traced, saved;
    enum ec_cover cover;
    const char *top;          /* of a user's router, borrowed; NULL: ecube's own */
    bool balanced;            /* which must have balanced_i */
    bool sets;                /* which must not have the configuration port */
    const char *build;        /* borrowed, as in ec_shape_options */
    struct ec_sources user;   /* of the user's router */
    const char *const *rtl;   /* its files; NULL: ecube's own router */
    const char *const *given; /* those of them that `build` does not name; borrowed */
    char data[PATH_MAX];      /* where rtl/ and the shim are */
    struct ec_toolchain tools;
    struct ec_error missing; /* EC_TOOL: why the tools cannot be used, which are empty then */
    char key[33];            /* XXH3-128, hexadecimal */
    char design[33];         /* the same with any tools */
    char runtime_key[33];    /* the same of the Verilator runtime */
    char sources[33]; /* the same of the SystemVerilog alone, with any parameters and tools */
    char description[512];
};

/* Verilator's flags for the purpose of the shape: speed, waves, a foreign router. */
const char *ec_recipe_variant(const struct ec_recipe *r);
/* Those for coverage, "" without; and the optimisation of the hot code. */
const char *ec_recipe_coverage(const struct ec_recipe *r);
const char *ec_recipe_hot(const struct ec_recipe *r);

/* Collect and hash; release *ret with ec_recipe_free, whatever happens. Borrows what `options`
 * points to. Versions of the tools are remembered in folder `cache` together with each program's
 * path, size and time stamp, so that this starts no process as long as the tools stay the same.
 * `missing` names the missing tool and how to install it. */
enum ec_code ec_recipe_make(const struct ec_tile_shape *shape,
                            const struct ec_shape_options *options, const char *cache,
                            struct ec_recipe *ret, struct ec_error *reterr);
void ec_recipe_free(struct ec_recipe *r);
/* The hash of what ecube adds to every router: shim and flags, without the RTL. */
enum ec_code ec_shim_hash(char ret[33], struct ec_error *reterr);
