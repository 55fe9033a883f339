/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of real GSH: A1, A2, A2 squared, Table 3. Knows numbers only; must not know how a schedule
 * is made. */
#include "ec_cost_jh_real.h"

#include "ec_cost_jh_bounds.h"

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

uint64_t ec_cost_jh_aapc_twice_n_port(uint64_t K)
{
    return K;
}

uint64_t ec_cost_jh_aapc_twice_one_port(unsigned n, uint64_t K)
{
    return n * K;
}
