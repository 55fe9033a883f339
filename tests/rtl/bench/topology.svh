// SPDX-License-Identifier: Apache-2.0
// A topology for the benches, in coordinates: included in a module that has the parameters Dims,
// LinksPerDim, R0..R3 (radices of the first four dimensions, 1 = not used) and Wrap (bit per
// dimension), AddressBits. In the cube shape every radix is 2. Written from the contract, sections 3.3 and 5, in
// plain arithmetic on coordinates; it shares no code with ec_route.svh. Call open_topology first.

function automatic int radix_of(input int d);
  if (LinksPerDim == 1) radix_of = 2;
  else case (d)
    0: radix_of = R0;
    1: radix_of = R1;
    2: radix_of = R2;
    3: radix_of = R3;
    default: radix_of = 1;
  endcase
endfunction

// Width and place of a dimension's field.
function automatic int bits_of(input int d);
  bits_of = 0;
  while (2 ** bits_of < radix_of(d)) bits_of = bits_of + 1;
endfunction
function automatic int shift_of(input int d);
  shift_of = 0;
  for (int k = 0; k < d; k++) shift_of = shift_of + bits_of(k);
endfunction

// Tables, for speed: radix, label distance of a step, place in the address, wrap.
int radix_t [0:Dims-1], stride_t [0:Dims-1], shift_t [0:Dims-1];
int nodes;
task open_topology;
  begin
    nodes = 1;
    for (int d = 0; d < Dims; d++) begin
      radix_t[d] = radix_of(d);
      stride_t[d] = nodes;
      shift_t[d] = shift_of(d);
      nodes = nodes * radix_of(d);
    end
  end
endtask

// Coordinate of node number `node` (dimension 0 varies fastest), and the packed address.
function automatic int coord_of(input int node, input int d);
  coord_of = node / stride_t[d] % radix_t[d];
endfunction
function automatic int address_of(input int node);
  address_of = 0;
  for (int d = 0; d < Dims; d++)
    address_of = address_of + (coord_of(node, d) << shift_t[d]);
endfunction

function automatic int node_of(input [AddressBits-1:0] address);
  node_of = 0;
  for (int d = 0; d < Dims; d++)
    node_of = node_of + ((address >> shift_t[d]) & (2 ** bits_of(d) - 1)) * stride_t[d];
endfunction

// The pins.
function automatic [AddressBits*Dims-1:0] mask_pins(input int dims);
  for (int d = 0; d < dims; d++)
    mask_pins[AddressBits*d +: AddressBits] = (2 ** bits_of(d) - 1) * 2 ** shift_of(d);
endfunction
function automatic [(AddressBits+1)*Dims-1:0] radix_pins(input int dims);
  for (int d = 0; d < dims; d++)
    radix_pins[(AddressBits+1)*d +: AddressBits+1] = radix_of(d) == 1 ? 0 : radix_of(d) * 2 ** shift_of(d);
endfunction

// The dimension to be corrected next, or Dims at home.
function automatic int dim_of(input int here, input int dst, input bit order_high);
  dim_of = Dims;
  for (int k = 0; k < Dims; k++) begin
    int d;
    d = order_high ? k : Dims - 1 - k;  // the last hit is the most urgent
    if (coord_of(here, d) != coord_of(dst, d)) dim_of = d;
  end
endfunction

bit balanced = 1'b0;  // ties

// The way in a dimension: 1 plus, 0 minus.
function automatic bit plus_of(input int here, input int dst, input int d);
  int a, b, r;
  begin
    r = radix_t[d];
    a = coord_of(here, d);
    b = coord_of(dst, d);
    if (r == 2) plus_of = 1'b1;
    else if (Wrap[d] && 2 * ((b + r - a) % r) == r) plus_of = !balanced || a % 2 == 0;
    else if (Wrap[d]) plus_of = (b + r - a) % r < (a + r - b) % r;
    else plus_of = b > a;
  end
endfunction

// What ec_route.svh gets: the plus way of a ring ends at far, which may be beyond its highest number.
function automatic int half_of(input int here, input int d);
  half_of = (radix_t[d] - (balanced ? coord_of(here, d) % 2 : 0)) / 2;
endfunction
function automatic bit turn_of(input int here, input int d);
  turn_of = radix_t[d] == 2 || (Wrap[d] && coord_of(here, d) + half_of(here, d) >= radix_t[d]);
endfunction
function automatic int far_of(input int here, input int d);
  if (Wrap[d] && radix_t[d] > 2) far_of = (coord_of(here, d) + half_of(here, d)) % radix_t[d];
  else far_of = 2 ** bits_of(d) - 1;
endfunction

// Output port for a flit that came by `in_port`.
function automatic int port_of(input int here, input int dst, input bit order_high,
                               input int in_port);
  int d, links;
  begin
    d = dim_of(here, dst, order_high);
    links = Dims * LinksPerDim;
    if (d < Dims) begin
      port_of = LinksPerDim == 1 ? d : plus_of(here, dst, d) ? 2 * d : 2 * d + 1;
    end else if (Locals == 1) port_of = links;
    else port_of = in_port < links ? links + in_port : in_port;
  end
endfunction

// Dateline class on the output channel.
function automatic bit class_of(input int here, input int dst, input bit order_high,
                                input int in_port, input bit in_class);
  int d, a;
  begin
    d = dim_of(here, dst, order_high);
    class_of = 1'b0;
    if (d < Dims && LinksPerDim == 2) begin
      a = coord_of(here, d);
      if (Wrap[d] && a == (plus_of(here, dst, d) ? radix_t[d] - 1 : 0)) class_of = 1'b1;
      else if (in_port < Dims * LinksPerDim && in_port / LinksPerDim == d) class_of = in_class;
    end
  end
endfunction
