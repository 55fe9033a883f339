/* SPDX-License-Identifier: Apache-2.0 */
/* Finding Verilator and the C++ compiler, and remembering what they said about themselves.
 *
 * Asking a tool for its version takes tens of milliseconds, which a warm run must not pay; so the
 * answers are kept in the cache folder, in a file keyed by the identity of the program. Knows the
 * tools' options for this; must not know how shapes are built. */
#include "shape/toolchain.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/output.h"

#define MEMO_FILE "tools.json"

/* Append "path size time" of every word of `command` that names a program: for "ccache g++" both
 * count. False if the first word names none. */
static bool identify(const char *command, char *buffer, size_t size)
{
    struct ec_args words = {0};
    size_t used = 0;
    bool found = false;
    ec_args_split(&words, command);
    for (size_t i = 0; i < words.count && !words.failed && used < size; i++) {
        char path[PATH_MAX];
        struct stat info;
        if (!ec_program_find(words.words[i], path, sizeof path) || stat(path, &info) != 0)
            continue;
        found = found || i == 0;
        const int more =
            snprintf(buffer + used, size - used, "%s %lld %lld.%09ld;", path,
                     (long long)info.st_size, (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
        used += more > 0 ? (size_t)more : 0;
    }
    ec_args_free(&words);
    return found && used < size;
}

/* Run `command option` and keep the first line. */
static enum ec_code ask(const char *command, const char *option, char *buffer, size_t size,
                        struct ec_error *reterr)
{
    struct ec_args args = {0};
    char text[PATH_MAX];
    int status = 0;
    ec_args_split(&args, command);
    ec_args_add(&args, "%s", option);
    if (strcmp(option, "--getenv") == 0)
        ec_args_add(&args, "VERILATOR_ROOT");
    const enum ec_code code = ec_process_capture(&args, text, sizeof text, &status, reterr);
    ec_args_free(&args);
    if (code != EC_OK)
        return code;
    text[strcspn(text, "\n")] = '\0';
    if (status != 0 || text[0] == '\0')
        return ec_fail(reterr, EC_TOOL, "\"%.200s %s\" failed (status %d)%s%.200s", command, option,
                       status, text[0] == '\0' ? "" : ": ", text);
    if ((size_t)snprintf(buffer, size, "%s", text) >= size)
        return ec_fail(reterr, EC_TOOL, "answer of \"%.200s %s\" is too long", command, option);
    return EC_OK;
}

/* The answer of `command option` from the memo, or from the tool itself (then *changed is set). */
static enum ec_code recall(json_t *memo, const char *command, const char *option, char *buffer,
                           size_t size, bool *changed, struct ec_error *reterr)
{
    char key[2 * PATH_MAX];
    const size_t used = strlen(option) + 1;
    snprintf(key, sizeof key, "%s ", option);
    if (!identify(command, key + used, sizeof key - used))
        return ec_fail(reterr, EC_TOOL, "cannot find the program \"%.200s\"", command);

    const char *known = json_string_value(json_object_get(memo, key));
    if (known != NULL && (size_t)snprintf(buffer, size, "%s", known) < size)
        return EC_OK;
    const enum ec_code code = ask(command, option, buffer, size, reterr);
    if (code != EC_OK)
        return code;
    if (json_object_set_new(memo, key, json_string(buffer)) == 0)
        *changed = true;
    return EC_OK;
}

/* The memo only saves time: if it cannot be kept, the next run asks the tools again. */
static void keep(const char *path, const json_t *memo)
{
    struct ec_output out;
    if (ec_output_open(&out, NULL, path, NULL, NULL) != EC_OK)
        return;
    const bool good = json_dumpf(memo, out.file, JSON_INDENT(1) | JSON_SORT_KEYS) == 0;
    ec_output_end(&out, good, NULL);
}

static bool is_program(const char *command)
{
    char identity[2 * PATH_MAX];
    return identify(command, identity, sizeof identity);
}

static enum ec_code choose_programs(struct ec_toolchain *tools, struct ec_error *reterr)
{
    const char *wanted = getenv("VERILATOR");
    const char *verilator = wanted != NULL && *wanted != '\0' ? wanted : "verilator";
    if (!is_program(verilator))
        return ec_fail(reterr, EC_TOOL,
                       "Verilator is missing (looked for \"%.200s\"%s): "
                       "install it with \"apt-get install verilator\"",
                       verilator, wanted != NULL ? ", from VERILATOR" : "");

    wanted = getenv("CXX");
    const char *cxx = wanted != NULL && *wanted != '\0' ? wanted : "c++";
    if (cxx != wanted && !is_program(cxx))
        cxx = "g++";
    if (!is_program(cxx))
        return ec_fail(reterr, EC_TOOL,
                       "a C++ compiler is missing (looked for \"%.200s\"%s): "
                       "install it with \"apt-get install g++\"",
                       cxx, cxx == wanted ? ", from CXX" : " and \"c++\"");
    enum ec_code code = ec_path(tools->verilator, sizeof tools->verilator, reterr, "%s", verilator);
    if (code == EC_OK)
        code = ec_path(tools->cxx, sizeof tools->cxx, reterr, "%s", cxx);
    return code;
}

enum ec_code ec_toolchain_find(const char *cache, struct ec_toolchain *ret, struct ec_error *reterr)
{
    struct ec_toolchain tools;
    char path[PATH_MAX];
    bool changed = false;
    enum ec_code code = choose_programs(&tools, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" MEMO_FILE, cache);
    if (code != EC_OK)
        return code;

    json_t *memo = json_load_file(path, 0, NULL);
    if (!json_is_object(memo)) {
        json_decref(memo);
        memo = json_object();
    }
    if (memo == NULL)
        return ec_fail(reterr, EC_MEMORY, "no memory for the versions of the tools");
    code = recall(memo, tools.verilator, "--version", tools.verilator_version,
                  sizeof tools.verilator_version, &changed, reterr);
    const char *root = getenv("VERILATOR_ROOT"); /* what Verilator itself obeys */
    if (code == EC_OK && root != NULL && *root != '\0')
        code = ec_path(tools.verilator_root, sizeof tools.verilator_root, reterr, "%s", root);
    else if (code == EC_OK)
        code = recall(memo, tools.verilator, "--getenv", tools.verilator_root,
                      sizeof tools.verilator_root, &changed, reterr);
    if (code == EC_OK)
        code = recall(memo, tools.cxx, "--version", tools.cxx_version, sizeof tools.cxx_version,
                      &changed, reterr);
    if (code == EC_OK && changed)
        keep(path, memo);
    json_decref(memo);
    if (code == EC_OK)
        *ret = tools;
    return code;
}
