/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of RTL: the points of compiled routers, added up over routers, shapes, runs and
 * processes, and what follows from them.
 *
 * A *point* is what a simulator counts in one instance of a module. A *unit* is what an author
 * wants to see covered: a line or a branch of the source, a bit, a cover property. Instances and
 * parameters do not matter to the units of lines, branches and bits. A cover property is one unit
 * for each index of the generate loops around it, in its own module and in those above. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ecube/error.h"
#include "shape/point.h"

struct ec_coverage; /* not for several threads at a time */

enum ec_code ec_coverage_open(struct ec_coverage **ret, struct ec_error *reterr);
void ec_coverage_close(struct ec_coverage *c); /* NULL is fine */

/* Add hits of a point; an ec_point_take with the coverage as its context. If memory is short, the
 * point is lost, and ec_coverage_check() says so. */
void ec_coverage_add(void *coverage, const struct ec_point *point, uint64_t hits);
enum ec_code ec_coverage_check(const struct ec_coverage *c, struct ec_error *reterr);

/* The points as the data file of Verilator, for verilator_coverage; sorted. `lost` as in
 * ec_coverage_check(). The caller checks the stream. */
void ec_coverage_write(struct ec_coverage *c, FILE *out);
/* Add the points of such a file. EC_USAGE: it is no such file; the message names the line. */
enum ec_code ec_coverage_read(struct ec_coverage *c, const char *path, struct ec_error *reterr);

enum ec_kind { EC_KIND_LINE, EC_KIND_BRANCH, EC_KIND_TOGGLE, EC_KIND_USER, EC_KINDS };
const char *ec_kind_name(enum ec_kind kind); /* "line", "branch", ... */

struct ec_unit {
    const char *file; /* as in the points */
    uint32_t line, column;
    enum ec_kind kind;
    const char *name; /* "" of a line; "if", "else"; the bit; "u_cover.gen_in[0].label" */
    uint64_t hits;
};

/* Sorted by file, line, kind, column and name. The texts are borrowed from the coverage, which must
 * not change meanwhile. */
struct ec_units {
    struct ec_unit *at;
    size_t count;
    char *names; /* of cover properties */
};
enum ec_code ec_units_open(struct ec_coverage *c, struct ec_units *ret, struct ec_error *reterr);
void ec_units_close(struct ec_units *u);

struct ec_covered {
    size_t hit, all;
};
/* In the units from `first` to the next file, or the end: per kind. Returns where that begins. */
size_t ec_units_of_file(const struct ec_units *u, size_t first, struct ec_covered ret[EC_KINDS]);

/* The units in the format of lcov: lines and branches. The caller checks the stream. */
void ec_units_lcov(const struct ec_units *u, FILE *out);
