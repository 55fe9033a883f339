/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a JSON record, key by key. */
#ifndef CLI_RECORD_FILL_H
#define CLI_RECORD_FILL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "program/case/case.h"

/* A record being filled; `failed` once memory ran out. */
struct record_filling {
    json_t *object;
    bool failed;
};

void record_put(struct record_filling *f, const char *key, json_t *value);
/* The object, or NULL if something of it is missing. */
json_t *record_finish(struct record_filling *f);
/* The list, or NULL if something of it is missing; takes both over. */
json_t *record_append(json_t *list, json_t *value);

json_t *record_number(uint64_t value);
/* Null if it is not known. */
json_t *record_number_if(bool known, uint64_t value);
json_t *record_real_if(bool known, double value);
json_t *record_boolean_if(bool known, bool value);

uint64_t record_peak_rss(void); /* bytes */

/* What rows of runs and audits begin with. */
void record_put_case(struct record_filling *f, const struct cli_case *c);
/* Null without a schedule. */
json_t *record_sync(const struct cli_case *c);
/* What rows with a schedule say of it. */
void record_put_schedule(struct record_filling *f, const struct cli_case *c);

#endif
