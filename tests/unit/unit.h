/* SPDX-License-Identifier: Apache-2.0 */
/* Common to all unit tests: cmocka, tests named by sentences, and objects from their texts. */
#ifndef EC_UNIT_H
#define EC_UNIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/word.h"
#include "ecube/workload.h"
#include "runner.h"

#define TEST(sentence, function)                                                                   \
    {                                                                                              \
        sentence, function, NULL, NULL, NULL                                                       \
    }

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Versions 1 and 2 of cmocka have different names for this. */
#define assert_between(value, least, most)                                                         \
    do {                                                                                           \
        const uintmax_t value_ = (value), least_ = (least), most_ = (most);                        \
        if (value_ < least_ || value_ > most_)                                                     \
            fail_msg("%s is %ju: expected %ju to %ju", #value, value_, least_, most_);             \
    } while (0)

/* The words of networks of at most 16 address bits and 4 virtual channels. */
static const struct ec_word_layout narrow = {.vc_shift = 59,
                                             .dst_shift = 43,
                                             .src_shift = 27,
                                             .address_bits = 16,
                                             .dst_bits = 16,
                                             .number_bits = 14,
                                             .index_bits = 13};

/* For paths of dimension order, lowest dimension first. */
static const struct ec_router low_first = {.order = EC_ORDER_LOW};

static inline struct ec_topology topology_of(const char *text)
{
    struct ec_topology t;
    struct ec_error error;

    if (ec_topology_parse(text, &t, &error) != EC_OK)
        fail_msg("%s", error.message);
    return t;
}

static inline struct ec_router router_of(const char *text, const struct ec_topology *t)
{
    struct ec_router r;
    struct ec_error error;

    if (ec_router_parse(text, t, &r, &error) != EC_OK)
        fail_msg("%s", error.message);
    return r;
}

static inline struct ec_workload *workload_of(const char *text, const struct ec_topology *t)
{
    struct ec_workload *w = NULL;
    struct ec_error error;

    if (ec_workload_open(text, t, 1, &w, &error) != EC_OK)
        fail_msg("%s", error.message);
    return w;
}

/* Fails unless `code` is the expected one and the message is one line with all the words of
 * `words` (separated by '|') in it. */
void assert_refused(const char *input, enum ec_code code, enum ec_code expected,
                    const struct ec_error *error, const char *words);

/* A file with this text, until scratch_files_remove(); returns its name. */
const char *scratch_file(const char *text);
void scratch_files_remove(void);

#endif
