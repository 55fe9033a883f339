#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube tile prove`: a defect is found and told, what cannot be read is refused, tools that are missing are named, and nothing
# is left behind. With `long`: more verdicts on sound routers, and on defects of each property.
#
#   test_prove.sh PROGRAM [long]
. "$(dirname "$0")/../cli/lib.sh"
export ECUBE_CACHE=$work/cache
vr=$source_root/tests/foreign/vr_router.sv,$source_root/tests/foreign/vr_switch.sv

# damage NAME FILE SED: a copy of the RTL with a defect.
damage()
{
    mkdir -p "$1" && cp -r "$source_root/rtl" "$1"
    sed "$3" "$source_root/rtl/$2" >"$1/rtl/$2"
    check "$1: the defect is planted" test "$(cmp -s "$source_root/rtl/$2" "$1/rtl/$2"; echo $?)" = 1
}

# proves NAME ARGUMENTS...: with a damaged copy.
proves()
{
    local data=$1
    shift
    ECUBE_DATA=$work/$data run tile prove "$@"
}

clean()
{
    check "$1: no private folder is left" test -z "$(find "$ECUBE_CACHE" -mindepth 1 -maxdepth 1 -name 'tmp.*')"
}

# --- Wrong usage and missing tools ------------------------------------------------------------------------------------

run tile prove mesh:3 --router vcs=3
equal 'a router that does not exist is refused' "$status" 2
run tile prove --router vcs=2
equal 'a router without a network is refused' "$status" 2
contains 'and the remedy named' err TOPOLOGY
run tile prove mesh:64x64
equal 'a large network is refused' "$status" 2
PATH=/nowhere run tile prove mesh:2
equal 'without Yosys the status is 5' "$status" 5
contains 'and the package is named' err 'apt-get install yosys'

# --- What Yosys does not read -----------------------------------------------------------------------------------------

cat >packed.sv <<'END'
module packed_router (input logic [1:0][3:0] link_i, output logic o);
  assign o = link_i[0][0];
endmodule
END
run tile prove mesh:2 --rtl packed.sv --top packed_router
if [[ $status == 5 ]]; then
    check 'what Yosys refuses has file and line, or the ports that lack' grep -qE 'packed.sv:1: ERROR|has no' err
else
    fail 'what Yosys refuses is refused' "status $status"
fi
run tile prove mesh:2 --router vcs=2,va=dynamic --rtl "$vr" --top vr_router
equal 'parameters that the router refuses are refused' "$status" 5
contains 'with the name of its message' err "'vr_error_one_virtual_channel_and_one_local_port_only'"
# misread NAME ROUTER SWITCH MESSAGE: sed expressions, after which Yosys only warns, or crashes.
misread()
{
    sed "$2" "${vr%%,*}" >router.sv
    sed "$3" "${vr#*,}" >switch.sv
    run tile prove mesh:2 --router depth=1 --rtl router.sv,switch.sv --top vr_router
    equal "$1 is refused" "$status" 5
    sed -i 's/gen_port\[0\]\.//' err # which only Yosys 0.66 names
    contains "$1 is named" err "$4"
}
misread 'a signal of another instance' "s/out_ready\[p\] = credits_q != '0/& \&\& !u_switch.stall/" \
    "s/^  logic \[Ports-1:0\] locked_q/  wire stall = 1'b0;\n&/" \
    "router.sv:113: Warning: Identifier \`\\u_switch.stall' is implicitly declared (declare the signal, or route"
clean 'after errors'

# --- A defect ---------------------------------------------------------------------------------------------------------

damage credits ec_credits.sv "s/if (rst_i) credits_q <= depth_i;/if (rst_i) credits_q <= depth_i + 1'b1;/"
proves credits mesh:2 --router depth=1 --depth 4 --seconds 3 --format json
equal 'a router with a credit too many fails' "$status" 1
equal 'it sends without a credit, with the second word' \
    "$(jq -r 'select(.property == "overflow") | "\(.verdict) \(.section) \(.cycle)"' out)" 'failed 4.5 4'
