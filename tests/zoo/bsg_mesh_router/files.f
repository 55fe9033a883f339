+incdir+..
+incdir+$ZOO_SOURCES/basejump_stl/bsg_misc
-y $ZOO_SOURCES/basejump_stl/bsg_misc
-y $ZOO_SOURCES/basejump_stl/bsg_noc
+libext+.sv
$ZOO_SOURCES/basejump_stl/bsg_noc/bsg_noc_pkg.sv
$ZOO_SOURCES/basejump_stl/bsg_noc/bsg_mesh_router_pkg.sv
-y ../../../rtl/adapter
adapter.sv
