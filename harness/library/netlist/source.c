/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a router with Yosys. Knows its commands for sources and its messages; shape/foreign.c
 * checks the interface. Must not know properties. */
#include "netlist/source.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"

#define INTERFACE "interface.json"

/* --- Scripts ---------------------------------------------------------------------------------- */

/* "ERROR: Module `\\NAME' referenced in module `...' in cell `...' is not part of the design.":
 * also how a router refuses parameters. */
static enum ec_code explain_missing(const char *line, struct ec_error *reterr)
{
    static const char begin[] = "ERROR: Module `";
    const char *name = strstr(line, begin), *end = strstr(line, "' referenced in module `");
    if (name == NULL || end == NULL || strstr(end, "is not part of the design") == NULL)
        return EC_OK;
    name += sizeof begin - 1;
    name += *name == '\\';
    return ec_fail(reterr, EC_TOOL,
                   "there is no module '%.*s': a file is missing, or the router refuses these "
                   "parameters (choose others by TOPOLOGY and --router; for a router of two "
                   "dimensions for example mesh:3x1)",
                   end > name ? (int)(end - name) : 0, name);
}

/* "ERROR: Unsupported cell type: NAME (CELL)": a module that the sources only declare. */
static enum ec_code explain_empty(const char *line, struct ec_error *reterr)
{
    static const char begin[] = "ERROR: Unsupported cell type: ";
    const char *name = strstr(line, begin);
    if (name == NULL || name[sizeof begin - 1] == '$')
        return EC_OK;
    name += sizeof begin - 1;
    return ec_fail(reterr, EC_TOOL,
                   "module '%.*s' has no contents, or is a black box: proofs need its source",
                   (int)strcspn(name, " "), name);
}

/* The assertion of model.c that there is one clock. */
static enum ec_code explain_clock(const char *line, struct ec_error *reterr)
{
    if (strstr(line, "selection is not empty") == NULL && strstr(line, "opposite polarity") == NULL)
        return EC_OK;
    return ec_fail(
        reterr, EC_TOOL,
        "the router has latches, or registers with another clock than the rising edge of "
        "clk_i: proofs need one clock");
}

/* Warnings after which the circuit still is the router, as patterns of fnmatch(3), with the reason.
 * Any other warning means that Yosys may have read another circuit than the simulator does. */
static const char *const harmless[] = {
    /* The same words, without a limit of one access in a cycle. */
    "Replacing memory * with list of registers. See *",
    /* Upper bits are cut or added, as the standard says; the router's own ports: check_widths(). */
    "Resizing cell port * from * bits to * bits.",
    "Literal has a width of * bit, but value requires * bit.*",
    /* Any value is tried for what is read there, and what is written there is dropped. */
    "Range select out of bounds on signal *: Setting result bit to undef.",
    "Range select \\[*\\] out of bounds on signal *: Setting all * result bits to undef.",
    "Range \\[*\\] select out of bounds on signal *: Setting * bits to undef.",
    /* Any value is tried, which covers that of a simulation. */
    "Wire * is used but has no driver.",
    "Treating *undriven bit* like $anyseq.", /* 0.66, of inputs that are outputs, too */
    /* These tasks only print. */
    "System task `$display*' outside initial * is unsupported.",
    "System task `$write*' outside initial * is unsupported.",
    "Ignoring call to system task $monitor*",
    "Ignoring call to system task $dump*",
    /* EVERY_CASE of model.c removes what the comment allows. */
    "Encountered `full_case' comment! *",
    "Encountered `parallel_case' comment! *",
    /* There is nothing of that kind in this router. */
    "Selection * did not match any object.",
};

/* What to do about some others. */
static const struct {
    const char *pattern, *remedy;
} remedies[] = {
    {"Identifier * is implicitly declared*",
     "declare the signal, or route a signal of another instance through a port"},
    {"multiple conflicting drivers for *", "drive each bit of a signal from one place"},
    {"Yosys has only limited support for tri-state logic *", "use a multiplexer instead of z"},
    {"*", "rewrite it, or convert the sources with sv2v (docs/PROOFS.md)"},
};

