# SPDX-License-Identifier: Apache-2.0
# Beside a table of cycles (table.awk), the times of Grama et al. for m words on a cube of d dimensions, with
# t_w = 1: equation 4.11, the bound with backward shifts, equation 4.12.
#
#   table.sh LIST | awk -v d=6 -f grama.awk

/^# network/ { print $0 "   eq-4.11  log-p-bound  eq-4.12"; next }
/^#/ { print; next }
{ printf "%s  %8d  %11d  %7d\n", $0, (2 * d - 1) * ($2 + $3), d * ($2 + $3), $2 + $3 }
