/* SPDX-License-Identifier: Apache-2.0 */
/* The recording of a run as JSON. Knows the names of the data that the page reads; must not know
 * how the page shows them. */
#include "page/recording.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/record.h"

enum { NAMED_NODES_MOST = 4096 }; /* larger networks: the page computes names and neighbours */

static const char *const series_names[EC_RECORDED_SERIES] = {
    [EC_RECORDED_FLITS] = "flits",
    [EC_RECORDED_CONTENDED] = "contended",
    [EC_RECORDED_STARVED] = "starved",
    [EC_RECORDED_BUFFERED] = "buffered",
};

/* Returns the note, owned by the list; NULL if memory ran out. */
__attribute__((format(printf, 2, 3))) static const char *add_note(json_t *notes, const char *format,
                                                                  ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (json_array_append_new(notes, record_text(text)) != 0)
        return NULL;
    return json_string_value(json_array_get(notes, json_array_size(notes) - 1));
}

/* --- The network ------------------------------------------------------------------------------ */

static json_t *node_names(const struct ec_topology *t)
{
    if (t->routers > NAMED_NODES_MOST)
        return json_null();
    json_t *list = json_array();
    for (uint32_t node = 0; node < t->routers; node++) {
        char name[200];
        ec_topology_node_name(t, node, name, sizeof name);
        list = record_append(list, record_text(name));
    }
    return list;
}

static json_t *link_names(const struct ec_topology *t)
{
    json_t *list = json_array();
    for (unsigned link = 0; link < ec_topology_links(t); link++) {
        char name[32];
        ec_topology_link_name(t, link, name, sizeof name);
        list = record_append(list, record_text(name));
    }
    return list;
}

static void put_neighbors(struct page_object *o, const struct ec_topology *t)
{
    if (t->routers > NAMED_NODES_MOST && !t->graph) {
        page_put(o, "neighbor", json_null());
        return;
    }
    struct page_column c = page_column_open(o, "neighbor", PAGE_U32);
    for (uint32_t node = 0; node < t->routers; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++)
            page_column_add(&c, ec_topology_neighbor(t, node, link)); /* EC_NONE is 0xffffffff */
    }
    page_column_close(&c);
}

/* The nodes of each router: from its number on, up to the next one. The delays of links, if they
 * differ. */
static void put_graph(struct page_object *o, const struct ec_topology *t)
{
    struct page_column first = page_column_open(o, "first_node", PAGE_U32);
    for (uint32_t router = 0; router <= t->routers; router++)
        page_column_add(&first, ec_topology_first_node(t, router));
    page_column_close(&first);
    if (!t->graph->delays)
        return;
    struct page_column delay = page_column_open(o, "link_delays", PAGE_U8);
    for (size_t i = 0; i < (size_t)t->routers * t->graph->links; i++)
        page_column_add(&delay, t->graph->delays[i]);
    page_column_close(&delay);
}

/* Cycles from one link to the next for a head that does not wait, with one stage and links of one
 * cycle. */
static json_t *minimum_hop(const struct page_run *d)
{
    if (d->foreign)
        return json_null();
    return d->router->switching == EC_STORE_AND_FORWARD ? record_text("words") : record_number(1);
}

