# SPDX-License-Identifier: Apache-2.0
# Damaged copies of the router, for tests of `ecube compare`. Sourced with the program as $1.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# damage FOLDER FILE FROM TO: a copy of the router's sources in which the one place of FROM reads TO.
damage()
{
    mkdir "$1"
    cp "$source_root"/rtl/ec_{router,input,output,arbiter,fifo,route}.sv "$source_root"/rtl/*.svh "$1/"
    [[ $2 == none ]] && return
    local text
    text=$(<"$1/$2")
    if [[ ${text#*"$3"} == "$text" || ${text#*"$3"*"$3"} != "$text" ]]; then
        fail "'$3' is in $2 just once" 'the RTL has changed: change this test'
        return
    fi
    printf '%s\n' "${text/"$3"/"$4"}" >"$1/$2"
}

# files FOLDER SEPARATOR: its sources as a list.
files()
{
    local list
    list=$(printf "$2%s" "$1"/*.sv)
    echo "${list#"$2"}"
}
