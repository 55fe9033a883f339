/* SPDX-License-Identifier: Apache-2.0 */
/* Case specifications. Knows their words only; what the words mean is up to the library's parsers.
 */
#include <string.h>

#include "ecube/session.h"

struct ec_case_spec ec_case_spec_default(void)
{
    return (struct ec_case_spec){.seed = 1};
}

bool ec_case_spec_chooses(const struct ec_case_spec *spec)
{
    const size_t name = spec->algorithm ? strcspn(spec->algorithm, ":") : 0;
    return name == strlen("best") && strncmp(spec->algorithm, "best", name) == 0;
}

bool ec_case_spec_has_ports(const struct ec_case_spec *spec)
{
    for (const char *at = spec->router; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "ports=", strlen("ports=")) == 0)
            return true;
    }
    return false;
}
