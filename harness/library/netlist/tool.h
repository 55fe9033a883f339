/* SPDX-License-Identifier: Apache-2.0 */
/* A tool in a private folder, with a time limit and its output in a file. */
#pragma once

#include "base/child.h"

#define EC_TOOL_ABC "yosys-abc" /* in the package yosys of all versions of Debian */

/* $YOSYS, else yosys. */
const char *ec_tool_yosys(void);
/* EC_TOOL: it is not installed; the message names the package. */
enum ec_code ec_tool_find(const char *name, struct ec_error *reterr);

struct ec_tool_run {
    const char *folder;     /* of the log */
    bool here;              /* run in the current folder, else in `folder` */
    const char *log;        /* name of the file of its output */
    double seconds;         /* of processor time, then it is killed; 0: no limit */
    double idle;            /* seconds without processor time: it hangs; 0: 60 */
    const sigset_t *before; /* as in ec_process_wait */
    /* About ten times a second; may be NULL. */
    void (*look)(void *context);
    void *context;
};

/* Run it to its end; releases `args`. *ret_status: the exit status, 128 + signal; -1: it was killed
 * because of the time limit. EC_TOOL: not installed; EC_IO: it waits for input; EC_INTERRUPTED. */
enum ec_code ec_tool_run(const struct ec_tool_run *run, struct ec_args *args, int *ret_status,
                         struct ec_error *reterr);

/* The text of a file in the folder, malloc'd; NULL: none. */
char *ec_tool_text(const char *folder, const char *name);
