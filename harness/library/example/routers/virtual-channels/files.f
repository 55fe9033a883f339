// The router and its adapter: ecube ... -F harness/library/example/routers/virtual-channels/files.f --top vc_adapter
-F $ECUBE_RTL/adapter/cells.f
vc_router.sv
vc_adapter.sv
