/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a circuit of a router and its environment with Yosys. Knows the parameters of
 * rtl/formal/ec_proof.sv and the passes of Yosys; must not know what the properties say. */
#include "prove/model.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "prove/properties.h"

#define TOP    "ec_prove"
#define FORMAL EC_DATA_RTL "/formal"

/* --- SystemVerilog ---------------------------------------------------------------------------- */

static void put_macros(const struct ec_netlist_source *s, FILE *out)
{
    if (ec_prove_has_invariants(s))
        fputs("`define EC_INVARIANTS\n", out);
    if (s->top == NULL)
        return;
    fprintf(out, "`define EC_ROUTER %s\n", s->top);
    for (enum ec_feature k = 0; k < EC_FEATURES; k++) {
        if (!s->features[k] && ec_feature_macro(k) != NULL)
            fprintf(out, "`define %s\n", ec_feature_macro(k));
    }
    if (!s->data_bits)
        fprintf(out, "`define EC_NO_DATA_BITS\n");
    fprintf(out, "`define EC_PARAMETERS");
    for (size_t i = 0; i < s->user.parameters.count; i++) {
        const char *text = s->user.parameters.words[i];
        const size_t name = strcspn(text, "=");
        fprintf(out, " .%.*s(%s),", (int)name, text, text + name + (text[name] == '='));
    }
    fputc('\n', out);
}

/* The words of the router from the bits that are not always 0. */
static void put_words(const struct ec_prove_case *c, FILE *out)
{
    const unsigned n = ec_prove_in_bits(c), w = ec_prove_out_bits(c);
    const unsigned a = c->address_used, d = c->data_used, pad = c->shape.address_bits - a;
    for (unsigned p = 0; p < ec_prove_ports(c); p++) {
        const unsigned from = n * p, dst = from + d + a;
        fprintf(out, "  assign link[%u:%u] = {word_i[%u:%u]", w * (p + 1) - 1, w * p, from + n - 1,
                dst + a);
        if (pad > 0)
            fprintf(out, ", %u'd0", pad);
        fprintf(out, ", word_i[%u:%u]", dst + a - 1, dst);
        if (pad > 0)
            fprintf(out, ", %u'd0", pad);
        fprintf(out, ", word_i[%u:%u]", dst - 1, from + d);
        if (c->data_bits > d)
            fprintf(out, ", %u'd0", c->data_bits - d);
        fprintf(out, ", word_i[%u:%u]};\n", from + d - 1, from);
    }
}

/* The parameters of ec_proof, in parentheses that stay open. */
static void put_parameters(const struct ec_prove_case *c, bool exact, FILE *out)
{
    const struct ec_tile_shape *s = &c->shape;
    fprintf(out,
            "(.Dims(%u), .LinksPerDim(%u), .Locals(%u), .Vcs(%u), .DepthMax(%u), .Dynamic(%u),\n"
            "    .Stages(%u), .AddressBits(%u), .DataBits(%u), .Exact(%d)",
            s->dims, s->links_per_dim, s->locals, s->vcs, s->depth_max, s->dynamic, s->stages,
            s->address_bits, c->data_bits, exact);
    if (s->paths > 0)
        fprintf(out, ", .Paths(%u)", s->paths);
    if (c->topology != NULL && ec_router_chooses(c->router) && s->dynamic != EC_TILE_ADAPTIVE)
        fprintf(out, ", .Free(%d), .Ordered(%d)", c->router->routing == EC_ROUTING_ANY ? 2 : 1,
                c->router->ordered);
}

