/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the circuit of a comparison, and the script of Yosys that makes it. Knows the environment
 * of proofs and the files of mutants; must not know how the comparison is made. */
#include "mutate/miter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "prove/model.h"

const char *const miter_outputs[MITER_OUTPUTS] = {"link",    "credit", "contended",
                                                  "starved", "want",   "quiet"};

/* Cells that have a direct form as gates for `aigmap`, or get one from `alumacc`. For printf. */
#define DIRECT                                                                                     \
    "t:$add %%d t:$sub %%d t:$lt %%d t:$le %%d t:$gt %%d t:$ge %%d t:$alu %%d t:$eq %%d t:$ne "    \
    "%%d t:$and %%d t:$or %%d t:$xor %%d t:$xnor %%d t:$not %%d t:$mux %%d t:$reduce_* %%d "       \
    "t:$logic_* %%d"

/* The registers of ecube's router, after flattening. */
#define REGISTERS MITER_INSIDE "u_router.u_netlist.u_router."

/* --- Modules ---------------------------------------------------------------------------------- */

/* The ports of the contract around those that the netlist has. */
static void put_router(const struct ec_tile_shape *s, FILE *out)
{
    fputs("module ec_equal_router #(parameter int Dims = 0, LinksPerDim = 0, Locals = 0, Vcs = 0,\n"
          "  Dynamic = 0, Stages = 0, AddressBits = 0, DataBits = 0, DepthMax = 0) (",
          out);
    ec_mutants_put_ports(s, NULL, out);
    fputs("\n);\n  wire [15:0] mutsel;\n  ec_netlist u_netlist (.*);\nendmodule\n", out);
}

static void put_top(const struct ec_prove_case *c, bool own, FILE *out)
{
    const unsigned ports = ec_prove_ports(c);
    fprintf(out,
            "`define EC_ROUTER ec_equal_router\n`define EC_EQUAL\n%s`include \"ec_proof.sv\"\n"
            "module ec_equal (\n  input wire clk_i,\n  input wire rst_i,\n  input wire [%u:0] "
            "link_i,\n  input wire [%u:0] credit_i,\n  input wire [15:0] " MITER_SELECT "\n);\n"
            "  ec_proof #",
            own ? "`define EC_INVARIANTS\n" : "", 64 * ports - 1, ports * c->shape.vcs - 1);
    ec_prove_put_parameters(c, own, out);
    fputs(") u_proof (.*);\nendmodule\n", out);
}

static enum ec_code put_modules(const struct ec_prove_case *c, bool own, const char *folder,
                                struct ec_error *reterr)
{
    struct ec_output o;
    enum ec_code code = ec_output_open_in(&o, NULL, folder, "top.sv", reterr);
    if (code != EC_OK)
        return code;
    put_router(&c->shape, o.file);
    put_top(c, own, o.file);
    code = ec_output_commit(&o, reterr);
    return code == EC_OK ? ec_prove_write_pins(c, folder, reterr) : code;
}

/* --- The script ------------------------------------------------------------------------------- */

/* The mutations of these numbers: line K of the list is mutant K. */
static enum ec_code put_mutations(const struct ec_equal_request *q, FILE *out,
                                  struct ec_error *reterr)
{
    char path[PATH_MAX], *text = NULL, *save = NULL;
    size_t size;
    uint32_t number = 1;
    enum ec_code code =
        ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_LIST, q->mutants->folder);
    if (code == EC_OK)
        code = ec_file_read(path, &text, &size, reterr);
    fprintf(out, "read_rtlil %s/" EC_MUTANTS_NETLIST "\n", q->mutants->folder);
    for (char *line = code == EC_OK ? strtok_r(text, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save), number++) {
        for (size_t i = 0; i < q->count; i++) {
            if (q->numbers[i] == number)
                fprintf(out, "mutate -ctrl mutsel 16 %u %s\n", number, line + strlen("mutate "));
        }
    }
    free(text);
    return code;
}

/* Invariants speak of registers. The netlist does not have all of them: Yosys has removed those
 * that nobody reads. */
