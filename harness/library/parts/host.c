/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the limits of this process from the system. Knows the files of Linux under /proc and
 * /sys/fs/cgroup, for both versions of control groups; must not know what the processors and the
 * memory are for. */
#include "parts/host.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"

#define GROUPS "/sys/fs/cgroup"

/* The number after `key` in a file of lines; false: there is none. */
static bool read_number(const char *folder, const char *file, const char *key, uint64_t *ret)
{
    char path[PATH_MAX], line[PATH_MAX];
    bool found = false;
    if (ec_path(path, sizeof path, NULL, "%s/%s", folder, file) != EC_OK)
        return false;
    FILE *in = fopen(path, "re");
    while (in && !found && fgets(line, sizeof line, in))
        found = strncmp(line, key, strlen(key)) == 0 &&
                sscanf(line + strlen(key), " %" SCNu64, ret) == 1;
    if (in)
        fclose(in);
    return found;
}

/* What a control group leaves to its processes; UINT64_MAX: it has no limit. The files have other
 * names in version 1 than in version 2. */
typedef uint64_t group_limit(const char *folder);

static uint64_t memory_of_group(const char *folder)
{
    /* Contents of files, which a group drops as soon as it needs the room. */
    static const char *const dropped[] = {"inactive_file", "active_file"};
    uint64_t most, used, cached;
    if ((!read_number(folder, "memory.max", "", &most) &&
         !read_number(folder, "memory.limit_in_bytes", "", &most)) ||
        (!read_number(folder, "memory.current", "", &used) &&
         !read_number(folder, "memory.usage_in_bytes", "", &used)))
        return UINT64_MAX;
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        if (read_number(folder, "memory.stat", dropped[i], &cached))
            used -= cached < used ? cached : used;
    }
    return used < most ? most - used : 0;
}

/* Whole processors: threads that wait for each other would wait for one that has only a part. */
static uint64_t processors_of_group(const char *folder)
{
    char path[PATH_MAX];
    uint64_t quota = 0, period = 0;
    if (ec_path(path, sizeof path, NULL, "%s/cpu.max", folder) != EC_OK)
        return UINT64_MAX;
    FILE *in = fopen(path, "re");
    bool limited = in && fscanf(in, "%" SCNu64 " %" SCNu64, &quota, &period) == 2; /* or "max" */
    if (in)
        fclose(in);
    limited = limited || (read_number(folder, "cpu.cfs_quota_us", "", &quota) && /* -1: none */
                          read_number(folder, "cpu.cfs_period_us", "", &period));
    if (!limited || period == 0)
        return UINT64_MAX;
    return quota < period ? 1 : quota / period;
}

/* Does a line of /proc/self/cgroup, number:controllers:folder, name the group of this process for
 * `controller`? Version 2 has one group for all, and names no controllers. */
static bool read_group(char *line, const char *controller, char folder[PATH_MAX])
{
    char *names = strchr(line, ':'), *place = names ? strchr(names + 1, ':') : NULL, *save = NULL;
    if (!place)
        return false;
    *place++ = '\0';
    place[strcspn(place, "\n")] = '\0';
    if (names[1] == '\0')
        return ec_path(folder, PATH_MAX, NULL, GROUPS "%s", place) == EC_OK;
    for (char *name = strtok_r(names + 1, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        if (strcmp(name, controller) == 0)
            return ec_path(folder, PATH_MAX, NULL, GROUPS "/%s%s", name, place) == EC_OK;
    }
    return false;
}

/* The smallest of the groups of this process, each of which is a part of the one above it. */
static uint64_t least_of_groups(const char *controller, group_limit *of)
{
    char line[PATH_MAX], folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    FILE *in = fopen("/proc/self/cgroup", "re");
    while (in && fgets(line, sizeof line, in)) {
        if (!read_group(line, controller, folder))
            continue;
        for (char *end; strlen(folder) >= strlen(GROUPS); *end = '\0') {
            const uint64_t here = of(folder);
            least = here < least ? here : least;
            end = strrchr(folder, '/');
        }
    }
    if (in)
        fclose(in);
    return least;
}

uint32_t ec_host_processors(void)
{
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN); /* if there are more than a set has */
    const long count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : online;
    const uint64_t quota = least_of_groups("cpu", processors_of_group);
    if (count < 1)
        return 1;
    return quota < (uint64_t)count ? (uint32_t)quota : (uint32_t)count;
}

uint64_t ec_host_memory(void)
{
    uint64_t kilobytes;
    if (!read_number("/proc", "meminfo", "MemAvailable:", &kilobytes))
        return 0;
    const uint64_t room = least_of_groups("memory", memory_of_group);
    return kilobytes * 1024 < room ? kilobytes * 1024 : room;
}

uint64_t ec_host_own_memory(void)
{
    struct rlimit limit;
    const uint64_t host = ec_host_memory();
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited && host > limit.rlim_cur ? limit.rlim_cur : host;
}
