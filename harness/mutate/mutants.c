/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses mutants and writes them as groups. Knows the order of the steps and the files; must not
 * know how a router is read, nor how mutants are judged. */
#include "mutate/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "mutate/list.h"
#include "mutate/netlist.h"

#define ALL "all.txt" /* what Yosys chose, with the mutations that are not judged */

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
        if (!list_judges(line))
            continue;
        fprintf(o.file, "%s\n", line);
        list_read(line, (uint32_t)m->count + 1, &m->at[m->count]);
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
    char path[PATH_MAX], *text = NULL, *script = NULL;
    size_t size;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_LIST, m->folder);
    if (code == EC_OK)
        code = ec_file_read(path, &text, &size, reterr);
    FILE *out = code == EC_OK ? open_memstream(&script, &size) : NULL;
    if (out)
        put_groups(m, text, out);
    if (code == EC_OK && !ec_memstream_close(out, &script))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a script");
    free(text);
    if (code == EC_OK)
        code = ec_prove_yosys(&n->run, "groups.ys", script, reterr);
    free(script);
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
