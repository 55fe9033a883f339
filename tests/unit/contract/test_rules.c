/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the contract against hand-made sequences: sound ones, and one for every kind of
 * breach, which must be found in its cycle, at its place and in the right words.
 *
 * The router is the middle one of mesh:3: port 0 leads to node 2, port 1 to node 0, port 2 is the
 * local one. A sequence has one part per cycle, separated by '|':
 *
 *   1>A0    word 0 of packet A is on the channel into port 1 (1.1>A0: on VC 1)
 *   A0>0    word 0 of packet A is on the channel out of port 0 (A0>0.1: on VC 1)
 *   +0 1+   a credit arrives for output 0; a credit is returned for input 1
 *   c1>0    the front word of input 1 is contended and wants port 0 (s1>0: starved)
 *   z       the router is not shown: it sleeps in this cycle
 *   *9      nine cycles in which nothing happens
 *   end     the traffic is over; still: nothing has moved for long
 *
 * With several stages, the credit for an input shows the grant. */
#include "contract/rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"
#include "unit.h"

enum { HERE = 1, PORTS = 64, VCS = 4, CYCLES = 100 };

/* Packets, by letter. K and L have the same words; X is known to no node, and Z leads to none. */
static const struct {
    char letter;
    uint32_t src, dst, words, number;
} packets[] = {
    {'A', 0, 2, 3, 1},  {'B', 0, 2, 1, 2}, {'C', 1, 2, 2, 3},  {'D', 1, 2, 1, 4},
    {'E', 0, 1, 2, 5},  {'K', 0, 2, 2, 6}, {'L', 0, 2, 2, 6},  {'X', 0, 2, 3, 7},
    {'M', 2, 1, 2, 8},  {'G', 1, 0, 1, 9}, {'H', 2, 0, 2, 10}, {'N', 0, 2, 1, 11},
    {'Z', 0, 3, 1, 12},
};

/* What is on all pins in one cycle. */
struct pins {
    uint64_t in_word[PORTS], out_word[PORTS], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS], contended[VCS], starved[VCS];
    uint8_t want[PORTS * VCS];
    bool asleep, end, still;
};

struct sequence {
    const char *name, *router, *text;
};

struct broken {
    struct sequence s;
    enum rules_kind kind;
    uint64_t cycle;
    const char *place; /* "input 1", "output 0.1" */
    const char *what;  /* words of it, separated by '|' */
};

static uint64_t word_of(const char *name, unsigned vc)
{
    const uint32_t k = (uint32_t)(name[1] - '0');
    for (size_t i = 0; i < COUNT(packets); i++) {
        if (packets[i].letter == name[0])
            return ec_word_pack(&narrow, k == 0, k + 1 == packets[i].words, vc, packets[i].dst,
                                packets[i].src, packets[i].number << 13 | k);
    }
    fail_msg("no packet %s", name);
    return 0;
}

/* "1" or "1.2" at *text, which moves behind it. */
static unsigned read_port(const char **text, unsigned *ret_vc)
{
    char *end;
    const unsigned port = (unsigned)strtoul(*text, &end, 10);
    *ret_vc = *end == '.' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
    *text = end;
    return port;
}

static void read_token(const char *token, struct pins *p)
{
    const char *at = token;
    unsigned vc;
    if (strcmp(token, "z") == 0) {
        p->asleep = true;
    } else if (strcmp(token, "end") == 0) {
        p->end = true;
    } else if (strcmp(token, "still") == 0) {
        p->still = true;
    } else if (*at == '+') {
        at++;
        const unsigned port = read_port(&at, &vc);
        p->in_credit[vc] |= UINT64_C(1) << port;
    } else if (isupper((unsigned char)*at)) {
        at += 3;
        const unsigned port = read_port(&at, &vc);
        p->out_word[port] = word_of(token, vc);
        p->out_valid |= UINT64_C(1) << port;
    } else if (*at == 'c' || *at == 's') {
        at++;
        const unsigned port = read_port(&at, &vc);
        (*token == 'c' ? p->contended : p->starved)[vc] |= UINT64_C(1) << port;
        p->want[port * (unsigned)p->in_word[PORTS - 1] + vc] = (uint8_t)atoi(at + 1);
    } else {
        const unsigned port = read_port(&at, &vc);
        if (*at == '+') {
            p->out_credit[vc] |= UINT64_C(1) << port;
        } else {
            p->in_word[port] = word_of(at + 1, vc);
            p->in_valid |= UINT64_C(1) << port;
        }
    }
}

/* The pins of cycles 1, 2, ...; their number. */
static unsigned read_sequence(const char *text, unsigned vcs, struct pins *cycles)
{
    char copy[600], *rest = copy;
    unsigned count = 0;
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char *part; (part = strsep(&rest, "|"));) {
        if (*part == '*')
            count += (unsigned)atoi(part + 1);
        if (*part == '*')
            continue;
        struct pins *p = &cycles[++count];
        assert_true(count < CYCLES - 1);
        p->in_word[PORTS - 1] = vcs; /* for `want`; the port does not exist */
        for (char *token; (token = strsep(&part, " "));) {
            if (*token)
                read_token(token, p);
        }
    }
    return count;
}