static void put_network(FILE *out, const struct page_run *d)
{
    static const char *const families[] = {
        [EC_RING] = "ring",  [EC_MESH] = "mesh",       [EC_TORUS] = "torus",
        [EC_CUBE] = "cube",  [EC_FATTREE] = "fattree", [EC_DRAGONFLY] = "dragonfly",
        [EC_GRAPH] = "graph"};
    const struct ec_topology *t = d->topology, flat = ec_topology_flat(t);
    struct page_object o = page_open(out);
    char text[200];
    json_t *radix = json_array(), *wrap = json_array();
    for (unsigned i = 0; i < flat.dims; i++) {
        radix = record_append(radix, record_number(flat.radix[i]));
        wrap = record_append(wrap, json_boolean(flat.wrap[i]));
    }
    ec_topology_format(t, text, sizeof text);
    page_put_text(&o, "topology", text);
    page_put_text(&o, "family", families[t->kind]);
    page_put(&o, "radix", radix);
    page_put(&o, "wrap", wrap);
    page_put_number(&o, "nodes", t->routers);
    page_put_number(&o, "links", ec_topology_links(t));
    page_put_number(&o, "locals", ec_router_local_ports(d->router, t));
    page_put_number(&o, "vcs", d->router->vcs);
    page_put_number(&o, "depth", d->router->depth);
    page_put(&o, "minimum_hop", minimum_hop(d));
    page_put_number(&o, "stages", d->router->stages);
    page_put_number(&o, "link_delay", d->router->link);
    page_put(&o, "link_names", link_names(t));
    page_put(&o, "node_names", node_names(t));
    put_neighbors(&o, t);
    if (t->graph)
        put_graph(&o, t);
    page_close(&o);
}

/* --- Channels over time ----------------------------------------------------------------------- */

static void put_time(FILE *out, const struct ec_recording *r)
{
    struct page_object o = page_open(out);
    page_put_number(&o, "first", r->first);
    page_put_number(&o, "last", r->last);
    page_put_number(&o, "bin", r->width);
    page_put_number(&o, "bins", r->bins);
    page_close(&o);
}

static const char *note_channels(const struct ec_recording *r, json_t *notes)
{
    if (r->channels == r->all_channels)
        return NULL;
    if (!r->missed)
        return add_note(notes,
                        "Details are kept of the %zu channels with the most waiting, of %zu; the "
                        "others are in the sums and in the map of regions.",
                        r->channels, r->all_channels);
    return add_note(
        notes,
        "Details are kept of %zu of %zu channels, chosen by their waiting while the run "
        "went on; %zu of the %zu with the most waiting in the end are not among them. "
        "The others are in the sums and in the map of regions.",
        r->channels, r->all_channels, r->missed, r->channels);
}

static void put_channels(FILE *out, const struct ec_recording *r, json_t *notes)
{
    struct page_object o = page_open(out);
    page_put_number(&o, "count", r->channels);
    page_put_number(&o, "all", r->all_channels);
    struct page_column node = page_column_open(&o, "node", PAGE_U32);
    for (size_t i = 0; i < r->channels; i++)
        page_column_add(&node, r->channel[i].node);
    page_column_close(&node);
    struct page_column port = page_column_open(&o, "port", PAGE_U8);
    for (size_t i = 0; i < r->channels; i++)
        page_column_add(&port, r->channel[i].port);
    page_column_close(&port);
    page_put_text(&o, "left_out", note_channels(r, notes));
    page_close(&o);
}

/* A router without taps does not tell why a word waits. */
static bool is_known(const struct page_run *d, unsigned series)
{
    return d->report->has_taps || series == EC_RECORDED_FLITS || series == EC_RECORDED_BUFFERED;
}

static void put_series(FILE *out, const struct page_run *d, uint32_t *const *series, size_t cells,
                       const char *per)
{
    bool first = true;
    fputc('[', out);
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++) {
        if (!is_known(d, k))
            continue;
        uint32_t largest = 0;
        for (size_t i = 0; i < cells; i++)
            largest = series[k][i] > largest ? series[k][i] : largest;
        fputs(first ? "" : ",", out);
        first = false;
        struct page_object o = page_open(out);
        page_put_text(&o, "name", series_names[k]);
        page_put_text(&o, "unit",
                      k == EC_RECORDED_FLITS || k == EC_RECORDED_BUFFERED ? "words" : "cycles");
        page_put_text(&o, "per", per);
        page_put_text(&o, "type", page_type_name(page_type_for(largest)));
        page_put_number(&o, "scale", k == EC_RECORDED_BUFFERED ? EC_RECORDED_SCALE : 1);
        struct page_column c = page_column_open(&o, "cells", page_type_for(largest));
        for (size_t i = 0; i < cells; i++)
            page_column_add(&c, series[k][i]);
        page_column_close(&c);
        page_close(&o);
    }
    fputc(']', out);
}

