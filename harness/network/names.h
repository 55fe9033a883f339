/* SPDX-License-Identifier: Apache-2.0 */
/* Names that waves, event logs and reports share. */
#ifndef EC_NAMES_H
#define EC_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "ecube/topology.h"

#define EC_NAME_SIZE 128 /* suffices for each of these */

/* A port of a router: "dim2", "+x", "local" or, with one local port per link, "local3"; "unused" is
 * none of them. Ports are those of the topology: links, then locals. The scopes of
 * rtl/ec_trace_ports.svh are the same. */
void ec_port_name(const struct ec_topology *t, unsigned locals, unsigned port, char *buffer,
                  size_t size);

/* A router as the scope of a wave: "n5_101" on cubes, "n9_x1_y2" on grids, "n5" on rings. */
void ec_scope_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size);

/* A word: "5->0 #3.2" is word 2 of packet number 3 of source 5. Addresses that name no node are
 * shown as "?ADDRESS". */
void ec_word_name(const struct ec_topology *t, uint64_t word, char *buffer, size_t size);

struct ec_net;

/* The message of the RTL of a network: "cycle 12, router 5 (101): %Error: r.sv:7: ... (the first of
 * 3 messages)". Only if ec_net_rtl_said(). */
void ec_net_rtl_text(const struct ec_net *net, char *buffer, size_t size);

#endif
