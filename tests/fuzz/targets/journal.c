/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a list. Whatever the file has, it opens with those records that are complete, or
 * is refused; a record that is added is found when it is opened again, and the others still are.
 *
 * An input is the file, or a description of one: "R", then the records, each with two bytes of its
 * key, its length, a byte that says whether the checksum is right, and its bytes. No fuzzer would
 * guess a checksum. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/file.h"
#include "fuzz.h"

/* The program is the same for all inputs, and large: its hash is computed once. */
static enum ec_code hash_once(const char *path, char ret[33], uint64_t *ret_size,
                              struct ec_error *e)
{
    static char hash[33];
    static enum ec_code code;
    if (!hash[0])
        code = ec_file_hash(path, hash, ret_size, e);
    memcpy(ret, hash, sizeof hash);
    return code;
}
#define ec_file_hash hash_once
#include "program/runs/journal.c"
#undef ec_file_hash

enum { RECORDS_MAX = 64, LINE = sizeof title - 1 };

static const struct cli_journal_key own = {.low = 1000, .high = 2};

/* --- A journal that is described -------------------------------------------------------------- */

struct described {
    struct record {
        struct cli_journal_key key;
        size_t at, size; /* of its bytes */
    } records[RECORDS_MAX];
    size_t count; /* of those before the first wrong checksum */
    uint8_t *bytes;
    size_t size;
};

/* Append a record; false: its checksum is wrong. */
static bool describe_one(struct described *d, struct fuzz_bytes *b)
{
    struct head h = {.key = {.low = fuzz_byte(b), .high = fuzz_byte(b)}, .size = fuzz_byte(b)};
    const bool wrong = fuzz_byte(b) == UINT8_MAX;
    uint8_t *const begin = d->bytes + d->size;
    if (h.size > b->left)
        h.size = b->left;
    memcpy(begin, &h, sizeof h);
    for (size_t i = 0; i < h.size; i++)
        begin[sizeof h + i] = fuzz_byte(b);
    const uint64_t sum = XXH3_64bits(begin, sizeof h + h.size) ^ wrong;
    memcpy(begin + sizeof h + h.size, &sum, sizeof sum);
    if (!wrong)
        d->records[d->count++] = (struct record){h.key, d->size + sizeof h, h.size};
    d->size += sizeof h + h.size + sizeof sum;
    return !wrong;
}

static void describe(struct described *d, struct fuzz_bytes b)
{
    *d = (struct described){.bytes = malloc(LINE + b.left + (RECORDS_MAX + 1) * 64), .size = LINE};
    if (!d->bytes)
        exit(1);
    memcpy(d->bytes, title, LINE);
    while (b.left > 0 && d->count < RECORDS_MAX && describe_one(d, &b))
        ;
    for (; b.left > 0; d->size++) /* after a wrong checksum */
        d->bytes[d->size] = fuzz_byte(&b);
}

/* Every record is found, with the bytes of one that has its key. */
static void check_described(const struct cli_journal *j, const struct described *d)
{
    if (cli_journal_count(j) != d->count)
        fuzz_fail("%zu records of %zu are read", cli_journal_count(j), d->count);
    for (size_t i = 0; i < d->count; i++) {
        const void *bytes;
        size_t size;
        bool same = false;
        if (!cli_journal_find(j, &d->records[i].key, &bytes, &size))
            fuzz_fail("record %zu is not found", i);
        for (size_t k = 0; !same && k < d->count; k++) {
            const struct record *r = &d->records[k];
            same = by_key(&r->key, &d->records[i].key) == 0 && r->size == size &&
                   memcmp(d->bytes + r->at, bytes, size) == 0;
        }
        if (!same)
            fuzz_fail("record %zu is found with other bytes", i);
    }
}

/* --- Any file --------------------------------------------------------------------------------- */

/* Records are anywhere: all that can be a key is one. */
static void find_all(const struct cli_journal *j, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at + sizeof own <= size && at < 4096; at++) {
        struct cli_journal_key key;
        const void *bytes;
        size_t bytes_size;
        memcpy(&key, data + at, sizeof key);
        if (!cli_journal_find(j, &key, &bytes, &bytes_size))
            continue;
        if (bytes_size > size)
            fuzz_fail("a record of %zu bytes in a journal of %zu", bytes_size, size);
        volatile char last = bytes_size ? ((const char *)bytes)[bytes_size - 1] : 0;
        (void)last;
    }
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
    cli_journal_close(j, false, false);
}

static void try_journal(const uint8_t *data, size_t size, const struct described *d)
{
    struct cli_journal *j;
    struct ec_error e;
    fuzz_write("out.csv.journal", data, size);
    const enum ec_code code = cli_journal_open("out.csv", true, &j, &e);
    fuzz_check_error(code, &e);
    if (d && code != EC_OK)
        fuzz_fail("a journal is refused: %s", e.message);
    if (code == EC_OK) {
        find_all(j, data, size);
        if (d)
            check_described(j, d);
        if (cli_journal_add(j, &own, "a", 1, "bc", 2, &e) != EC_OK)
            fuzz_fail("%s", e.message);
        const size_t count = cli_journal_count(j);
        cli_journal_close(j, false, false);
        check_again(count);
    }
    unlink("out.csv.journal");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct described d;
    fuzz_enter_folder();
    if (size == 0 || data[0] != 'R') {
        try_journal(data, size, NULL);
        return 0;
    }
    describe(&d, (struct fuzz_bytes){data + 1, size - 1});
    try_journal(d.bytes, d.size, &d);
    free(d.bytes);
    return 0;
}
