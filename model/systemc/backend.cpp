// SPDX-License-Identifier: Apache-2.0
// The model as a net (ecube/net.h), for the run engine. Drives a clock and the local ports from
// outside the kernel, and counts what the channels show. Must not know what a router does.
//
// The SystemC kernel is a singleton that cannot return to the time before its elaboration, so a
// process has one net in its life. No exception leaves this file.
extern "C" {
#include "ecube/net.h"
#include "ecube/systemc.h"
}

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <systemc>
#include <vector>

#include "ecube-systemc/description.h"
#include "ecube-systemc/network.h"

using namespace ecube;

namespace
{

// --- Ledger --------------------------------------------------------------------------------------

// Words sent less credits returned, per channel and VC, must stay between 0 and depth and end at 0.
// Counted on the wires, independently of the routers' own counts.
class ledger
{
  public:
    enum channel { injection, output };

    ledger(const geometry &g, unsigned depth)
        : ports_(g.shape().ports()), vcs_(g.shape().vcs),
          depth_(depth), owed_{std::vector<unsigned>(std::size_t{g.nodes()} * g.shape().bufs()),
                               std::vector<unsigned>(std::size_t{g.nodes()} * g.shape().bufs())}
    {
    }

    void reset()
    {
        for (std::vector<unsigned> &owed : owed_)
            owed.assign(owed.size(), 0);
        fault_ = {};
    }

    // A word leaves by a channel of `node`, whose port is the router's.
    void sent(channel c, std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
    {
        if (vc >= vcs_)
            complain(c, cycle, node, port, vc, "a VC that does not exist");
        else if (owed_[c][index(node, port, vc)]++ == depth_)
            complain(c, cycle, node, port, vc, "a word without a credit");
    }

    // A credit comes back to where the channel begins.
    void returned(channel c, std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc)
    {
        if (vc >= vcs_)
            complain(c, cycle, node, port, vc, "a VC that does not exist");
        else if (owed_[c][index(node, port, vc)] == 0)
            complain(c, cycle, node, port, vc, "a credit too many");
        else
            owed_[c][index(node, port, vc)]--;
    }

    const ec_net_fault &fault() const { return fault_; }

    // Are all credits back? If not, `ret` names a channel without its credits, in cycle `cycle`.
    bool drained(std::uint64_t cycle, ec_net_fault &ret) const
    {
        for (std::size_t i = 0; i < owed_[output].size(); i++) {
            const channel c = owed_[output][i] != 0 ? output : injection;
            if (owed_[c][i] == 0)
                continue;
            ret = {};
            ret.found = true;
            ret.cycle = cycle;
            ret.node = static_cast<std::uint32_t>(i / vcs_ / ports_);
            ret.port = static_cast<unsigned>(i / vcs_ % ports_);
            ret.vc = static_cast<unsigned>(i % vcs_);
            std::snprintf(ret.what, sizeof ret.what, "%u credits of %s are not back", owed_[c][i],
                          name(c));
            return false;
        }
        return true;
    }

  private:
    static const char *name(channel c)
    {
        return c == output ? "an output channel" : "an injection channel";
    }

    std::size_t index(std::uint32_t node, unsigned port, unsigned vc) const
    {
        return (std::size_t{node} * ports_ + port) * vcs_ + vc;
    }

    void complain(channel c, std::uint64_t cycle, std::uint32_t node, unsigned port, unsigned vc,
                  const char *wrong)
    {
        if (fault_.found)
            return;
        fault_.found = true;
        fault_.cycle = cycle;
        fault_.node = node;
        fault_.port = port;
        fault_.vc = vc;
        std::snprintf(fault_.what, sizeof fault_.what, "%s on %s", wrong, name(c));
    }

    unsigned ports_, vcs_, depth_;
    std::vector<unsigned> owed_[2]; // [channel][(node * ports + port) * vcs + vc]
    ec_net_fault fault_{};
};

// --- Watching ------------------------------------------------------------------------------------

// Shows a watcher of the net (ecube/net.h) the inputs of each router in a cycle and its outputs in
// the next one. Reads ports and taps of the model; changes nothing. One router as a watcher sees
// it.
struct view {
    std::vector<std::uint64_t> in_word, in_credit, out_word, out_credit, contended, starved;
    std::vector<std::uint8_t> want;
    std::uint64_t in_valid = 0;

    view(unsigned ports, unsigned vcs)
        : in_word(ports), in_credit(vcs), out_word(ports), out_credit(vcs), contended(vcs),
          starved(vcs), want(std::size_t{ports} * vcs)
    {
    }
};

class onlooker
{
  public:
    explicit onlooker(const network &n)
        : network_(n), shape_(n.geometry().shape()),
          views_(n.nodes(), view(shape_.ports(), shape_.vcs))
    {
    }

