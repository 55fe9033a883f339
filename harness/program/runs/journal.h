/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a list: results that are kept in a file beside the output as soon as they exist,
 * so that an interrupted list can be resumed.
 *
 * Append-only records with a checksum each. A record that was not written completely ends the
 * journal. Must not know what a result is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "terminal/files.h"

/* Of an item and of all that determines its result. */
struct cli_journal_key {
    uint64_t low, high;
};

/* The hash of this program and of ecube's RTL: a change of them may change every result. */
enum { CLI_PROGRAM_HASH = 33 };
void cli_program_hash(char ret[CLI_PROGRAM_HASH]);

struct cli_journal;

/* Open OUTPUT.journal and lock it; with `resume` keep its records, else empty it. EC_USAGE: another
 * process uses it; EC_IO. *ret is NULL if `output` is no regular file, which has no journal. */
enum ec_code cli_journal_open(const char *output, bool resume, struct cli_journal **ret,
                              struct ec_error *reterr);
/* Close it, and remove the file if the list is complete, unless it is to be kept. NULL is fine. */
void cli_journal_close(struct cli_journal *j, bool complete, bool keep);

/* The key of an item: of its words, the version of ecube, its own RTL, and the contents of the
 * files that the item reads; of a folder, and of that of a source, those of all sources in
 * it. A file that cannot be read has a key of its own. */
struct cli_journal_key cli_journal_key(struct cli_journal *j, const char *words,
                                       const struct cli_files *files);

/* The bytes kept under a key; false: there are none. They are valid until the journal closes. */
bool cli_journal_find(const struct cli_journal *j, const struct cli_journal_key *key,
                      const void **ret_bytes, size_t *ret_size);
/* Keep two pieces as one. EC_IO: they are not kept, nor is anything after them. */
enum ec_code cli_journal_add(struct cli_journal *j, const struct cli_journal_key *key,
                             const void *head, size_t head_size, const void *bytes, size_t size,
                             struct ec_error *reterr);

/* Results that the file has. */
size_t cli_journal_count(const struct cli_journal *j);
const char *cli_journal_path(const struct cli_journal *j);
