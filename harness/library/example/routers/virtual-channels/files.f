// The router and its adapter: ecube ... -F harness/library/example/routers/virtual-channels/files.f --top vc_adapter
vc_turn.sv
credits_in_turn.sv
vc_router.sv
vc_adapter.sv
