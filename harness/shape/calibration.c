/* SPDX-License-Identifier: Apache-2.0 */
/* Calibrations of a compiled router, kept in its entry of the cache: they are about this RTL and go
 * with it. Knows the file; must not know how they are measured or used. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/file.h"
#include "ecube/shape.h"
#include "shape/cache.h"

#define CALIBRATION_FILE "calibration.json"

/* Of the constants of a mode: a damaged file must not pass for another router. */
static void checksum(const char *mode, const struct ec_calibration *c, char ret[17])
{
    char text[200];
    const int length = snprintf(text, sizeof text, "%u %u %u %u %u %.100s", c->ends, c->straight,
                                c->turn, c->word, c->depth, mode);
    snprintf(ret, 17, "%016llx", (unsigned long long)XXH3_64bits(text, (size_t)length));
}

static enum ec_code file_of(const struct ec_shape *s, char *buffer, size_t size,
                            struct ec_error *reterr)
{
    char cache[PATH_MAX];
    const enum ec_code code = ec_shape_cache_path(cache, sizeof cache, reterr);
    return code == EC_OK
               ? ec_path(buffer, size, reterr, "%s/%s/" CALIBRATION_FILE, cache, ec_shape_key(s))
               : code;
}

/* All calibrations of the router by mode; a new object if there are none. NULL: out of memory. */
static json_t *load(const char *path)
{
    json_t *all = json_load_file(path, 0, NULL);
    if (json_is_object(all))
        return all;
    json_decref(all);
    return json_object();
}

enum ec_code ec_shape_calibrate(const struct ec_shape *s, const char *mode,
                                const struct ec_calibration *c, struct ec_error *reterr)
{
    char path[PATH_MAX];
    enum ec_code code = file_of(s, path, sizeof path, reterr);
    if (code != EC_OK)
        return code;
    json_t *all = load(path);
    char sum[17];
    if (c != NULL) {
        checksum(mode, c, sum);
        json_object_set_new(all, mode,
                            json_pack("{s:i, s:i, s:i, s:i, s:i, s:s}", "ends", (int)c->ends,
                                      "straight", (int)c->straight, "turn", (int)c->turn, "word",
                                      (int)c->word, "depth", (int)c->depth, "checksum", sum));
    } else {
        json_object_del(all, mode);
    }
    char *text = all != NULL ? json_dumps(all, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    code = text != NULL ? ec_file_write(path, text, strlen(text), reterr)
                        : ec_fail(reterr, EC_MEMORY, "out of memory for a calibration");
    free(text);
    json_decref(all);
    return code;
}

bool ec_shape_calibration(const struct ec_shape *s, const char *mode, struct ec_calibration *ret)
{
    char path[PATH_MAX];
    if (file_of(s, path, sizeof path, NULL) != EC_OK)
        return false;
    json_t *all = load(path);
    json_t *found = json_object_get(all, mode);
    int ends, straight, turn, word, depth;
    const char *kept;
    char sum[17];
    struct ec_calibration c = {0};
    bool good =
        json_unpack(found, "{s:i, s:i, s:i, s:i, s:i, s:s}", "ends", &ends, "straight", &straight,
                    "turn", &turn, "word", &word, "depth", &depth, "checksum", &kept) == 0;
    if (good) {
        c = (struct ec_calibration){(unsigned)ends, (unsigned)straight, (unsigned)turn,
                                    (unsigned)word, (unsigned)depth};
        checksum(mode, &c, sum);
        good = strcmp(kept, sum) == 0;
    }
    json_decref(all);
    if (good)
        *ret = c;
    return good;
}
