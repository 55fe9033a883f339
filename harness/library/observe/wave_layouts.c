/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts of a dump: FILE.gtkw for GTKWave (save files of version 3.3) with FILE.labels, which
 * turns words, addresses and port numbers into text, and FILE.sucl for Surfer.
 *
 * A layout shows the signals with events in the window, and folds the rest. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "ecube/word.h"
#include "network/names.h"
#include "observe/waves.h"

/* --- GTKWave -------------------------------------------------------------------------------- */

/* Flags of a trace, added up; hexadecimal in the file. */
enum {
    HEX = 0x2,
    DECIMAL = 0x4,
    RIGHT = 0x20,
    BIT = 0x28,
    COMMENT = 0x200,
    ASCII = 0x800,
    LABELLED = 0x2000,
    GROUP = 0x800200,
    GROUP_FOLDED = 0xc00200,
    GROUP_END = 0x1000200,
    GROUP_FOLDED_END = 0x1401200,
};

/* Colours of a trace. */
enum { RED = 1, ORANGE = 2, YELLOW = 3, GREEN = 4, BLUE = 5 };

struct gtkw {
    const struct ec_wave *w;
    FILE *file;
    char scope[EC_NAME_SIZE]; /* of the router, as in the dump */
    const char *name;         /* of the layout, without folder */
    const char *labels;       /* the same of the labels */
};

static void put_flags(struct gtkw *x, unsigned value)
{
    fprintf(x->file, "@%x\n", value);
}

static void begin_group(struct gtkw *x, bool folded, const char *name)
{
    put_flags(x, folded ? GROUP_FOLDED : GROUP);
    fprintf(x->file, "-%s\n", name);
}

static void end_group(struct gtkw *x, bool folded, const char *name)
{
    put_flags(x, folded ? GROUP_FOLDED_END : GROUP_END);
    fprintf(x->file, "-%s\n", name);
}

/* One signal of a port. `width` 1: no range. */
static void put_trace(struct gtkw *x, unsigned kind, int color, const char *alias, const char *port,
                      const char *signal, unsigned width)
{
    put_flags(x, kind);
    if (color)
        fprintf(x->file, "[color] %d\n", color);
    if (kind & LABELLED)
        fprintf(x->file, "^1 %s\n", x->labels);
    fprintf(x->file, "+{%s} %s.ec_tile.%s.%s", alias, x->scope, port, signal);
    if (width > 1)
        fprintf(x->file, "[%u:0]", width - 1);
    fputc('\n', x->file);
}

static void put_fields(struct gtkw *x, const char *port, const char *side)
{
    static const struct {
        const char *name;
        unsigned width, kind;
    } fields[] = {
        {"head", 1, BIT},
        {"tail", 1, BIT},
        {"vc", 2, DECIMAL | RIGHT},
        {"src", 16, HEX | RIGHT | LABELLED},
        {"dst", 16, HEX | RIGHT | LABELLED},
        {"packet", 14, DECIMAL | RIGHT},
        {"word", 13, DECIMAL | RIGHT},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char alias[2 * EC_NAME_SIZE], signal[32];
        snprintf(alias, sizeof alias, "%s %s %s", port, side, fields[i].name);
        snprintf(signal, sizeof signal, "%s_word.%s", side, fields[i].name);
        put_trace(x, fields[i].kind, 0, alias, port, signal, fields[i].width);
    }
}

/* The state of one VC: the rows with events, or (`rest`) the others. */
static void put_vc(struct gtkw *x, const char *port, unsigned vc, uint8_t seen, bool rest)
{
    const uint8_t blocked = WAVE_CONTENDED | WAVE_STARVED;
    const struct {
        const char *name;
        unsigned width, kind;
        int color;
        uint8_t when;
    } rows[] = {
        {"contended", 1, BIT, RED, WAVE_CONTENDED},
        {"starved", 1, BIT, ORANGE, WAVE_STARVED},
        {"want", 8, HEX | RIGHT | LABELLED, YELLOW, blocked},
        {"buffered", 16, DECIMAL | RIGHT, BLUE, blocked},
        {"credits", 16, DECIMAL | RIGHT, BLUE, WAVE_OUT},
    };
    char tag[16] = "";
    if (x->w->twins.vcs > 1)
        snprintf(tag, sizeof tag, " vc%u", vc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char alias[2 * EC_NAME_SIZE], signal[32];
        if (((seen & rows[i].when) != 0) == rest)
            continue;
        snprintf(alias, sizeof alias, "%s%s %s", port, tag, rows[i].name);
        snprintf(signal, sizeof signal, "vc%u.%s", vc, rows[i].name);
        put_trace(x, rows[i].kind, rows[i].color, alias, port, signal, rows[i].width);
    }
}

