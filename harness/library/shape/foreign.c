/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a user's router by what Verilator printed and read.
 *
 * Verilator connects the router to the wrapper and says where that does not work; here these lines
 * are put in words of the contract, about the router instead of the wrapper. Knows Verilator's
 * messages and the names of the contract's ports; must not start tools. */
#include "shape/foreign.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "shape/cache.h"

bool ec_stage_text(const char *stage, const char *name, char **ret)
{
    char path[PATH_MAX];
    size_t size;
    return ec_path(path, sizeof path, NULL, "%s/%s", stage, name) == EC_OK &&
           ec_file_read(path, ret, &size, NULL) == EC_OK;
}

/* --- The modules of the user's files ---------------------------------------------------------- */

/* Replace comments by blanks. */
static void remove_comments(char *text)
{
    for (char *at = strchr(text, '/'); at != NULL; at = strchr(at + 1, '/')) {
        const char *mark = at[1] == '/' ? "\n" : at[1] == '*' ? "*/" : NULL;
        if (mark == NULL)
            continue;
        const char *end = strstr(at + 2, mark);
        end = end == NULL ? at + strlen(at) : end + strlen(mark);
        memset(at, ' ', (size_t)(end - at));
    }
}

/* The modules that the listed files define. Names made by macros are not seen, so this is for
 * messages only. */
static struct ec_args modules_of(const struct ec_recipe *r)
{
    enum { NAME = 4, MATCHES };
    static const char module[] = "\\b(macro)?module[[:space:]]+((automatic|static)[[:space:]]+)?"
                                 "([A-Za-z_][A-Za-z0-9_$]*)";
    struct ec_args names = {0};
    regex_t pattern;
    if (regcomp(&pattern, module, REG_EXTENDED) != 0)
        return names;
    for (size_t i = 0; r->rtl[i] != NULL; i++) {
        char *text;
        size_t size;
        regmatch_t found[MATCHES];
        if (ec_file_read(r->rtl[i], &text, &size, NULL) != EC_OK)
            continue;
        remove_comments(text);
        for (const char *at = text; regexec(&pattern, at, MATCHES, found, 0) == 0;
             at += found[0].rm_eo)
            ec_args_add(&names, "%.*s", (int)(found[NAME].rm_eo - found[NAME].rm_so),
                        at + found[NAME].rm_so);
        free(text);
    }
    regfree(&pattern);
    return names;
}

static bool defines_top(const struct ec_recipe *r)
{
    struct ec_args names = modules_of(r);
    bool found = false;
    for (size_t i = 0; i < names.count && !found; i++)
        found = strcmp(names.words[i], r->top) == 0;
    ec_args_free(&names);
    return found;
}

static enum ec_code fail_no_top(const struct ec_recipe *r, struct ec_error *reterr)
{
    static const char *const nothing[] = {NULL};
    struct ec_args names = modules_of(r);
    char files[200] = "", hint[300];
    size_t used = 0;
    for (size_t i = 0; r->rtl[i] != NULL && used < sizeof files; i++)
        used += (size_t)snprintf(files + used, sizeof files - used, "%s%s", i == 0 ? "" : ", ",
                                 r->rtl[i]);
    ec_nearest_hint(r->top, strlen(r->top),
                    names.count > 0 ? (const char *const *)names.words : nothing, hint,
                    sizeof hint);
    ec_args_free(&names);
    return ec_fail(reterr, EC_TOOL, "--top: no module '%s' in %s%s%s", r->top, files,
                   used < sizeof files ? "" : "...", hint);
}

/* --- Ports and parameters --------------------------------------------------------------------- */

