# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Shared by the scripts of this folder. They take the folder of the RTL as an argument, so that they can
# check a damaged copy.

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# A scratch folder, gone at the end.
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-rtl.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The files of the router itself, in a folder (the rest there are networks and wrappers).
router_files() { # router_files RTL-FOLDER
    for cell in adapt arbiter arrival bind credits fifo hold input output router stage table; do
        printf '%s ' "$1/ec_$cell.sv"
    done
}

# A top module `top` around one router shape, for Yosys: its chparam dies on derived modules
# (0.23: "Assert `modules_.count(name) == 0' failed").
# With EC_TABLE in the environment, of a router with a routing table ($table).
#   write_top Dims LinksPerDim Locals Vcs DepthMax [Dynamic [Stages [AddressBits [DataBits]]]] >FILE
# shellcheck disable=SC2034 # of the scripts
table=${EC_TABLE:+-DEC_TABLE}
write_top() {
    vc_bits=$(($4 == 8 ? 3 : 2))
    cat <<END
module top #(
  parameter int Dims = $1, parameter int LinksPerDim = $2, parameter int Locals = $3,
  parameter int Vcs = $4, parameter int DepthMax = $5, parameter int Dynamic = ${6:-0},
  parameter int Stages = ${7:-1}, parameter int AddressBits = ${8:-16},
  parameter int DataBits = ${9:-$((61 - vc_bits - 2 * ${8:-16}))},
  localparam int W = 3 + $vc_bits + 2 * AddressBits + DataBits,
  localparam int Ports = Dims * LinksPerDim + Locals, localparam int Bufs = Ports * Vcs
) (
  input wire clk_i, rst_i,
  input wire [AddressBits-1:0] coord_i,
  input wire [AddressBits*Dims-1:0] mask_i,
  input wire [(AddressBits+1)*Dims-1:0] radix_i,
  input wire [Dims-1:0] wrap_i,
  input wire dateline_i, classes_i, balanced_i, order_high_i,
  input wire [1:0] switching_i,
  input wire [15:0] depth_i, packet_i,
\`ifdef EC_TABLE
  input wire table_write_i,
  input wire [AddressBits-1:0] table_row_i,
  input wire [63:0] table_entries_i,
\`endif
  input wire [W*Ports-1:0] link_i,
  input wire [Bufs-1:0] credit_i,
  output wire [W*Ports-1:0] link_o,
  output wire [Bufs-1:0] credit_o, contended_o, starved_o,
  output wire [8*Bufs-1:0] want_o,
  output wire quiet_o
);
  ec_router #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs),
              .DepthMax(DepthMax), .Dynamic(Dynamic), .Stages(Stages), .AddressBits(AddressBits),
              .DataBits(DataBits)) u_router (.*);
endmodule
END
}

# Run Yosys; any warning fails. $yosys_log has its output.
run_yosys() {
    yosys_log=$work/yosys.log
    if ! yosys -q -l "$yosys_log" -p "$1" >"$work/yosys.out" 2>&1; then
        cat "$work/yosys.out" >&2
        return 1
    fi
    if grep -i 'warning:' "$work/yosys.out" >&2; then
        return 1
    fi
}
