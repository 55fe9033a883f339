// SPDX-License-Identifier: Apache-2.0
`ifndef NOC_DEFINES_SVH
`define NOC_DEFINES_SVH
`define NOC_IS_FIRST(kind) ((kind) inside {noc_pkg::Head, noc_pkg::Single})
`define NOC_GOES_ON(kind) ((kind) inside {noc_pkg::Head, noc_pkg::Body})
`endif
