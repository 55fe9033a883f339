# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Shared by the tests of the documents. They run in a scratch folder with links to everything in the
# source tree, so that the files that a command writes do not land there.

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export LC_ALL=C.UTF-8 TERM=dumb
unset NO_COLOR COLUMNS

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-docs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/tree" "$work/out"
for entry in "$root"/*; do
    case ${entry##*/} in
    build*) ;;
    *) ln -s "$entry" "$work/tree/" ;;
    esac
done
[ $# -eq 0 ] || program=$(realpath "$1") # the program under test, the first argument of most
cd "$work/tree" || exit 1

# All documents, as paths in the tree.
documents() {
    ls README.md CONTRIBUTING.md docs/*.md docs/guide/*.md docs/output/*.md docs/study/*.md docs/adr/*.md waves/README.md
}

# The folder of the program under test, first on the PATH.
use_program() {
    [ -x "$program" ] || fail "no program at $program"
    PATH=$(dirname "$program"):$PATH
    export PATH
}
