// SPDX-License-Identifier: Apache-2.0
// The state of the routers of a bank as bytes (shape/bank_state.h): compiled in the place of the
// shim EC_SHAPE_SHIM, which it includes, so that shapes without it stay as they are.
#include EC_SHAPE_SHIM
extern "C" {
#include EC_SHAPE_STATE
}

#include <stdexcept>
#include <vector>

#ifdef EC_SHAPE_LANES

namespace
{

// Numbers of registers and of words of memories.
constexpr size_t Registers = sizeof(State) / sizeof(V);

const unsigned char *save_router(ec_tile_bank *bank, uint32_t id, size_t *ret_size)
{
    static thread_local uint32_t numbers[Registers];
    const V *state = reinterpret_cast<const V *>(&bank->states[id / Lanes]);
    for (size_t i = 0; i < Registers; i++)
        numbers[i] = state[i][id % Lanes];
    *ret_size = sizeof numbers;
    return reinterpret_cast<const unsigned char *>(numbers);
}

bool load_router(ec_tile_bank *bank, uint32_t id, const unsigned char *bytes, size_t size)
{
    const size_t g = id / Lanes;
    V *state = reinterpret_cast<V *>(&bank->states[g]);
    if (size != Registers * sizeof(uint32_t))
        return false;
    for (size_t i = 0; i < Registers; i++)
        state[i][id % Lanes] = load<uint32_t>(bytes + i * sizeof(uint32_t));
    show_group(bank->states[g], bank->pins[g], bank->out[0]);
    const uint32_t lane = 1U << id % Lanes;
    bank->awake[g] = (bank->awake[g] & ~lane) | (awake_lanes(bank->out[0]) & lane);
    return true;
}

#else

#include "verilated_save.h"

// What routers share is no state of theirs: the time, which does not pass, and command lines.
VerilatedSerialize &operator<<(VerilatedSerialize &os, VerilatedContext *)
{
    return os;
}
VerilatedDeserialize &operator>>(VerilatedDeserialize &os, VerilatedContext *)
{
    return os;
}

// Of the names and widths of all state.
VerilatedDeserialize &VerilatedDeserialize::readAssert(const void *expected, size_t size)
{
    std::vector<unsigned char> there(size);
    read(there.data(), size);
    if (std::memcmp(there.data(), expected, size) != 0)
        throw std::runtime_error("the state of another model");
    return *this;
}

// g++ 16 guesses that a VerilatedSerialize may be one of these, and calls it then. None exists.
void VerilatedSave::flushImp() {}

namespace
{

class ec_writer final : public VerilatedSerialize
{
  public:
    std::vector<unsigned char> bytes;

    void flush() override
    {
        bytes.insert(bytes.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
};

class ec_reader final : public VerilatedDeserialize
{
    const unsigned char *from = nullptr;
    size_t size = 0, at = 0; // at: where the buffer begins

    size_t read() const { return at + static_cast<size_t>(m_cp - m_bufp); }

  public:
    void open(const unsigned char *bytes, size_t count)
    {
        from = bytes;
        size = count;
        at = 0;
        m_cp = m_endp = m_bufp;
    }

    bool ended() const { return read() == size; }

    // Behind the end there are zeros, so that a reader of damaged bytes comes to its end.
    void fill() override
    {
        at = read();
        const size_t left = at < size ? size - at : 0, room = bufferSize() - bufferInsertSize();
        const size_t count = left < room ? left : room;
        if (count > 0)
            std::memcpy(m_bufp, from + at, count);
        std::memset(m_bufp + count, 0, bufferInsertSize());
        m_cp = m_bufp;
        m_endp = m_bufp + count + bufferInsertSize();
    }
};

void visit(const ec_models &models, size_t i, VerilatedSerialize &to)
{
    to << models.model(i);
}
void visit(const ec_models &models, size_t i, VerilatedDeserialize &from)
{
    from >> models.model(i);
}
void visit(const ec_roots &roots, size_t i, VerilatedSerialize &to)
{
    roots[i].__Vserialize(to);
}
void visit(const ec_roots &roots, size_t i, VerilatedDeserialize &from)
{
    roots[i].__Vdeserialize(from);
}

const unsigned char *save_router(ec_tile_bank *bank, uint32_t id, size_t *ret_size)
{
    try {
        static thread_local ec_writer to;
        to.bytes.clear();
        visit(*bank->routers, id, to);
        to.flush();
        *ret_size = to.bytes.size();
        return to.bytes.data();
    } catch (...) {
        return nullptr;
    }
}

bool load_router(ec_tile_bank *bank, uint32_t id, const unsigned char *bytes, size_t size)
{
    try {
        static thread_local ec_reader from;
        from.open(bytes, size);
        visit(*bank->routers, id, from);
        return from.ended();
    } catch (...) {
        return false;
    }
}

#endif

const ec_bank_state_api state_api = {save_router, load_router};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_bank_state_api *
ec_tile_state(void)
{
    return &state_api;
}
