// SPDX-License-Identifier: Apache-2.0
// What a shape with coverage has beyond the shim (which is included here): it adds up the counters
// of all its routers, also of those that are closed, until they are asked for.
//
// It knows banks and counters; not what the points mean.
#include EC_SHAPE_POINT

// The shim's entry point gets another name, for the one below.
#define ec_tile_api(nothing) ec_tile_plain_api(nothing)
#include EC_SHAPE_SHIM
#undef ec_tile_api

#include <algorithm>

namespace
{

std::vector<ec_tile_bank *> cover_banks;
std::vector<uint64_t> cover_hits; // of what was counted in banks, until it is taken

// A router without any point has no counters.
template <class Syms> auto drain_model(Syms &syms, int) -> decltype(&syms.__Vcoverage[0], void())
{
    cover_hits.resize(std::max(cover_hits.size(), ec_cover_points.size()));
    for (size_t k = 0; k < cover_hits.size(); k++) {
        cover_hits[k] += syms.__Vcoverage[k];
        syms.__Vcoverage[k] = 0;
    }
}
template <class Syms> void drain_model(Syms &, long) {}

// Models side by side may share their counters: drained once, they are 0.
void drain_bank(const ec_tile_bank &bank)
{
#if EC_SHAPE_NODES
    drain_model(*bank.model->rootp->vlSymsp, 0);
#else
    for (size_t i = 0; i < bank.routers->size(); i++)
        drain_model(*(*bank.routers)[i].vlSymsp, 0);
#endif
}

ec_tile_bank *open_covered(size_t routers, const ec_tile_place *places, const uint32_t *numbers,
                           uint32_t random_seed, const char *const *names,
                           const ec_tile_listener *listener)
{
    ec_tile_bank *bank =
        ec_tile_plain_api()->open(routers, places, numbers, random_seed, names, listener);
    const std::lock_guard<std::mutex> lock(ec_cover_mutex);
    if (bank != nullptr)
        cover_banks.push_back(bank);
    return bank;
}

void close_covered(ec_tile_bank *bank)
{
    if (bank != nullptr) {
        const std::lock_guard<std::mutex> lock(ec_cover_mutex);
        drain_bank(*bank);
        cover_banks.erase(std::find(cover_banks.begin(), cover_banks.end(), bank));
    }
    ec_tile_plain_api()->close(bank);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_tile_api *ec_tile_api(void)
{
    static const struct ec_tile_api covered = [] {
        struct ec_tile_api own = *ec_tile_plain_api();
        own.open = open_covered;
        own.close = close_covered;
        return own;
    }();
    return &covered;
}

// Hand over all points with their hits since the last call; no bank is being stepped.
extern "C" __attribute__((visibility("default"))) void ec_tile_points(ec_point_take *take,
                                                                      void *context)
{
    const std::lock_guard<std::mutex> lock(ec_cover_mutex);
    for (const ec_tile_bank *bank : cover_banks)
        drain_bank(*bank);
    cover_hits.resize(ec_cover_points.size());
    for (size_t k = 0; k < cover_hits.size(); k++) {
        const ec_cover_text &t = ec_cover_points[k];
        if (t.file.empty())
            continue;
        const struct ec_point point = {
            t.file.c_str(),    t.line,          t.column,      t.page.c_str(),
            t.comment.c_str(), t.lines.c_str(), t.hier.c_str()};
        take(context, &point, cover_hits[k]);
        cover_hits[k] = 0;
    }
}
