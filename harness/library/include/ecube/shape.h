/* SPDX-License-Identifier: Apache-2.0 */
/* The tile builder: loads the tile of a shape, and compiles it if it is not in the cache.
 *
 * The cache has one folder per shape, named by a hash of all inputs (RTL, shim, parameters, flags,
 * versions of Verilator and of the C++ compiler). A build happens in a temporary folder that is
 * renamed at the end; a lock keeps two processes from building the same shape twice; a damaged
 * entry is detected by its checksum and rebuilt. */
#ifndef ECUBE_SHAPE_H
#define ECUBE_SHAPE_H

#include <stdbool.h>
#include <stdio.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/tile.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

/* What a compiled router counts: nothing; the points of line, branch and user
 * coverage; those of toggle coverage, too, which takes much more time. */
enum ec_cover { EC_COVER_NONE, EC_COVER_CODE, EC_COVER_ALL };

/* What makes the code of a shape. Both give the same results. */
struct ec_engine;
/* Many routers in one instruction (docs/adr/0025-routers-in-vectors.md). Needs Yosys; without waves
 * and coverage. Of a user's router the assertions and messages are left out (ec_shape_mute). */
const struct ec_engine *ec_engine_simd(void);

struct ec_shape_options {
    const struct ec_engine *engine; /* NULL: Verilator, one router after the other */
    bool random_init;               /* registers start at random values (for tests of the reset) */
    bool traced;            /* with waves and with the RTL's own checks on (tile.h: trace); never
                               random_init */
    bool saved;             /* the state of routers can be saved (shape/bank_state.h); never traced
                               or with coverage */
    enum ec_cover cover;    /* never traced */
    const char *const *rtl; /* the user's sources, NULL-terminated, instead of rtl/; or NULL */
    const char *top;        /* name of the user's router module; NULL: ecube's own router */
    bool balanced;          /* the user's router must have balanced_i: it runs with ties=balanced */
    bool sets; /* it must not have a table that is loaded: entries have several ports */
    /* How the user's router is compiled, one option of `ecube run` a line: "--define NAME=VALUE",
     * "--parameter NAME=VALUE", "--include FOLDER", "--file-list FILE" or "--file-list-here FILE"
     * (-f and -F). NULL: nothing more. A parameter's value may have placeholders for the place of a
     * router: %x0, %x1, ... its coordinates, %coord its packed address, %node its number, and %r0,
     * %r1, ... the radices. Then each place of `places` is compiled on its own, EC_PLACES_MAX at
     * most, and the shape serves these places only. */
    const char *build;
    const struct ec_tile_place *places;
    size_t place_count;
    /* Not NULL: the whole network of this topology as one model (rtl/ec_network.sv) instead of one
     * router; the shape then comes from ec_flat_choose. Only with the built-in router and without
     * `traced`. */
    const struct ec_topology *network;
    unsigned link; /* cycles of its links; 0: 1 */
    /* Progress: called with a line ("building router shape ... (about 10 s)") or NULL for none. */
    void (*progress)(void *context, const char *line);
    void *progress_context;
};

/* Call `file` (or NULL) for each file list of `build` (as above), and for each source, library and
 * folder that it names. EC_USAGE: an option is wrong, or a file or folder is not there; the message
 * names the option, or file and line of a list. `build` may be NULL. */
enum ec_code ec_shape_build_files(const char *build, void (*file)(void *context, const char *path),
                                  void *context, struct ec_error *reterr);

/* Does `build` have placeholders? */
bool ec_shape_has_places(const char *build);
#define EC_PLACES_MAX 64

/* The shape that serves a network: few shapes serve many (dimensions are rounded up to a small
 * set, depths to a power of two). EC_USAGE if no shape can (more than 20 address bits, ...). */
enum ec_code ec_shape_choose(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_tile_shape *ret, struct ec_error *reterr);

/* The same for a network that is wired in RTL (the backend `flat`); dimensions are not rounded.
 * EC_USAGE above EC_FLAT_NODES_MAX nodes: each topology needs a compilation of its whole network,
 * and the time for that grows with the nodes. */
#define EC_FLAT_NODES_MAX 64
enum ec_code ec_flat_choose(const struct ec_topology *t, const struct ec_router *r,
                            struct ec_tile_shape *ret, struct ec_error *reterr);

/* One compilation serves both. */
bool ec_shape_same(const struct ec_tile_shape *a, const struct ec_tile_shape *b);

