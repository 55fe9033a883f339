/* SPDX-License-Identifier: Apache-2.0 */
/* Johnsson and Ho, TR-04-91, sections 5 and 6 and the abstract, where they say something new.
 *
 * Rows only: data, no code. */
#include "study/experiments/experiments.h"
#include "study/rows/sources.h"

static const struct claims_row rows[] = {
    {
        .number = 185,
        .id = "jh.exp.fig11",
        .place = "Fig. 11, section 5",
        .statement = "Measured shuffle times on an iPSC/1 5-cube",
        .grid = "cube:5, K=2..[64|1024], ts in [{0, 50}|{0, 50, 200}]",
        .check = "T",
        .relation = "== closed forms; direct <",
        .expected = CLAIMS_UNVERIFIABLE,
        .remark =
            "machine times. Equivalent: cycles of A1, A2, all-to-all twice (one port, largest "
            "packets) and of the router alone, which is the fastest of all for every K and ts",
        .experiment = try_figure11,
    },
    {
        .number = 186,
        .id = "jh.exp.crossover",
        .place = "section 5",
        .statement = "A2-like is fastest below a few hundred bytes, A1 above",
        .grid = "cube:5, all even K around the crossing, ts in [{0, 7}|{0, 7, 50, 200}]",
        .check = "T",
        .relation = "==",
        .expected = CLAIMS_UNVERIFIABLE,
        .remark = "bytes depend on the machine. Equivalent: exactly one crossing, at K = "
                  "2tau/((sigma_r-1) tc)",
        .experiment = try_crossover,
    },
    {
        .number = 187,
        .id = "jh.exp.router",
        .place = "section 5",
        .statement = "Best of A1, A2 is 5-10 times faster than the router",
        .grid = "cube:5..[6|10 (with stops: 5..8)]",
        .check = "T direct, ecube-steps against a1, a2",
        .relation = "ratio <2, <5",
        .expected = CLAIMS_UNVERIFIABLE,
        .remark = "store-and-forward software router. Equivalent: our ratio; loads predict "
                  "2r/(r+1) lowest dimension first, twice that highest first, not 5-10; nor do "
                  "stops in every node explain it (ecube-steps, one port)",
        .experiment = try_router_ratio,
    },
    {
        .number = 188,
        .id = "jh.exp.linear",
        .place = "section 5",
        .statement = "One-port algorithms cost linearly in the number of dimensions",
        .grid = "n=2..[6|10], K=16 (all-to-all: [K=64|n=2..8, K=256])",
        .check = "T: first differences",
        .relation = "==",
        .expected = CLAIMS_HOLDS,
        .remark =
            "on RTL for A1 (n+1)K/2, A2 nK, AAPC twice nK; the figure's deviation (hybrid code) U",
        .experiment = try_linear,
    },
    {
        .number = 189,
        .id = "jh.exp.cm",
        .place = "section 5",
        .statement = "A2^2 on the CM: 270 + (3.2 + 3.9beta)K us",
        .grid = "TWO, K>=4beta",
        .check = "ST a2x2",
        .relation = "==",
        .expected = CLAIMS_UNVERIFIABLE,
        .remark = "machine time. Equivalent: cycles affine in K with slope 1/2 step per element, "
                  "free of beta, for K>=4beta",
        .experiment = try_affine,
    },
    {
        .number = 190,
        .id = "jh.exp.cm2",
        .place = "section 1 par. 4",
        .statement = "CM-2: 32-bit exchange about 185 cycles, 22 at once, local memory at most 25 "
                     "% of the time",
        .grid = "cube:[6|11]",
        .check = "T crossing, align",
        .relation = "==",
        .expected = CLAIMS_UNVERIFIABLE,
        .remark = "hardware figures. Equivalent: m=32 flits a step on cube:11 takes the closed "
                  "form; local moves cost 0 here",
        .experiment = try_all_links,
    },
    {
        .number = 191,
        .id = "jh.abs.mixed",
        .place = "abstract",
        .statement = "Mixed: K/2+2 exchanges, independent of sigma_r",
        .grid = "MIX, MUL",
        .check = "ST",
        .relation = "==",
        .expected = CLAIMS_CONDITIONAL,
        .remark =
            "iff sigma_r=3 (longest order 3 and K>=2sigma_r); or an order >=4, K>=2(sigma_r+1) and "
            "a free storage dim (not 4,1,1,1 with K=16); and a few smaller K by chance. Fewer "
            "steps for short orders, more for small K; parity: K/2+1 for K>=2sigma_r",
        .counterexample = "sigma_r=1, K=2: steps: 1, stated 3",
        .experiment = try_abstract_mixed,
    },
    {
        .number = 192,
        .id = "jh.abs.startup",
        .place = "abstract",
        .statement = "Least start-ups sigma_r for real and mixed, also the lower bound",
        .grid = "MIX, REAL",
        .check = "S",
        .relation = "==",
        .expected = CLAIMS_REFUTED,
        .remark = "real sigma_r=3: bound 2",
        .counterexample = "real sigma_r=3, K=1: links of the longest way: 2, stated 3",
        .experiment = try_abstract_startups,
    },
    {
        .number = 193,
        .id = "jh.sum.startups",
        .place = "section 6 par. 1",
        .statement = "Mixed, unlimited buffer: start-ups optimal or three in excess",
        .grid = "MIX, MUL",
        .check = "S",
        .relation = "in {sigma_r, sigma_r+3}",
        .expected = CLAIMS_HOLDS,
        .remark = "",
        .experiment = try_summary_startups,
    },
    {
        .number = 194,
        .id = "jh.sum.oneport",
        .place = "abstract, section 6",
        .statement = "One-port: sigma_rK/2 transfers and sigma_r start-ups suffice",
        .grid = "MIX, REAL",
        .check = "ST",
        .relation = "==",
        .expected = CLAIMS_CONDITIONAL,
        .remark = "mixed; real sigma_r=2, K=2: A1 3 transfers (bound 2), A2 4",
        .counterexample = "real sigma_r=2, K=2: transfers: 3, stated 2",
        .experiment = try_summary_one_port,
    },
    {
        .number = 195,
        .id = "jh.sum.real.tc",
        .place = "section 6 par. 3",
        .statement = "Real: excess 1/sigma_r over K/2 for the best algorithm; one transfer for "
                     "sigma_r=2 or 2-cycles",
        .grid = "REAL, sigma_r>=3; TWO",
        .check = "ST",
        .relation = "==",
        .expected = CLAIMS_CONDITIONAL,
        .remark = "2sigma_r divides K; 2-cycles K>=4beta, or beta=1",
        .counterexample = "real sigma_r=3, K=2: 4 steps, not 8/6",
        .experiment = try_summary_real,
    },
    {
        .number = 196,
        .id = "jh.sum.real.compl",
        .place = "section 6 par. 3",
        .statement = "The K/2+1 result is not valid with complements",
        .grid = "sigma_r=2, all complements",
        .check = "ST",
        .relation = "iff",
        .expected = CLAIMS_CONDITIONAL,
        .remark = "one complement: 3K/4, which is more from K=6 on; both: valid, since it is the "
                  "plain swap after relabelling nodes (x xor 1).",
        .counterexample = "sigma_r=2, K=2, one dimension inverted: steps: 2, stated more than 2",
        .experiment = try_summary_inverted,
    },
    {
        .number = 197,
        .id = "jh.sum.aapc",
        .place = "section 4, section 6 par. 4",
        .statement = "Any dimension permutation can be done by AAPC twice, always inferior",
        .grid = "NAM of the machine address, n<=[4|6], K=N; MIX, REAL, TWO, K>=N, K<=[16|64]",
        .check = "ST: K steps n-port, nK one-port",
        .relation = ">",
        .expected = CLAIMS_CONDITIONAL,
        .remark =
            "needs N dividing K; inferior but for a tie with A1 concurrent at sigma_r=3, K=8 (8=8; "
            "packed A1 6), and where bits are only inverted, which takes K steps anyhow",
        .counterexample = "sigma_r=3, K=8: steps: 8, stated more than 8",
        .experiment = try_aapc_inferior,
    },
    {
        .number = 198,
        .id = "jh.sum.transpose",
        .place = "section 4, section 6 par. 4",
        .statement = "Recursive matrix transposition also works and costs more",
        .grid = "REAL, sigma_r>=3",
        .check = "ST: two involutions of 2-cycles, each an a2x2, against A1 concurrent",
        .relation = ">",
        .expected = CLAIMS_CONDITIONAL,
        .remark = "stand-in only (ref [4] not at hand); K+2 for K>=4 floor(sigma_r/2); tie at "
                  "sigma_r=3, K=2 (4=4).",
        .counterexample = "sigma_r=3, K=2: steps: 4, stated more than 4",
        .experiment = try_two_reflections,
    },
    {
        .number = 199,
        .id = "jh.sum.control",
        .place = "section 6 par. 5",
        .statement = "The control is the same for all processors",
        .grid = "MIX, MUL, REAL",
        .check = "ST: one (row, step)->dimension table for all nodes",
        .relation = "==",
        .expected = CLAIMS_HOLDS,
        .remark = "",
        .experiment = try_control,
    },
};

CLAIMS_TABLE(claims_jh_machine, "Johnsson and Ho, TR-04-91, sections 5 and 6", rows);
