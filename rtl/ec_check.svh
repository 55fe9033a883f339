// SPDX-License-Identifier: Apache-2.0
// One macro for invariants: an assertion for Yosys (FORMAL), $error in simulators where EC_CHECKS is
// defined, nothing in synthesis and in fast simulation. It stands in a clocked block of its own, an
// `always`, because Icarus wants no $error in an `always_ff`.
`ifndef EC_CHECK_SVH
`define EC_CHECK_SVH

`ifdef FORMAL
  `define EC_CHECK(condition, text) assert(condition);
`elsif EC_CHECKS
  `define EC_CHECK(condition, text) if (!(condition)) $error("%m: %s", text);
`else
  `define EC_CHECK(condition, text)
`endif

`endif
