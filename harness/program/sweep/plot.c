/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot. Knows files and processes; must not know what is drawn. */
#include "program/sweep/plot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/child.h"
#include "base/file.h"
#include "base/output.h"
#include "program/sweep/script.h"
#include "terminal/interrupt.h"

/* The format of a file; PLOT_FORMATS: a script. */
static enum ec_code format_of(const char *path, enum plot_format *ret, struct ec_error *reterr)
{
    static const char *const suffixes[] = {
        [PLOT_SVG] = ".svg", [PLOT_PDF] = ".pdf", [PLOT_PNG] = ".png", [PLOT_FORMATS] = ".gp"};
    if (strpbrk(path, "\r\n")) /* gnuplot could not open it */
        return ec_fail(reterr, EC_USAGE, "--plot %.200s: expected a name without line breaks",
                       path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (ec_name_ends(path, suffixes[i])) {
            *ret = (enum plot_format)i;
            return EC_OK;
        }
    }
    return ec_fail(reterr, EC_USAGE,
                   "--plot %.200s: expected a name that ends in .svg, .pdf, .png, or .gp for the "
                   "script only",
                   path);
}

enum ec_code sweep_plot_check(const char *path, struct ec_error *reterr)
{
    struct ec_output o;
    enum plot_format format = PLOT_FORMATS;
    char program[512];
    enum ec_code code = format_of(path, &format, reterr);
    if (code == EC_OK && format != PLOT_FORMATS &&
        !ec_program_find("gnuplot", program, sizeof program))
        return ec_fail(reterr, EC_TOOL,
                       "--plot: cannot find gnuplot: install the package gnuplot-nox (or gnuplot), "
                       "or keep the results with --format csv and plot them later");
    if (code == EC_OK)
        code = ec_output_open(&o, NULL, path, &cli_interrupt_unfinished, reterr);
    if (code == EC_OK)
        ec_output_discard(&o);
    return code;
}

/* What goes before a name that gnuplot would not take for a file: '|' begins a command, '~' a home
 * and '-' an option. */
static const char *folder_of(const char *path)
{
    return strchr("|~-", *path) ? "./" : "";
}

/* NAME.gp draws NAME.pdf. */
static enum ec_code write_script(const struct sweep *s, const char *title, const char *path,
                                 struct ec_error *reterr)
{
    struct ec_output o;
    char picture[4096];
    enum ec_code code = ec_path(picture, sizeof picture, reterr, "%s%.*s.pdf", folder_of(path),
                                (int)(strlen(path) - strlen(".gp")), path);
    if (code == EC_OK)
        code = ec_output_open(&o, NULL, path, &cli_interrupt_unfinished, reterr);
    if (code != EC_OK)
        return code;
    sweep_plot_script(s, PLOT_PDF, title, picture, o.file);
    return ec_output_commit(&o, reterr);
}

/* An interrupt ends gnuplot, too. */
static enum ec_code wait_for(const struct ec_args *args, FILE *said, int *ret_status,
                             struct ec_error *reterr)
{
    sigset_t before;
    pid_t pid = 0;
    ec_signals_hold(&before);
    enum ec_code code = ec_process_start(args, NULL, fileno(said), &pid, reterr);
    if (code == EC_OK)
        code = ec_process_wait(&pid, &before, ret_status, reterr);
    if (code == EC_INTERRUPTED)
        ec_fail(reterr, code, "interrupted while gnuplot was running: there is no plot");
    ec_process_kill(pid);
    ec_signals_release(&before);
    return code;
}

/* `script` and `picture` are closed, but not yet removed. A gnuplot that fails may have drawn a
 * part, and one that succeeds nothing. */
static enum ec_code run_gnuplot(const struct ec_output *script, const char *picture,
                                struct ec_error *reterr)
{
    struct ec_args args = {0};
    struct stat info;
    char said[300];
    int status = 0;
    FILE *messages = tmpfile();
    if (!messages)
        return ec_fail(reterr, EC_IO, "cannot create a file for the messages of gnuplot: %s",
                       strerror(errno));
    ec_args_add(&args, "gnuplot");
    ec_args_add(&args, "--default-settings"); /* not those of the user */
    ec_args_add(&args, "%s%s", folder_of(script->temporary), script->temporary);
    enum ec_code code = wait_for(&args, messages, &status, reterr);
    ec_args_free(&args);
    rewind(messages);
    size_t size = fread(said, 1, sizeof said - 1, messages);
    while (size > 0 && said[size - 1] == '\n')
        size--;
    said[size] = '\0';
    fclose(messages);
    if (code == EC_OK && status != 0)
        code = ec_fail(reterr, EC_TOOL, "gnuplot failed with status %d: %s", status, said);
    if (code == EC_OK && stat(picture, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
        code = ec_fail(reterr, EC_TOOL, "gnuplot has drawn nothing: %s", said);
    return code;
}

static enum ec_code draw(const struct sweep *s, enum plot_format format, const char *title,
                         struct ec_output *picture, struct ec_output *script,
                         struct ec_error *reterr)
{
    const char *path = picture->temporary ? picture->temporary : picture->name;
    char name[4096];
    enum ec_code code = ec_output_close(picture, reterr); /* gnuplot opens it again, by name */
    if (code == EC_OK)
        code = ec_path(name, sizeof name, reterr, "%s%s", folder_of(path), path);
    if (code != EC_OK)
        return code;
    sweep_plot_script(s, format, title, name, script->file);
    code = ec_output_close(script, reterr);
    return code == EC_OK ? run_gnuplot(script, path, reterr) : code;
}

enum ec_code sweep_plot(const struct sweep *s, const char *title, const char *path,
                        struct ec_error *reterr)
{
    struct ec_output picture, script;
    enum plot_format format = PLOT_FORMATS;
    char name[4096];
    enum ec_code code = sweep_plot_check(path, reterr);
    if (code == EC_OK)
        code = format_of(path, &format, reterr);
    if (code == EC_OK && format == PLOT_FORMATS)
        return write_script(s, title, path, reterr);
    if (code == EC_OK)
        code = ec_path(name, sizeof name, reterr, "%s.gp", path);
    if (code == EC_OK)
        code = ec_output_open(&picture, NULL, path, &cli_interrupt_unfinished, reterr);
    if (code != EC_OK)
        return code;
    code =
        ec_output_open(&script, "the script of the plot", name, &cli_interrupt_unfinished, reterr);
    if (code == EC_OK) {
        code = draw(s, format, title, &picture, &script, reterr);
        ec_output_discard(&script); /* never appears under its name */
    }
    if (code == EC_OK)
        return ec_output_commit(&picture, reterr);
    ec_output_discard(&picture);
    return code;
}
