#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bender.yml and rtl/ecube.core list the same RTL, all of it, in an order in which tools compile it.
#
#   manifest.sh ROOT
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$1"

# Both lists, in order, relative to rtl/.
ip_files rtl rtl checks network adapter adapter_checks ecube | sed 's,^rtl/,,' >"$work/core"
sed -n 's,^ *- rtl/\(.*\.sv\)$,\1,p' Bender.yml >"$work/bender"
diff "$work/core" "$work/bender" >&2 || fail "rtl/ecube.core and Bender.yml differ"

# Every file of rtl/ that a tool reads is listed, once, and exists. (cover/ and formal/ are for the program ecube.)
sed -n '/^targets:/q; s/^      - \([^ :]*\).*/\1/p' rtl/ecube.core | LC_ALL=C sort >"$work/listed"
(cd rtl && find . \( -path ./cover -o -path ./formal \) -prune -o -type f -name '*.sv' -print \
    -o -type f \( -name '*.svh' -o -name '*.vlt' \) -print) | sed 's,^\./,,' | LC_ALL=C sort >"$work/found"
diff "$work/found" "$work/listed" >&2 || fail "rtl/ecube.core does not list the files of rtl/ (<), but others (>)"

version=$(sed -n "s/^ *version: '\([0-9.]*\)',\$/\1/p" meson.build)
grep -qx "name: ::ecube:$version" rtl/ecube.core || fail "rtl/ecube.core: not version $version"

# The two formats are YAML, with the keys that their tools need.
python3 - <<'END' || fail "not YAML as the tools expect it"
import sys
try:
    import yaml
except ImportError:
    sys.exit(0)
bender = yaml.safe_load(open('Bender.yml'))
assert bender['package']['name'] == 'ecube' and all('files' in group for group in bender['sources'])
text = open('rtl/ecube.core').read()
assert text.startswith('CAPI=2:\n')
core = yaml.safe_load(text.split('\n', 1)[1])
sets = core['filesets']
for target in core['targets'].values():
    for name in target['filesets']:
        assert name.split('(')[-1].rstrip(')') in sets, name
END

# In that order, in both simulators: what is used is declared before it.
compile() { # compile TOP SET...
    top=$1
    shift
    files=$(ip_files rtl "$@")
    # shellcheck disable=SC2046,SC2086 # lists of files
    verilator --lint-only -Wall -DEC_SVA --assert -Irtl $files $(ip_files rtl checks) --top-module "$top" \
        >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "verilator: $top"; }
    # shellcheck disable=SC2086
    iverilog -g2012 -Wall -Irtl -s "$top" -o "$work/out" $files >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; fail "icarus: $top"; }
    [ ! -s "$work/log" ] || { cat "$work/log" >&2; fail "icarus warns: $top"; }
}
compile ec_ip_stream rtl
compile ec_network rtl network
