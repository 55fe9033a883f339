/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot on CSV. Knows files and processes; must not know what is drawn. */
#include "program/sweep/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

/* "svg" of a picture, or NULL. */
static const char *format_of(const char *path)
{
    static const char *const suffixes[] = {".svg", ".pdf", ".png"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (ec_name_ends(path, suffixes[i]))
            return suffixes[i] + 1;
    }
    return NULL;
}

enum ec_code sweep_plot_check(const char *path, struct ec_error *reterr)
{
    struct ec_output o;
    char program[512];
    if (!format_of(path))
        return ec_fail(reterr, EC_USAGE,
                       "--plot %.200s: expected a name that ends in .svg, .pdf or .png", path);
    if (!ec_program_find("gnuplot", program, sizeof program))
        return ec_fail(reterr, EC_TOOL,
                       "--plot: cannot find gnuplot: install the package gnuplot-nox (or gnuplot), "
                       "or keep the results with --format csv and plot them later");
    const enum ec_code code = ec_output_open(&o, NULL, path, &cli_interrupt_unfinished, reterr);
    if (code == EC_OK)
        ec_output_discard(&o);
    return code;
}

/* gnuplot opens the files of this process, which have names for the key. */
static void add_files(struct ec_args *args, const struct sweep_csv *csv, size_t count)
{
    struct ec_args files = {0};
    for (size_t i = 0; i < count; i++)
        ec_args_add(&files, "%s%s\n/proc/%ld/fd/%d", i ? "," : "", csv[i].name, (long)getpid(),
                    fileno(csv[i].file));
    char *list = ec_args_join(&files);
    ec_args_add(args, "%s", list ? list : "");
    args->failed |= !list;
    free(list);
    ec_args_free(&files);
}

/* An interrupt ends gnuplot, too. A gnuplot that succeeds may have drawn nothing. */
static enum ec_code run(const struct ec_args *args, FILE *picture, struct ec_error *reterr)
{
    FILE *messages = tmpfile();
    struct stat info;
    sigset_t before;
    pid_t pid = 0;
    char said[300];
    int status = 0;
    if (!messages)
        return ec_fail(reterr, EC_IO, "cannot create a file for the messages of gnuplot: %s",
                       strerror(errno));
    ec_signals_hold(&before);
    enum ec_code code = ec_process_start(args, NULL, fileno(messages), &pid, reterr);
    if (code == EC_OK)
        code = ec_process_wait(&pid, &before, &status, reterr);
    if (code == EC_INTERRUPTED)
        ec_fail(reterr, code, "interrupted while gnuplot was running: there is no plot");
    ec_process_kill(pid);
    ec_signals_release(&before);
    rewind(messages);
    const int size = (int)fread(said, 1, sizeof said, messages);
    fclose(messages);
    if (code == EC_OK && status != 0)
        code = ec_fail(reterr, EC_TOOL, "gnuplot failed with status %d: %.*s", status, size, said);
    else if (code == EC_OK && fstat(fileno(picture), &info) == 0 && S_ISREG(info.st_mode) &&
             info.st_size == 0)
        code = ec_fail(reterr, EC_TOOL, "gnuplot has drawn nothing");
    return code;
}

enum ec_code sweep_plot(const struct sweep_csv *csv, size_t count, const char *title,
                        const char *path, bool interrupted, struct ec_error *reterr)
{
    struct ec_args args = {0};
    struct ec_output picture;
    char data[4000];
    enum ec_code code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = ec_output_open(&picture, NULL, path, &cli_interrupt_unfinished, reterr);
    if (code != EC_OK)
        return code;
    ec_args_split(&args, "gnuplot --default-settings -c"); /* not the settings of the user */
    ec_args_add(&args, "%s/harness/program/sweep/plot.gp", data);
    ec_args_add(&args, "%s", format_of(path));
    ec_args_add(&args, "/proc/%ld/fd/%d", (long)getpid(), fileno(picture.file));
    ec_args_add(&args, "%s", title ? title : "");
    add_files(&args, csv, count);
    code = run(&args, picture.file, reterr);
    ec_args_free(&args);
    if (code == EC_OK && interrupted)
        cli_output_interrupted(&picture);
    if (code == EC_OK)
        return ec_output_commit(&picture, reterr);
    ec_output_discard(&picture);
    return code;
}
