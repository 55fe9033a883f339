/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a wave: the dump, and the layouts beside it. Each is written under a name of its own
 * and gets its real one when all of them are whole.
 *
 * Knows names and the ways in which writing fails; what is in the files, their writers know. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "observe/wave_state.h"

static const struct {
    const char *ending;
    void (*put)(const struct ec_wave *w, FILE *file); /* NULL: Verilator writes it */
} kinds[WAVE_FILES] = {
    [WAVE_DUMP] = {"fst", NULL},
    [WAVE_LABELS] = {"labels", wave_put_labels},
    [WAVE_GTKW] = {"gtkw", wave_put_gtkw},
    [WAVE_SUCL] = {"sucl", wave_put_surfer},
};

static enum ec_code fail(const struct wave_file *f, int error, struct ec_error *reterr)
{
    return ec_fail_write(reterr, "the wave ", f->path, error);
}

/* Begin the temporary file, or end it. */
static FILE *begin(const struct ec_wave *w, struct wave_file *f)
{
    ec_unfinished_tell(w->unfinished, f->temporary, true); /* before it is there */
    FILE *file = fopen(f->temporary, "we");
    const int error = errno;
    f->there = file != NULL;
    if (!file)
        ec_unfinished_tell(w->unfinished, f->temporary, false);
    errno = error;
    return file;
}

static void end(const struct ec_wave *w, struct wave_file *f)
{
    ec_unfinished_tell(w->unfinished, f->temporary, false);
    f->there = false;
}

/* FILE.fst as it is called, the others after it without ".fst". */
static enum ec_code set_names(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    const size_t length = strlen(path);
    const int stem = (int)(ec_name_ends(path, ".fst") ? length - strlen(".fst") : length);
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        struct wave_file *f = &w->files[i];
        code = i == WAVE_DUMP ? ec_path(f->path, sizeof f->path, reterr, "%s", path)
                              : ec_path(f->path, sizeof f->path, reterr, "%.*s.%s", stem, path,
                                        kinds[i].ending);
        if (code == EC_OK)
            code = ec_path(f->temporary, sizeof f->temporary, reterr, "%s.%ld.tmp", f->path,
                           (long)getpid());
    }
    return code;
}

/* Say why a file cannot be written before anything is simulated. */
enum ec_code wave_files_open(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = set_names(w, path, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < WAVE_FILES; i++) {
        const struct wave_file *f = &w->files[i];
        if (stat(f->path, &info) == 0 && !S_ISREG(info.st_mode))
            return ec_fail(reterr, EC_IO, "cannot write the wave %.300s: it is %s", f->path,
                           S_ISDIR(info.st_mode) ? "a folder" : "no regular file");
    }
    struct wave_file *dump = &w->files[WAVE_DUMP];
    FILE *file = begin(w, dump);
    if (!file)
        return fail(dump, errno, reterr);
    fclose(file);
    return EC_OK;
}

enum ec_code wave_files_lost(const struct ec_wave *w, struct ec_error *reterr)
{
    return fail(&w->files[WAVE_DUMP], w->lost, reterr);
}

static enum ec_code write_layout(struct ec_wave *w, size_t kind, struct ec_error *reterr)
{
    struct wave_file *f = &w->files[kind];
    FILE *file = begin(w, f);
    if (!file)
        return fail(f, errno, reterr);
    errno = 0;
    kinds[kind].put(w, file);
    const bool bad = ferror(file) != 0;
    const int error = errno; /* of the write that failed */
    if (fclose(file) != 0)
        return fail(f, errno, reterr);
    return bad ? fail(f, error, reterr) : EC_OK;
}

/* The dump comes last: where it is, the layouts are. */
enum ec_code wave_files_finish(struct ec_wave *w, uint64_t *ret_bytes, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = EC_OK;
    if (stat(w->files[WAVE_DUMP].temporary, &info) != 0)
        return fail(&w->files[WAVE_DUMP], errno, reterr);
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        if (kinds[i].put)
            code = write_layout(w, i, reterr);
    }
    for (size_t i = WAVE_FILES; i-- > 0 && code == EC_OK;) {
        struct wave_file *f = &w->files[i];
        if (rename(f->temporary, f->path) != 0)
            code = fail(f, errno, reterr);
        else
            end(w, f);
    }
    if (code == EC_OK)
        *ret_bytes = (uint64_t)info.st_size;
    return code;
}

void wave_files_remove(struct ec_wave *w)
{
    for (size_t i = 0; i < WAVE_FILES; i++) {
        struct wave_file *f = &w->files[i];
        if (!f->there)
            continue;
        unlink(f->temporary);
        end(w, f);
    }
}
