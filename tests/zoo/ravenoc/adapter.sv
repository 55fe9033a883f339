// SPDX-License-Identifier: Apache-2.0
// router_ravenoc of RaveNoC: VCs share valid, ready and data. Its place is a parameter, so it is always at (128, 128),
// and destinations are relative to that.
`include "contract.svh"
`ZOO_ADAPTER(rave_zoo, 2)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 2, rave_error_meshes_with_two_virtual_channels_only)
  logic [64*5-1:0] in_words;
  logic [15:0] own;
  logic [16*5-1:0] at;  // y, x for each port
  ec_place #(.Relative(1'b1)) u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(in_words), .own_o(own), .at_o(at));

  // South (x grows), north, east (y grows), west, local. The size is 0 if the head is the only flit.
  router_if send[5] (), take[5] ();
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    logic [1:0] in_valid, out_ready;
    wire [1:0] out_valid = {send[p].req.valid && send[p].req.vc_id, send[p].req.valid && !send[p].req.vc_id};
    ec_to_ready #(.Vcs(2), .DepthMax(DepthMax), .Ask(1'b0)) u_in (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[2*p +: 2]),
      .word_o(in_words[64*p +: 64]), .valid_o(in_valid), .ready_i({2{take[p].resp.ready}})
    );
    wire [15:0] to = word[62] ? {at[16*p +: 8], at[16*p+8 +: 8]} : '1;  // x, y
    assign take[p].req.fdata = {word[62] ? 2'd0 : word[61] ? 2'd2 : 2'd1, to, 8'(!word[61]), word};
    assign take[p].req.vc_id = in_valid[1];
    assign take[p].req.valid = in_valid != '0;
    ec_from_ready #(.Vcs(2)) u_out (
      .clk_i, .rst_i, .depth_i, .word_i(send[p].req.fdata[63:0]), .valid_i(out_valid), .ready_o(out_ready),
      .link_o(link_o[64*p +: 64]), .credit_i(credit_i[2*p +: 2])
    );
    assign send[p].resp.ready = out_ready[send[p].req.vc_id];
  end
  router_ravenoc #(.ROUTER_X_ID(8'd128), .ROUTER_Y_ID(8'd128)) u_router (
    .clk(clk_i), .arst(rst_i),
    .south_send(send[0]), .south_recv(take[0]), .north_send(send[1]), .north_recv(take[1]),
    .east_send(send[2]), .east_recv(take[2]), .west_send(send[3]), .west_recv(take[3]),
    .local_send(send[4]), .local_recv(take[4]), .full_wr_fifo_o()
  );
endmodule
