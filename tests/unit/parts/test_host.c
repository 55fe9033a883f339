/* SPDX-License-Identifier: Apache-2.0 */
/* What control groups of both versions leave to a process, read from files of this test, on a
 * computer of 8 processors with 1000 kB. */
#include "parts/host.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

struct file {
    const char *path, *text;
};

static const struct setting {
    const char *what;
    struct file files[8];
    uint32_t processors;
    uint64_t kilobytes;
} settings[] = {
    {"no control groups", {{NULL, NULL}}, 8, 1000},
    {"no limits",
     {{"self", "0::/a\n"}, {"a/cpu.max", "max 100000\n"}, {"a/memory.max", "max\n"}},
     8,
     1000},
    {"two processors and a half", {{"self", "0::/a\n"}, {"a/cpu.max", "250000 100000\n"}}, 2, 1000},
    {"less than one", {{"self", "0::/a\n"}, {"a/cpu.max", "20000 100000\n"}}, 1, 1000},
    {"more than there are", {{"self", "0::/a\n"}, {"a/cpu.max", "900000 100000\n"}}, 8, 1000},
    {"the group above",
     {{"self", "0::/a/b\n"}, {"a/b/cpu.max", "700000 100000\n"}, {"a/cpu.max", "30000 10000\n"}},
     3,
     1000},
    {"the root of a container",
     {{"self", "0::/far/away\n"}, {"cpu.max", "400000 100000\n"}},
     4,
     1000},
    {"no period", {{"self", "0::/\n"}, {"cpu.max", "400000 0\n"}}, 8, 1000},
    {"memory without what can be dropped",
     {{"self", "0::/a\n"},
      {"a/memory.max", "614400\n"},
      {"a/memory.current", "409600\n"},
      {"a/memory.stat", "anon 7\ninactive_file 102400\nactive_file 51200\n"}},
     8,
     350},
    {"memory that is used up",
     {{"self", "0::/a\n"}, {"a/memory.max", "5\n"}, {"a/memory.current", "6\n"}},
     8,
     0},
    {"version 1",
     {{"self", "12:cpuset:/c\n3:cpuacct,cpu:/a\n2:memory:/m\n1:name=systemd:/b\n0::/b\n"},
      {"cpu/a/cpu.cfs_quota_us", "300000\n"},
      {"cpu/a/cpu.cfs_period_us", "100000\n"},
      {"cpu/c/cpu.cfs_quota_us", "100000\n"},
      {"cpu/c/cpu.cfs_period_us", "100000\n"},
      {"memory/m/memory.limit_in_bytes", "204800\n"},
      {"memory/m/memory.usage_in_bytes", "102400\n"}},
     3,
     100},
    {"version 1 without limits",
     {{"self", "3:cpu:/\n2:memory:/\n"},
      {"cpu/cpu.cfs_quota_us", "-1\n"},
      {"cpu/cpu.cfs_period_us", "100000\n"},
      {"memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"memory/memory.usage_in_bytes", "1\n"}},
     8,
     1000},
    {"lines of another form",
     {{"self", "\n:\n7:cpu\n/\n"}, {"cpu.max", "100000 100000\n"}},
     8,
     1000},
};

static const struct setting *now;

/* Meson asks for files of more than 2 GiB, so this is what fopen() calls. */
FILE *__wrap_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode)
{
    const char *groups = "/sys/fs/cgroup/";
    if (strcmp(path, "/proc/meminfo") == 0)
        return fmemopen((void *)(uintptr_t) "MemTotal: 2000 kB\nMemAvailable: 1000 kB\n", 41, mode);
    const char *name = strcmp(path, "/proc/self/cgroup") == 0 ? "self" : path + strlen(groups);
    for (const struct file *f = now->files; f < now->files + 8 && f->path; f++) {
        if (strcmp(f->path, name) == 0)
            return fmemopen((void *)(uintptr_t)f->text, strlen(f->text), mode);
    }
    return NULL;
}

int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    memset(set, 0, size);
    for (size_t i = 0; i < 8; i++)
        CPU_SET(i, set);
    return 0;
}

static void groups(void **state)
{
    (void)state;
    for (now = settings; now < settings + sizeof settings / sizeof *settings; now++) {
        const uint32_t processors = ec_host_processors();
        const uint64_t bytes = ec_host_memory();
        if (processors != now->processors || bytes != now->kilobytes * 1024)
            fail_msg("%s: %u processors, %.1f kB", now->what, processors, (double)bytes / 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST("the smallest limit of all groups counts", groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
