// SPDX-License-Identifier: Apache-2.0
// The shim around a Verilated network (rtl/ec_tile_network.sv): a bank whose routers are wired
// inside.
//
// It is compiled once per network, together with the class that Verilator generated, with the
// shape's parameters as EC_SHAPE_* macros. It knows the wrapper's ports and ecube/tile.h; it does
// not know how the network is wired: what the caller believes to arrive on links is not looked at.
// No exception crosses the extern "C" border.
extern "C" {
#include "ecube/tile.h"
}

#include <memory>

#include "ec_guard.h"

#include "Vec_tile.h"
#include "Vec_tile___024root.h"
#include "verilated.h"
#include "verilated_config.h"

namespace
{

constexpr size_t Nodes = EC_SHAPE_NODES;
constexpr size_t Vcs = EC_SHAPE_VCS;
constexpr size_t Links = EC_SHAPE_DIMS * EC_SHAPE_LINKS_PER_DIM;
constexpr size_t Locals = EC_SHAPE_LOCALS;
constexpr size_t Ports = Links + Locals;

using Root = Vec_tile___024root;

} // namespace

// Members are destroyed in reverse order: the model before the context that it refers to.
struct ec_tile_bank {
    ec_guard guard;
    VerilatedContext context;
    std::unique_ptr<Vec_tile> model;

    ec_tile_bank(const ec_tile_place &place, uint32_t random_seed, const ec_tile_listener *listener)
        : guard(listener, 0, nullptr)
    {
        guard.nowhere();
        context.threads(1);
        context.randReset(random_seed == 0 ? 0 : 2);
        context.randSeed(static_cast<int>(random_seed & 0x7fffffff));
        model = std::make_unique<Vec_tile>(&context, "");
        Root &root = *model->rootp;
        root.clk_i = 0;
        root.rst_i = 0;
        for (size_t i = 0; i < Nodes * Locals; i++)
            root.link_i[i] = 0;
        for (size_t i = 0; i < Nodes * Vcs; i++)
            root.credit_i[i] = 0;
        root.dateline_i = place.dateline != 0;
        root.classes_i = place.classes == 2;
        root.balanced_i = place.balanced != 0;
        root.order_high_i = place.order_high != 0;
        root.switching_i = place.switching & 3;
        root.depth_i = static_cast<SData>(place.depth);
        root.packet_i = static_cast<SData>(place.packet);
        // Settle with the clock at rest: from a random initial value of the inner clock the first
        // edge would go unnoticed.
        guard.run([&] { model->eval_step(); });
    }

    void clock(bool sampled) // as in ec_shim.cpp
    {
        guard.run([&] {
            if (sampled)
                model->eval_step();
            model->rootp->clk_i ^= 1; // every change is a rising edge (rtl/ec_tile_network.sv)
            model->eval_step();
        });
    }
};

namespace
{

// Where routers are is in the RTL; of the places only what they have in common counts.
ec_tile_bank *open_bank(size_t routers, const ec_tile_place *places, const uint32_t *,
                        uint32_t random_seed, const char *const *, const ec_tile_listener *listener)
{
    if (routers != Nodes)
        return nullptr;
    try {
        return new ec_tile_bank(places[0], random_seed, listener);
    } catch (...) {
        return nullptr;
    }
}

void reset_bank(ec_tile_bank *bank)
{
    bank->model->rootp->rst_i = 1;
    bank->clock(true);
    bank->model->rootp->rst_i = 0;
}

void apply_inputs(Root &root, const ec_tile_io &io)
{
    for (size_t n = 0; n < Nodes; n++) {
        for (size_t l = 0; l < Locals; l++) {
            const size_t port = Links + l;
            const bool arrives = (io.in_valid[n] >> port & 1) != 0;
            root.link_i[n * Locals + l] = arrives ? io.in_word[n * Ports + port] : 0;
        }
        for (size_t vc = 0; vc < Vcs; vc++)
            root.credit_i[n * Vcs + vc] = io.in_credit[n * Vcs + vc] >> Links;
    }
}

void read_taps(const Root &root, const ec_tile_io &io, size_t router)
{
    for (size_t vc = 0; vc < Vcs; vc++) {
        const uint64_t contended = root.contended_o[router * Vcs + vc];
        const uint64_t starved = root.starved_o[router * Vcs + vc];
        io.contended[router * Vcs + vc] = contended;
        io.starved[router * Vcs + vc] = starved;
        for (uint64_t left = contended | starved; left != 0; left &= left - 1) {
            const size_t port = static_cast<size_t>(__builtin_ctzll(left));
            const size_t at = (router * Ports + port) * Vcs + vc;
            io.want[at] = root.want_o[at];
        }
    }
}

void read_outputs(const Root &root, const ec_tile_io &io)
{
    for (size_t n = 0; n < Nodes; n++) {
        const uint64_t valid = root.valid_o[n];
        io.out_valid[n] = valid;
        for (uint64_t left = valid; left != 0; left &= left - 1) {
            const size_t at = n * Ports + static_cast<size_t>(__builtin_ctzll(left));
            io.out_word[at] = root.link_o[at];
        }
        for (size_t vc = 0; vc < Vcs; vc++)
            io.out_credit[n * Vcs + vc] = root.credit_o[n * Vcs + vc];
        read_taps(root, io, n);
        io.quiet[n] = 0;
    }
}

void step_bank(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *, size_t)
{
    apply_inputs(*bank->model->rootp, *io);
    bank->clock(EC_SHAPE_SAMPLED);
    read_outputs(*bank->model->rootp, *io);
}

void close_bank(ec_tile_bank *bank)
{
    try {
        delete bank;
    } catch (...) {
        // A destructor of the Verilator runtime threw: nothing is left to be saved.
    }
}

const struct ec_tile_api api = {
    EC_TILE_ABI,
    {EC_SHAPE_DIMS, EC_SHAPE_LINKS_PER_DIM, EC_SHAPE_LOCALS, EC_SHAPE_VCS, EC_SHAPE_DEPTH_MAX,
     EC_SHAPE_DYNAMIC, EC_SHAPE_STAGES, EC_SHAPE_ADDRESS_BITS, EC_SHAPE_TABLE, EC_SHAPE_PATHS,
     EC_SHAPE_SPEEDUP},
    EC_SHAPE_HAS_TAPS,
    false, // nobody sleeps: all routers are one model
    VERILATOR_PRODUCT " " VERILATOR_VERSION,
    open_bank,
    reset_bank,
    step_bank,
    close_bank,
    nullptr,
    EC_SHAPE_NODES,
    nullptr,
};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_tile_api *ec_tile_api(void)
{
    return &api;
}
