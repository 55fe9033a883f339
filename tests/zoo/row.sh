#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Computes one row of docs/study/ROUTERS.md from the sources of a public router: tests/zoo/NAME/record.json.
#
#   row.sh [--compare] ECUBE NAME SOURCES [PART...]
#
# SOURCES is a folder with a checkout of each repository that tests/zoo/NAME/row names, called like the repository and
# at that commit. Nothing is downloaded; if one is missing, the commands that make it are printed (status 77).
# PARTs (all): check prove hops uniform transpose bitcomp speed area. The others keep what the record has. With --compare nothing is
# written: the parts must be as on record (speed and prove depend on the machine).
#
# tests/zoo/NAME has `row` (shell variables), `files.f`, and `adapter.sv`:
#   title, flow, buffers   for people: the flow control, and where the words at an input are kept
#   sources                OWNER/NAME@COMMIT...
#   top, router, packet    of the adapter, and the options --router and --packet. The proof is of depth=2, or of a packet
#   checks                 lines: network and options of each `tile check` (mesh:8x8)
#   measured               options of the measurements, for a router that loses longer packets
#   prepare                a function that makes files in $ZOO_SOURCES/made
#   options                more options of ecube: macros, parameters of the top module
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
compare=0
[ "$1" != --compare ] || { compare=1 && shift; }
ecube=$1 name=$2
ZOO_SOURCES=$(cd "$3" 2>/dev/null && pwd) || ZOO_SOURCES=$3
shift 3
export ZOO_SOURCES
row=$here/$name
[ -f "$row/row" ] || fail "no row $name in $here"
options='' packet=0 checks=mesh:8x8 measured=''
prepare() { :; }
# shellcheck source=/dev/null
. "$row/row"
[ $# -gt 0 ] || set -- check prove hops uniform transpose bitcomp speed area
parts=" $* "
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-zoo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck disable=SC2154 # of the row
for source in $sources; do
    folder=$ZOO_SOURCES/$(basename "${source%@*}")
    at=$(git -C "$folder" rev-parse HEAD 2>/dev/null) || at=missing
    [ "$at" = "${source#*@}" ] && continue
    echo "SKIP: $folder is $at; make it with"
    echo "  git clone https://github.com/${source%@*} $folder && git -C $folder checkout ${source#*@}"
    exit 77
done
[ $compare = 0 ] || [ "$("$ecube" --version | head -1) $(yosys -V | cut -d'(' -f1)" = \
    "$(jq -r '"\(.versions.ecube) \(.versions.yosys)"' "$row/record.json")" ] || {
    echo "SKIP: the record is of other versions of ecube or Yosys"
    exit 77
}

prepare
# The options of every command. (The words of $options are options.)
# shellcheck disable=SC2046,SC2086,SC2154
set -- -F "$row/files.f" --top "$top" --router "$router" $([ "$packet" = 0 ] || echo "--packet $packet") $options
record=$work/record.json
echo '{}' >"$record"
[ -f "$row/record.json" ] || cp "$record" "$row/record.json"
put() { # put KEY JSON: into the record
    jq --arg key "$1" --argjson value "$2" '.[$key] = $value' "$record" >"$work/next" || fail "$1: $2"
    mv "$work/next" "$record"
}
wanted() {
    case $parts in *" $1 "*) echo "$name: $1" >&2 ;; *) return 1 ;; esac
}
# shellcheck disable=SC2154
put row "$(jq -n --arg title "$title" --arg sources "$sources" --arg flow "$flow" --arg buffers "$buffers" \
    --arg router "$router" --arg packet "$packet" --arg options "$options $measured" \
    '$ARGS.named | with_entries(select(.value != "" and .value != "0" and .value != " "))')"

if wanted check; then
    echo "$checks" | while read -r topology more; do
        # shellcheck disable=SC2086 # words
        "$ecube" tile check "$topology" --only --quiet --no-failure-wave --format json "$@" $more \
            >"$work/check" 2>"$work/log" </dev/null || :
        [ -s "$work/check" ] || fail "tile check: $(cat "$work/log")"
        jq -c --arg options "$topology${more:+ $more}" '{options: $options, verdict, reason, words, unfair}' "$work/check" |
            head -1
    done >"$work/checks"
    put check "$(jq -sc . "$work/checks")"
fi

if wanted prove; then
    status=0
    "$ecube" tile prove mesh:3x1 --quiet --no-failure-wave --seconds 5 "$@" \
        --router "$(echo "$router" | sed "s/depth=[0-9]*/depth=$((packet > 2 ? packet : 2))/")" >"$work/prove" 2>"$work/log" || status=$?
    case $status in
    0 | 1) verdict=$(grep -E '^(PROVED|PARTLY|NOT PROVED|FAILED)' "$work/prove" | tail -1) ;;
    *)
        ! grep -q 'cannot find the program' "$work/log" || fail "tile prove: $(cat "$work/log")"
        verdict="refused: $(grep -m 1 -E 'ERROR|Yosys|ecube:' "$work/log" | sed "s|$ZOO_SOURCES/||g; s|$here/||g")"
        ;;
    esac
    put prove "$(jq -n --arg v "$verdict" '$v')"
fi

