+incdir+..
size.sv
$ZOO_SOURCES/made/noc_params.sv
$ZOO_SOURCES/NoCRouter/src/if/input_block2crossbar.sv
$ZOO_SOURCES/NoCRouter/src/if/input_block2switch_allocator.sv
$ZOO_SOURCES/NoCRouter/src/if/input_block2vc_allocator.sv
$ZOO_SOURCES/NoCRouter/src/if/router2router.sv
$ZOO_SOURCES/NoCRouter/src/if/switch_allocator2crossbar.sv
-y $ZOO_SOURCES/NoCRouter/src/rtl/allocators
-y $ZOO_SOURCES/NoCRouter/src/rtl/crossbar
-y $ZOO_SOURCES/NoCRouter/src/rtl/input_port
-y $ZOO_SOURCES/NoCRouter/src/rtl/router
+libext+.sv
-y ../../../rtl/adapter
adapter.sv
