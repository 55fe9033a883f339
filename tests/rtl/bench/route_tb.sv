// SPDX-License-Identifier: Apache-2.0
// ec_route against arithmetic on coordinates: every port of arrival, both orders, both classes, and
// every (here, destination) of the topology, or random ones where that would be too many.
`default_nettype none

module route_tb #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int R0 = 3,
  parameter int R1 = 4,
  parameter int R2 = 5,
  parameter int R3 = 1,
  parameter [15:0] Wrap = 16'd0,
  parameter int AddressBits = 16
);
  localparam int Links = Dims * LinksPerDim;
  localparam int Ports = Links + Locals;
  localparam int Pw = $clog2(Ports);
`include "topology.svh"

  logic [AddressBits-1:0] coord, dst;
  logic [AddressBits*Dims-1:0] mask;
  logic [AddressBits*Dims-1:0] far;
  logic [Dims-1:0] first, last, turn;
  logic order_high, class_in;
  wire [Pw*Ports-1:0] port;
  wire [Ports-1:0] class_out;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    ec_route #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .AddressBits(AddressBits), .InPort(p)
    ) u_route (
      .coord_i(coord), .mask_i(mask), .far_i(far), .turn_i(turn), .wrap_i(Wrap[Dims-1:0]), .first_i(first),
      .last_i(last), .order_high_i(order_high), .dst_i(dst), .class_i(class_in),
      .port_o(port[Pw*p +: Pw]), .class_o(class_out[p])
    );
  end

  int errors = 0, checks = 0;

  task check(input int here, input int there);
    begin
      coord = address_of(here);
      dst = address_of(there);
      for (int mode = 0; mode < 8; mode++) begin
        {balanced, order_high, class_in} = mode[2:0];
        for (int d = 0; d < Dims; d++) begin
          first[d] = coord_of(here, d) == 0;
          last[d] = coord_of(here, d) == radix_t[d] - 1;
          turn[d] = turn_of(here, d);
          far[AddressBits*d +: AddressBits] = far_of(here, d) << shift_t[d];
        end
        #1;
        for (int p = 0; p < Ports; p++) begin
          checks++;
          if (port[Pw*p +: Pw] !== Pw'(port_of(here, there, order_high, p)) ||
              class_out[p] !== class_of(here, there, order_high, p, class_in)) begin
            errors++;
            if (errors <= 10)
              $display("%0d -> %0d, by port %0d class %b, order %b: port %0d class %b, not %0d %b",
                       here, there, p, class_in, order_high, port[Pw*p +: Pw], class_out[p],
                       port_of(here, there, order_high, p),
                       class_of(here, there, order_high, p, class_in));
          end
        end
      end
    end
  endtask

  initial begin
    open_topology;
    mask = mask_pins(Dims);
    if (nodes <= 64 && nodes * nodes * Ports <= 8000) begin
      for (int here = 0; here < nodes; here++)
        for (int there = 0; there < nodes; there++) check(here, there);
    end else begin
      for (int k = 0; k < 3000 / Ports; k++) begin
        check($urandom_range(nodes - 1), $urandom_range(nodes - 1));
      end
    end
    $display("%s, %0d checks", errors == 0 && checks > 0 ? "PASS" : "FAIL", checks);
    $finish(0);
  end
endmodule

`default_nettype wire
