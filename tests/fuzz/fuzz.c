/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs as choices, text and files. Must not know any target. */
#include "fuzz.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "workload/spec.h"

void fuzz_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("fuzz: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

void fuzz_check_error(enum ec_code code, const struct ec_error *e)
{
    if (code == EC_OK)
        return;
    if (code > EC_INTERNAL || e->code != code)
        fuzz_fail("returned %d, but the error has code %d", (int)code, (int)e->code);
    if (!e->message[0])
        fuzz_fail("an error without a message: %s", ec_code_text(code));
    for (const char *c = e->message; *c; c++) {
        if ((unsigned char)*c < ' ')
            fuzz_fail("a control character in a message: %s", e->message);
    }
    if (code == EC_INTERNAL)
        fuzz_fail("an internal error: %s", e->message);
}

bool fuzz_is_large(const char *topology, const char *workload, bool schedule)
{
    enum {
        NODES_MAX = 64,
        ELEMENTS_MAX = 1 << 11, /* of all nodes */
        WORDS_MAX = 1 << 10,    /* of a message of a schedule, in packets of any size */
    };
    struct ec_topology t;
    struct ec_workload_spec w;
    if (!topology || ec_topology_parse(topology, &t, NULL) != EC_OK || !workload)
        return false; /* it is refused */
    if (t.nodes > NODES_MAX)
        return true;
    return ec_workload_spec_parse(workload, &t, &w, NULL) == EC_OK &&
           ((uint64_t)w.per_node * t.nodes > ELEMENTS_MAX ||
            (schedule && w.lengths.last > WORDS_MAX));
}

/* --- Choices ---------------------------------------------------------------------------------- */

uint8_t fuzz_byte(struct fuzz_bytes *b)
{
    if (b->left == 0)
        return 0;
    b->left--;
    return *b->at++;
}

unsigned fuzz_below(struct fuzz_bytes *b, unsigned limit)
{
    return fuzz_byte(b) % limit;
}

/* --- Text ------------------------------------------------------------------------------------- */

static char *copy_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        exit(1);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_lines_cut(const uint8_t *data, size_t size, unsigned room, struct fuzz_lines *ret)
{
    *ret = (struct fuzz_lines){.text = copy_of(data, size)};
    char *rest = ret->text;
    for (unsigned i = 0; rest && i < room; i++) {
        ret->at[i] = rest;
        rest = i + 1 < room ? memchr(rest, '\n', size - (size_t)(rest - ret->text)) : NULL;
        if (rest)
            *rest++ = '\0';
    }
}

void fuzz_lines_free(struct fuzz_lines *l)
{
    free(l->text);
}

/* --- Files ------------------------------------------------------------------------------------ */

enum { FILES_MAX = 16, NAME_SIZE = 24 };

static char folder[64];
static pid_t owner;
static char written[FILES_MAX][NAME_SIZE];
static size_t written_count;

static void leave_folder(void)
{
    if (getpid() == owner)
        (void)ec_folder_remove(folder, NULL);
}

void fuzz_enter_folder(void)
{
    if (folder[0])
        return;
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/ecube-fuzz.XXXXXX", memory);
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    owner = getpid();
    atexit(leave_folder);
}

bool fuzz_leaves_folder(const uint8_t *data, size_t size)
{
    return size > 0 && memchr(data, '/', size) != NULL;
}

void fuzz_write(const char *name, const void *data, size_t size)
{
    FILE *out = fopen(name, "we");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0) {
        perror(name);
        exit(1);
    }
}

static const char separator[] = "=== ";

/* The next line that names a file, from `at` on; `end` if there is none. */
static const char *find_separator(const char *begin, const char *at, const char *end)
{
    const size_t length = sizeof separator - 1;
    for (; at < end; at++) {
        if ((at == begin || at[-1] == '\n') && (size_t)(end - at) >= length &&
            memcmp(at, separator, length) == 0)
            return at;
    }
    return end;
}

/* The name of a file, from its line; returns the end of the line. */
static const char *take_name(const char *at, const char *end, char name[NAME_SIZE])
{
    size_t used = 0;
    for (at += sizeof separator - 1; at < end && *at != '\n'; at++) {
        if (used + 1 < NAME_SIZE && (isalnum((unsigned char)*at) || *at == '.' || *at == '_'))
            name[used++] = *at;
    }
    name[used] = '\0';
    return at < end ? at + 1 : end;
}

char *fuzz_write_files(const uint8_t *data, size_t size, size_t *ret_size)
{
    char *text = copy_of(data, size);
    const char *end = text + size, *at = find_separator(text, text, end);
    *ret_size = (size_t)(at - text);
    while (at < end && written_count < FILES_MAX) {
        char *name = written[written_count];
        const char *begin = take_name(at, end, name);
        at = find_separator(text, begin, end);
        if (name[0] && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            fuzz_write(name, begin, (size_t)(at - begin));
            written_count++;
        }
    }
    text[*ret_size] = '\0';
    return text;
}

void fuzz_remove_files(void)
{
    while (written_count > 0)
        unlink(written[--written_count]);
}
