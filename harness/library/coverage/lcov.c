/* SPDX-License-Identifier: Apache-2.0 */
/* Units in the tracefile format of lcov (geninfo(1)), which has lines and branches, but neither
 * bits nor cover properties. */
#include <inttypes.h>
#include <string.h>

#include "coverage/coverage.h"

/* The branches of a line are one block: which of them belong together, Verilator does not say. */
static void put_branch(const struct ec_units *u, size_t i, FILE *out)
{
    size_t number = 0;
    while (number < i && u->at[i - number - 1].line == u->at[i].line &&
           u->at[i - number - 1].kind == EC_KIND_BRANCH)
        number++;
    fprintf(out, "BRDA:%" PRIu32 ",0,%zu,%" PRIu64 "\n", u->at[i].line, number, u->at[i].hits);
}

void ec_units_lcov(const struct ec_units *u, FILE *out)
{
    for (size_t i = 0, next; i < u->count; i = next) {
        struct ec_covered covered[EC_KINDS];
        next = ec_units_of_file(u, i, covered);
        fprintf(out, "TN:ecube\nSF:%s\n", u->at[i].file);
        for (size_t k = i; k < next; k++) {
            if (u->at[k].kind == EC_KIND_BRANCH)
                put_branch(u, k, out);
        }
        fprintf(out, "BRF:%zu\nBRH:%zu\n", covered[EC_KIND_BRANCH].all,
                covered[EC_KIND_BRANCH].hit);
        for (size_t k = i; k < next; k++) {
            if (u->at[k].kind == EC_KIND_LINE)
                fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", u->at[k].line, u->at[k].hits);
        }
        fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", covered[EC_KIND_LINE].all,
                covered[EC_KIND_LINE].hit);
    }
}
