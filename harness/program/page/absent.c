/* SPDX-License-Identifier: Apache-2.0 */
/* A build without d3: nothing is embedded. */
#include "page/parts.h"

const struct page_part page_parts[] = {{0}};
