/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and scratch files that several tests share. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void assert_refused(const char *input, enum ec_code code, enum ec_code expected,
                    const struct ec_error *error, const char *words)
{
    char copy[256];

    if (code != expected)
        fail_msg("'%s': code %d (%s), expected %d", input, (int)code, ec_code_text(code),
                 (int)expected);
    if (error->code != code)
        fail_msg("'%s': returned %d, but the error says %d", input, (int)code, (int)error->code);
    if (strlen(error->message) < 10 || strchr(error->message, '\n'))
        fail_msg("'%s': not one line: '%s'", input, error->message);
    snprintf(copy, sizeof copy, "%s", words);
    char *rest = copy;
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(error->message, word))
            fail_msg("'%s': no '%s' in '%s'", input, word, error->message);
    }
}

static char files[64][64];
static unsigned file_count;

const char *scratch_file(const char *text)
{
    assert_true(file_count < COUNT(files));
    char *name = files[file_count++];
    strcpy(name, "/tmp/ecube-test.XXXXXX");
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return name;
}

void scratch_files_remove(void)
{
    while (file_count)
        unlink(files[--file_count]);
}