static void put_totals(FILE *out, const struct page_run *d)
{
    const struct ec_recording *r = d->recording;
    struct page_object o = page_open(out);
    for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++) {
        if (!is_known(d, k))
            continue;
        struct page_column c = page_column_open(&o, series_names[k], PAGE_F64);
        for (size_t i = 0; i < r->channels; i++)
            page_column_add(&c, (double)r->total[k][i]);
        page_column_close(&c);
    }
    page_close(&o);
}

#define PUT_STRIP(key, member)                                                                     \
    do {                                                                                           \
        struct page_column c = page_column_open(&o, key, PAGE_F64);                                \
        for (size_t i = 0; i < r->bins; i++)                                                       \
            page_column_add(&c, (double)r->sums[i].member);                                        \
        page_column_close(&c);                                                                     \
    } while (0)

/* Sums over all channels of the network. */
static void put_strip(FILE *out, const struct page_run *d)
{
    const struct ec_recording *r = d->recording;
    struct page_object o = page_open(out);
    PUT_STRIP("flits", flits);
    if (d->report->has_taps) {
        PUT_STRIP("contended", contended);
        PUT_STRIP("starved", starved);
    }
    PUT_STRIP("buffered", buffered);
    PUT_STRIP("injected", injected);
    PUT_STRIP("ejected", ejected);
    page_close(&o);
}

static json_t *dimensions_from(const struct ec_topology *t, unsigned first)
{
    json_t *list = json_array();
    for (unsigned d = first; d < t->dims; d += 2)
        list = record_append(list, record_number(d));
    return list;
}

static void put_grid(FILE *out, const struct page_run *d)
{
    const struct ec_recording *r = d->recording;
    if (!r->grid_width) {
        fputs("null", out);
        return;
    }
    struct page_object o = page_open(out);
    page_put_number(&o, "width", r->grid_width);
    page_put_number(&o, "height", r->grid_height);
    const struct ec_topology flat = ec_topology_flat(d->topology);
    page_put(&o, "across", dimensions_from(&flat, 0));
    page_put(&o, "down", dimensions_from(&flat, 1));
    page_put(&o, "step",
             record_append(record_append(json_array(), record_number(r->step_across)),
                           record_number(r->step_down)));
    page_key(&o, "series");
    put_series(out, d, r->grid, r->bins * r->grid_width * r->grid_height, "region");
    page_close(&o);
}

/* --- Packets ---------------------------------------------------------------------------------- */

/* Times have 32 bits; 0xffffffff is a time that never came. */
static double cycle_of(uint64_t cycle)
{
    return cycle > UINT32_MAX ? UINT32_MAX : (double)cycle;
}

static bool fits(const struct ec_recorded_packet *p)
{
    return p->injected < UINT32_MAX &&
           (p->delivered < UINT32_MAX || p->delivered == EC_RECORDED_NEVER);
}

/* Those before the first one that does not fit. */
static size_t count_fitting(const struct ec_recording *r)
{
    size_t count = 0;
    while (count < r->packets && fits(&r->packet[count]))
        count++;
    return count;
}

#define PUT_PACKETS(key, value)                                                                    \
    do {                                                                                           \
        struct page_column c = page_column_open(&o, key, PAGE_U32);                                \
        for (size_t i = 0; i < count; i++) {                                                       \
            const struct ec_recorded_packet *p = &r->packet[i];                                    \
            page_column_add(&c, (value));                                                          \
        }                                                                                          \
        page_column_close(&c);                                                                     \
    } while (0)

