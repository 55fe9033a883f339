/* SPDX-License-Identifier: Apache-2.0 */
/* A plain driver for a target, where there is no libFuzzer: replays files and folders, and damages
 * them at random for a while. Must not know the target.
 *
 *   fuzz_TARGET [--seconds S] [--seed N] [--limit SECONDS-OF-AN-INPUT] FILE|FOLDER...
 *
 * Finds less than libFuzzer, because it sees no coverage; but needs no second build. A finding ends
 * the process, and leaves the input in crash.bin of the folder that it was started in. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "fuzz.h"

enum {
    INPUT_MAX = 1 << 16,
    LIMIT = 30, /* seconds of one input */
};

struct inputs {
    struct input {
        uint8_t *data;
        size_t size;
    } * at;
    size_t count, room;
};

static int home; /* the folder that the process was started in */
static const uint8_t *current;
static size_t current_size;
static unsigned time_limit = LIMIT;
static uint64_t key, draws;

static uint32_t below(uint64_t limit)
{
    return (uint32_t)ec_rng_below(ec_rng_draw(key, draws++), limit);
}

/* --- Findings --------------------------------------------------------------------------------- */

static void keep_input(int signal_number)
{
    const int fd = openat(home, "crash.bin", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    static const char text[] = "fuzz: the input is in crash.bin\n";
    if (fd >= 0 && write(fd, current, current_size) == (ssize_t)current_size)
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void run(const uint8_t *data, size_t size)
{
    /* A copy of exactly this size, so that a tool for memory errors sees what reads beyond it. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    if (size)
        memcpy(copy, data, size);
    current = copy;
    current_size = size;
    alarm(time_limit);
    (void)LLVMFuzzerTestOneInput(copy, size);
    alarm(0);
    free(copy);
}

/* --- Inputs ----------------------------------------------------------------------------------- */

static void add(struct inputs *to, const char *path)
{
    char *data;
    size_t size;
    struct ec_error e;
    if (ec_file_read(path, &data, &size, &e) != EC_OK) {
        fprintf(stderr, "fuzz: %s\n", e.message);
        exit(2);
    }
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->at = realloc(to->at, to->room * sizeof *to->at);
        if (!to->at)
            exit(1);
    }
    to->at[to->count++] = (struct input){(uint8_t *)data, size};
}

static void add_all(struct inputs *to, const char *path)
{
    struct stat info;
    char **names, file[4096];
    size_t count;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        add(to, path);
        return;
    }
    if (ec_folder_names(path, &names, &count, NULL) != EC_OK) {
        fprintf(stderr, "fuzz: cannot read '%s'\n", path);
        exit(2);
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[i]);
        add(to, file);
    }
    free(names);
}

/* --- Damage ----------------------------------------------------------------------------------- */

/* Digits, separators and ends of numbers are where parsers fail. */
static const char *const words[] = {"0",
                                    "-1",
                                    "18446744073709551616",
                                    "4294967296",
                                    "9223372036854775808",
                                    ",",
                                    "=",
                                    ":",
                                    "\n",
                                    "\"",
                                    "[[",
                                    "{",
                                    "\xff\xfe",
                                    "1e999",
                                    "%s"};

static void damage(uint8_t *data, size_t *size)
{
    const char *word = words[below(sizeof words / sizeof *words)];
    const size_t length = strlen(word), at = below(*size + 1), left = *size - at;
    const size_t cut = left ? below(left < 16 ? left : 16) + 1 : 0;
    switch (below(6)) {
    case 0: /* another bit */
        if (left)
            data[at] ^= (uint8_t)(1u << below(8));
        break;
    case 1: /* another byte */
        if (left)
            data[at] = (uint8_t)below(256);
        break;
    case 2: /* a piece is missing */
        memmove(data + at, data + at + cut, left - cut);
        *size -= cut;
        break;
    case 3: /* the end is missing */
        *size = below(8) ? *size : at;
        break;
    case 4: /* a piece is there twice */
        if (*size + cut <= INPUT_MAX) {
            memmove(data + at + cut, data + at, left);
            *size += cut;
        }
        break;
    default:
        if (*size + length <= INPUT_MAX) {
            memmove(data + at + length, data + at, left);
            memcpy(data + at, word, length);
            *size += length;
        }
    }
}

static uint64_t damage_all(const struct inputs *inputs, double seconds)
{
    static uint8_t data[INPUT_MAX];
    struct timespec begin, now;
    uint64_t runs = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        const struct input *x = &inputs->at[below(inputs->count)];
        size_t size = x->size < INPUT_MAX ? x->size : INPUT_MAX;
        memcpy(data, x->data, size);
        for (unsigned n = below(4) + 1; n > 0; n--)
            damage(data, &size);
        run(data, size);
        runs++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) <
             seconds);
    return runs;
}

int main(int argc, char **argv)
{
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    struct inputs inputs = {0};
    double seconds = 0;
    uint64_t seed = 1, runs = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            seconds = atof(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc)
            time_limit = (unsigned)atoi(argv[++i]);
        else
            add_all(&inputs, argv[i]);
    }
    if (inputs.count == 0) {
        fprintf(stderr, "fuzz: expected FILE or FOLDER...\n");
        return 2;
    }
    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    key = ec_rng_key(seed, 0);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], keep_input);
    for (size_t i = 0; i < inputs.count; i++)
        run(inputs.at[i].data, inputs.at[i].size);
    if (seconds > 0)
        runs = damage_all(&inputs, seconds);
    printf("%zu inputs replayed, %llu damaged ones tried (seed %llu)\n", inputs.count,
           (unsigned long long)runs, (unsigned long long)seed);
    for (size_t i = 0; i < inputs.count; i++)
        free(inputs.at[i].data);
    free(inputs.at);
    return 0;
}
