/* SPDX-License-Identifier: Apache-2.0 */
/* The engine simd: Yosys reads the router, the generator writes it as code for groups of routers
 * (docs/adr/0025-routers-in-vectors.md). Knows the passes of Yosys and the instruction sets. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/word.h"
#include "netlist/source.h"
#include "shape/engine.h"
#include "simd/emit.h"
#include "simd/generator.h"

#define CIRCUIT "circuit.json"

/* --- The circuit ------------------------------------------------------------------------------ */

/* A user's router may have a parameter of version 2 under another meaning, so it gets those only
 * where they are not as without them. */
static enum ec_code put_parameters(const struct ec_netlist_source *s, const struct ec_recipe *r,
                                   FILE *out, struct ec_error *reterr)
{
    const struct ec_tile_shape *shape = &r->shape;
    const struct {
        const char *name;
        uint32_t value, usual;
        enum ec_feature feature; /* EC_FEATURES: all routers have it */
    } parameters[] = {
        {"Dims", shape->dims, 0, EC_FEATURES},
        {"LinksPerDim", shape->links_per_dim, 0, EC_FEATURES},
        {"Locals", shape->locals, 0, EC_FEATURES},
        {"Vcs", shape->vcs, 0, EC_FEATURES},
        {"DepthMax", shape->depth_max, 0, EC_FEATURES},
        {"Dynamic", shape->dynamic, 0, EC_FEATURE_DYNAMIC},
        {"Stages", shape->stages, 1, EC_FEATURE_STAGES},
        {"AddressBits", shape->address_bits, EC_WORD_ADDRESS_BITS, EC_FEATURE_ADDRESS_BITS},
        {"Paths", shape->paths, 0, EC_FEATURES},
        {"Speedup", shape->speedup, 0, EC_FEATURES},
    };
    if (r->balanced && !s->features[EC_FEATURE_BALANCED])
        return ec_fail(reterr, EC_TOOL, "%s has no port balanced_i", s->top);
    if (shape->table > 0 && s->features[EC_FEATURE_TABLE])
        return ec_fail(reterr, EC_TOOL,
                       "%s has a routing table that is loaded: use the engine verilator", s->top);
    fputs("chparam", out);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const enum ec_feature feature = parameters[i].feature;
        if (s->top != NULL && parameters[i].value == parameters[i].usual)
            continue;
        if (feature == EC_FEATURES || s->features[feature])
            fprintf(out, " -set %s %u", parameters[i].name, parameters[i].value);
        else if (feature != EC_FEATURE_DYNAMIC) /* see ec_foreign_explain() */
            return ec_fail(reterr, EC_TOOL, "%s has no parameter %s", s->top, parameters[i].name);
    }
    for (size_t i = 0; i < s->user.parameters.count; i++) {
        const char *text = s->user.parameters.words[i];
        const int name = (int)strcspn(text, "=");
        if (text[strcspn(text, " \t\n;#")] != '\0')
            return ec_fail(reterr, EC_TOOL,
                           "--parameter %.200s: scripts of Yosys cannot give this value", text);
        fprintf(out, " -set %.*s %s", name, text, text + name + (text[name] == '='));
    }
    return EC_OK;
}

static enum ec_code put_design(const struct ec_netlist_source *s, const struct ec_recipe *r,
                               FILE *out, struct ec_error *reterr)
{
    const char *top = s->top != NULL ? s->top : "ec_router";
    fputs(s->script, out);
    const enum ec_code code = put_parameters(s, r, out, reterr);
    fprintf(out, " %s\nhierarchy -check -top %s%s\n", top, top,
            s->libraries != NULL ? s->libraries : "");
    return code;
}

/* In a user's router an x is 0, as in Verilator, before any pass takes advantage of it, and passes
 * repeat until nothing changes: once each, they leave parts that the generator does not know. In
 * ecube's own router the second round would find one cell in a hundred, in twice the time. */
static const char user_passes[] = "async2sync\nmemory -nordff -nomap\nsetundef -undriven -zero\n"
                                  "opt_clean -purge\nmemory -nordff -nomap\nopt -full -purge\n";
