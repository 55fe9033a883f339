+incdir+..
+incdir+$ZOO_SOURCES/lisnoc/rtl
$ZOO_SOURCES/lisnoc/rtl/lisnoc_arb_rr.v
$ZOO_SOURCES/lisnoc/rtl/lisnoc_arb_prio_rr.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_fifo.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_2dgrid.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_input.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_input_route.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_output.v
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_output_arbiter.sv
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_arbiter.sv
$ZOO_SOURCES/lisnoc/rtl/router/lisnoc_router_arbiter_prio.sv
-y ../../../rtl/adapter
+libext+.sv
adapter.sv
