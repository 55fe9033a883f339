/* SPDX-License-Identifier: Apache-2.0 */
/* Understanding what Verilator and the compilers wrote.
 *
 * The only file that looks for words in the tools' messages. Must not know how they are run. */
#include "shape/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "shape/cache.h"

static bool read_text(const char *folder, const char *name, char **ret)
{
    char path[PATH_MAX];
    size_t size;
    return ec_path(path, sizeof path, NULL, "%s/%s", folder, name) == EC_OK &&
           ec_file_read(path, ret, &size, NULL) == EC_OK;
}

/* The first line with a word in it; the command lines of the log begin with "$ ". */
static char *line_with(char *text, const char *word)
{
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        if (length > 0 && strncmp(line, "$ ", 2) != 0 &&
            memmem(line, length, word, strlen(word)) != NULL) {
            line[length] = '\0';
            return line;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return NULL;
}

/* What the last command wrote: a first try without luck comes before it. */
static char *last_command(char *text)
{
    char *last = text;
    for (char *at = text; (at = strstr(at, "\n$ ")) != NULL; at++)
        last = at + 1;
    return last;
}

/* The first line that reports an error, of the last command if there is one. */
static const char *first_error(char *text)
{
    static const char *const words[] = {"%Error", "error:", "Error:", "undefined reference", ""};
    const size_t count = sizeof words / sizeof *words;
    char *line = NULL;
    for (size_t w = 0; w < count - 1 && line == NULL; w++)
        line = line_with(last_command(text), words[w]);
    for (size_t w = 0; w < count && line == NULL; w++)
        line = line_with(text, words[w]);
    return line != NULL ? line : "no message";
}

static bool disk_is_full(const char *folder, const char *text)
{
    struct statvfs info;
    return strstr(text, "No space left on device") != NULL ||
           (statvfs(folder, &info) == 0 && info.f_bavail == 0);
}

enum ec_code ec_build_log_keep(const char *stage, const char *cache, const char *name,
                               const char *description, struct ec_error *reterr)
{
    char from[PATH_MAX], to[PATH_MAX];
    char *text = NULL;
    if (!read_text(stage, EC_BUILD_LOG, &text))
        return ec_fail(reterr, EC_TOOL, "building router shape %s failed, and its log is lost",
                       description);
    bool kept = ec_path(to, sizeof to, NULL, "%s/logs", cache) == EC_OK &&
                ec_folder_make(to, EC_FOLDER_PRIVATE, NULL) == EC_OK &&
                ec_path(from, sizeof from, NULL, "%s/" EC_BUILD_LOG, stage) == EC_OK &&
                ec_path(to, sizeof to, NULL, "%s/logs/%s.log", cache, name) == EC_OK &&
                rename(from, to) == 0;
    enum ec_code code;
    if (strstr(text, "zlib.h: No such file") != NULL)
        code = ec_fail(reterr, EC_TOOL,
                       "building router shape %s failed: waves need the headers of zlib, "
                       "install them with \"apt-get install zlib1g-dev\"",
                       description);
    else if (disk_is_full(cache, text))
        code = ec_fail(reterr, EC_IO, "cannot build router shape %s in %s: %s", description, cache,
                       strerror(ENOSPC));
    else
        code =
            ec_fail(reterr, EC_TOOL, "building router shape %s failed: %.400s (%s%s)", description,
                    first_error(text), kept ? "log: " : "log not kept", kept ? to : "");
    free(text);
    return code;
}

void ec_build_log_missing_pins(const char *stage, bool *ret_taps, bool *ret_quiet)
{
    char *text = NULL;
    if (!read_text(stage, EC_BUILD_LOG, &text))
        return;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        /* The wording differs by version ("Pin not found", "attempts to connect to", ...); that the
         * wrapper is blamed, and the name in quotes, do not. */
        if (strncmp(line, "%Error", 6) != 0 || strstr(line, "/ec_tile.sv:") == NULL)
            continue;
        if (strstr(line, "'contended_o'") != NULL || strstr(line, "'starved_o'") != NULL ||
            strstr(line, "'want_o'") != NULL)
            *ret_taps = false;
        if (strstr(line, "'quiet_o'") != NULL)
            *ret_quiet = false;
    }
    free(text);
}

static bool is_source(const char *path)
{
    return ec_name_ends(path, ".sv") || ec_name_ends(path, ".svh") || ec_name_ends(path, ".v") ||
           ec_name_ends(path, ".vh");
}

json_t *ec_build_foreign_sources(const char *stage, const struct ec_recipe *r)
{
    char *text = NULL;
    char *save = NULL;
    json_t *sources = json_object();
    char data[PATH_MAX];
    if (sources == NULL || !read_text(stage, "cpp/Vec_tile__ver.d", &text))
        return sources;
    if (realpath(r->data, data) == NULL)
        data[0] = '\0';
    /* A makefile rule: "generated files : sources". */
    char *rest = strstr(text, " : ");
    for (char *word = strtok_r(rest != NULL ? rest + 3 : text, " \n", &save); word != NULL;
         word = strtok_r(NULL, " \n", &save)) {
        char path[PATH_MAX], checksum[33];
        if (!is_source(word) || realpath(word, path) == NULL ||
            (data[0] != '\0' && strncmp(path, data, strlen(data)) == 0) ||
            ec_file_hash(path, checksum, NULL, NULL) != EC_OK)
            continue;
        json_object_set_new(sources, path, json_string(checksum));
    }
    free(text);
    return sources;
}
