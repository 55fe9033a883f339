#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The timing diagrams of the router contract, against the RTL.
#
#   diagrams.sh RTL-FOLDER DOCUMENT           compare: each "<!-- scene: NAME -->" with its drawing
#   diagrams.sh RTL-FOLDER DOCUMENT --update  write the drawings into the document
set -eu
rtl=$1 document=$2 update=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"


# shellcheck disable=SC2046 # a list of files
iverilog -g2012 -DEC_CHECKS -I"$rtl" -o "$work/bench" \
    "$here/bench/timing_tb.sv" $(router_files "$rtl")

# Copy the document; after each mark, replace the text between the fences.
awk -v bench="vvp -n '$work/bench' +scene=" '
    /^<!-- scene: .* -->$/ { scene = $3; count++ }
    !inside { print }
    /^```/ && scene != "" {
        if (inside) { print; inside = 0; scene = "" }
        else {
            inside = 1
            command = bench scene
            while ((command | getline line) > 0) print line
            close(command)
        }
    }
    END { if (count == 0 || inside) exit 1 }
' "$document" >"$work/drawn" || fail "no scene, or an open fence, in $document"

if [ "$update" = --update ]; then
    cp "$work/drawn" "$document"
elif ! diff -u "$document" "$work/drawn"; then
    fail "the diagrams differ from the RTL; to redraw them: $0 $rtl $document --update"
fi