/* Inputs of cycle c, outputs of cycle c + 1. */
static void see(struct rules *rules, const struct pins *cycles, uint64_t c)
{
    const struct pins *now = &cycles[c], *next = &cycles[c + 1];
    if (!now->asleep)
        rules_see(rules, &(struct ec_net_seen){.cycle = c,
                                               .node = HERE,
                                               .in_word = now->in_word,
                                               .in_credit = now->in_credit,
                                               .in_valid = now->in_valid,
                                               .out_word = next->out_word,
                                               .out_credit = next->out_credit,
                                               .out_valid = next->out_valid,
                                               .contended = next->contended,
                                               .starved = next->starved,
                                               .want = next->want});
    rules_cycle(rules, c);
    if (now->end)
        rules_end(rules, c);
    if (now->still)
        rules_still(rules, c, 5);
}

/* Plays a sequence; *ret has its first breach, text its words. False: there is none. After a reset
 * it is the same. `only`: the router is shown alone, not as one of the network. */
static bool play_once(const struct sequence *s, bool is_foreign, bool only,
                      struct rules_breach *ret, char *text, size_t size)
{
    const struct ec_topology t = topology_of("mesh:3");
    const struct rules_options options = {.foreign = is_foreign, .taps = !is_foreign};
    struct ec_router r = router_of(s->router, &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, only ? HERE : EC_NONE, options);
    assert_true(cycles && rules);
    r.packet = 3;
    const unsigned count = read_sequence(s->text, r.vcs, cycles);
    bool found = false;
    for (unsigned again = 0; again < 2; again++) {
        for (uint64_t c = 1; c <= count; c++)
            see(rules, cycles, c);
        const struct rules_breach *b = rules_breach(rules);
        if (again && (found != (b != NULL) || (b && strcmp(b->what, ret->what) != 0)))
            fail_msg("%s: after a reset: %s", s->name, b ? b->what : "no breach");
        if (b) {
            rules_text(rules, b, text, size);
            *ret = *b;
        }
        found = b != NULL;
        rules_reset(rules);
        assert_null(rules_breach(rules));
    }
    rules_close(rules);
    free(cycles);
    return found;
}

static bool play(const struct sequence *s, bool is_foreign, struct rules_breach *ret, char *text,
                 size_t size)
{
    struct rules_breach whole;
    char words[600];
    const bool found = play_once(s, is_foreign, true, ret, text, size);
    if (play_once(s, is_foreign, false, &whole, words, sizeof words) != found)
        fail_msg("%s: as one of a network: %s", s->name, found ? "no breach" : words);
    if (found && strcmp(words, text) != 0)
        fail_msg("%s: as one of a network: %s", s->name, words);
    return found;
}

static void assert_sound(const struct sequence *s, bool is_foreign)
{
    struct rules_breach b;
    char text[600];
    if (play(s, is_foreign, &b, text, sizeof text))
        fail_msg("%s: expected no breach; got %s", s->name, text);
}

static void assert_broken(const struct broken *x, bool is_foreign)
{
    struct rules_breach b;
    char text[600], place[40], words[200], *rest = words;
    if (!play(&x->s, is_foreign, &b, text, sizeof text))
        fail_msg("%s: no breach found", x->s.name);
    snprintf(place, sizeof place, "%s %u", b.input ? "input" : "output", b.port);
    if (strchr(x->place, '.'))
        snprintf(place + strlen(place), sizeof place - strlen(place), ".%u", b.vc);
    if (b.kind != x->kind || b.cycle != x->cycle || b.node != HERE || strcmp(place, x->place) != 0)
        fail_msg("%s: expected kind %d, cycle %u, %s; got kind %d, %s", x->s.name, (int)x->kind,
                 (unsigned)x->cycle, x->place, (int)b.kind, text);
    snprintf(words, sizeof words, "%s", x->what);
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(b.what, word))
            fail_msg("%s: '%s' is not in: %s", x->s.name, word, text);
    }
}

