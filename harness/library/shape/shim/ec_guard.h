// SPDX-License-Identifier: Apache-2.0
// The border between a bank and the Verilator runtime, in every shim: what the RTL says reaches the
// bank's listener, and no exception gets past here. Include after ecube/tile.h.
#ifndef EC_GUARD_H
#define EC_GUARD_H

#include <exception>
#include <numeric>
#include <vector>

#include "ec_runtime.h"

class ec_guard
{
    const ec_tile_listener *listener;
    ec_runtime_listener runtime;
    uint32_t own = 0;
    volatile uint32_t *router; // the number of the one that is being evaluated
    std::vector<uint32_t> all; // 0, 1, ...
    const uint32_t *numbers;   // of the routers
    bool broken = false;       // the simulator cannot go on
    bool beginning = false;    // initial blocks are being executed

    static void pass_on(void *context, int event, const char *text)
    {
        const auto *g = static_cast<const ec_guard *>(context);
        if (g->listener == nullptr)
            return;
        if (g->beginning && (event == EC_RTL_ERROR || event == EC_RTL_BROKEN))
            g->listener->said(g->listener->context, *g->router, EC_RTL_REFUSED, text);
        if (!g->beginning || event != EC_RTL_ERROR)
            g->listener->said(g->listener->context, *g->router, static_cast<ec_rtl_event>(event),
                              text);
    }

  public:
    ec_guard(const ec_tile_listener *listener, size_t routers, const uint32_t *given)
        : listener(listener), runtime{pass_on, this, false},
          router(listener != nullptr && listener->router != nullptr ? listener->router : &own),
          all(given != nullptr ? 0 : routers), numbers(given != nullptr ? given : all.data())
    {
        std::iota(all.begin(), all.end(), uint32_t{0});
    }

    ~ec_guard() { ec_runtime_listen(nullptr); }

    ec_guard(const ec_guard &) = delete;
    ec_guard &operator=(const ec_guard &) = delete;

    void at(uint32_t id)
    {
        if (runtime.holds)
            ec_runtime_flush(); // a text of the router before
        *router = numbers[id];
    }

    void initial(bool now)
    {
        if (runtime.holds)
            ec_runtime_flush();
        beginning = now;
    }

    void nowhere() { *router = EC_TILE_ROUTER_UNKNOWN; }

    // Every call into the runtime goes through here.
    template <typename Work> void run(const Work &work)
    {
        if (broken)
            return;
        ec_runtime_listen(&runtime);
        try {
            work();
        } catch (const ec_runtime_fatal &) {
            broken = true; // and has been told
        } catch (const std::exception &e) {
            broken = true;
            pass_on(this, EC_RTL_BROKEN, e.what());
        } catch (...) {
            broken = true;
            pass_on(this, EC_RTL_BROKEN, "an exception of an unknown type");
        }
        if (runtime.holds)
            ec_runtime_flush();
    }
};

#endif
