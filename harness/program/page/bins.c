/* SPDX-License-Identifier: Apache-2.0 */
/* Bins of time that merge, and the choice of the channels that are kept in detail. Knows counts of
 * channels; must not know words, credits or packets.
 *
 * In large networks the cells of all channels do not fit. All channels begin with a few bins. When
 * these are used, first their width doubles a few times; then the channels with the least waiting
 * so far are dropped and the others get more bins. Each decision sees the whole run up to then, and
 * the history of a channel that remains is complete. */
#include "page/bins.h"

enum {
    BINS_MOST = 512,       /* more than a screen shows */
    BINS_ENOUGH = 48,      /* if all channels fit with so many, none is dropped */
    BINS_OF_BUSIEST = 128, /* if not, the busiest get so many */
    CHANNELS_OF_BUSIEST = 8192,
    WIDTH_BEFORE_DROP = 4, /* cycles; before, bins merge instead */
    GRID_FROM_NODES = 257, /* smaller networks are drawn whole */
    GRID_SIDE_MOST = 32,
    AREA_WIDTH_MOST = 65536, /* cycles; words times cycles of wider bins are shifted */
};

/* Of all series in the file. */
#define BYTES_MOST ((size_t)5 << 20)

static size_t at_least_two_even(size_t n)
{
    return n < 2 ? 2 : n & ~(size_t)1;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- Regions ---------------------------------------------------------------------------------- */

/* One side of the flat projection: the dimensions first, first + 2, ... */
struct side {
    unsigned first;
    uint32_t extent, step; /* nodes */
    size_t cells;
};

static struct side side_of(const struct ec_topology *t, unsigned first)
{
    struct side s = {.first = first, .extent = 1};
    for (unsigned d = first; d < t->dims; d += 2)
        s.extent *= t->radix[d];
    s.step = (s.extent + GRID_SIDE_MOST - 1) / GRID_SIDE_MOST;
    s.cells = (s.extent + s.step - 1) / s.step;
    return s;
}

static size_t place_on(const struct ec_topology *t, const struct side *s, uint32_t node)
{
    uint32_t at = 0, stride = 1;
    for (unsigned d = s->first; d < t->dims; d += 2) {
        at += stride * ec_topology_coord(t, node, d);
        stride *= t->radix[d];
    }
    return at / s->step;
}

static void open_regions(struct bins *b)
{
    const struct ec_topology t = ec_topology_flat(b->t);
    const struct side across = side_of(&t, 0), down = side_of(&t, 1);
    b->grid_width = across.cells;
    b->grid_height = down.cells;
    b->step_across = across.step;
    b->step_down = down.step;
    b->regions = across.cells * down.cells;
    EC_ARRAY(&b->arrays, b->region, t.routers);
    for (uint32_t node = 0; b->region && node < t.routers; node++)
        b->region[node] =
            (uint32_t)(place_on(&t, &down, node) * across.cells + place_on(&t, &across, node));
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Mesh borders have no link; routers of a graph have some of the links and nodes. */
static bool exists(const struct bins *b, size_t channel)
{
    const unsigned port = (unsigned)(channel % b->span);
    const uint32_t router = (uint32_t)(channel / b->span);
    if (port < b->links)
        return ec_topology_neighbor(b->t, router, port) != EC_NONE;
    return !b->t->graph ||
           (port - b->links) % b->locals <
               ec_topology_first_node(b->t, router + 1) - ec_topology_first_node(b->t, router);
}

static void take_all_channels(struct bins *b)
{
    b->slots = 0;
    for (size_t i = 0; i < b->channels; i++) {
        if (exists(b, i))
            b->slot[b->slots++] = (uint32_t)i;
    }
    b->existing = b->slots;
}

/* How many bins there are at first and at most, and how many channels remain in the end. */
static void plan(struct bins *b)
{
    const size_t all = b->bound / (b->existing + b->regions);
    b->final = b->existing;
    b->most = b->room = at_least_two_even(smaller(all, BINS_MOST));
    if (all >= BINS_ENOUGH)
        return;
    const size_t most = at_least_two_even(smaller(BINS_OF_BUSIEST, b->bound / (b->regions + 1)));
    const size_t rest = b->bound / most > b->regions ? b->bound / most - b->regions : 1;
    b->most = most;
    b->final = smaller(smaller(rest, CHANNELS_OF_BUSIEST), b->existing);
    b->room = smaller(most, at_least_two_even(b->memory / b->existing));
}

bool bins_open(struct bins *b, const struct ec_topology *t, const struct ec_router *r, size_t cells,
               size_t memory)
{
    *b = (struct bins){.t = t,
                       .links = ec_topology_links(t),
                       .locals = ec_router_local_ports(r, t),
                       .bound = cells / EC_RECORDED_SERIES,
                       .memory = memory};
    b->span = b->links + 2 * b->locals;
    b->channels = (size_t)t->routers * b->span;
    EC_ARRAY(&b->arrays, b->now, b->channels);
    EC_ARRAY(&b->arrays, b->slot, b->channels);
    if (t->routers >= GRID_FROM_NODES)
        open_regions(b);
    if (!b->arrays.memory_short) {
        take_all_channels(b);
        plan(b);
        EC_ARRAY(&b->arrays, b->cells, b->slots * b->room);
        EC_ARRAY(&b->arrays, b->grid, b->regions * b->most);
        EC_ARRAY(&b->arrays, b->sums, b->most);
    }
    if (b->arrays.memory_short) {
        bins_close(b);
        return false;
    }
    bins_reset(b);
    return true;
}

void bins_reset(struct bins *b)
{
    take_all_channels(b);
    plan(b);
    memset(b->now, 0, b->channels * sizeof *b->now);
    memset(b->cells, 0, b->slots * b->room * sizeof *b->cells);
    memset(b->grid, 0, b->regions * b->most * sizeof *b->grid);
    memset(b->sums, 0, b->most * sizeof *b->sums);
    b->begin = b->width = b->last = 1;
    b->used = b->holding = 0;
    b->touched = false;
}

void bins_close(struct bins *b)
{
    ec_arrays_free(&b->arrays);
    *b = (struct bins){0};
}

/* --- Merging bins ----------------------------------------------------------------------------- */

static unsigned shift_of(uint64_t width)
{
    return width <= AREA_WIDTH_MOST ? 0 : (unsigned)__builtin_ctzll(width / AREA_WIDTH_MOST);
}

unsigned bins_shift(const struct bins *b)
{
    return shift_of(b->width);
}

static uint32_t saturate(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static struct bin_cell sum_of(const struct bin_cell *a, const struct bin_cell *b, bool halve)
{
    struct bin_cell sum;
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++)
        sum.value[k] =
            saturate((uint64_t)a->value[k] + b->value[k] + (halve && k == EC_RECORDED_BUFFERED));
    if (halve)
        sum.value[EC_RECORDED_BUFFERED] >>= 1;
    return sum;
}

/* Pairs of `used` bins become one; bins of one owner are `stride` cells apart. */
static void merge_row(struct bin_cell *row, size_t used, size_t stride, bool halve)
{
    const struct bin_cell none = {{0}};
    for (size_t i = 0; i < used; i += 2)
        row[i / 2 * stride] =
            sum_of(&row[i * stride], i + 1 < used ? &row[(i + 1) * stride] : &none, halve);
    for (size_t i = (used + 1) / 2; i < used; i++)
        row[i * stride] = none;
}

static void merge_sums(struct bin_sums *sums, size_t used)
{
    for (size_t i = 0; i < used; i++) {
        const struct bin_sums from = sums[i];
        sums[i] = (struct bin_sums){.injected = 0};
        struct bin_sums *to = &sums[i / 2];
        for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++)
            to->count[k] += from.count[k];
        to->injected += from.injected;
        to->ejected += from.ejected;
        to->area += from.area;
    }
}

static void merge_bins(struct bins *b)
{
    const bool halve = shift_of(2 * b->width) > shift_of(b->width);
    for (size_t i = 0; i < b->slots; i++)
        merge_row(b->cells + i * b->room, b->used, 1, halve);
    for (size_t i = 0; i < b->regions; i++)
        merge_row(b->grid + i, b->used, b->regions, halve);
    merge_sums(b->sums, b->used);
    b->used = (b->used + 1) / 2;
    b->width *= 2;
}

/* --- Dropping channels ------------------------------------------------------------------------ */

struct rank {
    uint64_t waiting, flits;
    uint32_t channel;
};

static int busiest_first(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->waiting != y->waiting)
        return x->waiting > y->waiting ? -1 : 1;
    if (x->flits != y->flits)
        return x->flits > y->flits ? -1 : 1;
    return x->channel < y->channel ? -1 : x->channel > y->channel;
}