static uint8_t seen_at_port(const struct ec_wave *w, size_t slot, unsigned port)
{
    uint8_t seen = 0;
    for (unsigned vc = 0; vc < w->twins.vcs; vc++)
        seen |= *wave_seen(w, slot, port, vc);
    return seen;
}

static void put_word(struct gtkw *x, const char *port, const char *side)
{
    char alias[2 * EC_NAME_SIZE];
    snprintf(alias, sizeof alias, "%s %s", port, side);
    put_trace(x, HEX | LABELLED, GREEN, alias, port, side, 64);
}

/* Words that came in at a port, and the reasons why they waited. */
static void put_input(struct gtkw *x, size_t slot, unsigned port)
{
    const struct ec_wave *w = x->w;
    char name[EC_NAME_SIZE];
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (seen_at_port(w, slot, port) & WAVE_IN)
        put_word(x, name, "in");
    for (unsigned vc = 0; vc < w->twins.vcs; vc++)
        put_vc(x, name, vc, *wave_seen(w, slot, port, vc) & (uint8_t)~WAVE_OUT, false);
}

/* Words that left by a port. The credits of a local port are rarely of interest. */
static void put_output(struct gtkw *x, size_t slot, unsigned port)
{
    const struct ec_wave *w = x->w;
    char name[EC_NAME_SIZE];
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    for (unsigned vc = 0; port < w->twins.links && vc < w->twins.vcs; vc++)
        put_vc(x, name, vc, *wave_seen(w, slot, port, vc) & WAVE_OUT, false);
    if (seen_at_port(w, slot, port) & WAVE_OUT)
        put_word(x, name, "out");
}

/* All other signals of a port. */
static void put_rest(struct gtkw *x, size_t slot, unsigned port)
{
    const struct ec_wave *w = x->w;
    const uint8_t seen = seen_at_port(w, slot, port);
    char name[EC_NAME_SIZE];
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (!(seen & WAVE_IN))
        put_word(x, name, "in");
    if (!(seen & WAVE_OUT))
        put_word(x, name, "out");
    put_fields(x, name, "in");
    put_fields(x, name, "out");
    for (unsigned vc = 0; vc < w->twins.vcs; vc++) {
        const uint8_t shown = port < w->twins.links ? 0xff : (uint8_t)~WAVE_OUT;
        put_vc(x, name, vc, *wave_seen(w, slot, port, vc) & shown, true);
    }
}

/* Links over the border of a mesh have no row. */
static bool port_exists(const struct ec_wave *w, uint32_t node, unsigned port)
{
    return port >= ec_topology_links(w->t) || ec_topology_neighbor(w->t, node, port) != EC_NONE;
}

/* `folded`: only the title is visible. */
static void put_router(struct gtkw *x, size_t slot, bool folded)
{
    const struct ec_wave *w = x->w;
    const uint32_t node = w->twins.nodes[slot];
    char name[EC_NAME_SIZE], title[2 * EC_NAME_SIZE];
    ec_topology_node_name(w->t, node, name, sizeof name);
    ec_scope_name(w->t, node, x->scope, sizeof x->scope);
    snprintf(title, sizeof title, "router %s", name);
    begin_group(x, folded, title);
    /* Inputs before outputs: time runs to the right, and words run downwards. */
    for (unsigned port = 0; port < w->ports; port++)
        put_input(x, slot, port);
    for (unsigned port = 0; port < w->ports; port++)
        put_output(x, slot, port);
    begin_group(x, true, "fields, other signals");
    for (unsigned port = 0; port < w->ports; port++) {
        if (port_exists(w, node, port))
            put_rest(x, slot, port);
    }
    end_group(x, true, "fields, other signals");
    end_group(x, folded, title);
}

