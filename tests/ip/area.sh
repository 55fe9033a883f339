#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cells, flip-flops, LUTs and logic levels of ec_ip, by Yosys, against those on record for its version.
#
#   area.sh RTL-FOLDER [--update] PATTERN...
#
# Rows of tests/ip/area/yosys-VERSION.txt that match a PATTERN (of grep -E) are computed and compared; with
# --update they are written. A new version of Yosys begins with a copy of another file.
#
# A row is: shape (cube: 3 dimensions; grid: 2 dimensions, 5 ports), stages, VCs, static or dynamic,
# configuration (constants, pins, or registered: constants and OutputRegister), then
#   cells   gates and flip-flops of Yosys' own library (synth -flatten)
#   ff      flip-flops; buffers are 4 words deep and made of flip-flops
#   lut6    LUTs of 6 inputs (abc -lut 6)
#   levels  LUTs on the longest path between two flip-flops. Every link of the router leads to its own
#           opposite link, so that paths through link_o and link_credit_o into a neighbour count in full.
#           Local ports come from and go to flip-flops outside.
#   word    LUTs on the longest path through link_o: before it, + those behind link_i
#   credit  the same of link_credit_o
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
rtl=$1
shift
update=0
[ "${1:-}" != --update ] || { update=1 && shift; }
version=$(yosys -V | sed 's/^Yosys \([0-9.]*\).*/\1/')
record=$here/area/yosys-$version.txt
[ -f "$record" ] || fail "no figures of Yosys $version on record"

# The router with its links led back, through wires that no tool optimises across.
write_top() { # write_top SHAPE STAGES VCS VA CONFIGURATION
    dims=2 per_dim=2 radices='{32'"'"'d4, 32'"'"'d4}' swap=1
    [ "$1" = grid ] || { dims=3 per_dim=1 radices='{3{32'"'"'d2}}' swap=0; }
    dynamic=0 register=0
    [ "$4" = static ] || dynamic=1
    [ "$5" != registered ] || register=1
    common=".Dims($dims), .LinksPerDim($per_dim), .Vcs($3), .Dynamic($dynamic), .Stages($2), .AddressBits(8), .DataBits(32)"
    instance="ec_ip #($common, .OutputRegister($register), .Radices($radices), .Position({$dims{32'd1}})) u_ip"
    [ "$5" != pins ] || instance="ec_ip_cfg #($common) u_ip"
    cat <<END
(* blackbox *)
module ec_area_words #(parameter int N = 1) (input wire [N-1:0] i, output wire [N-1:0] o);
endmodule
(* blackbox *)
module ec_area_credits #(parameter int N = 1) (input wire [N-1:0] i, output wire [N-1:0] o);
endmodule
module top #(
  localparam int W = ec_ip_pkg::word_bits($3, 8, 32), localparam int Links = $dims * $per_dim
) (
  input wire clk_i, rst_ni,
  input wire [7:0] cfg_coord_i, input wire [8*$dims-1:0] cfg_mask_i, input wire [9*$dims-1:0] cfg_radix_i,
  input wire [$dims-1:0] cfg_wrap_i, input wire cfg_dateline_i, cfg_classes_i, cfg_order_high_i,
  input wire [1:0] cfg_switching_i, input wire [15:0] cfg_depth_i, cfg_packet_i,
  input wire [W-1:0] local_i, input wire [$3-1:0] local_credit_i,
  output wire [W-1:0] local_o, output wire [$3-1:0] local_credit_o
);
  wire [W*Links-1:0] link_o, link_i;
  wire [$3*Links-1:0] link_credit_o, link_credit_i;
  for (genvar p = 0; p < Links; p++) begin : gen_link
    ec_area_words #(.N(W)) u_words (.i(link_o[W*p +: W]), .o(link_i[W*(p ^ $swap) +: W]));
    ec_area_credits #(.N($3)) u_credits (.i(link_credit_o[$3*p +: $3]), .o(link_credit_i[$3*(p ^ $swap) +: $3]));
  end
  $instance (.idle_o(), .*);
endmodule
END
}

measure() { # measure SHAPE STAGES VCS VA CONFIGURATION: prints the figures
    write_top "$@" >"$work/top.sv"
    # Wide shapes can take Yosys gigabytes: it must not take the machine's.
    (
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -v 6000000
        timeout 500 yosys -q -p "read_verilog -sv -I$rtl $(ip_files "$rtl" rtl | tr '\n' ' ') $work/top.sv
            synth -flatten -top top
            tee -o $work/cells stat
            abc -lut 6
            opt_clean
            tee -o $work/luts stat
            tee -o $work/path ltp -noff t:*ec_area_* %n
            delete t:*DFF*
            tee -o $work/word_before ltp t:*ec_area_words* %ci* t:*ec_area_* %d w:* %u
            tee -o $work/word_behind ltp t:*ec_area_words* %co* t:*ec_area_* %d w:* %u
            tee -o $work/credit_before ltp t:*ec_area_credits* %ci* t:*ec_area_* %d w:* %u
            tee -o $work/credit_behind ltp t:*ec_area_credits* %co* t:*ec_area_* %d w:* %u"
    ) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "yosys: $*"; }
    awk '
        FILENAME ~ /cells$/ && /Number of cells:|^ +[0-9]+ cells$/ { cells = $1 == "Number" ? $NF : $1 }
        FILENAME ~ /cells$/ && /DFF/ { ff += $1 ~ /^[0-9]+$/ ? $1 : $NF }
        FILENAME ~ /luts$/ && /\$lut/ { luts = $1 ~ /^[0-9]+$/ ? $1 : $NF }
        /length=/ { gsub(/[^0-9]/, "", $NF); name = FILENAME; sub(/.*\//, "", name); length_of[name] = $NF + 0 }
        END {
            levels = length_of["path"]
            word = length_of["word_before"] + length_of["word_behind"]
            credit = length_of["credit_before"] + length_of["credit_behind"]
            if (word > levels) levels = word
            if (credit > levels) levels = credit
            print cells, ff, luts, levels,
                length_of["word_before"] "+" length_of["word_behind"],
                length_of["credit_before"] "+" length_of["credit_behind"]
        }' "$work/cells" "$work/luts" "$work/path" "$work"/word_* "$work"/credit_*
}

[ $# -gt 0 ] || set -- .
bad=0 done=0
while read -r shape stages vcs va configuration figures; do
    key="$shape $stages $vcs $va $configuration"
    case $shape in '#'* | '') continue ;; esac
    hit=0
    for pattern; do
        ! echo "$key" | grep -qE "$pattern" || hit=1
    done
    [ $hit = 1 ] || continue
    # shellcheck disable=SC2086 # five words
    got=$(measure $key </dev/null)
    done=$((done + 1))
    echo "$key $got"
    if [ $update = 1 ]; then
        sed -i "s/^$key\\>.*/$key $got/" "$record"
    elif [ "$got" != "$figures" ]; then
        echo "FAIL: $key: on record $figures; got $got" >&2
        bad=1
    fi
done <"$record"
[ "$done" -gt 0 ] || fail "no row matches $*"
exit $bad
