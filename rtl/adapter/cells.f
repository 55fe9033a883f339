// The cells of adapters: ecube ... -F $ECUBE_RTL/adapter/cells.f, where ecube knows ECUBE_RTL.
ec_turn.sv
ec_credits_in_turn.sv
ec_reset.sv
ec_place.sv
ec_link_in.sv
ec_link_out.sv
ec_to_ready.sv
ec_to_credits.sv
ec_to_packets.sv
ec_from_ready.sv
ec_from_credits.sv
