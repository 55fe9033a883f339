/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders of a command line. Knows paths; must not know what the files contain. */
#include "terminal/files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"
#include "base/output.h"
#include "ecube/shape.h"

/* --- One file under two options --------------------------------------------------------------- */

struct cli_file {
    char *identity; /* equal for two names of one file; owned */
    char *path;     /* as given; owned */
    const char *option;
    unsigned line;
    bool written;
    size_t order;
};

static char *identity_of(const struct stat *info)
{
    char *text = NULL;
    return asprintf(&text, "%ju:%ju", (uintmax_t)info->st_dev, (uintmax_t)info->st_ino) < 0 ? NULL
                                                                                            : text;
}

static char *identify_open(const struct stat *info)
{
    return S_ISREG(info->st_mode) ? identity_of(info) : NULL;
}

/* Device and inode; of a file that does not exist yet, its name in the real folder. NULL: not a
 * regular file, or no memory. */
static char *identify(const char *path)
{
    struct stat info;
    char *text = NULL;
    if (stat(path, &info) == 0)
        return identify_open(&info);
    char *head = ec_output_target(path), *tail = head ? strdup(head) : NULL;
    char *folder = head && tail ? realpath(dirname(head), NULL) : NULL;
    if (folder && asprintf(&text, "%s/%s", folder, basename(tail)) < 0)
        text = NULL;
    free(folder);
    free(head);
    free(tail);
    return text;
}

/* Takes the identity; NULL: nothing to add. */
static void add_identity(struct cli_files *f, const char *option, const char *path, unsigned line,
                         bool written, char *identity)
{
    if (!identity)
        return;
    const struct cli_file file = {.identity = identity,
                                  .path = strdup(path),
                                  .option = option,
                                  .line = line,
                                  .written = written,
                                  .order = f->count};
    if (file.path && EC_LIST_PUSH(f->files, f->count, f->room, file))
        return;
    free(identity);
    free(file.path);
    f->incomplete = true;
}

static void add_file(struct cli_files *f, const char *option, const char *path, unsigned line,
                     bool written)
{
    const bool named = path && strcmp(path, "-") != 0;
    add_identity(f, option, path, line, written, named ? identify(path) : NULL);
}

void cli_files_stdout(struct cli_files *f, const char *output)
{
    struct stat info;
    if ((!output || strcmp(output, "-") == 0) && fstat(STDOUT_FILENO, &info) == 0)
        add_identity(f, "standard output", "", 0, true, identify_open(&info));
}

void cli_files_read(struct cli_files *f, const char *option, const char *path, unsigned line)
{
    add_file(f, option, path, line, false);
}

void cli_files_write(struct cli_files *f, const char *option, const char *path, unsigned line)
{
    add_file(f, option, path, line, true);
}

void cli_files_read_all(struct cli_files *f, const char *option, const char *text, char separator,
                        unsigned line)
{
    const char separators[] = {separator, '\0'};
    char *copy = text ? strdup(text) : NULL, *rest = copy;
    f->incomplete |= text && !copy;
    for (char *path; (path = strsep(&rest, separators));)
        add_file(f, option, path, line, false);
    free(copy);
}

struct build_files {
    struct cli_files *files;
    unsigned line;
};

static void add_build_file(void *context, const char *path)
{
    static const char option[] = "the file list";
    const struct build_files *b = context;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        add_identity(b->files, option, path, b->line, false, identity_of(&info));
    else
        add_file(b->files, option, path, b->line, false);
}

void cli_files_read_build(struct cli_files *f, const char *build, unsigned line)
{
    struct build_files b = {f, line};
    (void)ec_shape_build_files(build, add_build_file, &b, NULL); /* cli_rtl_check reports errors */
}

