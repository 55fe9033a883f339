/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that goes into a shape, and its hash: sources, parameters, flags, versions of the
 * tools. Two recipes with the same key give the same tile, so whatever could change it must be
 * hashed here.
 *
 * Knows where the sources are and how to query the versions of the tools. Must not know how the
 * cache is organised or how a shape is built. */
#include "shape/recipe.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/output.h"
#include "paths.h"
#include "shape/engine.h"

/* --- Tools ------------------------------------------------------------------------------------ */

#define MEMO_FILE       "programs.json" /* not that of earlier versions, which has no checksums */
#define CHECKSUM_DIGITS 17              /* with the blank behind it */

/* Append "path size time" of every word of `command` that names a program, such as both words of
 * "ccache g++". False if the first word names none. */
static bool identify(const char *command, char *buffer, size_t size)
{
    static const char blanks[] = " \t\n";
    const char *const first = command + strspn(command, blanks);
    size_t used = 0;
    bool found = false;
    for (const char *at = first, *next; *at && used < size; at = next) {
        const size_t length = strcspn(at, blanks);
        char word[PATH_MAX], path[PATH_MAX];
        struct stat info;
        next = at + length + strspn(at + length, blanks);
        if (ec_path(word, sizeof word, NULL, "%.*s", (int)length, at) != EC_OK ||
            !ec_program_find(word, path, sizeof path) || stat(path, &info) != 0)
            continue;
        found = found || at == first;
        const int more =
            snprintf(buffer + used, size - used, "%s %lld %lld.%09ld;", path,
                     (long long)info.st_size, (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
        used += more > 0 ? (size_t)more : 0;
    }
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
        return ec_fail(reterr, EC_TOOL, "the output of \"%.200s %s\" is too long", command, option);
    return EC_OK;
}

/* It precedes an answer in the memo: a damaged memo would name another tool, or its wrong folder.
 */
static const char *answer_checksum(const char *key, const char *answer,
                                   char buffer[CHECKSUM_DIGITS + 1])
{
    const XXH64_hash_t begin = XXH3_64bits(key, strlen(key));
    snprintf(buffer, CHECKSUM_DIGITS + 1, "%016llx ",
             (unsigned long long)XXH3_64bits_withSeed(answer, strlen(answer), begin));
    return buffer;
}

/* The output of `command option` from the memo, or from the tool itself (then *changed is set). */
static enum ec_code recall(json_t *memo, const char *command, const char *option, char *buffer,
                           size_t size, bool *changed, struct ec_error *reterr)
{
    char key[2 * PATH_MAX];
    const size_t used = strlen(option) + 1;
    snprintf(key, sizeof key, "%s ", option);
    if (!identify(command, key + used, sizeof key - used))
        return ec_fail(reterr, EC_TOOL, "cannot find the program \"%.200s\"", command);

    char sum[CHECKSUM_DIGITS + 1];
    const char *known = json_string_value(json_object_get(memo, key));
    if (known != NULL && strlen(known) > CHECKSUM_DIGITS &&
        (size_t)snprintf(buffer, size, "%s", known + CHECKSUM_DIGITS) < size &&
        strncmp(known, answer_checksum(key, buffer, sum), CHECKSUM_DIGITS) == 0)
        return EC_OK;
    const enum ec_code code = ask(command, option, buffer, size, reterr);
    if (code != EC_OK)
        return code;
    json_t *value = json_sprintf("%s%s", answer_checksum(key, buffer, sum), buffer);
    if (json_object_set_new(memo, key, value) == 0)
        *changed = true;
    return EC_OK;
}

/* The memo only saves time. If it cannot be written, the next run queries the tools again. */
static void keep_memo(const char *path, const json_t *memo)
{
    struct ec_output out;
    if (ec_output_open(&out, NULL, path, NULL, NULL) != EC_OK)
        return;
    const bool good = json_dumpf(memo, out.file, JSON_INDENT(1) | JSON_SORT_KEYS) == 0;
    ec_output_end(&out, good, NULL);
}

static bool names_program(const char *command)
{
    char identity[2 * PATH_MAX];
    return identify(command, identity, sizeof identity);
}

static enum ec_code choose_yosys(struct ec_toolchain *tools, struct ec_error *reterr)
{
    const char *wanted = getenv("YOSYS");
    const char *yosys = wanted != NULL && *wanted != '\0' ? wanted : "yosys";
    if (!names_program(yosys))
        return ec_fail(reterr, EC_TOOL,
                       "Yosys is missing (looked for \"%.200s\"%s), which --engine simd needs: "
                       "install it with \"apt-get install yosys\", or use --engine verilator",
                       yosys, wanted != NULL ? ", from YOSYS" : "");
    return ec_path(tools->verilator, sizeof tools->verilator, reterr, "%s", yosys);
}

static enum ec_code choose_verilator(struct ec_toolchain *tools, struct ec_error *reterr)
{
    const char *wanted = getenv("VERILATOR");
    const char *verilator = wanted != NULL && *wanted != '\0' ? wanted : "verilator";
    if (!names_program(verilator))
        return ec_fail(
            reterr, EC_TOOL,
            "Verilator is missing (looked for \"%.200s\"%s): "
            "install it with \"apt-get install verilator\", or import compiled routers with "
            "\"ecube tile import\"",
            verilator, wanted != NULL ? ", from VERILATOR" : "");
    return ec_path(tools->verilator, sizeof tools->verilator, reterr, "%s", verilator);
}

static enum ec_code choose_programs(struct ec_toolchain *tools, const struct ec_engine *engine,
                                    struct ec_error *reterr)
{
    const enum ec_code code =
        engine != NULL ? choose_yosys(tools, reterr) : choose_verilator(tools, reterr);
    if (code != EC_OK)
        return code;
    const char *wanted = getenv("CXX");
    const char *cxx = wanted != NULL && *wanted != '\0' ? wanted : "c++";
    if (cxx != wanted && !names_program(cxx))
        cxx = "g++";
    if (!names_program(cxx))
        return ec_fail(reterr, EC_TOOL,
                       "a C++ compiler is missing (looked for \"%.200s\"%s): "
                       "install it with \"apt-get install g++\", or import compiled routers with "
                       "\"ecube tile import\"",
                       cxx, cxx == wanted ? ", from CXX" : " and \"c++\"");
    return ec_path(tools->cxx, sizeof tools->cxx, reterr, "%s", cxx);
}

static enum ec_code find_tools(const char *cache, const struct ec_engine *engine,
                               struct ec_toolchain *ret, struct ec_error *reterr)
{
    struct ec_toolchain tools;
    char path[PATH_MAX];
    bool changed = false;
    enum ec_code code = choose_programs(&tools, engine, reterr);
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
        return ec_fail(reterr, EC_MEMORY, "out of memory for the versions of the tools");
    code = recall(memo, tools.verilator, engine != NULL ? "-V" : "--version",
                  tools.verilator_version, sizeof tools.verilator_version, &changed, reterr);
    const char *root = getenv("VERILATOR_ROOT"); /* Verilator itself obeys it */
    if (code == EC_OK && engine != NULL)
        tools.verilator_root[0] = '\0';
    else if (code == EC_OK && root != NULL && *root != '\0')
        code = ec_path(tools.verilator_root, sizeof tools.verilator_root, reterr, "%s", root);
    else if (code == EC_OK)
        code = recall(memo, tools.verilator, "--getenv", tools.verilator_root,
                      sizeof tools.verilator_root, &changed, reterr);
    if (code == EC_OK)
        code = recall(memo, tools.cxx, "--version", tools.cxx_version, sizeof tools.cxx_version,
                      &changed, reterr);
    if (code == EC_OK && changed)
        keep_memo(path, memo);
    json_decref(memo);
    if (code == EC_OK)
        *ret = tools;
    return code;
}

/* --- Sources ---------------------------------------------------------------------------------- */

enum ec_code ec_data_path(char *buffer, size_t size, struct ec_error *reterr)
{
    const char *wanted = getenv("ECUBE_DATA");
    if (wanted != NULL && *wanted != '\0') {
        const enum ec_code code = ec_path(buffer, size, reterr, "%s", wanted);
        if (code == EC_OK && !ec_folder_has(buffer, EC_DATA_WRAPPER))
            return ec_fail(reterr, EC_IO, "ECUBE_DATA=%.400s has no " EC_DATA_WRAPPER, wanted);
        return code;
    }
    if (ec_locate(EC_SOURCE_ROOT, EC_DATADIR "/ecube", EC_DATA_WRAPPER, buffer, size))
        return EC_OK;
    return ec_fail(reterr, EC_IO,
                   "cannot find the router sources (" EC_DATADIR "/ecube/" EC_DATA_WRAPPER
                   " beside the program): set ECUBE_DATA to the folder that has " EC_DATA_RTL "/");
}

/* --- The hash --------------------------------------------------------------------------------- */

/* Partial redundancy elimination keeps more values alive in the one long function of a model than
 * there are registers: 3 to 5 % slower with it (g++ 12). */
static const struct ec_recipe_kind router_kind = {
    .top = "ec_tile",
    .wrapper = EC_DATA_WRAPPER,
    .flags = "",
    .shim = "harness/library/shape/shim/ec_shim.cpp",
    .hot = "-O2 " EC_CXX_GNU_PRE,
};

/* Compiled for every topology, and used for comparisons: a short build matters more than speed.
 * Without -fno-gate (and ec_tile_network.vlt) Verilator would copy the code for every router to
 * resolve the wires of its ports: ten times the C++ for 16 nodes. */
static const struct ec_recipe_kind network_kind = {
    .top = "ec_tile_network",
    .wrapper = EC_DATA_RTL "/ec_tile_network.sv",
    .config = EC_DATA_RTL "/ec_tile_network.vlt",
    .flags = "-fno-gate",
    .shim = "harness/library/shape/shim/ec_flat_shim.cpp",
    .hot = "-O1",
};

enum { TOP_MAX = 200 }; /* characters of a module's name: a description has room for them */

/* Hash every piece with a tag and its length, so that no two lists of pieces look alike. */
static void add_bytes(XXH3_state_t *state, const char *tag, const void *bytes, size_t size)
{
    const uint64_t length = size;
    XXH3_128bits_update(state, tag, strlen(tag) + 1);
    XXH3_128bits_update(state, &length, sizeof length);
    XXH3_128bits_update(state, bytes, size);
}

static void add_text(XXH3_state_t *state, const char *tag, const char *text)
{
    add_bytes(state, tag, text, strlen(text));
}

static enum ec_code add_file(XXH3_state_t *state, const char *tag, const char *path,
                             struct ec_error *reterr)
{
    char *text = NULL;
    size_t size = 0;
    const enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code == EC_OK)
        add_bytes(state, tag, text, size);
    free(text);
    return code;
}

static enum ec_code add_folder(XXH3_state_t *state, const char *data, const char *folder,
                               struct ec_error *reterr)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", data, folder);
    if (code == EC_OK)
        code = ec_folder_names(path, &names, &count, reterr);
    for (size_t i = 0; i < count && code == EC_OK; i++) {
        if (!ec_name_ends(names[i], ".sv") && !ec_name_ends(names[i], ".svh") &&
            !ec_name_ends(names[i], ".vlt") && !ec_name_ends(names[i], ".cpp") &&
            !ec_name_ends(names[i], ".h"))
            continue;
        code = ec_path(path, sizeof path, reterr, "%s/%s/%s", data, folder, names[i]);
        if (code == EC_OK)
            code = add_file(state, names[i], path, reterr);
    }
    free(names);
    return code;
}