static struct rank rank_of(const struct bins *b, uint32_t channel)
{
    const uint64_t *total = b->now[channel].total;
    return (struct rank){total[EC_RECORDED_CONTENDED] + total[EC_RECORDED_STARVED],
                         total[EC_RECORDED_FLITS], channel};
}

/* Is `channel` among the `keep` busiest of `list`? Their last is *ret_last. */
static bool last_kept(const struct bins *b, const uint32_t *list, size_t count, size_t keep,
                      struct rank *ret_last)
{
    struct rank *ranks = malloc(count * sizeof *ranks);
    if (!ranks)
        return false;
    for (size_t i = 0; i < count; i++)
        ranks[i] = rank_of(b, list[i]);
    qsort(ranks, count, sizeof *ranks, busiest_first);
    *ret_last = ranks[keep - 1];
    free(ranks);
    return true;
}

/* Keep the busiest `keep` channels, at most all, with room for `room` bins each, which fit the
 * memory of before. */
static bool drop_channels(struct bins *b, size_t keep, size_t room)
{
    struct rank last;
    if (!last_kept(b, b->slot, b->slots, keep, &last))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < b->slots; i++) {
        const struct rank x = rank_of(b, b->slot[i]);
        if (busiest_first(&x, &last) > 0)
            continue;
        b->slot[kept] = b->slot[i];
        memmove(b->cells + kept * b->room, b->cells + i * b->room, b->room * sizeof *b->cells);
        kept++;
    }
    for (size_t i = kept; room > b->room && i-- > 0;) {
        memmove(b->cells + i * room, b->cells + i * b->room, b->room * sizeof *b->cells);
        memset(b->cells + i * room + b->room, 0, (room - b->room) * sizeof *b->cells);
    }
    b->slots = kept;
    b->room = room > b->room ? room : b->room;
    return true;
}

