// SPDX-License-Identifier: Apache-2.0
// The taps of one router of the model, cycle by cycle (docs/ROUTER-CONTRACT.md, section 8). A run
// reads them\n// only if something waits; a platform can always read them.
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

struct bench {
    sc_core::sc_signal<bool> clock, reset;
    sc_core::sc_vector<sc_core::sc_signal<word>> in{"in", ports}, out{"out", ports};
    sc_core::sc_vector<sc_core::sc_signal<credits>> used{"used", ports}, freed{"freed", ports};
    ecube::pins pins;
    ecube::router router;

    bench() : pins(one_word()), router("router", square, pins)
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
    std::array<unsigned, ports> contended, starved, want;
    bool quiet;
};

unsigned wrong = 0;

void look(const bench &b, const due &d)
{
    const ecube::taps &t = b.router.taps();
    bool same = t.quiet == d.quiet;
    for (unsigned i = 0; i < ports; i++)
        same = same && t.contended[i] == d.contended[i] && t.starved[i] == d.starved[i] &&
               t.want[i] == d.want[i];
    wrong += !same;
    std::printf("%s: %s\n", same ? "ok" : "FAIL", d.when);
    for (unsigned i = 0; !same && i < ports; i++)
        std::printf("  input VC %u: contended %u (due %u), starved %u (%u), want %u (%u)\n", i,
                    t.contended[i], d.contended[i], t.starved[i], d.starved[i], t.want[i],
                    d.want[i]);
    if (t.quiet != d.quiet)
        std::printf("  quiet %d (due %d)\n", t.quiet, d.quiet);
}

} // namespace

int sc_main(int, char *[])
{
    bench b;
    const word message = square.layout().make(true, true, 0, 2, 1, 0); // to node 2, by link 1
    b.reset.write(true);
    b.edge();
    b.reset.write(false);
    look(b, {"after reset", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, true});
    b.in[0].write(message);
    b.in[2].write(message);
    b.edge();
    look(b, {"one of two is granted", {0, 0, 1}, {0, 0, 0}, {1, 0, 1}, false});
    b.edge();
    look(b, {"the other waits for a credit", {0, 0, 0}, {0, 0, 1}, {0, 0, 1}, false});
    b.used[1].write(1);
    b.edge();
    look(b, {"it moves", {0, 0, 0}, {0, 0, 0}, {0, 0, 1}, false});
    b.edge();
    look(b, {"nothing is left", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, true});
    return wrong != 0;
}
