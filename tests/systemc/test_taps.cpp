// SPDX-License-Identifier: Apache-2.0
// One router of the model, cycle by cycle, with one to three stages: its taps
// (docs/ROUTER-CONTRACT.md, section 8), which a run reads only if something waits, and when a word
// and its credit are out.
#include <array>
#include <cstdio>
#include <systemc>

#include <ecube-systemc/router.h>

using ecube::credits;
using ecube::word;

namespace
{

// Router 0 of a square: links 0 and 1, local port 2, one word in a buffer.
constexpr ecube::shape square{2, 1, 1, 1};
constexpr unsigned ports = 3;

ecube::shape square_of(unsigned stages)
{
    ecube::shape s = square;
    s.stages = stages;
    return s;
}

struct bench {
    sc_core::sc_signal<bool> clock, reset;
    sc_core::sc_vector<sc_core::sc_signal<word>> in{"in", ports}, out{"out", ports};
    sc_core::sc_vector<sc_core::sc_signal<credits>> used{"used", ports}, freed{"freed", ports};
    ecube::pins pins;
    ecube::router router;

    explicit bench(unsigned stages) : pins(one_word()), router("router", square_of(stages), pins)
    {
        router.clk_i(clock);
        router.rst_i(reset);
        router.link_i(in);
        router.link_o(out);
        router.credit_i(used);
        router.credit_o(freed);
    }

    static ecube::pins one_word()
    {
        ecube::pins p;
        p.depth = p.packet = 1;
        return p;
    }

    // To the next cycle: the router takes the words on the wires, and they are cleared.
    void edge()
    {
        clock.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        clock.write(false);
        for (unsigned port = 0; port < ports; port++) {
            in[port].write(ecube::no_word);
            used[port].write(0);
        }
        sc_core::sc_start(1, sc_core::SC_NS);
    }
};

struct due {
    const char *when;
    std::array<unsigned, ports> contended, starved, want, freed;
    bool sends; // a word is on link 1
    bool quiet;
};

unsigned wrong = 0;

void look(const bench &b, const due &d)
{
    const ecube::taps &t = b.router.taps();
    const bool sends = ecube::is_valid(b.out[1].read());
    bool same = t.quiet == d.quiet && sends == d.sends;
    for (unsigned i = 0; i < ports; i++)
        same = same && t.contended[i] == d.contended[i] && t.starved[i] == d.starved[i] &&
               t.want[i] == d.want[i] && b.freed[i].read() == d.freed[i];
    wrong += !same;
    std::printf("%s: %s\n", same ? "ok" : "FAIL", d.when);
    for (unsigned i = 0; !same && i < ports; i++)
        std::printf("  input VC %u: contended %u (due %u), starved %u (%u), want %u (%u), "
                    "freed %u (%u)\n",
                    i, t.contended[i], d.contended[i], t.starved[i], d.starved[i], t.want[i],
                    d.want[i], b.freed[i].read(), d.freed[i]);
    if (!same)
        std::printf("  sends %d (due %d), quiet %d (%d)\n", sends, d.sends, t.quiet, d.quiet);
}

// Two words for link 1 come by link 0 and from the node. The second one waits for a credit.
void play(unsigned stages)
{
    bench b(stages);
    const word message = square.layout().make(true, true, 0, 2, 1, 0); // to node 2, by link 1
    const bool late = stages > 1;
    std::printf("%u stages\n", stages);
    b.reset.write(true);
    b.edge();
    b.reset.write(false);
    look(b, {"after reset", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false, true});
    b.in[0].write(message);
    b.in[2].write(message);
    b.edge();
    if (stages == 3) {
        look(b, {"route stage", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false, false});
        b.edge();
    }
    look(b, {"one of two is granted", {0, 0, 1}, {0, 0, 0}, {1, 0, 1}, {1, 0, 0}, !late, false});
    b.edge();
    look(b,
         {"the other waits for a credit", {0, 0, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 0}, late, false});
    b.used[1].write(1);
    b.edge();
    look(b, {"it is granted", {0, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 1}, !late, false});
    b.edge();
    if (late) {
        look(b, {"traversal stage", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, true, false});
        b.edge();
    }
    look(b, {"nothing is left", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false, true});
}

} // namespace

int sc_main(int, char *argv[])
{
    play(argv[1] ? static_cast<unsigned>(argv[1][0] - '0') : 1);
    return wrong != 0;
}
