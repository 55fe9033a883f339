/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the study: expressions, and files of records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/expression.h"
#include "claims/rows.h"
#include "fuzz.h"

/* Some names are known; functions add their arguments. */
static bool value_of(void *context, const char *name, size_t length, int64_t *ret)
{
    (void)context;
    *ret = name[0] == 'p' ? INT64_MAX : (int64_t)length;
    return name[0] < 'x';
}

static bool call_of(void *context, const char *name, size_t length, const int64_t *arguments,
                    size_t count, int64_t *ret)
{
    (void)context;
    *ret = (int64_t)length + (count ? arguments[count - 1] : 0) % 1000;
    return name[0] < 'x';
}

static void try_expression(const char *text, bool full)
{
    struct claims_expression e = {.at = text, .full = full, .value = value_of, .call = call_of};
    enum claims_relation relation;
    int64_t value;
    const bool good = full ? claims_evaluate(&e, &value) : claims_evaluate_sum(&e, &value);
    if (good == (e.error[0] != '\0'))
        fuzz_fail("'%s' is %s, with the error '%s'", text, good ? "good" : "bad", e.error);
    if (e.at < text || e.at > text + strlen(text))
        fuzz_fail("'%s': the evaluation leaves the text", text);
    if (good)
        (void)claims_take_relation(&e, &relation);
}

/* All files of the study are this one: the reader wants each of them. */
static void try_records(const char *text, size_t size)
{
    static const char *const names[] = {"grama",    "gohil",    "gergel",  "jh_bounds",
                                        "jh_mixed", "jh_multi", "jh_real", "jh_machine",
                                        "ecube",    "errata",   "beyond"};
    struct claims_book book;
    struct ec_error e;
    char grid[300], file[40];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(file, sizeof file, "%s.txt", names[i]);
        fuzz_write(file, text, size);
    }
    const enum ec_code code = claims_book_open(".", &book, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return;
    for (size_t i = 0; i < book.count; i++) {
        claims_grid_text(&book.rows[i], true, grid, sizeof grid);
        (void)claims_match(&book.rows[i], "3*");
    }
    claims_book_close(&book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_enter_folder();
    char *text = malloc(size + 1);
    if (!text)
        exit(1);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (strncmp(text, "source:", 7) == 0) {
        try_records(text, size);
    } else {
        try_expression(text, false);
        try_expression(text, true);
    }
    free(text);
    return 0;
}
