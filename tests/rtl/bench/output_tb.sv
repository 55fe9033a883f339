// SPDX-License-Identifier: Apache-2.0
// ec_output against the rules of the contract's section 6: requesters with packets of random length that want
// random VCs of this port, credits that come back at random.
`default_nettype none

module output_tb #(
  parameter int Bufs = 5,
  parameter int Vcs = 2,
  parameter int DepthMax = 4
);
  localparam int Cw = $clog2(DepthMax + 1);
  localparam int None = -1;

  logic clk = 1'b0, rst = 1'b1;
  logic [Cw-1:0] depth, need;
  logic [Vcs*Bufs-1:0] want = '0;
  logic [Bufs-1:0] ready = '1, tail = '0;
  logic [Vcs-1:0] credit = '0;
  wire [Bufs-1:0] grant, contended;
  ec_output #(.Bufs(Bufs), .Vcs(Vcs), .DepthMax(DepthMax)) u_output (
    .clk_i(clk), .rst_i(rst), .depth_i(depth), .need_i(need), .dateline_i(1'b0), .classes_i(1'b0),
    .want_i(want), .ready_i(ready),
    .tail_i(tail), .chosen_i({Bufs{1'b1}}), .credit_i(credit), .req_o(), .grant_o(grant), .contended_o(contended), .offer_o()
  );

  // Requesters: words left of the packet at the front (0: none), whether its head has left, its VC.
  int left [0:Bufs-1], vc [0:Bufs-1];
  logic started [0:Bufs-1];
  // The model.
  int holder [0:Vcs-1], credits [0:Vcs-1], owed [0:Vcs-1];
  int pointer, winner, errors = 0, grants = 0, losses = 0;

  task reset;
    begin
      depth = 1 + $urandom_range(DepthMax - 1);
      need = 1 + $urandom_range(depth - 1);
      for (int i = 0; i < Bufs; i++) begin
        left[i] = 0;
        started[i] = 1'b0;
      end
      for (int v = 0; v < Vcs; v++) begin
        holder[v] = None;
        credits[v] = depth;
        owed[v] = 0;
      end
      pointer = 0;
      want = '0;
      rst = 1'b1;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      rst = 1'b0;
    end
  endtask

  task drive;
    begin
      want = '0;
      for (int i = 0; i < Bufs; i++) begin
        if (left[i] == 0 && $urandom_range(2) == 0) begin
          left[i] = 1 + $urandom_range(3);
          vc[i] = $urandom_range(Vcs - 1);
          started[i] = 1'b0;
        end
        // A body flit may be late: then its packet holds the VC and does not want it.
        if (left[i] != 0 && (!started[i] || $urandom_range(3) != 0)) want[vc[i]*Bufs + i] = 1'b1;
        ready[i] = started[i] || $urandom_range(4) != 0;
        tail[i] = left[i] == 1;
      end
      for (int v = 0; v < Vcs; v++) credit[v] = owed[v] > 0 && $urandom_range(1) == 0;
    end
  endtask

  function automatic bit requests(input int i);
    requests = 1'b0;
    if (want[vc[i]*Bufs + i]) begin
      if (holder[vc[i]] == i) requests = credits[vc[i]] >= 1;
      else if (holder[vc[i]] == None) requests = credits[vc[i]] >= need && ready[i];
    end
  endfunction

  task compare;
    logic blocked;
    begin
      winner = None;
      for (int k = Bufs - 1; k >= 0; k--)
        if (requests((pointer + k) % Bufs)) winner = (pointer + k) % Bufs;
      for (int i = 0; i < Bufs; i++) begin
        if (grant[i] !== (winner == i)) errors++;
        blocked = want[vc[i]*Bufs + i] &&
                  (winner != None || (holder[vc[i]] != None && holder[vc[i]] != i));
        if (winner != i && contended[i] !== blocked) errors++;
        losses += winner != i && blocked;
      end
    end
  endtask

  task move;
    begin
      for (int v = 0; v < Vcs; v++) begin
        credits[v] = credits[v] + credit[v];
        owed[v] = owed[v] - credit[v];
      end
      if (winner != None) begin
        grants++;
        credits[vc[winner]] = credits[vc[winner]] - 1;
        owed[vc[winner]] = owed[vc[winner]] + 1;
        left[winner] = left[winner] - 1;
        started[winner] = 1'b1;
        holder[vc[winner]] = left[winner] == 0 ? None : winner;
        if (Vcs > 1 || left[winner] == 0) pointer = (winner + 1) % Bufs;
      end
    end
  endtask

  initial begin
    for (int phase = 0; phase < 40; phase++) begin
      reset;
      for (int cycle = 0; cycle < 80; cycle++) begin
        drive;
        #1 compare;
        clk = 1'b1;
        move;
        #1 clk = 1'b0;
      end
    end
    $display("%0d grants, %0d contended, %0d wrong", grants, losses, errors);
    $display("%s", errors == 0 && grants > 1000 && losses > 1000 ? "PASS" : "FAIL");
    $finish(0);
  end
endmodule

`default_nettype wire
