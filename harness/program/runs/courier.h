/* SPDX-License-Identifier: Apache-2.0 */
/* A courier carries frames between this process and those of other ranks.
 *
 * It is a child process, and the one of this rank that knows MPI: so this process can start workers
 * at any time, and poll a descriptor instead of MPI. Must not know what is in a frame. */
#ifndef CLI_COURIER_H
#define CLI_COURIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

struct courier;

/* A frame that has come; the bytes are valid until the next call. */
struct courier_frame {
    uint32_t rank; /* that has sent it */
    uint32_t kind;
    const char *bytes; /* [size] not aligned */
    size_t size;
};

/* Start it, and meet the other ranks (runs/ranks.h). Errors are those of the meeting; EC_IO: no
 * process can be started; EC_INTERRUPTED. */
enum ec_code courier_open(struct courier **ret, struct ec_error *reterr);
/* Wait until it has delivered everything and all ranks have closed theirs. NULL is fine. */
void courier_close(struct courier *c);

/* Readable when a frame has come. */
int courier_fd(const struct courier *c);
/* False: the courier is gone. */
bool courier_send(struct courier *c, uint32_t rank, uint32_t kind, const void *bytes, size_t size);
/* 1: a frame; 0: none has come; -1: the courier is gone, or rank 0 has closed its own. */
int courier_take(struct courier *c, struct courier_frame *ret);
/* Why the courier is gone. EC_INTERRUPTED: rank 0 has closed its own, or another rank has ended. */
enum ec_code courier_explain(const struct courier *c, struct ec_error *reterr);
/* As courier_take(), but wait for it; 0: an interrupt. */
int courier_await(struct courier *c, struct courier_frame *ret);

#endif
