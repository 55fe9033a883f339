#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel: built offline, installed into an empty folder, with the program on PATH. Exit status 77: no pip here.
#
#   wheel.sh PYTHON PROGRAM
set -eu
python=$1
PATH=$(dirname "$(realpath "$2")"):$PATH
"$python" -c 'import pip, setuptools, wheel' 2>/dev/null || { echo 'needs pip, setuptools and wheel'; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-wheel.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -r "$(dirname "$0")/../../harness/program/python" "$work/source"
"$python" -m pip -q wheel --no-build-isolation --no-deps --no-index -w "$work" "$work/source"
"$python" -m pip -q install --no-deps --no-index --target "$work/site" "$work"/ecube-*.whl
cd /
cycles=$(PYTHONPATH="$work/site" "$python" -c 'import ecube; print(ecube.run("cube:3", "shift:q=5,m=64").cycles)')
[ "$cycles" = 68 ] || { echo "FAIL: $cycles cycles, expected 68"; exit 1; }
[ -e "$work/site/ecube/py.typed" ] || { echo 'FAIL: no py.typed'; exit 1; }
