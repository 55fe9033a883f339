// SPDX-License-Identifier: Apache-2.0
`include "network_define.v"
