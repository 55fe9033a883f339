# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the scripts of this folder share. They are given the folder of the RTL, so that they can be
# pointed at a damaged copy.

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# A scratch folder, gone at the end: $work.
make_work() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-rtl.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
}

# The synthesisable sources (all but the wrapper) of a folder of RTL.
router_sources() {
    for source in "$1"/ec_*.sv; do
        case $source in
        */ec_tile.sv) ;;
        *) printf '%s\n' "$source" ;;
        esac
    done
}