static enum ec_code put_ties(const struct ec_equal_request *q, const struct ec_prove_case *c,
                             const char *data, const struct ec_tool_run *run, FILE *out,
                             struct ec_error *reterr)
{
    char path[PATH_MAX], name[300], *netlist = NULL, *ties = NULL, *save = NULL, *to = NULL;
    char *from = NULL;
    size_t size, to_size, from_size;
    enum ec_code code =
        ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_NETLIST, q->mutants->folder);
    if (code == EC_OK)
        code = ec_file_read(path, &netlist, &size, reterr);
    if (code == EC_OK)
        code = ec_prove_ties(data, c, run, &ties, reterr);
    FILE *wires = open_memstream(&to, &to_size), *registers = open_memstream(&from, &from_size);
    if (code == EC_OK && (wires == NULL || registers == NULL))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    for (char *line = code == EC_OK ? strtok_r(ties, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        const char *wire = strstr(line, " inv_"), *router = strstr(line, " \\u_router.");
        if (wire == NULL || router == NULL)
            continue;
        snprintf(name, sizeof name, "%s\n", router);
        if (strstr(netlist, name) == NULL)
            continue;
        fprintf(wires, "," MITER_INSIDE "%.*s", (int)(router - wire - 1), wire + 1);
        fprintf(registers, ",\\" REGISTERS "%s", router + strlen(" \\u_router."));
    }
    if (wires != NULL && fclose(wires) != 0 && code == EC_OK)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    if (registers != NULL && fclose(registers) != 0 && code == EC_OK)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    /* One command for all: each one reads the whole module. */
    if (code == EC_OK && to_size > 0)
        fprintf(out, "connect -nounset -set %s %s\n", to + 1, from + 1);
    free(to);
    free(from);
    free(netlist);
    free(ties);
    return code;
}

static enum ec_code put_script(const struct ec_equal_request *q, const struct ec_prove_case *c,
                               bool own, const char *data, const struct ec_tool_run *run, FILE *out,
                               struct ec_error *reterr)
{
    enum ec_code code = put_mutations(q, out, reterr);
    if (code == EC_OK)
        code = ec_prove_put_environment(c, data, " -DEC_EQUAL", run->folder, out, reterr);
    if (code != EC_OK)
        return code;
    fputs("hierarchy -check -top ec_equal\nproc\n" EC_PROVE_CHECKS "flatten\nexpose w:" MITER_LIVE,
          out);
    for (size_t i = 0; i < MITER_OUTPUTS; i++)
        fprintf(out, " w:" MITER_INSIDE "%s", miter_outputs[i]);
    if (own)
        fputs(" w:" MITER_VIEW "* w:" MITER_CARE "*", out);
    fputs("\nconnect -nounset -set " MITER_INSIDE "u_router.mutsel " MITER_SELECT "\n", out);
    /* Before anything is cleaned: the mutation of a bit that only invariants read would vanish, and
     * leave the bit without a driver. */
    if (own)
        code = put_ties(q, c, data, run, out, reterr);
    /* No `opt -full`, no whole `techmap`: they took minutes for grids, and the reader of the
     * circuit shares equal gates anyway. */
    fprintf(out,
            "opt_expr\nopt_clean\nmemory "
            "-nomap\nmemory_map\nopt_merge\nopt_clean\n%sasync2sync\nsetundef -undriven -anyseq\n"
            "setundef -anyseq\ndffunmap\nopt_expr\nopt_merge\nopt_clean\nformalff -clk2ff\n"
            "techmap t:$* " DIRECT "\nalumacc\nmaccmap -unmap\nsetundef -undriven -anyseq\n"
            "setundef -anyseq\nopt_clean\naigmap\n",
            ec_prove_one_clock);
    ec_prove_put_aiger("", run->folder, out);
    return code;
}

enum ec_code miter_make(const struct ec_equal_request *q, const char *folder, struct ec_aig *ret,
                        struct ec_error *reterr)
{
    char data[PATH_MAX];
    struct ec_yosys y;
    sigset_t before;
    const bool own = q->request->top == NULL;
    const struct ec_tile_shape *s = &q->request->shape;
    /* What shows in long packets only is no equivalent mutant. */
    struct ec_router router = *q->router;
    router.packet = 0;
    struct ec_prove_case c = {
        .shape = *s, .topology = own ? NULL : q->topology, .router = own ? NULL : &router};
    c.data_bits = 64 - 3 - ec_prove_vc_bits(&c) - 2 * s->address_bits;
    *ret = (struct ec_aig){0};
    enum ec_code code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = put_modules(&c, own, folder, reterr);
    if (code != EC_OK)
        return code;
    ec_signals_hold(&before);
    const struct ec_tool_run run = {.folder = folder, .log = "equal.log", .before = &before};
    if (ec_yosys_begin(&y) != NULL)
        code = put_script(q, &c, own, data, &run, y.out, reterr);
    code = ec_yosys_end(&y, code, &run, "equal.ys", reterr);
    ec_signals_release(&before);
    return code == EC_OK ? ec_prove_read_aiger(folder, ret, reterr) : code;
}
