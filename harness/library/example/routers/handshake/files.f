// The router and its adapter: ecube ... -F harness/library/example/routers/handshake/files.f --top hs_adapter
../cells/arbiter.sv
../cells/credits_to_ready.sv
../cells/ready_to_credits.sv
hs_router.sv
hs_adapter.sv
