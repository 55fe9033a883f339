/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files that appear complete or not at all. Knows renames and write errors; must not know
 * the contents. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum {
    LINKS_MAX = 40, /* one symbolic link after another, as in the kernel */
    RANDOM = 6,     /* characters at the end of PATH.tmp.PID-XXXXXX, as mkostemp() wants */
};

/* --- Errors ----------------------------------------------------------------------------------- */

static const char *remedy(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "; free some space there, or write it elsewhere";
    case EFBIG:
        return "; raise the limit of file sizes (ulimit -f)";
    default:
        return "";
    }
}

enum ec_code ec_fail_write(struct ec_error *reterr, const char *what, const char *path, int error)
{
    error = error ? error : EIO;
    if (what)
        return ec_fail(reterr, EC_IO, "cannot write %s %.300s: %s%s", what, path, strerror(error),
                       remedy(error));
    return ec_fail(reterr, EC_IO, "cannot write '%.300s': %s%s", path, strerror(error),
                   remedy(error));
}

enum ec_code ec_output_fail(const struct ec_output *o, int error, struct ec_error *reterr)
{
    return ec_fail_write(reterr, o->what, o->name, error);
}

/* --- Opening ---------------------------------------------------------------------------------- */

char *ec_output_target(const char *path)
{
    char target[PATH_MAX];
    char *at = strdup(path);
    for (unsigned links = 0; at; links++) {
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            return at; /* not a link */
        target[length] = '\0';
        const char *slash = target[0] == '/' ? NULL : strrchr(at, '/');
        const int folder = slash ? (int)(slash + 1 - at) : 0;
        char *next = NULL;
        if (links == LINKS_MAX)
            errno = ELOOP;
        else if (asprintf(&next, "%.*s%s", folder, at, target) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    return NULL;
}

/* Does a process that is gone have left this, the rest of a name after ".tmp."? */
static bool is_orphan(const char *name)
{
    char *end;
    const long pid = strtol(name, &end, 10);
    return pid > 0 && *end == '-' && strlen(end + 1) == RANDOM && kill((pid_t)pid, 0) != 0 &&
           errno == ESRCH;
}

/* Remove the temporary files of PATH that a killed process has left. One that lives on another
 * machine, or in another container, holds a lock. */
static void remove_orphans(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash + 1 - path) : 0;
    char folder[PATH_MAX], begin[PATH_MAX], name[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    if (ec_path(folder, sizeof folder, NULL, "%.*s.", length, path) != EC_OK ||
        ec_path(begin, sizeof begin, NULL, "%s.tmp.", path + length) != EC_OK ||
        ec_folder_names(folder, &names, &count, NULL) != EC_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        if (strncmp(names[i], begin, strlen(begin)) != 0 || !is_orphan(names[i] + strlen(begin)) ||
            ec_path(name, sizeof name, NULL, "%.*s%s", length, path, names[i]) != EC_OK)
            continue;
        const int fd = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlink(name);
        if (fd >= 0)
            close(fd);
    }
    free(names);
}

bool ec_output_lock(struct ec_output *o)
{
    struct stat info;
    if (o->lock > 0)
        close(o->lock);
    o->lock = open(o->temporary, O_RDWR | O_CLOEXEC);
    if (o->lock < 0)
        return errno != ENOENT;
    (void)!flock(o->lock, LOCK_EX); /* a file system without locks keeps its orphans */
    return fstat(o->lock, &info) != 0 || info.st_nlink > 0;
}

/* Create a file with the permissions that PATH has or would get. Before it is locked, another
 * process may remove it as an orphan: then try again. */
static int open_temporary(struct ec_output *o, const struct stat *old)
{
    int fd;
    if (o->unfinished)
        remove_orphans(o->path);
    if (asprintf(&o->partial, "%s.partial", o->path) < 0)
        o->partial = NULL;
    if (!o->partial || asprintf(&o->temporary, "%s.tmp.%ld-XXXXXX", o->path, (long)getpid()) < 0) {
        o->temporary = NULL;
        return -1;
    }
    for (;;) {
        memset(o->temporary + strlen(o->temporary) - RANDOM, 'X', RANDOM);
        fd = mkostemp(o->temporary, O_CLOEXEC);
        if (fd < 0 || ec_output_lock(o))
            break;
        close(fd);
    }
    if (fd < 0) {
        free(o->temporary);
        o->temporary = NULL;
        return -1;
    }
    if (o->unfinished)
        o->unfinished->tell(o->unfinished->context, o->temporary, true);
    const mode_t mask = umask(0);
    umask(mask);
    /* If the mode cannot be set, only the owner can read the file, which is acceptable. */
    (void)!fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask);
    return fd;
}

static int open_target(struct ec_output *o, const char *path)
{
    struct stat old;
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    if (exists && access(path, W_OK) != 0)
        return -1;
    o->path = ec_output_target(path);
    return o->path ? open_temporary(o, exists ? &old : NULL) : -1;
}

enum ec_code ec_output_open(struct ec_output *o, const char *what, const char *path,
                            const struct ec_unfinished *unfinished, struct ec_error *reterr)
{
    *o = (struct ec_output){.what = what, .unfinished = unfinished, .name = strdup(path)};
    const int fd = o->name ? open_target(o, path) : -1;
    o->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (o->file)
        return EC_OK;
    const enum ec_code code = ec_fail_write(reterr, what, path, errno);
    if (fd >= 0)
        close(fd);
    ec_output_discard(o);
    return code;
}

enum ec_code ec_output_open_in(struct ec_output *o, const char *what, const char *folder,
                               const char *name, struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", folder, name);
    return code == EC_OK ? ec_output_open(o, what, path, NULL, reterr) : code;
}

struct ec_output ec_output_borrow(FILE *stream, const char *name)
{
    return (struct ec_output){.file = stream, .name = name, .borrowed = true};
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void note_error(struct ec_output *o, int error)
{
    if (o->error)
        return;
    o->error = error ? error : EIO;
    if (o->temporary)
        (void)!truncate(o->temporary, 0);
}

bool ec_output_good(struct ec_output *o)
{
    if (ferror(o->file))
        note_error(o, errno);
    return !o->error;
}

enum ec_code ec_output_check(struct ec_output *o, struct ec_error *reterr)
{
    if (fflush(o->file) != 0 || ferror(o->file))
        note_error(o, errno);
    return o->error ? ec_output_fail(o, o->error, reterr) : EC_OK;
}

enum ec_code ec_output_close(struct ec_output *o, struct ec_error *reterr)
{
    enum ec_code code = ec_output_check(o, reterr);
    if (!o->borrowed && fclose(o->file) != 0 && code == EC_OK) {
        note_error(o, errno);
        code = ec_output_fail(o, o->error, reterr);
    }
    o->file = NULL;
    return code;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* The temporary file has been renamed or removed. */
static void forget_names(struct ec_output *o)
{
    if (o->temporary && o->unfinished)
        o->unfinished->tell(o->unfinished->context, o->temporary, false);
    if (o->lock > 0)
        close(o->lock);
    free(o->temporary);
    free(o->path);
    free(o->partial);
    if (!o->borrowed)
        free((char *)o->name);
    *o = (struct ec_output){0};
}

enum ec_code ec_output_commit(struct ec_output *o, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (o->file)
        code = ec_output_close(o, reterr);
    else if (o->error)
        code = ec_output_fail(o, o->error, reterr);
    if (code == EC_OK && o->temporary &&
        rename(o->temporary, o->interrupted ? o->partial : o->path) != 0)
        code = ec_output_fail(o, errno, reterr);
    if (code == EC_OK)
        forget_names(o);
    else
        ec_output_discard(o);
    return code;
}

void ec_output_discard(struct ec_output *o)
{
    if (o->file && !o->borrowed)
        fclose(o->file);
    if (o->temporary)
        unlink(o->temporary);
    forget_names(o);
}

enum ec_code ec_output_end(struct ec_output *o, bool keep, struct ec_error *reterr)
{
    if (keep)
        return ec_output_commit(o, reterr);
    ec_output_discard(o);
    return EC_OK;
}

/* --- Texts in memory -------------------------------------------------------------------------- */

bool ec_memstream_close(FILE *stream, char **text)
{
    if (!stream) {
        *text = NULL;
        return false;
    }
    const bool good = fflush(stream) == 0 && !ferror(stream);
    if (fclose(stream) == 0 && good && *text)
        return true;
    free(*text);
    *text = NULL;
    return false;
}

/* --- Files of a process that ends early ------------------------------------------------------- */

void ec_unfinished_note(struct ec_unfinished_files *files, const char *path, bool there)
{
    const char *before = there ? "" : path;
    for (size_t i = 0; i < EC_UNFINISHED_MAX; i++) {
        if (strcmp(files->path[i], before) != 0)
            continue;
        const size_t length = there ? strlen(path) : 0;
        if (length >= sizeof files->path[i])
            return;
        /* The first byte last: another process may read the name and remove the file at any time.
         */
        volatile char *const file = files->path[i];
        file[0] = '\0';
        if (there)
            memcpy(files->path[i] + 1, path + 1, length);
        file[0] = there ? path[0] : '\0';
        return;
    }
}

void ec_unfinished_remove(struct ec_unfinished_files *files)
{
    for (size_t i = 0; i < EC_UNFINISHED_MAX; i++) {
        if (files->path[i][0])
            unlink(files->path[i]);
        files->path[i][0] = '\0';
    }
}
