#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Defects that are planted in foreign routers lead their author to them: `ecube tile check` and `ecube tile prove` find those
# that planted.txt says they find, with its words and properties. The table is on standard error.
#
#   test_planted.sh PROGRAM [NAME-PATTERN [COMMANDS]]
#
# COMMANDS: tile, prove, or both (the default).
. "$(dirname "$0")/../cli/lib.sh"
export ECUBE_CACHE=$work/cache
names=${2:-.} commands=${3:-tile prove}

# plant FILE FROM TO OPTIONS: the router with the defect, as $router. Options that only ecube's own router has need
# other sources of this one.
plant()
{
    rm -rf planted
    unset ECUBE_DATA
    if [[ $1 == vr_* ]]; then
        mkdir planted && cp "$source_root"/tests/foreign/vr_{router,switch}.sv planted
        router=(--rtl planted/vr_router.sv,planted/vr_switch.sv --top vr_router)
    elif [[ $4 =~ adaptive|valiant|class ]]; then
        cp -r "$source_root/rtl" planted
        mkdir -p data && ln -sf "$source_root"/* data && ln -sfn ../planted data/rtl
        router=() && export ECUBE_DATA=$work/data
    else
        cp -r "$source_root/rtl" planted
        router=(--rtl "planted/$(echo ec_{adapt,arbiter,arrival,bind,credits,fifo,hold,input,output,stage,router}.sv |
            sed 's, ,\,planted/,g')" --top ec_router)
    fi
    cp "planted/$1" before
    sed -i "s@$2@$3@" "planted/$1"
}

while IFS=@ read -r name file from to network words properties; do
    [[ $name != \#* && $name =~ $names ]] || continue
    read -r topology options <<<"$network"
    [[ $options == *depth=* ]] || options=depth=2${options:+,$options}
    plant "$file" "$from" "${to/AT_CLOCK/\\@(posedge clk_i)}" "$options"
    check "$name: the defect is planted" test "$(diff before "planted/$file" | grep -c '^<')" = 1
    row=("$name" - -)
    if [[ $commands == *tile* ]]; then
        run tile check "$topology" --router "$options" "${router[@]}" --only --quiet
        row[1]=$(grep -m 1 -ahE 'breaks|^ecube:' out err | sed 's,.*breaks the contract: ,,' | cut -c 1-160)
        if [[ $words == - ]]; then
            equal "$name: tile check finds nothing" "$status" 0
        else
            equal "$name: tile check finds it" "$status" 1
            check "$name: and says '$words'" grep -qF -- "$words" out err
        fi
    fi
    if [[ $commands == *prove* ]]; then
        run tile prove "$topology" --router "$options" "${router[@]}" --depth 8 --seconds 4 \
            --no-failure-wave --format json
        failed=$(jq -r 'select(.verdict == "failed") | .property' out | tr '\n' ' ')
        row[2]=$failed
        if [[ $properties == - ]]; then
            equal "$name: prove finds nothing" "$status $failed" '0 '
        else
            equal "$name: prove finds it" "$status" 1
            for property in $properties; do
                check "$name: $property fails" grep -qw "$property" <<<"$failed"
            done
        fi
    fi
    printf '| %s | %s | %s |\n' "${row[@]}" >&2
done <"$source_root/tests/formal/planted.txt"
done_testing