/* The loop of a warning that is followed by its cells and wires, one in a line. */
static enum ec_code report_loop(char *lines, struct ec_error *reterr)
{
    char names[400] = "";
    size_t used = 0;
    bool gates = false;
    for (char *line = lines; strncmp(line, "    ", 4) == 0; line += line[0] == '\n') {
        const size_t length = strcspn(line, "\n");
        gates = gates || memmem(line, length, "($_", 3) != NULL;
        if (strncmp(line, "    wire \\", 10) == 0 && used + length < sizeof names) {
            const char *inside = memmem(line, length, "u_router.", 9);
            const char *name = inside != NULL ? inside + 9 : line + 10;
            used += (size_t)sprintf(names + used, "%s%.*s", used > 0 ? ", " : "",
                                    (int)(line + length - name), name);
        }
        line += length;
    }
    return !gates ? EC_OK
                  : ec_fail(reterr, EC_TOOL,
                            "the router has a combinational loop through %s: put a register into "
                            "it",
                            used > 0 ? names : "wires without names");
}

/* "FILE:LINE: Warning: TEXT" or "Warning: TEXT". */
static enum ec_code check_warnings(const struct ec_tool_run *run, struct ec_error *reterr)
{
    static const char mark[] = "Warning: ", loop[] = "found logic loop in module ";
    char *text = ec_tool_text(run->folder, run->log);
    enum ec_code code =
        text != NULL ? EC_OK
                     : ec_fail(reterr, EC_IO, "cannot read the log of Yosys in %s", run->folder);
    for (char *line = text, *next; code == EC_OK && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next != '\0' && (*next = '\0', true);
        const char *warning = strstr(line, mark);
        if (warning == NULL || (warning != line && strncmp(warning - 2, ": ", 2) != 0))
            continue;
        warning += sizeof mark - 1;
        size_t i = 0, k = 0;
        while (i < sizeof harmless / sizeof *harmless && fnmatch(harmless[i], warning, 0) != 0)
            i++;
        if (strncmp(warning, loop, sizeof loop - 1) == 0) {
            code = report_loop(next, reterr);
        } else if (i == sizeof harmless / sizeof *harmless) {
            while (fnmatch(remedies[k].pattern, warning, 0) != 0)
                k++;
            line[strlen(line) - (strchr(".:", line[strlen(line) - 1]) != NULL)] = '\0';
            code = ec_fail(reterr, EC_TOOL,
                           "Yosys may read another circuit than the router: %.600s (%s)", line,
                           remedies[k].remedy);
        }
    }
    free(text);
    return code;
}

/* The first error of Yosys: "FILE:LINE: ERROR: TEXT" or "ERROR: TEXT". */
static enum ec_code fail_with_log(const struct ec_tool_run *run, int status,
                                  struct ec_error *reterr)
{
    char *text = ec_tool_text(run->folder, run->log), *save = NULL;
    enum ec_code code = EC_OK;
    for (char *line = text != NULL ? strtok_r(text, "\n", &save) : NULL;
         line != NULL && code == EC_OK; line = strtok_r(NULL, "\n", &save)) {
        if (strstr(line, "ERROR: ") != NULL && (code = explain_missing(line, reterr)) == EC_OK &&
            (code = explain_clock(line, reterr)) == EC_OK &&
            (code = explain_empty(line, reterr)) == EC_OK)
            code = ec_fail(reterr, EC_TOOL,
                           "Yosys cannot read the router: %.600s (docs/PROOFS.md says what Yosys "
                           "does not read, and what to do)",
                           line);
    }
    free(text);
    return code != EC_OK
               ? code
               : ec_fail(reterr, EC_TOOL, "Yosys failed without a message (status %d)", status);
}

static enum ec_code run_script(const struct ec_tool_run *run, const char *name, const char *script,
                               struct ec_error *reterr);

/* write_aiger runs round a combinational loop until its stack ends: look for one instead. */
static enum ec_code find_loop(const struct ec_tool_run *run, const char *name, const char *script,
                              const char *end, struct ec_error *reterr)
{
    char *text = NULL;
    if (asprintf(&text, "%.*sopt_clean\ncheck\n", (int)(end - script), script) < 0)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    const enum ec_code code = run_script(run, name, text, reterr);
    free(text);
    return code;
}

