/* SPDX-License-Identifier: Apache-2.0 */
/* Where the RTL and the shim are, relative to the running program.
 *
 * Knows the layouts of the source tree, the build tree and an installation; must not know what is
 * done with the files. */
#include "shape_recipe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "file.h"

/* How far above a program or library its prefix may be: lib/x86_64-linux-gnu/libecube.so.0. */
#define PREFIX_LEVELS 4

static bool has_data(const char *folder)
{
    char path[PATH_MAX];
    return ec_path(path, sizeof path, NULL, "%s/" EC_DATA_WRAPPER, folder) == EC_OK &&
           access(path, R_OK) == 0;
}

static bool is_inside(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* The data that belongs to the program or library at `file`; false if there is none. */
static bool data_of(const char *file, char *buffer, size_t size)
{
    char path[PATH_MAX];
    if (file == NULL || realpath(file, path) == NULL)
        return false;
    if (is_inside(path, EC_BUILD_ROOT))
        return ec_path(buffer, size, NULL, "%s", EC_SOURCE_ROOT) == EC_OK && has_data(buffer);
    for (int level = 0; level < PREFIX_LEVELS; level++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
        if (ec_path(buffer, size, NULL, "%s/share/ecube", path) == EC_OK && has_data(buffer))
            return true;
    }
    return false;
}

enum ec_code ec_data_path(char *buffer, size_t size, struct ec_error *reterr)
{
    const char *wanted = getenv("ECUBE_DATA");
    if (wanted != NULL && *wanted != '\0') {
        const enum ec_code code = ec_path(buffer, size, reterr, "%s", wanted);
        if (code == EC_OK && !has_data(buffer))
            return ec_fail(reterr, EC_IO, "ECUBE_DATA=%.400s has no " EC_DATA_WRAPPER, wanted);
        return code;
    }

    /* The object that contains this function: the program, or libecube.so wherever it is. Without
     * /proc the kernel still tells how the program was called. */
    Dl_info object;
    const bool known = dladdr((void *)(uintptr_t)ec_data_path, &object) != 0;
    if ((known && data_of(object.dli_fname, buffer, size)) ||
        data_of("/proc/self/exe", buffer, size) ||
        data_of((const char *)getauxval(AT_EXECFN), buffer, size))
        return EC_OK;
    if (ec_path(buffer, size, NULL, "%s", EC_DATA_ROOT) == EC_OK && has_data(buffer))
        return EC_OK;
    return ec_fail(reterr, EC_IO,
                   "cannot find the router sources (share/ecube/" EC_DATA_WRAPPER
                   " beside the program): set ECUBE_DATA to the folder that has " EC_DATA_RTL "/");
}