static void make_room(struct bins *b)
{
    if (b->slots <= b->final || b->room == b->most || b->width < WIDTH_BEFORE_DROP) {
        merge_bins(b);
        return;
    }
    const size_t half = (b->slots + 1) / 2, keep = half > b->final ? half : b->final;
    const size_t room = smaller(b->most, at_least_two_even(b->slots * b->room / keep));
    if (room == b->room || !drop_channels(b, keep, room))
        merge_bins(b);
}

/* --- Counting --------------------------------------------------------------------------------- */

/* The cell of a channel in the open bin. */
static struct bin_cell cell_of(const struct bins *b, const struct bin_now *x)
{
    struct bin_cell cell;
    for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++)
        cell.value[k] = saturate(x->count[k]);
    cell.value[EC_RECORDED_BUFFERED] =
        saturate(x->area < 0 ? 0 : (uint64_t)x->area >> bins_shift(b));
    return cell;
}

static void add_to_sums(const struct bins *b, const struct bin_now *x, unsigned port)
{
    struct bin_sums *sums = &b->sums[b->used];
    const uint64_t flits = x->count[EC_RECORDED_FLITS];
    sums->count[EC_RECORDED_FLITS] += port < b->links ? flits : 0;
    sums->injected += port >= b->links && port < b->links + b->locals ? flits : 0;
    sums->ejected += port >= b->links + b->locals ? flits : 0;
    sums->count[EC_RECORDED_CONTENDED] += x->count[EC_RECORDED_CONTENDED];
    sums->count[EC_RECORDED_STARVED] += x->count[EC_RECORDED_STARVED];
    sums->area += x->area;
}

/* Flits and waiting count where a link begins, words in its buffer where it ends. */
static void add_to_grid(const struct bins *b, const struct bin_cell *cell, uint32_t node,
                        unsigned port)
{
    struct bin_cell *grid = &b->grid[b->used * b->regions];
    struct bin_cell here = *cell, there = {{0}};
    here.value[EC_RECORDED_BUFFERED] = 0;
    there.value[EC_RECORDED_BUFFERED] = cell->value[EC_RECORDED_BUFFERED];
    struct bin_cell *from = &grid[b->region[node]];
    if (port < b->links)
        *from = sum_of(from, &here, false);
    if (!there.value[EC_RECORDED_BUFFERED])
        return;
    struct bin_cell *to = from;
    if (port < b->links)
        to = &grid[b->region[ec_topology_neighbor(b->t, node, port)]];
    *to = sum_of(to, &there, false);
}

