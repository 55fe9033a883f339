// The router and its adapter: ecube ... -F harness/library/example/routers/credit/files.f --top cr_adapter
-F $ECUBE_RTL/adapter/cells.f
cr_router.sv
cr_adapter.sv