static void put_paths(struct page_object *o, const struct ec_recording *r, size_t count)
{
    const size_t hops = count ? r->packet[count - 1].hop + r->packet[count - 1].hops : 0;
    struct page_column start = page_column_open(o, "path_start", PAGE_U32);
    for (size_t i = 0; i < count; i++)
        page_column_add(&start, (double)r->packet[i].hop);
    page_column_add(&start, (double)hops);
    page_column_close(&start);
    struct page_column port = page_column_open(o, "path_port", PAGE_U8);
    for (size_t i = 0; i < hops; i++)
        page_column_add(&port, r->hop_port[i]);
    page_column_close(&port);
    struct page_column cycle = page_column_open(o, "path_cycle", PAGE_U32);
    for (size_t i = 0; i < hops; i++)
        page_column_add(&cycle, cycle_of(r->hop_cycle[i]));
    page_column_close(&cycle);
}

/* The bars from the first to the last that has a packet. */
static void put_histogram(FILE *out, const struct ec_recording *r)
{
    struct page_object o = page_open(out);
    size_t first = 0, end = EC_RECORDED_LATENCIES;
    while (end > 0 && !r->latency[end - 1])
        end--;
    while (first < end && !r->latency[first])
        first++;
    page_put_number(&o, "width", r->latency_width);
    struct page_column from = page_column_open(&o, "from", PAGE_U32);
    for (size_t i = first; i < end; i++)
        page_column_add(&from, cycle_of(i * r->latency_width));
    page_column_close(&from);
    struct page_column count = page_column_open(&o, "count", PAGE_U32);
    for (size_t i = first; i < end; i++)
        page_column_add(&count, cycle_of(r->latency[i]));
    page_column_close(&count);
    page_close(&o);
}

/* NULL: all are there. */
static const char *note_packets(const struct ec_recording *r, size_t count, json_t *notes)
{
    if (count == r->all_packets)
        return NULL;
    return add_note(
        notes, "Of %" PRIu64 " packets, %zu are kept: the slowest, and an even sample%s.",
        r->all_packets, count,
        count < r->packets ? "; none that was in the network after cycle 4294967294" : "");
}

static void put_packets(FILE *out, const struct ec_recording *r, json_t *notes)
{
    const size_t count = count_fitting(r);
    struct page_object o = page_open(out);
    page_put_number(&o, "all", r->all_packets);
    page_put_number(&o, "kept", count);
    page_put_text(&o, "left_out", note_packets(r, count, notes));
    PUT_PACKETS("src", p->src);
    PUT_PACKETS("dst", p->dst);
    PUT_PACKETS("words", p->words);
    PUT_PACKETS("created", cycle_of(p->created));
    PUT_PACKETS("injected", cycle_of(p->injected));
    PUT_PACKETS("delivered", cycle_of(p->delivered));
    put_paths(&o, r, count);
    if (count < r->all_packets) {
        page_key(&o, "histogram");
        put_histogram(out, r);
    }
    page_close(&o);
}

/* The inputs of a deadlock, each of which waits for the next, or for several in a knot. */
static json_t *waiting(const struct ec_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->waiting_count; i++) {
        const struct ec_waiting_input *x = &report->waiting_at[i];
        list = record_append(list, json_pack("{s:I, s:I, s:I, s:I, s:o}", "node",
                                             (json_int_t)x->node, "port", (json_int_t)x->port, "vc",
                                             (json_int_t)x->vc, "wants", (json_int_t)x->wants,
                                             "text", record_text(report->waiting[i])));
    }
    return list;
}

void page_put_recording(struct page_object *o, const struct page_run *d, json_t *notes)
{
    const struct ec_recording *r = d->recording;
    page_key(o, "network");
    put_network(o->out, d);
    page_key(o, "time");
    put_time(o->out, r);
    page_key(o, "channels");
    put_channels(o->out, r, notes);
    page_key(o, "series");
    put_series(o->out, d, r->series, r->bins * r->channels, "channel");
    page_key(o, "totals");
    put_totals(o->out, d);
    page_key(o, "strip");
    put_strip(o->out, d);
    page_key(o, "grid");
    put_grid(o->out, d);
    page_key(o, "packets");
    put_packets(o->out, r, notes);
    page_put(o, "waiting", waiting(d->report));
    if (d->report->knot)
        page_put(o, "knot", json_true());
    if (!d->report->has_taps)
        add_note(notes, "This router has no taps: why words wait is not known.");
}