equal 'one line for each property, with the same keys' "$(jq -cs 'map(keys) | unique | length' out)" 1
equal 'and names what no verdict is about' "$(jq -cs 'map(.not_covered | length) | unique' out)" '[3]'
equal 'the story has the word that had no credit' \
    "$(jq -s 'any(.[] | select(.property == "overflow"); .events | any(.cycle == 4 and (.event | test("^out .*(word|head|body|tail) for"))))' out)" true
wave=$(jq -r 'select(.property == "overflow").wave' out)
contains 'a wave shows it' "$wave" ' credit_i [2:0]'
clean 'after a failure'

# --- A signal ---------------------------------------------------------------------------------------------------------

"$ecube" tile prove mesh:3 --router depth=2 --seconds 600 --quiet >out 2>err &
child=$!
until [[ -n $(find "$ECUBE_CACHE" -name property.aig) ]] || ! kill -0 $child 2>/dev/null; do sleep 0.1; done
kill -TERM $child
wait $child
equal 'a signal ends the proof' $? 130
check 'and the last line says so' grep -qE '^INTERRUPTED  1 shape: ' out
clean 'after a signal'

# --- Verdicts ---------------------------------------------------------------------------------------------------------

# with NAME LINES: the files of a sound foreign router with these lines in it, as $rtl.
with()
{
    mkdir -p "$1"
    cp "$source_root"/tests/foreign/vr_{router,switch}.sv "$1"
    sed -i "s|^endmodule|$2\nendmodule|" "$1/vr_router.sv"
    rtl=$1/vr_router.sv,$1/vr_switch.sv
}
small=(mesh:2 --router depth=1 --depth 2 --seconds 1 --top vr_router)

# Names that rtl/formal uses, too; an assertion that is false before the reset; and constants.
with sound "wire reached = credit_i[0], broken_link = 1'b1; always_comb begin cover (1'b1); assert (credits_q[0] <= depth_i); end"
sed -i "s/wire sends = /always_comb assert (credits_q <= depth_i); &/; s/ assert (credits_q\[0\] <= depth_i);//" sound/vr_router.sv
sed -i 's/int Vcs = 1,/int Vcs = 2,/' sound/vr_router.sv # a default that it refuses
run tile prove "${small[@]}" --rtl "$rtl"
equal 'a router that is not proved does not fail' "$status" 0
check 'but the last line says what is not proved' grep -qE '^(PARTLY PROVED [0-9]+ of [0-9]+|NOT PROVED) ' out
equal 'a rule of an output that the router does not have is not checked' \
    "$(grep -A1 -E '^ +NOT CHECKED +quiet ' out | tail -n 1)" '    the router has no quiet_o'
check 'it says which rules no property states' \
    grep -qE '^PARTLY PROVED .*; not covered: .*store-and-forward.*section 6.*the taps' out
contains 'a signal with the name of a cover is none, an actual cover is one' out ' of 7 situations reached'
equal 'an assertion says nothing before the reset' "$(grep -cE '^ +FAILED ' out)" 0

rest_is_long "${2:-}"

cat >structs.sv <<'END'
typedef struct packed { logic v; logic [3:0] d; } flit_t; // flit_t x [3]
module structs_router (input wire clk_i, output wire o);
  /* flit_t y [3]; */ flit_t store [0:3];
  assign o = store[0].v;
endmodule
END
run tile prove mesh:2 --rtl structs.sv --top structs_router
equal 'what Yosys misreads is refused' "$status" 5
contains 'with file and line' err "structs.sv:3: Yosys silently misreads an unpacked array of structs, 'flit_t store [...]'"
sed 's/posedge clk_i/posedge rst_i/' "${vr%%,*}" >clocked.sv
run tile prove mesh:2 --rtl "clocked.sv,${vr#*,}" --top vr_router
equal 'a second clock is refused' "$status" 5
contains 'in words' err 'proofs need one clock'
# Modules that Yosys takes from a library are read for what it misreads, too.
mkdir library
sed '/^endmodule/i pair_t pairs [0:1];
1i typedef struct packed { logic a; logic b; } pair_t;' "${vr#*,}" >library/vr_switch.sv
printf -- '+libext+.sv\n-y library\n' >library.f
run tile prove mesh:2 --rtl "${vr%%,*}" --file-list library.f --top vr_router
equal 'a library that Yosys misreads is refused' "$status" 5
contains 'with file and line, too' err 'library/vr_switch.sv:73: Yosys silently misreads'
contains 'the examination is of every packet bound' out 'dateline=off, every packet bound; any legal traffic'
misread 'a signal with two drivers' 's/^endmodule/assign in_valid[0] = link_i[63]; &/' '' \
    'multiple conflicting drivers for'
