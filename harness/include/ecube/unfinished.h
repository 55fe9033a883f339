/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are being written under a name of their own. Whoever catches signals can remove them
 * when the process ends in between; the library itself catches none. */
#ifndef ECUBE_UNFINISHED_H
#define ECUBE_UNFINISHED_H

#include <stdbool.h>

struct ec_unfinished {
    /* `there`: the file at `path` was begun; else it has its own name or was removed. */
    void (*tell)(void *context, const char *path, bool there);
    void *context;
};

#endif
