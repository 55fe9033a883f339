/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage data: a file that may be anything, as points and units. What was read is written so that
 * it is read as the same. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "program/coverage/coverage.h"
#include "program/report/covered.h"

/* A text of the points; malloc'd. */
static char *text_of(struct ec_coverage *c, size_t *ret_size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, ret_size);
    if (!out)
        exit(1);
    ec_coverage_write(c, out);
    fclose(out);
    return text;
}

/* Long ranges of lines take long. */
static bool has_large_number(const uint8_t *data, size_t size)
{
    enum { DIGITS = 4 };
    unsigned digits = 0;
    for (size_t i = 0; i < size && digits < DIGITS; i++)
        digits = isdigit(data[i]) ? digits + 1 : 0;
    return digits == DIGITS;
}

static void show(struct ec_coverage *c)
{
    struct ec_units units;
    struct ec_error e;
    char line[300], *text = NULL;
    size_t size;
    const enum ec_code code = ec_units_open(c, &units, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        exit(1);
    ec_units_lcov(&units, out);
    cli_text_coverage(&units, out);
    (void)cli_record_coverage(&units, out);
    cli_line_coverage(&units, line, sizeof line);
    fclose(out);
    free(text);
    ec_units_close(&units);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ec_coverage *c, *again;
    struct ec_error e;
    size_t first_size, second_size;
    fuzz_enter_folder();
    fuzz_write("coverage.dat", data, size);
    if (ec_coverage_open(&c, &e) != EC_OK || ec_coverage_open(&again, &e) != EC_OK)
        exit(1);
    const enum ec_code code = ec_coverage_read(c, "coverage.dat", &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        char *first = text_of(c, &first_size);
        fuzz_write("coverage.dat", first, first_size);
        if (ec_coverage_read(again, "coverage.dat", &e) != EC_OK)
            fuzz_fail("points that were written cannot be read: %s", e.message);
        char *second = text_of(again, &second_size);
        if (first_size != second_size || memcmp(first, second, first_size) != 0)
            fuzz_fail("points are read as other ones");
        free(second);
        free(first);
        if (!has_large_number(data, size))
            show(c);
    }
    ec_coverage_close(c);
    ec_coverage_close(again);
    unlink("coverage.dat");
    return 0;
}