static enum ec_code run_script(const struct ec_tool_run *run, const char *name, const char *script,
                               struct ec_error *reterr)
{
    char path[PATH_MAX];
    struct ec_args args = {0};
    const char *end = strstr(script, "write_aiger");
    int status;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", run->folder, name);
    if (code == EC_OK)
        code = ec_file_write(path, script, strlen(script), reterr);
    if (code != EC_OK)
        return code;
    ec_args_add(&args, "%s", ec_tool_yosys());
    ec_args_add(&args, "-s");
    ec_args_add(&args, "%s", path);
    code = ec_tool_run(run, &args, &status, reterr);
    /* Yosys does not notice it, and its files end anywhere. */
    const int trouble = code == EC_OK ? ec_disk_trouble(run->folder) : 0;
    if (trouble != 0)
        code = ec_fail(reterr, EC_IO, "cannot write the files of Yosys to %.300s: %s", run->folder,
                       strerror(trouble));
    else if (code == EC_OK && status == -1)
        code = ec_fail(reterr, EC_TOOL,
                       "Yosys needs more than %.0f s for the router: choose a smaller shape "
                       "(TOPOLOGY, --router depth=) or a longer --seconds",
                       run->seconds);
    if (code == EC_OK)
        code = check_warnings(run, reterr);
    if (code == EC_OK && status > 128 && end != NULL)
        code = find_loop(run, name, script, end, reterr);
    if (code == EC_OK && status != 0)
        code = fail_with_log(run, status, reterr);
    return code;
}

FILE *ec_yosys_begin(struct ec_yosys *y)
{
    *y = (struct ec_yosys){0};
    y->out = open_memstream(&y->text, &y->size);
    return y->out;
}

enum ec_code ec_yosys_end(struct ec_yosys *y, enum ec_code code, const struct ec_tool_run *run,
                          const char *name, struct ec_error *reterr)
{
    const bool good = y->out != NULL && fclose(y->out) == 0;
    if (code == EC_OK && !good)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    if (code == EC_OK)
        code = run_script(run, name, y->text, reterr);
    free(y->text);
    return code;
}

/* --- Commands that read the router ------------------------------------------------------------ */

/* Names are words of a script: Yosys has no way to quote all characters, and expands patterns. */
static enum ec_code check_name(const char *name, struct ec_error *reterr)
{
    if (name[strcspn(name, " \t\r\n\"'\\;#*?[")] == '\0')
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "'%.300s': scripts of Yosys cannot name files with blanks, quotes, backslashes, "
                   "or one of ;#*?[: rename it, or use a link",
                   name);
}

static void put_define(FILE *out, const char *define)
{
    const size_t name = strcspn(define, "=");
    fprintf(out, "`define %.*s %s\n", (int)name, define,
            define[name] == '=' ? define + name + 1 : "");
}

/* The macros of the user, as a file that is read first. */
static enum ec_code write_defines(const struct ec_sources *user, const char *folder,
                                  struct ec_error *reterr)
{
    struct ec_output o;
    const enum ec_code code = ec_output_open_in(&o, NULL, folder, "defines.v", reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < user->defines.count; i++)
        put_define(o.file, user->defines.words[i]);
    return ec_output_commit(&o, reterr);
}

/* "-y FOLDER" and "-v FILE" of file lists; the endings of +libext+ are those that Yosys tries. */
static enum ec_code put_library(const struct ec_args *library, FILE *files, FILE *folders,
                                struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; i + 1 < library->count && code == EC_OK; i++) {
        const bool folder = strcmp(library->words[i], "-y") == 0;
        if (!folder && strcmp(library->words[i], "-v") != 0)
            continue;
        code = check_name(library->words[++i], reterr);
        fprintf(folder ? folders : files, "%s%s", folder ? " -libdir " : " ", library->words[i]);
    }
    return code;
}

