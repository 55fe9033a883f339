/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a list. Whatever the file has, it opens with those records that are complete, or
 * is refused; a record that is added is found when it is opened again, and the others still are. */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "program/runs/journal.h"

static const struct cli_journal_key own = {.low = 1, .high = 2};

static size_t find_all(const struct cli_journal *j, const uint8_t *data, size_t size)
{
    /* Records are anywhere: all that can be a key is one. */
    size_t found = 0;
    for (size_t at = 0; at + sizeof own <= size && at < 4096; at++) {
        struct cli_journal_key key;
        const void *bytes;
        size_t bytes_size;
        memcpy(&key, data + at, sizeof key);
        if (!cli_journal_find(j, &key, &bytes, &bytes_size))
            continue;
        found++;
        if (bytes_size > size)
            fuzz_fail("a record of %zu bytes in a journal of %zu", bytes_size, size);
        volatile char last = bytes_size ? ((const char *)bytes)[bytes_size - 1] : 0;
        (void)last;
    }
    return found;
}

static void check_again(size_t count)
{
    struct cli_journal *j;
    struct ec_error e;
    const void *bytes;
    size_t size;
    if (cli_journal_open("out.csv", true, &j, &e) != EC_OK)
        fuzz_fail("a journal that was opened cannot be opened again: %s", e.message);
    if (cli_journal_count(j) != count)
        fuzz_fail("%zu records became %zu", count, cli_journal_count(j));
    if (!cli_journal_find(j, &own, &bytes, &size))
        fuzz_fail("a record that was added is not found");
    cli_journal_close(j, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cli_journal *j;
    struct ec_error e;
    fuzz_enter_folder();
    fuzz_write("out.csv.journal", data, size);
    const enum ec_code code = cli_journal_open("out.csv", true, &j, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        (void)find_all(j, data, size);
        if (cli_journal_add(j, &own, "a", 1, "bc", 2, &e) != EC_OK)
            fuzz_fail("%s", e.message);
        const size_t count = cli_journal_count(j);
        cli_journal_close(j, false);
        check_again(count);
    }
    unlink("out.csv.journal");
    return 0;
}