/* Sound by both strictnesses. */
static const struct sequence sound[] = {
    {"a packet passes at full rate", "depth=4",
     "1>A0 | A0>0 1+ 1>A1 | A1>0 1+ 1>A2 +0 | A2>0 1+ +0 | +0 | end"},
    {"a packet of one word ends here", "depth=4", "1>E0 | E0>2 1+ 1>E1 | E1>2 1+ +2 | +2 | end"},
    {"depth 1 has a word in every other cycle", "depth=1",
     "1>A0 | A0>0 1+ | 1>A1 +0 | A1>0 1+ | +0 1>A2 | A2>0 1+ | +0 | end"},
    {"a word waits for a credit", "depth=1",
     "1>A0 | A0>0 1+ | 1>A1 | s1>0 | s1>0 +0 | A1>0 1+ | +0 1>A2 | A2>0 1+ | +0 | end"},
    {"two packets take turns from the pointer on", "depth=4",
     "1>B0 2>D0 | B0>0 1+ c2>0 | +0 D0>0 2+ | 1>B0 2>D0 +0 | B0>0 1+ c2>0 | +0 D0>0 2+ | +0 | end"},
    {"the holder keeps the output", "depth=4",
     "1>A0 2>D0 | A0>0 1+ c2>0 | c2>0 1>A1 +0 | c2>0 A1>0 1+ 1>A2 | A2>0 1+ c2>0 +0 | D0>0 2+ +0 |"
     "+0 | end"},
    {"packets on two virtual channels alternate", "vcs=2,depth=4",
     "1.0>A0 2.1>C0 | A0>0.0 1.0+ c2.1>0 1.0>A1 | C0>0.1 2.1+ c1.0>0 2.1>C1 | A1>0.0 1.0+ 1.0>A2"
     " c2.1>0 +0.0 +0.1 | C1>0.1 2.1+ c1.0>0 | A2>0.0 1.0+ +0.0 +0.1 | +0.0 | end"},
    {"store-and-forward waits for the tail", "depth=4,switching=store-and-forward",
     "1>A0 | s1>0 1>A1 | s1>0 1>A2 | A0>0 1+ | A1>0 1+ | A2>0 1+ +0 | +0 | +0 | end"},
    {"cut-through waits for room for a packet", "depth=4,switching=cut-through",
     "1>B0 | B0>0 1+ 1>B0 | B0>0 1+ 1>B0 | s1>0 | s1>0 +0 | B0>0 1+ +0 | +0 | end"},
    {"one virtual channel: its field is kept, and not read", "depth=4",
     "1.2>B0 | B0>0.2 1+ | +0 | end"},
    {"store-and-forward waits for the tail of each packet", "depth=4,switching=store-and-forward",
     "1>B0 | B0>0 1+ 1>A0 | s1>0 1>A1 +0 | s1>0 1>A2 | A0>0 1+ | A1>0 1+ +0 | A2>0 1+ +0 | +0 |"
     "end"},
    {"two stages: a packet at full rate", "depth=4,stages=2",
     "1>A0 | 1+ 1>A1 | A0>0 1+ 1>A2 | A1>0 1+ +0 | A2>0 +0 | +0 | end"},
    {"two stages, depth 1: a word in every third cycle", "depth=1,stages=2",
     "1>A0 | 1+ | A0>0 1>A1 | s1>0 +0 | 1+ | A1>0 1>A2 | s1>0 +0 | 1+ | A2>0 | +0 | end"},
    {"two stages: two packets take turns", "depth=4,stages=2",
     "1>B0 2>D0 | 1+ c2>0 | B0>0 2+ | D0>0 +0 1>B0 | 1+ +0 | B0>0 | +0 | z | end"},
    {"two stages: two virtual channels alternate", "vcs=2,depth=4,stages=2",
     "1.0>A0 2.1>C0 | 1.0+ c2.1>0 1.0>A1 | A0>0.0 2.1+ c1.0>0 2.1>C1 |"
     "C0>0.1 1.0+ 1.0>A2 c2.1>0 +0.0 | A1>0.0 2.1+ c1.0>0 +0.1 | C1>0.1 1.0+ +0.0 |"
     "A2>0.0 +0.1 | +0.0 | end"},
    {"three stages: a packet at full rate", "depth=4,stages=3",
     "1>A0 | 1>A1 | 1+ 1>A2 | A0>0 1+ | A1>0 1+ +0 | A2>0 +0 | +0 | end"},
    {"three stages: a word behind a gap", "depth=4,stages=3",
     "1>A0 | | 1+ 1>A1 | A0>0 | 1+ 1>A2 +0 | A1>0 | 1+ +0 | A2>0 | +0 | end"},
    {"three stages: store-and-forward waits for the tail",
     "depth=4,stages=3,switching=store-and-forward",
     "1>A0 | 1>A1 | s1>0 1>A2 | s1>0 | 1+ | A0>0 1+ | A1>0 1+ | A2>0 +0 | +0 | +0 | end"},
};

/* Sound for foreign routers only. */
static const struct sequence loose[] = {
    {"a pipeline: the credit comes back before the word leaves", "depth=4",
     "1>A0 | 1+ 1>A1 | 1+ | A0>0 1>A2 | A1>0 1+ +0 | +0 | A2>0 | +0 | end"},
    {"a credit before its word leaves makes room", "depth=1",
     "1>A0 | 1+ | 1>A1 | A0>0 | +0 1+ | A1>0 1>A2 | +0 1+ | A2>0 | +0 | end"},
    {"credits come back late", "depth=4",
     "1>A0 | A0>0 | 1>A1 +0 | A1>0 | 1+ 1>A2 +0 | A2>0 | 1+ +0 | 1+ | end"},
    {"any arbitration", "depth=4", "1>B0 2>D0 | D0>0 2+ | B0>0 1+ +0 | +0 | end"},
    {"a packet overtakes another one that leads elsewhere", "depth=4",
     "2>G0 | 2>D0 | D0>0 | 2+ +0 | G0>1 | 2+ +1 | end"},
    {"a word leaves with the one behind it", "depth=4",
     "1>B0 | 1>E0 | E0>2 B0>0 | 1+ 1>E1 | 1+ E1>2 +0 | 1+ +2 | +2 | end"},
    {"equal words: the other one left", "depth=4",
     "1>K0 2>L0 | | K0>0 | 1+ 2>L1 | +0 1>K1 | K1>0 | 1+ | +0 L0>0 | 2+ | +0 L1>0 | 2+ | +0 | end"},
    {"equal words: the second one left first", "depth=4",
     "1>K0 2>L0 | 2>L1 | K0>0 | L1>0 2+ | +0 2+ | +0 K0>0 | 1+ +0 1>K1 | K1>0 | 1+ +0 | end"},
    {"a credit may still be on its way", "depth=4", "1>B0 | B0>0 | +0 | | still"},
    {"a credit comes in the last cycle", "depth=4", "1>B0 | B0>0 | +0 |*62| 1+ | end"},
};

