/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation of struct ec_tile_io. Knows the lengths of its arrays; must not know their contents.
 */
#include "shape/tile_io.h"

#include <stdlib.h>

#define EC_NEW(p, count) ok = ((p) = calloc((count), sizeof *(p))) != NULL && ok

bool ec_tile_io_inputs(struct ec_tile_io *io, size_t routers, unsigned ports, unsigned vcs)
{
    bool ok = true;
    EC_NEW(io->in_word, routers * ports);
    EC_NEW(io->in_valid, routers);
    EC_NEW(io->in_credit, routers * vcs);
    return ok;
}

bool ec_tile_io_outputs(struct ec_tile_io *io, size_t routers, unsigned ports, unsigned vcs)
{
    bool ok = true;
    EC_NEW(io->out_word, routers * ports);
    EC_NEW(io->out_valid, routers);
    EC_NEW(io->out_credit, routers * vcs);
    EC_NEW(io->contended, routers * vcs);
    EC_NEW(io->starved, routers * vcs);
    EC_NEW(io->want, routers * ports * vcs);
    EC_NEW(io->quiet, routers);
    return ok;
}

void ec_tile_io_share_outputs(struct ec_tile_io *to, const struct ec_tile_io *from)
{
    to->out_word = from->out_word;
    to->out_valid = from->out_valid;
    to->out_credit = from->out_credit;
    to->contended = from->contended;
    to->starved = from->starved;
    to->want = from->want;
    to->quiet = from->quiet;
}

void ec_tile_io_free_inputs(struct ec_tile_io *io)
{
    free(io->in_word);
    free(io->in_valid);
    free(io->in_credit);
}

void ec_tile_io_free_outputs(struct ec_tile_io *io)
{
    free(io->out_word);
    free(io->out_valid);
    free(io->out_credit);
    free(io->contended);
    free(io->starved);
    free(io->want);
    free(io->quiet);
}
