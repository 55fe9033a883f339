../../harness/library/example/routers/cells/arbiter.sv
../../harness/library/example/routers/cells/credits_to_ready.sv
../../harness/library/example/routers/cells/ready_to_credits.sv
adaptive_router.sv
../../harness/library/example/routers/handshake/hs_adapter.sv
