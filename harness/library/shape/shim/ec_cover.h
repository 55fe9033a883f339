// SPDX-License-Identifier: Apache-2.0
// Where the generated code of a shape with coverage announces its points: in a list of this shape
// instead of Verilator's, which would hold a copy of every point for every router, and add up what
// different instances of a module count.
//
// Forced into the generated code (-include), whose counters it must know.
#ifndef EC_COVER_H
#define EC_COVER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_cov.h"

#undef VL_COVER_INSERT
#define VL_COVER_INSERT(context, ...) ec_cover_insert(vlSymsp, __VA_ARGS__)

struct ec_cover_text {
    std::string file, page, comment, lines, hier;
    uint32_t line, column;
};

// Point k is counted by counter k of every model.
inline std::vector<ec_cover_text> ec_cover_points;
inline std::mutex ec_cover_mutex;

// Later versions of Verilator have more keys at the end.
template <class Syms, class Counter, class... More>
void ec_cover_insert(Syms *syms, Counter *counter, const char *, const char *file, const char *,
                     int line, const char *, int column, const char *, const std::string &hier,
                     const char *, const char *page, const char *, const char *comment,
                     const char *, const char *lines, const More &...)
{
    // Counters are atomic in some versions of Verilator, and are announced as plain numbers.
    static_assert(sizeof *counter == sizeof syms->__Vcoverage[0], "a counter is a number");
    const std::ptrdiff_t at =
        reinterpret_cast<const char *>(counter) - reinterpret_cast<const char *>(syms->__Vcoverage);
    const std::ptrdiff_t count = sizeof syms->__Vcoverage;
    if (at < 0 || at >= count) // of a further instance of a module, which shares its counters
        return;
    const char *module = std::strchr(page, '/');
    if (module != nullptr && std::strncmp(module, "/ec_tile", 8) == 0) // ecube's wrappers
        return;
    const std::lock_guard<std::mutex> lock(ec_cover_mutex);
    if (ec_cover_points.empty())
        ec_cover_points.resize(sizeof syms->__Vcoverage / sizeof *counter);
    ec_cover_text &point = ec_cover_points[static_cast<size_t>(at) / sizeof *counter];
    if (point.file.empty())
        point = {file,
                 page,
                 comment,
                 lines,
                 hier,
                 static_cast<uint32_t>(line),
                 static_cast<uint32_t>(column)};
}

// They also pass the name of the model, before the rest.
template <class Syms, class Name, class Counter, class... Rest>
auto ec_cover_insert(Syms *syms, const Name &, Counter *counter, const char *key, const char *file,
                     Rest &&...rest) -> decltype(*counter = 0, void())
{
    ec_cover_insert(syms, counter, key, file, std::forward<Rest>(rest)...);
}

#endif
