+incdir+..
+incdir+.
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/common/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/components/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/dynamic/rtl
+libext+.v
../../../rtl/adapter/ec_reset.sv
../../../rtl/adapter/ec_link_in.sv
../../../rtl/adapter/ec_to_packets.sv
adapter.sv
