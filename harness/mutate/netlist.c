/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is around the netlist of a router: the scripts that make it, a module that fixes the
 * parameters of the router for Yosys, and one that has these parameters again for Verilator.
 *
 * Knows the ports of the router contract and Yosys; must not know mutations. */
#include "mutate/netlist.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "ecube/word.h"
#include "mutate/yosys.h"
#include "shape/foreign.h"
#include "shape/recipe.h"

/* --- Files ------------------------------------------------------------------------------------ */

static enum ec_code begin_file(const char *folder, const char *name, struct ec_output *ret,
                               struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", folder, name);
    return code == EC_OK ? ec_output_open(ret, NULL, path, NULL, reterr) : code;
}

static enum ec_code read_text(const char *folder, const char *name, char **ret,
                              struct ec_error *reterr)
{
    char path[PATH_MAX];
    size_t size;
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", folder, name);
    return code == EC_OK ? ec_file_read(path, ret, &size, reterr) : code;
}

/* --- The router ------------------------------------------------------------------------------- */

static const char *router_of(const struct netlist *n)
{
    return n->request->top ? n->request->top : "ec_router";
}

/* Where Yosys runs; NULL: where this process does. */
static const char *cwd_of(const struct netlist *n)
{
    return n->request->top ? NULL : n->data;
}

/* The commands that read the router, without its cells in rtl/. */
static void put_read(const struct netlist *n, FILE *out)
{
    const struct ec_sources *s = &n->sources;
    fprintf(out, "read_verilog -sv -noassert -noassume -norestrict");
    if (!n->request->top) {
        fprintf(out, " ec_router.sv\n");
        return;
    }
    for (size_t i = 0; i < s->includes.count; i++)
        fprintf(out, " -I%s", s->includes.words[i]);
    for (size_t i = 0; i < s->defines.count; i++)
        fprintf(out, " -D%s", s->defines.words[i]);
    for (size_t i = 0; i < s->files.count; i++)
        fprintf(out, " %s", s->files.words[i]);
    for (size_t i = 0; i + 1 < s->library.count; i++) {
        if (strcmp(s->library.words[i], "-v") == 0)
            fprintf(out, " %s", s->library.words[++i]);
    }
    fputc('\n', out);
}

/* The folders where modules are searched that the files do not have. */
static void put_hierarchy(const struct netlist *n, FILE *out)
{
    const struct ec_args *library = &n->sources.library;
    fprintf(out, "hierarchy -check -top ec_netlist");
    if (!n->request->top)
        fprintf(out, " -libdir .");
    for (size_t i = 0; i + 1 < library->count; i++) {
        if (strcmp(library->words[i], "-y") == 0)
            fprintf(out, " -libdir %s", library->words[++i]);
    }
    fputc('\n', out);
}

static enum ec_code list_interface(struct netlist *n, struct ec_error *reterr)
{
    struct ec_output o;
    enum ec_code code = begin_file(n->folder, "interface.ys", &o, reterr);
    if (code != EC_OK)
        return code;
    put_read(n, o.file);
    fprintf(o.file,
            "tee -q -o %s/ports.txt portlist -m %s\n"
            "tee -q -o %s/parameters.txt chparam -list %s\n",
            n->folder, router_of(n), n->folder, router_of(n));
    code = ec_output_commit(&o, reterr);
    if (code == EC_OK)
        code = ec_yosys_run(n->folder, "interface", cwd_of(n), reterr);
    if (code == EC_OK)
        code = read_text(n->folder, "ports.txt", &n->ports, reterr);
    if (code == EC_OK)
        code = read_text(n->folder, "parameters.txt", &n->parameters, reterr);
    return code;
}

/* A word of a script of Yosys, which has no way to quote all characters, and expands patterns. */
static enum ec_code check_word(const char *word, struct ec_error *reterr)
{
    if (word[strcspn(word, " \t\r\n\"'\\;#*?[")] == '\0')
        return EC_OK;
    return ec_fail(
        reterr, EC_USAGE,
        "'%.300s': scripts of Yosys cannot name what has blanks, quotes, backslashes, or "
        "one of ;#*?[: rename it, or use a link",
        word);
}

static enum ec_code check_words(const struct ec_args *list, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < list->count && code == EC_OK; i++)
        code = check_word(list->words[i], reterr);
    return code;
}

static enum ec_code check_sources(const struct ec_sources *s, struct ec_error *reterr)
{
    enum ec_code code = check_words(&s->files, reterr);
    if (code == EC_OK)
        code = check_words(&s->includes, reterr);
    if (code == EC_OK)
        code = check_words(&s->defines, reterr);
    return code == EC_OK ? check_words(&s->library, reterr) : code;
}

/* A comma would separate it in a list of files. */
static enum ec_code check_folder(const char *folder, struct ec_error *reterr)
{
    if (!strchr(folder, ','))
        return check_word(folder, reterr);
    return ec_fail(reterr, EC_USAGE,
                   "%.300s: a folder for mutants must not have commas in its path", folder);
}