static void put_top(const struct ec_netlist_source *s, const struct ec_prove_case *c, FILE *out)
{
    const struct ec_tile_shape *shape = &c->shape;
    const unsigned ports = ec_prove_ports(c);
    put_macros(s, out);
    if (shape->speedup > 0 || shape->paths > 0)
        fprintf(out, "`define EC_PARAMETERS .Speedup(%u), .Paths(%u),\n", shape->speedup,
                shape->paths);
    fprintf(out,
            "`include \"%s/" FORMAL "/ec_proof.sv\"\n"
            "module " TOP " (\n  input wire clk_i,\n  input wire rst_i,\n"
            "  input wire [%u:0] word_i,\n  input wire [%u:0] credit_i\n);\n  wire [%u:0] link;\n",
            s->data, ec_prove_in_bits(c) * ports - 1, ports * shape->vcs - 1,
            ec_prove_out_bits(c) * ports - 1);
    put_words(c, out);
    fputs("  ec_proof #", out);
    put_parameters(c, s->top == NULL, out);
    fprintf(out,
            ", .Still(%u)) u_proof (\n    .clk_i(clk_i), .rst_i(rst_i), .link_i(link), "
            ".credit_i(credit_i));\nendmodule\n",
            ec_prove_still(s, c));
}

/* Instead of ec_proof_pins.sv: the pins of one network, for all its places. */
static void put_pins(const struct ec_prove_case *c, FILE *out)
{
    const struct ec_tile_shape *shape = &c->shape;
    const struct ec_tile_place place = ec_shape_place(c->topology, c->router, shape, 0);
    const unsigned a = shape->address_bits, last = shape->dims;
    fprintf(out,
            "(* ec_environment *)\nmodule ec_proof_pins #(parameter int Dims = 1, "
            "parameter int LinksPerDim = 2, parameter int Vcs = 1,\n  parameter int DepthMax = 4, "
            "parameter int Dynamic = 0, "
            "parameter int AddressBits = 16) (\n  input wire clk_i, output wire [%u:0] coord_o, "
            "output wire [%u:0] mask_o, output wire [%u:0] radix_o,\n  output wire [%u:0] wrap_o, "
            "output wire dateline_o, output wire classes_o, output wire balanced_o,\n  "
            "output wire order_high_o, output wire [1:0] switching_o, output wire [15:0] depth_o, "
            "output wire [15:0] packet_o,\n"
            "  output wire [15:0] need_o, output wire [%u:0] nodes_o);\n"
            "  (* anyconst *) logic [%u:0] coord;\n  assign coord_o = coord;\n",
            a - 1, a * last - 1, (a + 1) * last - 1, last - 1, a - 1, a - 1);
    uint32_t nodes = 0;
    for (unsigned d = 0; d < last; d++) {
        /* A cube has no radix pins to read; the environment takes them from the address bits. */
        fprintf(out,
                "  assign mask_o[%u:%u] = %u'd%u;\n  assign radix_o[%u:%u] = %u'd%u;\n"
                "  assign wrap_o[%u] = 1'b%u;\n",
                a * (d + 1) - 1, a * d, a, place.mask[d], (a + 1) * (d + 1) - 1, (a + 1) * d, a + 1,
                place.radix[d], d, place.wrap >> d & 1);
        nodes |= place.mask[d];
        if (place.mask[d] != 0)
            fprintf(out, "  always_comb assume ({1'b0, coord & %u'd%u} < %u'd%u);\n", a,
                    place.mask[d], a + 1, place.radix[d]);
    }
    fprintf(out,
            "  always_comb assume ((coord & ~%u'd%u) == '0);\n  assign dateline_o = 1'b%u;\n"
            "  assign classes_o = 1'b%u;\n  assign balanced_o = 1'b%u;\n  assign order_high_o = "
            "1'b%u;\n  assign switching_o = "
            "2'd%u;\n  assign depth_o = 16'd%u;\n  assign nodes_o = %u'd%u;\n",
            a, nodes, place.dateline, place.classes == 2, place.balanced, place.order_high,
            place.switching, place.depth, a, nodes);
    if (place.packet > 0)
        fprintf(out, "  wire [15:0] packet = 16'd%u;\n", place.packet);
    else
        fprintf(out,
                "  (* anyconst *) logic [15:0] packet;\n"
                "  always_comb assume (packet != '0 && packet <= 16'd%u);\n",
                place.depth);
    fprintf(out, "  assign packet_o = packet;\n  assign need_o = %s;\nendmodule\n",
            place.switching == 0 ? "16'd1" : "packet");
}