static const struct broken exact[] = {
    {{"a forgotten credit", "depth=1", "1>A0 | A0>0 1+ | +0 1>A1 | s1>0 | s1>0"},
     RULES_HELD_BACK,
     4,
     "output 0",
     "could leave and does not, with 1 of 1 credits free: the router forgot a credit (the last one "
     "came back in cycle 3)"},
    {{"a grant without a reason to wait", "depth=4", "1>A0 | s1>0 |"},
     RULES_HELD_BACK,
     2,
     "output 0",
     "with 4 of 4 credits free"},
    {{"a lock that is not released", "depth=4", "1>B0 | B0>0 1+ 2>D0 | c2>0 |"},
     RULES_HELD_BACK,
     3,
     "output 0",
     "could leave and does not: the router|another packet (the last tail left in cycle 2)"},
    {{"a word without a credit", "depth=1", "1>A0 | A0>0 1+ | 1>A1 | A1>0 1+ |"},
     RULES_NO_CREDIT,
     4,
     "output 0",
     "leaves without a credit|no credit has come back"},
    {{"a credit counted twice", "depth=2",
      "1>A0 | A0>0 1+ 1>A1 | A1>0 1+ +0 1>A2 | A2>0 1+ 1>B0 | B0>0 1+ |"},
     RULES_NO_CREDIT,
     5,
     "output 0",
     "leaves without a credit|counted twice|cycle 3"},
    {{"a head before its tail", "depth=4,switching=store-and-forward",
      "1>A0 | s1>0 1>A1 | A0>0 1+ |"},
     RULES_TOO_EARLY,
     3,
     "output 0",
     "before its tail has arrived"},
    {{"a head without room for its packet", "depth=4,switching=cut-through",
      "1>B0 | B0>0 1+ 1>B0 | B0>0 1+ 1>B0 | B0>0 1+ |"},
     RULES_TOO_EARLY,
     4,
     "output 0",
     "leaves with 2 credits, cut-through needs 3"},
    {{"the wrong turn of the arbiter", "depth=4", "1>B0 2>D0 | D0>0 2+ c1>0 |"},
     RULES_ORDER,
     2,
     "output 0",
     "granted to input local instead of input -x|round robin"},
    {{"the wrong turn of the arbiter, with credits for a packet and no more",
      "depth=4,switching=cut-through", "1>B0 | B0>0 1+ 1>B0 2>D0 | B0>0 1+ c2>0 |"},
     RULES_ORDER,
     3,
     "output 0",
     "granted to input -x instead of input local (round robin)"},
    {{"the wrong turn of the arbiter between virtual channels", "vcs=2,depth=4",
      "1.1>B0 2.0>D0 | D0>0.0 2.0+ c1.1>0 |"},
     RULES_ORDER,
     2,
     "output 0.1",
     "the link is granted to input local VC 0 instead of input -x VC 1 (round robin)"},
    {{"the wrong turn, or a forgotten credit", "vcs=2,depth=4",
      "2.1>D0 | D0>0.1 2.1+ | +0.1 1.1>B0 2.0>D0 | D0>0.0 2.0+ c1.1>0 |"},
     RULES_ORDER,
     4,
     "output 0.1",
     "the link is granted to input local VC 0 instead of input -x VC 1 (round robin, or a credit "
     "of "
     "VC 1 was forgotten: the last one came back in cycle 3)"},
    {{"the word whose turn it is gets lost", "depth=4", "1>B0 2>D0 | D0>0 1+ 2+ |"},
     RULES_LOST,
     2,
     "input 1",
     "word head tail 0->2 #2.0 is removed from its buffer but does not leave: word head tail 1->2 "
     "#4.0 leaves"},
    {{"an altered word beside a right one", "depth=4", "1>E0 2>G0 | G0>1 X0>2 1+ 2+ |"},
     RULES_WORD,
     2,
     "output 2",
     "word head 0->1 #5.0 leaves as word head 0->2 #7.0 (altered)"},
    {{"the first port without a link", "depth=4", "1>A0 | A0>3 1+ |"},
     RULES_PORT,
     2,
     "output 3",
     "a port without a link"},
    {{"a credit on the first port without a link", "depth=4", "1>A0 | A0>0 1+ 3+ |"},
     RULES_CREDIT_TWICE,
     2,
     "input 3",
     "a port without a link"},
    {{"a wrong turn", "depth=4", "1>A0 | A0>2 1+ |"},
     RULES_PORT,
     2,
     "output 2",
     "wrong turn|belongs to port +x"},
    {{"a port without a link", "depth=4", "1>A0 | A0>5 1+ |"},
     RULES_PORT,
     2,
     "output 5",
     "a port without a link"},
    {{"a wrong VC", "vcs=2,depth=4", "1.0>A0 | A0>0.1 1.0+ |"},
     RULES_VC,
     2,
     "output 0.1",
     "leaves on VC 1 instead of VC 0"},
    {{"mixed packets", "depth=4", "1>A0 | A0>0 1+ 2>D0 | D0>0 2+ |"},
     RULES_MIXED,
     3,
     "output 0",
     "packets are mixed|inside another packet"},
    {{"an altered word", "depth=4", "1>A0 | X0>0 1+ |"},
     RULES_WORD,
     2,
     "output 0",
     "word head 0->2 #1.0 leaves as word head 0->2 #7.0 (altered)"},
    {{"an invented word", "depth=4", "1>E0 | E0>2 1+ X0>0 |"},
     RULES_WORD,
     2,
     "output 0",
     "no buffer has it at its front"},
    {{"a duplicated word", "depth=4", "1>A0 | A0>0 1+ | A0>0 |"},
     RULES_WORD,
     3,
     "output 0",
     "a second time|left input -x in cycle 2"},
    {{"a word that leaves twice at once", "depth=4", "1>A0 | A0>0 A0>1 1+ |"},
     RULES_WORD,
     2,
     "output 1",
     "a second time"},
    {{"a word that leaves twice at once, first by the right port", "depth=4",
      "1>E0 | E0>2 E0>1 1+ |"},
     RULES_WORD,
     2,
     "output 1",
     "leaves by output local and a second time"},
    {{"a swallowed word", "depth=4", "1>A0 | 1+ |"},
     RULES_LOST,
     2,
     "input 1",
     "removed from its buffer but does not leave"},
    {{"a word that was not stored", "depth=4", "1>A0 | |"},
     RULES_LOST,
     2,
     "input 1",
     "is not in its buffer"},
    {{"a lost front word", "depth=4",
      "2>C0 | C0>0 2+ 1>A0 | c1>0 1>A1 | c1>0 2>C1 | C1>0 2+ c1>0 | A1>0 1+ |"},
     RULES_LOST,
     6,
     "input 1",
     "word 0->2 #1.1 leaves: the word in front of it is lost (head 0->2 #1.0)"},
    {{"a credit that is not returned", "depth=4", "1>A0 | A0>0 |"},
     RULES_CREDIT_MISSING,
     2,
     "input 1",
     "no credit is returned for it"},
    {{"a credit for an empty buffer", "depth=4", "1>B0 | B0>0 1+ | 1+ |"},
     RULES_CREDIT_TWICE,
     3,
     "input 1",
     "the buffer is empty; the last word left in cycle 2"},
    {{"a credit twice while the next word waits", "depth=1",
      "1>A0 | A0>0 1+ | 1>A1 | s1>0 1+ | s1>0"},
     RULES_CREDIT_TWICE,
     4,
     "input 1",
     "no word leaves|#1.1"},
    {{"a credit on a port without a link", "depth=4", "1>A0 | A0>0 1+ 6+ |"},
     RULES_CREDIT_TWICE,
     2,
     "input 6",
     "a port without a link"},
    {{"a router that sleeps with a word", "depth=1", "1>A0 | A0>0 1+ | 1>A1 | s1>0 | s1>0 z | |"},
     RULES_ASLEEP,
     5,
     "input 1",
     "sleeps with a word|#1.1|since cycle 4"},
    {{"contention that is not shown", "depth=4", "1>B0 2>D0 | B0>0 1+ s2>0 |"},
     RULES_TAP,
     2,
     "input 2",
     "contended_o is 0: expected 1"},
    {{"a word that waits for a holder and is not contended", "vcs=2,depth=4",
      "2.0>C0 | C0>0.0 2.0+ 1.0>B0 | |"},
     RULES_TAP,
     3,
     "input 1",
     "contended_o is 0: expected 1 (output +x VC 0 is held by input local VC 0)"},
    {{"a word that moves and is starved", "depth=4", "1>B0 | B0>0 1+ s1>0 |"},
     RULES_TAP,
     2,
     "input 1",
     "starved_o is 1: expected 0"},
    {{"a wrong port wanted", "depth=4", "1>B0 2>D0 | B0>0 1+ c2>1 |"},
     RULES_TAP,
     2,
     "input 2",
     "want_o is 1: expected 0"},
    {{"two stages: a word is lost behind its grant", "depth=4,stages=2", "1>A0 | 1+ | |"},
     RULES_LOST,
     3,
     "input 1",
     "was granted output +x in the cycle before, but is not on it"},
    {{"two stages: a word without a grant", "depth=4,stages=2", "1>A0 | A0>0 |"},
     RULES_WORD,
     2,
     "output 0",
     "leaves, but was not granted the output"},
    {{"two stages: a wrong turn behind the grant", "depth=4,stages=2", "1>A0 | 1+ | A0>2 |"},
     RULES_PORT,
     3,
     "output 2",
     "wrong turn|belongs to port +x"},
    {{"two stages: a wrong VC behind the grant", "vcs=2,depth=4,stages=2",
      "1.0>A0 | 1.0+ | A0>0.1 |"},
     RULES_VC,
     3,
     "output 0.1",
     "leaves on VC 1 instead of VC 0"},
    {{"two stages: an altered word", "depth=4,stages=2", "1>A0 | 1+ | X0>0 |"},
     RULES_WORD,
     3,
     "output 0",
     "word head 0->2 #1.0 leaves as word head 0->2 #7.0 (altered)"},
    {{"two stages: a grant without a credit", "depth=1,stages=2", "1>A0 | 1+ | A0>0 1>A1 | 1+ |"},
     RULES_NO_CREDIT,
     4,
     "output 0",
     "is granted output +x without a credit|no credit has come back"},
    {{"two stages: a grant inside another packet", "depth=4,stages=2",
      "1>A0 | 1+ 2>D0 | A0>0 2+ |"},
     RULES_MIXED,
     3,
     "output 0",
     "word head tail 1->2 #4.0 is granted output +x, which input -x holds"},
    {{"two stages: a grant inside another packet of this VC", "vcs=2,depth=4,stages=2",
      "1.0>A0 | 1.0+ 2.0>D0 | A0>0.0 2.0+ |"},
     RULES_MIXED,
     3,
     "output 0.0",
     "word head tail 1->2 #4.0 is granted output +x VC 0, which input -x VC 0 holds"},
    {{"two stages: the first port without a link", "depth=4,stages=2", "1>A0 | 1+ 3+ |"},
     RULES_CREDIT_TWICE,
     2,
     "input 3",
     "a port without a link"},
    {{"two stages: the wrong turn of the arbiter", "depth=4,stages=2", "1>B0 2>D0 | 2+ c1>0 |"},
     RULES_ORDER,
     2,
     "output 0",
     "granted to input local instead of input -x|round robin"},
    {{"two stages: a grant is missing", "depth=4,stages=2", "1>A0 | s1>0 |"},
     RULES_HELD_BACK,
     2,
     "output 0",
     "with 4 of 4 credits free"},
    {{"two stages: a credit for an empty buffer", "depth=4,stages=2", "1>B0 | 1+ | B0>0 1+ |"},
     RULES_CREDIT_TWICE,
     3,
     "input 1",
     "the buffer is empty"},
    {{"two stages: sleep with a word on its way out", "depth=4,stages=2", "1>B0 | 1+ z | |"},
     RULES_ASLEEP,
     2,
     "input 1",
     "quiet_o is wrong"},
    {{"three stages: a word skips the first one", "depth=4,stages=3", "1>A0 | 1+ |"},
     RULES_TOO_EARLY,
     2,
     "input 1",
     "still in the route stage"},
    {{"three stages: the tail is not in the buffer yet",
      "depth=4,stages=3,switching=store-and-forward", "1>A0 | 1>A1 | s1>0 1>A2 | 1+ |"},
     RULES_TOO_EARLY,
     4,
     "output 0",
     "before its tail has arrived"},
};

