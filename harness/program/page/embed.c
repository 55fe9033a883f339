/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of the build: prints C source with the bytes of files.
 *
 *   embed NAME=FILE... >parts.c
 *
 * The files of a NAME replace @NAME@ in the page, in their order; the page is the file without a
 * name. NAME*=FILE makes each line of the file a comment of JavaScript. Fails if a file would end
 * the element or the line that it is put into. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MOST ((size_t)16 << 20)

static size_t read_file(const char *path, char *buffer)
{
    FILE *in = fopen(path, "rb");
    const size_t size = in ? fread(buffer, 1, SIZE_MOST, in) : 0;
    if (!in || ferror(in) || size == 0 || size == SIZE_MOST) {
        perror(path);
        exit(1);
    }
    fclose(in);
    buffer[size] = '\0';
    return size;
}

static void check(const char *path, const char *text, size_t size, bool comment)
{
    /* The last ones end a line: a carriage return, and the separators U+2028 and U+2029. */
    static const char *const ends[] = {"</script", "</style",      "<!--",
                                       "\r",       "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t i = 0; i < (comment ? 6 : 3); i++) {
        if (strstr(text, ends[i]) || strlen(text) != size) {
            fprintf(stderr, "%s: cannot embed a file with '%s' or a zero byte\n", path, ends[i]);
            exit(1);
        }
    }
}

static void print_bytes(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%s%d,", i % 32 ? "" : "\n", (unsigned char)bytes[i]);
}

static void print_part(int part, const char *bytes, size_t size, bool comment)
{
    printf("static const unsigned char part%d[] = {", part);
    for (size_t at = 0; comment && at < size;) {
        const size_t line = strcspn(bytes + at, "\n");
        print_bytes("// ", 3);
        print_bytes(bytes + at, line);
        print_bytes("\n", 1);
        at += line + 1;
    }
    if (!comment)
        print_bytes(bytes, size);
    printf("\n};\n");
}

/* Behind "NAME" or "NAME*". */
static const char *end_of_name(const char *argument, bool *ret_comment)
{
    const char *end = strchr(argument, '=');
    if (!end) {
        fprintf(stderr, "embed: '%s': expected NAME=FILE\n", argument);
        exit(1);
    }
    *ret_comment = end > argument && end[-1] == '*';
    return end - *ret_comment;
}

int main(int argc, char **argv)
{
    char *buffer = malloc(SIZE_MOST + 1);
    bool comment;
    if (!buffer)
        return 1;
    printf("#include \"page/parts.h\"\n");
    for (int i = 1; i < argc; i++) {
        const bool named = end_of_name(argv[i], &comment) > argv[i];
        const char *path = strchr(argv[i], '=') + 1;
        const size_t size = read_file(path, buffer);
        if (named)
            check(path, buffer, size, comment);
        print_part(i, buffer, size, comment);
    }
    printf("const struct page_part page_parts[] = {\n");
    for (int i = 1; i < argc; i++) {
        const int length = (int)(end_of_name(argv[i], &comment) - argv[i]);
        printf("{\"%s%.*s%s\", part%d, sizeof part%d},\n", length ? "@" : "", length, argv[i],
               length ? "@" : "", i, i);
    }
    printf("{0}};\n");
    free(buffer);
    return fflush(stdout) != 0;
}
