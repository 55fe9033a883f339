/* SPDX-License-Identifier: Apache-2.0 */
/* What the routers of a tile network say of themselves: messages, failed assertions, and the wish
 * to end the simulation. Knows which of it counts; what a run makes of it is not known here. */
#include <stdio.h>

#include "backend/state.h"

static bool counts(const struct tiles *s, enum ec_rtl_event event)
{
    switch (event) {
    case EC_RTL_TEXT:
        return false;
    case EC_RTL_ERROR:
        return !s->resetting; /* before the end of reset, registers may hold anything */
    case EC_RTL_FINISH:
    case EC_RTL_BROKEN:
        break;
    }
    return true;
}

static void said(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct tiles *s = context;
    const uint32_t node = router < s->nodes ? router : EC_NONE;
    const uint64_t cycle = s->resetting ? 0 : s->net.cycle;
    if (!counts(s, event)) {
        if (s->options.text)
            s->options.text(s->options.text_context, cycle, node, text);
        return;
    }
    if (s->rtl.count++ == 0) {
        s->rtl.cycle = cycle;
        s->rtl.node = node;
        snprintf(s->rtl.text, sizeof s->rtl.text, "%s", text);
    }
    s->rtl.ended |= event != EC_RTL_ERROR;
    s->rtl.broken |= event == EC_RTL_BROKEN;
}

void tiles_listen(struct tiles *s)
{
    if (!s->options.pulse)
        s->options.pulse = &s->own_pulse;
    s->options.pulse->router = EC_NONE;
    s->options.pulse->nodes = s->nodes;
    s->net.pulse = s->options.pulse;
    s->listener =
        (struct ec_tile_listener){.said = said, .context = s, .router = &s->options.pulse->router};
    s->net.rtl = &s->rtl;
    s->resetting = true;
}
