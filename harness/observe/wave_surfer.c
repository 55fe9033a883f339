/* SPDX-License-Identifier: Apache-2.0 */
/* The same layout for Surfer, as a command file (FILE.sucl): its commands (divider_add,
 * variable_add, zoom_fit) are older and more stable than its state files. */
#include <inttypes.h>

#include "network/names.h"
#include "observe/wave_state.h"

static void add(FILE *file, const char *scope, const char *port, const char *signal)
{
    fprintf(file, "variable_add %s.ec_tile.%s.%s\n", scope, port, signal);
}

static void put_side(FILE *file, const char *scope, const char *port, const char *side)
{
    static const char *const fields[] = {"valid", "head", "tail",   "vc",
                                         "src",   "dst",  "packet", "word"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char signal[32];
        snprintf(signal, sizeof signal, "%s_word.%s", side, fields[i]);
        add(file, scope, port, signal);
    }
}

static void put_port(const struct ec_wave *w, FILE *file, size_t slot, unsigned port)
{
    char scope[EC_NAME_SIZE], name[EC_NAME_SIZE];
    uint8_t seen = 0;
    for (unsigned vc = 0; vc < w->twins.vcs; vc++)
        seen |= *wave_seen(w, slot, port, vc);
    if (!seen)
        return;
    ec_scope_name(w->t, w->twins.nodes[slot], scope, sizeof scope);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (seen & WAVE_IN)
        put_side(file, scope, name, "in");
    if (seen & WAVE_OUT)
        put_side(file, scope, name, "out");
    for (unsigned vc = 0; vc < w->twins.vcs; vc++) {
        static const char *const rows[] = {"contended", "starved", "want", "buffered", "credits"};
        if (!*wave_seen(w, slot, port, vc))
            continue;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char signal[32];
            snprintf(signal, sizeof signal, "vc%u.%s", vc, rows[i]);
            add(file, scope, name, signal);
        }
    }
}

void wave_put_surfer(const struct ec_wave *w, FILE *file)
{
    for (size_t i = 0; i < w->mark_count; i++)
        fprintf(file, "divider_add cycle %" PRIu64 ": %s\n", w->marks[i].cycle, w->marks[i].text);
    for (size_t slot = 0; slot < w->twins.count; slot++) {
        char name[EC_NAME_SIZE];
        ec_topology_node_name(w->t, w->twins.nodes[slot], name, sizeof name);
        fprintf(file, "divider_add router %s\n", name);
        for (unsigned port = 0; port < w->ports; port++)
            put_port(w, file, slot, port);
    }
    fprintf(file, "zoom_fit\n");
}
