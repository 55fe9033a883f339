/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the limits of this process from the system. Knows the files of Linux under /proc and
 * /sys/fs/cgroup; must not know what the processors and the memory are for. */
#include "terminal/host.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/workers.h"
#include "parts/auto.h"

#define GROUPS "/sys/fs/cgroup"

unsigned cli_host_processors(void)
{
    const uint32_t count = parts_processors();
    return count < EC_WORKERS_MAX ? count : EC_WORKERS_MAX;
}

/* The number after `key` in a file of lines; false: there is none. */
static bool read_number(const char *path, const char *key, uint64_t *ret)
{
    char line[PATH_MAX];
    bool found = false;
    FILE *in = fopen(path, "re");
    while (in && !found && fgets(line, sizeof line, in))
        found = strncmp(line, key, strlen(key)) == 0 &&
                sscanf(line + strlen(key), " %" SCNu64, ret) == 1;
    if (in)
        fclose(in);
    return found;
}

/* Contents of files that a control group keeps in memory, but drops as soon as it needs the room.
 */
static uint64_t cached_by_group(const char *folder)
{
    static const char *const kinds[] = {"inactive_file", "active_file"};
    char path[PATH_MAX];
    uint64_t sum = 0, bytes;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ec_path(path, sizeof path, NULL, GROUPS "%s/memory.stat", folder) == EC_OK &&
            read_number(path, kinds[i], &bytes))
            sum += bytes;
    }
    return sum;
}

/* The free memory of the control group `folder` ("" at the root); UINT64_MAX: without a limit. */
static uint64_t room_of_group(const char *folder)
{
    char path[PATH_MAX];
    uint64_t most, used;
    if (ec_path(path, sizeof path, NULL, GROUPS "%s/memory.max", folder) != EC_OK ||
        !read_number(path, "", &most) ||
        ec_path(path, sizeof path, NULL, GROUPS "%s/memory.current", folder) != EC_OK ||
        !read_number(path, "", &used))
        return UINT64_MAX;
    const uint64_t cached = cached_by_group(folder);
    used -= cached < used ? cached : used;
    return used < most ? most - used : 0;
}

/* The smallest of the groups of this process, each of which is a part of the one above it. */
static uint64_t room_of_groups(void)
{
    char folder[PATH_MAX] = "";
    uint64_t room = UINT64_MAX;
    FILE *in = fopen("/proc/self/cgroup", "re");
    const bool found = in && fscanf(in, "0::%4000[^\n]", folder) == 1;
    if (in)
        fclose(in);
    for (char *end = folder + strlen(folder); found && end; end = strrchr(folder, '/')) {
        *end = '\0';
        const uint64_t here = room_of_group(folder);
        room = here < room ? here : room;
    }
    return room;
}

uint64_t cli_host_memory(void)
{
    uint64_t kilobytes;
    if (!read_number("/proc/meminfo", "MemAvailable:", &kilobytes))
        return 0;
    const uint64_t room = room_of_groups();
    return kilobytes * 1024 < room ? kilobytes * 1024 : room;
}

uint64_t cli_host_own_memory(void)
{
    struct rlimit limit;
    const uint64_t host = cli_host_memory();
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited && host > limit.rlim_cur ? limit.rlim_cur : host;
}