static enum ec_code write_pins(const struct ec_prove_case *c, const char *folder,
                               struct ec_error *reterr)
{
    struct ec_output o;
    if (c->topology == NULL)
        return EC_OK;
    const enum ec_code code = ec_output_open_in(&o, NULL, folder, "pins.sv", reterr);
    if (code != EC_OK)
        return code;
    put_pins(c, o.file);
    return ec_output_commit(&o, reterr);
}

/* --- The script of Yosys ---------------------------------------------------------------------- */

/* Assertions and covers become outputs of the circuit. Those of rtl/formal are wires already. */
static const char maps[] = "(* techmap_celltype = \"$assert\" *)\n"
                           "module ec_prove_assert (input A, EN);\n"
                           "`ifdef EC_OWN\n"
                           "  (* keep *) wire " EC_PROVE_OWN " = EN & ~A;\n"
                           "`else\n"
                           "  (* keep *) wire broken_assertion" EC_PROVE_MARK " = EN & ~A;\n"
                           "`endif\n"
                           "endmodule\n"
                           "(* techmap_celltype = \"$cover\" *)\n"
                           "module ec_prove_cover (input A, EN);\n"
                           "  (* keep *) wire reached" EC_PROVE_MARK " = EN & A;\nendmodule\n";

/* The circuit has one clock, so all registers must have the rising edge of clk_i. Latches have
 * none. */
static const char one_clock[] =
    "select -set registers t:$dff t:$dffe t:$adff t:$adffe t:$sdff t:$sdffe t:$sdffce t:$aldff "
    "t:$aldffe t:$dffsr t:$dffsre\n"
    "select -set clocked w:clk_i %co1:+[CLK] @registers %i\n"
    "select -set falling r:CLK_POLARITY=1'0 @registers %i\n"
    "select -assert-none @registers @clocked %d @falling %u t:$dlatch %u t:$adlatch %u t:$sr %u\n";

/* Modules of rtl/formal, whatever those of the router are called. */
#define OWN "A:ec_environment"

/* What the router assumes of its inputs must follow from the contract: else a proof would be about
 * less traffic than it says. */
#define ROUTER_ASSUMES "chformal -assume -assume2assert * " OWN " %%d\n"

/* "unique", "priority" and such comments allow a synthesis to leave out cases. A simulation takes
 * the first one that matches, or none. */
#define EVERY_CASE "attrmap -remove full_case -remove parallel_case\n"

/* The outputs of the router, its pins, and where the tracked words come in. */
enum { ROUTER_OUTPUTS = 6 };
static const char *const observed[] = {
    "link",      "credit", "contended", "starved",  "want",    "quiet",    "coord",
    "mask",      "radix",  "wrap",      "dateline", "classes", "balanced", "order_high",
    "switching", "depth",  "packet",    "port",     "vc"};

/* Behind `proc`. Newer versions of Yosys (0.52, not 0.23) have one type of cell for all checks,
 * which this turns into those for assertions, assumptions and covers. */
#define CHECKS "async2sync t:$check\n"

