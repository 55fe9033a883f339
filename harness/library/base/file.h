/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ecube/error.h"

/* Format a path into `buffer`; EC_IO if it does not fit. */
enum ec_code ec_path(char *buffer, size_t size, struct ec_error *reterr, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The contents of a file (malloc'd, the caller frees; a zero byte follows the *ret_size bytes).
 * EC_IO if it is not a regular file of at most 2^30 bytes, too; the message names the path. */
enum ec_code ec_file_read(const char *path, char **ret, size_t *ret_size, struct ec_error *reterr);

/* Create or replace a file. */
enum ec_code ec_file_write(const char *path, const char *text, size_t size,
                           struct ec_error *reterr);

/* Hash of a file's contents, XXH3-128 in hexadecimal (32 digits and a zero byte). */
enum ec_code ec_file_hash(const char *path, char ret[33], uint64_t *ret_size,
                          struct ec_error *reterr);

/* mkdir -p; folders that do not exist yet get `mode`, less the process's mask. */
enum ec_code ec_folder_make(const char *path, unsigned mode, struct ec_error *reterr);
#define EC_FOLDER_PRIVATE 0700U
#define EC_FOLDER_USUAL   0777U

/* rm -r; a path that does not exist is fine. Symbolic links are removed, never followed. */
enum ec_code ec_folder_remove(const char *path, struct ec_error *reterr);

/* Names in a folder, sorted, without "." and ".."; `*ret` is one malloc'd block that the caller
 * frees. */
enum ec_code ec_folder_names(const char *path, char ***ret, size_t *ret_count,
                             struct ec_error *reterr);

bool ec_name_ends(const char *name, const char *suffix);

/* The folder that has the file `proof`: `built` if this program or library is in the build tree,
 * else PREFIX/`installed` for a PREFIX somewhere above it, or `installed` if that is absolute.
 * False if there is none. */
bool ec_locate(const char *built, const char *installed, const char *proof, char *buffer,
               size_t size);

/* Why this user cannot write another 64 KiB there, as an errno (ENOSPC, EDQUOT, ...); 0: it can. */
int ec_disk_trouble(const char *folder);

/* Can `folder`/`file` be read? */
bool ec_folder_has(const char *folder, const char *file);
