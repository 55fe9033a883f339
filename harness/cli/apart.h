/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of work in a process of its own: what a process can do once only (the SystemC kernel) is
 * done once for each. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stddef.h>

#include "ecube/error.h"

/* Call `work` in a child, wait for it, and copy what it left at `result` (`size` bytes, at most
 * 512) back. The caller has flushed all streams; `work` flushes those it writes to. An interrupt of
 * this process is passed on. EC_INTERNAL if the child did not come to its end. */
enum ec_code cli_apart(void (*work)(void *context, void *result), void *context, void *result,
                       size_t size, struct ec_error *reterr);

#endif
