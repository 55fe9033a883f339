/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses mutants of a router and writes them as groups. Knows the ports of the router contract,
 * and Yosys with its command `mutate`; must not know how mutants are judged. */
#include "mutate/mutants.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "ecube/word.h"
#include "netlist/source.h"

#define SEED_MAX 0x7fffffffU /* of `mutate` of Yosys */
#define ALL      "all.txt"   /* what Yosys chose, with the mutations that are not judged */

/* --- What Yosys writes about a mutation ------------------------------------------------------- */

/* What of the options says where the mutation is. */
struct fields {
    const char *mode, *cell, *port, *bit, *wire, *wire_bit;
    const char *src; /* the narrowest location: others are instances around it */
    unsigned span;   /* its lines; 0: there is none */
};

/* The lines of "/folder/file.sv:45.3-53.6"; 0: not known, or not the user's. */
static unsigned span_of(const char *src)
{
    unsigned first, last;
    const char *colon = strrchr(src, ':');
    if (!colon || sscanf(colon, ":%u.%*u-%u.%*u", &first, &last) != 2 || first == 0 ||
        strstr(src, "/" EC_MUTANTS_ROUTER ":"))
        return 0;
    return last >= first ? last - first + 1 : 0;
}

static void take_option(struct fields *f, const char *name, const char *value)
{
    const struct {
        const char *name, **to;
    } options[] = {{"-mode", &f->mode},   {"-cell", &f->cell}, {"-port", &f->port},
                   {"-portbit", &f->bit}, {"-wire", &f->wire}, {"-wirebit", &f->wire_bit}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(name, options[i].name) == 0)
            *options[i].to = value;
    }
    const unsigned span = strcmp(name, "-src") == 0 ? span_of(value) : 0;
    if (span > 0 && (f->span == 0 || span <= f->span)) {
        f->src = value;
        f->span = span;
    }
}

/* "file.sv" and 45 of "/folder/file.sv:45.3-53.6". */
static void take_location(const char *src, struct ec_mutant *m)
{
    const char *colon = strrchr(src, ':'), *slash = strrchr(src, '/');
    const char *name = slash ? slash + 1 : src;
    if (!colon || name > colon)
        return;
    m->line = (unsigned)strtoul(colon + 1, NULL, 10);
    snprintf(m->file, sizeof m->file, "%.*s", (int)(colon - name), name);
}

/* "gen_output[1].u_output $and" of
 * "$flatten\gen_output[1].u_output.$and$/folder/ec_output.sv:86$9": the rest is a number and the
 * location. */
static void take_cell(const struct fields *f, struct ec_mutant *m)
{
    static const char flattened[] = "$flatten\\";
    const char *at = f->cell;
    if (strncmp(at, flattened, strlen(flattened)) == 0)
        at += strlen(flattened);
    const char *type = strchr(at, '$');
    const size_t path = type ? (size_t)(type - at) : strlen(at);
    const size_t length = type ? 1 + strcspn(type + 1, "$") : 0;
    snprintf(m->place, sizeof m->place, "%.*s%.*s %s[%s]", (int)path, at, (int)length,
             type ? type : "", f->port ? f->port : "?", f->bit ? f->bit : "0");
}

/* Names are escaped in parts. */
static void remove_backslashes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\')
            *to++ = *from;
    }
    *to = '\0';
}

bool ec_mutant_judged(const char *line)
{
    return strncmp(line, "mutate ", 7) == 0 && !strstr(line, " -port CLK ");
}

void ec_mutant_read(char *line, uint32_t number, struct ec_mutant *ret)
{
    struct fields f = {0};
    char *save = NULL;
    *ret = (struct ec_mutant){.number = number};
    strtok_r(line, " \n", &save);
    for (char *name; (name = strtok_r(NULL, " \n", &save)) != NULL;) {
        const char *value = strtok_r(NULL, " \n", &save);
        if (value)
            take_option(&f, name, value);
    }
    snprintf(ret->kind, sizeof ret->kind, "%s", f.mode ? f.mode : "?");
    if (f.src)
        take_location(f.src, ret);
    if (f.wire)
        snprintf(ret->place, sizeof ret->place, "%s[%s]", f.wire, f.wire_bit ? f.wire_bit : "0");
    else if (f.cell)
        take_cell(&f, ret);
    remove_backslashes(ret->place);
}