static bool is_idle(const struct bin_now *x)
{
    return !x->count[0] && !x->count[1] && !x->count[2] && !x->area && !x->held;
}

static void start_bin(struct bin_now *x)
{
    for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++) {
        x->total[k] += x->count[k];
        x->count[k] = 0;
    }
    x->area = 0;
}

/* The open bin ends before cycle `end`. */
static void take_bin(struct bins *b, uint64_t end)
{
    size_t slot = 0;
    for (size_t i = 0; i < b->channels; i++) {
        struct bin_now *x = &b->now[i];
        while (slot < b->slots && b->slot[slot] < i)
            slot++;
        if (is_idle(x))
            continue;
        if (end > x->since) {
            x->area += (int64_t)(end - x->since) * x->held;
            x->since = end;
        }
        const struct bin_cell cell = cell_of(b, x);
        if (slot < b->slots && b->slot[slot] == i)
            b->cells[slot * b->room + b->used] = cell;
        if (b->regions)
            add_to_grid(b, &cell, (uint32_t)(i / b->span), (unsigned)(i % b->span));
        add_to_sums(b, x, (unsigned)(i % b->span));
        start_bin(x);
    }
    b->touched = false;
}

void bins_advance(struct bins *b, uint64_t cycle)
{
    while (cycle - b->begin >= b->width) {
        const uint64_t end = b->begin + b->width;
        if (b->touched || b->holding)
            take_bin(b, end);
        b->begin = end;
        if (++b->used == b->room)
            make_room(b);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void bins_inject(struct bins *b, size_t channel, uint64_t cycle)
{
    if (cycle >= b->begin) {
        bins_count(b, channel, EC_RECORDED_FLITS, cycle);
        return;
    }
    const uint32_t key = (uint32_t)channel;
    const uint32_t *slot = bsearch(&key, b->slot, b->slots, sizeof *b->slot, by_number);
    b->now[channel].total[EC_RECORDED_FLITS]++;
    b->sums[b->used - 1].injected++;
    if (slot)
        b->cells[(size_t)(slot - b->slot) * b->room + b->used - 1].value[EC_RECORDED_FLITS]++;
    b->last = cycle > b->last ? cycle : b->last;
}

/* --- The result ------------------------------------------------------------------------------- */

/* Bytes of the largest of `count` numbers. */
static unsigned bytes_for(uint32_t largest)
{
    return largest < 1U << 8 ? 1 : largest < 1U << 16 ? 2 : 4;
}

/* Of all series in the file, were it written now. */
static size_t bytes_of(const struct bins *b)
{
    uint32_t largest[EC_RECORDED_SERIES] = {0};
    size_t bytes = 0;
    for (size_t i = 0; i < b->slots; i++) {
        for (size_t k = 0; k < b->used * EC_RECORDED_SERIES; k++) {
            const uint32_t value =
                b->cells[i * b->room + k / EC_RECORDED_SERIES].value[k % EC_RECORDED_SERIES];
            if (value > largest[k % EC_RECORDED_SERIES])
                largest[k % EC_RECORDED_SERIES] = value;
        }
    }
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++)
        bytes += b->used * b->slots * bytes_for(largest[k]) + b->used * b->regions * 4;
    return bytes;
}

/* The last bin may be shorter. */
static uint64_t cycles_of(const struct ec_recording *r, size_t bin)
{
    const uint64_t left = r->last - (r->first + bin * r->width) + 1;
    return left < r->width ? left : r->width;
}

/* Mean words in the buffers during the bin, times EC_RECORDED_SCALE. */
static uint32_t mean_of(const struct bins *b, const struct ec_recording *r, size_t bin,
                        uint32_t value)
{
    const uint64_t cycles = cycles_of(r, bin);
    const uint64_t area = ((uint64_t)value << bins_shift(b)) * EC_RECORDED_SCALE;
    return saturate((area + cycles / 2) / cycles);
}

/* From cells[owner * owner_stride + bin * bin_stride] to one array per series. */
static bool put_series(const struct bins *b, const struct ec_recording *r,
                       const struct bin_cell *cells, size_t owners, size_t owner_stride,
                       size_t bin_stride, uint32_t **ret)
{
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++) {
        uint32_t *to = malloc((r->bins * owners + 1) * sizeof *to);
        ret[k] = to;
        if (!to)
            return false;
        for (size_t bin = 0; bin < r->bins; bin++) {
            for (size_t i = 0; i < owners; i++) {
                const uint32_t value = cells[i * owner_stride + bin * bin_stride].value[k];
                to[bin * owners + i] =
                    k == EC_RECORDED_BUFFERED ? mean_of(b, r, bin, value) : value;
            }
        }
    }
    return true;
}

