/* SPDX-License-Identifier: Apache-2.0 */
/* One cache entry in the making: running tools on its stage, keeping their log, publishing it.
 *
 * Knows stages, manifests and child processes; must not know which tools these are. */
#include "shape/making.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "shape/log.h"

void ec_making_init(struct ec_making *m, const struct ec_recipe *r, const char *cache,
                    const sigset_t *before, const char *name)
{
    *m = (struct ec_making){.r = r, .cache = cache, .before = before, .stage.lock = -1, .log = -1};
    snprintf(m->name, sizeof m->name, "%s", name);
    clock_gettime(CLOCK_MONOTONIC, &m->start);
}

double ec_making_seconds(const struct ec_making *m)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - m->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - m->start.tv_nsec);
}

enum ec_code ec_making_open(struct ec_making *m, struct ec_error *reterr)
{
    char path[PATH_MAX];
    enum ec_code code = ec_stage_open(m->cache, &m->stage, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" EC_BUILD_LOG, m->stage.path);
    if (code != EC_OK)
        return code;
    m->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (m->log < 0)
        return ec_fail(reterr, EC_IO, "cannot write %s: %s", path, strerror(errno));
    return EC_OK;
}

/* The command line opens the tool's part of the log. */
enum ec_code ec_making_start(struct ec_making *m, struct ec_args *args, const char *cwd,
                             struct ec_error *reterr)
{
    bool logged = true;
    for (size_t i = 0; i < args->count; i++)
        logged = logged && dprintf(m->log, "%s%s", i == 0 ? "$ " : " ", args->words[i]) > 0;
    logged = logged && dprintf(m->log, "\n") > 0;
    enum ec_code code;
    if (!logged)
        code = ec_fail(reterr, EC_IO, "cannot write %s/" EC_BUILD_LOG ": %s", m->stage.path,
                       strerror(errno));
    else
        code = ec_process_start(args, cwd, m->log, &m->pids[m->count], reterr);
    if (code == EC_OK)
        m->count++;
    ec_args_free(args);
    return code;
}

enum ec_code ec_making_wait(struct ec_making *m, bool *ret_failed, struct ec_error *reterr)
{
    bool failed = false;
    for (; m->count > 0; m->count--) {
        int status = 0;
        const enum ec_code code =
            ec_process_wait(&m->pids[m->count - 1], m->before, &status, reterr);
        if (code != EC_OK)
            return code;
        failed = failed || status != 0;
    }
    *ret_failed = failed;
    return EC_OK;
}

enum ec_code ec_making_expect(struct ec_making *m, struct ec_error *reterr)
{
    bool failed = false;
    const enum ec_code code = ec_making_wait(m, &failed, reterr);
    if (code != EC_OK || !failed)
        return code;
    return ec_build_log_keep(m->stage.path, m->cache, m->name, m->r->description, reterr);
}

void ec_making_close(struct ec_making *m)
{
    while (m->count > 0)
        ec_process_kill(m->pids[--m->count]);
    if (m->log >= 0)
        close(m->log);
    ec_stage_close(&m->stage);
}

/* What both manifests say. */
static json_t *manifest_common(const struct ec_making *m, const char *description, const char *file,
                               const char *checksum, uint64_t bytes)
{
    return json_pack("{s:i, s:s, s:s, s:I, s:s, s:s, s:s, s:f}", "schema", 1, "description",
                     description, "file", file, "bytes", (json_int_t)bytes, "checksum", checksum,
                     "verilator", m->r->tools.verilator_version, "compiler",
                     m->r->tools.cxx_version, "seconds", ec_making_seconds(m));
}

enum ec_code ec_making_finish(struct ec_making *m, const char *description, const char *file,
                              json_t *more, struct ec_error *reterr)
{
    char path[PATH_MAX], checksum[33];
    uint64_t bytes = 0;
    char *text = NULL;
    json_t *manifest = NULL;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", m->stage.path, file);
    if (code == EC_OK)
        code = ec_file_hash(path, checksum, &bytes, reterr);
    if (code != EC_OK)
        goto cleanup;
    manifest = manifest_common(m, description, file, checksum, bytes);
    if (manifest == NULL || more == NULL || json_object_update(manifest, more) != 0 ||
        (text = json_dumps(manifest, JSON_INDENT(2))) == NULL) {
        code = ec_fail(reterr, EC_MEMORY, "no memory for the manifest of %s", description);
        goto cleanup;
    }
    code = ec_path(path, sizeof path, reterr, "%s/" EC_MANIFEST, m->stage.path);
    if (code == EC_OK)
        code = ec_file_write(path, text, strlen(text), reterr);
    if (code == EC_OK)
        code = ec_stage_publish(&m->stage, m->cache, m->name, reterr);
cleanup:
    free(text);
    json_decref(manifest);
    json_decref(more);
    return code;
}
