/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the build embeds into the program (embed.c). */
#pragma once

#include <stddef.h>

struct page_part {
    const char *name; /* "@STYLE@": what it replaces in the page; "": the page itself */
    const unsigned char *bytes;
    size_t size;
};

/* Ended by a part without bytes; none in a build without d3. */
extern const struct page_part page_parts[];
