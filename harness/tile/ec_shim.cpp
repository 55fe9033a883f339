// SPDX-License-Identifier: Apache-2.0
// The shim around one Verilated router class: everything of a tile that only C++ can say.
//
// It is compiled once per shape, together with the class that Verilator generated from
// rtl/ec_tile.sv, with the shape's parameters as EC_SHAPE_* macros. It knows the wrapper's ports
// and ecube/tile.h, and nothing of topologies, traffic or the network. No exception crosses the
// extern "C" border.
extern "C" {
#include "ecube/tile.h"
}

#include <memory>
#include <new>
#include <vector>

#include "Vec_tile.h"
#include "Vec_tile___024root.h"
#include "verilated.h"
#include "verilated_config.h"
#if EC_SHAPE_TRACED
#include "verilated_fst_c.h"
#endif

namespace {

constexpr uint32_t Dims = EC_SHAPE_DIMS;
constexpr uint32_t Vcs = EC_SHAPE_VCS;
constexpr uint32_t Ports = EC_SHAPE_DIMS * EC_SHAPE_LINKS_PER_DIM + EC_SHAPE_LOCALS;

// The model's own state, without the table of references that the model class puts before it.
using Root = Vec_tile___024root;

void set_pins(Root &root, const ec_tile_place &place)
{
    root.coord_i = static_cast<SData>(place.coord);
    for (uint32_t d = 0; d < Dims; d++) {
        root.mask_i[d] = static_cast<SData>(place.mask[d]);
        root.radix_i[d] = place.radix[d];
    }
    root.wrap_i = place.wrap;
    root.dateline_i = place.dateline != 0;
    root.order_high_i = place.order_high != 0;
    root.switching_i = place.switching & 3;
    root.depth_i = static_cast<SData>(place.depth);
    root.packet_i = static_cast<SData>(place.packet);
}

// Inputs are the harness's, not state: they start at rest even where registers start at random.
void rest_inputs(Root &root)
{
    root.clk_i = 0;
    root.rst_i = 0;
    for (uint32_t port = 0; port < Ports; port++)
        root.link_i[port] = 0;
    for (uint32_t vc = 0; vc < Vcs; vc++)
        root.credit_i[vc] = 0;
}

} // namespace

// Members are destroyed in reverse order: the models before the context that they refer to.
struct ec_tile_bank {
    VerilatedContext context;
    std::vector<std::unique_ptr<Vec_tile>> models;
    std::vector<Root *> roots;
#if EC_SHAPE_TRACED
    std::unique_ptr<VerilatedFstC> dump; // goes before the models that it reads
    void (*failed)(void *context, uint32_t router, const char *text) = nullptr;
    void *failed_context = nullptr;
    uint32_t current = 0; // the router that is being evaluated
#endif

    // `names` is nullptr in fast shapes: nobody reads the names there.
    ec_tile_bank(size_t routers, const ec_tile_place *places, uint32_t random_seed,
                 const char *const *names)
    {
#if EC_SHAPE_TRACED
        context.traceEverOn(true);
#endif
        context.threads(1);
        context.randReset(random_seed == 0 ? 0 : 2);
        context.randSeed(static_cast<int>(random_seed & 0x7fffffff));
        context.fatalOnError(false);
        models.reserve(routers);
        roots.reserve(routers);
        for (size_t i = 0; i < routers; i++) {
            models.push_back(
                std::make_unique<Vec_tile>(&context, names != nullptr ? names[i] : ""));
            roots.push_back(models.back()->rootp);
            rest_inputs(*roots.back());
            set_pins(*roots.back(), places[i]);
            // Settle with the clock at rest: from a random initial value of the inner clock the
            // first edge would go unnoticed.
            models.back()->eval_step();
        }
    }

    ~ec_tile_bank()
    {
        for (auto &model : models)
            model->final();
    }
};

namespace {

inline void clock(Vec_tile &model, Root &root)
{
    root.clk_i ^= 1; // every change is a rising edge for the router (rtl/ec_tile.sv)
    model.eval_step();
}

ec_tile_bank *open_bank(size_t routers, const ec_tile_place *places, uint32_t random_seed)
{
    try {
        return new ec_tile_bank(routers, places, random_seed, nullptr);
    } catch (...) {
        return nullptr;
    }
}

void reset_bank(ec_tile_bank *bank)
{
    for (size_t i = 0; i < bank->roots.size(); i++) {
        Root &root = *bank->roots[i];
        root.rst_i = 1;
        clock(*bank->models[i], root);
        root.rst_i = 0;
    }
}

inline void write_taps(const Root &root, const ec_tile_io &io, size_t router)
{
    for (uint32_t vc = 0; vc < Vcs; vc++) {
        const uint64_t contended = root.contended_o[vc];
        const uint64_t starved = root.starved_o[vc];
        io.contended[router * Vcs + vc] = contended;
        io.starved[router * Vcs + vc] = starved;
        for (uint64_t left = contended | starved; left != 0; left &= left - 1) {
            const size_t at = static_cast<size_t>(__builtin_ctzll(left)) * Vcs + vc;
            io.want[router * Ports * Vcs + at] = root.want_o[at];
        }
    }
}

inline void step_one(Vec_tile &model, Root &root, const ec_tile_io &io, size_t router)
{
    const uint64_t *in = io.in_word + router * Ports;
    uint64_t *out = io.out_word + router * Ports;
    const uint64_t arrived = io.in_valid[router];

    for (uint64_t left = arrived; left != 0; left &= left - 1) {
        const int port = __builtin_ctzll(left);
        root.link_i[port] = in[port];
    }
    for (uint32_t vc = 0; vc < Vcs; vc++)
        root.credit_i[vc] = io.in_credit[router * Vcs + vc];

    clock(model, root);

    for (uint64_t left = arrived; left != 0; left &= left - 1)
        root.link_i[__builtin_ctzll(left)] = 0;

    const uint64_t valid = root.valid_o;
    io.out_valid[router] = valid;
    for (uint64_t left = valid; left != 0; left &= left - 1) {
        const int port = __builtin_ctzll(left);
        out[port] = root.link_o[port];
    }
    for (uint32_t vc = 0; vc < Vcs; vc++)
        io.out_credit[router * Vcs + vc] = root.credit_o[vc];
    write_taps(root, io, router);
    io.quiet[router] = root.quiet_o;
}

void step_bank(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *ids, size_t count)
{
    for (size_t k = 0; k < count; k++)
        step_one(*bank->models[ids[k]], *bank->roots[ids[k]], *io, ids[k]);
}

void close_bank(ec_tile_bank *bank)
{
    try {
        delete bank;
    } catch (...) {
        // A destructor of the Verilator runtime threw: nothing is left to be saved.
    }
}

} // namespace

#if EC_SHAPE_TRACED
#include "ec_trace.cpp"
#endif

namespace {

const struct ec_tile_api api = {
    EC_TILE_ABI,
    {EC_SHAPE_DIMS, EC_SHAPE_LINKS_PER_DIM, EC_SHAPE_LOCALS, EC_SHAPE_VCS, EC_SHAPE_DEPTH_MAX},
    EC_SHAPE_HAS_TAPS,
    EC_SHAPE_HAS_QUIET,
    VERILATOR_PRODUCT " " VERILATOR_VERSION,
    open_bank,
#if EC_SHAPE_TRACED
    reset_traced,
    step_traced,
    close_bank,
    &trace_api,
#else
    reset_bank,
    step_bank,
    close_bank,
    nullptr,
#endif
};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_tile_api *ec_tile_api(void)
{
    return &api;
}
