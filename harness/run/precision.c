/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of one point of an open-loop experiment. Knows counts per bin of time; must not
 * know networks or nodes. docs/MEASUREMENT.md has the method and its sources. */
#include "ecube/measure.h"

#include <stddef.h>

const char *ec_measured_name(enum ec_measured state)
{
    static const char *const names[] = {
        [EC_MEASURED_NONE] = NULL,
        [EC_MEASURED_STEADY] = "steady",
        [EC_MEASURED_LIMIT] = "limit",
        [EC_MEASURED_NOT_STEADY] = "not steady",
        [EC_MEASURED_SATURATED] = "saturated",
        [EC_MEASURED_SLOW] = "slow",
    };
    return names[state];
}
