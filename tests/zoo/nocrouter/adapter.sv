// SPDX-License-Identifier: Apache-2.0
// router of NoCRouter: on/off for each VC, one packet at a time in a VC, pulses that tell that its buffer is free again.
// Its place is a parameter, so it is always at (0, 0), and destinations are relative to that, with the bits of its package.
`include "contract.svh"
`ZOO_ADAPTER(nocr_zoo, 2)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 2, nocr_error_meshes_with_two_virtual_channels_only)
  import noc_params::*;
  logic [64*5-1:0] in_words;
  logic [15:0] own;  // y, x
  logic [16*5-1:0] at;
  ec_place u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(in_words), .own_o(own), .at_o(at));

  // East, west, south (y grows), north, local.
  router2router down[5] (), up[5] ();
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    wire [DEST_ADDR_SIZE_X-1:0] to_x = DEST_ADDR_SIZE_X'(at[16*p +: 8] - own[7:0]);
    wire [DEST_ADDR_SIZE_Y-1:0] to_y = DEST_ADDR_SIZE_Y'(at[16*p+8 +: 8] - own[15:8]);
    logic [1:0] in_valid, free_q, left_q;  // free_q: the next head may go
    wire [1:0] out_valid = {up[p].is_valid && up[p].data.vc_id, up[p].is_valid && !up[p].data.vc_id};
    wire [1:0] leaves = out_valid & {2{up[p].data.flit_label[1]}};  // TAIL, HEADTAIL
    ec_to_ready #(.Vcs(2), .DepthMax(DepthMax)) u_in (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[2*p +: 2]),
      .word_o(in_words[64*p +: 64]), .valid_o(in_valid), .ready_i(down[p].is_on_off & free_q)
    );
    ec_from_ready #(.Vcs(2)) u_out (
      .clk_i, .rst_i, .depth_i, .word_i(up[p].data.data.bt_pl[63:0]), .valid_i(out_valid), .ready_o(up[p].is_on_off),
      .link_o(link_o[64*p +: 64]), .credit_i(credit_i[2*p +: 2])
    );
    always_ff @(posedge clk_i) begin
      free_q <= rst_i ? '1 : (free_q & ~(in_valid & {2{word[61]}})) | down[p].is_allocatable;
      left_q <= rst_i ? '0 : leaves;
    end
    assign down[p].is_valid = in_valid != '0;
    assign down[p].data = {
      word[62] ? word[61] ? HEADTAIL : HEAD : word[61] ? TAIL : BODY, in_valid[1], word[62] ? {to_x, to_y} : '1, word};
    assign up[p].is_allocatable = left_q;
  end
  logic [VC_NUM-1:0] error[PORT_NUM-1:0];
  router #(.BUFFER_SIZE(4), .X_CURRENT(0), .Y_CURRENT(0)) u_router (
    .clk(clk_i), .rst(rst_i),
    .router_if_east_up(up[0]), .router_if_west_up(up[1]), .router_if_south_up(up[2]), .router_if_north_up(up[3]),
    .router_if_local_up(up[4]), .router_if_east_down(down[0]), .router_if_west_down(down[1]),
    .router_if_south_down(down[2]), .router_if_north_down(down[3]), .router_if_local_down(down[4]), .error_o(error)
  );
  for (genvar p = 0; p < 5; p++) begin : gen_error
    always_ff @(posedge clk_i) if (!rst_i && error[p] != '0) $error("the router reports an error");
  end
endmodule