static enum ec_code add_data_file(XXH3_state_t *state, const char *data, const char *name,
                                  struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", data, name);
    return code == EC_OK ? add_file(state, name, path, reterr) : code;
}

static void add_words(XXH3_state_t *state, const char *tag, const struct ec_args *words)
{
    for (size_t i = 0; i < words->count; i++)
        add_text(state, tag, words->words[i]);
}

/* Folders and libraries by their real names: a relative one is another in each folder. */
static void add_paths(XXH3_state_t *state, const char *tag, const struct ec_args *words)
{
    for (size_t i = 0; i < words->count; i++) {
        char path[PATH_MAX];
        add_text(state, tag, realpath(words->words[i], path) != NULL ? path : words->words[i]);
    }
}

/* The path of a user's source counts too: it decides which files the source includes. Included
 * files and libraries are known once Verilator has read them (ec_foreign_sources). */
static enum ec_code add_user_rtl(XXH3_state_t *state, const struct ec_recipe *r,
                                 struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL && code == EC_OK; i++) {
        char path[PATH_MAX];
        code = add_file(state, "user-rtl", r->rtl[i], reterr);
        if (code == EC_OK)
            add_text(state, "user-path", realpath(r->rtl[i], path) != NULL ? path : r->rtl[i]);
    }
    if (code != EC_OK || r->rtl == NULL)
        return code;
    add_paths(state, "user-include", &r->user.includes);
    add_words(state, "user-define", &r->user.defines);
    add_words(state, "user-parameter", &r->user.parameters);
    add_paths(state, "user-library", &r->user.library);
    add_text(state, "user-top", r->top);
    add_text(state, "user-rules", EC_FOREIGN_RULES);
    if (r->balanced)
        add_text(state, "user-ties", "balanced");
    if (r->sets)
        add_text(state, "user-table", "sets");
    return code;
}

