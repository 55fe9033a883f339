// The cells of adapters with assertions about the link and the router.
-F cells.f
ec_cell_checks.sv