static const struct broken foreign[] = {
    {{"a way back", "depth=4", "1>E0 | E0>1 1+ |"},
     RULES_PORT,
     2,
     "output 1",
     "wrong turn|belongs to port local"},
    {{"a body flit whose head went elsewhere", "vcs=2,depth=4",
      "1.0>A0 | A0>0.1 1.0+ 1.0>A1 | A1>0.0 1.0+ |"},
     RULES_VC,
     2,
     "output 0.1",
     "wrong VC"},
    {{"a word overtakes", "depth=4", "1>E0 1>E0 | s1>2 1>E1 | E1>2 1+ |"},
     RULES_LOST,
     3,
     "input 1",
     "word tail 0->1 #5.1 leaves: the word in front of it is lost (head 0->1 #5.0)"},
    {{"a word overtakes another packet and its own head", "depth=4", "2>G0 | 2>C0 | 2>C1 | C1>0 |"},
     RULES_LOST,
     4,
     "input 2",
     "word tail 1->2 #3.1 leaves: the word in front of it is lost (head tail 1->0 #9.0 and "
     "others)"},
    {{"equal words: one leaves from the front, the other one waits behind", "depth=4",
      "2>G0 | 1>N0 2>N0 | N0>0 1+ | +0 | end"},
     RULES_HELD_BACK,
     2,
     "input 2",
     "word head tail 1->0 #9.0 has never left: it could by output -x"},
    {{"equal words at two fronts, while a packet goes elsewhere", "depth=4",
      "0>H0 | H0>1 0+ | 1>N0 2>N0 +1 | N0>0 1+ | +0 | end"},
     RULES_HELD_BACK,
     4,
     "input 2",
     "word head tail 0->2 #11.0 has never left: it could by output +x"},
    {{"a word for no node", "depth=4", "1>Z0 | | end"},
     RULES_HELD_BACK,
     2,
     "input 1",
     "names no node"},
    {{"a word without its head comes in", "depth=4", "1>A1 | |"},
     RULES_INPUT,
     1,
     "input 1",
     "the neighbour sends word 0->2 #1.1 without its head"},
    {{"a head inside a packet comes in", "depth=4", "1>A0 | A0>0 1+ 1>B0 |"},
     RULES_INPUT,
     2,
     "input 1",
     "sends word head tail 0->2 #2.0 inside another packet"},
    {{"a word comes into a full buffer", "depth=1", "1>A0 | 1>A1 | |"},
     RULES_INPUT,
     2,
     "input 1",
     "without a credit: the buffer is full"},
    {{"a credit too many comes in", "depth=4", "+0 | |"},
     RULES_INPUT,
     1,
     "output 0",
     "all credits are already here"},
    {{"a credit is never returned", "depth=4",
      "1>A0 | A0>0 1+ 1>A1 | A1>0 1>A2 +0 | A2>0 1+ +0 | +0 | end"},
     RULES_CREDIT_MISSING,
     3,
     "input 1",
     "has not returned 1 credit by cycle 6; last correct in cycle 2"},
    {{"a credit of a pipeline is never returned", "depth=4",
      "1>A0 | 1+ 1>A1 | 1>A2 | A0>0 | A1>0 1+ +0 | A2>0 +0 | +0 | end"},
     RULES_CREDIT_MISSING,
     4,
     "input 1",
     "has not returned 1 credit by cycle 8"},
    {{"a credit is missing where nothing moves", "depth=4", "1>B0 | B0>0 | +0 | | | | | | still"},
     RULES_CREDIT_MISSING,
     2,
     "input 1",
     "last correct in cycle 0"},
    {{"a credit comes too late", "depth=4", "1>B0 | B0>0 | +0 |*63| 1+ |"},
     RULES_CREDIT_MISSING,
     2,
     "input 1",
     "it has returned fewer than words left up to cycle 2 (at most 64 cycles"},
    {{"a credit too many", "depth=4", "1>B0 | 1+ | 1+ | B0>0 |"},
     RULES_CREDIT_TWICE,
     3,
     "input 1",
     "for an empty buffer|cycle 2"},
    {{"more words than credits", "depth=2", "1>A0 | A0>0 1+ 1>A1 | A1>0 1+ 1>A2 | A2>0 1+ |"},
     RULES_NO_CREDIT,
     4,
     "output 0",
     "leaves without a credit: 2 words are out"},
    {{"packets are mixed", "depth=4", "1>A0 2>C0 | A0>0 1+ | C0>0 2+ |"},
     RULES_MIXED,
     3,
     "output 0",
     "inside another packet"},
    {{"a word never leaves", "depth=4", "1>B0 | | | end"},
     RULES_HELD_BACK,
     2,
     "input 1",
     "has never left: it could by output +x"},
    {{"a word is swallowed", "depth=4", "1>B0 | 1+ | | end"},
     RULES_LOST,
     2,
     "input 1",
     "has not left, but its credit was returned"},
    {{"a packet has no tail", "depth=4", "1>A0 | A0>0 1+ | +0 | end"},
     RULES_INPUT,
     4,
     "output 0",
     "has no tail: it never arrived"},
    {{"the neighbour owes a credit", "depth=4", "1>B0 | B0>0 1+ | end"},
     RULES_INPUT,
     2,
     "output 0",
     "did not return 1 of 4 credits"},
    {{"a node owes a credit", "depth=4", "1>E0 | E0>2 1+ 1>E1 | E1>2 1+ +2 | | | | | | | still"},
     RULES_INPUT,
     2,
     "output 2",
     "did not return 1 of 4 credits"},
    {{"one virtual channel, whose field changes", "depth=4", "1>B0 | B0>0.2 1+ |"},
     RULES_WORD,
     2,
     "output 0",
     "its field vc is 2 instead of 0"},
};