enum ec_code netlist_begin(struct netlist *n, const struct ec_mutants_request *q,
                           struct ec_error *reterr)
{
    char data[PATH_MAX];
    *n = (struct netlist){.request = q};
    if (ec_shape_has_places(q->build))
        return ec_fail(reterr, EC_USAGE,
                       "the place of this router is a parameter: mutants of it are not supported");
    enum ec_code code = ec_folder_make(q->folder, EC_FOLDER_USUAL, reterr);
    n->folder = code == EC_OK ? realpath(q->folder, NULL) : NULL;
    if (code == EC_OK && !n->folder)
        code = ec_fail(reterr, EC_IO, "%s: %s", q->folder, strerror(errno));
    if (code == EC_OK)
        code = check_folder(n->folder, reterr);
    if (code == EC_OK)
        code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = ec_path(n->data, sizeof n->data, reterr, "%s/" EC_DATA_RTL, data);
    if (code == EC_OK)
        code = ec_sources_read(q->rtl, q->build, &n->sources, reterr);
    if (code == EC_OK)
        code = check_sources(&n->sources, reterr);
    return code == EC_OK ? list_interface(n, reterr) : code;
}

void netlist_end(struct netlist *n)
{
    ec_sources_free(&n->sources);
    free(n->ports);
    free(n->parameters);
    free((char *)n->folder);
}

/* --- Modules ---------------------------------------------------------------------------------- */

/* Is there a line with this word in it? */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if (at > text && at[-1] == ' ' && strchr(",\n", at[length]))
            return true;
    }
    return false;
}

static void put_port(const struct netlist *n, const char **separator, const char *direction,
                     unsigned width, const char *name, FILE *out)
{
    if (!has_word(n->ports, name))
        return;
    fprintf(out, "%s\n  %s wire [%u:0] %s", *separator, direction, width - 1, name);
    *separator = ",";
}

/* The ports of the contract that the router has. One that it lacks and needs is a complaint of
 * Verilator about the unmutated router. */
static void put_ports(const struct netlist *n, FILE *out)
{
    const struct ec_tile_shape *s = &n->request->shape;
    const unsigned ports = s->dims * s->links_per_dim + s->locals, bufs = ports * s->vcs;
    const struct {
        const char *direction, *name;
        unsigned width;
    } list[] = {
        {"input", "clk_i", 1},
        {"input", "rst_i", 1},
        {"input", "coord_i", s->address_bits},
        {"input", "mask_i", s->address_bits * s->dims},
        {"input", "radix_i", (s->address_bits + 1) * s->dims},
        {"input", "wrap_i", s->dims},
        {"input", "dateline_i", 1},
        {"input", "classes_i", 1},
        {"input", "order_high_i", 1},
        {"input", "switching_i", 2},
        {"input", "depth_i", 16},
        {"input", "packet_i", 16},
        {"input", "link_i", 64 * ports},
        {"input", "credit_i", bufs},
        {"output", "link_o", 64 * ports},
        {"output", "credit_o", bufs},
        {"output", "contended_o", bufs},
        {"output", "starved_o", bufs},
        {"output", "want_o", 8 * bufs},
        {"output", "quiet_o", 1},
    };
    const char *separator = "";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        put_port(n, &separator, list[i].direction, list[i].width, list[i].name, out);
}

struct parameter {
    const char *name;
    unsigned value, usual; /* a router may lack it if it has the usual value; 0: it may not */
};
enum { PARAMETERS = 8 };

static void fill_parameters(const struct ec_tile_shape *s, struct parameter ret[PARAMETERS])
{
    const struct parameter all[PARAMETERS] = {
        {"Dims", s->dims, 0},          {"LinksPerDim", s->links_per_dim, 0},
        {"Locals", s->locals, 0},      {"Vcs", s->vcs, 0},
        {"DepthMax", s->depth_max, 0}, {"Dynamic", s->dynamic, s->dynamic},
        {"Stages", s->stages, 1},      {"AddressBits", s->address_bits, EC_WORD_ADDRESS_BITS}};
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
    const enum ec_code code = begin_file(n->folder, EC_MUTANTS_ROUTER, &o, reterr);
    if (code != EC_OK)
        return code;
    fprintf(o.file, "module ec_netlist (");
    put_ports(n, o.file);
    fprintf(o.file, "\n);\n  %s #(", router_of(n));
    put_user_parameters(&n->sources.parameters, &separator, o.file);
    fill_parameters(&n->request->shape, p);
    for (size_t i = 0; i < PARAMETERS; i++) {
        if (p[i].usual == p[i].value && !has_word(n->parameters, p[i].name))
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
    const enum ec_code code = begin_file(n->folder, name, &o, reterr);
    if (code != EC_OK)
        return code;
    fill_parameters(&n->request->shape, p);
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
    struct ec_output o;
    enum ec_code code = write_router(n, reterr);
    if (code == EC_OK)
        code = begin_file(n->folder, "netlist.ys", &o, reterr);
    if (code != EC_OK)
        return code;
    put_read(n, o.file);
    fprintf(o.file, "read_verilog -sv %s/" EC_MUTANTS_ROUTER "\n", n->folder);
    put_hierarchy(n, o.file);
    fprintf(o.file,
            "prep -flatten -top ec_netlist\nmemory_map\nopt -full\nopt_clean\n"
            "write_rtlil %s/" EC_MUTANTS_NETLIST "\n"
            "mutate -list %u -seed %u -o %s/%s\n",
            n->folder, count, (unsigned)(n->request->seed & 0x7fffffff), n->folder, list);
    code = ec_output_commit(&o, reterr);
    return code == EC_OK ? ec_yosys_run(n->folder, "netlist", cwd_of(n), reterr) : code;
}