#define FRAME         200.0  /* pixels between two grid lines */
#define WINDOW        1390.0 /* pixels of the names and the waves */
#define LETTER_PIXELS 6.2

/* Those of a failure have room for the texts at the cursor behind the names. */
static int names_width(const struct ec_wave *w)
{
    return w->focus.cycle ? 500 : 240;
}

/* GTKWave shows a whole number of cycles in a frame. */
struct view {
    uint64_t start; /* the first cycle on the screen */
    unsigned frame; /* cycles */
    double screen;  /* pixels */
};

static double pixels_of(const struct view *v)
{
    return FRAME / v->frame;
}

/* The last cycles before the failure, and as much room behind it as its text needs. A circle is
 * shown from the first stop on if that is near; its buffers keep their words for long, so these
 * need less room in a cycle. */
static struct view view_of_failure(const struct ec_wave *w, double screen)
{
    const struct wave_focus *f = &w->focus;
    const double before = screen - LETTER_PIXELS * fmax(50, (double)strlen(f->text));
    struct view v = {w->first, 2, screen};
    double cycles = 2;
    if (w->mark_count && w->marks[0].cycle < f->cycle)
        cycles += (double)(f->cycle - w->marks[0].cycle);
    while (f->chain && v.frame < 4 && cycles * pixels_of(&v) > before)
        v.frame++;
    cycles = floor(before / pixels_of(&v));
    if (!f->chain)
        cycles = fmax(3, fmin(cycles, 5));
    if ((double)f->cycle > (double)w->first + cycles)
        v.start = f->cycle - (uint64_t)cycles;
    return v;
}

/* Fit the window on the screen if labels stay readable. Otherwise show its first part, or the first
 * marks. */
static struct view view_of(const struct ec_wave *w)
{
    const double screen = WINDOW - names_width(w);
    const double cycles = w->last >= w->first ? (double)(w->last - w->first + 2) : 2;
    const double most = 3, fit = ceil(FRAME * cycles / screen);
    struct view v = {w->first > 1 ? w->first - 1 : 0, (unsigned)fmin(fit, most), screen};
    if (w->focus.cycle)
        return view_of_failure(w, screen);
    if (fit > most && w->mark_count && w->marks[0].cycle > w->first + 20)
        v.start = w->marks[0].cycle - 9;
    return v;
}

/* Marks of one cycle share a letter, because their lines coincide. */
static char letter_of(const struct ec_wave *w, size_t mark)
{
    char letter = 'A';
    for (size_t i = 1; i <= mark; i++)
        letter = (char)(letter + (w->marks[i].cycle != w->marks[i - 1].cycle));
    return letter;
}

/* The name of the marks of one cycle, of which i is the first. Returns how many there are. */
static size_t name_mark(const struct ec_wave *w, size_t i, char *buffer, size_t size)
{
    size_t more = i + 1;
    while (more < w->mark_count && w->marks[more].cycle == w->marks[i].cycle)
        more++;
    snprintf(buffer, size, "%c: %s", letter_of(w, i), w->marks[i].text);
    if (more > i + 1)
        ec_append(buffer, size, " and %zu more", more - i - 1);
    return more - i;
}

/* The name of this mark is always shown. */
static bool is_important(const struct ec_wave *w, size_t mark)
{
    return w->focus.cycle ? w->marks[mark].cycle == w->focus.cycle : w->marks[mark].requested;
}

/* GTKWave lets names overlap. Is there room for this one, centred on its line, after the last name
 * and next to the requested marks? */
