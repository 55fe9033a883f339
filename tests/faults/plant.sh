# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables shared with run.sh and table.sh
# Defects as data, and how to plant them in the program. Sourced by run.sh and table.sh.
#
# A record of a *.txt here, up to an empty line (lines that begin with # are comments):
#
#   file PATH                in rtl/, harness/, model/cost/ or model/systemc/; of this and the following records
#   fault TITLE              a sentence
#   - TEXT                   the original text, which occurs exactly once; it may span several lines
#   + TEXT                   the replacement
#   = TEXT                   a line of both
#   baseline ROW             a row of base.txt, stored with the sound program, if the command is regress base.txt
#   ecube ARGUMENT...        the command that must end with status 1 (3: no steady state, 4: deadlock); without the defect with 0
#   claims ID...             or claims that must turn red, each of them
#   test TARGET ARGUMENT...  or a test program of the build that must fail
#   says TEXT                text that its output must contain; one line for each
#
# A word trace:ROW;ROW... of a row or an argument is the trace with these rows (cycle,source,destination,words).
#
# A part of the program is replaced, nothing else is built: rtl/, harness/library/shape/shim/ and harness/claims/rows/ are what
# the program reads; a file in C is compiled and linked before the archives; one of model/systemc gives a new module.

ecube_target=harness/program/ecube claims_target=harness/claims/ecube-claims

# records FILE DO: call DO for each record, with its fields in variables.
records()
{
    local line id number=0 taken
    file=''
    clear_record
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        case $line in
        '#'*) ;;
        'fault '*) title=${line#fault } ;;
        'file '*) file=${line#file } ;;
        '- '*) from+=${line#- }$'\n' ;;
        '+ '*) to+=${line#+ }$'\n' ;;
        '= '*) from+=${line#= }$'\n' to+=${line#= }$'\n' ;;
        'baseline '*) take_trace "${line#baseline }" && baseline+=$taken$'\n' ;;
        'ecube '*) take_trace "${line#ecube }" && args=$taken ;;
        'claims '*)
            target=$claims_target args=${line#claims }
            for id in $args; do
                says+=("UNEXPECTED $id:")
            done
            ;;
        'test '*) args=${line#test } target=${args%% *} args=${args#"$target"} ;;
        'says '*) says+=("${line#says }") ;;
        '')
            [[ -z $title ]] || "$2"
            clear_record
            ;;
        *)
            echo "Bail out! $1:$number: what is '$line'?"
            exit 1
            ;;
        esac
    done <"$1"
    [[ -z $title ]] || "$2"
}

# take_trace TEXT: sets $taken to the text with the rows of a trace in a file, and $trace to those rows.
take_trace()
{
    local rows=${1#* trace:}
    rows=${rows%% *} taken=$1
    if [[ $1 == *' trace:'[0-9]* ]]; then
        trace=${rows//;/$'\n'} taken=${1/"trace:$rows"/trace:file=trace.csv}
    fi
}

clear_record()
{
    title='' from='' to='' trace='' baseline='' args='' target=$ecube_target says=()
}

# patched: the file of the record with the defect, on stdout; 1 if the place is not there just once.
patched()
{
    local text place=${from%$'\n'} instead=${to%$'\n'}
    text=$(<"$source_root/$file") || return 1
    [[ ${text#*"$place"} != "$text" && ${text#*"$place"*"$place"} == "$text" ]] || return 1
    printf '%s\n' "${text/"$place"/"$instead"}"
}

# sound_prefix FOLDER: the program as it would be installed there.
sound_prefix()
{
    mkdir -p "$1/bin" "$1/share" "$1/$libdir/ecube"
    cp "$build_root/$target" "$1/bin/"
    ln -s "$source_root" "$1/share/ecube"
    ln -s "$build_root/model/systemc/systemc-backend.so" "$1/$libdir/ecube/"
}

# compiled COPY OBJECT: compile the changed copy of the record's file as the build compiles the file; sets
# $built to the build's own object.
compiled()
{
    local command
    command=$(jq -r --arg name "/$file" '[.[] | select(.file | endswith($name))][0].command' \
        "$build_root/compile_commands.json")
    built=$(jq -r --arg name "/$file" '[.[] | select(.file | endswith($name))][0].output' \
        "$build_root/compile_commands.json")
    # Replace the output and input of the build's command: not every gcc takes a second -o. Warnings
    # are off: they must not be what catches the defect.
    (cd "$build_root" && eval "${command% -MD *} -iquote '$source_root/${file%/*}' -w -o '$2' -c '$1'")
}

# linked TARGET OBJECT FILE: link a target of the build, with this object in place of $built. Where $built is
# in an archive, coming first is enough: the linker then does not load that member.
linked()
{
    local command
    command=$(cd "$build_root" && ninja -t commands "$1" | tail -n 1)
    command=${command/" $built "/ }
    (cd "$build_root" && eval "${command/" -o $1 "/" '$2' -o '$3' "}")
}

# plant PREFIX: the defect of the record into a sound prefix.
plant()
{
    local copy=$1/changed/$file data=$1/share/ecube
    mkdir -p "${copy%/*}"
    patched >"$copy" || return 1
    case $file:$target in
    rtl/* | harness/library/shape/shim/* | harness/claims/rows/*)
        rm "$data"
        mkdir -p "$data/harness/library/include" "$data/harness/library/shape" "$data/harness/claims"
        cp -r "$source_root/harness/claims/rows" "$data/harness/claims/"
        cp -r "$source_root/rtl" "$data/"
        cp -r "$source_root/harness/library/shape/shim" "$data/harness/library/shape/"
        cp -r "$source_root/harness/library/include/ecube" "$data/harness/library/include/"
        cp "$copy" "$data/$file"
        ;;
    model/systemc/*:"$ecube_target")
        rm "$1/$libdir/ecube/systemc-backend.so"
        compiled "$copy" "$1/changed.o" &&
            linked model/systemc/systemc-backend.so "$1/changed.o" "$1/$libdir/ecube/systemc-backend.so"
        ;;
    *) compiled "$copy" "$1/changed.o" && linked "$target" "$1/changed.o" "$1/bin/${target##*/}" ;;
    esac
}
