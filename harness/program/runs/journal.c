/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a list: writes, reads and finds records. Knows the format of the file, and what
 * decides whether a result still holds; must not know what a result is.
 *
 * The file begins with a line of text. Then each record has a head, its bytes, and a checksum of
 * both. Files that are put together by cat are one journal. A process that is killed leaves at most
 * one incomplete record, which is cut off when the journal is opened again. */
#include "program/runs/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/file.h"
#include "base/list.h"
#include "base/output.h"
#include "ecube/shape.h"

static const char title[] = "ecube journal 1\n";

struct head {
    struct cli_journal_key key;
    uint64_t size; /* of the bytes */
};

/* A record of the file. */
struct kept {
    struct cli_journal_key key;
    size_t at, size; /* of its bytes in the file */
};

/* The hash of a file, or of the sources in a folder, that was read once. */
struct hashed {
    char *path;
    char hash[33]; /* "": it cannot be read */
};

struct cli_journal {
    char *path;
    int fd;
    char *map;    /* what the file had when it was opened */
    size_t begin; /* bytes mapped */
    off_t end;    /* of the last complete record */
    size_t added; /* records since then */
    struct kept *kept;
    size_t count, room;
    struct hashed *hashed;
    size_t hashed_count, hashed_room;
    bool begun; /* the file is a journal, and locked */
    char program[CLI_PROGRAM_HASH];
    XXH3_state_t *state; /* for hashes */
};

/* --- Reading ---------------------------------------------------------------------------------- */

static uint64_t checksum(const struct cli_journal *j, const struct iovec *pieces, int count)
{
    (void)XXH3_64bits_reset(j->state);
    for (int i = 0; i < count; i++)
        (void)XXH3_64bits_update(j->state, pieces[i].iov_base, pieces[i].iov_len);
    return XXH3_64bits_digest(j->state);
}

static int by_key(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->key.high != y->key.high)
        return x->key.high < y->key.high ? -1 : 1;
    return (x->key.low > y->key.low) - (x->key.low < y->key.low);
}

/* The complete record at `at`; false: there is none, and nothing after it counts. */
static bool read_record(const struct cli_journal *j, size_t at, struct kept *ret, size_t *ret_end)
{
    struct head h;
    uint64_t sum;
    if (j->begin - at < sizeof h + sizeof sum)
        return false;
    memcpy(&h, j->map + at, sizeof h);
    at += sizeof h;
    if (h.size > j->begin - at - sizeof sum)
        return false;
    memcpy(&sum, j->map + at + h.size, sizeof sum);
    *ret = (struct kept){.key = h.key, .at = at, .size = h.size};
    *ret_end = at + h.size + sizeof sum;
    const struct iovec pieces[] = {{&h, sizeof h}, {j->map + at, h.size}};
    return sum == checksum(j, pieces, 2);
}

static size_t skip_titles(const struct cli_journal *j, size_t at)
{
    const size_t size = sizeof title - 1;
    while (j->begin - at >= size && memcmp(j->map + at, title, size) == 0)
        at += size;
    return at;
}

static enum ec_code read_records(struct cli_journal *j, struct ec_error *e)
{
    struct kept k;
    size_t at = sizeof title - 1;
    if (memcmp(j->map, title, at < j->begin ? at : j->begin) != 0)
        return ec_fail(
            e, EC_USAGE,
            "'%.200s' is not a journal of this version of ecube: remove it, or leave out "
            "--resume",
            j->path);
    if (j->begin < at)
        return EC_OK;
    for (size_t end; at = skip_titles(j, at), read_record(j, at, &k, &end); at = end) {
        if (!EC_LIST_PUSH(j->kept, j->count, j->room, k))
            return ec_fail(e, EC_MEMORY, "out of memory for the journal '%.200s'", j->path);
    }
    j->end = (off_t)at;
    if (j->count > 0)
        qsort(j->kept, j->count, sizeof *j->kept, by_key);
    return EC_OK;
}

static enum ec_code load(struct cli_journal *j, struct ec_error *e)
{
    struct stat info;
    if (fstat(j->fd, &info) != 0)
        return ec_fail(e, EC_IO, "cannot read '%.200s': %s", j->path, strerror(errno));
    if (info.st_size == 0)
        return EC_OK;
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, j->fd, 0);
    if (map == MAP_FAILED)
        return ec_fail(e, EC_IO, "cannot read '%.200s': %s", j->path, strerror(errno));
    j->map = map;
    j->begin = (size_t)info.st_size;
    return read_records(j, e);
}