static bool has_room(const struct ec_wave *w, size_t i, const char *name, double *end)
{
    const struct view v = view_of(w);
    const double per_cycle = pixels_of(&v), letter = LETTER_PIXELS;
    const double middle = (double)(w->marks[i].cycle - w->first) * per_cycle;
    const double half = letter * (double)(strlen(name) + 1) / 2;
    if (is_important(w, i)) {
        *end = middle + half;
        return true;
    }
    for (size_t k = 0; k < w->mark_count; k++) {
        char other[160];
        if (!is_important(w, k))
            continue;
        name_mark(w, k, other, sizeof other);
        const double there = (double)(w->marks[k].cycle - w->first) * per_cycle;
        if (fabs(there - middle) < half + letter * (double)(strlen(other) + 1) / 2)
            return false;
    }
    if (middle - half < *end)
        return false;
    *end = middle + half;
    return true;
}

/* A mark without room for its name shows its letter; "what happened when" lists all marks. */
static void put_markers(struct gtkw *x)
{
    const struct ec_wave *w = x->w;
    size_t used = 0;
    for (size_t i = 0; i < w->mark_count; i++) {
        if (i == 0 || w->marks[i].cycle != w->marks[i - 1].cycle) {
            fprintf(x->file, " %" PRIu64, w->marks[i].cycle);
            used++;
        }
    }
    for (; used < WAVE_MARKS_MAX; used++)
        fprintf(x->file, " -1");
    fputc('\n', x->file);
    double end = -INFINITY;
    char name[160];
    for (size_t i = 0; i < w->mark_count;) {
        const size_t count = name_mark(w, i, name, sizeof name);
        if (has_room(w, i, name, &end))
            fprintf(x->file, "[markername] %c%s\n", letter_of(w, i), name);
        i += count;
    }
}

static void put_gtkw_head(struct gtkw *x)
{
    const struct ec_wave *w = x->w;
    const struct view v = view_of(w);
    char cursor[24] = "-1";
    if (w->focus.cycle)
        snprintf(cursor, sizeof cursor, "%" PRIu64, w->focus.cycle);
    /* With its own name in it, GTKWave looks for the labels in the folder of the layout; without,
     * in the current folder. */
    fprintf(x->file, "[savefile] \"%s\"\n", x->name);
    fprintf(x->file, "[*] ecube: %s\n", w->title);
    fprintf(x->file, "[*] one unit of time is one cycle\n");
    /* A zoom of -Z shows 2^Z cycles in a frame, rounded down. */
    fprintf(x->file, "[timestart] %" PRIu64 "\n[size] 1500 900\n[pos] -1 -1\n*%.4f %s", v.start,
            -log2(v.frame + 0.01), cursor);
    put_markers(x);
    fprintf(x->file, "[sst_width] 10\n[signals_width] %d\n[sst_expanded] 0\n", names_width(w));
}

static void put_marks(struct gtkw *x)
{
    const struct ec_wave *w = x->w;
    if (w->mark_count == 0)
        return;
    begin_group(x, true, "what happened when");
    put_flags(x, COMMENT);
    for (size_t i = 0; i < w->mark_count; i++)
        fprintf(x->file, "-%c: cycle %" PRIu64 ", %s\n", letter_of(w, i), w->marks[i].cycle,
                w->marks[i].text);
    end_group(x, true, "what happened when");
}

/* --- The layout of a failure ---------------------------------------------------------------- */

/* GTKWave aligns names to the right, cuts them before their last dot, and makes the column as wide
 * as the longest name or comment. So: no indents, no dots, no long names. */

enum {
    ROWS_MOST = 32, /* of input VCs, on one screen */
    ROWS_FULL = 4,  /* of an input VC */
    ROWS_LEAST = 2, /* its front word and its state */
};

static void put_comment(struct gtkw *x, const char *text)
{
    put_flags(x, COMMENT);
    fprintf(x->file, "-%s\n", text);
}

/* "0 (0,0) local VC 0", of an input or output VC of the network. */
static void name_vc(const struct ec_wave *w, uint32_t node, unsigned vc, char *buffer, size_t size)
{
    story_name(w->story, (struct story_input){node, vc}, buffer, size);
}

/* One signal of an input or output VC. */
static void put_vc_signal(struct gtkw *x, uint32_t node, unsigned vc, unsigned kind, int color,
                          const char *alias, const char *name, unsigned width)
{
    char port[EC_NAME_SIZE], signal[32];
    ec_scope_name(x->w->t, node, x->scope, sizeof x->scope);
    ec_port_name(x->w->t, x->w->locals, vc / x->w->r->vcs, port, sizeof port);
    snprintf(signal, sizeof signal, "vc%u.%s", vc % x->w->r->vcs, name);
    put_trace(x, kind, color, alias, port, signal, width);
}

