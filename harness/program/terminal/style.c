/* SPDX-License-Identifier: Apache-2.0 */
/* Abilities of a terminal. Knows locales and escape sequences; must not know reports. */
#include "terminal/style.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

struct cli_style cli_style_of(FILE *out)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool tty = isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") != 0;
    return (struct cli_style){
        .colour = tty && (!no_colour || !*no_colour),
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
}

const char *cli_paint(const struct cli_style *s, enum cli_paint paint)
{
    static const char *const sequence[] = {
        [CLI_PLAIN] = "",        [CLI_GOOD] = "\033[1;32m", [CLI_BAD] = "\033[1;31m",
        [CLI_WARM] = "\033[33m", [CLI_FAINT] = "\033[2m",   [CLI_STRONG] = "\033[1m",
    };
    return s->colour ? sequence[paint] : "";
}

const char *cli_unpaint(const struct cli_style *s)
{
    return s->colour ? "\033[0m" : "";
}

unsigned cli_line_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width;
    if (columns && ec_slice_number(ec_slice_of(columns), UINT32_MAX, &width) && width > 0)
        return (unsigned)width;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
