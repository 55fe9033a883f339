#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Icarus Verilog, with the words that the nodes of a run offered, delivers the same words in the same
# cycles. The run is one of tiles: two wirings, two simulators.
#
#   icarus.sh PROGRAM RTL-FOLDER TOPOLOGY ROUTER
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
ecube=$1 rtl=$2 topology=$3 router=$4
network "$topology" "$router"

options=()
for parameter in $parameters; do options+=("-Pnetwork_tb.$parameter"); done
iverilog -g2012 -DEC_CHECKS "-I$rtl" "${options[@]}" -s network_tb -o "$work/bench" \
    "$(dirname "$0")/network_tb.sv" "$rtl"/ec_[!t]*.sv

# words EVENT: the words of the log with that event, as network_tb.sv has them.
words() {
    jq -r --arg event "$1" --argjson radices "[${radices// /,}]" --argjson locals "$locals" '
        def log2: if . <= 1 then 0 else 1 + ((. + 1) / 2 | floor | log2) end;
        def address: reduce $radices[] as $r ({rest: ., sum: 0, unit: 1};
            .sum += .rest % $r * .unit | .rest = (.rest / $r | floor)
            | .unit *= reduce range($r | log2) as $_ (1; . * 2)) | .sum;
        def bit: if . then 1 else 0 end;
        select(.event == $event)
        | "\(.cycle) \(.node * $locals + ((.port | ltrimstr("local") | tonumber?) // 0)) \(.vc)"
          + " \(.head | bit) \(.tail | bit) \(.dst | address) \(.src | address)"
          + " \(.packet) \(.word)"' "$work/events.jsonl" | sort -n
}

pin() { sed -n "s/.*\b$1=\([^,]*\).*/\1/p" <<<"$canonical"; } # of the run's router
number() { # number VALUE NAME...: the place of VALUE in the list of names
    local value=$1 k=0 name
    shift
    for name; do
        [ "$name" != "$value" ] || { echo "$k"; return; }
        k=$((k + 1))
    done
    fail "no number for '$value'"
}

total=0
for switching in wormhole cut-through store-and-forward; do
    "$ecube" run "$topology" uniform:rate=0.4,m=1..6 --cycles 60 --warmup 0 --packet 2 --format json \
        --router "$router,depth=4,switching=$switching,order=high" \
        --events "$work/events.jsonl" >"$work/run.json" 2>"$work/err" || [ $? -eq 3 ] ||
        { cat "$work/err" >&2; fail "the run failed"; }
    canonical=$(jq -r .router "$work/run.json")
    words inject >"$work/offers"
    words eject >"$work/expected"
    vvp -n "$work/bench" "+offers=$work/offers" "+cycles=$(jq .simulated_cycles "$work/run.json")" \
        "+depth=$(pin depth)" "+packet=$(pin packet)" \
        "+switching=$(number "$(pin switching)" wormhole cut-through store-and-forward)" \
        "+order_high=$(number "$(pin order)" low high)" \
        "+dateline=$(number "$(pin dateline)" off on)" "+classes=$(pin classes | grep . || echo 1)" | sort -n >"$work/delivered"
    [ -s "$work/expected" ] || fail "nothing was delivered"
    if ! diff "$work/expected" "$work/delivered" >"$work/diff"; then
        head -n 10 "$work/diff" >&2
        fail "$topology $canonical: Icarus delivers something else (>) than the run (<)"
    fi
    total=$((total + $(wc -l <"$work/expected")))
done
echo "PASS: $total words"