static void add_tools(XXH3_state_t *state, const struct ec_toolchain *tools)
{
    add_text(state, "verilator", tools->verilator_version);
    add_text(state, "root", tools->verilator_root);
    add_text(state, "c++", tools->cxx_version);
    add_text(state, "c++ command", tools->cxx);
}

const char *ec_recipe_variant(const struct ec_recipe *r)
{
    if (r->traced)
        return EC_VERILATOR_TRACED;
    return r->rtl != NULL ? EC_VERILATOR_FOREIGN : EC_VERILATOR_FAST;
}

const char *ec_recipe_coverage(const struct ec_recipe *r)
{
    if (r->cover == EC_COVER_NONE)
        return "";
    return r->cover == EC_COVER_ALL ? EC_VERILATOR_COVER " " EC_VERILATOR_TOGGLE
                                    : EC_VERILATOR_COVER;
}

const char *ec_recipe_hot(const struct ec_recipe *r)
{
    return r->cover == EC_COVER_ALL ? EC_CXX_TOGGLE : r->kind->hot;
}

static void add_engine(XXH3_state_t *state, const struct ec_engine *engine)
{
    add_text(state, "engine", engine->name);
    add_text(state, "generator", engine->generator);
    add_text(state, "instructions", engine->instructions());
    add_text(state, "engine flags", EC_CXX_LANES);
}

