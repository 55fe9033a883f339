// The router and its adapter: ecube ... -F harness/library/example/routers/length/files.f --top lh_adapter
-F $ECUBE_RTL/adapter/cells.f
../cells/arbiter.sv
lh_router.sv
lh_adapter.sv