/* The folder of a file, with a slash: included files are looked for there, too. */
static void put_folder_of(FILE *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    fprintf(out, " -I%.*s", slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
}

/* The folders of included files are defaults: they reach modules from folders of libraries, too. */
static enum ec_code put_user(const struct ec_netlist_source *s, const char *folder,
                             const char *mode, FILE *out, FILE *folders, struct ec_error *reterr)
{
    const struct ec_sources *user = &s->user;
    enum ec_code code = EC_OK;
    fprintf(out, "read_verilog -sv %s/defines.v\nverilog_defaults -add", folder);
    for (size_t i = 0; i < user->includes.count && code == EC_OK; i++) {
        code = check_name(user->includes.words[i], reterr);
        fprintf(out, " -I%s", user->includes.words[i]);
    }
    for (size_t i = 0; i < user->files.count; i++)
        put_folder_of(out, user->files.words[i]);
    fprintf(out, "\nread_verilog -sv%s", mode);
    for (size_t i = 0; i < user->files.count && code == EC_OK; i++) {
        code = check_name(user->files.words[i], reterr);
        fprintf(out, " %s", user->files.words[i]);
    }
    if (code == EC_OK)
        code = put_library(&user->library, out, folders, reterr);
    fputc('\n', out);
    return code;
}

/* All files of ecube's own router; those that are not used do no harm. */
static void put_own(const struct ec_netlist_source *s, const char *mode, FILE *out)
{
    static const char *const cells[] = {"adapt", "arbiter", "arrival", "bind",  "credits", "fifo",
                                        "hold",  "input",   "output",  "stage", "router"};
    fprintf(out, "read_verilog -sv%s -I%s/" EC_DATA_RTL, mode, s->data);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        fprintf(out, " %s/" EC_DATA_RTL "/ec_%s.sv", s->data, cells[i]);
    fputc('\n', out);
}

static enum ec_code make_script(struct ec_netlist_source *s, const char *folder, const char *mode,
                                struct ec_error *reterr)
{
    size_t size;
    free(s->script);
    free(s->libraries);
    s->script = s->libraries = NULL;
    FILE *out = open_memstream(&s->script, &size), *folders = open_memstream(&s->libraries, &size);
    enum ec_code code = EC_OK;
    if (out == NULL || folders == NULL)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    else if (s->top != NULL)
        code = put_user(s, folder, mode, out, folders, reterr);
    else
        put_own(s, mode, out);
    if (out != NULL && fclose(out) != 0 && code == EC_OK)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    if (folders != NULL && fclose(folders) != 0 && code == EC_OK)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    return code;
}

/* --- The interface ---------------------------------------------------------------------------- */

static bool has_name(const void *context, const char *name)
{
    const json_t *module = context;
    return json_object_get(json_object_get(module, "ports"), name) != NULL ||
           json_object_get(json_object_get(module, "parameter_default_values"), name) != NULL;
}

static enum ec_code judge_interface(struct ec_netlist_source *s, const char *path,
                                    struct ec_error *reterr)
{
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    const json_t *module = json_object_get(json_object_get(all, "modules"), s->top);
    enum ec_code code = EC_OK;
    if (all == NULL)
        code = ec_fail(reterr, EC_TOOL, "cannot read what Yosys wrote: %s", error.text);
    else if (module == NULL)
        code = ec_fail(reterr, EC_TOOL, "--top: Yosys finds no module '%s' in these files", s->top);
    else
        code = ec_foreign_names(s->top, has_name, module, s->features, reterr);
    s->data_bits = has_name(module, "DataBits");
    json_decref(all);
    return code;
}

static enum ec_code read_interface(struct ec_netlist_source *s, const struct ec_tool_run *run,
                                   const char *mode, struct ec_error *reterr)
{
    struct ec_yosys y;
    enum ec_code code = make_script(s, run->folder, mode, reterr);
    if (code != EC_OK)
        return code;
    if (ec_yosys_begin(&y) != NULL)
        fprintf(y.out, "%sproc\nwrite_json %s/" INTERFACE "\n", s->script, run->folder);
    return ec_yosys_end(&y, code, run, "interface.ys", reterr);
}

/* "Parsing SystemVerilog input from `PATH' to AST representation." The folder of the log has what
 * was made here, that of the data has our own. */
static void add_read(const struct ec_netlist_source *s, const struct ec_tool_run *run, char *line,
                     struct ec_args *to)
{
    static const char begin[] = " input from `";
    char *path = strstr(line, begin), *end = path != NULL ? strchr(path, '\'') : NULL;
    if (end == NULL)
        return;
    *end = '\0';
    path += sizeof begin - 1;
    if (strncmp(path, run->folder, strlen(run->folder)) != 0 &&
        strncmp(path, s->data, strlen(s->data)) != 0)
        ec_args_add(to, "%s", path);
}

enum ec_code ec_netlist_scan_libraries(const struct ec_netlist_source *s,
                                       const struct ec_tool_run *run, struct ec_error *reterr)
{
    struct ec_args read = {0};
    char note[sizeof s->unread_assertions], *save = NULL;
    if (s->top == NULL || s->user.library.count == 0)
        return EC_OK;
    memcpy(note, s->unread_assertions, sizeof note);
    char *text = ec_tool_text(run->folder, run->log);
    for (char *line = text != NULL ? strtok_r(text, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save))
        add_read(s, run, line, &read);
    enum ec_code code = EC_OK;
    if (text == NULL)
        code = ec_fail(reterr, EC_IO, "cannot read the log of Yosys in %s", run->folder);
    else if (read.failed)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the sources of a router");
    else
        code = ec_netlist_scan(&s->user, &read, note, sizeof note, NULL, reterr);
    if (code == EC_OK && strcmp(note, s->unread_assertions) != 0)
        code = ec_fail(reterr, EC_TOOL, "%s", note);
    ec_args_free(&read);
    free(text);
    return code;
}

/* Modes of read_verilog. */
#define WITH_ASSERTIONS " -formal"
#define HARDWARE_ONLY   " -noassert -noassume -norestrict"

/* With the router's assertions if Yosys understands them. */
static enum ec_code open_user(struct ec_netlist_source *s, const struct ec_netlist_reading *reading,
                              const struct ec_tool_run *run, struct ec_error *reterr)
{
    char path[PATH_MAX];
    struct ec_error e;
    const char **rtl = ec_sources_split(reading->rtl != NULL ? reading->rtl : "");
    if (rtl == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the files of a router");
    enum ec_code code = ec_sources_read(reading->rtl != NULL ? rtl : reading->list, reading->build,
                                        &s->user, reterr);
    free(rtl);
    if (reading->table)
        ec_args_add(&s->user.defines, "EC_TABLE");
    if (code == EC_OK && ec_shape_has_places(reading->build))
        code = ec_fail(reterr, EC_USAGE,
                       "--parameter with %%: %s all places at once, so the router must take its "
                       "place from the pins (contract, section 3.2)",
                       reading->hardware ? "a mutant is made in" : "a proof is about");
    if (code == EC_OK)
        code = write_defines(&s->user, run->folder, reterr);
    if (code == EC_OK)
        code = ec_netlist_scan(&s->user, NULL, s->unread_assertions, sizeof s->unread_assertions,
                               &s->speaks, reterr);
    if (code == EC_OK && reading->hardware) {
        code = read_interface(s, run, HARDWARE_ONLY, reterr);
    } else if (code == EC_OK && (code = read_interface(s, run, WITH_ASSERTIONS, &e)) != EC_OK) {
        if (code == EC_TOOL && (code = read_interface(s, run, "", reterr)) == EC_OK)
            snprintf(s->unread_assertions, sizeof s->unread_assertions, "%.290s", e.message);
        else if (code != EC_TOOL)
            *reterr = e;
    }
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" INTERFACE, run->folder);
    return code == EC_OK ? judge_interface(s, path, reterr) : code;
}

enum ec_code ec_netlist_open(const struct ec_netlist_reading *reading,
                             const struct ec_tool_run *run, struct ec_netlist_source *ret,
                             struct ec_error *reterr)
{
    *ret = (struct ec_netlist_source){.top = reading->top, .data_bits = true};
    for (enum ec_feature k = 0; k < EC_FEATURES; k++)
        ret->features[k] = true;
    enum ec_code code = ec_data_path(ret->data, sizeof ret->data, reterr);
    if (code == EC_OK)
        code = check_name(ret->data, reterr);
    if (code == EC_OK)
        code = check_name(run->folder, reterr);
    if (code != EC_OK)
        return code;
    if (reading->top != NULL)
        return open_user(ret, reading, run, reterr);
    return make_script(ret, run->folder, reading->hardware ? HARDWARE_ONLY : WITH_ASSERTIONS,
                       reterr);
}

void ec_netlist_close(struct ec_netlist_source *s)
{
    ec_sources_free(&s->user);
    free(s->script);
    free(s->libraries);
    s->script = s->libraries = NULL;
}
