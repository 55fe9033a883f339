/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the SystemC model. Knows where it is built and installed; must not know C++. The object
 * stays loaded, because its kernel lives as long as the process. */
#include "ecube/systemc.h"

#include <dlfcn.h>
#include <limits.h>

#include "base/file.h"
#include "ecube/shape.h"
#include "paths.h"

static bool find_model(char folder[PATH_MAX])
{
    return ec_locate(EC_BUILD_ROOT "/model/systemc", EC_LIBDIR "/ecube", EC_SYSTEMC_OBJECT, folder,
                     PATH_MAX);
}

bool ec_systemc_found(void)
{
    char folder[PATH_MAX];
    return find_model(folder);
}

static enum ec_code load_model(const struct ec_systemc_api **ret, struct ec_error *reterr)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (!find_model(folder))
        return ec_fail(reterr, EC_TOOL,
                       "cannot find the backend systemc (" EC_SYSTEMC_OBJECT
                       "): install libsystemc-dev, configure with -Dsystemc=enabled, and build all "
                       "of ecube, not only the program");
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" EC_SYSTEMC_OBJECT, folder);
    if (code != EC_OK)
        return code;
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
    struct ec_tile_shape shape;
    char message[256];
    if (t->graph)
        return ec_fail(reterr, EC_USAGE,
                       "the backend systemc has no graphs: choose the backend tiles");
    /* Networks that no RTL can serve are rejected here, too. */
    enum ec_code code = ec_shape_choose(t, r, &shape, reterr);
    if (code == EC_OK)
        code = load_model(&api, reterr);
    if (code != EC_OK)
        return code;
    code = api->open(t, r, ret, message, sizeof message);
    return code == EC_OK ? EC_OK : ec_fail(reterr, code, "%s", message);
}
