// SPDX-License-Identifier: Apache-2.0
// A network as text, as on the command line of ecube. The model and the RTL share this text and its
// numbers only: the model computes strides, fields and neighbours itself.
#ifndef ECUBE_SYSTEMC_DESCRIPTION_H
#define ECUBE_SYSTEMC_DESCRIPTION_H

#include <string>

#include "geometry.h"

struct ec_topology;
struct ec_router;

namespace ecube
{

struct description {
    std::string topology; // "torus:4x4"
    std::string router;   // "vcs=2,depth=8"; "": all defaults
    unsigned longest = 1; // words of the longest message
    unsigned packet = 0;  // words of the longest packet; 0: the default
};

// The numbers of a network that the library has parsed.
configuration configure(const ec_topology &t, const ec_router &r);

// Parse the text. Throws std::invalid_argument with the message of the library.
configuration configure(const description &d);

} // namespace ecube

#endif
