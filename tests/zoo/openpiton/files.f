+incdir+..
+incdir+.
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/common/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/components/rtl
-y $ZOO_SOURCES/openpiton/piton/design/chip/tile/dynamic_node/dynamic/rtl
+libext+.v
credits_to_packets.sv
adapter.sv