bool cli_journal_find(const struct cli_journal *j, const struct cli_journal_key *key,
                      const void **ret_bytes, size_t *ret_size)
{
    const struct kept wanted = {.key = *key};
    const struct kept *k = j->count ? bsearch(&wanted, j->kept, j->count, sizeof *k, by_key) : NULL;
    if (!k)
        return false;
    *ret_bytes = j->map + k->at;
    *ret_size = k->size;
    return true;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* All of it at the end of the last complete record, or nothing. */
static enum ec_code append(struct cli_journal *j, const struct iovec *pieces, int count,
                           struct ec_error *e)
{
    ssize_t size = 0, put;
    for (int i = 0; i < count; i++)
        size += (ssize_t)pieces[i].iov_len;
    do
        put = pwritev(j->fd, pieces, count, j->end);
    while (put < 0 && errno == EINTR);
    if (put == size) {
        j->end += size;
        return EC_OK;
    }
    if (put >= 0) /* a part: the next byte fails, and says why */
        put = pwrite(j->fd, title, 1, j->end + put);
    const int error = put < 0 ? errno : EIO;
    (void)!ftruncate(j->fd, j->end);
    return ec_fail_write(e, "the journal", j->path, error);
}

enum ec_code cli_journal_add(struct cli_journal *j, const struct cli_journal_key *key,
                             const void *head, size_t head_size, const void *bytes, size_t size,
                             struct ec_error *reterr)
{
    struct head h = {.key = *key, .size = head_size + size};
    uint64_t sum;
    const struct iovec pieces[] = {
        {&h, sizeof h}, {(void *)head, head_size}, {(void *)bytes, size}, {&sum, sizeof sum}};
    sum = checksum(j, pieces, 3);
    const enum ec_code code = append(j, pieces, 4, reterr);
    j->added += code == EC_OK;
    return code;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Not inherited by the workers, unlike flock(). */
static enum ec_code lock(const struct cli_journal *j, struct ec_error *e)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return EC_OK; /* a file system without locks is no reason to do without a journal */
    return ec_fail(e, EC_USAGE, "'%.200s' is in use: another process writes to the same output",
                   j->path);
}

/* A file that happens to have this name is not overwritten. A journal may be of any version. */
static enum ec_code check_old(const struct cli_journal *j, struct ec_error *e)
{
    char begin[sizeof "ecube journal " - 1];
    const ssize_t got = pread(j->fd, begin, sizeof begin, 0);
    if (got <= 0 || memcmp(begin, title, (size_t)got) == 0)
        return EC_OK;
    return ec_fail(e, EC_USAGE,
                   "'%.200s' is needed for the journal, but is another file: move it, or choose "
                   "another --output",
                   j->path);
}

static enum ec_code open_file(struct cli_journal *j, bool resume, struct ec_error *e)
{
    const struct iovec line = {(void *)title, sizeof title - 1};
    j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->fd < 0)
        return ec_fail_write(e, "the journal", j->path, errno);
    enum ec_code code = lock(j, e);
    if (code == EC_OK)
        code = resume ? load(j, e) : check_old(j, e);
    if (code == EC_OK && ftruncate(j->fd, j->end) != 0)
        code = ec_fail_write(e, "the journal", j->path, errno);
    if (code == EC_OK && j->end == 0)
        code = append(j, &line, 1, e);
    j->begun = code == EC_OK;
    return code;
}

