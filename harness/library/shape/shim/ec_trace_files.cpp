// SPDX-License-Identifier: Apache-2.0
// The files of Verilator's FST writer, which looks at no result of a write, and maps files that it
// takes to be as long as what it wrote: on a full disk it would leave a broken dump, or die of
// SIGBUS. The linker puts these functions in the place of the C library's (EC_LINK_TRACED), in the
// runtime of traced shapes only: what the writer maps is kept in memory, and what it could not
// write is known when it closes the dump.
#include "ec_runtime.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>

extern "C" {
FILE *__real_fopen(const char *path, const char *mode);
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __real_fclose(FILE *file);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_tmpfile();
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __wrap_fclose(FILE *file);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
}

namespace
{

thread_local int lost = 0; // errno of the first loss

void note(bool bad, int error)
{
    if (bad && lost == 0)
        lost = error != 0 ? error : EIO;
}

} // namespace

int ec_trace_lost()
{
    const int error = lost;
    lost = 0;
    return error;
}

FILE *__wrap_tmpfile()
{
    const int fd = memfd_create("ecube-wave", MFD_CLOEXEC);
    FILE *file = fd < 0 ? nullptr : fdopen(fd, "w+b");
    note(file == nullptr, errno);
    return file;
}

// The writer keeps its list of names beside the dump, in a file that ends in .hier.
FILE *__wrap_fopen(const char *path, const char *mode)
{
    const char *ending = std::strrchr(path, '.');
    if (mode[0] == 'w' && ending != nullptr && std::strcmp(ending, ".hier") == 0)
        return __wrap_tmpfile();
    FILE *file = __real_fopen(path, mode);
    note(file == nullptr && mode[0] == 'w', errno);
    return file;
}

size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    if (ec_runtime_wrote(data, size * count, file))
        return count;
    const size_t done = __real_fwrite(data, size, count, file);
    note(done < count, errno);
    return done;
}

// A stream remembers that one of its writes failed.
int __wrap_fclose(FILE *file)
{
    const bool bad = ferror(file) != 0;
    const int result = __real_fclose(file);
    note(result != 0, errno);
    note(bad, EIO);
    return result;
}

// In the place of a file that became too short there are zeros: of no use, but no SIGBUS either.
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    struct stat info = {};
    if (fd < 0 || (fstat(fd, &info) == 0 && offset + static_cast<off_t>(length) <= info.st_size))
        return __real_mmap(at, length, protection, flags, fd, offset);
    note(true, EIO);
    return __real_mmap(at, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
