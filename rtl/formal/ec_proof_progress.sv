// SPDX-License-Identifier: Apache-2.0
// Movement (section 12.1 of docs/ROUTER-CONTRACT.md): a router that holds words or owes credits does not stand
// still for `Bound` cycles while nothing outside keeps it from going on. A word or a credit that was swallowed
// ends here: everything else leaves, and then nothing moves any more.
//
// A cycle is still if no word and no credit crosses a port, although all packets that came are complete and
// every output VC has the credits with which the router must go on. The count is a row of registers, one for each
// cycle: a solver follows it backwards without search.
`default_nettype none

(* ec_environment *) module ec_proof_progress #(
  parameter int Ports = 3,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int W = 64,
  parameter int Bound = 256,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Bufs = Ports * Vcs
) (
  input  wire               clk_i,
  input  wire               live_i,
  input  wire [15:0]        depth_i,
  input  wire [15:0]        need_i,
  input  wire               withheld_i, // the router goes on with `need` credits; else all of them must be back
  input  wire [W*Ports-1:0] link_i,
  input  wire [W*Ports-1:0] link_o,    // the router's
  input  wire [Bufs-1:0]    credit_i,
  input  wire [Bufs-1:0]    credit_o,  // the router's
  input  wire [Cw*Bufs-1:0] used_i,    // words whose credit is out, by input VC
  input  wire [Cw*Bufs-1:0] owed_i,    // words whose credit has not come back, by output VC
  input  wire [Bufs-1:0]    open_i,    // packets that have begun and not ended, by input VC
  input  wire               inside_i,  // a word has come and not left
  input  wire               quiet_i    // 1 in a router without quiet_o
);
  logic moves, room;
  always_comb begin
    moves = credit_i != '0 || credit_o != '0;
    for (int p = 0; p < Ports; p++) moves = moves || link_i[W*p + W - 1] || link_o[W*p + W - 1];
    room = 1'b1;
    for (int i = 0; i < Bufs; i++) begin
      if (withheld_i ? 16'(owed_i[Cw*i +: Cw]) + need_i > depth_i : owed_i[Cw*i +: Cw] != '0) room = 1'b0;
    end
  end
  wire still = live_i && !moves && room && open_i == '0 && (inside_i || used_i != '0 || !quiet_i);

  logic [Bound-1:0] since_q;  // bit k: still in the k + 1 cycles before
  always_ff @(posedge clk_i) since_q <= {Bound{still}} & (since_q << 1 | Bound'(1));
  wire [Bound:0] before = {since_q, 1'b1};
  wire broken_progress = still && before[Bound-1];
  always_comb assert (!broken_progress);
endmodule

`default_nettype wire
