// The router and its adapter: ecube ... -F harness/library/example/routers/length/files.f --top lh_adapter
../cells/arbiter.sv
../cells/ready_to_credits.sv
credits_to_packets.sv
lh_router.sv
lh_adapter.sv
