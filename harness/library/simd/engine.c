/* SPDX-License-Identifier: Apache-2.0 */
/* The engine simd: Yosys reads the router, the generator writes it as code for groups of routers
 * (docs/adr/0025-routers-in-vectors.md). Knows the passes of Yosys and the instruction sets. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "netlist/source.h"
#include "shape/engine.h"
#include "simd/emit.h"

#define CIRCUIT "circuit.json"

/* Words keep their width, and memories are memories. Without -nordff the read address of a FIFO
 * would move into its memory, and the circuit had a loop. "unique" and such comments allow a
 * synthesis to leave out cases that a simulation takes. */
static void put_script(const struct ec_netlist_source *s, const struct ec_recipe *r,
                       const char *folder, FILE *out)
{
    const struct ec_tile_shape *shape = &r->shape;
    const struct {
        const char *name;
        uint32_t value;
    } parameters[] = {
        {"Dims", shape->dims},          {"LinksPerDim", shape->links_per_dim},
        {"Locals", shape->locals},      {"Vcs", shape->vcs},
        {"DepthMax", shape->depth_max}, {"Dynamic", shape->dynamic},
        {"Stages", shape->stages},      {"AddressBits", shape->address_bits},
    };
    fprintf(out, "%schparam", s->script);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        fprintf(out, " -set %s %u", parameters[i].name, parameters[i].value);
    fprintf(out,
            " ec_router\nhierarchy -check -top ec_router\n"
            "attrmap -remove full_case -remove parallel_case\nproc\nflatten\nopt -full\n"
            "memory -nordff -nomap\nopt -full\nwreduce\nopt -full\nclean\n"
            "write_json %s/" CIRCUIT "\n",
            folder);
}

static enum ec_code read_circuit(const struct ec_recipe *r, const struct ec_tool_run *run,
                                 struct simd_circuit *ret, struct ec_error *reterr)
{
    const struct ec_netlist_reading reading = {.hardware = true};
    struct ec_netlist_source source;
    struct ec_yosys y;
    char path[PATH_MAX];
    enum ec_code code = ec_netlist_open(&reading, run, &source, reterr);
    if (code == EC_OK) {
        if (ec_yosys_begin(&y) != NULL)
            put_script(&source, r, run->folder, y.out);
        code = ec_yosys_end(&y, code, run, "circuit.ys", reterr);
    }
    ec_netlist_close(&source);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" CIRCUIT, run->folder);
    return code == EC_OK ? simd_circuit_read(path, ret, reterr) : code;
}

static enum ec_code write_router(const struct ec_recipe *r, const char *folder, const char *file,
                                 const sigset_t *before, struct ec_error *reterr)
{
    const struct ec_tool_run run = {.folder = folder, .log = "yosys.log", .before = before};
    struct simd_circuit circuit = {0};
    struct ec_output o;
    enum ec_code code = read_circuit(r, &run, &circuit, reterr);
    if (code == EC_OK)
        code = ec_output_open_in(&o, NULL, folder, file, reterr);
    if (code == EC_OK) {
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
    static const struct ec_engine simd = {
        .name = "simd", .generator = "1", .instructions = instructions, .write = write_router};
    return &simd;
}
