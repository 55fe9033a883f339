/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile new`: a folder for a router of the user's, from the templates in harness/program/new.
 *
 * Knows the words that stand for names and options in a template. Must not know what it says. */
#include "program/commands/tile_new.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"

enum { WORDS = 6, NAME_MAX_BYTES = 60 };

/* A word of a template, and what takes its place. */
struct word {
    const char *from, *to;
};

static const struct {
    const char *template, *name; /* %s in a name: that of the router */
} files[] = {
    {"harness/program/new/adapter.sv", "%s_adapter.sv"},
    {"harness/program/new/router.sv", "%s_router.sv"},
    {"harness/program/new/files.f", "files.f"},
    {"harness/program/new/rows.txt", "rows.txt"},
    {"docs/guide/router-job.yml", "job.yml"},
};
enum { FILES = sizeof files / sizeof *files };

static enum ec_code target_path(const struct cli_job *job, unsigned file, char *buffer, size_t size,
                                struct ec_error *reterr)
{
    char name[NAME_MAX_BYTES + 20];
    const int at = (int)strcspn(files[file].name, "%");
    const bool named = files[file].name[at] != '\0';
    snprintf(name, sizeof name, "%.*s%s%s", at, files[file].name, named ? job->name : "",
             named ? files[file].name + at + 2 : "");
    return ec_path(buffer, size, reterr, "%s/%s", job->target, name);
}

/* A line "@STYLE,STYLE@..." is for these styles only. NULL: not for this one; else what is in the
 * line. */
static const char *content(const char *line, const char *style)
{
    if (line[0] != '@' || !islower((unsigned char)line[1]))
        return line;
    const char *end = strchr(line + 1, '@');
    const size_t length = strlen(style);
    for (const char *at = line + 1; at < end; at += strcspn(at, ",@") + 1) {
        if (strcspn(at, ",@") == length && strncmp(at, style, length) == 0)
            return end + 1;
    }
    return NULL;
}

static void put_line(const char *at, const char *end, const struct word words[WORDS], FILE *out)
{
    while (at < end) {
        unsigned k = 0;
        while (k < WORDS && strncmp(at, words[k].from, strlen(words[k].from)) != 0)
            k++;
        if (k < WORDS)
            fputs(words[k].to, out);
        else
            fputc(*at, out);
        at += k < WORDS ? strlen(words[k].from) : 1;
    }
}

static enum ec_code put_file(const char *template, const char *target, const char *style,
                             const struct word words[WORDS], struct ec_error *reterr)
{
    char *text = NULL, *result = NULL;
    size_t size = 0;
    enum ec_code code = ec_file_read(template, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    FILE *out = open_memstream(&result, &size);
    for (const char *at = text; out && *at;) {
        const char *end = at + strcspn(at, "\n") + 1, *line = content(at, style);
        if (line)
            put_line(line, end, words, out);
        at = end;
    }
    free(text);
    if (!out || !ec_memstream_close(out, &result))
        return ec_fail(reterr, EC_MEMORY, "out of memory for %s", target);
    code = ec_file_write(target, result, size, reterr);
    free(result);
    return code;
}

static enum ec_code check(const struct cli_job *job, struct ec_error *reterr)
{
    char path[4096];
    const char *at = job->name;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    if (*at || !isalpha((unsigned char)job->name[0]) || strlen(job->name) > NAME_MAX_BYTES)
        return ec_fail(reterr, EC_USAGE,
                       "--name '%.80s': expected at most %d letters, digits and _, a letter first",
                       job->name, NAME_MAX_BYTES);
    if ((job->vcs & (job->vcs - 1)) != 0)
        return ec_fail(reterr, EC_USAGE, "--vcs %u: expected 1, 2, 4 or 8", job->vcs);
    for (unsigned k = 0; k < FILES; k++) {
        const enum ec_code code = target_path(job, k, path, sizeof path, reterr);
        if (code != EC_OK)
            return code;
        if (access(path, F_OK) == 0)
            return ec_fail(reterr, EC_USAGE,
                           "%s exists: expected another folder, or another --name", path);
    }
    return EC_OK;
}

/* The folder without slashes at its end. */
static enum ec_code write_files(const struct cli_job *job, FILE *out, struct ec_error *reterr)
{
    const char *style = cli_flows[job->flow].word;
    const char *slash = strrchr(job->target, '/');
    /* In a repository, names are relative to its root. */
    const char *inside = job->target[0] == '/' ? slash + 1 : job->target;
    char vcs[12], options[60], folder[4096], top[120], network[100], data[4096];
    enum ec_code code = check(job, reterr);
    if (code == EC_OK)
        code = ec_data_path(data, sizeof data, reterr);
    if (code == EC_OK)
        code = ec_path(folder, sizeof folder, reterr, " %s/", inside);
    if (code == EC_OK)
        code = ec_folder_make(job->target, EC_FOLDER_USUAL, reterr);
    snprintf(vcs, sizeof vcs, "%u", job->vcs);
    snprintf(options, sizeof options, "vcs=%s%s", vcs,
             job->flow == CLI_FLOW_LENGTH ? ",switching=store-and-forward" : "");
    snprintf(top, sizeof top, "--top %s_adapter", job->name);
    snprintf(network, sizeof network, "NETWORK: mesh:4x4 --router %s", options);
    const struct word words[WORDS] = {{"@NAME@", job->name},     {"@VCS@", vcs},
                                      {"@OPTIONS@", options},    {"NETWORK: mesh:4x4", network},
                                      {"--top hs_adapter", top}, {" ecube/", folder}};
    for (unsigned k = 0; k < FILES && code == EC_OK; k++) {
        char from[4200], to[4096];
        code = ec_path(from, sizeof from, reterr, "%s/%s", data, files[k].template);
        if (code == EC_OK)
            code = target_path(job, k, to, sizeof to, reterr);
        if (code == EC_OK)
            code = put_file(from, to, style, words, reterr);
        if (code == EC_OK)
            fprintf(out, "wrote   %s\n", to);
    }
    if (code == EC_OK)
        fprintf(out,
                "check   ecube tile check mesh:4x4 --router %s -F %s/files.f %s --only\n"
                "run     ecube regress %s/rows.txt -F %s/files.f %s\n"
                "then    put your router in the place of %s_router; job.yml is for GitHub "
                "(.github/workflows/)\n",
                options, job->target, top, job->target, job->target, top, job->name);
    return code;
}

enum ec_code cli_tile_new(const struct cli_job *job, FILE *out, struct ec_error *reterr)
{
    struct cli_job mine = *job;
    size_t length = strlen(job->target);
    while (length > 1 && job->target[length - 1] == '/')
        length--;
    char *folder = strndup(job->target, length);
    mine.target = folder;
    const enum ec_code code =
        folder ? write_files(&mine, out, reterr) : ec_fail(reterr, EC_MEMORY, "out of memory");
    free(folder);
    return code;
}
