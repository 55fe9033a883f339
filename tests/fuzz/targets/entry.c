/* SPDX-License-Identifier: Apache-2.0 */
/* An entry of the cache of compiled shapes: its manifest, and what tools have said. An entry may be
 * damaged; it must never be loaded then.
 *
 * The files follow in the input at lines "=== NAME": manifest.json, tile.so. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "ecube/shape.h"
#include "fuzz.h"
#include "shape/cache.h"

static const char key[] = "0123456789abcdef0123456789abcdef";

static void check_entry(void *context, const struct ec_shape_entry *e)
{
    ++*(unsigned *)context;
    if (strcmp(e->key, key) != 0)
        fuzz_fail("the entry is called '%s'", e->key);
    if (e->valid && (e->stale || e->reason[0]))
        fuzz_fail("a valid entry is not valid: %s", e->reason);
    if (!e->valid && !e->reason[0])
        fuzz_fail("an entry is not valid for no reason");
}

/* The current folder is that of the entry; the cache is the one above it. */
static void enter_entry(void)
{
    static bool entered;
    if (entered)
        return;
    entered = true;
    fuzz_enter_folder();
    if (mkdir(key, 0700) != 0 || chdir(key) != 0 || setenv("ECUBE_CACHE", "..", true) != 0)
        exit(1);
}

/* Could the manifest name a file elsewhere, such as one that never ends? */
static bool names_folder(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 4 < size; at++) {
        if (strncasecmp((const char *)data + at, "002f", 4) == 0)
            return true;
    }
    return fuzz_leaves_folder(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ec_error e;
    size_t rest;
    unsigned entries = 0;
    enter_entry();
    if (names_folder(data, size))
        return -1;
    free(fuzz_write_files(data, size, &rest));
    const enum ec_entry_state state = ec_entry_check("..", key);
    const enum ec_code code = ec_shape_list(check_entry, &entries, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK || entries != 1 || state == EC_ENTRY_MISSING)
        fuzz_fail("%u entries in the cache instead of one", entries);
    fuzz_remove_files();
    return 0;
}
