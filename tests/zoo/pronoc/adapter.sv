// SPDX-License-Identifier: Apache-2.0
// router_top of ProNoC: credits as the contract has them, and odd-even routing. A head carries the outputs that it may
// take from this router: x (1: east), y (1: north), and whether x and y are allowed. The router before computes them,
// but a word has no room for them, so the routing module of ProNoC computes them again. For a packet that has arrived, x
// and y name the input.
`include "contract.svh"
`ZOO_ADAPTER(pro_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, pro_error_meshes_with_one_virtual_channel_only)
  `ZOO_REQUIRE(DepthMax <= 8, pro_error_buffers_of_eight_words_at_most)
  import pronoc_pkg::*;
  logic [5:0] own;  // y, x
  logic [6*5-1:0] at;
  ec_place #(.CoordBits(3)) u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(link_i), .own_o(own), .at_o(at));

  // Of two nodes in a dimension, the upper one has its only link as the first one, too: not to the east, but to the west.
  logic [1:0] pair_q;
  always_ff @(posedge clk_i) if (rst_i) pair_q <= {$onehot(mask_i[31:16]), $onehot(mask_i[15:0])};
  wire [4:0] other = {1'b0, {2{pair_q[1] && own[3]}}, {2{pair_q[0] && own[0]}}};

  smartflit_chanel_t from[4:0], to[4:0];
  for (genvar p = 0; p < 5; p++) begin : gen_port
    // East, west, south (y grows), north, local.
    localparam int Own = p == 0 ? EAST : p == 1 ? WEST : p == 2 ? SOUTH : p == 3 ? NORTH : LOCAL;
    wire [2:0] link = 3'(p) ^ 3'(other[p]);
    wire [63:0] word = link_i[64*link +: 64];
    wire [5:0] dst = at[6*link +: 6];
    logic [3:0] ways;  // x, y, x allowed, y allowed
    mesh_torus_conventional_routing #(
      .TOPOLOGY(TOPOLOGY), .ROUTE_NAME(ROUTE_NAME), .ROUTE_TYPE(ROUTE_TYPE), .NX(NX), .NY(NY), .LOCATED_IN_NI(p == 4)
    ) u_route (
      .current_x(own[2:0]), .current_y(own[5:3]), .dest_x(dst[2:0]), .dest_y(dst[5:3]), .destport(ways)
    );
    wire [3:0] out = ways[1:0] != '0 ? ways : {p == 0, p == 3, 2'b00};
    always_comb begin
      from[Own] = '0;
      from[Own].flit_chanel.flit_wr = word[63];
      from[Own].flit_chanel.flit = {word[62], word[61], 1'b1, word, out, dst, 6'd0};
      from[Own].flit_chanel.credit = credit_i[link];
      from[Own].ctrl_chanel.credit_init_val = CRDTw'(depth_i);
    end
  end
  for (genvar p = 0; p < 5; p++) begin : gen_out
    localparam int Own = p == 0 ? EAST : p == 1 ? WEST : p == 2 ? SOUTH : p == 3 ? NORTH : LOCAL;
    localparam int Other = p == 0 ? WEST : p == 1 ? EAST : p == 2 ? NORTH : p == 3 ? SOUTH : LOCAL;
    flit_chanel_t out;
    assign out = other[p] ? to[Other].flit_chanel : to[Own].flit_chanel;
    assign link_o[64*p +: 64] = out.flit_wr ? out.flit.payload[79:16] : 64'd0;
    assign credit_o[p] = out.credit;
  end

  router_top u_router (
    .current_r_id(32'd0), .current_r_addr(own), .chan_in(from), .chan_out(to), .router_event(), .clk(clk_i), .reset(rst_i)
  );
endmodule
