/* SPDX-License-Identifier: Apache-2.0 */
/* The SystemC model, if it is there. Knows where it is built and installed and how to load it; must
 * not know C++. The object stays loaded: its kernel lives as long as the process. */
#include "ecube/systemc.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "ecube/shape.h"
#include "file.h"

/* How far above a program or library its prefix may be: lib/x86_64-linux-gnu/libecube.so.0. */
#define PREFIX_LEVELS 4

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

/* Beside the program or library at `file`: in the build tree, or in the same installation. */
static bool object_of(const char *file, char *buffer, size_t size)
{
    char path[PATH_MAX];
    if (file == NULL || realpath(file, path) == NULL)
        return false;
    const size_t length = strlen(EC_BUILD_ROOT);
    if (strncmp(path, EC_BUILD_ROOT, length) == 0 && path[length] == '/')
        return ec_path(buffer, size, NULL, EC_BUILD_ROOT "/model/systemc/" EC_SYSTEMC_OBJECT) ==
                   EC_OK &&
               is_there(buffer);
    for (int level = 0; level < PREFIX_LEVELS; level++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
        if (ec_path(buffer, size, NULL, "%s/" EC_LIBDIR "/ecube/" EC_SYSTEMC_OBJECT, path) ==
                EC_OK &&
            is_there(buffer))
            return true;
    }
    return false;
}

static bool find_object(char *buffer, size_t size)
{
    /* The object that contains this function: the program, or libecube.so wherever it is. */
    Dl_info object;
    const bool known = dladdr((void *)(uintptr_t)find_object, &object) != 0;
    return (known && object_of(object.dli_fname, buffer, size)) ||
           object_of("/proc/self/exe", buffer, size) ||
           object_of((const char *)getauxval(AT_EXECFN), buffer, size);
}

static enum ec_code load(const struct ec_systemc_api **ret, struct ec_error *reterr)
{
    char path[PATH_MAX];
    if (!find_object(path, sizeof path))
        return ec_fail(
            reterr, EC_TOOL,
            "the backend systemc is not there (" EC_SYSTEMC_OBJECT
            "): ecube was built without SystemC (install libsystemc-dev, then build with "
            "-Dsystemc=enabled)");
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (object == NULL)
        return ec_fail(reterr, EC_TOOL, "cannot load the SystemC model: %s", dlerror());
    const struct ec_systemc_api *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(object, "ec_systemc_api"); /* the POSIX idiom for functions */
    const struct ec_systemc_api *api = entry != NULL ? entry() : NULL;
    dlclose(object);
    if (api == NULL || api->abi != EC_SYSTEMC_ABI)
        return ec_fail(reterr, EC_TOOL, "%s is not the SystemC model of this ecube", path);
    *ret = api;
    return EC_OK;
}

enum ec_code ec_systemc_open(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_net **ret, struct ec_error *reterr)
{
    const struct ec_systemc_api *api;
    struct ec_tile_shape seen;
    char message[256];
    enum ec_code code = ec_shape_choose(t, r, &seen, reterr);
    if (code == EC_OK)
        code = load(&api, reterr);
    if (code != EC_OK)
        return code;
    code = api->open(t, r, &seen, ret, message, sizeof message);
    return code == EC_OK ? EC_OK : ec_fail(reterr, code, "%s", message);
}
