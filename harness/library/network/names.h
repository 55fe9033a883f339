/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ports, routers and words in waves, event logs and reports. */
#pragma once

#include "ecube/topology.h"
#include "ecube/word.h"

#define EC_NAME_SIZE 128 /* enough for each of these names */

/* A port of a router: "dim2", "+x", "local" or, with one local port per link, "local3"; "unused"
 * for any other. Ports are numbered as in the topology: links, then locals. rtl/ec_trace_ports.svh
 * has the same names. */
void ec_port_name(const struct ec_topology *t, unsigned locals, unsigned port, char *buffer,
                  size_t size);

/* A router as the scope of a wave: "n5_101" on cubes, "n9_x1_y2" on grids, "n5" on rings. */
void ec_scope_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size);

/* A word: "5->0 #3.2" is word 2 of packet 3 of source 5. An address that is not a node is shown as
 * "?ADDRESS". */
void ec_word_name(const struct ec_topology *t, const struct ec_word_layout *l, uint64_t word,
                  char *buffer, size_t size);

struct ec_net;

/* The message of the RTL of a network: "cycle 12, router 5 (101): %Error: r.sv:7: ... (the first of
 * 3 messages)". Call it only if ec_net_rtl_said(). */
void ec_net_rtl_text(const struct ec_net *net, char *buffer, size_t size);