/* One input VC of the failure, in up to `rows` rows. */
static void put_focused(struct gtkw *x, size_t i, size_t rows)
{
    const struct story_input at = x->w->focus.inputs[i];
    char name[2 * EC_NAME_SIZE], alias[3 * EC_NAME_SIZE];
    name_vc(x->w, at.node, at.input, name, sizeof name);
    snprintf(alias, sizeof alias, "%zu: %s has", i + 1, name);
    if (rows > ROWS_LEAST)
        put_comment(x, "");
    put_vc_signal(x, at.node, at.input, ASCII, GREEN, alias, "front", 512);
    put_vc_signal(x, at.node, at.input, ASCII, RED, "state", "state", 512);
    if (rows >= ROWS_FULL)
        put_vc_signal(x, at.node, at.input, DECIMAL | RIGHT, BLUE, "places taken", "buffered", 16);
}

/* The credits that an output VC has left. */
static void put_credits(struct gtkw *x, uint32_t node, unsigned output)
{
    char name[2 * EC_NAME_SIZE], alias[3 * EC_NAME_SIZE];
    name_vc(x->w, node, output, name, sizeof name);
    snprintf(alias, sizeof alias, "credits of %s", name);
    put_vc_signal(x, node, output, DECIMAL | RIGHT, BLUE, alias, "credits", 16);
}

/* The words at the port of the failure, and the credits that it has left if it sends. */
static void put_place(struct gtkw *x)
{
    static const struct {
        uint8_t when;
        const char *side, *way;
    } sides[] = {{WAVE_IN_NEAR, "in", "into"}, {WAVE_OUT_NEAR, "out", "out of"}};
    const struct ec_wave *w = x->w;
    const unsigned port = w->focus.port;
    const uint32_t node = w->twins.nodes[0];
    char router[EC_NAME_SIZE], name[EC_NAME_SIZE], alias[3 * EC_NAME_SIZE];
    ec_topology_node_name(w->t, node, router, sizeof router);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (seen_at_port(w, 0, port) & (WAVE_IN_NEAR | WAVE_OUT_NEAR))
        put_comment(x, "");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        snprintf(alias, sizeof alias, "%s word %s %s", router, sides[i].way, name);
        if (seen_at_port(w, 0, port) & sides[i].when)
            put_trace(x, HEX | LABELLED, ORANGE, alias, name, sides[i].side, 64);
    }
    for (unsigned vc = 0; port < w->twins.links && vc < w->r->vcs; vc++) {
        if (*wave_seen(w, 0, port, vc) & WAVE_OUT_NEAR)
            put_credits(x, node, port * w->r->vcs + vc);
    }
}

/* Does a credit go back from an input VC at that port, and how many has its sender left? */
static void put_way_back(struct gtkw *x, unsigned vc)
{
    const struct ec_wave *w = x->w;
    const unsigned port = w->focus.port;
    const uint32_t node = w->twins.nodes[0];
    const uint32_t peer = port < w->twins.links ? ec_topology_neighbor(w->t, node, port) : EC_NONE;
    put_vc_signal(x, node, port * w->r->vcs + vc, BIT, YELLOW, "credit back to the sender",
                  "returned", 1);
    if (peer != EC_NONE && w->twins.slot[peer] != EC_NONE)
        put_credits(x, peer, ec_topology_back(w->t, node, port) * w->r->vcs + vc);
}

/* The buffers, in as many rows each as fit on the screen; those at the port of the failure in full.
 */
