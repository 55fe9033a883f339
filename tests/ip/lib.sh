# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Shared by the scripts of this folder.

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# A scratch folder, gone at the end.
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-ip.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The source files of a file set of rtl/ecube.core, in its order; without include files.
ip_files() { # ip_files RTL-FOLDER SET...
    folder=$1
    shift
    for set; do
        awk -v set="$set" -v folder="$folder" '
            /^targets:/ { exit }
            /^  [a-z_]+:$/ { on = $1 == set ":" }
            on && /^      - / && !/is_include_file/ { print folder "/" $2 }' "$folder/ecube.core"
    done
}