# shellcheck disable=SC2086 # words
set -- "$@" $measured
cycles() { # cycles DESTINATION WORDS OPTION...: from node 0
    printf 'src,dst\n0,%s\n' "$1" >"$work/one.csv"
    m=$2
    shift 2
    "$ecube" run mesh:8x8 "perm:file=$work/one.csv,m=$m" "$@" --format json --quiet >"$work/run" || fail "run: $(jq -c .checks "$work/run")"
    jq .cycles "$work/run"
}
if wanted hops; then
    near=$(cycles 1 1 "$@") far=$(cycles 7 1 "$@") long=$(cycles 1 65 "$@")
    put hops "$(jq -n "{cycles_per_hop: (($far - $near) / 6), one_hop: $near, cycles_per_word: (($long - $near) / 64)}")"
fi

for pattern in uniform transpose bitcomp; do
    wanted $pattern || continue
    "$ecube" sweep mesh:4x4 "$pattern:m=4" --saturation backlog --precision 5% --cycles 20000 --jobs 1 --quiet \
        --format json "$@" >"$work/sweep" 2>"$work/log" || [ $? = 1 ] || fail "sweep of $pattern: $(cat "$work/log")"
    put $pattern "$(jq -c '.curves[0] as $c | ($c.points | max_by(.rate)) as $last |
        {bound: $c.bound, low: $c.backlog_low, high: $c.backlog_high, accepted: $last.accepted,
        accepted_half_width: $last.accepted_half_width, least_share: $last.minimum_share, jain: $last.fairness,
        failed: ([$c.points[] | select(.state == "failed")] | length)}' "$work/sweep")"
done

if wanted speed; then
    # The best of three: the others met other load. User time of this process, so that a busy machine matters less.
    for _ in 1 2 3; do
        "$ecube" run mesh:8x8 uniform:rate=0.1,m=4 --cycles 3000 --format json --quiet "$@" >"$work/run" || fail "run"
        jq '.simulated_cycles * .nodes / .cpu_seconds' "$work/run"
    done >"$work/speeds"
    put speed "$(jq -s 'max | . / 1000 | round' "$work/speeds")"
fi

if wanted area; then
    refused=0
    (
        cd "$row"
        files='' flags='' libraries='' vcs=$(echo "$router" | sed -n 's/.*vcs=\([0-9]*\).*/\1/p')
        vcs=${vcs:-1} depth=2
        while [ $depth -lt "$(echo "$router" | sed 's/.*depth=\([0-9]*\).*/\1/')" ]; do depth=$((depth * 2)); done
        while read -r line; do
            line=$(echo "$line" | sed "s|\$ZOO_SOURCES|$ZOO_SOURCES|")
            case $line in
            '' | //* | +libext*) ;;
            +incdir+*) flags="$flags -I${line#+incdir+}" ;;
            +define+*) flags="$flags -D${line#+define+}" ;;
            -y*) libraries="$libraries -libdir ${line#-y }" ;;
            *) files="$files $line" ;;
            esac
        done <files.f
        # The parameters come from an instance: Yosys 0.23 fails on some routers that are the top module themselves.
        cat >"$work/top.sv" <<END
\`include "contract.svh"
\`ZOO_ADAPTER(zoo_top, $vcs)
  $top #(.Dims(2), .LinksPerDim(2), .Vcs($vcs), .DepthMax($depth)) u_router (
    .clk_i, .rst_i, .coord_i, .mask_i, .radix_i, .wrap_i, .dateline_i, .order_high_i, .switching_i, .depth_i, .packet_i,
    .link_i, .credit_i, .link_o, .credit_o
  );
endmodule
END
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -v 6000000
        timeout 900 yosys -q -p "read_verilog -sv -I$here $flags $files $work/top.sv
            hierarchy -top zoo_top $libraries
            synth -flatten -top zoo_top
            tee -q -o $work/cells stat
            abc -lut 6
            opt_clean
            tee -q -o $work/luts stat
            tee -q -o $work/path ltp -noff"
    ) >"$work/log" 2>&1 || refused=1
    [ $refused = 1 ] || put area "$(awk '
        FILENAME ~ /cells$/ && /Number of cells:/ { cells = $NF }
        FILENAME ~ /cells$/ && /DFF/ { ff += $NF }
        FILENAME ~ /luts$/ && /\$lut/ { luts = $NF }
        /length=/ { gsub(/[^0-9]/, "", $NF); levels = $NF }
        END { printf "{\"cells\": %d, \"flip_flops\": %d, \"luts\": %d, \"levels\": %d}", cells, ff, luts, levels }
        ' "$work/cells" "$work/luts" "$work/path")"
    [ $refused = 0 ] || put area "$(grep -m 1 ERROR "$work/log" | sed "s|$ZOO_SOURCES/||g; s|$here/||g" | jq -R '{refused: .}')"
fi

[ $compare = 1 ] ||
    put versions "$(jq -n --arg ecube "$("$ecube" --version | head -1)" --arg yosys "$(yosys -V | cut -d'(' -f1)" '$ARGS.named')"
jq -S -s '.[0] + .[1]' "$row/record.json" "$record" >"$work/next"
if [ $compare = 1 ]; then
    jq -S . "$row/record.json" | diff - "$work/next" >&2 || fail "$row/record.json: other figures than now"
else
    cp "$work/next" "$row/record.json"
fi
