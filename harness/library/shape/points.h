/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of a compiled router. */
#pragma once

#include "ecube/shape.h"
#include "shape/point.h"

/* Hand over all points of a shape with coverage, with their hits in all of its routers since the
 * last call: while no router is stepped, and before the shape is closed. Without coverage there are
 * none. The texts are valid during the call only. */
void ec_shape_points(const struct ec_shape *s, ec_point_take *take, void *context);
