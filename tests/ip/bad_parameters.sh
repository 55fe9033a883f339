#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Parameters of ec_ip that do not fit are elaboration errors that say so.
#
#   bad_parameters.sh RTL-FOLDER
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1

elaborate() { # elaborate PARAMETER=VALUE...
    for parameter; do
        shift
        set -- "$@" "-Pec_ip.$parameter"
    done
    # shellcheck disable=SC2046 # a list of files
    iverilog -g2012 "-I$rtl" "$@" -s ec_ip -o "$work/out" $(ip_files "$rtl" rtl) >"$work/log" 2>&1
}

elaborate Vcs=2 || { cat "$work/log" >&2; fail "good parameters do not elaborate"; }
while read -r message parameters; do
    # shellcheck disable=SC2086 # some words
    ! elaborate $parameters || fail "$parameters elaborates"
    grep -q "ec_error_$message" "$work/log" || { cat "$work/log" >&2; fail "$parameters: no word of ec_error_$message"; }
done <<END
depth_must_be_1_to_depth_max Depth=5
depth_must_be_1_to_depth_max Depth=0
packet_must_be_1_to_depth Packet=5
packet_must_be_1_to_depth Depth=2 Packet=3
switching_must_be_0_to_2 Switching=3
datelines_need_2_vcs Datelines=1
a_class_needs_a_vc Classes=2
a_class_needs_a_vc Classes=2 Vcs=2 Datelines=1
output_register_must_be_0_or_1 OutputRegister=2
reset_stages_must_be_0_or_2_and_more ResetStages=1
radices_must_fit_the_address_and_be_2_in_a_cube Radices=64'h300000004 AddressBits=3
radices_must_fit_the_address_and_be_2_in_a_cube Radices=64'h300000002 LinksPerDim=1
position_must_be_below_the_radices Radices=64'h300000004 Position=64'h300000000
END
