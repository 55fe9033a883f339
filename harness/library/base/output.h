/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears complete or not at all.
 *
 * It is written under a temporary name in the same folder. ec_output_commit() renames it,
 * ec_output_discard() removes it. What a killed process has left is removed by the next one that
 * writes the same file. A device or a pipe is written in place. A text in memory is complete or
 * absent, too. */
#pragma once

#include <limits.h>
#include <stdio.h>

#include "ecube/error.h"
#include "ecube/unfinished.h"

struct ec_output {
    FILE *file;       /* NULL: closed */
    const char *name; /* for messages: the path as the caller gave it; owned unless borrowed */
    const char *what; /* for messages: "the event log"; NULL: a file that the user named */
    char *path;       /* where the file will appear; NULL: written in place */
    char *partial;    /* where it will appear if `interrupted` */
    char *temporary;  /* NULL: written in place */
    int lock;         /* on the temporary file; below 1: none */
    bool interrupted; /* incomplete: the former file at `path` stays */
    const struct ec_unfinished *unfinished;
    int error;     /* errno of the first write that failed; 0: none */
    bool borrowed; /* stream and name are the caller's */
};

/* The file that a symbolic link points to, which need not exist: a rename would replace the link.
 * malloc'd; NULL: errno says why. */
char *ec_output_target(const char *path);

/* Begin a file. EC_IO if it cannot be written. `unfinished`, unless NULL, is notified of the
 * temporary file, and those of killed processes are removed. `what` is borrowed. */
enum ec_code ec_output_open(struct ec_output *o, const char *what, const char *path,
                            const struct ec_unfinished *unfinished, struct ec_error *reterr);
/* ec_output_open() of a file in a folder. */
enum ec_code ec_output_open_in(struct ec_output *o, const char *what, const char *folder,
                               const char *name, struct ec_error *reterr);
/* Use an open stream instead. It is checked and flushed, but never closed. */
struct ec_output ec_output_borrow(FILE *stream, const char *name);

/* Was everything printed so far written? False: o->error is set, and the temporary file is
 * truncated to free its space. ec_output_check() also flushes the stream and fills in the error. */
bool ec_output_good(struct ec_output *o);
enum ec_code ec_output_check(struct ec_output *o, struct ec_error *reterr);

/* Keep other processes from removing the temporary file as an orphan; again if another writer has
 * replaced it. False: it is gone. */
bool ec_output_lock(struct ec_output *o);

/* Close the stream. The temporary file stays, so that another writer can open it by name. */
enum ec_code ec_output_close(struct ec_output *o, struct ec_error *reterr);

/* Close the stream if it is open, and rename the file. On failure it is removed. */
enum ec_code ec_output_commit(struct ec_output *o, struct ec_error *reterr);

/* ec_output_commit() if the file is to be kept, else ec_output_discard(). */
enum ec_code ec_output_end(struct ec_output *o, bool keep, struct ec_error *reterr);

/* Close a stream of open_memstream(); NULL: there was no memory for it. False: a part of the text
 * is lost for lack of memory, which fclose() does not report. Then *text is NULL. */
bool ec_memstream_close(FILE *stream, char **text);

/* Remove an uncommitted file. Does nothing to an output that is zero or committed. */
void ec_output_discard(struct ec_output *o);

/* "cannot write ...: why", EC_IO, with a remedy if one is known. `error`: an errno, 0 if not known.
 */
enum ec_code ec_output_fail(const struct ec_output *o, int error, struct ec_error *reterr);
enum ec_code ec_fail_write(struct ec_error *reterr, const char *what, const char *path, int error);

/* Temporary files of a process, to be removed if it ends early. */
enum { EC_UNFINISHED_MAX = 16 }; /* more than one run has at a time */

struct ec_unfinished_files {
    char path[EC_UNFINISHED_MAX][PATH_MAX]; /* "": none */
};

/* As ec_unfinished.tell. A path that is too long, or one too many, is not noted. */
void ec_unfinished_note(struct ec_unfinished_files *files, const char *path, bool there);
/* Remove all of them. A signal handler may call it, and so may another process. */
void ec_unfinished_remove(struct ec_unfinished_files *files);
