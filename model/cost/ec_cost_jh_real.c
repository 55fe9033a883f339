/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of real GSH: A1, A2, A2 squared, Table 3. Knows numbers only; must not know how a schedule
 * is made. */
#include "ec_cost_jh_real.h"

#include "ec_cost_jh_bounds.h"

uint64_t ec_cost_jh_a1_one_port(uint64_t sigma_r, uint64_t K)
{
    return (sigma_r + 1) * (K / 2);
}

uint64_t ec_cost_jh_a1_pipelined(uint64_t sigma_r, uint64_t K)
{
    return K / 2 + ec_cost_max(K / 2, sigma_r);
}

uint64_t ec_cost_jh_a1_concurrent(uint64_t sigma_r, uint64_t K)
{
    return (sigma_r + 1) * ec_cost_ceil(K, 2 * sigma_r);
}

uint64_t ec_cost_jh_a1_packed(uint64_t sigma_r, uint64_t K)
{
    return ec_cost_max(sigma_r + 1, ec_cost_ceil((sigma_r + 1) * K, 2 * sigma_r));
}

uint64_t ec_cost_jh_a2_one_port(uint64_t sigma_r, uint64_t K)
{
    return sigma_r * K;
}

uint64_t ec_cost_jh_a2_n_port(uint64_t sigma_r, uint64_t K)
{
    return sigma_r * ec_cost_ceil(K, sigma_r);
}

uint64_t ec_cost_jh_a22_printed(uint64_t K)
{
    return K / 2 + 1;
}

uint64_t ec_cost_jh_a22(uint64_t beta, uint64_t K)
{
    return K >= 4 * beta ? K / 2 + 1 : ec_cost_ceil(K, 2 * beta) + 2 * beta - 1;
}

struct ec_cost_terms ec_cost_jh_table3_printed(enum ec_cost_jh_table3 line, uint64_t sigma_r,
                                               uint64_t K, uint64_t B)
{
    const uint64_t r = sigma_r;

    switch (line) {
    case EC_COST_A1_ONE_PORT:
        return (struct ec_cost_terms){(r + 1) * (K / 2), (r + 1) * ec_cost_ceil(K, 2 * B)};
    case EC_COST_A2_ONE_PORT:
        return (struct ec_cost_terms){r * K, r * ec_cost_ceil(K, B)};
    case EC_COST_A1_N_PORT:
        return (struct ec_cost_terms){(r + 1) * ec_cost_ceil(K, 2 * r),
                                      (r + 1) * ec_cost_ceil(K, 2 * r * B)};
    case EC_COST_A2_N_PORT:
        return (struct ec_cost_terms){K, r * ec_cost_ceil(K, r * B)};
    case EC_COST_A22:
        break;
    }
    return (struct ec_cost_terms){K / 2 + B, ec_cost_ceil(K, 2 * B) + 1};
}

struct ec_cost_terms ec_cost_jh_table3(enum ec_cost_jh_table3 line, uint64_t sigma_r, uint64_t K,
                                       uint64_t B)
{
    struct ec_cost_terms terms = ec_cost_jh_table3_printed(line, sigma_r, K, B);

    if (line == EC_COST_A2_N_PORT)
        terms.transfers = ec_cost_jh_a2_n_port(sigma_r, K);
    return terms;
}

uint64_t ec_cost_jh_table3_memory(enum ec_cost_jh_table3 line, uint64_t beta, uint64_t K,
                                  uint64_t B)
{
    switch (line) {
    case EC_COST_A1_ONE_PORT:
    case EC_COST_A1_N_PORT:
        return K;
    case EC_COST_A2_ONE_PORT:
    case EC_COST_A2_N_PORT:
        return 2 * K;
    case EC_COST_A22:
        break;
    }
    return K + 2 * beta * B;
}

uint64_t ec_cost_jh_table3_best_block(enum ec_cost_jh_table3 line, uint64_t sigma_r, uint64_t K)
{
    switch (line) {
    case EC_COST_A1_ONE_PORT:
        return K / 2;
    case EC_COST_A1_N_PORT:
        return ec_cost_ceil(K, 2 * sigma_r);
    case EC_COST_A2_N_PORT:
        return ec_cost_ceil(K, sigma_r);
    case EC_COST_A22:
        return K / 2;
    case EC_COST_A2_ONE_PORT:
        break;
    }
    return K;
}

struct ec_cost_ratio ec_cost_jh_a22_best_block_squared(uint64_t K, uint64_t tc, uint64_t tau)
{
    return ec_cost_ratio_of(K * tau, 2 * tc);
}

struct ec_cost_ratio ec_cost_jh_table3_tc_factor(enum ec_cost_jh_table3 line, uint64_t sigma_r,
                                                 uint64_t K)
{
    const bool one_port = line == EC_COST_A1_ONE_PORT || line == EC_COST_A2_ONE_PORT;
    const uint64_t transfers = ec_cost_jh_table3(line, sigma_r, K, 1).transfers;

    return ec_cost_ratio_of(2 * transfers, one_port ? sigma_r * K : K);
}

struct ec_cost_ratio ec_cost_jh_table3_tau_factor(enum ec_cost_jh_table3 line, uint64_t sigma_r)
{
    const bool a1 = line == EC_COST_A1_ONE_PORT || line == EC_COST_A1_N_PORT;

    return ec_cost_ratio_of(a1 ? sigma_r + 1 : sigma_r, ec_cost_jh_startups(sigma_r, true, 0));
}

struct ec_cost_ratio ec_cost_jh_break_even_one_port(uint64_t sigma_r, uint64_t K)
{
    return ec_cost_ratio_of((sigma_r - 1) * K, 2);
}

struct ec_cost_ratio ec_cost_jh_break_even_n_port(uint64_t sigma_r, uint64_t K)
{
    return ec_cost_ratio_of((sigma_r - 1) * K, 2 * sigma_r);
}

uint64_t ec_cost_jh_aapc_twice_n_port(uint64_t K)
{
    return K;
}

uint64_t ec_cost_jh_aapc_twice_one_port(unsigned n, uint64_t K)
{
    return n * K;
}
