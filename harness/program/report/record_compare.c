/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of a comparison. docs/OUTPUT.md repeats the keys, and a test compares. */
#include <inttypes.h>

#include "program/report/compared.h"
#include "program/report/record.h"
#include "program/report/record_fill.h"

static json_t *value(const struct ec_divergence *d, unsigned side)
{
    char hex[24];
    if (d->field != EC_COMPARED_IN_WORD && d->field != EC_COMPARED_OUT_WORD)
        return json_integer((json_int_t)d->value[side]);
    snprintf(hex, sizeof hex, "%016" PRIx64, d->value[side]);
    return json_string(hex);
}

static json_t *divergence(const struct ec_divergence *d)
{
    if (!d->found)
        return json_null();
    json_t *packets = json_array();
    for (unsigned k = 0; k < 2; k++) {
        if (d->packets[k][0])
            json_array_append_new(packets, json_string(d->packets[k]));
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:s, s:o, s:o, s:s, s:s, s:o}", "cycle",
                     (json_int_t)d->cycle, "node", (json_int_t)d->node, "port", (json_int_t)d->port,
                     "vc", (json_int_t)d->vc, "field", ec_compared_name(d->field), "place",
                     d->place, "a", value(d, 0), "b", value(d, 1), "a_text", d->text[0], "b_text",
                     d->text[1], "packets", packets);
}

static json_t *wave(const struct ec_compare_wave *w)
{
    return json_pack("{s:o, s:o, s:I, s:I}", "file", cli_record_text(w->path[0] ? w->path : NULL),
                     "note", cli_record_text(w->note[0] ? w->note : NULL), "first",
                     (json_int_t)w->first, "last", (json_int_t)w->last);
}

static json_t *deliveries(const struct cli_compared *r)
{
    const struct ec_delivery_comparison *d = &r->deliveries;
    json_t *difference =
        d->found ? json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "source", (json_int_t)d->src,
                             "destination", (json_int_t)d->dst, "index", (json_int_t)d->index,
                             "a_words", (json_int_t)d->words[0], "b_words", (json_int_t)d->words[1],
                             "a_created", record_number_if(d->words[0], d->created[0]), "b_created",
                             record_number_if(d->words[1], d->created[1]))
                 : json_null();
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:I}", "a_packets",
                     (json_int_t)r->report[0]->packets, "b_packets",
                     (json_int_t)r->report[1]->packets, "a_cycles",
                     (json_int_t)r->report[0]->cycles, "b_cycles", (json_int_t)r->report[1]->cycles,
                     "difference", difference, "common", (json_int_t)d->common, "a_only",
                     (json_int_t)d->only[0], "b_only", (json_int_t)d->only[1]);
}

json_t *cli_record_compare(const struct cli_compared *r)
{
    const struct ec_comparison *c = r->cycles;
    json_t *o = json_pack(
        "{s:s, s:I, s:o, s:s, s:o, s:o, s:s, s:s, s:I}", "topology", r->c->topology_text, "nodes",
        (json_int_t)r->c->topology.nodes, "workload", cli_record_text(r->c->workload->text),
        "router", r->c->router_text, "a", cli_record_text(r->side[0]), "b",
        cli_record_text(r->side[1]), "level", r->c->job->deliveries ? "deliveries" : "cycles",
        "verdict", r->status == CLI_OK ? "pass" : "fail", "seed", (json_int_t)r->c->job->seed);
    json_t *rest = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:o}",
        "outcome",
        c            ? json_string(cli_record_outcome(c->outcome))
        : r->died[0] ? json_string(cli_record_outcome(EC_RUN_BROKEN))
                     : json_null(),
        "divergence", c ? divergence(&c->divergence) : json_null(), "detail",
        cli_record_text(r->died[0]          ? r->died
                        : c && c->detail[0] ? c->detail
                                            : NULL),
        "taps", c ? json_boolean(c->taps) : json_null(), "simulated_cycles",
        record_number_if(c, c ? c->cycles : 0), "words", record_number_if(c, c ? c->words : 0),
        "packets", record_number_if(c, c ? c->packets : 0), "compared",
        record_number_if(c, c ? c->compared : 0), "waves",
        c ? json_pack("[o, o]", wave(&c->wave[0]), wave(&c->wave[1])) : json_null(), "deliveries",
        c || r->died[0] ? json_null() : deliveries(r), "command",
        cli_record_text(r->c->job->command), "seconds", c ? json_real(c->seconds) : json_null(),
        "router_cycles_per_second", c ? json_real(c->router_cycles_per_second) : json_null(),
        "version", EC_VERSION, "schema", "ecube-compare-1", "algorithm", cli_case_algorithm(r->c),
        "sync", cli_record_text(r->c->schedule ? cli_syncs[r->c->job->sync] : NULL));
    if (!o || !rest || json_object_update(o, rest) != 0) {
        json_decref(o);
        o = NULL;
    }
    json_decref(rest);
    return o;
}
