/* SPDX-License-Identifier: Apache-2.0 */
/* Output that either arrives whole or is reported missing.
 *
 * Knows files, renames and the ways in which writing fails; knows nothing of what is written. */
#include "terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/interrupt.h"

static enum ec_code fail_errno(struct ec_error *reterr, const char *name, const char *what)
{
    return ec_fail(reterr, EC_IO, "%s '%.200s': %s", what, name, strerror(errno));
}

/* The file itself, not a symbolic link to it: a rename would replace the link. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

/* Create PATH.tmp.XXXXXX with the permissions that PATH has or would get. */
static int open_temporary(const char *path, const struct stat *old, char **ret_temporary)
{
    char *name = NULL;
    if (asprintf(&name, "%s.tmp.XXXXXX", path) < 0)
        return -1;
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) {
        free(name);
        return -1;
    }
    cli_interrupt_unfinished.tell(NULL, name, true);
    mode_t mask = umask(0);
    umask(mask);
    /* Failing to set the mode leaves a file that only its owner reads: no reason to give up. */
    (void)!fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask);
    *ret_temporary = name;
    return fd;
}

/* The end of the temporary name: the file has another one by now, or is to be removed. */
static void forget(struct cli_output *o, bool drop)
{
    if (o->temporary && drop)
        unlink(o->temporary);
    if (o->temporary)
        cli_interrupt_unfinished.tell(NULL, o->temporary, false);
    free(o->temporary);
    free(o->path);
}

static enum ec_code open_file(const char *path, struct cli_output *o, struct ec_error *reterr)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return fail_errno(reterr, path, "cannot write");
    }
    int fd;
    if (exists && !S_ISREG(old.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        if (exists && access(path, W_OK) != 0)
            return fail_errno(reterr, path, "cannot write");
        o->path = resolve(path);
        fd = o->path ? open_temporary(o->path, exists ? &old : NULL, &o->temporary) : -1;
    }
    o->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (o->file)
        return EC_OK;
    enum ec_code code = fail_errno(reterr, path, "cannot write");
    if (fd >= 0)
        close(fd);
    forget(o, true);
    return code;
}

enum ec_code cli_output_open(const char *path, struct cli_output *ret, struct ec_error *reterr)
{
    if (path && strcmp(path, "-") == 0)
        path = NULL;
    struct cli_output o = {.file = stdout, .name = path ? path : "standard output"};
    if (path) {
        enum ec_code code = open_file(path, &o, reterr);
        if (code != EC_OK)
            return code;
    }
    *ret = o;
    return EC_OK;
}

enum ec_code cli_output_check(struct cli_output *o, struct ec_error *reterr)
{
    if (fflush(o->file) == 0 && !ferror(o->file))
        return EC_OK;
    return fail_errno(reterr, o->name, "cannot write");
}

enum ec_code cli_output_close(struct cli_output *o, bool keep, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (!o->file)
        return EC_OK;
    if (keep)
        code = cli_output_check(o, reterr);
    if (o->file != stdout && fclose(o->file) != 0 && keep && code == EC_OK)
        code = fail_errno(reterr, o->name, "cannot write");
    if (o->temporary) {
        if (keep && code == EC_OK && rename(o->temporary, o->path) != 0)
            code = fail_errno(reterr, o->name, "cannot write");
    }
    forget(o, !keep || code != EC_OK);
    *o = (struct cli_output){0};
    return code;
}

enum cli_status cli_output_flush(FILE *file, const char *name)
{
    struct cli_output o = {.file = file, .name = name};
    struct ec_error error;
    if (cli_output_check(&o, &error) == EC_OK)
        return CLI_OK;
    return cli_complain(NULL, &error);
}