misread 'a combinational loop' '' 's/|| ready_i\[o\]/\&\& (choice == 0 || !ready_o[0])/' \
    'a combinational loop through in_ready [0], u_switch.gen_output['
misread 'a tri-state' "s/assign credit_o\[p\] = credit_q/& ? 1'b1 : 1'bz/" '' 'limited support for tri-state'
sed '/^);/,/^endmodule/{/^);/!{/^endmodule/!d}}' "${vr#*,}" >library/vr_switch.sv
run tile prove mesh:2 --rtl "${vr%%,*}" --file-list library.f --top vr_router
equal 'so is one without contents' "$status" 5
contains 'by its name' err "'vr_switch' has no contents"

run tile prove "${small[@]}" --rtl "$rtl" --require-proof --quiet
equal 'what is not proved fails on demand' "$status" 1

# What sound routers make Yosys warn of, in a module whose name is like ours, with a folder of its own and of headers.
mkdir public headers
sed 's/vr_switch/my_ec_proof_switch/' "${vr%%,*}" >router.sv
echo '`define TAKES 3' >headers/takes.svh
# shellcheck disable=SC2016
sed 's/vr_switch/my_ec_proof_switch/; s/<= data_d;/<= #1 data_d;/; 1i `include "takes.svh"
/^endmodule/{i\
  initial $display("ports %d", Ports);\
  reg [7:0] seen [0:1], never; integer k; initial for (k = 0; k < 2; k = k + 1) seen[k] = 0;\
  always @(posedge clk_i) begin seen[0] <= data_i[7:0]; seen[1] <= never; $display("%h", seen[1]); end\
  wire [3:0] chain, wide = 3'\''d9; for (genvar g = 0; g < 4; g++) assign chain[g] = g > 0 \&\& chain[g-1];\
  always_ff @(posedge clk_i) assert (!(full_q[0] \&\& rst_i) || `TAKES != 3);
}' "${vr#*,}" >public/my_ec_proof_switch.sv
printf -- '+incdir+headers\n+libext+.sv\n-y public\n' >public.f
run tile prove "${small[@]}" --depth 5 --rtl router.sv --file-list public.f --no-failure-wave
equal 'it is read, and its assertion fails' "$status $(grep -E '^ +FAILED ' out | cut -c 1-34)" \
    '1   FAILED              assertions  '

with false "always_comb assert (1'b0);"
run tile prove "${small[@]}" --rtl "$rtl" --failure-dir "it's here"
equal 'an assertion that is never true fails' "$status" 1
check 'in the row of assertions' grep -qE '^ +FAILED +assertions ' out
check 'and in the last line' grep -q '^FAILED ' out
command=$(sed -n 's/^ *wave  *gtkwave //p' out | head -n 1)
check 'a shell reads the name of the wave' eval "test -f $command"

# A path within a cycle; a value that is not known; a case that a synthesis may leave out.
with loose ""
sed -i "s/out_ready\[p\] = credits_q != '0/& || credit_i[p]/" loose/vr_router.sv
sed -i "s/data_q <= data_d;/data_q <= data_d[3] ? 64'bx : data_d;/" loose/vr_switch.sv
check 'an x is planted' grep -q "64'bx" loose/vr_switch.sv
run tile prove "${small[@]}" --depth 4 --rtl "$rtl" --format json --no-failure-wave
equal 'a path from an input to an output fails, and an x is any value' \
    "$(jq -r 'select(.property == ("moore", "altered")).verdict' out | tr '\n' ' ')" 'failed failed '
with unique ""
sed -i "s/data_q <= data_d;/data_q <= data_e;/; s/^ *always_ff/    logic [63:0] data_e; always_comb begin data_e = '0; unique case (data_d[3]) 1'b0: data_e = data_d; endcase end\n&/" unique/vr_switch.sv
check 'an incomplete case is planted' grep -q 'unique case' unique/vr_switch.sv
run tile prove "${small[@]}" --depth 4 --rtl "$rtl" --format json --no-failure-wave
equal 'a case without a match does nothing' "$(jq -r 'select(.property == "altered").verdict' out)" failed

# --- Sound routers ----------------------------------------------------------------------------------------------------

run tile prove mesh:3 --router depth=1 --rtl "$vr" --top vr_router --seconds 60 --depth 8 --format json
equal 'a sound foreign router does not fail' "$status" 0
run tile prove mesh:2x2 --router depth=1,routing=minimal --rtl "$vr" --top vr_router --seconds 5 --depth 5 --format json
equal 'nor where it may choose among shortest paths' "$status" 0
run tile prove --format json --require-proof
equal 'the router of ecube is proved in all its shapes' "$status $(jq -rs 'all(.[]; .verdict == "proved")' out)" '0 true'
for router in vcs=2,speedup=1 routing=adaptive routing=valiant order=class; do
    run tile prove mesh:2 --router "depth=1,$router" --format json --require-proof
    equal "also with $router" "$status $(jq -rs 'all(.[]; .verdict == "proved")' out)" '0 true'
done
damage turn ec_router.sv "s/able\[i\] = at != '0/able[i] = at == '0/"
proves turn mesh:2 --router vcs=2,depth=1,speedup=1 --depth 10 --seconds 60 --no-failure-wave --format json
contains 'an input that never chooses stands still' <(jq -r 'select(.verdict == "failed").property' out) progress
# A property that is not inductive, and not violated: the solver must find what is missing.
damage free formal/ec_proof_invariants.svh '/define EC_INVARIANT/s/assert(c);//'
proves free mesh:2 --router depth=1 --format json --require-proof
equal 'and without its invariants, too' "$status $(jq -rs 'all(.[]; .verdict == "proved" or .asked == false)' out)" '0 true'

# --- Each property can fail -------------------------------------------------------------------------------------------

# breaks PROPERTY FILE SED ARGUMENTS...
breaks()
{
    local property=$1
    damage "$property" "$2" "$3"
    shift 3
    proves "$property" "$@" --depth 10 --seconds 60 --no-failure-wave --format json
    contains "$property fails" <(jq -r 'select(.verdict == "failed").property' out) "$property"
}
breaks choice ec_adapt.sv 's/> most/< most/' cube:2 --router depth=2,switching=cut-through,routing=adaptive --packet 1
breaks class ec_input.sv 's/Second || dst >> Half == coord/Second || (dst \& Low) == coord/' mesh:2 --router depth=1,routing=valiant
contains 'a story names the node on the way' out ' by way of '
damage escape ec_adapt.sv 's/&& !ahead/\&\& ahead/'
proves escape ring:4 --router depth=1,vcs=4,routing=adaptive --packet 1 --depth 7 --seconds 100 --no-failure-wave --format json
contains 'an escape VC of the other dateline class is found' <(jq -r 'select(.verdict == "failed").property' out) class
breaks credit ec_router.sv 's/assign credit_o = pop;/assign credit_o = ~empty;/' mesh:2 --router depth=2
breaks route ec_router.sv 's/order_high_q <= order_high_i;/order_high_q <= !order_high_i;/' mesh:2x2 --router depth=1
breaks moore ec_router.sv 's/assign credit_o = pop;/assign credit_o = pop | credit_i;/' mesh:2 --router depth=1
breaks lost ec_fifo.sv "s/wr_q + (Pw + 1).({push_i})/wr_q + (Pw + 1)'({push_i \&\& !(pop_i \&\& rd_q[0])})/" mesh:2 --router depth=2
breaks progress ec_router.sv 's/assign credit_o = pop;/assign credit_o = pop \& ~{Bufs{link_i[0]}};/' mesh:2 --router depth=1
breaks quiet ec_router.sv "s/assign quiet_o = &empty/assign quiet_o = empty[0]/" mesh:2 --router depth=1
done_testing
