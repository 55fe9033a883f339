/* SPDX-License-Identifier: Apache-2.0 */
/* Where the RTL and the shim are, relative to the running program.
 *
 * Knows which folder that is; must not know what is done with the files. */
#include "shape/recipe.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/locate.h"
#include "paths.h"

enum ec_code ec_data_path(char *buffer, size_t size, struct ec_error *reterr)
{
    const char *wanted = getenv("ECUBE_DATA");
    if (wanted != NULL && *wanted != '\0') {
        const enum ec_code code = ec_path(buffer, size, reterr, "%s", wanted);
        if (code == EC_OK && !ec_folder_has(buffer, EC_DATA_WRAPPER))
            return ec_fail(reterr, EC_IO, "ECUBE_DATA=%.400s has no " EC_DATA_WRAPPER, wanted);
        return code;
    }
    if (ec_beside(EC_SOURCE_ROOT, "share/ecube", EC_DATA_WRAPPER, buffer, size))
        return EC_OK;
    if (ec_path(buffer, size, NULL, "%s", EC_DATA_ROOT) == EC_OK &&
        ec_folder_has(buffer, EC_DATA_WRAPPER))
        return EC_OK;
    return ec_fail(reterr, EC_IO,
                   "cannot find the router sources (share/ecube/" EC_DATA_WRAPPER
                   " beside the program): set ECUBE_DATA to the folder that has " EC_DATA_RTL "/");
}
