+incdir+..
+incdir+$ZOO_SOURCES/ravenoc/src/include
+define+FLIT_DATA_WIDTH=88
+define+FLIT_BUFF=4
+define+N_VIRT_CHN=2
+define+NOC_CFG_SZ_ROWS=256
+define+NOC_CFG_SZ_COLS=256
$ZOO_SOURCES/bus_arch_sv_pkg/amba_axi_pkg.sv
$ZOO_SOURCES/ravenoc/src/include/ravenoc_pkg.sv
-y $ZOO_SOURCES/ravenoc/src/router
+libext+.sv
-y ../../../rtl/adapter
adapter.sv
