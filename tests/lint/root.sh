#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The root holds these entries and nothing else: a command that writes into the source tree shows up here. Build
# folders and what .gitignore names do not count.
#
#   root.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/../..}"
bad=0

expected='.ci
.clang-format
.clang-tidy
.editorconfig
.github
.gitignore
.shellcheckrc
Bender.yml
CHANGELOG.md
CITATION.cff
CONTRIBUTING.md
LICENSE
README.md
docs
harness
meson.build
meson_options.txt
model
rtl
scripts
tests
waves'

# complain WHAT: about each line of standard input.
complain() {
    while read -r entry; do
        [ -n "$entry" ] || continue
        echo "FAIL: $1: $entry" >&2
        bad=1
    done
}

found=$(mktemp)
wanted=$(mktemp)
trap 'rm -f "$found" "$wanted"' EXIT
trap 'exit 1' HUP INT TERM
printf '%s\n' "$expected" | LC_ALL=C sort >"$wanted"
# shellcheck disable=SC2010 # one name a line
ls -A | grep -vxE '\.git|\.cache|build.*' | LC_ALL=C sort >"$found"
complain 'stray entry in the root (remove it, or add it to tests/lint/root.sh)' <<END
$(LC_ALL=C comm -13 "$wanted" "$found")
END
complain 'missing in the root' <<END
$(LC_ALL=C comm -23 "$wanted" "$found")
END
# What git has must not hide behind the names of build folders.
if [ -e .git ]; then
    git ls-files | sed 's,/.*,,' | LC_ALL=C sort -u >"$found"
    complain 'in git, but not expected in the root' <<END
$(LC_ALL=C comm -13 "$wanted" "$found")
END
fi
exit "$bad"