    void watch(const ec_net_watch *w) { watch_ = w; }
    bool sees_routers() const { return watch_ && watch_->router; }

    // Before the edge, when the inputs have settled.
    void note_inputs()
    {
        for (std::uint32_t node = 0; node < network_.nodes(); node++) {
            if (is_watched(node))
                note_router(node);
        }
    }

    // After it, when the outputs have.
    void see_cycle(std::uint64_t cycle)
    {
        for (std::uint32_t node = 0; sees_routers() && node < network_.nodes(); node++) {
            if (is_watched(node))
                show_router(node, cycle);
        }
        if (watch_ && watch_->cycle)
            watch_->cycle(watch_->context, cycle);
    }

    void see_reset()
    {
        if (watch_ && watch_->reset)
            watch_->reset(watch_->context);
    }

  private:
    bool is_watched(std::uint32_t node) const
    {
        return !watch_->nodes || (watch_->nodes[node / 64] >> node % 64 & 1) != 0;
    }

    void note_router(std::uint32_t node)
    {
        const router &r = network_.router(node);
        view &v = views_[node];
        v.in_valid = 0;
        std::fill(v.in_credit.begin(), v.in_credit.end(), 0);
        for (unsigned port = 0; port < shape_.ports(); port++) {
            const word w = r.link_i[port].read();
            const credits c = r.credit_i[port].read();
            v.in_word[port] = w;
            v.in_valid |= std::uint64_t{is_valid(w)} << port;
            for (unsigned vc = 0; vc < shape_.vcs; vc++)
                v.in_credit[vc] |= std::uint64_t{c >> vc & 1} << port;
        }
    }

    void show_router(std::uint32_t node, std::uint64_t cycle)
    {
        const router &r = network_.router(node);
        const taps &t = r.taps();
        view &v = views_[node];
        ec_net_seen seen{};
        for (auto *masks : {&v.out_credit, &v.contended, &v.starved})
            std::fill(masks->begin(), masks->end(), 0);
        for (unsigned port = 0; port < shape_.ports(); port++) {
            const word w = r.link_o[port].read();
            const credits freed = r.credit_o[port].read();
            v.out_word[port] = w;
            seen.out_valid |= std::uint64_t{is_valid(w)} << port;
            for (unsigned vc = 0; vc < shape_.vcs; vc++) {
                const unsigned i = port * shape_.vcs + vc;
                v.out_credit[vc] |= std::uint64_t{freed >> vc & 1} << port;
                v.contended[vc] |= std::uint64_t{t.contended[i]} << port;
                v.starved[vc] |= std::uint64_t{t.starved[i]} << port;
                v.want[i] = static_cast<std::uint8_t>(t.want[i]);
            }
        }
        seen.cycle = cycle;
        seen.node = node;
        seen.in_word = v.in_word.data();
        seen.in_credit = v.in_credit.data();
        seen.in_valid = v.in_valid;
        seen.out_word = v.out_word.data();
        seen.out_credit = v.out_credit.data();
        seen.contended = v.contended.data();
        seen.starved = v.starved.data();
        seen.want = v.want.data();
        watch_->router(watch_->context, &seen);
    }

    const network &network_;
    const shape shape_;
    std::vector<view> views_; // [node]
    const ec_net_watch *watch_ = nullptr;
};

// --- The model as a net --------------------------------------------------------------------------

class backend
{
  public:
    // What the run engine holds.
    struct handle : ec_net {
        backend *self;
    };
    handle net{};

    backend(const ec_topology &t, const ec_router &r, const ec_net_ops &ops);

    void reset();
    void step(const ec_port_events &in, ec_port_events &out);
    void counters(ec_net_counters &ret) const;
    const ec_net_fault &fault() const { return ledger_.fault().found ? ledger_.fault() : dead_; }
    bool drained(ec_net_fault &ret) const { return ledger_.drained(net.cycle, ret); }
    void watch(const ec_net_watch *w) { onlooker_.watch(w); }

  private:
    unsigned vc_of(word w) const { return shape_.vcs > 1 ? network_.layout().vc_of(w) : 0; }
    void advance(const sc_core::sc_time &time);
    void clear_inputs();
    void drive(const ec_port_events &in);
    void collect(ec_port_events &out);
    void collect_router(std::uint32_t node, ec_port_events &out);
    void count_taps(std::uint32_t node);

    network network_;
    const shape shape_;
    ledger ledger_;
    onlooker onlooker_;