static const struct pin {
    const char *name, *section; /* of docs/ROUTER-CONTRACT.md */
} pins[] = {
    {"Dims", "3.1"},          {"LinksPerDim", "3.1"},  {"Locals", "3.1"},
    {"Vcs", "3.1"},           {"DepthMax", "3.1"},     {"coord_i", "3.2"},
    {"mask_i", "3.2"},        {"radix_i", "3.2"},      {"wrap_i", "3.2"},
    {"dateline_i", "3.2"},    {"order_high_i", "3.2"}, {"switching_i", "3.2"},
    {"depth_i", "3.2"},       {"packet_i", "3.2"},     {"classes_i", "3.2"},
    {"balanced_i", "3.2"},    {"clk_i", "3.4"},        {"rst_i", "3.4"},
    {"link_i", "3.4"},        {"credit_i", "3.4"},     {"link_o", "3.4"},
    {"credit_o", "3.4"},      {"contended_o", "3.4"},  {"starved_o", "3.4"},
    {"want_o", "3.4"},        {"quiet_o", "3.4"},      {"Table", "3.1"},
    {"table_write_i", "5.4"}, {"table_row_i", "5.4"},  {"table_entries_i", "5.4"},
};

enum { TABLE_NAMES = 4 };
static const struct {
    const char *macro, *names[TABLE_NAMES + 1];
} features_table[EC_FEATURES] = {
    [EC_FEATURE_TAPS] = {"EC_NO_TAPS", {"contended_o", "starved_o", "want_o"}},
    [EC_FEATURE_QUIET] = {"EC_NO_QUIET", {"quiet_o"}},
    [EC_FEATURE_DYNAMIC] = {"EC_NO_DYNAMIC", {"Dynamic"}},
    [EC_FEATURE_STAGES] = {"EC_NO_STAGES", {"Stages"}},
    [EC_FEATURE_ADDRESS_BITS] = {"EC_NO_ADDRESS_BITS", {"AddressBits"}},
    [EC_FEATURE_CLASSES] = {"EC_NO_CLASSES", {"classes_i"}},
    [EC_FEATURE_BALANCED] = {"EC_NO_BALANCED", {"balanced_i"}},
    [EC_FEATURE_TABLE] = {NULL, {"Table", "table_write_i", "table_row_i", "table_entries_i"}},
};

const char *ec_feature_macro(enum ec_feature feature)
{
    return features_table[feature].macro;
}

void ec_features_of(const struct ec_recipe *r, ec_features ret)
{
    for (unsigned k = 0; k < EC_FEATURES; k++)
        ret[k] = k != EC_FEATURE_TABLE || r->shape.table > 0;
    if (r->rtl == NULL)
        return;
    ret[EC_FEATURE_DYNAMIC] = ret[EC_FEATURE_CLASSES] = r->shape.dynamic;
    ret[EC_FEATURE_STAGES] = r->shape.stages != 1;
    ret[EC_FEATURE_ADDRESS_BITS] = r->shape.address_bits != EC_WORD_ADDRESS_BITS;
}

static bool quotes(const char *line, const char *name)
{
    char quoted[300];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    return strstr(line, quoted) != NULL;
}

/* The first pin that the line names, or NULL. */
static const struct pin *pin_of(const char *line)
{
    const char *quote = strchr(line, '\'');
    for (size_t i = 0; quote != NULL && i < sizeof pins / sizeof *pins; i++) {
        const size_t length = strlen(pins[i].name);
        if (strncmp(quote + 1, pins[i].name, length) == 0 && quote[1 + length] == '\'')
            return &pins[i];
    }
    return NULL;
}

/* The wording depends on the version ("Pin not found", "attempts to connect to", ...), but all
 * versions name the wrapper and quote the name of the pin. */
static bool is_about_wrapper(const char *line, const char *kind)
{
    return strncmp(line, kind, strlen(kind)) == 0 && strstr(line, "/ec_tile.sv:") != NULL;
}

static enum ec_code fail_no_pin(const char *top, const struct pin *pin, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_TOOL, "%s has no %s %s (contract, section %s)", top,
                   strcmp(pin->section, "3.1") == 0 ? "parameter" : "port", pin->name,
                   pin->section);
}