static const char own_passes[] = "opt_clean -purge\nmemory -nordff -nomap\nopt_expr -full\n"
                                 "opt_merge\nopt_muxtree\nopt_reduce\nopt_merge\nopt_dff\n"
                                 "opt_clean -purge\nopt_expr -full\n";

/* Words keep their width, and memories are memories. Without -nordff the read address of a FIFO
 * would move into its memory, and the circuit had a loop. "unique" and such comments allow a
 * synthesis to leave out cases that a simulation takes. Names of wires that nobody reads (-purge)
 * make every pass slower. */
static enum ec_code put_script(const struct ec_netlist_source *s, const struct ec_recipe *r,
                               const char *folder, FILE *out, struct ec_error *reterr)
{
    const enum ec_code code = put_design(s, r, out, reterr);
    fprintf(out,
            "attrmap -remove full_case -remove parallel_case\nproc\nopt_clean -purge\nflatten\n"
            "%swreduce\nopt_clean -purge\nwrite_json %s/" CIRCUIT "\n",
            s->top != NULL ? user_passes : own_passes, folder);
    return code;
}

/* --- The files of a user's router --------------------------------------------------------------
 */

/* Another file of this name in a folder that is searched: Verilator may take that one. */
static enum ec_code check_name(const struct ec_recipe *r, const char *path, struct ec_error *reterr)
{
    const struct ec_args *const searched[] = {&r->user.includes, &r->user.files};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char real[PATH_MAX], other[PATH_MAX], found[PATH_MAX];
    if (realpath(path, real) == NULL)
        return EC_OK;
    for (size_t i = 0; i < r->user.files.count; i++) {
        if (strcmp(r->user.files.words[i], path) == 0)
            return EC_OK;
    }
    for (size_t k = 0; k < sizeof searched / sizeof *searched; k++) {
        for (size_t i = 0; i < searched[k]->count; i++) {
            const char *at = searched[k]->words[i], *last = strrchr(at, '/');
            const int length = k == 0 ? (int)strlen(at) : last != NULL ? (int)(last - at) : 0;
            if (ec_path(other, sizeof other, NULL, "%.*s%s%s", length, at, length > 0 ? "/" : "",
                        name) == EC_OK &&
                realpath(other, found) != NULL && strcmp(found, real) != 0)
                return ec_fail(reterr, EC_TOOL, "%s and %s: tools may read one or the other", path,
                               other);
        }
    }
    return EC_OK;
}

/* "OUTPUT:" and the files that were read, as Verilator lists them. */
static enum ec_code write_list(const struct ec_recipe *r, const struct ec_tool_run *run,
                               char *files, struct ec_error *reterr)
{
    struct ec_output o;
    char folder[PATH_MAX], *rest = NULL;
    enum ec_code code = ec_path(folder, sizeof folder, reterr, "%s/" EC_SOURCE_FOLDER, run->folder);
    if (code == EC_OK)
        code = ec_folder_make(folder, EC_FOLDER_PRIVATE, reterr);
    if (code == EC_OK)
        code = ec_output_open_in(&o, NULL, run->folder, EC_SOURCE_LIST, reterr);
    if (code != EC_OK)
        return code;
    strtok_r(files, " \n", &rest); /* the outputs */
    for (char *path; (path = strtok_r(NULL, " \n", &rest)) != NULL && code == EC_OK;) {
        if (strncmp(path, run->folder, strlen(run->folder)) == 0)
            continue;
        code = check_name(r, path, reterr);
        fprintf(o.file, "S 1 1 \"%s\"\n", path);
    }
    return code == EC_OK ? ec_output_commit(&o, reterr) : (ec_output_end(&o, false, NULL), code);
}

/* Yosys reads the router again, and lists its files: in the same run, outputs would be among them.
 */
