/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a workload taken apart: name and keys, values still as they were written. */
#ifndef EC_WORKLOAD_WORDS_H
#define EC_WORKLOAD_WORDS_H

#include "base/text.h"
#include "ecube/error.h"
#include "workload/table.h"

/* What messages about a workload begin with; its text is the argument. */
#define EC_IN_WORKLOAD "workload '%.100s': "

struct ec_workload_words {
    const char *text;
    enum ec_workload_id id;
    unsigned given; /* bit k: key k */
    struct ec_slice values[EC_KEY_COUNT];
};

static inline bool ec_workload_has(const struct ec_workload_words *w, enum ec_workload_key key)
{
    return w->given >> key & 1;
}

/* EC_USAGE names what is unknown, missing, given twice or empty, and what would be right. */
enum ec_code ec_workload_words(const char *text, struct ec_workload_words *ret,
                               struct ec_error *reterr);

#endif