static enum ec_code explain_pin(const struct ec_recipe *r, const struct pin *pin, const char *line,
                                struct ec_error *reterr)
{
    if (strstr(line, "port connection '") != NULL)
        return ec_fail(reterr, EC_TOOL,
                       "port %s of %s has not the type of the contract (section %s), a vector",
                       pin->name, r->top, pin->section);
    return fail_no_pin(r->top, pin, reterr);
}

/* A parameter that the user gave and the router lacks. */
static enum ec_code explain_parameter(const struct ec_recipe *r, const char *line,
                                      struct ec_error *reterr)
{
    for (size_t i = 0; i < r->user.parameters.count; i++) {
        const char *text = r->user.parameters.words[i];
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
        if (quotes(line, name))
            return ec_fail(reterr, EC_TOOL, "--parameter %s: %s has no parameter %s", text, r->top,
                           name);
    }
    return EC_OK;
}

/* The feature that a name belongs to; EC_FEATURES: none. */
static enum ec_feature feature_of(const char *name)
{
    for (enum ec_feature k = 0; k < EC_FEATURES; k++) {
        for (const char *const *known = features_table[k].names; *known != NULL; known++) {
            if (strcmp(name, *known) == 0)
                return k;
        }
    }
    return EC_FEATURES;
}

/* The feature whose lack the line reports; EC_FEATURES: none. */
static enum ec_feature lacking_feature(const char *line)
{
    for (enum ec_feature k = 0; k < EC_FEATURES; k++) {
        for (const char *const *name = features_table[k].names; *name != NULL; name++) {
            if (quotes(line, *name))
                return k;
        }
    }
    return EC_FEATURES;
}

/* May the router lack it? A pipeline of its own needs no option; every router of version 1
 * allocates VCs in one of the ways that are accepted as dynamic. */
static enum ec_code lack(const struct ec_recipe *r, enum ec_feature feature, ec_features features,
                         struct ec_error *reterr)
{
    features[feature] = false;
    if (feature == EC_FEATURE_BALANCED && r->balanced)
        return ec_fail(reterr, EC_TOOL,
                       "%s has no port balanced_i (contract, section 3.2): leave ties=balanced out",
                       r->top);
    if (feature == EC_FEATURE_STAGES)
        return ec_fail(reterr, EC_TOOL,
                       "%s has no parameter Stages (contract, section 3.1): leave stages=%u out; a "
                       "pipeline of its own needs no option",
                       r->top, r->shape.stages);
    if (feature == EC_FEATURE_ADDRESS_BITS)
        return ec_fail(reterr, EC_TOOL,
                       "%s has no parameter AddressBits (contract, section 3.1), and this network "
                       "needs more than %d address bits: choose one of at most %lu nodes",
                       r->top, EC_WORD_ADDRESS_BITS, 1UL << EC_WORD_ADDRESS_BITS);
    return EC_OK;
}

enum ec_code ec_foreign_explain(const struct ec_recipe *r, const char *stage, ec_features features,
                                struct ec_error *reterr)
{
    char *text = NULL, *save = NULL;
    enum ec_code code = EC_OK;
    unsigned missing = 0; /* names of the configuration port */
    if (!ec_stage_text(stage, EC_BUILD_LOG, &text))
        return EC_OK;
    for (char *line = strtok_r(text, "\n", &save); line != NULL && code == EC_OK;
         line = strtok_r(NULL, "\n", &save)) {
        if (!is_about_wrapper(line, "%Error"))
            continue;
        const struct pin *pin = pin_of(line);
        const enum ec_feature feature = lacking_feature(line);
        missing += feature == EC_FEATURE_TABLE;
        if (feature != EC_FEATURES && strstr(line, "port connection '") == NULL)
            code = lack(r, feature, features, reterr);
        else if (quotes(line, r->top) && !defines_top(r))
            code = fail_no_top(r, reterr);
        else if (pin != NULL)
            code = explain_pin(r, pin, line, reterr);
        else
            code = explain_parameter(r, line, reterr);
    }
    free(text);
    if (code == EC_OK && missing > 0 && missing < TABLE_NAMES)
        return ec_fail(reterr, EC_TOOL,
                       "%s has only a part of the configuration port: expected Table, "
                       "table_write_i, table_row_i and table_entries_i, or none of them (contract, "
                       "section 5.4)",
                       r->top);
    return code;
}

