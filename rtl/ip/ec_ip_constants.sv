// SPDX-License-Identifier: Apache-2.0
// Place and mode of a router as parameters: they are checked, and become the pins of section 3.2 of the contract.
`default_nettype none

module ec_ip_constants #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int AddressBits = 8,
  parameter [32*Dims-1:0] Radices = {Dims{32'd2}},
  parameter [32*Dims-1:0] Position = '0,
  parameter int Datelines = 0,
  parameter int Classes = 1,
  parameter [1:0] Switching = ec_ip_pkg::Wormhole,
  parameter int Depth = DepthMax,
  parameter int Packet = 1
) (
  output wire [AddressBits-1:0]          coord_o,
  output wire [AddressBits*Dims-1:0]     mask_o,
  output wire [(AddressBits+1)*Dims-1:0] radix_o
);
  if (Depth < 1 || Depth > DepthMax) begin : gen_bad_depth
    ec_error_depth_must_be_1_to_depth_max u_error ();
  end
  if (Packet < 1 || Packet > Depth) begin : gen_bad_packet
    ec_error_packet_must_be_1_to_depth u_error ();
  end
  if (Switching == 2'd3) begin : gen_bad_switching
    ec_error_switching_must_be_0_to_2 u_error ();
  end
  if (Datelines != 0 && Vcs == 1) begin : gen_bad_datelines
    ec_error_datelines_need_2_vcs u_error ();
  end
  if (Classes < 1 || Classes > 2 || Classes * (Datelines + 1) > Vcs) begin : gen_bad_classes
    ec_error_a_class_needs_a_vc u_error ();
  end

  // The fields of the dimensions in a packed address, one above the other (section 3.3). Each function
  // returns all of them: Icarus takes no function call in the constants of a generate block.
  function automatic [AddressBits*Dims-1:0] masks(input [32*Dims-1:0] radices);
    integer shift;
    shift = 0;
    masks = '0;
    for (int d = 0; d < Dims; d++) begin
      masks[AddressBits*d +: AddressBits] = AddressBits'(((1 << $clog2(radices[32*d +: 32])) - 1) << shift);
      shift = shift + $clog2(radices[32*d +: 32]);
    end
  endfunction
  function automatic [(AddressBits+1)*Dims-1:0] fields(input [32*Dims-1:0] radices);
    integer shift;
    shift = 0;
    fields = '0;
    for (int d = 0; d < Dims; d++) begin
      if (radices[32*d +: 32] > 1)
        fields[(AddressBits+1)*d +: AddressBits+1] = (AddressBits+1)'(radices[32*d +: 32] << shift);
      shift = shift + $clog2(radices[32*d +: 32]);
    end
  endfunction
  // Whether radices and position are those of a network with these parameters.
  function automatic [1:0] fit(input [32*Dims-1:0] radices, input [32*Dims-1:0] position);
    integer bits;
    bits = 0;
    fit = 2'b11;
    for (int d = 0; d < Dims; d++) begin
      bits = bits + $clog2(radices[32*d +: 32]);
      if (radices[32*d +: 32] < 1 || (LinksPerDim == 1 && radices[32*d +: 32] != 2)) fit[0] = 1'b0;
      if (position[32*d +: 32] >= radices[32*d +: 32]) fit[1] = 1'b0;
    end
    if (bits > AddressBits) fit[0] = 1'b0;
  endfunction
  localparam [AddressBits*Dims-1:0] Masks = masks(Radices);
  localparam [(AddressBits+1)*Dims-1:0] Fields = fields(Radices);
  localparam [19:0] Coord = ec_ip_pkg::address(Dims, 640'(Radices), 640'(Position));
  localparam [1:0] Fit = fit(Radices, Position);
  if (!Fit[0]) begin : gen_bad_radices
    ec_error_radices_must_fit_the_address_and_be_2_in_a_cube u_error ();
  end
  if (!Fit[1]) begin : gen_bad_position
    ec_error_position_must_be_below_the_radices u_error ();
  end
  assign coord_o = Coord[AddressBits-1:0];
  assign mask_o = Masks;
  assign radix_o = Fields;
  wire unused = &{1'b0, Coord};
endmodule

`default_nettype wire
