/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects with columns of numbers. Must not know what they mean. */
#include "page/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"

/* --- Objects ---------------------------------------------------------------------------------- */

struct page_object page_open(FILE *out)
{
    fputc('{', out);
    return (struct page_object){.out = out};
}

void page_close(struct page_object *o)
{
    fputc('}', o->out);
}

/* Only texts contain "<"; escaped, it cannot end the element that the JSON is in. */
static void put_escaped(FILE *out, const char *json)
{
    for (const char *c = json; *c; c++) {
        if (*c == '<')
            fputs("\\u003c", out);
        else
            fputc(*c, out);
    }
}

void page_key(struct page_object *o, const char *key)
{
    fprintf(o->out, "%s\n\"%s\":", o->filled ? "," : "", key);
    o->filled = true;
}

void page_put(struct page_object *o, const char *key, json_t *value)
{
    char *text =
        value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12)) : NULL;
    page_key(o, key);
    if (text)
        put_escaped(o->out, text);
    else
        o->failed = true;
    free(text);
    json_decref(value);
}

void page_put_text(struct page_object *o, const char *key, const char *text)
{
    page_put(o, key, record_text(text));
}

void page_put_number(struct page_object *o, const char *key, uint64_t value)
{
    page_put(o, key, record_number(value));
}

/* --- Columns ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned size;
} types[] = {[PAGE_U8] = {"u8", 1},
             [PAGE_U16] = {"u16", 2},
             [PAGE_U32] = {"u32", 4},
             [PAGE_F64] = {"f64", 8}};

const char *page_type_name(enum page_type type)
{
    return types[type].name;
}

enum page_type page_type_for(uint32_t largest)
{
    return largest <= UINT8_MAX ? PAGE_U8 : largest <= UINT16_MAX ? PAGE_U16 : PAGE_U32;
}

struct page_column page_column_open(struct page_object *o, const char *key, enum page_type type)
{
    page_key(o, key);
    fputc('"', o->out);
    return (struct page_column){.out = o->out, .type = type};
}

static void put_group(struct page_column *c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4];
    for (unsigned k = 0; k < sizeof text; k++)
        text[k] = '=';
    for (unsigned k = 0; k <= c->bytes; k++)
        text[k] = digits[c->bits >> (18 - 6 * k) & 63];
    fwrite(text, 1, sizeof text, c->out);
    c->bits = c->bytes = 0;
}

void page_column_add(struct page_column *c, double value)
{
    uint64_t bits = 0;
    if (c->type == PAGE_F64)
        memcpy(&bits, &value, sizeof bits);
    else
        bits = (uint64_t)value;
    for (unsigned i = 0; i < types[c->type].size; i++) {
        c->bits |= (uint32_t)(bits >> 8 * i & 0xff) << (16 - 8 * c->bytes);
        if (++c->bytes == 3)
            put_group(c);
    }
}

void page_column_close(struct page_column *c)
{
    if (c->bytes)
        put_group(c);
    fputc('"', c->out);
}
