// The router and its adapter: ecube ... -F harness/library/example/routers/look-ahead/files.f --top la_adapter
../cells/arbiter.sv
../cells/credits_to_ready.sv
../cells/ready_to_credits.sv
la_router.sv
la_adapter.sv
