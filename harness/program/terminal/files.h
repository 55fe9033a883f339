/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the files and folders that a command line names, before any work is done. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ecube/error.h"

/* All files of a command line and of its list of runs. */
struct cli_files {
    struct cli_file *files; /* owned */
    size_t count, room;
    bool incomplete; /* out of memory */
};

/* Add a file that `option` reads or writes; `line` is of the list of runs, or 0. Ignores NULL, the
 * "-" of standard input and output, and what is not a regular file (devices, pipes). */
void cli_files_read(struct cli_files *f, const char *option, const char *path, unsigned line);
void cli_files_write(struct cli_files *f, const char *option, const char *path, unsigned line);

/* Add the file that standard output goes to, unless `output` (of --output, or NULL) is another one.
 */
void cli_files_stdout(struct cli_files *f, const char *output);

/* Add files that are read: `text` names several, with this separator; NULL: none. */
void cli_files_read_all(struct cli_files *f, const char *option, const char *text, char separator,
                        unsigned line);

/* Add the file lists, sources, libraries and folders of `build` (ec_shape_options). */
void cli_files_read_build(struct cli_files *f, const char *build, unsigned line);

/* EC_USAGE if a file that is written is named twice; frees the files. `list` names the list of
 * runs in the message. */
enum ec_code cli_files_check(struct cli_files *f, const char *list, struct ec_error *reterr);

/* The path of file or folder i, which is read; NULL: it is written. */
const char *cli_files_input(const struct cli_files *f, size_t i);

void cli_files_free(struct cli_files *f);

/* Can the sources of --rtl and those of `build` (ec_shape_options) be read? NULL: none. */
enum ec_code cli_rtl_check(const char *rtl, const char *build, struct ec_error *reterr);

/* Is the folder of `option` writable, or can it be made? NULL: none. */
enum ec_code cli_folder_check(const char *option, const char *path, struct ec_error *reterr);
