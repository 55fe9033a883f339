/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as the page reads it: texts that cannot end an HTML element, and columns of numbers in
 * base64, little endian. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One JSON object, key by key. */
struct page_object {
    FILE *out;
    bool filled; /* it has a key */
    bool failed; /* memory ran out */
};

struct page_object page_open(FILE *out);
void page_close(struct page_object *o);

void page_key(struct page_object *o, const char *key);
/* Takes ownership of the value; NULL: memory ran out. */
void page_put(struct page_object *o, const char *key, json_t *value);
void page_put_text(struct page_object *o, const char *key, const char *text); /* NULL: null */
void page_put_number(struct page_object *o, const char *key, uint64_t value);

/* Numbers in base64. */
enum page_type { PAGE_U8, PAGE_U16, PAGE_U32, PAGE_F64 };

struct page_column {
    FILE *out;
    enum page_type type;
    uint32_t bits;
    unsigned bytes;
};

const char *page_type_name(enum page_type type);
/* The smallest type of integers that holds a number. */
enum page_type page_type_for(uint32_t largest);
struct page_column page_column_open(struct page_object *o, const char *key, enum page_type type);
void page_column_add(struct page_column *c, double value); /* of the range of the type */
void page_column_close(struct page_column *c);