enum ec_code ec_foreign_names(const char *top, bool (*has)(const void *context, const char *name),
                              const void *context, ec_features features, struct ec_error *reterr)
{
    for (enum ec_feature k = 0; k < EC_FEATURES; k++) {
        for (const char *const *name = features_table[k].names; *name != NULL; name++)
            features[k] = features[k] && has(context, *name);
    }
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
        if (feature_of(pins[i].name) == EC_FEATURES && !has(context, pins[i].name))
            return fail_no_pin(top, &pins[i], reterr);
    }
    return EC_OK;
}

/* Verilator truncates or extends what does not fit, and warns. */
static enum ec_code check_widths(const struct ec_recipe *r, const char *stage,
                                 struct ec_error *reterr)
{
    static const char has[] = "' expects ", wants[] = " generates ";
    char *text = NULL, *save = NULL;
    enum ec_code code = EC_OK;
    if (!ec_stage_text(stage, EC_BUILD_LOG, &text))
        return ec_fail(reterr, EC_IO, "cannot read %s/" EC_BUILD_LOG, stage);
    for (char *line = strtok_r(text, "\n", &save); line != NULL && code == EC_OK;
         line = strtok_r(NULL, "\n", &save)) {
        const char *router = strstr(line, has), *wrapper = strstr(line, wants);
        const struct pin *pin = pin_of(line);
        if (!is_about_wrapper(line, "%Warning-WIDTH") ||
            strstr(line, "port connection '") == NULL || pin == NULL || router == NULL ||
            wrapper == NULL)
            continue;
        code = ec_fail(reterr, EC_TOOL,
                       "port %s of %s has %lu bits: the contract (section %s) expects %lu",
                       pin->name, r->top, strtoul(router + sizeof has - 1, NULL, 10), pin->section,
                       strtoul(wrapper + sizeof wants - 1, NULL, 10));
    }
    free(text);
    return code;
}

/* --- Sources ---------------------------------------------------------------------------------- */

/* Is the file in ecube's rtl/? A link in the user's folder is not. */
static bool is_ours(const struct ec_recipe *r, const char *path)
{
    char folder[PATH_MAX], real[PATH_MAX], rtl[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (ec_path(folder, sizeof folder, NULL, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
                slash == NULL ? "." : path) != EC_OK ||
        ec_path(rtl, sizeof rtl, NULL, "%s/" EC_DATA_RTL, r->data) != EC_OK ||
        realpath(folder, real) == NULL || realpath(rtl, folder) == NULL)
        return false;
    return strcmp(real, folder) == 0;
}

/* A file in Verilator's table of all files, which has their names in quotes: a rule for make, which
 * Verilator writes as well, does not show where a name with blanks ends. */
struct source {
    char *path;
    bool absent; /* Verilator looked for it and did not find it */
};

/* Parts of Verilator, which its version stands for: imported routers run where they are missing. */
static bool is_tool(const char *path)
{
    return ec_name_ends(path, "/verilator_bin") || ec_name_ends(path, "/verilator_bin_dbg") ||
           ec_name_ends(path, "/include/verilated_std.sv") ||
           ec_name_ends(path, "/include/verilated_std_waiver.vlt");
}

/* The next source, from a line "S SIZE INODE TIMES... "PATH"", in the text at *rest. */
static bool take_source(char **rest, struct source *ret)
{
    for (char *line; (line = strtok_r(NULL, "\n", rest)) != NULL;) {
        char *end = strrchr(line, '"'), *numbers = line + 1;
        if (strncmp(line, "S ", 2) != 0 || end == NULL)
            continue;
        *end = '\0';
        char *quote = strrchr(line, '"');
        if (quote == NULL || is_tool(quote + 1))
            continue;
        const bool empty = strtoull(numbers, &numbers, 10) == 0;
        *ret =
            (struct source){.path = quote + 1, .absent = empty && strtoull(numbers, NULL, 10) == 0};
        return true;
    }
    return false;
}

static char *read_sources(const char *stage)
{
    char *text = NULL;
    return ec_stage_text(stage, EC_SOURCE_LIST, &text) ? text : NULL;
}

static enum ec_code fail_no_sources(const char *stage, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_IO, "cannot read Verilator's list of sources in %s", stage);
}

