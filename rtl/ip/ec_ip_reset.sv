// SPDX-License-Identifier: Apache-2.0
// The reset of a product, active low, into that of the router, active high and synchronous.
//
// Stages = 0: rst_ni is synchronous to clk_i. Stages >= 2: rst_ni may come at any time; rst_o follows it
// at once and ends Stages cycles after it, at a rising edge. The clock has to run during a reset.
`default_nettype none

module ec_ip_reset #(
  parameter int Stages = 0  // 0, or 2 and more
) (
  input  wire  clk_i,
  input  wire  rst_ni,
  output logic rst_o
);
  if (Stages < 0 || Stages == 1) begin : gen_bad_stages
    ec_error_reset_stages_must_be_0_or_2_and_more u_error ();
  end

  if (Stages == 0) begin : gen_synchronous
    assign rst_o = !rst_ni;
    wire unused = &{1'b0, clk_i};
  end else begin : gen_chain
    logic [Stages-1:0] chain_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) chain_q <= '1;
      else chain_q <= chain_q << 1;
    end
    assign rst_o = chain_q[Stages-1];
  end
endmodule

`default_nettype wire
