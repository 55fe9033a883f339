/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the parts of the page and the data into one file. Must not know what the data mean. */
#include "page/page.h"

#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "page/parts.h"

#define PAGE_SCHEMA "ecube-page-1"

enum ec_code page_available(struct ec_error *reterr)
{
    if (page_parts[0].bytes)
        return EC_OK;
    return ec_fail(
        reterr, EC_TOOL,
        "this build of ecube has no reports, because the library d3 was missing: install "
        "the package node-d3 and build again");
}

/* --- Data ------------------------------------------------------------------------------------- */

static json_t *notes_of(const struct page_data *d)
{
    json_t *list = json_array();
    for (size_t i = 0; d->notes && d->notes[i]; i++)
        list = record_append(list, record_text(d->notes[i]));
    return list;
}

static bool put_data(const struct page_data *d, FILE *out)
{
    struct page_object o = page_open(out);
    json_t *notes = notes_of(d);
    page_put_text(&o, "schema", PAGE_SCHEMA);
    page_put_text(&o, "kind", d->kind);
    page_put_text(&o, "title", d->title);
    page_put_text(&o, "command", d->command);
    page_put_text(&o, "version", d->version);
    page_put(&o, "replayed", json_boolean(d->replayed));
    page_put(&o, "result", json_deep_copy(d->result));
    if (d->run.recording && notes)
        page_put_recording(&o, &d->run, notes);
    page_put(&o, "notes", notes);
    page_close(&o);
    return !o.failed;
}

/* --- The page --------------------------------------------------------------------------------- */

static size_t put_parts(const char *word, size_t length, FILE *out)
{
    size_t found = 0;
    for (const struct page_part *p = page_parts; p->bytes; p++) {
        if (strlen(p->name) == length && memcmp(p->name, word, length) == 0) {
            fwrite(p->bytes, 1, p->size, out);
            found++;
        }
    }
    return found;
}

/* Replaces a word of the page; 0: it is none. */
static size_t put_word(const struct page_data *d, const char *at, size_t left, FILE *out,
                       bool *good)
{
    static const char title[] = "@TITLE@", data[] = "@DATA@";
    const char *end = left > 1 ? memchr(at + 1, '@', left - 1) : NULL;
    const size_t length = end ? (size_t)(end + 1 - at) : 0;
    if (length == strlen(title) && memcmp(at, title, length) == 0)
        ec_put_markup(d->title, false, out);
    else if (length == strlen(data) && memcmp(at, data, length) == 0)
        *good = put_data(d, out) && *good;
    else if (!length || !put_parts(at, length, out))
        return 0;
    return length;
}

bool page_write(const struct page_data *d, FILE *out)
{
    const struct page_part *page = page_parts;
    const char *text = (const char *)page->bytes;
    bool good = true;
    for (size_t at = 0; at < page->size;) {
        const size_t word =
            text[at] == '@' ? put_word(d, text + at, page->size - at, out, &good) : 0;
        if (!word)
            fputc(text[at], out);
        at += word ? word : 1;
    }
    return good;
}
