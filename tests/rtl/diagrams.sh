#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The timing diagrams of the router contract, against the RTL.
#
#   diagrams.sh RTL-FOLDER DOCUMENT           compare: each "<!-- scene: NAME PARAMETER=VALUE... -->"
#                                             with its drawing
#   diagrams.sh RTL-FOLDER DOCUMENT --update  write the drawings into the document
set -eu
rtl=$1 document=$2 update=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"


# A drawing: a scene, and the parameters of the bench.
draw() { # draw NAME [PARAMETER=VALUE...]
    name=$1 parameters=
    shift
    for parameter; do parameters="$parameters -Ptiming_tb.$parameter"; done
    bench=$work/bench$(echo "$parameters" | tr -c 'A-Za-z0-9' _)
    # shellcheck disable=SC2046,SC2086 # lists of files and options
    [ -e "$bench" ] || iverilog -g2012 -DEC_CHECKS -I"$rtl" -s timing_tb $parameters -o "$bench" \
        "$here/bench/timing_tb.sv" $(router_files "$rtl")
    vvp -n "$bench" "+scene=$name"
}
grep '^<!-- scene: .* -->$' "$document" | sed 's/^<!-- scene: //; s/ -->$//' >"$work/scenes"
while read -r scene; do
    # shellcheck disable=SC2086 # words
    draw $scene >"$work/$scene"
done <"$work/scenes"

# Copy the document; after each mark, replace the text between the fences.
awk -v drawings="$work/" '
    /^<!-- scene: .* -->$/ { scene = $0; sub(/^<!-- scene: /, "", scene); sub(/ -->$/, "", scene); count++ }
    !inside { print }
    /^```/ && scene != "" {
        if (inside) { print; inside = 0; scene = "" }
        else {
            inside = 1
            drawing = drawings scene
            while ((getline line < drawing) > 0) print line
            close(drawing)
        }
    }
    END { if (count == 0 || inside) exit 1 }
' "$document" >"$work/drawn" || fail "no scene, or an open fence, in $document"

if [ "$update" = --update ]; then
    cp "$work/drawn" "$document"
elif ! diff -u "$document" "$work/drawn"; then
    fail "the diagrams differ from the RTL; to redraw them: $0 $rtl $document --update"
fi