static void add_parameters(XXH3_state_t *state, const struct ec_recipe *r)
{
    add_bytes(state, "shape", &r->shape, sizeof r->shape);
    add_text(state, "top", r->kind->top);
    add_text(state, "parameters", r->parameters);
    add_text(state, "flags", EC_VERILATOR_FLAGS);
    add_text(state, "more flags", r->kind->flags);
    add_text(state, "variant", ec_recipe_variant(r));
    add_text(state, "init", r->random_init ? EC_VERILATOR_RANDOM_INIT : EC_VERILATOR_FAST_INIT);
    add_text(state, "c++ flags", EC_CXX_TILE_FLAGS " cold last " EC_CXX_COLD " " EC_LINK_FLAGS);
    add_text(state, "hot", ec_recipe_hot(r));
    if (r->cover != EC_COVER_NONE) {
        add_text(state, "coverage", ec_recipe_coverage(r));
        add_text(state, "data", r->data); /* its points name their files */
    }
    if (r->saved)
        add_text(state, "saved", EC_VERILATOR_SAVED);
    add_text(state, "c++ variant", r->traced ? EC_CXX_TRACED : EC_CXX_FAST);
}

static enum ec_code add_data_files(XXH3_state_t *state, const char *data, const char *const *names,
                                   struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (; *names != NULL && code == EC_OK; names++)
        code = add_data_file(state, data, *names, reterr);
    return code;
}

static enum ec_code add_runtime_files(XXH3_state_t *state, const struct ec_recipe *r,
                                      struct ec_error *reterr)
{
    static const char *const fast[] = {EC_DATA_RUNTIME, EC_DATA_RUNTIME_H, EC_DATA_TILE_H, NULL};
    static const char *const traced[] = {EC_DATA_TRACE_FILES, NULL};
    const enum ec_code code = add_data_files(state, r->data, fast, reterr);
    return code == EC_OK && r->traced ? add_data_files(state, r->data, traced, reterr) : code;
}