/* By file; first those that are written. */
static int compare_files(const void *a, const void *b)
{
    const struct cli_file *x = a, *y = b;
    const int names = strcmp(x->identity, y->identity);
    if (names != 0)
        return names;
    if (x->written != y->written)
        return x->written ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static enum ec_code refuse(const struct cli_file *a, const struct cli_file *b, const char *list,
                           struct ec_error *reterr)
{
    const struct cli_file *const both[2] = {a, b};
    char where[2][240] = {"", ""};
    for (size_t i = 0; i < 2; i++) {
        if (both[i]->line)
            snprintf(where[i], sizeof where[i], " (%.200s:%u)", list, both[i]->line);
    }
    if (!*a->path || !*b->path) { /* standard output has no name */
        const size_t named = !*a->path;
        return ec_fail(reterr, EC_USAGE,
                       "%s %s '%.200s'%s, where standard output goes: expected different files",
                       both[named]->option, both[named]->written ? "writes" : "reads",
                       both[named]->path, where[named]);
    }
    return ec_fail(reterr, EC_USAGE,
                   "%s writes '%.200s'%s and %s %s '%.200s'%s: expected "
                   "different files",
                   a->option, a->path, where[0], b->option, b->written ? "writes" : "reads",
                   b->path, where[1]);
}

enum ec_code cli_files_check(struct cli_files *f, const char *list, struct ec_error *reterr)
{
    enum ec_code code =
        f->incomplete ? ec_fail(reterr, EC_MEMORY, "out of memory for the names of files") : EC_OK;
    if (f->count > 1)
        qsort(f->files, f->count, sizeof *f->files, compare_files);
    const struct cli_file *first = NULL;
    for (size_t i = 1; i < f->count; i++) {
        const struct cli_file *a = &f->files[i - 1], *b = &f->files[i];
        if (a->written && strcmp(a->identity, b->identity) == 0 &&
            (!first || a->order < first->order))
            first = a;
    }
    if (code == EC_OK && first)
        code = refuse(&first[0], &first[1], list, reterr);
    cli_files_free(f);
    return code;
}

const char *cli_files_input(const struct cli_files *f, size_t i)
{
    return f->files[i].written ? NULL : f->files[i].path;
}

void cli_files_free(struct cli_files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->files[i].identity);
        free(f->files[i].path);
    }
    free(f->files);
    *f = (struct cli_files){0};
}

/* --- Sources and folders ---------------------------------------------------------------------- */

/* One name of the list `rtl`. Folders, wildcards and blanks are what users try first. */
static enum ec_code check_source(const char *rtl, const char *path, struct ec_error *reterr)
{
    static const char advice[] = "name the files, separated by commas; "
                                 "for a folder: --rtl \"$(echo DIR/*.sv | tr ' ' ,)\"";
    struct stat info;
    if (*path == '\0')
        return ec_fail(reterr, EC_USAGE, "--rtl '%.300s': a file name is empty", rtl);
    const int error = access(path, R_OK) == 0 ? 0 : errno;
    if (error == 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return ec_fail(reterr, EC_USAGE, "--rtl: %.300s is a folder: %s", path, advice);
    if (error == 0)
        return EC_OK;
    if (strpbrk(path, "*?") != NULL)
        return ec_fail(reterr, EC_USAGE, "--rtl: there is no file '%.300s': %s", path, advice);
    if (*path == ' ' || path[strlen(path) - 1] == ' ')
        return ec_fail(reterr, EC_USAGE,
                       "--rtl: there is no file '%.300s': "
                       "write the list without blanks",
                       path);
    return ec_fail(reterr, EC_USAGE, "--rtl: cannot read %.300s: %s", path, strerror(error));
}

enum ec_code cli_rtl_check(const char *rtl, const char *build, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    char *copy = rtl ? strdup(rtl) : NULL, *rest = copy;
    if (rtl && !copy)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (char *path; code == EC_OK && (path = strsep(&rest, ","));)
        code = check_source(rtl, path, reterr);
    free(copy);
    return code == EC_OK ? ec_shape_build_files(build, NULL, NULL, reterr) : code;
}

/* Can a file be made in the folder? The rights do not tell for root, nor in /proc. An errno; 0:
 * yes. */
static int try_folder(const char *folder)
{
    static const char name[] = "/ecube-XXXXXX";
    char path[PATH_MAX + sizeof name];
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) { /* not every file system has files without a name */
        snprintf(path, sizeof path, "%s%s", folder, name);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd < 0)
            return errno == ENOENT ? EACCES : errno;
        unlink(path);
    }
    close(fd);
    return 0;
}

enum ec_code cli_folder_check(const char *option, const char *path, struct ec_error *reterr)
{
    char part[PATH_MAX];
    struct stat info;
    int error = 0;
    if (!path)
        return EC_OK;
    const enum ec_code code = ec_path(part, sizeof part, reterr, "%s", path);
    if (code != EC_OK)
        return code;
    /* A folder that does not exist is made in the nearest one that does. */
    while (access(part, F_OK) != 0 && errno == ENOENT && strcmp(part, ".") != 0) {
        const char *above = dirname(part); /* a beginning of `part`, or "." */
        memmove(part, above, strlen(above) + 1);
    }
    if (stat(part, &info) == 0 && !S_ISDIR(info.st_mode))
        error = ENOTDIR;
    else if (access(part, W_OK | X_OK) != 0)
        error = errno;
    else
        error = try_folder(part);
    return error ? ec_fail(reterr, EC_USAGE, "%s '%.300s': %s", option, path, strerror(error))
                 : EC_OK;
}
