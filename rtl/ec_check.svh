// SPDX-License-Identifier: Apache-2.0
// One macro for invariants, to be used inside a clocked block: an assertion for Yosys, $error in
// simulators where EC_CHECKS is defined, nothing in synthesis and in fast simulation.
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
