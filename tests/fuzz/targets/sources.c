/* SPDX-License-Identifier: Apache-2.0 */
/* How a user's router is compiled: the options of a build and its file lists (-f, -F), which name
 * further lists.
 *
 * The input is the build, an option a line; lists and sources follow at lines "=== NAME". */
#include <stdlib.h>
#include <string.h>

#include "ecube/shape.h"
#include "fuzz.h"
#include "shape/places.h"
#include "shape/sources.h"

static void count_file(void *context, const char *path)
{
    *(size_t *)context += strlen(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const rtl[] = {"a.sv", NULL};
    struct ec_sources s;
    struct ec_error e;
    size_t build_size, characters = 0;
    fuzz_enter_folder();
    if (fuzz_leaves_folder(data, size))
        return -1;
    char *build = fuzz_write_files(data, size, &build_size);
    enum ec_code code = ec_sources_read(rtl, build, &s, &e);
    fuzz_check_error(code, &e);
    ec_sources_free(&s);
    code = ec_shape_build_files(build, count_file, &characters, &e);
    fuzz_check_error(code, &e);
    (void)ec_shape_has_places(build);
    fuzz_remove_files();
    free(build);
    return 0;
}
