/* SPDX-License-Identifier: Apache-2.0 */
/* Knows the layouts of the build tree and of an installation; must not know what is looked for. */
#include "base/locate.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/file.h"
#include "paths.h"

/* How far above a program or library its prefix may be: lib/x86_64-linux-gnu/libecube.so.0. */
#define PREFIX_LEVELS 4

struct wanted {
    const char *built, *installed, *proof;
};

bool ec_folder_has(const char *folder, const char *file)
{
    char path[PATH_MAX];
    return ec_path(path, sizeof path, NULL, "%s/%s", folder, file) == EC_OK &&
           access(path, R_OK) == 0;
}

static bool is_inside(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* What belongs to the program or library at `file`. */
static bool beside(const struct wanted *w, const char *file, char *buffer, size_t size)
{
    char path[PATH_MAX];
    if (file == NULL || realpath(file, path) == NULL)
        return false;
    if (is_inside(path, EC_BUILD_ROOT))
        return ec_path(buffer, size, NULL, "%s", w->built) == EC_OK &&
               ec_folder_has(buffer, w->proof);
    for (int level = 0; level < PREFIX_LEVELS; level++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
        if (ec_path(buffer, size, NULL, "%s/%s", path, w->installed) == EC_OK &&
            ec_folder_has(buffer, w->proof))
            return true;
    }
    return false;
}

bool ec_beside(const char *built, const char *installed, const char *proof, char *buffer,
               size_t size)
{
    /* The object that contains this function: the program, or libecube.so wherever it is. Without
     * /proc the kernel still tells how the program was called. */
    const struct wanted w = {built, installed, proof};
    Dl_info object;
    const bool known = dladdr((void *)(uintptr_t)ec_beside, &object) != 0;
    return (known && beside(&w, object.dli_fname, buffer, size)) ||
           beside(&w, "/proc/self/exe", buffer, size) ||
           beside(&w, (const char *)getauxval(AT_EXECFN), buffer, size);
}
