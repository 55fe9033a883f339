// The router contract for the bench of a router: PREFIX/share/ecube/rtl/checker in an installation.
ec_checker.sv