/* Channels that would be kept if the choice were made now, but were dropped before. */
static bool count_missed(const struct bins *b, size_t *ret)
{
    struct rank last;
    uint32_t *all = malloc(b->channels * sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < b->channels; i++)
        all[i] = (uint32_t)i;
    const bool good = last_kept(b, all, b->channels, b->slots, &last);
    free(all);
    size_t among = 0;
    for (size_t i = 0; good && i < b->slots; i++) {
        const struct rank x = rank_of(b, b->slot[i]);
        among += busiest_first(&x, &last) <= 0;
    }
    *ret = b->slots - among;
    return good;
}

static bool put_sums(const struct bins *b, struct ec_recording *r)
{
    r->sums = malloc(r->bins * sizeof *r->sums);
    for (size_t bin = 0; r->sums && bin < r->bins; bin++) {
        const struct bin_sums *x = &b->sums[bin];
        r->sums[bin] =
            (struct ec_recorded_sums){.flits = x->count[EC_RECORDED_FLITS],
                                      .contended = x->count[EC_RECORDED_CONTENDED],
                                      .starved = x->count[EC_RECORDED_STARVED],
                                      .injected = x->injected,
                                      .ejected = x->ejected,
                                      .buffered = (double)x->area / (double)cycles_of(r, bin)};
    }
    return r->sums != NULL;
}

static bool put_channels(const struct bins *b, struct ec_recording *r)
{
    struct ec_recorded_channel *channel = calloc(b->slots + 1, sizeof *channel);
    r->channel = channel;
    r->channels = b->slots;
    for (size_t i = 0; channel && i < b->slots; i++)
        channel[i] = (struct ec_recorded_channel){.node = b->slot[i] / b->span,
                                                  .port = b->slot[i] % b->span};
    for (unsigned k = 0; channel && k < EC_RECORDED_BUFFERED; k++) {
        uint64_t *total = malloc((b->slots + 1) * sizeof *total);
        r->total[k] = total;
        if (!total)
            return false;
        for (size_t i = 0; i < b->slots; i++)
            total[i] = b->now[b->slot[i]].total[k];
    }
    return channel != NULL;
}

bool bins_finish(struct bins *b, struct ec_recording *r)
{
    if (b->last >= b->begin) {
        take_bin(b, b->last + 1);
        b->used++;
    }
    b->used = (size_t)((b->last - 1) / b->width) + 1;
    if (b->final < b->existing) {
        const size_t fit = b->bound / b->used > b->regions ? b->bound / b->used - b->regions : 1;
        const size_t keep = smaller(smaller(fit, CHANNELS_OF_BUSIEST), b->slots);
        if (!drop_channels(b, keep, b->room) || !count_missed(b, &r->missed))
            return false;
    }
    while (b->used > 1 && bytes_of(b) > BYTES_MOST)
        merge_bins(b);
    r->first = 1;
    r->last = b->last;
    r->width = b->width;
    r->bins = b->used;
    r->all_channels = b->existing;
    r->grid_width = b->grid_width;
    r->grid_height = b->grid_height;
    r->step_across = b->step_across;
    r->step_down = b->step_down;
    return put_channels(b, r) && put_sums(b, r) &&
           put_series(b, r, b->cells, b->slots, b->room, 1, r->series) &&
           put_series(b, r, b->grid, b->regions, 1, b->regions, r->grid);
}

void bins_free_recording(struct ec_recording *r)
{
    free(r->channel);
    free(r->sums);
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++) {
        free(r->series[k]);
        free(r->grid[k]);
    }
    for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++)
        free(r->total[k]);
}
