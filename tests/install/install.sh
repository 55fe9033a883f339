#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/LIBRARY.md, as they stand there, on a copy of the sources: install into an empty
# prefix, build the example harness against it, run both. Then the parts of the installation.
#
#   install.sh SOURCE-ROOT [BUILD]
#
# Without BUILD, the C code is compiled here, without optimisation: what it does is tested elsewhere. With BUILD,
# a folder of Meson that has it compiled, the first two commands (meson setup, meson install) install from there. The
# runtime of Verilator is taken from $ECUBE_CACHE, if it is there.
set -eu
source=$1
built=${2:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/cache"
[ -z "${ECUBE_CACHE:-}" ] || cp -r "$ECUBE_CACHE"/runtime-* "$work/cache"
export LC_ALL=C.UTF-8 PREFIX="$work/prefix" ECUBE_CACHE="$work/cache" CFLAGS=-O0 CXXFLAGS=-O0
unset ECUBE_DATA DESTDIR MESON_BUILD_ROOT MESON_SOURCE_ROOT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
has() { # has FILE TEXT
    grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "no '$2' in the output"; }
}

mkdir "$work/tree"
for part in meson.build meson_options.txt README.md CHANGELOG.md CONTRIBUTING.md LICENSE Bender.yml model rtl harness tests waves docs scripts; do
    [ ! -e "$source/$part" ] || cp -r "$source/$part" "$work/tree/"
done

awk '/^```bash$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/LIBRARY.md" \
    >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 7 ] || fail "no commands in docs/LIBRARY.md"
option() { # option NAME: of the build
    meson introspect "$built" --buildoptions | jq -r --arg name "$1" '.[] | select(.name == $name).value'
}
if [ -n "$built" ] && [ "$(option libdir)" = lib ]; then
    sed -i '/^meson /d' "$work/commands"
    DESTDIR=$work/dest meson install -C "$built" --no-rebuild >"$work/log" || { tail "$work/log" >&2; fail "meson install"; }
    mv "$work/dest$(option prefix)" "$PREFIX"
fi
(cd "$work/tree" && bash -eu "$work/commands") >"$work/log" 2>&1 ||
    { tail -n 30 "$work/log" >&2; fail "a command of docs/LIBRARY.md failed"; }
has "$work/log" 'PASS  cube:3 shift:q=5'
has "$work/log" "$(sed -n 's/^    \(.*back in .*\)/\1/p' "$source/docs/LIBRARY.md")"
has "$work/log" "$(sed -n 's/^    \(.* blocks, .*\)/\1/p' "$source/docs/LIBRARY.md")"
for file in relay.fst relay.gtkw; do
    [ -s "$work/tree/$file" ] || fail "the example left no $file"
done

# The same for docs/SYSTEMC.md, where the model was built.
if [ -e "$PREFIX/lib/pkgconfig/ecube-systemc.pc" ]; then
    awk '/^```bash$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/SYSTEMC.md" \
        >"$work/commands"
    [ "$(wc -l <"$work/commands")" -ge 8 ] || fail "no commands in docs/SYSTEMC.md"
    (cd "$work/tree" && PATH="$PREFIX/bin:$PATH" PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig" \
        bash -eu "$work/commands") >"$work/log" 2>&1 ||
        { tail -n 30 "$work/log" >&2; fail "a command of docs/SYSTEMC.md failed"; }
    has "$work/log" "$(sed -n 's/^    \(.* the last in cycle .*\)/\1/p' "$source/docs/SYSTEMC.md")"
    "$PREFIX/bin/ecube" list backends >"$work/log"
    has "$work/log" systemc
    find "$PREFIX/lib" -name systemc-backend.so -delete
    "$PREFIX/bin/ecube" list backends >"$work/log"
    ! grep systemc "$work/log" || fail "a backend that is not installed is listed"
fi

# Without the source tree, and from the library alone, after the installation was moved.
rm -rf "$work/tree/build-install" "$work/tree/rtl" "$work/tree/harness"
cd "$work/tree"
! grep -rlF --exclude-dir=__pycache__ "$PREFIX" "$PREFIX/bin" "$PREFIX/lib" >"$work/log" || { cat "$work/log"; fail "files that name their folder"; }
mv "$PREFIX" "$work/moved"
PREFIX=$work/moved
export PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig"
# shellcheck disable=SC2046 # words
cc -std=c11 -o relay relay.c $(pkg-config --cflags --libs ecube) -Wl,-rpath,"$PREFIX/lib" || fail "a program does not compile"
"$PREFIX/bin/ecube" run cube:3 shift:q=5 >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the program was not to be moved"; }
./relay cube:2 again.fst >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "needs the source tree"; }
has "$work/log" 'back in cycle 9, expected 9'
! ./relay mesh:2x2 none.fst 2>"$work/log" || fail "a mesh is taken for a cube"
has "$work/log" 'relay: expected cube:2 to cube:6'
! ldd "$PREFIX/bin/ecube" | grep -q 'not found' || fail "the program lacks a library"

# Every header can be included alone, in C and in C++ programs' extern "C".
for header in "$PREFIX"/include/ecube/*.h; do
    echo "#include <ecube/${header##*/}>" |
        cc -std=c11 -Wall -Wextra -Werror -pedantic -fsyntax-only -I"$PREFIX/include" -x c - ||
        fail "${header##*/} cannot be included alone"
done

# The routers of the guide, from where they are installed.
for list in "$PREFIX"/share/doc/ecube/example/routers/*/files.f; do
    (cd "$(dirname "$list")" && grep -v '^//\|^-F' files.f | xargs ls >"$work/log") || fail "$list names a file that is missing"
done

# The documents link each other.
(cd "$PREFIX/share/doc/ecube" && grep -ohE '\]\((docs|waves)/[^)#]*' README.md CONTRIBUTING.md | cut -c 3- | xargs ls >"$work/log") ||
    fail "a document links a file that is missing"

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$PREFIX/share/man/man1/ecube.1" >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; fail "mandoc complains of the manual page"; }
    mandoc "$PREFIX/share/man/man1/ecube.1" >"$work/log"
    has "$work/log" 'simulation'
fi

bash -eu -c '. "$PREFIX/share/bash-completion/completions/ecube"
    COMP_WORDS=("$PREFIX/bin/ecube" ru) COMP_CWORD=1
    COMP_LINE="$PREFIX/bin/ecube ru" COMP_POINT=$((${#PREFIX} + 13))
    _ecube
    [ "${COMPREPLY[*]}" = run ]' || fail "the completion does not complete"

echo "PASS: $(find "$PREFIX" -type f | wc -l) files installed"
