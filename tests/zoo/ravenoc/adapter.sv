// SPDX-License-Identifier: Apache-2.0
// router_ravenoc of RaveNoC: VCs share valid, ready and data. Its place is a parameter, so it is always at (128, 128),
// and destinations are relative to that.
`include "contract.svh"
`ZOO_ADAPTER(rave_zoo, 2)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 2, rave_error_meshes_with_two_virtual_channels_only)
  logic [9:0] in_valid, in_ready, out_valid, out_ready;
  logic [64*5-1:0] in_words, out_words;
  logic [7:0] x, y;
  logic [39:0] in_x, in_y;
  zoo_ends #(.Vcs(2), .DepthMax(DepthMax), .Asks(1'b1)) u_ends (
    .clk_i, .rst_i, .coord_i, .mask_i, .depth_i, .link_i, .credit_i, .link_o, .credit_o, .x_o(x), .y_o(y),
    .in_word_o(in_words), .in_x_o(in_x), .in_y_o(in_y), .in_valid_o(in_valid), .in_ready_i(in_ready),
    .out_word_i(out_words), .out_valid_i(out_valid), .out_ready_o(out_ready)
  );

  // South (x grows), north, east (y grows), west, local. The size is 0 if the head is the only flit.
  router_if send[5] (), take[5] ();
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    wire [7:0] to_x = word[62] ? in_x[8*p +: 8] - x + 8'd128 : '1, to_y = word[62] ? in_y[8*p +: 8] - y + 8'd128 : '1;
    assign take[p].req.fdata = {word[62] ? 2'd0 : word[61] ? 2'd2 : 2'd1, to_x, to_y, 8'(!word[61]), word};
    assign take[p].req.vc_id = in_valid[2*p+1];
    assign take[p].req.valid = in_valid[2*p +: 2] != '0;
    assign in_ready[2*p +: 2] = {2{take[p].resp.ready}};
    assign out_words[64*p +: 64] = send[p].req.fdata[63:0];
    assign out_valid[2*p +: 2] = {send[p].req.valid && send[p].req.vc_id, send[p].req.valid && !send[p].req.vc_id};
    assign send[p].resp.ready = out_ready[2*p+send[p].req.vc_id];
  end
  router_ravenoc #(.ROUTER_X_ID(8'd128), .ROUTER_Y_ID(8'd128)) u_router (
    .clk(clk_i), .arst(rst_i),
    .south_send(send[0]), .south_recv(take[0]), .north_send(send[1]), .north_recv(take[1]),
    .east_send(send[2]), .east_recv(take[2]), .west_send(send[3]), .west_recv(take[3]),
    .local_send(send[4]), .local_recv(take[4]), .full_wr_fifo_o()
  );
endmodule