/* The modules and scripts that make netlists of a router. */
struct netlist {
    const struct ec_mutants_request *request;
    char *folder;           /* absolute; owned */
    struct ec_tool_run run; /* of Yosys, in that folder */
    sigset_t before;
    struct ec_netlist_source source;
};

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

/* Read the router. Release with netlist_end, whatever happens. */
static enum ec_code netlist_begin(struct netlist *n, const struct ec_mutants_request *q,
                                  struct ec_error *reterr)
{
    const struct ec_netlist_reading reading = {
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
    return code == EC_OK ? ec_netlist_open(&reading, &n->run, &n->source, reterr) : code;
}

static void netlist_end(struct netlist *n)
{
    ec_netlist_close(&n->source);
    free(n->folder);
    ec_signals_release(&n->before);
}

/* --- Modules ---------------------------------------------------------------------------------- */

void ec_mutants_put_ports(const struct ec_tile_shape *s, const bool *features, FILE *out)
{
    const unsigned ports = s->dims * s->links_per_dim + s->locals, bufs = ports * s->vcs;
    const bool taps = features == NULL || features[EC_FEATURE_TAPS];
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
        {"input", "classes_i", 1, features == NULL || features[EC_FEATURE_CLASSES]},
        {"input", "balanced_i", 1, features == NULL || features[EC_FEATURE_BALANCED]},
        {"input", "order_high_i", 1, true},
        {"input", "switching_i", 2, true},
        {"input", "depth_i", 16, true},
        {"input", "packet_i", 16, true},
        {"input", "link_i", 64 * ports, true},
        {"input", "credit_i", bufs, true},
        {"output", "link_o", 64 * ports, true},
        {"output", "credit_o", bufs, true},
        {"output", "contended_o", bufs, taps},
        {"output", "starved_o", bufs, taps},
        {"output", "want_o", 8 * bufs, taps},
        {"output", "quiet_o", 1, features == NULL || features[EC_FEATURE_QUIET]},
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
    ec_mutants_put_ports(&n->request->shape, n->source.features, o.file);
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
/* Write the module that Verilator gets for a group. */
static enum ec_code netlist_wrap(const struct netlist *n, size_t group, struct ec_error *reterr)
{
    struct ec_output o;
    struct parameter p[PARAMETERS];
    char name[64];
    snprintf(name, sizeof name, "mutants-%zu.sv", group);
    const enum ec_code code = ec_output_open_in(&o, NULL, n->folder, name, reterr);
    if (code != EC_OK)
        return code;
    fill_parameters(n, p);
    fprintf(o.file,
            "// Written by ecube tile mutate: the router of netlist-%zu.v, with mutant "
            "$" EC_MUTANTS_VARIABLE " (0: none).\nmodule " EC_MUTANTS_TOP " #(",
            group);
    for (size_t i = 0; i < PARAMETERS; i++)
        fprintf(o.file, "%s\n  parameter int %s = %u", i ? "," : "", p[i].name, p[i].value);
    fprintf(o.file, "\n) (");
    ec_mutants_put_ports(&n->request->shape, n->source.features, o.file);
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
/* Write EC_MUTANTS_NETLIST, and a list of `count` mutations to FOLDER/`list`. */
static enum ec_code netlist_make(const struct netlist *n, uint32_t count, const char *list,
                                 struct ec_error *reterr)
{
    struct ec_yosys y;
    const enum ec_code code = write_router(n, reterr);
    if (code != EC_OK)
        return code;
    if (ec_yosys_begin(&y) != NULL) {
        fprintf(y.out, "%sread_verilog -sv %s/" EC_MUTANTS_ROUTER "\n", n->source.script,
                n->folder);
        fprintf(y.out, EC_NETLIST_HIERARCHY("ec_netlist"), n->source.libraries);
        fprintf(y.out,
                "prep -flatten -top ec_netlist\nmemory_map\nopt -full\nopt_clean\n"
                "write_rtlil %s/" EC_MUTANTS_NETLIST "\n"
                "mutate -list %u -seed %u -o %s/%s\n",
                n->folder, count, (unsigned)n->request->seed, n->folder, list);
    }
    return ec_yosys_end(&y, code, &n->run, "netlist.ys", reterr);
}

/* --- Groups ------------------------------------------------------------------------------------
 */

void ec_mutants_free(struct ec_mutants *m)
{
    free(m->at);
}

size_t ec_mutants_group(const struct ec_mutants *m, uint32_t number)
{
    return number == 0 ? 1 : (number - 1) / m->group + 1;
}

enum ec_code ec_mutants_rtl(const struct ec_mutants *m, size_t group, char *buffer, size_t size,
                            struct ec_error *reterr)
{
    return ec_path(buffer, size, reterr, "%s/mutants-%zu.sv,%s/netlist-%zu.v", m->folder, group,
                   m->folder, group);
}

/* Keep the first mutants of the list that can be judged, as EC_MUTANTS_LIST. */
static enum ec_code choose(struct ec_mutants *m, uint32_t count, char *text,
                           struct ec_error *reterr)
{
    char *save = NULL;
    struct ec_output o;
    enum ec_code code = ec_output_open_in(&o, NULL, m->folder, EC_MUTANTS_LIST, reterr);
    if (code != EC_OK)
        return code;
    for (char *line = strtok_r(text, "\n", &save); line && m->count < count;
         line = strtok_r(NULL, "\n", &save)) {
        if (!ec_mutant_judged(line))
            continue;
        fprintf(o.file, "%s\n", line);
        ec_mutant_read(line, (uint32_t)m->count + 1, &m->at[m->count]);
        m->count++;
    }
    m->groups = (m->count + m->group - 1) / m->group;
    code = ec_output_commit(&o, reterr);
    if (code == EC_OK && m->count == 0)
        code = ec_fail(reterr, EC_TOOL, "Yosys finds nothing to mutate in this router");
    return code;
}

static enum ec_code read_list(struct ec_mutants *m, uint32_t count, const char *name,
                              struct ec_error *reterr)
{
    char path[PATH_MAX], *text = NULL;
    size_t size;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", m->folder, name);
    if (code == EC_OK)
        code = ec_file_read(path, &text, &size, reterr);
    m->at = calloc(count, sizeof *m->at);
    if (code == EC_OK && !m->at)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for %u mutants", count);
    if (code == EC_OK)
        code = choose(m, count, text, reterr);
    free(text);
    return code;
}

/* Each command selects its mutation by its own value of mutsel. */
static void put_groups(const struct ec_mutants *m, char *text, FILE *out)
{
    char *save = NULL;
    char *line = strtok_r(text, "\n", &save);
    uint32_t number = 1;
    for (size_t g = 1; g <= m->groups; g++) {
        fprintf(out, "read_rtlil %s/" EC_MUTANTS_NETLIST "\n", m->folder);
        for (; line && ec_mutants_group(m, number) == g; line = strtok_r(NULL, "\n", &save))
            fprintf(out, "mutate -ctrl mutsel 16 %u %s\n", number++, line + strlen("mutate "));
        fprintf(out, "opt_clean\nwrite_verilog -noattr %s/netlist-%zu.v\ndesign -reset\n",
                m->folder, g);
    }
}

static enum ec_code make_groups(const struct ec_mutants *m, const struct netlist *n,
                                struct ec_error *reterr)
{
    char path[PATH_MAX], *text = NULL;
    struct ec_yosys y;
    size_t size;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_LIST, m->folder);
    if (code == EC_OK)
        code = ec_file_read(path, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    if (ec_yosys_begin(&y) != NULL)
        put_groups(m, text, y.out);
    free(text);
    code = ec_yosys_end(&y, code, &n->run, "groups.ys", reterr);
    for (size_t g = 1; g <= m->groups && code == EC_OK; g++)
        code = netlist_wrap(n, g, reterr);
    return code;
}

enum ec_code ec_mutants_make(const struct ec_mutants_request *q, struct ec_mutants *ret,
                             struct ec_error *reterr)
{
    struct netlist n;
    /* Some of the choice is not judged. */
    const uint32_t listed = q->count + q->count / 8 + 16;
    *ret = (struct ec_mutants){.group = q->group ? q->group : EC_MUTANTS_GROUP};
    enum ec_code code = netlist_begin(&n, q, reterr);
    if (code == EC_OK)
        code = ec_path(ret->folder, sizeof ret->folder, reterr, "%s", n.folder);
    if (code == EC_OK)
        code = netlist_make(&n, listed, ALL, reterr);
    if (code == EC_OK)
        code = read_list(ret, q->count, ALL, reterr);
    if (code == EC_OK)
        code = make_groups(ret, &n, reterr);
    netlist_end(&n);
    return code;
}
