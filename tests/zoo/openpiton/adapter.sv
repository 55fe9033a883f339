// SPDX-License-Identifier: Apache-2.0
// dynamic_node of OpenPiton: a header with the number of flits that follow, and credits for four words (yummy) as the
// contract has them, so that outputs are wires. A packet waits in front of an input until its length is known.
`include "contract.svh"
`ZOO_ADAPTER(op_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, op_error_meshes_with_one_virtual_channel_only)
  `ZOO_REQUIRE(DepthMax == 4, op_error_credits_for_four_words_only)
  logic [15:0] coord_q, mask_x_q, mask_y_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) {coord_q, mask_y_q, mask_x_q} <= {coord_i, mask_i};
  end
  function automatic logic [15:0] place(input logic [15:0] address);
    place = {8'(address & mask_x_q), 8'((address & mask_y_q) >> $countones(mask_x_q))};
  endfunction

  // East, west, south (y grows), north, processor. 14 bits of the header name the chip, 1 and 3 the port at the end.
  logic [106*5-1:0] in_flit, out_flit;
  logic [4:0] in_valid, in_yummy, out_valid;
  // The router has a register for its reset, so it shows its old state for a cycle more.
  logic resets_q;
  always_ff @(posedge clk_i) resets_q <= rst_i;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    logic [63:0] word;
    logic [10:0] length;
    logic filled;
    logic [2:0] credits_q;  // of the FIFO of the router's input
    wire go = filled && credits_q != '0;
    ec_to_packets #(.DepthMax(DepthMax)) u_store (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[p]),
      .word_o(word), .length_o(length), .valid_o(filled), .ready_i(credits_q != '0)
    );
    always_ff @(posedge clk_i) credits_q <= rst_i ? 3'd4 : credits_q - 3'(go) + 3'(in_yummy[p] && !resets_q);
    assign in_valid[p] = go;
    assign in_flit[106*p +: 106] = {14'd0, word[62] ? place(word[58:43]) : 16'hffff, 4'b1000, 8'(length - 1'b1), word};
    assign link_o[64*p +: 64] = out_valid[p] && !resets_q ? out_flit[106*p +: 64] : 64'd0;
  end
  wire [15:0] here = place(coord_q);
  dynamic_node_top u_router (
    .clk(clk_i), .reset_in(rst_i), .myLocX(here[15:8]), .myLocY(here[7:0]), .myChipID(14'd0),
    .dataIn_E(in_flit[105:0]), .dataIn_W(in_flit[211:106]), .dataIn_S(in_flit[317:212]), .dataIn_N(in_flit[423:318]),
    .dataIn_P(in_flit[529:424]),
    .validIn_E(in_valid[0]), .validIn_W(in_valid[1]), .validIn_S(in_valid[2]), .validIn_N(in_valid[3]),
    .validIn_P(in_valid[4]),
    .yummyOut_E(in_yummy[0]), .yummyOut_W(in_yummy[1]), .yummyOut_S(in_yummy[2]), .yummyOut_N(in_yummy[3]),
    .yummyOut_P(in_yummy[4]),
    .dataOut_E(out_flit[105:0]), .dataOut_W(out_flit[211:106]), .dataOut_S(out_flit[317:212]),
    .dataOut_N(out_flit[423:318]), .dataOut_P(out_flit[529:424]),
    .validOut_E(out_valid[0]), .validOut_W(out_valid[1]), .validOut_S(out_valid[2]), .validOut_N(out_valid[3]),
    .validOut_P(out_valid[4]),
    .yummyIn_E(credit_i[0]), .yummyIn_W(credit_i[1]), .yummyIn_S(credit_i[2]), .yummyIn_N(credit_i[3]),
    .yummyIn_P(credit_i[4]),
    .ec_cfg('0), .store_meter_partner_address_X('0), .store_meter_partner_address_Y('0), .thanksIn_P(),
    .external_interrupt(), .store_meter_ack_partner(), .store_meter_ack_non_partner(), .ec_out()
  );
endmodule
