/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary files of outputs that are being written. A program that catches signals can remove them
 * when it is interrupted; the library itself catches none. */
#ifndef ECUBE_UNFINISHED_H
#define ECUBE_UNFINISHED_H

#include <stdbool.h>

struct ec_unfinished {
    /* `there`: the temporary file at `path` was created; else it was renamed or removed. */
    void (*tell)(void *context, const char *path, bool there);
    void *context;
};

#endif
