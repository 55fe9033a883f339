/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of runs. The hash of a file is that of its bytes unless the input begins with '#', so
 * damage reaches what is behind it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "ecube/run.h"
#include "fuzz.h"

/* As run/checkpoint.c writes it. */
struct header {
    char magic[16];
    uint64_t schema, size;
    XXH128_hash_t hash;
};

static void seal(uint8_t *bytes, size_t size)
{
    struct header h = {.schema = 1, .size = size - sizeof h};
    memcpy(h.magic, "ecube checkpoint", sizeof h.magic);
    h.hash = XXH3_128bits(bytes + sizeof h, h.size);
    memcpy(bytes, &h, sizeof h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ec_restart *r = NULL;
    struct ec_error e;
    fuzz_enter_folder();
    if (size < sizeof(struct header))
        return -1;
    uint8_t *bytes = malloc(size);
    if (!bytes)
        exit(1);
    memcpy(bytes, data, size);
    if (*data != '#')
        seal(bytes, size);
    fuzz_write("run.ck", bytes, size);
    const enum ec_code code = ec_restart_open("run.ck", "ecube", &r, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK && strlen(ec_restart_command(r)) + strlen(ec_restart_router(r)) >= size)
        fuzz_fail("a file of %zu bytes has longer texts", size);
    ec_restart_close(r);
    unlink("run.ck");
    free(bytes);
    return 0;
}
