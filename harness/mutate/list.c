/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what Yosys writes about a mutation. Knows the options of its command `mutate`; must not
 * know how it is applied. */
#include "mutate/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool list_judges(const char *line)
{
    return strncmp(line, "mutate ", 7) == 0 && !strstr(line, " -port CLK ");
}

void list_read(char *line, uint32_t number, struct ec_mutant *ret)
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
