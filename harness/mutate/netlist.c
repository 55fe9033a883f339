/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is around the netlist of a router: the script that makes it, a module that fixes the
 * parameters of the router for Yosys, and one that has these parameters again for Verilator.
 *
 * Knows the ports of the router contract and Yosys; must not know mutations. */
#include "mutate/netlist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "ecube/word.h"

#define SEED_MAX 0x7fffffffU /* of `mutate` of Yosys */

/* --- The router ------------------------------------------------------------------------------- */

static const char *router_of(const struct netlist *n)
{
    return n->source.top ? n->source.top : "ec_router";
}

/* A comma would separate it in a list of files. */
static enum ec_code check_folder(const char *folder, struct ec_error *reterr)
{
    if (!strchr(folder, ','))
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "%.300s: a folder for mutants must not have commas in its path", folder);
}

enum ec_code netlist_begin(struct netlist *n, const struct ec_mutants_request *q,
                           struct ec_error *reterr)
{
    const struct ec_prove_reading reading = {
        .rtl = q->rtl, .top = q->top, .build = q->build, .hardware = true};
    *n = (struct netlist){.request = q};
    ec_signals_hold(&n->before);
    enum ec_code code = ec_tool_find(ec_tool_yosys(), reterr); /* before there is a folder */
    if (code == EC_OK && q->seed > SEED_MAX)
        code = ec_fail(reterr, EC_USAGE, "seed %llu: Yosys takes seeds up to %u",
                       (unsigned long long)q->seed, SEED_MAX);
    if (code == EC_OK)
        code = ec_folder_make(q->folder, EC_FOLDER_USUAL, reterr);
    n->folder = code == EC_OK ? realpath(q->folder, NULL) : NULL;
    if (code == EC_OK && !n->folder)
        code = ec_fail(reterr, EC_IO, "%s: %s", q->folder, strerror(errno));
    if (code == EC_OK)
        code = check_folder(n->folder, reterr);
    n->run = (struct ec_tool_run){
        .folder = n->folder, .here = true, .log = "yosys.log", .before = &n->before};
    return code == EC_OK ? ec_prove_source_open(&reading, &n->run, &n->source, reterr) : code;
}

void netlist_end(struct netlist *n)
{
    ec_prove_source_close(&n->source);
    free(n->folder);
    ec_signals_release(&n->before);
}

/* --- Modules ---------------------------------------------------------------------------------- */

/* The ports of the contract that the router has. */
static void put_ports(const struct netlist *n, FILE *out)
{
    const struct ec_tile_shape *s = &n->request->shape;
    const unsigned ports = s->dims * s->links_per_dim + s->locals, bufs = ports * s->vcs;
    const bool *has = n->source.features;
    const struct {
        const char *direction, *name;
        unsigned width;
        bool there;
    } list[] = {
        {"input", "clk_i", 1, true},
        {"input", "rst_i", 1, true},
        {"input", "coord_i", s->address_bits, true},
        {"input", "mask_i", s->address_bits * s->dims, true},
        {"input", "radix_i", (s->address_bits + 1) * s->dims, true},
        {"input", "wrap_i", s->dims, true},
        {"input", "dateline_i", 1, true},
        {"input", "classes_i", 1, has[EC_FEATURE_CLASSES]},
        {"input", "order_high_i", 1, true},
        {"input", "switching_i", 2, true},
        {"input", "depth_i", 16, true},
        {"input", "packet_i", 16, true},
        {"input", "link_i", 64 * ports, true},
        {"input", "credit_i", bufs, true},
        {"output", "link_o", 64 * ports, true},
        {"output", "credit_o", bufs, true},
        {"output", "contended_o", bufs, has[EC_FEATURE_TAPS]},
        {"output", "starved_o", bufs, has[EC_FEATURE_TAPS]},
        {"output", "want_o", 8 * bufs, has[EC_FEATURE_TAPS]},
        {"output", "quiet_o", 1, has[EC_FEATURE_QUIET]},
    };
    const char *separator = "";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!list[i].there)
            continue;
        fprintf(out, "%s\n  %s wire [%u:0] %s", separator, list[i].direction, list[i].width - 1,
                list[i].name);
        separator = ",";
    }
}

struct parameter {
    const char *name;
    unsigned value;
    bool lacking; /* the router has no such parameter */
};
enum { PARAMETERS = 8 };

