// The router and its adapter: ecube ... -F harness/library/example/routers/handshake/files.f --top hs_adapter
-F $ECUBE_RTL/adapter/cells.f
../cells/arbiter.sv
hs_router.sv
hs_adapter.sv
