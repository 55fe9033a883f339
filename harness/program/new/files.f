// SPDX-License-Identifier: Apache-2.0
// The router and its adapter: ecube ... -F files.f --top @NAME@_adapter. ecube knows ECUBE_RTL; for other simulators, set it
// to PREFIX/share/ecube/rtl.
-F $ECUBE_RTL/adapter/checks.f
@NAME@_router.sv
@NAME@_adapter.sv
