/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that build a shape: Verilator and a C++ compiler. */
#ifndef ECUBE_TOOLCHAIN_H
#define ECUBE_TOOLCHAIN_H

#include <limits.h>

#include "ecube/error.h"

struct ec_toolchain {
    char verilator[PATH_MAX];      /* program: $VERILATOR, else "verilator" */
    char verilator_version[256];   /* "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)" */
    char verilator_root[PATH_MAX]; /* folder of include/verilated.cpp */
    char cxx[PATH_MAX];    /* command, perhaps with words after it: $CXX, else "c++", else "g++" */
    char cxx_version[256]; /* first line of its --version */
};

/* Find the tools and their versions. Versions are remembered in folder `cache` together with each
 * program's path, size and time stamp, so that this starts no process as long as the tools stay the
 * same. EC_TOOL names what is missing and how to install it. */
enum ec_code ec_toolchain_find(const char *cache, struct ec_toolchain *ret,
                               struct ec_error *reterr);

#endif
