-F $ECUBE_RTL/adapter/cells.f
../../harness/library/example/routers/cells/arbiter.sv
tree_router.sv