static void put_buffers(struct gtkw *x)
{
    const struct wave_focus *f = &x->w->focus;
    size_t shown = f->count;
    char more[64];
    if (shown > ROWS_MOST / ROWS_LEAST)
        shown = ROWS_MOST / ROWS_LEAST;
    snprintf(more, sizeof more, "%zu more buffers", f->count - shown);
    for (size_t i = 0; i < f->count; i++) {
        const unsigned port = f->inputs[i].input / x->w->r->vcs;
        const bool named = !f->chain && port == f->port;
        if (i == shown)
            begin_group(x, true, more);
        put_focused(x, i, named ? ROWS_FULL : ROWS_MOST / shown);
        if (named)
            put_way_back(x, f->inputs[i].input % x->w->r->vcs);
    }
    if (f->count > shown)
        end_group(x, true, more);
}

static void put_failure(struct gtkw *x)
{
    const struct wave_focus *f = &x->w->focus;
    ec_scope_name(x->w->t, x->w->twins.nodes[0], x->scope, sizeof x->scope);
    put_flags(x, ASCII);
    fprintf(x->file, "[color] %d\n+{FAILURE} %s.ec_tile.failure[1023:0]\n", RED, x->scope);
    put_comment(x, "1 ns is 1 cycle");
    put_comment(x, "#3.2: packet 3, word 2");
    if (f->chain)
        put_comment(x, "each waits for the next");
    else if (f->port < x->w->ports)
        put_place(x);
    put_buffers(x);
    put_comment(x, "");
}

static const char *without_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void wave_put_gtkw(const struct ec_wave *w, FILE *file)
{
    struct gtkw x = {.w = w,
                     .file = file,
                     .name = without_folder(w->path[WAVE_GTKW]),
                     .labels = without_folder(w->path[WAVE_LABELS])};
    put_gtkw_head(&x);
    if (w->focus.cycle)
        put_failure(&x);
    put_marks(&x);
    for (size_t slot = 0; slot < w->twins.count; slot++)
        put_router(&x, slot, w->focus.cycle > 0);
}

/* --- Labels --------------------------------------------------------------------------------- */

/* One colour per packet, dark enough for white text. */
static const char *packet_color(const struct ec_word_layout *l, uint64_t word)
{
    static const char *const colors[] = {"SteelBlue", "DarkOrange4",   "SeaGreen",  "MediumPurple4",
                                         "firebrick", "DarkSlateGray", "DeepPink4", "RoyalBlue4"};
    const uint64_t packet = ec_word_number(l, word);
    return colors[(ec_word_src(l, word) + 3 * packet) % (sizeof colors / sizeof *colors)];
}

void wave_put_labels(const struct ec_wave *w, FILE *file)
{
    const struct ec_word_layout l = ec_word_layout(w->t->address_bits, w->twins.vcs);
    fprintf(file, "# words, addresses and ports as text, for the layout of %s\n",
            w->path[WAVE_DUMP]);
    fprintf(file, "0000000000000000 -\nFF -\n");
    for (size_t i = 0; i < w->word_count; i++) {
        const uint64_t word = w->words[i];
        char name[EC_NAME_SIZE];
        ec_word_name(w->t, &l, word, name, sizeof name);
        if (w->twins.vcs > 1)
            ec_append(name, sizeof name, " v%u", ec_word_vc(word, w->twins.vcs));
        fprintf(file, "%016" PRIX64 " ?%s?%s%s%s\n", word, packet_color(&l, word),
                ec_word_head(word) ? "[" : "", name, ec_word_tail(word) ? "]" : "");
    }
    for (unsigned port = 0; port < w->twins.ports; port++) {
        char name[EC_NAME_SIZE];
        const unsigned outside = ec_port_outside(&w->twins.map, port);
        if (outside >= w->ports)
            continue;
        ec_port_name(w->t, w->locals, outside, name, sizeof name);
        fprintf(file, "%02X %s\n", port, name);
    }
    for (uint32_t node = 0; node < w->t->routers; node++) {
        char name[EC_NAME_SIZE];
        ec_topology_node_name(w->t, node, name, sizeof name);
        fprintf(file, "%0*X %s\n", l.address_bits / 4, ec_topology_address(w->t, node), name);
    }
}

/* --- Surfer --------------------------------------------------------------------------------- */

/* A command file: the commands (divider_add, variable_add, zoom_fit) are more stable than the state
 * files of Surfer. */
