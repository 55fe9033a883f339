// The router and its adapter: ecube ... -F harness/library/example/routers/look-ahead/files.f --top la_adapter
-F $ECUBE_RTL/adapter/cells.f
../cells/arbiter.sv
la_router.sv
la_adapter.sv