/* The pins of the router of a node in a network of that shape. */
struct ec_tile_place ec_shape_place(const struct ec_topology *t, const struct ec_router *r,
                                    const struct ec_tile_shape *shape, uint32_t node);
/* The same for all; places has room for t->nodes. */
void ec_shape_places(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, struct ec_tile_place *places);

/* Give the places of these nodes the tables of their routers; *ret, NULL without tables, is freed
 * by the caller once the bank is open. False: out of memory. */
bool ec_shape_tables(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, const uint32_t *nodes, size_t count,
                     struct ec_tile_place *places, uint8_t **ret);

struct ec_shape; /* a loaded shape */

/* Build (if needed) and load. EC_TOOL if Verilator or a compiler is missing or fails; the message
 * names the log. `options` may be NULL. */
enum ec_code ec_shape_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, struct ec_shape **ret,
                           struct ec_error *reterr);
const struct ec_tile_api *ec_shape_api(const struct ec_shape *s);
/* Open routers, as `open` of the API: which is NULL for a shape of several places. */
struct ec_tile_bank *ec_shape_bank(const struct ec_shape *s, size_t routers,
                                   const struct ec_tile_place *places, const uint32_t *numbers,
                                   uint32_t random_seed, const char *const *names,
                                   const struct ec_tile_listener *listener);
const char *ec_shape_key(const struct ec_shape *s); /* the hash, hexadecimal; of several places that
                                                       of the first */
/* Does the router have assertions, or tasks that print or end a simulation, which an engine has
 * left out of its code? */
bool ec_shape_mute(const struct ec_shape *s);
void ec_shape_close(struct ec_shape *s);

/* "cube dims=6 locals=1 vcs=1 depth=4": for lists and messages. */
void ec_shape_format(const struct ec_tile_shape *shape, char *buffer, size_t size);

/* For `ecube tile list` and `clean`: one call per cache entry, sorted by description and age. */
struct ec_shape_entry {
    char key[64];
    char description[512]; /* as ec_shape_format, plus variant */
    uint64_t bytes;
    bool valid;        /* intact, and its sources have not changed */
    bool stale;        /* intact, but an included file has changed or is gone; neither: damaged */
    char reason[1000]; /* why it is stale or damaged, else "" */
    bool portable;     /* a router that other machines can use, too (ec_shape_export) */

    /* What tells entries of one description apart; "" and 0: an older ecube did not store it. */
    bool traced, random_init;
    char top[256];    /* module of the user's router; "": ecube's own */
    char rtl[4096];   /* its sources, separated by commas */
    char build[4096]; /* as in ec_shape_options */
    char sources[33]; /* hash of all SystemVerilog that went in, as of ec_shape_sources() */
    char verilator[256], compiler[256];
    int64_t built;  /* seconds since 1970 */
    double seconds; /* that the build took */
};
enum ec_code ec_shape_list(void (*entry)(void *context, const struct ec_shape_entry *e),
                           void *context, struct ec_error *reterr);
/* The hash of ecube's own SystemVerilog as it is now. */
enum ec_code ec_shape_sources(char ret[33], struct ec_error *reterr);
enum ec_code ec_shape_clean(size_t *ret_removed, struct ec_error *reterr);

/* For `ecube tile export` and `import`: copy routers (by their `key`) of the cache, with what they
 * need, into a tar archive, and all routers of an archive into the cache. `tar` does it. The
 * archive contains machine code, which an import loads: it must come from a source that the user
 * trusts. Routers of a user that another version of ecube compiled are left out; `*ret_count`:
 * those that are not. EC_IO: an entry is damaged; or an import has one that no run here could use,
 * because it is of another version of ecube, for another kind of processor, or needs other
 * libraries. Then nothing is imported. */
enum ec_code ec_shape_export(const char *path, char *const *keys, size_t count, size_t *ret_count,
                             struct ec_error *reterr);
enum ec_code ec_shape_import(const char *path, size_t *ret_count, struct ec_error *reterr);

/* The folder that contains rtl/ and the other data files: $ECUBE_DATA, the source tree, or
 * share/ecube of an installation. */
enum ec_code ec_data_path(char *buffer, size_t size, struct ec_error *reterr);

/* The cache folder in use: $ECUBE_CACHE, else $XDG_CACHE_HOME/ecube, else ~/.cache/ecube. */
enum ec_code ec_shape_cache_path(char *buffer, size_t size, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