/* Verilator searches every folder that it searches for headers for modules, too: so it silently
 * completes the user's router with our modules, and the verdict would be about another router. */
static enum ec_code check_modules(const struct ec_recipe *r, const char *stage,
                                  struct ec_error *reterr)
{
    char first[PATH_MAX] = "";
    char *text = read_sources(stage), *rest = text;
    struct source source;
    bool top = false;
    if (text == NULL)
        return fail_no_sources(stage, reterr);
    while (take_source(&rest, &source)) {
        const char *path = source.path, *slash = strrchr(path, '/');
        const char *name = slash != NULL ? slash + 1 : path;
        const size_t length = strcspn(name, ".");
        if (!ec_name_ends(path, ".sv") || !is_ours(r, path) ||
            strcmp(name, strrchr(r->kind->wrapper, '/') + 1) == 0)
            continue;
        top = top || ec_slice_is((struct ec_slice){name, length}, r->top);
        if (first[0] == '\0')
            snprintf(first, sizeof first, "%s", path);
    }
    free(text);
    if (top)
        return fail_no_top(r, reterr);
    if (first[0] == '\0')
        return EC_OK;
    const char *name = strrchr(first, '/') + 1;
    return ec_fail(reterr, EC_TOOL,
                   "module %.*s is not in --rtl (ecube has one of that name in %.400s): "
                   "add your file, or that one",
                   (int)strcspn(name, "."), name, first);
}

enum ec_code ec_foreign_check(const struct ec_recipe *r, const char *stage, struct ec_error *reterr)
{
    bool ours = false; /* the user works in our rtl/ */
    for (size_t i = 0; r->rtl[i] != NULL; i++)
        ours = ours || is_ours(r, r->rtl[i]);
    const enum ec_code code = ours ? EC_OK : check_modules(r, stage, reterr);
    return code == EC_OK ? check_widths(r, stage, reterr) : code;
}

/* Is it younger than this? Also if it was renamed or its time was set. */
static bool is_younger(const struct stat *info, const struct timespec *time)
{
    return info->st_ctim.tv_sec != time->tv_sec ? info->st_ctim.tv_sec > time->tv_sec
                                                : info->st_ctim.tv_nsec > time->tv_nsec;
}

/* The checksum of a source as Verilator has read it; "", which no file has, if it has changed
 * since. False: there is nothing to be remembered. */
static bool checksum_of(const struct source *source, const struct timespec *began,
                        char path[PATH_MAX], char checksum[33])
{
    struct stat info;
    checksum[0] = '\0';
    if (stat(source->path, &info) != 0) {
        snprintf(path, PATH_MAX, "%s", source->path);
        return !source->absent;
    }
    if (!S_ISREG(info.st_mode))
        return false;
    if (realpath(source->path, path) == NULL)
        snprintf(path, PATH_MAX, "%s", source->path);
    else if (is_younger(&info, began) || ec_file_hash(path, checksum, NULL, NULL) != EC_OK)
        checksum[0] = '\0';
    return true;
}

