/* SPDX-License-Identifier: Apache-2.0 */
/* A recording as JSON for the page. */
#ifndef PAGE_RECORDING_H
#define PAGE_RECORDING_H

#include "page/columns.h"
#include "page/page.h"

/* The keys network to waiting; adds to `notes` what was left out. */
void page_put_recording(struct page_object *o, const struct page_data *data, json_t *notes);

#endif
