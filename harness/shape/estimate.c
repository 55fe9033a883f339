/* SPDX-License-Identifier: Apache-2.0 */
/* How long the build of a shape takes: a model of the shape, scaled by the earlier builds in the
 * cache. It compares processor times, which depend little on the load of the machine. Knows shapes
 * and manifests; must not know how a shape is built. */
#include "shape/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "shape/cache.h"
#include "shape/tile_io.h"

/* Fitted to the output of tests/bench/compile_times.sh with Verilator 5.006 and g++ 12: every
 * shape within a factor of 1.5, for 4 to 24 ports, 1 to 4 VCs, and 8 to 64 nodes in a flat network.
 * The depth of the buffers does not count. */
#define TILE             0.45
#define TILE_BUFFER      0.08   /* for each input VC */
#define TILE_CROSSING    0.0043 /* for each pair of an input VC and a link */
#define NODE_BUFFER      0.0145 /* flat: for each input VC of each node */
#define TRACED           0.6
#define TRACED_FACTOR    3.2
#define COVERED          1.0
#define COVERED_FACTOR   2.2
#define TOGGLE_FACTOR    11.0 /* with a counter for each bit */
#define RUNTIME          5.0  /* compiled at the same time as the tile */
#define OVERLAP_FRACTION 3    /* of the shorter one of tile and runtime is not hidden */

static double tile_seconds(const struct ec_recipe *r)
{
    const double links = ec_tile_shape_links(&r->shape);
    const double buffers = (links + r->shape.locals) * r->shape.vcs;
    const double seconds =
        TILE + buffers * (TILE_BUFFER + TILE_CROSSING * links) + NODE_BUFFER * r->nodes * buffers;
    switch (r->cover) {
    case EC_COVER_CODE:
        return COVERED + COVERED_FACTOR * seconds;
    case EC_COVER_ALL:
        return COVERED + TOGGLE_FACTOR * seconds;
    case EC_COVER_NONE:
        break;
    }
    return r->traced ? TRACED + TRACED_FACTOR * seconds : seconds;
}

double ec_estimate_cpu(const struct ec_recipe *r, bool runtime)
{
    return tile_seconds(r) + (runtime ? RUNTIME : 0);
}

double ec_tools_cpu(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* --- Earlier builds --------------------------------------------------------------------------- */

static bool same_text(const json_t *manifest, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(manifest, key));
    return value && text ? strcmp(value, text) == 0 : !value && !text;
}

/* Measured over expected time of an entry that the same tools built from the same kind of router;
 * 0: it is of no use. */
static double ratio_of(const struct ec_recipe *r, const char *cache, const char *name)
{
    json_t *manifest = ec_entry_manifest(cache, name);
    const double measured = json_number_value(json_object_get(manifest, EC_CPU_MEASURED));
    const double expected = json_number_value(json_object_get(manifest, EC_CPU_EXPECTED));
    const bool same = same_text(manifest, "top", r->top) &&
                      same_text(manifest, "verilator", r->tools.verilator_version) &&
                      same_text(manifest, "compiler", r->tools.cxx_version) &&
                      same_text(manifest, "command", r->tools.cxx);
    json_decref(manifest);
    return same && measured > 0 && expected > 0 ? measured / expected : 0;
}

static int compare_ratios(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of all ratios. The machine of the measurement counts as one build of ecube's own
 * router; 0: no build of this router is known. */
static double machine_ratio(const struct ec_recipe *r, const char *cache)
{
    char **names = NULL;
    size_t count = 0, known = 0;
    double median = 0;
    if (ec_folder_names(cache, &names, &count, NULL) != EC_OK)
        return r->top ? 0 : 1;
    double *ratios = calloc(count + 1, sizeof *ratios);
    if (ratios && !r->top)
        ratios[known++] = 1;
    for (size_t i = 0; ratios && i < count; i++) {
        const double ratio = ratio_of(r, cache, names[i]);
        if (ratio > 0)
            ratios[known++] = ratio;
    }
    if (known) {
        qsort(ratios, known, sizeof *ratios, compare_ratios);
        median = sqrt(ratios[(known - 1) / 2] * ratios[known / 2]);
    }
    free(ratios);
    free(names);
    return median;
}

double ec_estimate_seconds(const struct ec_recipe *r, const char *cache, bool runtime)
{
    const double tile = tile_seconds(r), other = runtime ? RUNTIME : 0;
    const double alone = sysconf(_SC_NPROCESSORS_ONLN) < 2
                             ? ec_estimate_cpu(r, runtime)
                             : fmax(tile, other) + fmin(tile, other) / OVERLAP_FRACTION;
    return alone * machine_ratio(r, cache);
}