static enum ec_code look_at_files(const struct ec_netlist_source *s, const struct ec_recipe *r,
                                  const struct ec_tool_run *run, struct ec_error *reterr)
{
    struct ec_tool_run again = *run;
    struct ec_output o;
    struct ec_args args = {0};
    int status = 0;
    enum ec_code code = ec_output_open_in(&o, NULL, run->folder, "sources.ys", reterr);
    if (code != EC_OK)
        return code;
    code = put_design(s, r, o.file, reterr);
    code = code == EC_OK ? ec_output_commit(&o, reterr) : (ec_output_end(&o, false, NULL), code);
    if (code != EC_OK)
        return code;
    again.log = "read.log";
    ec_args_add(&args, "%s", ec_tool_yosys());
    ec_args_add(&args, "-E");
    ec_args_add(&args, "%s/read.mk", run->folder);
    ec_args_add(&args, "-s");
    ec_args_add(&args, "%s/sources.ys", run->folder);
    code = ec_tool_run(&again, &args, &status, reterr);
    char *files = ec_tool_text(run->folder, "read.mk");
    if (code == EC_OK && (status != 0 || files == NULL))
        code = ec_fail(reterr, EC_TOOL, "Yosys cannot list the files of the router (status %d)",
                       status);
    if (code == EC_OK)
        code = write_list(r, run, files, reterr);
    free(files);
    return code;
}

static enum ec_code read_circuit(const struct ec_recipe *r, const struct ec_tool_run *run,
                                 struct simd_circuit *ret, bool *ret_mute, struct ec_error *reterr)
{
    const struct ec_netlist_reading reading = {.list = r->given,
                                               .top = r->top,
                                               .build = r->build,
                                               .hardware = true,
                                               .table = r->shape.table > 0};
    struct ec_netlist_source source;
    struct ec_yosys y;
    char path[PATH_MAX];
    enum ec_code code = ec_netlist_open(&reading, run, &source, reterr);
    if (code == EC_OK) {
        if (ec_yosys_begin(&y) != NULL)
            code = put_script(&source, r, run->folder, y.out, reterr);
        code = ec_yosys_end(&y, code, run, "circuit.ys", reterr);
    }
    if (code == EC_OK)
        code = ec_netlist_scan_libraries(&source, run, reterr);
    if (code == EC_OK && r->top != NULL)
        code = look_at_files(&source, r, run, reterr);
    *ret_mute = source.speaks || source.user.library.count > 0;
    ec_netlist_close(&source);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" CIRCUIT, run->folder);
    return code == EC_OK ? simd_circuit_read(path, ret, reterr) : code;
}

static enum ec_code write_router(const struct ec_recipe *r, const char *folder, const char *file,
                                 const sigset_t *before, struct ec_error *reterr)
{
    const struct ec_tool_run run = {
        .folder = folder, .here = true, .log = "yosys.log", .before = before};
    struct simd_circuit circuit = {0};
    struct ec_output o;
    bool mute = false;
    enum ec_code code = read_circuit(r, &run, &circuit, &mute, reterr);
    if (code == EC_OK)
        code = ec_output_open_in(&o, NULL, folder, file, reterr);
    if (code == EC_OK) {
        if (mute)
            fputs("extern \"C\" __attribute__((visibility(\"default\"))) const char " EC_TILE_MUTE
                  " = 1;\n",
                  o.file);
        code = simd_emit(&circuit, &r->shape, o.file, reterr);
        code =
            code == EC_OK ? ec_output_commit(&o, reterr) : (ec_output_end(&o, false, NULL), code);
    }
    simd_circuit_free(&circuit);
    return code;
}

/* The widest vectors of this machine that the code is written for. Others take what every machine
 * of their kind has: SSE2 or NEON. */
static const char *instructions(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return "-mavx512f -mavx512bw -mavx512vl -mavx512dq -mprefer-vector-width=512";
    if (__builtin_cpu_supports("avx2"))
        return "-mavx2";
#endif
    return "";
}

const struct ec_engine *ec_engine_simd(void)
{
    static const struct ec_engine simd = {.name = "simd",
                                          .generator = GENERATOR,
                                          .instructions = instructions,
                                          .write = write_router};
    return &simd;
}