/* JSON has no name that is not UTF-8. A source with such a name counts as changed. */
static void make_text(char *path, char *checksum)
{
    json_t *text = json_string(path);
    for (char *c = path; text == NULL && *c != '\0'; c++) {
        checksum[0] = '\0';
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    json_decref(text);
}

/* --- Files that would hide a source ----------------------------------------------------------- */

/* The real names of the folders in which Verilator looks for headers and modules. */
static bool list_folders(const struct ec_recipe *r, struct ec_args *ret)
{
    const struct ec_args *const named[] = {&r->user.includes, &r->user.library};
    char folder[PATH_MAX], path[PATH_MAX];
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        for (size_t i = 0; i < named[k]->count; i++) {
            if (realpath(named[k]->words[i], path) != NULL)
                ec_args_add(ret, "%s", path);
        }
    }
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL; i++) {
        const char *slash = strrchr(r->rtl[i], '/');
        if (ec_path(folder, sizeof folder, NULL, "%.*s.",
                    slash != NULL ? (int)(slash - r->rtl[i]) + 1 : 0, r->rtl[i]) == EC_OK &&
            realpath(folder, path) != NULL)
            ec_args_add(ret, "%s", path);
    }
    if (r->rtl != NULL &&
        ec_path(folder, sizeof folder, NULL, "%s/" EC_DATA_RTL, r->data) == EC_OK &&
        realpath(folder, path) != NULL)
        ec_args_add(ret, "%s", path);
    return !ret->failed;
}

static bool is_listed(const struct ec_recipe *r, const char *path)
{
    char real[PATH_MAX];
    bool found = false;
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL && !found; i++)
        found = realpath(r->rtl[i], real) != NULL && strcmp(real, path) == 0;
    return found;
}

/* A file that is not there, or that Verilator did not see: it must not appear. */
static bool note_absent(json_t *sources, const struct timespec *began, const char *path)
{
    struct stat info;
    const bool there = stat(path, &info) == 0;
    json_t *text = json_string(path); /* NULL: not UTF-8 */
    const bool good =
        text == NULL || (there && !is_younger(&info, began)) ||
        json_object_get(sources, path) != NULL ||
        json_object_set_new(sources, path, json_string(there ? "" : EC_SOURCE_ABSENT)) == 0;
    json_decref(text);
    return good;
}

/* The same name in the other folders. */
static bool note_hiding(json_t *sources, const struct timespec *began,
                        const struct ec_args *folders, const char *path)
{
    bool good = true;
    for (size_t i = 0; i < folders->count; i++) {
        const char *folder = folders->words[i];
        const size_t length = strlen(folder);
        if (strncmp(path, folder, length) != 0 || path[length] != '/')
            continue;
        for (size_t k = 0; k < folders->count && good; k++) {
            char other[PATH_MAX];
            if (strcmp(folders->words[k], folder) != 0 &&
                ec_path(other, sizeof other, NULL, "%s%s", folders->words[k], path + length) ==
                    EC_OK)
                good = note_absent(sources, began, other);
        }
    }
    return good;
}

static bool note_source(const struct ec_recipe *r, const struct source *source,
                        const struct timespec *began, const struct ec_args *folders,
                        json_t *sources)
{
    char path[PATH_MAX], checksum[33];
    bool good = true;
    if (!is_ours(r, source->path) && checksum_of(source, began, path, checksum)) {
        make_text(path, checksum);
        good = json_object_set_new(sources, path, json_string(checksum)) == 0;
    }
    if (good && realpath(source->path, path) != NULL && !is_listed(r, path))
        good = note_hiding(sources, began, folders, path);
    return good;
}

enum ec_code ec_foreign_sources(const struct ec_recipe *r, const char *stage,
                                const struct timespec *began, json_t **ret, struct ec_error *reterr)
{
    struct ec_args folders = {0};
    char *text = read_sources(stage), *rest = text;
    json_t *sources = json_object();
    struct source source;
    bool good = sources != NULL && list_folders(r, &folders);
    while (good && text != NULL && take_source(&rest, &source))
        good = note_source(r, &source, began, &folders, sources);
    const bool known = text != NULL;
    ec_args_free(&folders);
    free(text);
    if (good && known) {
        *ret = sources;
        return EC_OK;
    }
    json_decref(sources);
    return known ? ec_fail(reterr, EC_MEMORY, "out of memory for a list of sources")
                 : fail_no_sources(stage, reterr);
}
