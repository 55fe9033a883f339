+incdir+..
+incdir+$ZOO_SOURCES/common_cells/include
-y $ZOO_SOURCES/common_cells/src
-y $ZOO_SOURCES/FlooNoC/hw
+libext+.sv
$ZOO_SOURCES/axi/src/axi_pkg.sv
$ZOO_SOURCES/common_cells/src/cf_math_pkg.sv
$ZOO_SOURCES/FlooNoC/hw/floo_pkg.sv
-y ../../../rtl/adapter
adapter.sv
