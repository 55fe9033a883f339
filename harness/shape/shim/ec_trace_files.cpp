// SPDX-License-Identifier: Apache-2.0
// The files of Verilator's FST writer, which looks at no result of a write, and maps files that it
// takes to be as long as what it wrote: on a full disk it would leave a broken dump, or die of
// SIGBUS. The linker puts these functions in the place of the C library's (EC_LINK_TRACED), in the
// runtime of traced shapes only.
//
// All that the writer maps is kept in memory, so that the dump is its only file; what cannot be
// written is remembered. Knows the habits of the writer, and nothing of routers.
#include "ec_runtime.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
FILE *__real_fopen(const char *path, const char *mode);
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __real_fputc(int c, FILE *file);
int __real_fflush(FILE *file);
int __real_fclose(FILE *file);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_tmpfile();
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __wrap_fputc(int c, FILE *file);
int __wrap_fflush(FILE *file);
int __wrap_fclose(FILE *file);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
}

namespace
{

thread_local int lost = 0; // errno of the first loss

void note(int error)
{
    if (lost == 0)
        lost = error != 0 ? error : EIO;
}

FILE *open_memory()
{
    const int fd = memfd_create("ecube-wave", MFD_CLOEXEC);
    FILE *file = fd < 0 ? nullptr : fdopen(fd, "w+b");
    if (file == nullptr)
        note(errno);
    if (file == nullptr && fd >= 0)
        close(fd);
    return file;
}

// The writer's list of names, which it keeps beside the dump until that is closed.
bool is_names(const char *path)
{
    static const char ending[] = ".hier";
    const size_t length = std::strlen(path), tail = sizeof ending - 1;
    return length > tail && std::strcmp(path + length - tail, ending) == 0;
}

bool is_whole(int fd, size_t length, off_t offset)
{
    struct stat info;
    return fstat(fd, &info) == 0 && offset <= info.st_size &&
           length <= static_cast<size_t>(info.st_size - offset);
}

} // namespace

int ec_trace_lost()
{
    const int error = lost;
    lost = 0;
    return error;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (mode[0] == 'w' && is_names(path))
        return open_memory();
    FILE *file = __real_fopen(path, mode);
    if (file == nullptr && mode[0] == 'w')
        note(errno);
    return file;
}

FILE *__wrap_tmpfile()
{
    return open_memory();
}

size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    if (ec_runtime_wrote(data, size * count, file))
        return count;
    const size_t done = __real_fwrite(data, size, count, file);
    if (done < count)
        note(errno);
    return done;
}

int __wrap_fputc(int c, FILE *file)
{
    const int result = __real_fputc(c, file);
    if (result == EOF)
        note(errno);
    return result;
}

int __wrap_fflush(FILE *file)
{
    const int result = __real_fflush(file);
    if (result != 0)
        note(errno);
    return result;
}

int __wrap_fclose(FILE *file)
{
    const bool bad = ferror(file) != 0;
    const int result = __real_fclose(file);
    if (result != 0)
        note(errno);
    else if (bad)
        note(EIO); // of a write that nobody looked at
    return result;
}

// Beyond the end of a file that became too short there are zeros: of no use, but no SIGBUS either.
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (fd < 0 || is_whole(fd, length, offset))
        return __real_mmap(at, length, protection, flags, fd, offset);
    note(EIO);
    return __real_mmap(at, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