static void store_hash(XXH128_hash_t hash, char ret[CLI_PROGRAM_HASH])
{
    snprintf(ret, CLI_PROGRAM_HASH, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

void cli_program_hash(char ret[CLI_PROGRAM_HASH])
{
    char rtl[33] = "", program[33] = "", both[80];
    (void)ec_shape_sources(rtl, NULL);
    (void)ec_file_hash("/proc/self/exe", program, NULL, NULL);
    snprintf(both, sizeof both, "%s %s", rtl, program);
    const XXH128_hash_t hash = XXH3_128bits(both, strlen(both));
    store_hash(hash, ret);
}

enum ec_code cli_journal_open(const char *output, bool resume, struct cli_journal **ret,
                              struct ec_error *reterr)
{
    struct stat info;
    char *target = ec_output_target(output);
    const bool endless = !target && errno == ELOOP;
    struct cli_journal *j = calloc(1, sizeof *j);
    enum ec_code code = EC_OK;
    *ret = NULL;
    if (j)
        j->state = XXH3_createState();
    if (endless) {
        code = ec_fail_write(reterr, NULL, output, ELOOP);
    } else if (!j || !j->state || !target || asprintf(&j->path, "%s.journal", target) < 0) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    } else if (stat(target, &info) == 0 && !S_ISREG(info.st_mode)) {
        if (resume)
            code = ec_fail(reterr, EC_USAGE,
                           "--resume needs a journal beside the output: '%.200s' is not a regular "
                           "file",
                           output);
        cli_journal_close(j, false, false);
        j = NULL;
    } else {
        cli_program_hash(j->program);
        code = open_file(j, resume, reterr);
    }
    free(target);
    if (code == EC_OK)
        *ret = j;
    else
        cli_journal_close(j, false, false);
    return code;
}

void cli_journal_close(struct cli_journal *j, bool complete, bool keep)
{
    if (!j)
        return;
    if ((complete && !keep) || (j->begun && cli_journal_count(j) == 0))
        unlink(j->path);
    if (complete) { /* what an interrupted run has left beside the output */
        memcpy(j->path + strlen(j->path) - strlen(".journal"), ".partial", strlen(".partial"));
        unlink(j->path);
    }
    if (j->map)
        munmap(j->map, j->begin);
    if (j->fd > 0)
        close(j->fd);
    for (size_t i = 0; i < j->hashed_count; i++)
        free(j->hashed[i].path);
    free(j->hashed);
    free(j->kept);
    XXH3_freeState(j->state);
    free(j->path);
    free(j);
}

size_t cli_journal_count(const struct cli_journal *j)
{
    return j->count + j->added;
}

const char *cli_journal_path(const struct cli_journal *j)
{
    return j->path;
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* Files that a source may include from its folder, or from one of --include. */
static bool is_source(const char *name)
{
    static const char *const endings[] = {".sv", ".svh", ".svi", ".v",   ".vh",
                                          ".vi", ".inc", ".h",   ".def", ".defs"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ec_name_ends(name, endings[i]))
            return true;
    }
    return false;
}

/* The names and contents of all sources in a folder; "" if memory is short. */
static void hash_folder(const char *folder, char ret[33])
{
    XXH3_state_t *state = XXH3_createState();
    char path[PATH_MAX], hash[33] = "";
    char **names = NULL;
    size_t count = 0;
    ret[0] = '\0';
    if (!state || ec_folder_names(folder, &names, &count, NULL) != EC_OK) {
        XXH3_freeState(state);
        return;
    }
    (void)XXH3_128bits_reset(state);
    for (size_t i = 0; i < count; i++) {
        if (!is_source(names[i]) ||
            ec_path(path, sizeof path, NULL, "%s/%s", folder, names[i]) != EC_OK)
            continue;
        (void)ec_file_hash(path, hash, NULL, NULL);
        (void)XXH3_128bits_update(state, names[i], strlen(names[i]) + 1);
        (void)XXH3_128bits_update(state, hash, sizeof hash);
    }
    store_hash(XXH3_128bits_digest(state), ret);
    XXH3_freeState(state);
    free(names);
}

/* Add the contents of a file or folder, which is read at most once. */
static void add_contents(struct cli_journal *j, const char *path, XXH3_state_t *state)
{
    size_t i = 0;
    while (i < j->hashed_count && strcmp(j->hashed[i].path, path) != 0)
        i++;
    if (i == j->hashed_count) {
        char *copy = strdup(path);
        struct stat info;
        if (!copy || !EC_LIST_PUSH(j->hashed, j->hashed_count, j->hashed_room,
                                   (struct hashed){.path = copy})) {
            free(copy);
            return;
        }
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            hash_folder(path, j->hashed[i].hash);
        else
            (void)ec_file_hash(path, j->hashed[i].hash, NULL, NULL);
    }
    (void)XXH3_128bits_update(state, j->hashed[i].hash, sizeof j->hashed[i].hash);
}

/* A source includes files of its own folder. */
static void add_folder_of(struct cli_journal *j, const char *path, XXH3_state_t *state)
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash + 1 - path) : 0;
    char folder[PATH_MAX];
    if (ec_path(folder, sizeof folder, NULL, "%.*s.", length, path) == EC_OK)
        add_contents(j, folder, state);
}

struct cli_journal_key cli_journal_key(struct cli_journal *j, const char *words,
                                       const struct cli_files *files)
{
    XXH3_state_t *const state = j->state;
    (void)XXH3_128bits_reset(state);
    (void)XXH3_128bits_update(state, j->program, sizeof j->program);
    (void)XXH3_128bits_update(state, words, strlen(words) + 1);
    for (size_t i = 0; i < files->count; i++) {
        const char *path = cli_files_input(files, i);
        if (path)
            add_contents(j, path, state);
        if (path && is_source(path))
            add_folder_of(j, path, state);
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    return (struct cli_journal_key){.low = hash.low64, .high = hash.high64};
}