static void surfer_signal(FILE *file, const char *scope, const char *port, const char *signal)
{
    fprintf(file, "variable_add %s.ec_tile.%s.%s\n", scope, port, signal);
}

static void surfer_word(FILE *file, const char *scope, const char *port, const char *side)
{
    static const char *const fields[] = {"valid", "head", "tail",   "vc",
                                         "src",   "dst",  "packet", "word"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char signal[32];
        snprintf(signal, sizeof signal, "%s_word.%s", side, fields[i]);
        surfer_signal(file, scope, port, signal);
    }
}

static void surfer_port(const struct ec_wave *w, FILE *file, size_t slot, unsigned port)
{
    char scope[EC_NAME_SIZE], name[EC_NAME_SIZE];
    const uint8_t seen = seen_at_port(w, slot, port);
    if (!seen)
        return;
    ec_scope_name(w->t, w->twins.nodes[slot], scope, sizeof scope);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    if (seen & WAVE_IN)
        surfer_word(file, scope, name, "in");
    if (seen & WAVE_OUT)
        surfer_word(file, scope, name, "out");
    for (unsigned vc = 0; vc < w->twins.vcs; vc++) {
        static const char *const rows[] = {"contended", "starved", "want", "buffered", "credits"};
        if (!*wave_seen(w, slot, port, vc))
            continue;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char signal[32];
            snprintf(signal, sizeof signal, "vc%u.%s", vc, rows[i]);
            surfer_signal(file, scope, name, signal);
        }
    }
}

static void surfer_text(FILE *file, const char *signal)
{
    fprintf(file, "variable_add %s\nitem_set_format ASCII\n", signal);
}

static void surfer_failure(const struct ec_wave *w, FILE *file)
{
    char scope[EC_NAME_SIZE], port[EC_NAME_SIZE], signal[4 * EC_NAME_SIZE];
    ec_scope_name(w->t, w->twins.nodes[0], scope, sizeof scope);
    snprintf(signal, sizeof signal, "%s.ec_tile.failure", scope);
    surfer_text(file, signal);
    for (size_t i = 0; i < w->focus.count; i++) {
        const struct story_input at = w->focus.inputs[i];
        char name[2 * EC_NAME_SIZE];
        name_vc(w, at.node, at.input, name, sizeof name);
        ec_scope_name(w->t, at.node, scope, sizeof scope);
        ec_port_name(w->t, w->locals, at.input / w->r->vcs, port, sizeof port);
        fprintf(file, "divider_add %zu: %s\n", i + 1, name);
        for (unsigned k = 0; k < 2; k++) {
            snprintf(signal, sizeof signal, "%s.ec_tile.%s.vc%u.%s", scope, port,
                     at.input % w->r->vcs, k ? "state" : "front");
            surfer_text(file, signal);
        }
        snprintf(signal, sizeof signal, "vc%u.buffered", at.input % w->r->vcs);
        surfer_signal(file, scope, port, signal);
    }
}

/* The same part of the dump as in GTKWave. */
static void surfer_view(const struct ec_wave *w, FILE *file)
{
    const struct view v = view_of(w);
    if (!w->focus.cycle) {
        fprintf(file, "zoom_fit\n");
        return;
    }
    fprintf(file, "cursor_set %" PRIu64 "\nzoom_to %" PRIu64 " %" PRIu64 "\n", w->focus.cycle,
            v.start, v.start + (uint64_t)(v.screen / pixels_of(&v)));
}

void wave_put_surfer(const struct ec_wave *w, FILE *file)
{
    for (size_t i = 0; i < w->mark_count; i++)
        fprintf(file, "divider_add cycle %" PRIu64 ": %s\n", w->marks[i].cycle, w->marks[i].text);
    if (w->focus.cycle)
        surfer_failure(w, file);
    for (size_t slot = 0; !w->focus.cycle && slot < w->twins.count; slot++) {
        char name[EC_NAME_SIZE];
        ec_topology_node_name(w->t, w->twins.nodes[slot], name, sizeof name);
        fprintf(file, "divider_add router %s\n", name);
        for (unsigned port = 0; port < w->ports; port++)
            surfer_port(w, file, slot, port);
    }
    surfer_view(w, file);
}
