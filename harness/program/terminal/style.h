/* SPDX-License-Identifier: Apache-2.0 */
/* What the terminal can show: colour, UTF-8, the width of a line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct cli_style {
    bool colour, utf8;
};

enum cli_paint { CLI_PLAIN, CLI_GOOD, CLI_BAD, CLI_WARM, CLI_FAINT, CLI_STRONG };

/* Colour only on a terminal and without NO_COLOR; UTF-8 if the locale says so. */
struct cli_style cli_style_of(FILE *out);

/* The escape sequences around painted text; "" without colour. */
const char *cli_paint(const struct cli_style *s, enum cli_paint paint);
const char *cli_unpaint(const struct cli_style *s);

/* Characters in a line: $COLUMNS, else the width of the terminal; 0 if `out` is not a terminal or
 * its width is unknown. */
unsigned cli_line_width(FILE *out);
