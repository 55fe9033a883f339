#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/release in a clone: version, changelog, archive, checksums, tag; and what it refuses. The tests of the archive
# are those of the project, so they do not run here.
#
#   release.sh SOURCE-ROOT          Status 77: not a clone
set -euo pipefail
git -C "$1" rev-parse --git-dir >/dev/null 2>&1 || { echo "not a clone: nothing to release"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() {
    cat "$work/log" >&2
    echo "FAIL: $*" >&2
    exit 1
}
unset ECUBE_BUILD MESON_BUILD_ROOT MESON_SOURCE_ROOT DESTDIR
git clone -q "$1" "$work/clone"
cd "$work/clone"
git config user.name tester
git config user.email tester@localhost
git config user.signingkey ''
version=98.7.6 out=build/meson-dist

# refused WORD ARGUMENTS...: status 2, the word, and nothing has changed.
refused() {
    local word=$1 status=0
    shift
    scripts/release "$@" >"$work/log" 2>&1 || status=$?
    [[ $status -eq 2 && $(<"$work/log") == *"$word"* ]] || fail "release $*: status $status, expected 2 and '$word'"
}
refused 'three numbers'
refused 'three numbers' 1.2
refused 'lower than' 0.0.1
echo >>LICENSE
refused 'uncommitted' $version
git checkout -q LICENSE
[ -z "$(git log --format=%h "origin/$(git branch --show-current)..HEAD")" ] || fail "a refusal left a commit"

scripts/release --no-tests $version >"$work/log" 2>&1 || fail "no release"
[ -z "$(git status --porcelain)" ] || fail "files are left: $(git status --porcelain)"
[ "$(git describe --tags)" = v$version ] || fail "no tag"
grep -q "^## \[$version\] - [0-9-]*\$" CHANGELOG.md || fail "the changelog has no date"
[[ $(tar -xJOf $out/ecube-$version.tar.xz ecube-$version/CITATION.cff) == *"version: $version"* ]] || fail "the archive has another version"
(cd $out && sha256sum --quiet -c SHA256SUMS) || fail "checksums"
grep -q "ecube-$version.tar.xz" $out/SHA256SUMS || fail "no checksum of the archive"
if command -v dpkg-source >/dev/null; then
    [ -s "$(echo $out/deb/*.dsc)" ] || fail "no Debian source package"
fi
refused 'a tag' $version
echo PASS