static enum ec_code add_tile_files(XXH3_state_t *state, const struct ec_recipe *r,
                                   struct ec_error *reterr)
{
    static const char *const fast[] = {EC_DATA_GUARD, EC_DATA_RUNTIME_H, EC_DATA_TILE_H, NULL};
    static const char *const traced[] = {EC_DATA_TRACE, NULL};
    static const char *const covered[] = {EC_DATA_COVER, EC_DATA_COVER_H, EC_DATA_POINT_H,
                                          EC_DATA_COVER_RTL, NULL};
    static const char *const lanes[] = {EC_DATA_LANES,
                                        EC_DATA_LANES_H,
                                        EC_DATA_FABRIC,
                                        EC_DATA_FABRIC_H,
                                        EC_DATA_TILE_H,
                                        EC_DATA_WORD_H,
                                        NULL};
    static const char *const saved[] = {EC_DATA_STATE, EC_DATA_STATE_H, NULL};
    enum ec_code code = r->saved ? add_data_files(state, r->data, saved, reterr) : EC_OK;
    if (code == EC_OK)
        code = add_data_files(state, r->data, r->engine != NULL ? lanes : fast, reterr);
    if (r->engine != NULL)
        return code;
    if (code == EC_OK && r->traced)
        code = add_data_files(state, r->data, traced, reterr);
    if (code == EC_OK && r->cover != EC_COVER_NONE)
        code = add_data_files(state, r->data, covered, reterr);
    return code == EC_OK ? add_data_file(state, r->data, r->kind->shim, reterr) : code;
}