/* The modules of the environment. ec_proof.sv itself is included by the top module. */
static enum ec_code put_environment(const struct ec_prove_case *c, const char *data,
                                    const char *folder, FILE *out, struct ec_error *reterr)
{
    static const char part[] = "ec_proof_", pins[] = "ec_proof_pins.sv";
    char path[PATH_MAX], **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" FORMAL, data);
    if (code == EC_OK)
        code = ec_folder_names(path, &names, &count, reterr);
    fprintf(out, "read_verilog -formal -sv -I%s -I%s/" EC_DATA_RTL, path, data);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(names[i], part, sizeof part - 1) == 0 && ec_name_ends(names[i], ".sv") &&
            (c->topology == NULL || strcmp(names[i], pins) != 0))
            fprintf(out, " %s/%s", path, names[i]);
    }
    if (c->topology != NULL)
        fprintf(out, " %s/pins.sv", folder);
    fprintf(out, " %s/top.sv\n", folder);
    free(names);
    return code;
}

/* The invariants of our own router speak of its registers: rtl/formal/ties.sh prints the commands
 * of Yosys that connect them, for a circuit whose top is ec_proof. */
static enum ec_code put_ties(const struct ec_netlist_source *s, const struct ec_prove_case *c,
                             const struct ec_tool_run *run, FILE *out, struct ec_error *reterr)
{
    const struct ec_tile_shape *shape = &c->shape;
    const unsigned values[] = {
        shape->dims,    shape->links_per_dim, shape->locals,       shape->vcs,   shape->depth_max,
        shape->dynamic, shape->stages,        shape->address_bits, c->data_bits, shape->paths};
    struct ec_tool_run ties = *run;
    struct ec_args args = {0};
    char *text = NULL, *save = NULL;
    int status;
    ties.log = "ties.txt";
    ec_args_add(&args, "sh");
    ec_args_add(&args, "%s/" FORMAL "/ties.sh", s->data);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ec_args_add(&args, "%u", values[i]);
    enum ec_code code = ec_tool_run(&ties, &args, &status, reterr);
    if (code == EC_OK && (status != 0 || (text = ec_tool_text(run->folder, ties.log)) == NULL))
        code = ec_fail(reterr, EC_INTERNAL, "%s/" FORMAL "/ties.sh failed", s->data);
    for (char *line = text != NULL ? strtok_r(text, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        const char *wire = strstr(line, " inv_"), *router = strstr(line, " \\u_router");
        if (wire != NULL && router != NULL)
            fprintf(out, "connect -set " EC_PROVE_INSIDE "%.*s \\" EC_PROVE_INSIDE "%s\n",
                    (int)(router - wire - 1), wire + 1, router + 2);
    }
    free(text);
    return code;
}

static enum ec_code put_script(const struct ec_netlist_source *s, const struct ec_prove_case *c,
                               const struct ec_tool_run *run, FILE *out, struct ec_error *reterr)
{
    const char *folder = run->folder;
    fputs(s->script, out);
    enum ec_code code = put_environment(c, s->data, folder, out, reterr);
    fprintf(out,
            EC_NETLIST_HIERARCHY(TOP) EVERY_CASE
            "proc\n" CHECKS "design -push-copy\nopt_clean\ncheck\ndesign -pop\n" ROUTER_ASSUMES
            "delete " OWN "%s t:$assert %%i\n"
            "rename -src t:$assert t:$cover\n"
            "techmap -D EC_OWN -map %s/maps.v " OWN "\ntechmap -map %s/maps.v\n"
            "flatten\n"
            "expose w:" EC_PROVE_INSIDE "*broken_* w:" EC_PROVE_INSIDE "u_router.* %%d "
            "w:*" EC_PROVE_MARK " %%u\nexpose w:" EC_PROVE_RESET_OVER,
            s->libraries != NULL ? s->libraries : "",
            ec_prove_has_invariants(s) ? " *ec_proof_* %i" : "", folder, folder);
    /* Pins that are constants would be outputs without names. */
    for (size_t i = 0; i < sizeof observed / sizeof *observed; i++) {
        if (i < ROUTER_OUTPUTS || c->topology == NULL || strcmp(observed[i], "coord") == 0)
            fprintf(out, " w:" EC_PROVE_INSIDE "%s", observed[i]);
    }
    fputs("\nmemory -nomap\nmemory_map\n", out);
    if (code == EC_OK && ec_prove_has_invariants(s))
        code = put_ties(s, c, run, out, reterr);
    fputs("setundef -anyseq\nopt -full\n", out); /* `opt` takes the best value of an x */
    fputs(one_clock, out);
    fputs("async2sync\n"
          "setundef -undriven -anyseq\nsetundef -anyseq\ndffunmap\nopt -full\n"
          "formalff -clk2ff -ff2anyinit\n"
          "techmap\nsetundef -undriven -anyseq\nsetundef -anyseq\naigmap\n",
          out);
    fprintf(out, "tee -q -o %s/" EC_PROVE_CONSTANTS " dump o:*\n", folder);
    fprintf(out, "write_aiger -zinit -no-startoffset -map %s/circuit.map %s/circuit.aig\n", folder,
            folder);
    return code;
}

static enum ec_code read_aiger(const char *folder, struct ec_aig *ret, struct ec_error *reterr)
{
    char path[PATH_MAX], map[PATH_MAX];
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/circuit.aig", folder);
    if (code == EC_OK)
        code = ec_path(map, sizeof map, reterr, "%s/circuit.map", folder);
    return code == EC_OK ? ec_aig_read(path, map, ret, reterr) : code;
}

/* Yosys truncates or extends what does not fit, and warns: "Resizing cell port MODULE.u_router.PORT
 * from 48 bits to 64 bits." */
static enum ec_code check_widths(const struct ec_netlist_source *s, const struct ec_tool_run *run,
                                 struct ec_error *reterr)
{
    char *log = ec_tool_text(run->folder, run->log), port[100];
    enum ec_code code = EC_OK;
    unsigned router, contract;
    const char *at = log;
    while (code == EC_OK && at != NULL && (at = strstr(at, "Resizing cell port ")) != NULL) {
        const char *name = strstr(at, ".u_router."), *line = at + strcspn(at, "\n");
        if (name != NULL && name < line &&
            sscanf(name, ".u_router.%99[^ ] from %u bits to %u bits", port, &contract, &router) ==
                3)
            code = ec_fail(reterr, EC_TOOL,
                           "port %s of %s has %u bits: the contract (section 3) expects %u", port,
                           s->top, router, contract);
        at = line;
    }
    free(log);
    return code;
}

static enum ec_code write_modules(const struct ec_netlist_source *s, const struct ec_prove_case *c,
                                  const char *folder, struct ec_error *reterr)
{
    struct ec_output o;
    enum ec_code code = ec_output_open_in(&o, NULL, folder, "maps.v", reterr);
    if (code == EC_OK) {
        fputs(maps, o.file);
        code = ec_output_commit(&o, reterr);
    }
    if (code == EC_OK)
        code = ec_output_open_in(&o, NULL, folder, "top.sv", reterr);
    if (code != EC_OK)
        return code;
    put_top(s, c, o.file);
    code = ec_output_commit(&o, reterr);
    return code == EC_OK ? write_pins(c, folder, reterr) : code;
}

enum ec_code ec_prove_model(const struct ec_netlist_source *source, const struct ec_prove_case *c,
                            const struct ec_tool_run *run, struct ec_aig *ret,
                            struct ec_error *reterr)
{
    struct ec_yosys y;
    *ret = (struct ec_aig){0};
    enum ec_code code = write_modules(source, c, run->folder, reterr);
    if (code != EC_OK)
        return code;
    if (ec_yosys_begin(&y) != NULL)
        code = put_script(source, c, run, y.out, reterr);
    code = ec_yosys_end(&y, code, run, "model.ys", reterr);
    if (code == EC_OK && source->top != NULL)
        code = check_widths(source, run, reterr);
    if (code == EC_OK)
        code = ec_netlist_scan_libraries(source, run, reterr);
    return code == EC_OK ? read_aiger(run->folder, ret, reterr) : code;
}
