/* SPDX-License-Identifier: Apache-2.0 */
/* The cache folder: entries, locks, and stages in which new entries are built.
 *
 *   <cache>/<key>/             an entry: a shared object, manifest.json, build.log
 *   <cache>/runtime-<key>/     the same for the Verilator runtime
 *   <cache>/headers-<key>/     headers that g++ has compiled for this runtime's tiles (60 MB)
 *   <cache>/locks/<name>       held while an entry is being built
 *   <cache>/logs/<name>.log    messages of the tools in the last failed build
 *   <cache>/tmp.XXXXXX/        a stage; the process that builds in it holds a lock on it */
#pragma once

#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>

#include "ecube/error.h"

#define EC_MANIFEST       "manifest.json"
#define EC_BUILD_LOG      "build.log"
#define EC_HEADERS_PREFIX "headers-"
/* In the manifest, instead of the checksum of a source. */
#define EC_SOURCE_ABSENT  "absent"

/* Create the cache folder if needed; EC_IO if another user but root owns it or may write there.
 * `buffer` gets its absolute path. */
enum ec_code ec_cache_open(char *buffer, size_t size, struct ec_error *reterr);

enum ec_entry_state { EC_ENTRY_MISSING, EC_ENTRY_DAMAGED, EC_ENTRY_STALE, EC_ENTRY_VALID };

/* Check an entry: its manifest, the checksum of its shared object, and that files included by
 * foreign RTL are unchanged, and no others hide them (else it is stale). */
enum ec_entry_state ec_entry_check(const char *cache, const char *name);

/* Is this the name of an entry? */
bool ec_entry_named(const char *name);

/* EC_IO if another user but root owns a file of the entry or may write there. */
enum ec_code ec_entry_trust(const char *cache, const char *name, struct ec_error *reterr);

/* A valid entry of this design, by this version of Verilator and a compiler with the options in the
 * command `cxx` (NULL: by any), and its runtime. False: there is none. */
bool ec_entry_find(const char *cache, const char *design, const char *verilator, const char *cxx,
                   char ret_key[33], char ret_runtime_key[33]);

/* The manifest (the caller releases it), or NULL. */
json_t *ec_entry_manifest(const char *cache, const char *name);
/* A text in it, or "". */
const char *ec_manifest_text(const json_t *manifest, const char *key);

/* Take the lock `name`; waits for other processes. `waiting` (may be NULL) is called once before a
 * wait. EC_INTERRUPTED if a signal was handled during the wait; `before` as in ec_process_wait, or
 * NULL: EC_IO at once, instead of a wait. */
enum ec_code ec_cache_lock(const char *cache, const char *name, void (*waiting)(void *context),
                           void *context, const sigset_t *before, int *ret,
                           struct ec_error *reterr);
void ec_cache_unlock(int lock);

/* A folder to build in, on the file system of the cache. */
struct ec_stage {
    char path[PATH_MAX];
    int lock;
};
enum ec_code ec_stage_open(const char *cache, struct ec_stage *ret, struct ec_error *reterr);
/* Rename the stage to the entry `name`, replacing an old one. */
enum ec_code ec_stage_publish(struct ec_stage *stage, const char *cache, const char *name,
                              struct ec_error *reterr);
/* Remove the stage, unless it was published. */
void ec_stage_close(struct ec_stage *stage);

/* Remove the stages of dead processes; returns how many. */
size_t ec_cache_sweep(const char *cache);