    // A cycle: the inputs settle, the rising edge, the outputs settle.
    const sc_core::sc_time before_edge_{400, sc_core::SC_PS};
    const sc_core::sc_time after_edge_{600, sc_core::SC_PS};
    sc_core::sc_clock clock_{"clock", sc_core::sc_time(1, sc_core::SC_NS), 0.25,
                             sc_core::sc_time(500, sc_core::SC_PS), true};
    sc_core::sc_signal<bool> rst_{"rst"};
    sc_core::sc_vector<sc_core::sc_signal<word>> link_i_, link_o_;
    sc_core::sc_vector<sc_core::sc_signal<credits>> credit_i_, credit_o_;
    std::vector<credits> credits_;                             // what credit_i_ was given
    std::vector<std::uint32_t> driven_words_, driven_credits_; // not 0 since the last step

    std::vector<std::uint64_t> flits_, injected_, contended_, starved_;
    std::uint64_t stepped_ = 0;
    ec_net_fault dead_{}; // the kernel has stopped
};

backend::backend(const ec_topology &t, const ec_router &r, const ec_net_ops &ops)
    : network_("network", configure(t, r)), shape_(network_.geometry().shape()),
      ledger_(network_.geometry(), r.depth), onlooker_(network_),
      link_i_("link_i", network_.link_i.size()), link_o_("link_o", network_.link_o.size()),
      credit_i_("credit_i", network_.credit_i.size()),
      credit_o_("credit_o", network_.credit_o.size()), credits_(credit_i_.size()),
      flits_(std::size_t{network_.nodes()} * shape_.ports()),
      injected_(std::size_t{network_.nodes()} * shape_.locals), contended_(flits_.size()),
      starved_(flits_.size())
{
    net.self = this;
    net.ops = &ops;
    net.topology = &t;
    net.router = &r;
    net.has_taps = true;
    network_.clk_i(clock_);
    network_.rst_i(rst_);
    network_.link_i(link_i_);
    network_.link_o(link_o_);
    network_.credit_i(credit_i_);
    network_.credit_o(credit_o_);
    driven_words_.reserve(link_i_.size());
    driven_credits_.reserve(credit_i_.size() * shape_.vcs);
    // The ledger reports broken rules; the model continues, so that the run can be repeated.
    sc_core::sc_report_handler::set_actions(contract_report, sc_core::SC_ERROR,
                                            sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates
}

// Let time pass. Earlier writes reach the wires at once.
void backend::advance(const sc_core::sc_time &time)
{
    if (dead_.found)
        return;
    try {
        sc_core::sc_start(time);
    } catch (const std::exception &e) {
        dead_.found = true;
        dead_.cycle = net.cycle;
        std::snprintf(dead_.what, sizeof dead_.what, "the SystemC kernel stopped: %s", e.what());
        std::replace(dead_.what, dead_.what + sizeof dead_.what, '\n', ' ');
    }
}

void backend::clear_inputs()
{
    for (const std::uint32_t port : driven_words_)
        link_i_[port].write(no_word);
    for (const std::uint32_t port : driven_credits_)
        credit_i_[port].write(credits_[port] = 0);
    driven_words_.clear();
    driven_credits_.clear();
}

void backend::reset()
{
    clear_inputs();
    rst_.write(true);
    advance(before_edge_ + after_edge_);
    rst_.write(false);
    ledger_.reset();
    for (auto *counters : {&flits_, &injected_, &contended_, &starved_})
        std::fill(counters->begin(), counters->end(), 0);
    stepped_ = net.cycle = net.moved = net.in_flight = 0;
    onlooker_.see_reset();
}

// The wires of the cycle: words and credits of the nodes, nothing where nodes are silent.
void backend::drive(const ec_port_events &in)
{
    clear_inputs();
    for (std::size_t i = 0; i < in.word_count; i++) {
        const ec_port_word &w = in.words[i];
        const std::uint32_t node = w.port / shape_.locals;
        link_i_[w.port].write(w.word);
        driven_words_.push_back(w.port);
        injected_[w.port]++;
        net.moved++;
        net.in_flight++;
        ledger_.sent(ledger::injection, net.cycle, node, shape_.links() + w.port % shape_.locals,
                     vc_of(w.word));
    }
    for (std::size_t i = 0; i < in.credit_count; i++) {
        const ec_port_credit &c = in.credits[i];
        const std::uint32_t node = c.port / shape_.locals;
        credits_[c.port] |= credits{1} << c.vc; // several VCs of a port may return one
        credit_i_[c.port].write(credits_[c.port]);
        driven_credits_.push_back(c.port);
        ledger_.returned(ledger::output, net.cycle, node, shape_.links() + c.port % shape_.locals,
                         c.vc);
    }
}

void backend::collect(ec_port_events &out)
{
    for (std::uint32_t node = 0; node < network_.nodes(); node++) {
        collect_router(node, out);
        if (!network_.router(node).taps().quiet)
            count_taps(node);
    }
}

// What a router shows in the cycle that begins.
void backend::collect_router(std::uint32_t node, ec_port_events &out)
{
    const router &r = network_.router(node);
    const std::uint64_t shown = net.cycle + 1;
    for (unsigned port = 0; port < shape_.ports(); port++) {
        const bool is_link = port < shape_.links();
        const std::uint32_t local = node * shape_.locals + port - shape_.links();
        const word w = r.link_o[port].read();
        if (is_valid(w)) {
            flits_[std::size_t{node} * shape_.ports() + port]++;
            net.moved++;
            ledger_.sent(ledger::output, shown, node, port, vc_of(w));
            if (!is_link) {
                out.words[out.word_count++] = {local, w};
                net.in_flight--;
            }
        }
        const credits freed = is_link ? 0 : r.credit_o[port].read();
        const credits back = is_link ? r.credit_i[port].read() : 0;
        for (unsigned vc = 0; vc < shape_.vcs; vc++) {
            if ((back >> vc & 1) != 0)
                ledger_.returned(ledger::output, shown, node, port, vc);
            if ((freed >> vc & 1) != 0) {
                ledger_.returned(ledger::injection, shown, node, port, vc);
                out.credits[out.credit_count++] = {local, vc};
            }
        }
    }
}

void backend::count_taps(std::uint32_t node)
{
    const taps &t = network_.router(node).taps();
    const std::size_t first = std::size_t{node} * shape_.ports();
    for (unsigned i = 0; i < shape_.bufs(); i++) {
        contended_[first + t.want[i]] += t.contended[i];
        starved_[first + t.want[i]] += t.starved[i];
    }
}

void backend::step(const ec_port_events &in, ec_port_events &out)
{
    net.cycle++;
    drive(in);
    if (onlooker_.sees_routers()) {
        advance(before_edge_);
        onlooker_.note_inputs();
        advance(after_edge_);
    } else {
        advance(before_edge_ + after_edge_);
    }
    out.word_count = out.credit_count = 0;
    if (dead_.found)
        return;
    stepped_ += network_.nodes();
    collect(out);
    onlooker_.see_cycle(net.cycle);
}

void backend::counters(ec_net_counters &ret) const
{
    ret = {};
    ret.flits = flits_.data();
    ret.injected = injected_.data();
    ret.contended = contended_.data();
    ret.starved = starved_.data();
    ret.ports = shape_.ports();
    ret.stepped = stepped_;
}

backend &of(ec_net *net)
{
    return *static_cast<backend::handle *>(net)->self;
}

const backend &of(const ec_net *net)
{
    return *static_cast<const backend::handle *>(net)->self;
}

const ec_net_ops ops = {
    "systemc",
    [](ec_net *net) { of(net).reset(); },
    [](ec_net *net, const ec_port_events *in, ec_port_events *out) { of(net).step(*in, *out); },
    [](ec_net *net, ec_net_counters *ret) { of(net).counters(*ret); },
    [](const ec_net *net) { return &of(net).fault(); },
    [](const ec_net *net, ec_net_fault *ret) { return of(net).drained(*ret); },
    nullptr, // does not follow words
    [](ec_net *net, const ec_net_watch *watch) { of(net).watch(watch); },
    [](ec_net *net) { delete &of(net); },
    nullptr, // cannot save its state,
    nullptr, // nor follow the words of one
};

enum ec_code refuse(enum ec_code code, const std::string &text, char *message, std::size_t size)
{
    std::snprintf(message, size, "%s", text.c_str());
    return code;
}

enum ec_code open(const ec_topology *t, const ec_router *r, ec_net **ret, char *message,
                  std::size_t size)
{
    static bool used = false; // of the kernel, which is the process's
    try {
        const geometry possible(configure(*t, *r)); // throws before the kernel is touched
        if (used)
            return refuse(EC_USAGE,
                          "cannot open a second network: the SystemC kernel serves one network per "
                          "process; use another process",
                          message, size);
        used = true;
        *ret = &(new backend(*t, *r, ops))->net;
        return EC_OK;
    } catch (const std::bad_alloc &) {
        return refuse(EC_MEMORY, "out of memory for the SystemC model", message, size);
    } catch (const std::invalid_argument &e) {
        return refuse(EC_USAGE, e.what(), message, size);
    } catch (const std::exception &e) {
        return refuse(EC_INTERNAL, e.what(), message, size);
    }
}

const struct ec_systemc_api api = {EC_SYSTEMC_ABI, SC_VERSION, open};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_systemc_api *ec_systemc_api()
{
    return &api;
}

// libsystemc has its own main() that calls this; neither is ever called here.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char *[])
{
    return 0;
}
