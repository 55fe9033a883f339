-F $ECUBE_RTL/adapter/cells.f
../../harness/library/example/routers/cells/arbiter.sv
adaptive_router.sv
../../harness/library/example/routers/handshake/hs_adapter.sv