static void fill_parameters(const struct netlist *n, struct parameter ret[PARAMETERS])
{
    const struct ec_tile_shape *s = &n->request->shape;
    const bool *has = n->source.features;
    const struct parameter all[PARAMETERS] = {
        {"Dims", s->dims, false},
        {"LinksPerDim", s->links_per_dim, false},
        {"Locals", s->locals, false},
        {"Vcs", s->vcs, false},
        {"DepthMax", s->depth_max, false},
        {"Dynamic", s->dynamic, !has[EC_FEATURE_DYNAMIC]},
        {"Stages", s->stages, !has[EC_FEATURE_STAGES]},
        {"AddressBits", s->address_bits, !has[EC_FEATURE_ADDRESS_BITS]}};
    memcpy(ret, all, sizeof all);
}

static void put_user_parameters(const struct ec_args *parameters, const char **separator, FILE *out)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const char *text = parameters->words[i], *value = strchr(text, '=') + 1;
        fprintf(out, "%s.%.*s(%s)", *separator, (int)(value - text) - 1, text, value);
        *separator = ", ";
    }
}

/* The router with the parameters of the shape. */
static enum ec_code write_router(const struct netlist *n, struct ec_error *reterr)
{
    struct ec_output o;
    struct parameter p[PARAMETERS];
    const char *separator = "";
    const enum ec_code code = ec_output_open_in(&o, NULL, n->folder, EC_MUTANTS_ROUTER, reterr);
    if (code != EC_OK)
        return code;
    fprintf(o.file, "module ec_netlist (");
    put_ports(n, o.file);
    fprintf(o.file, "\n);\n  %s #(", router_of(n));
    put_user_parameters(&n->source.user.parameters, &separator, o.file);
    fill_parameters(n, p);
    for (size_t i = 0; i < PARAMETERS; i++) {
        if (p[i].lacking)
            continue;
        fprintf(o.file, "%s.%s(%u)", separator, p[i].name, p[i].value);
        separator = ", ";
    }
    fprintf(o.file, ") u_router (.*);\nendmodule\n");
    return ec_output_commit(&o, reterr);
}

/* A model reads the number when it begins: processes differ in it, not compilations. */
enum ec_code netlist_wrap(const struct netlist *n, size_t group, struct ec_error *reterr)
{
    struct ec_output o;
    struct parameter p[PARAMETERS];
    char name[64];
    snprintf(name, sizeof name, "mutants-%zu.sv", group);
    const enum ec_code code = ec_output_open_in(&o, NULL, n->folder, name, reterr);
    if (code != EC_OK)
        return code;
    fill_parameters(n, p);
    fprintf(
        o.file,
        "// Written by ecube mutate: the router of netlist-%zu.v, with mutant $" EC_MUTANTS_VARIABLE
        " (0: none).\nmodule " EC_MUTANTS_TOP " #(",
        group);
    for (size_t i = 0; i < PARAMETERS; i++)
        fprintf(o.file, "%s\n  parameter int %s = %u", i ? "," : "", p[i].name, p[i].value);
    fprintf(o.file, "\n) (");
    put_ports(n, o.file);
    fprintf(o.file, "\n);\n  if (");
    for (size_t i = 0; i < PARAMETERS; i++)
        fprintf(o.file, "%s%s != %u", i ? " || " : "", p[i].name, p[i].value);
    fprintf(o.file,
            ") begin : gen_other\n    ec_error_these_mutants_have_other_parameters u_error ();\n"
            "  end\n  reg [15:0] mutsel;\n"
            "  initial mutsel = $c(\"(::getenv(\\\"" EC_MUTANTS_VARIABLE
            "\\\") ? ::atoi(::getenv(\\\"" EC_MUTANTS_VARIABLE "\\\")) : 0)\");\n"
            "  ec_netlist u_netlist (.*);\nendmodule\n");
    return ec_output_commit(&o, reterr);
}

/* --- The netlist ------------------------------------------------------------------------------ */

/* Memories become registers: a mutation of a memory's port would be lost. */
enum ec_code netlist_make(const struct netlist *n, uint32_t count, const char *list,
                          struct ec_error *reterr)
{
    char *script = NULL;
    enum ec_code code = write_router(n, reterr);
    if (code != EC_OK)
        return code;
    if (asprintf(&script,
                 "%sread_verilog -sv %s/" EC_MUTANTS_ROUTER "\n"
                 "hierarchy -check -top ec_netlist%s\n"
                 "prep -flatten -top ec_netlist\nmemory_map\nopt -full\nopt_clean\n"
                 "write_rtlil %s/" EC_MUTANTS_NETLIST "\n"
                 "mutate -list %u -seed %u -o %s/%s\n",
                 n->source.script, n->folder, n->source.libraries, n->folder, count,
                 (unsigned)n->request->seed, n->folder, list) < 0)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    code = ec_prove_yosys(&n->run, "netlist.ys", script, reterr);
    free(script);
    return code;
}
