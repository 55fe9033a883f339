# SPDX-License-Identifier: Apache-2.0
# Faults, one at a time: in a copy of one C file, linked into a program of its own in front of the library
# that has the sound one; or in a copy of the router's RTL. Sourced with PROGRAM BUILD as $1 and $2.
. "$(dirname "${BASH_SOURCE[0]}")/../compare/lib.sh"
build=$(realpath "$2")
rm -f "$work/table"
: >"$work/table"
declare -A sound

# The words that compile a source of the library, and that link the program; both run in the build folder.
compile_of()
{
    jq -r --arg file "$1" '.[] | select(.file | endswith($file)) | .command' "$build/compile_commands.json" | head -n 1
}
link=$(ninja -C "$build" -t commands harness/cli/ecube | tail -n 1)

# patch FILE FROM TO: the file of the sources with the one place of FROM changed, on stdout; false if it is
# not there just once.
patch_text()
{
    local text
    text=$(<"$source_root/$1")
    [[ ${text#*"$2"} != "$text" && ${text#*"$2"*"$2"} == "$text" ]] || return 1
    printf '%s\n' "${text/"$2"/"$3"}"
}

# caught NAME BY COMMAND...: the damaged program at $faulty must end with status 1 or 4 where the sound one ends
# with 0.
caught()
{
    local name=$1 by=$2 status
    shift 2
    if [[ -z ${sound[$*]:-} ]]; then
        "$ecube" "$@" >out 2>err </dev/null
        sound[$*]=$?
    fi
    "$faulty" "$@" >out 2>err </dev/null
    status=$?
    if [[ ${sound[$*]} != 0 ]]; then
        fail "$name" "without the fault the command ends with ${sound[$*]}: ecube $*"
    elif [[ $status == [14] ]]; then
        pass "$name"
        printf '# caught: %-58s by %s\n' "$name" "$by" | tee -a "$work/table"
    else
        fail "$name survives" "status $status: ecube $*"
    fi
}

# c_fault NAME FILE FROM TO BY COMMAND...
c_fault()
{
    local name=$1 file=$2 compile
    if ! patch_text "$file" "$3" "$4" >"$work/faulty.c"; then
        fail "$name" "'$3' is not in $file just once: the source has changed, change this table"
        return
    fi
    compile=$(compile_of "$file")
    compile=${compile%% -MD*}
    faulty=$work/faulty
    if ! (cd "$build" && eval "$compile -I$source_root/$(dirname "$file") -Wno-error -w -c $work/faulty.c -o $work/faulty.o" &&
        eval "${link/-o harness\/cli\/ecube/-o $faulty $work/faulty.o}") >"$work/err" 2>&1; then
        fail "$name" 'the patched file does not compile'
        return
    fi
    shift 4
    ECUBE_DATA=$source_root caught "$name" "$@"
}

# rtl_fault NAME FILE FROM TO BY COMMAND...: in a copy of the router; FOLDER in the command is its sources.
rtl_fault()
{
    local name=$1 folder="rtl$tests" word words=()
    damage "$folder" "$2" "$3" "$4"
    [[ -s $folder/$2 ]] || return
    damage sound none
    shift 4
    local by=$1
    shift
    for word; do words+=("${word//FILES/$(files "$folder" ,)}"); done
    local good=()
    for word; do good+=("${word//FILES/$(files sound ,)}"); done
    "$ecube" "${good[@]}" >out 2>err </dev/null || { fail "$name" "without the fault: ecube ${good[*]}"; rm -rf sound; return; }
    rm -rf sound
    faulty=$ecube
    sound["${words[*]}"]=0
    caught "$name" "$by" "${words[@]}"
}
