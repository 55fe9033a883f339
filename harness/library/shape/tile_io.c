/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays at the border of a bank: allocation, and the renumbering of their ports for watchers. Must
 * not know what words mean. */
#include "shape/tile_io.h"

void ec_tile_io_inputs(struct ec_arrays *arrays, struct ec_tile_io *io, size_t routers,
                       unsigned ports, unsigned vcs)
{
    EC_ARRAY(arrays, io->in_word, routers * ports);
    EC_ARRAY(arrays, io->in_valid, routers);
    EC_ARRAY(arrays, io->in_credit, routers * vcs);
}

void ec_tile_io_outputs(struct ec_arrays *arrays, struct ec_tile_io *io, size_t routers,
                        unsigned ports, unsigned vcs)
{
    EC_ARRAY(arrays, io->out_word, routers * ports);
    EC_ARRAY(arrays, io->out_valid, routers);
    EC_ARRAY(arrays, io->out_credit, routers * vcs);
    EC_ARRAY(arrays, io->contended, routers * vcs);
    EC_ARRAY(arrays, io->starved, routers * vcs);
    EC_ARRAY(arrays, io->want, routers * ports * vcs);
    EC_ARRAY(arrays, io->quiet, routers);
}

/* --- What a router saw and shows -------------------------------------------------------------- */

static void renumber_words(const struct ec_port_map *map, uint64_t *to, const uint64_t *from,
                           uint64_t valid)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        to[ec_port_outside(map, port)] = from[port];
    }
}

static void renumber_vc(const struct ec_port_map *map, unsigned vcs, unsigned vc,
                        const struct ec_net_seen *from, struct ec_tile_seen *to)
{
    to->in_credit[vc] = ec_ports_outside(map, from->in_credit[vc]);
    to->out_credit[vc] = ec_ports_outside(map, from->out_credit[vc]);
    to->contended[vc] = ec_ports_outside(map, from->contended[vc]);
    to->starved[vc] = ec_ports_outside(map, from->starved[vc]);
    for (uint64_t left = from->contended[vc] | from->starved[vc]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        to->want[ec_port_outside(map, port) * vcs + vc] =
            (uint8_t)ec_port_outside(map, from->want[port * vcs + vc]);
    }
}

/* Words and `want` of ports without a bit are 0. */
static void renumber(const struct ec_port_map *map, unsigned ports, unsigned vcs,
                     struct ec_tile_seen *to)
{
    const struct ec_net_seen from = to->seen;
    memset(to->in_word, 0, ports * sizeof *to->in_word);
    memset(to->out_word, 0, ports * sizeof *to->out_word);
    memset(to->want, 0, (size_t)ports * vcs);
    renumber_words(map, to->in_word, from.in_word, from.in_valid);
    renumber_words(map, to->out_word, from.out_word, from.out_valid);
    for (unsigned vc = 0; vc < vcs; vc++)
        renumber_vc(map, vcs, vc, &from, to);
    to->seen = (struct ec_net_seen){
        .in_word = to->in_word,
        .in_credit = to->in_credit,
        .out_word = to->out_word,
        .out_credit = to->out_credit,
        .contended = to->contended,
        .starved = to->starved,
        .want = to->want,
        .in_valid = ec_ports_outside(map, from.in_valid),
        .out_valid = ec_ports_outside(map, from.out_valid),
    };
}

void ec_tile_see(const struct ec_port_map *map, unsigned ports, unsigned vcs,
                 const struct ec_tile_io *io, size_t router, struct ec_tile_seen *ret)
{
    const size_t word = router * ports, vc = router * vcs;
    ret->seen = (struct ec_net_seen){
        .in_word = io->in_word + word,
        .in_credit = io->in_credit + vc,
        .out_word = io->out_word + word,
        .out_credit = io->out_credit + vc,
        .contended = io->contended + vc,
        .starved = io->starved + vc,
        .want = io->want + word * vcs,
        .in_valid = io->in_valid[router],
        .out_valid = io->out_valid[router],
    };
    if (!ec_port_map_is_identity(map))
        renumber(map, ports, vcs, ret);
}