static void a_sound_router_breaks_no_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sound); i++) {
        assert_sound(&sound[i], false);
        assert_sound(&sound[i], true);
    }
}

static void a_foreign_router_may_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(loose); i++)
        assert_sound(&loose[i], true);
}

static void every_breach_is_found_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(exact); i++)
        assert_broken(&exact[i], false);
}

static void breaches_of_foreign_routers_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(foreign); i++)
        assert_broken(&foreign[i], true);
}

/* After a reset in any cycle a sequence is as sound as before. */
static void a_reset_in_any_cycle_forgets_everything(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:3");
    for (size_t i = 0; i < COUNT(sound); i++) {
        struct ec_router r = router_of(sound[i].router, &t);
        struct pins *cycles = calloc(CYCLES, sizeof *cycles);
        struct rules *rules = rules_open(&t, &r, HERE, (struct rules_options){.taps = true});
        assert_true(cycles && rules);
        r.packet = 3;
        const unsigned count = read_sequence(sound[i].text, r.vcs, cycles);
        for (unsigned until = 1; until < count; until++) {
            for (unsigned c = 1; c <= until; c++)
                see(rules, cycles, c);
            rules_reset(rules);
            assert_int_equal(rules_moved_at(rules), 0);
            assert_int_equal(rules_shown_at(rules, HERE), 0);
            for (unsigned c = 1; c <= count; c++)
                see(rules, cycles, c);
            if (rules_breach(rules))
                fail_msg("%s: reset in cycle %u: %s", sound[i].name, until,
                         rules_breach(rules)->what);
            rules_reset(rules);
        }
        rules_close(rules);
        free(cycles);
    }
}

