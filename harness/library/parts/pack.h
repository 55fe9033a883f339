/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as bytes: seven bits a byte, the lowest first, so that small numbers are short. Must not
 * know what the numbers mean. */
#ifndef EC_PARTS_PACK_H
#define EC_PARTS_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACK_MOST = 10 }; /* bytes of a number */

/* Returns the end of the number, at most PACK_MOST bytes behind `to`. */
static inline unsigned char *pack_put(unsigned char *to, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *to++ = (unsigned char)(number | 0x80);
    *to++ = (unsigned char)number;
    return to;
}

/* Bytes that grow. Zeroed: empty. */
struct pack {
    unsigned char *data; /* owned by the caller, for free() */
    size_t size, room;
    bool memory_short; /* numbers are missing */
};

void pack_number(struct pack *p, uint64_t number);

/* Bytes that are read. */
struct unpack {
    const unsigned char *at, *end;
    bool damaged; /* a number went beyond the end; all later ones are 0 */
};

uint64_t unpack_number(struct unpack *u);

static inline unsigned char unpack_byte(struct unpack *u)
{
    u->damaged |= u->at == u->end;
    return u->at < u->end ? *u->at++ : 0;
}

#endif
