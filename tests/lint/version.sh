#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# meson.build, CITATION.cff and the first release in CHANGELOG.md name the same version; the changelog has the form of
# Keep a Changelog.
#
#   version.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/../..}"
bad=0
fail() {
    echo "FAIL: $*" >&2
    bad=1
}

version=$(sed -n "s/^ *version: '\([0-9.]*\)',\$/\1/p" meson.build)
cited=$(sed -n 's/^version: //p' CITATION.cff)
logged=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
[ -n "$version" ] || fail "meson.build: no version"
[ "$cited" = "$version" ] || fail "CITATION.cff: version '$cited', but meson.build has '$version'"
[ "$logged" = "$version" ] || fail "CHANGELOG.md: first release '$logged', but meson.build has '$version'"

headings=$(grep '^## ' CHANGELOG.md)
[ "$(printf '%s\n' "$headings" | head -n 1)" = '## [Unreleased]' ] || fail "CHANGELOG.md: the first section is not [Unreleased]"
wrong=$(printf '%s\n' "$headings" | grep -vE '^## (\[Unreleased\]|\[[0-9]+\.[0-9]+\.[0-9]+\] - ([0-9]{4}-[0-9]{2}-[0-9]{2}|in preparation))$' || :)
[ -z "$wrong" ] || fail "CHANGELOG.md: expected '## [X.Y.Z] - YYYY-MM-DD'; got '$wrong'"
wrong=$(grep '^### ' CHANGELOG.md | grep -vxE '### (Added|Changed|Deprecated|Removed|Fixed|Security)' || :)
[ -z "$wrong" ] || fail "CHANGELOG.md: unknown kind of change '$wrong'"
exit "$bad"