static void store_key(const XXH3_state_t *state, char key[33])
{
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(key, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

/* Tells two entries of one shape apart that were built from different SystemVerilog. */
static enum ec_code hash_sources(XXH3_state_t *state, struct ec_recipe *r, struct ec_error *reterr)
{
    XXH3_128bits_reset(state);
    enum ec_code code = add_folder(state, r->data, EC_DATA_RTL, reterr);
    if (code == EC_OK)
        code = add_user_rtl(state, r, reterr);
    if (code == EC_OK)
        store_key(state, r->sources);
    return code;
}

enum ec_code ec_shape_sources(char ret[33], struct ec_error *reterr)
{
    struct ec_recipe *r = calloc(1, sizeof *r);
    XXH3_state_t *state = XXH3_createState();
    enum ec_code code = r != NULL && state != NULL
                            ? ec_data_path(r->data, sizeof r->data, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory to hash the RTL");
    if (code == EC_OK)
        code = hash_sources(state, r, reterr);
    if (code == EC_OK)
        memcpy(ret, r->sources, sizeof r->sources);
    XXH3_freeState(state);
    free(r);
    return code;
}

enum ec_code ec_shim_hash(char ret[33], struct ec_error *reterr)
{
    char data[PATH_MAX];
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to hash the shim");
    XXH3_128bits_reset(state);
    add_text(state, "flags", EC_VERILATOR_FLAGS EC_CXX_TILE_FLAGS EC_CXX_RUNTIME EC_LINK_FLAGS);
    enum ec_code code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = add_folder(state, data, EC_DATA_SHIM, reterr);
    if (code == EC_OK)
        code = add_data_file(state, data, EC_DATA_TILE_H, reterr);
    if (code == EC_OK)
        store_key(state, ret);
    XXH3_freeState(state);
    return code;
}

static enum ec_code hash_all(XXH3_state_t *state, const struct ec_recipe *r,
                             const struct ec_toolchain *tools, char runtime_key[33], char key[33],
                             struct ec_error *reterr)
{
    XXH3_128bits_reset(state);
    add_text(state, "runtime", EC_CXX_FLAGS " " EC_CXX_RUNTIME " " EC_LINK_FLAGS);
    add_text(state, "runtime variant",
             r->traced ? EC_CXX_TRACED " " EC_LINK_TRACED : EC_CXX_FAST " " EC_LINK_FAST);
    if (tools != NULL)
        add_tools(state, tools);
    enum ec_code code = add_runtime_files(state, r, reterr);
    if (code == EC_OK)
        store_key(state, runtime_key);

    add_parameters(state, r);
    if (r->engine != NULL)
        add_engine(state, r->engine);
    if (code == EC_OK)
        code = add_tile_files(state, r, reterr);
    if (code == EC_OK)
        code = add_folder(state, r->data, EC_DATA_RTL, reterr);
    if (code == EC_OK)
        code = add_user_rtl(state, r, reterr);
    if (code == EC_OK)
        store_key(state, key);
    return code;
}

static enum ec_code make_keys(struct ec_recipe *r, struct ec_error *reterr)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to hash the sources of a router shape");
    enum ec_code code = hash_all(state, r, NULL, r->runtime_key, r->design, reterr);
    if (code == EC_OK)
        code = hash_all(state, r, &r->tools, r->runtime_key, r->key, reterr);
    if (code == EC_OK)
        code = hash_sources(state, r, reterr);
    XXH3_freeState(state);
    return code;
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name != '\0'; name++) {
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    }
    return true;
}

static enum ec_code take_sources(struct ec_recipe *r, const struct ec_shape_options *options,
                                 struct ec_error *reterr)
{
    const enum ec_code code = ec_sources_read(options->rtl, options->build, &r->user, reterr);
    if (code == EC_OK && r->user.files.count == 0)
        return ec_fail(reterr, EC_USAGE,
                       "--top %s: no sources: expected --rtl FILES or a file list (-f)", r->top);
    r->rtl = (const char *const *)r->user.files.words;
    return code;
}

static enum ec_code take_options(struct ec_recipe *r, const struct ec_shape_options *options,
                                 struct ec_error *reterr)
{
    const bool sources = (options->rtl != NULL && options->rtl[0] != NULL) || options->top != NULL;
    for (size_t i = 0; options->rtl != NULL && options->rtl[i] != NULL; i++) {
        if (options->rtl[i][0] == '\0')
            return ec_fail(reterr, EC_USAGE, "the name of RTL file %zu is empty", i + 1);
    }
    if (sources && options->top == NULL)
        return ec_fail(reterr, EC_USAGE,
                       "missing name of the router module in the user's RTL (%.200s)",
                       options->rtl[0]);
    if (options->top != NULL && !is_identifier(options->top))
        return ec_fail(reterr, EC_USAGE, "\"%.200s\" is not a valid Verilog module name",
                       options->top);
    if (options->top != NULL && strlen(options->top) > TOP_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "module name \"%.60s...\" is too long: expected at most %d characters",
                       options->top, TOP_MAX);
    if (sources && strcmp(options->top, router_kind.top) == 0)
        return ec_fail(reterr, EC_USAGE,
                       "--top %s is the name of ecube's wrapper: "
                       "give the name of the router in it",
                       options->top);
    if (options->network != NULL && (sources || options->traced))
        return ec_fail(reterr, EC_USAGE,
                       "the backend flat does not support %s: use the backend tiles",
                       sources ? "user routers" : "waves");
    if (options->engine != NULL &&
        (options->traced || options->network != NULL || options->cover != EC_COVER_NONE))
        return ec_fail(reterr, EC_USAGE,
                       "the engine %s runs without waves and coverage, on the backend tiles: use "
                       "the engine verilator",
                       options->engine->name);
    if (options->engine != NULL && r->shape.table > 0 && !sources)
        return ec_fail(reterr, EC_USAGE,
                       "the engine %s runs routers that compute their routes, not those with a "
                       "routing table: use the engine verilator",
                       options->engine->name);
    r->engine = options->engine;
    r->random_init = options->random_init && !options->traced;
    r->traced = options->traced;
    r->saved = options->saved && !options->traced;
    r->cover = options->traced ? EC_COVER_NONE : options->cover;
    r->top = options->top;
    r->balanced = sources && options->balanced;
    r->sets = sources && options->sets;
    r->build = options->build;
    r->given = options->rtl;
    return sources ? take_sources(r, options, reterr) : EC_OK;
}

/* The topology as parameters of rtl/ec_network.sv. */
static void add_network_parameters(const struct ec_topology *t, unsigned link, char *buffer,
                                   size_t size)
{
    char radices[8 * EC_DIMS_MAX + 1] = "";
    uint32_t wraps = 0;
    for (unsigned d = 0; d < t->dims; d++) { /* dimension 0 in the lowest bits: last in the text */
        snprintf(radices + (size_t)8 * d, 9, "%08" PRIx32, t->radix[t->dims - 1 - d]);
        wraps |= (uint32_t)t->wrap[d] << d;
    }
    snprintf(buffer, size,
             " -GRadices=%u'h%s -GWraps=%u'h%" PRIx32 " -GNodes=%" PRIu32 " -GLink=%u",
             32 * t->dims, radices, t->dims, wraps, t->nodes, link);
}

static void take_shape(struct ec_recipe *r, const struct ec_tile_shape *shape,
                       const struct ec_topology *network, unsigned link)
{
    int used;
    r->shape = *shape;
    r->nodes = network != NULL ? network->nodes : 0;
    r->kind = network != NULL ? &network_kind : &router_kind;
    used = snprintf(r->parameters, sizeof r->parameters,
                    "-GDims=%u -GLinksPerDim=%u -GLocals=%u -GVcs=%u -GDepthMax=%u -GDynamic=%u "
                    "-GStages=%u -GAddressBits=%u",
                    shape->dims, shape->links_per_dim, shape->locals, shape->vcs, shape->depth_max,
                    shape->dynamic, shape->stages, shape->address_bits);
    if (network != NULL)
        add_network_parameters(network, link, r->parameters + used,
                               sizeof r->parameters - (size_t)used);
}

void ec_shape_format(const struct ec_tile_shape *shape, char *buffer, size_t size)
{
    char more[64] = "", table[24] = "", paths[24] = "";
    if (shape->stages > 1)
        snprintf(more, sizeof more, " stages=%u", shape->stages);
    if (shape->table > 0)
        snprintf(table, sizeof table, " table=%u", shape->table);
    if (shape->paths > 0)
        snprintf(paths, sizeof paths, " paths=%u", shape->paths);
    snprintf(buffer, size, "%s dims=%u locals=%u vcs=%u depth=%u%s%s%s%s%s%s",
             shape->links_per_dim == 1 ? "cube" : "grid", shape->dims, shape->locals, shape->vcs,
             shape->depth_max,
             shape->dynamic == EC_TILE_ADAPTIVE ? " routing=adaptive"
             : shape->dynamic                   ? " va=dynamic"
                                                : "",
             more, shape->address_bits > EC_WORD_ADDRESS_BITS ? " address=20" : "", table, paths,
             shape->speedup > 0 ? " speedup=1" : "");
}

static void describe_recipe(struct ec_recipe *r, const struct ec_topology *network, unsigned link)
{
    static const char *const coverage[] = {
        [EC_COVER_NONE] = "", [EC_COVER_CODE] = " coverage", [EC_COVER_ALL] = " coverage+toggle"};
    char shape[128], topology[160] = "", delay[24] = "";
    ec_shape_format(&r->shape, shape, sizeof shape);
    if (network != NULL)
        ec_topology_format(network, topology, sizeof topology);
    if (link > 1)
        snprintf(delay, sizeof delay, " link=%u", link);
    snprintf(r->description, sizeof r->description, "%s%s%s%s%s%s%s%s%s%s%s%s%s",
             network != NULL ? "flat " : "", topology, network != NULL ? ", " : "", shape, delay,
             r->traced ? " traced" : "", r->random_init ? " random-init" : "",
             r->saved ? " saved" : "", coverage[r->cover], r->engine != NULL ? " engine=" : "",
             r->engine != NULL ? r->engine->name : "", r->top != NULL ? " top=" : "",
             r->top != NULL ? r->top : "");
}

enum ec_code ec_recipe_make(const struct ec_tile_shape *shape,
                            const struct ec_shape_options *options, const char *cache,
                            struct ec_recipe *ret, struct ec_error *reterr)
{
    const struct ec_topology *network = options != NULL ? options->network : NULL;
    const unsigned link = network != NULL && options->link > 1 ? options->link : 1;
    *ret = (struct ec_recipe){0};
    take_shape(ret, shape, network, link);
    enum ec_code code = options != NULL ? take_options(ret, options, reterr) : EC_OK;
    if (code == EC_OK)
        code = ec_data_path(ret->data, sizeof ret->data, reterr);
    if (code == EC_OK && find_tools(cache, ret->engine, &ret->tools, &ret->missing) != EC_OK &&
        ret->missing.code != EC_TOOL)
        code = ec_fail(reterr, ret->missing.code, "%s", ret->missing.message);
    if (code == EC_OK)
        code = make_keys(ret, reterr);
    if (code == EC_OK)
        describe_recipe(ret, network, link);
    return code;
}

void ec_recipe_free(struct ec_recipe *r)
{
    ec_sources_free(&r->user);
}
