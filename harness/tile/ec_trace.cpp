// SPDX-License-Identifier: Apache-2.0
// The second half of the shim of a traced shape: waves, and checks inside the RTL. Included by
// ec_shim.cpp, whose bank it uses.
//
// Inputs are put on the pins before the wave is written and the clock edge comes after, so a dump
// at time c shows the links as they are during cycle c.
#include <cerrno>

#include "verilated_fst_c.h"

namespace
{

// Every call into the runtime goes through here: messages reach the bank's listener, exceptions
// end at this border.
template <typename Work> void guarded(ec_tile_bank *bank, const Work &work)
{
    const ec_trace_listener listener = {
        [](void *context, const char *text) {
            const auto *b = static_cast<const ec_tile_bank *>(context);
            if (b->failed != nullptr)
                b->failed(b->failed_context, b->current, text);
        },
        bank,
    };
    const ec_trace_listener *before = ec_trace_listen(&listener);
    try {
        work();
    } catch (...) {
        // vl_fatal has told why.
    }
    ec_trace_listen(before);
}

// The same for what writes a dump. The errno of what could not be written, else 0.
template <typename Work> int writing(ec_tile_bank *bank, const Work &work)
{
    ec_trace_lost();
    guarded(bank, work);
    return ec_trace_lost();
}

ec_tile_bank *open_traced(size_t routers, const ec_tile_place *places, const char *const *names)
{
    try {
        return new ec_tile_bank(routers, places, 0, names);
    } catch (...) {
        return nullptr;
    }
}

void reset_traced(ec_tile_bank *bank)
{
    guarded(bank, [&] { reset_bank(bank); });
}

void step_traced(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *ids, size_t count)
{
    guarded(bank, [&] {
        for (size_t k = 0; k < count; k++) {
            bank->current = ids[k];
            step_one(*bank->models[ids[k]], *bank->roots[ids[k]], *io, ids[k]);
        }
    });
}

void set_checks(ec_tile_bank *bank, void (*failed)(void *, uint32_t, const char *), void *context)
{
    bank->failed = failed;
    bank->failed_context = context;
}

int open_dump(ec_tile_bank *bank, const char *path, const uint32_t *ids, size_t count)
{
    bool good = false;
    const int error = writing(bank, [&] {
        bank->dump = std::make_unique<VerilatedFstC>();
        for (size_t k = 0; k < count; k++)
            bank->models[ids[k]]->trace(bank->dump.get(), 99);
        // One cycle is one unit of time; a viewer wants it to have a name.
        bank->dump->set_time_unit("1ns");
        bank->dump->set_time_resolution("1ns");
        bank->dump->open(path);
        good = bank->dump->isOpen();
    });
    return error != 0 || good ? error : EIO;
}

void show_inputs(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *ids, size_t count)
{
    guarded(bank, [&] {
        for (size_t k = 0; k < count; k++) {
            const uint32_t id = bank->current = ids[k];
            put_inputs(*bank->roots[id], *io, id);
            bank->models[id]->eval_step();
        }
    });
}

int write_dump(ec_tile_bank *bank, uint64_t cycle)
{
    return writing(bank, [&] { bank->dump->dump(cycle); });
}

int close_dump(ec_tile_bank *bank)
{
    return writing(bank, [&] { bank->dump.reset(); });
}

const struct ec_tile_trace trace_api = {
    open_traced, set_checks, open_dump, show_inputs, write_dump, close_dump,
};

} // namespace
