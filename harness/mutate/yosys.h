/* SPDX-License-Identifier: Apache-2.0 */
/* The tool Yosys: runs a script. Knows nothing of routers. */
#ifndef EC_MUTATE_YOSYS_H
#define EC_MUTATE_YOSYS_H

#include "ecube/error.h"

/* Run the script FOLDER/NAME.ys in folder `cwd` (NULL: the current one); what Yosys says goes to
 * FOLDER/NAME.log. EC_TOOL: Yosys is missing or fails, with its message; EC_IO; EC_INTERRUPTED. */
enum ec_code ec_yosys_run(const char *folder, const char *name, const char *cwd,
                          struct ec_error *reterr);

#endif
