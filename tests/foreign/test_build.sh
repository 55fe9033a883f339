#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A router is compiled as its author compiles it: file lists, folders of headers, macros, parameters. Each of them
# decides which compiled router is used. Only one is compiled; the others are refused by their own RTL.
. "$(dirname "$0")/../cli/lib.sh"
here=$source_root/tests/foreign
adapter=(--rtl own/adapter.sv --top noc_adapter)
mkdir -p own/core/headers own/more
cp "$here"/noc/rtl/* own/core
cp "$here/noc/include/noc_defines.svh" own/core/headers/noc_defines.inc
sed -i 's/noc_defines.svh/noc_defines.inc/' own/core/*.sv
sed 's/^  parameter int DepthMax = 4,$/&\n  parameter int Extra = 0,/
    /^module noc_adapter/,$s/^);$/&\n  if (Extra != 2 + `BONUS) own_error_extra u_extra ();\n`ifdef BROKEN\n  own_error_broken u_broken ();\n`endif/' \
    "$here/noc_adapter.sv" >own/adapter.sv
cat >own/core/all.f <<'END'
/* a list with all that
   lists have */
+define+BONUS=1+UNUSED  // two macros
-F $ECUBE_RTL/adapter/cells.f
-f core/headers.f       # relative to this list, and its names to the current folder
noc_pkg.sv -y .
"noc_router.sv"
END
echo "+incdir+\$OWN_CORE/\${OWN_HEADERS}" >own/core/headers.f
ln -s . own/core/core
export OWN_CORE=$work/own/core OWN_HEADERS=headers

build=(-F own/core/all.f --parameter Extra=3 --include own/more --define 'TEXT="a, +b"')
exits 'a router with options of all kinds runs' 0 run mesh:3x3 shift:q=1,m=4 "${adapter[@]}" "${build[@]}" --format json
equal 'which the result has' "$(jq -r .build out)" \
    "--file-list-here own/core/all.f --parameter Extra=3 --include own/more --define 'TEXT=\"a, +b\"'"
jq -r .command out >command.txt
check 'and its command' grep -qF -- "-F own/core/all.f --parameter Extra=3" command.txt
echo "mesh:3x3 shift:q=1,m=4 --parameter Extra=3 --include own/more --define 'TEXT=\"a, +b\"'" >runs
exits 'a line adds its options to those of the command line' 0 run --from runs "${build[@]:0:2}" "${adapter[@]}" --quiet
equal 'and finds the same compiled router' "$(cat err)" ''
equal 'which the cache describes' "$("$ecube" tile list --format json | jq -r '.[].build | select(contains("own/core"))' |
    head -n 1)" \
    '--file-list-here own/core/all.f'
side=tiles:rtl=own/adapter.sv,top=noc_adapter,file-list-here=own/core/all.f,parameter=Extra=3,include=own/more
exits 'a side of a comparison has them, too' 5 compare tiles "$side,define=BROKEN" mesh:3x3 shift:q=1 --deliveries
contains 'and its macro decides' err own_error_broken

# other ERROR OPTIONS...: the router with these options is another one, which its own RTL refuses.
other()
{
    run run mesh:3x3 shift:q=1 "${adapter[@]}" "${@:2}" --quiet
    equal "another router: ${*:2}" "$status $(grep -c "$1" err)" '5 1'
}
other own_error_broken "${build[@]}" --define BROKEN
other own_error_extra "${build[@]}" --parameter Extra=4 # the last one counts
other own_error_extra "${build[@]:0:2}"
other 'Ekstra=5: noc_adapter has no parameter Ekstra' "${build[@]}" --parameter Ekstra=5
echo '`error "a changed header"' >>own/core/headers/noc_defines.inc
other 'a changed header' "${build[@]}"
sed -i '$d' own/core/headers/noc_defines.inc
sed -i 's/BONUS=1/BONUS=2/' own/core/all.f
other own_error_extra "${build[@]}"

# Parameters of version 2 of the contract go only to routers that have them.
run run mesh:3x3 shift:q=1 "${adapter[@]}" "${build[@]}" --router stages=2 --quiet
equal 'a pipeline of its own needs no option' "$status $(cat err)" \
    '5 ecube: noc_adapter has no parameter Stages (contract, section 3.1): leave stages=2 out; a pipeline of its own needs no option'
run run torus:4x4 shift:q=1 "${adapter[@]}" "${build[@]}" --router ties=balanced --quiet
equal 'a router without balanced_i is refused with balanced ties' "$status $(cat err)" \
    '5 ecube: noc_adapter has no port balanced_i (contract, section 3.2): leave ties=balanced out'

# wrong MESSAGE OPTIONS...: refused before anything is compiled.
wrong()
{
    refused 2 "$1" run mesh:9x8 shift:q=1 "${adapter[@]}" "${@:2}"
}
# list MESSAGE TEXT: the same of a list.
list()
{
    printf '\n%b' "$2" >own/bad.f
    wrong "own/bad.f:$1" -f own/bad.f
}
wrong "--define '1X': expected NAME" --define 1X
wrong 'uses this name' --define EC_ROUTER=x
wrong "'Extra': expected NAME=VALUE" --parameter Extra
for value in '"3' '3);x' '(3' '3//' %place; do
    wrong 'expected a SystemVerilog expression' --parameter "Extra=$value"
done
wrong 'is chosen by ecube: expected --router vcs=...' --parameter Vcs=2
wrong '--include: cannot read none' --include none
wrong '--include: own/adapter.sv is not a folder' --include own/adapter.sv
wrong '-f: cannot read none.f' -f none.f
list '2: source: cannot read gone.sv' 'gone.sv\n'
list '2: source: cannot read adapter.sv: No such file or directory; -F own/bad.f takes names' 'adapter.sv\n'
# shellcheck disable=SC2016 # the program replaces it
list '3: the environment variable OWN_NOTHING is not set' '# $A\n$OWN_NOTHING/x.sv'
list '4: a quote is not closed' '/* \n */ \n"own/adapter.sv\n'
list '2: option '"'--cc' is not supported" '--cc\n'
list "2: '+foo+x' is not supported" '+foo+x\n'
list '2: +incdir: cannot read nowhere' '+incdir+own+nowhere\n'
list "2: option '-y' needs a value" '-y'
wrong 'expected at most 64 places; for more, let the adapter give the router relative coordinates' \
    --parameter Extra=%node "${build[@]:0:2}"
echo '-F bad.f' >own/bad.f
wrong 'does it name itself?' -F own/bad.f
refused 2 '--define needs --top NAME' run mesh:3x3 shift:q=1 --define A
refused 2 'no sources' run mesh:3x3 shift:q=1 --top noc_adapter -F own/core/headers.f
done_testing
