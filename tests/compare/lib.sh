# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Damaged copies of the router, for tests of `ecube compare`. Sourced with the program as $1.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# damage FOLDER FILE [FROM TO]...: a copy of the router's sources in which the one place of FROM reads TO.
damage()
{
    local folder=$1 file=$2 text
    shift 2
    mkdir "$folder"
    cp "$source_root"/rtl/*.sv "$source_root"/rtl/*.svh "$folder/"
    rm "$folder"/ec_tile*.sv "$folder"/ec_network.sv
    while (($# >= 2)); do
        text=$(<"$folder/$file")
        if [[ ${text#*"$1"} == "$text" || ${text#*"$1"*"$1"} != "$text" ]]; then
            fail "'$1' is in $file just once" 'the RTL has changed: change this test'
            return
        fi
        printf '%s\n' "${text/"$1"/"$2"}" >"$folder/$file"
        shift 2
    done
}

# files FOLDER SEPARATOR: its sources as a list.
files()
{
    local list
    list=$(printf "$2%s" "$1"/*.sv)
    echo "${list#"$2"}"
}
