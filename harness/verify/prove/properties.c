/* SPDX-License-Identifier: Apache-2.0 */
/* The table of properties, by the names of the wires in rtl/formal. Knows no solver. */
#include "prove/properties.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the assertions of rtl/formal, those of this file; the others repeat wires. */
#define INVARIANTS "/ec_proof_invariants.svh:"

static const struct ec_property table[] = {
    {"u_in.broken_credit", "credit", "4.6", "a word gives its credit back once, not before it came",
     false},
    {"u_out.broken_overflow", "overflow", "4.5", "a word leaves only if its output VC has a credit",
     false},
    {"u_out.broken_interleaved", "interleaved", "4.4",
     "packets do not interleave within an output VC: head first, tail last", false},
    {"u_out.broken_mixed", "mixed", "4.4", "the words between head and tail are of one packet",
     false},
    {"u_out.broken_start", "start", "7",
     "a head leaves only with the credits of its switching mode", true},
    {"u_out.broken_vc", "vc", "2", "a word leaves on a VC that exists", false},
    {"u_out.broken_idle", "idle", "2", "an output without a word shows zeros", false},
    {"u_out.broken_link", "link", "4.2", "no word leaves by a link that leads nowhere", false},
    {"u_flit.broken_invented", "invented", "2", "a word that leaves has come in, and leaves once",
     false},
    {"u_flit.broken_twice", "twice", "2", "a word leaves by one output only", false},
    {"u_flit.broken_altered", "altered", "2", "only the field vc of a word changes", false},
    {"u_flit.broken_route", "route", "5", "a word leaves by the port of its route", false},
    {"u_flit.broken_vc", "class", "5.3", "a word leaves on the VC, or the class, of its route",
     false},
    {"u_flit.broken_lost", "lost", "4.6", "a word leaves when its credit is given back", true},
    {"u_flit.broken_early", "early", "4.6", "a word leaves not before its credit is given back",
     true},
    {".broken_order", "order", "4.4", "words of an input VC for one output VC stay in order",
     false},
    {".broken_quiet", "quiet", "8.3", "a quiet router keeps no words, and ecube's shows none",
     false},
    {".broken_asleep", "asleep", "8.3", "a quiet router stays quiet while nothing comes", false},
    {".broken_awake", "awake", "8.3", "a router without words is quiet", true},
    {".broken_progress", "progress", "12.1",
     "a router that holds words or owes credits does not stand still", false},
    {".broken_assertion" EC_PROVE_MARK, "assertions", "", "the assertions of the router's sources",
     false},
    {INVARIANTS, "invariants", "", "what makes the other properties inductive", false},
    {".broken_choice", "choice", "5.5",
     "a head leaves where the most credits are, and by an escape VC only without an open one",
     true},
    {".broken_", "others", "", "further properties", false},
    {".reached" EC_PROVE_MARK, "", "", "", false},
};
enum { PROPERTIES = sizeof table / sizeof *table - 1, INVARIANT = PROPERTIES - 3 };

const struct ec_property ec_property_moore = {
    NULL, "moore", "1", "no output depends on an input of the same cycle", false};
const struct ec_property ec_property_shape = {NULL, "shape", "12",
                                              "the router serves these parameters", false};
const struct ec_property ec_property_covers = {
    NULL, "covers", "", "the assumptions leave traffic: full buffers, whole packets, several ways",
    false};

bool ec_property_is_invariant(const struct ec_property *p)
{
    return p == &table[INVARIANT];
}

bool ec_property_is_of_sources(const struct ec_property *p)
{
    return p == &ec_property_covers || strcmp(p->name, "assertions") == 0;
}

bool ec_property_is_progress(const struct ec_property *p)
{
    return strcmp(p->name, "progress") == 0;
}

bool ec_property_is_optional(const struct ec_property *p)
{
    return p >= &table[INVARIANT] && p < &table[PROPERTIES];
}

static bool ends(const char *name, const char *end)
{
    const size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

/* The row of an output; `others` for a new property, -1 for what is no property. */
static int row_of(const char *name)
{
    const bool own = ends(name, "." EC_PROVE_OWN);
    const bool invariant = own && strstr(name, INVARIANTS) != NULL;
    if (own && !invariant)
        return -1;
    for (int i = 0; i < PROPERTIES - 1; i++) {
        if (invariant ? i == INVARIANT : ends(name, table[i].wire))
            return i;
    }
    return strstr(name, table[PROPERTIES - 1].wire) != NULL ? PROPERTIES - 1
           : ends(name, table[PROPERTIES].wire)             ? PROPERTIES
                                                            : -1;
}

/* Yosys gives outputs of the same logic one name each, but all of them the number of one. */
static enum ec_code check_unnamed(const struct ec_aig *a, struct ec_error *reterr)
{
    for (uint32_t i = 0; i < a->outputs; i++) {
        bool named = a->output[i] <= 1;
        for (size_t k = 0; k < a->bit_count && !named; k++)
            named = !a->bits[k].input && a->output[a->bits[k].number] == a->output[i];
        if (!named)
            return ec_fail(reterr, EC_INTERNAL, "output %u of the circuit has no name", i);
    }
    return EC_OK;
}

/* An output of the circuit that is always 1. Yosys gives them no names, and they are all alike. */
static uint32_t always_true(const struct ec_aig *a)
{
    uint32_t i = 0;
    while (i < a->outputs && a->output[i] != 1)
        i++;
    return i;
}

/* "  connect \\NAME 1'0" or "  connect \\NAME [2:1] 2'10", a line for each output that is constant.
 */
static void add_constants(const struct ec_aig *a, const char *connections,
                          struct ec_property_group *groups)
{
    static const char mark[] = "connect \\";
    const uint32_t one = always_true(a);
    char name[1000];
    for (const char *at = strstr(connections, mark); at != NULL; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        const size_t length = strcspn(at, " \n"), all = strcspn(at, "\n");
        const char *value = memchr(at, '\'', all);
        if (value == NULL || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const int row = row_of(name);
        for (value++; row >= 0 && (*value == '0' || *value == '1'); value++) {
            if (*value == '0' || one == a->outputs || groups[row].count == a->outputs)
                groups[row].constant++;
            else
                groups[row].outputs[groups[row].count++] = one;
        }
    }
}

enum ec_code ec_properties_of(const struct ec_aig *a, const char *connections,
                              struct ec_property_group **ret, size_t *ret_count,
                              struct ec_error *reterr)
{
    const enum ec_code code = check_unnamed(a, reterr);
    if (code != EC_OK)
        return code;
    struct ec_property_group *groups = calloc(PROPERTIES + 1, sizeof *groups);
    for (size_t k = 0; groups != NULL && k <= PROPERTIES; k++) {
        groups[k].property = k < PROPERTIES ? &table[k] : &ec_property_covers;
        groups[k].outputs = calloc(a->outputs + 1, sizeof *groups[k].outputs);
        if (groups[k].outputs == NULL) {
            ec_properties_free(groups, PROPERTIES + 1);
            groups = NULL;
        }
    }
    if (groups == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for properties");
    for (size_t i = 0; i < a->bit_count; i++) {
        const int row = a->bits[i].input ? -1 : row_of(a->bits[i].name);
        if (row >= 0)
            groups[row].outputs[groups[row].count++] = a->bits[i].number;
    }
    add_constants(a, connections, groups);
    *ret = groups;
    *ret_count = PROPERTIES + 1;
    return EC_OK;
}

void ec_properties_free(struct ec_property_group *groups, size_t count)
{
    for (size_t k = 0; groups != NULL && k < count; k++)
        free(groups[k].outputs);
    free(groups);
}
