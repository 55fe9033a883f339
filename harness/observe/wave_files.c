/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a wave: the dump, and the layouts beside it. Each is written under a name of its own
 * and gets its real one when all of them are whole.
 *
 * Knows names and the ways in which writing fails; what is in the files, their writers know. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

/* FILE.fst as it is called, the others after it without ".fst". */
static enum ec_code set_names(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    const size_t length = strlen(path);
    const int stem = (int)(ec_name_ends(path, ".fst") ? length - strlen(".fst") : length);
    enum ec_code code = ec_path(w->path[WAVE_DUMP], sizeof *w->path, reterr, "%s", path);
    for (size_t i = WAVE_DUMP + 1; i < WAVE_FILES && code == EC_OK; i++)
        code = ec_path(w->path[i], sizeof *w->path, reterr, "%.*s.%s", stem, path, kinds[i].ending);
    return code;
}

static enum ec_code begin(struct ec_wave *w, size_t kind, struct ec_error *reterr)
{
    return ec_output_open(&w->files[kind], "the wave", w->path[kind], w->unfinished, reterr);
}

/* Say why a file cannot be written before anything is simulated. */
enum ec_code wave_files_open(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = set_names(w, path, reterr);
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        if (stat(w->path[i], &info) == 0 && !S_ISREG(info.st_mode))
            code = ec_fail(reterr, EC_IO, "cannot write the wave %.300s: it is %s", w->path[i],
                           S_ISDIR(info.st_mode) ? "a folder" : "no regular file");
    }
    if (code == EC_OK)
        code = begin(w, WAVE_DUMP, reterr);
    /* Verilator opens the temporary file itself. */
    return code == EC_OK ? ec_output_close(&w->files[WAVE_DUMP], reterr) : code;
}

enum ec_code wave_files_lost(const struct ec_wave *w, struct ec_error *reterr)
{
    return ec_fail_write(reterr, "the wave", w->path[WAVE_DUMP], w->lost);
}

static enum ec_code write_layout(struct ec_wave *w, size_t kind, struct ec_error *reterr)
{
    const enum ec_code code = begin(w, kind, reterr);
    if (code != EC_OK)
        return code;
    kinds[kind].put(w, w->files[kind].file);
    return ec_output_close(&w->files[kind], reterr);
}

/* The dump comes last: where it is, the layouts are. */
enum ec_code wave_files_finish(struct ec_wave *w, uint64_t *ret_bytes, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = EC_OK;
    if (stat(w->files[WAVE_DUMP].temporary, &info) != 0)
        return ec_output_fail(&w->files[WAVE_DUMP], errno, reterr);
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        if (kinds[i].put)
            code = write_layout(w, i, reterr);
    }
    for (size_t i = WAVE_FILES; i-- > 0 && code == EC_OK;)
        code = ec_output_commit(&w->files[i], reterr);
    if (code == EC_OK)
        *ret_bytes = (uint64_t)info.st_size;
    return code;
}

void wave_files_remove(struct ec_wave *w)
{
    for (size_t i = 0; i < WAVE_FILES; i++)
        ec_output_discard(&w->files[i]);
}