/* Router 1 of a whole network, and what its input VCs ask for. */
static struct rules_ask ask_after(const char *router, const char *text, unsigned cycle,
                                  unsigned port, unsigned vc, uint32_t *ret_granted)
{
    const struct ec_topology t = topology_of("mesh:3");
    struct ec_router r = router_of(router, &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.taps = true});
    assert_true(cycles && rules);
    r.packet = 3;
    (void)read_sequence(text, r.vcs, cycles);
    for (uint64_t c = 1; c <= cycle; c++)
        see(rules, cycles, c);
    if (rules_breach(rules))
        fail_msg("%s: %s", text, rules_breach(rules)->what);
    const size_t input = shadow_at(rules_shadow(rules), HERE, port, vc);
    const struct rules_ask ret = rules_ask(rules, input);
    *ret_granted = rules_granted(rules, input);
    rules_close(rules);
    free(cycles);
    return ret;
}

static void an_input_vc_asks_for_what_its_front_word_needs(void **state)
{
    static const struct {
        const char *router, *text;
        unsigned cycle, port, vc; /* of the input */
        const char *word;         /* NULL: empty */
        unsigned to, vcs, takes;
        uint64_t since;
        uint32_t granted;
    } rows[] = {
        {"vcs=2,depth=4", "1.1>B0 | B0>0.1 1.1+ |", 1, 1, 1, NULL, 0, 0, 0, 0, RULES_NOBODY},
        {"vcs=2,depth=4", "2.1>D0 1.0>B0 | B0>0.0 1.0+ c2.1>0 |", 1, 2, 1, "D0", 0, 2, 1, 2,
         RULES_NOBODY},
        {"depth=4", "1>Z0 | s1>3 |", 1, 1, 0, "Z0", 3, 1, 0, 2, RULES_NOBODY},
        {"depth=4,stages=2", "1>E0 | 1+ |", 1, 1, 0, "E0", 2, 1, 0, 2, 2},
        {"depth=4,stages=2", "1>B0 2>D0 | 1+ c2>0 |", 1, 2, 0, "D0", 0, 1, 0, 2, RULES_NOBODY},
        {"vcs=2,depth=4,stages=2", "1.1>E0 | 1.1+ |", 1, 1, 1, "E0", 2, 2, 1, 2, 5},
        {"vcs=2,depth=4,stages=2", "1.1>E0 | 1.1+ |", 1, 1, 0, NULL, 0, 0, 0, 0, RULES_NOBODY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t granted;
        const struct rules_ask ask = ask_after(rows[i].router, rows[i].text, rows[i].cycle,
                                               rows[i].port, rows[i].vc, &granted);
        assert_true(ask.word == (rows[i].word ? word_of(rows[i].word, rows[i].vc) : 0));
        assert_int_equal(ask.vc, rows[i].takes);
        assert_int_equal(granted, rows[i].granted);
        if (!rows[i].word)
            continue;
        assert_int_equal(ask.port, rows[i].to);
        assert_int_equal(ask.vcs, rows[i].vcs);
        assert_int_equal(ask.since, rows[i].since);
    }
}

static void a_packet_is_complete_with_its_tail(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:3");
    struct ec_router r = router_of("depth=4,switching=store-and-forward", &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, HERE, (struct rules_options){.taps = true});
    assert_true(cycles && rules);
    r.packet = 3;
    (void)read_sequence("1>A0 | s1>0 1>A1 | s1>0 1>A2 | A0>0 1+", r.vcs, cycles);
    const size_t input = shadow_at(rules_shadow(rules), HERE, 1, 0);
    assert_true(rules_ask(rules, input).word == 0);
    for (uint64_t c = 1; c <= 3; c++) {
        see(rules, cycles, c);
        const struct rules_ask ask = rules_ask(rules, input);
        assert_true(ask.word == word_of(c < 3 ? "A0" : "A1", 0));
        assert_int_equal(ask.port, 0);
        assert_int_equal(ask.vcs, 1);
        assert_int_equal(ask.complete, c == 3);
    }
    assert_null(rules_breach(rules));
    rules_close(rules);
    free(cycles);
}

static void kinds_of_breaches_are_told_apart(void **state)
{
    (void)state;
    for (unsigned kind = RULES_HELD_BACK; kind <= RULES_INPUT; kind++) {
        const bool credits = kind == RULES_HELD_BACK || kind == RULES_NO_CREDIT ||
                             kind == RULES_CREDIT_MISSING || kind == RULES_CREDIT_TWICE;
        const bool conserves =
            kind == RULES_VC || kind == RULES_ORDER || kind == RULES_TOO_EARLY || kind == RULES_TAP;
        assert_int_equal(rules_about_credits((enum rules_kind)kind), credits);
        assert_int_equal(rules_conserves((enum rules_kind)kind), conserves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a sound router breaks no rule", a_sound_router_breaks_no_rule),
        TEST("a foreign router may differ in what the contract leaves open",
             a_foreign_router_may_differ),
        TEST("every breach is found in its cycle, at its place", every_breach_is_found_where_it_is),
        TEST("breaches of foreign routers are found", breaches_of_foreign_routers_are_found),
        TEST("a packet is complete with its tail", a_packet_is_complete_with_its_tail),
        TEST("kinds of breaches are told apart", kinds_of_breaches_are_told_apart),
        TEST("a reset in any cycle forgets everything", a_reset_in_any_cycle_forgets_everything),
        TEST("an input VC asks for what its front word needs",
             an_input_vc_asks_for_what_its_front_word_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
