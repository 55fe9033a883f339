/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders: paths, whole files, whole folders, and the files of this program in its build
 * tree or its installation. Must not know what the files mean. */
#include "base/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "paths.h"

/* Of a file that is read as a whole: far more than any has, except one of holes. */
#define SIZE_MOST (1LL << 30)

static enum ec_code io_error(struct ec_error *reterr, const char *verb, const char *path)
{
    return ec_fail(reterr, EC_IO, "cannot %s %s: %s", verb, path, strerror(errno));
}

enum ec_code ec_path(char *buffer, size_t size, struct ec_error *reterr, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size)
        return ec_fail(reterr, EC_IO, "path too long: %.200s...", buffer);
    return EC_OK;
}

static enum ec_code read_all(int fd, char *text, size_t size, const char *path,
                             struct ec_error *reterr)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(fd, text + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_error(reterr, "read", path);
        if (got == 0)
            return ec_fail(reterr, EC_IO, "cannot read %s: the file was truncated while being read",
                           path);
        done += (size_t)got;
    }
    return EC_OK;
}

enum ec_code ec_file_read(const char *path, char **ret, size_t *ret_size, struct ec_error *reterr)
{
    struct stat info;
    char *text = NULL;
    enum ec_code code = EC_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe may have no writer */
    if (fd < 0 || fstat(fd, &info) != 0) {
        code = io_error(reterr, "read", path);
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode)) {
        code = ec_fail(reterr, EC_IO, "cannot read %s: not a regular file", path);
        goto cleanup;
    }
    if (info.st_size > SIZE_MOST) {
        code = ec_fail(reterr, EC_IO, "cannot read %s: more than %lld bytes", path, SIZE_MOST);
        goto cleanup;
    }
    text = malloc((size_t)info.st_size + 1);
    if (text == NULL) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory to read %s", path);
        goto cleanup;
    }
    code = read_all(fd, text, (size_t)info.st_size, path, reterr);
    if (code != EC_OK)
        goto cleanup;
    text[info.st_size] = '\0';
    *ret = text;
    *ret_size = (size_t)info.st_size;
    text = NULL;
cleanup:
    free(text);
    if (fd >= 0)
        close(fd);
    return code;
}

enum ec_code ec_file_write(const char *path, const char *text, size_t size, struct ec_error *reterr)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return io_error(reterr, "write", path);
    enum ec_code code = EC_OK;
    for (size_t done = 0; done < size && code == EC_OK;) {
        const ssize_t put = write(fd, text + done, size - done);
        if (put >= 0)
            done += (size_t)put;
        else if (errno != EINTR)
            code = io_error(reterr, "write", path);
    }
    if (close(fd) != 0 && code == EC_OK)
        code = io_error(reterr, "write", path);
    return code;
}

enum ec_code ec_file_hash(const char *path, char ret[33], uint64_t *ret_size,
                          struct ec_error *reterr)
{
    char *text = NULL;
    size_t size = 0;
    const enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    const XXH128_hash_t hash = XXH3_128bits(text, size);
    free(text);
    snprintf(ret, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    if (ret_size != NULL)
        *ret_size = size;
    return EC_OK;
}

enum ec_code ec_folder_make(const char *path, unsigned mode, struct ec_error *reterr)
{
    char part[PATH_MAX];
    const enum ec_code code = ec_path(part, sizeof part, reterr, "%s", path);
    if (code != EC_OK)
        return code;
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, (mode_t)mode) != 0 && errno != EEXIST)
            return io_error(reterr, "create folder", part);
        *slash = '/';
    }
    if (mkdir(part, (mode_t)mode) != 0 && errno != EEXIST)
        return io_error(reterr, "create folder", part);
    struct stat info;
    if (stat(part, &info) != 0)
        return io_error(reterr, "use folder", part);
    if (!S_ISDIR(info.st_mode))
        return ec_fail(reterr, EC_IO, "cannot use %s: not a folder", part);
    return EC_OK;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

enum ec_code ec_folder_remove(const char *path, struct ec_error *reterr)
{
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        return io_error(reterr, "remove", path);
    return EC_OK;
}

enum ec_code ec_folder_names(const char *path, char ***ret, size_t *ret_count,
                             struct ec_error *reterr)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return io_error(reterr, "list", path);

    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += sizeof(char *) + strlen(entries[i]->d_name) + 1;
    char **names = malloc(bytes + 1);
    size_t used = 0;
    if (names != NULL) {
        char *text = (char *)(names + count);
        for (int i = 0; i < count; i++) {
            const char *name = entries[i]->d_name;
            if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
                continue;
            names[used++] = text;
            text = stpcpy(text, name) + 1;
        }
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    if (names == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to list %s", path);
    *ret = names;
    *ret_count = used;
    return EC_OK;
}

bool ec_name_ends(const char *name, const char *suffix)
{
    const size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* Free blocks say nothing of a quota, so a file is written. */
int ec_disk_trouble(const char *folder)
{
    static const char room[64 << 10];
    char path[PATH_MAX];
    if (ec_path(path, sizeof path, NULL, "%s/room.XXXXXX", folder) != EC_OK)
        return ENAMETOOLONG;
    const int fd = mkostemp(path, O_CLOEXEC);
    int trouble = fd < 0 ? errno : 0;
    for (size_t done = 0; done < sizeof room && trouble == 0;) {
        const ssize_t put = write(fd, room + done, sizeof room - done);
        if (put >= 0)
            done += (size_t)put;
        else if (errno != EINTR)
            trouble = errno;
    }
    if (fd >= 0 && close(fd) != 0 && trouble == 0)
        trouble = errno;
    if (fd >= 0)
        unlink(path);
    return trouble;
}

/* --- Beside the program ----------------------------------------------------------------------- */

/* How far above a program or library its prefix may be: lib/x86_64-linux-gnu/libecube.so.0. */
#define PREFIX_LEVELS 4

struct wanted {
    const char *built, *installed, *proof;
};

bool ec_folder_has(const char *folder, const char *file)
{
    char path[PATH_MAX];
    return ec_path(path, sizeof path, NULL, "%s/%s", folder, file) == EC_OK &&
           access(path, R_OK) == 0;
}

static bool is_inside(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Find data files that belong to the program or library at `file`. */
static bool beside(const struct wanted *w, const char *file, char *buffer, size_t size)
{
    char path[PATH_MAX];
    if (file == NULL || realpath(file, path) == NULL)
        return false;
    if (is_inside(path, EC_BUILD_ROOT))
        return ec_path(buffer, size, NULL, "%s", w->built) == EC_OK &&
               ec_folder_has(buffer, w->proof);
    for (int level = 0; level < PREFIX_LEVELS; level++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
        if (ec_path(buffer, size, NULL, "%s/%s", *w->installed == '/' ? "" : path, w->installed) ==
                EC_OK &&
            ec_folder_has(buffer, w->proof))
            return true;
    }
    return false;
}

bool ec_locate(const char *built, const char *installed, const char *proof, char *buffer,
               size_t size)
{
    /* The object that contains this function: the program, or libecube.so wherever it is. Without
     * /proc, the auxiliary vector has the name by which the program was called. */
    const struct wanted w = {built, installed, proof};
    Dl_info object;
    const bool known = dladdr((void *)(uintptr_t)ec_locate, &object) != 0;
    return (known && beside(&w, object.dli_fname, buffer, size)) ||
           beside(&w, "/proc/self/exe", buffer, size) ||
           beside(&w, (const char *)getauxval(AT_EXECFN), buffer, size);
}
