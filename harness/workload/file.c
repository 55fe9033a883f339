/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and traces from CSV files. Knows what their rows mean; must not know the grammar of the
 * command line. */
#include "workload/file.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/csv.h"
#include "workload/spec.h"

#define CYCLE_MAX (UINT64_C(1) << 48) /* two weeks of simulation at a cycle every 5 ns */

static enum ec_code no_rows(const struct ec_csv *csv, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_USAGE, "%s: no rows in this file", csv->path);
}

/* Lines on which a node was seen, per column, to tell the user where the first one is. */
static enum ec_code read_map(struct ec_csv *csv, uint32_t *map, uint64_t *src_line,
                             uint64_t *dst_line, struct ec_error *reterr)
{
    uint64_t row[2];
    bool end;
    size_t count = 0;

    for (;; count++) {
        enum ec_code code = ec_csv_row(csv, row, &end, reterr);
        if (code)
            return code;
        if (end)
            return count ? EC_OK : no_rows(csv, reterr);
        if (src_line[row[0]] || dst_line[row[1]]) {
            bool src = src_line[row[0]] != 0;
            return ec_fail(reterr, EC_USAGE,
                           "%s:%llu: node %llu %s twice (first in line %llu); a map has each node "
                           "at most once in each column",
                           csv->path, (unsigned long long)csv->line,
                           (unsigned long long)row[src ? 0 : 1], src ? "sends" : "receives",
                           (unsigned long long)(src ? src_line[row[0]] : dst_line[row[1]]));
        }
        src_line[row[0]] = dst_line[row[1]] = csv->line;
        map[row[0]] = (uint32_t)row[1];
    }
}

enum ec_code ec_workload_read_map(struct ec_slice path, uint32_t nodes, uint32_t *map,
                                  struct ec_error *reterr)
{
    char node[48];
    snprintf(node, sizeof node, "a node (0 to %u)", nodes - 1);
    const struct ec_csv_column columns[] = {
        {"src", "source", node, 0, nodes - 1},
        {"dst", "destination", node, 0, nodes - 1},
    };
    struct ec_csv csv = {0};
    uint64_t *lines = calloc(nodes, 2 * sizeof *lines);
    enum ec_code code;

    if (!lines)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a map of %u nodes", nodes);
    for (uint32_t i = 0; i < nodes; i++)
        map[i] = EC_NONE;
    code = ec_csv_open(path, columns, 2, &csv, reterr);
    if (code == EC_OK)
        code = read_map(&csv, map, lines, lines + nodes, reterr);
    ec_csv_close(&csv);
    free(lines);
    return code;
}

/* Room for one more message. */
static bool grow(struct ec_message **messages, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 1024;
    if (more > SIZE_MAX / 2 / sizeof **messages)
        return false;
    struct ec_message *grown = realloc(*messages, more * sizeof *grown);
    if (!grown)
        return false;
    *messages = grown;
    *room = more;
    return true;
}

static enum ec_code read_trace(struct ec_csv *csv, struct ec_message **messages, size_t *ret_count,
                               struct ec_error *reterr)
{
    uint64_t row[4];
    bool end;
    size_t count = 0, room = 0;

    for (;; count++) {
        enum ec_code code = ec_csv_row(csv, row, &end, reterr);
        if (code)
            return code;
        if (end)
            break;
        if (count == EC_MESSAGES_MAX)
            return ec_fail(reterr, EC_USAGE, "%s:%llu: more than %u messages", csv->path,
                           (unsigned long long)csv->line, EC_MESSAGES_MAX);
        if (!grow(messages, count, &room))
            return ec_fail(reterr, EC_MEMORY, "%s:%llu: out of memory for more messages", csv->path,
                           (unsigned long long)csv->line);
        (*messages)[count] = (struct ec_message){
            .cycle = row[0],
            .src = (uint32_t)row[1],
            .dst = (uint32_t)row[2],
            .words = (uint32_t)row[3],
        };
    }
    *ret_count = count;
    return count ? EC_OK : no_rows(csv, reterr);
}

enum ec_code ec_workload_read_trace(struct ec_slice path, uint32_t nodes, struct ec_message **ret,
                                    size_t *ret_count, struct ec_error *reterr)
{
    char node[48], words[48], cycle[64];
    snprintf(node, sizeof node, "a node (0 to %u)", nodes - 1);
    snprintf(words, sizeof words, "a message length (1 to %u words)", EC_MESSAGE_WORDS_MAX);
    snprintf(cycle, sizeof cycle, "a cycle (1 to %llu)", (unsigned long long)CYCLE_MAX);
    const struct ec_csv_column columns[] = {
        {"cycle", NULL, cycle, 1, CYCLE_MAX},
        {"source", "src", node, 0, nodes - 1},
        {"destination", "dst", node, 0, nodes - 1},
        {"words", "length", words, 1, EC_MESSAGE_WORDS_MAX},
    };
    struct ec_csv csv = {0};
    struct ec_message *messages = NULL;

    enum ec_code code = ec_csv_open(path, columns, 4, &csv, reterr);
    if (code == EC_OK)
        code = read_trace(&csv, &messages, ret_count, reterr);
    ec_csv_close(&csv);
    if (code == EC_OK)
        *ret = messages;
    else
        free(messages);
    return code;
}
