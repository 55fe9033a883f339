// SPDX-License-Identifier: Apache-2.0
// The second half of the shim of a traced shape: waves. Included by ec_shim.cpp, whose bank it
// uses.
//
// Inputs are put on the pins before the wave is written and the clock edge comes after, so a dump
// at time c shows the links as they are during cycle c.
#include <cerrno>

#include "verilated_fst_c.h"

namespace
{

// Work that writes a dump. The errno of what could not be written, else 0.
template <typename Work> int writing(ec_tile_bank *bank, const Work &work)
{
    ec_trace_lost();
    bank->guard.run(work);
    return ec_trace_lost();
}

int open_dump(ec_tile_bank *bank, const char *path, const uint32_t *ids, size_t count)
{
    bool good = false;
    const int error = writing(bank, [&] {
        bank->dump = std::make_unique<VerilatedFstC>();
        for (size_t k = 0; k < count; k++)
            bank->routers->model(ids[k]).trace(bank->dump.get(), 99);
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
    bank->guard.run([&] {
        for (size_t k = 0; k < count; k++) {
            bank->guard.at(ids[k]);
            put_inputs((*bank->routers)[ids[k]], *io, ids[k]);
            evaluate(*bank->routers, ids[k]);
        }
    });
}

// Characters as in a Verilog string: the last one in the lowest byte.
template <size_t Words> void put_text(VlWide<Words> &signal, const char *text)
{
    const size_t length = strnlen(text, 4 * Words);
    for (size_t word = 0; word < Words; word++)
        signal[word] = 0;
    for (size_t at = 0; at < length; at++) {
        const auto byte = static_cast<unsigned char>(text[length - 1 - at]);
        signal[at / 4] |= static_cast<EData>(byte) << (8 * (at % 4));
    }
}

void say(ec_tile_bank *bank, uint32_t id, ec_tile_text what, unsigned input, const char *text)
{
    Root &root = (*bank->routers)[id];
    if (what == EC_TILE_FAILURE)
        put_text(root.failure_i, text);
    else
        put_text(what == EC_TILE_FRONT ? root.front_i[input] : root.state_i[input], text);
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
    open_dump, show_inputs, say, write_dump, close_dump,
};

} // namespace
