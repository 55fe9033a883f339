#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --coverage FOLDER: what the runs of a command reached, whatever way they are done, and however they end.
#
#   test_coverage.sh PROGRAM [long]
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

case=(cube:3 uniform:rate=0.6,m=2 --cycles 400 --warmup 0)

# hits FOLDER WORD: how often the points of that name were hit, in all.
hits()
{
    awk -v word="$2" 'index($0, word) { n += $NF } END { print n + 0 }' "$1/coverage.dat"
}

# points FOLDER: the points alone.
points()
{
    sed "s/ [0-9]*\$//" "$1/coverage.dat"
}

run run "${case[@]}" --coverage one --no-toggle
equal 'a run with coverage passes as without' "$status" 0
contains 'it says in one line what was reached' err 'coverage in one: lines '
check 'the summary has a row for each file' grep -q ' rtl/ec_fifo.sv$\|/rtl/ec_fifo.sv$' one/summary.txt
check 'the summary lists what was not reached, with file and line' \
    grep -qE 'ec_cover.sv:[0-9]+ u_cover.highest_dimension_first$' one/summary.txt
check 'the JSON has the same figures as the text' test \
    "$(jq -r '.all.user | "\(.covered)/\(.all)"' one/summary.json)" = "$(awk '$NF == "all" { print $7 }' one/summary.txt)"
equal 'the JSON lists each unit that was not reached' "$(jq '.uncovered | length' one/summary.json)" \
    "$(grep -cE '^  [^ ]' one/summary.txt)"
check 'no point of the wrapper counts' test "$(grep -c 'rtl/ec_tile.sv' one/coverage.dat)" = 0
check 'verilator_coverage reads the data' verilator_coverage --write-info other.info one/coverage.dat
equal 'the file for lcov has each line that has a figure' "$(grep -c '^DA:' one/coverage.info)" \
    "$(jq '.all.line.all' one/summary.json)"
if command -v genhtml >/dev/null; then
    check 'genhtml makes pages of it' test -s one/html/index.html
else
    contains 'without genhtml the remedy is named' err 'apt-get install lcov'
fi
equal 'no file of a worker is left' "$(ls one)" "$(ls -I '*.part' one)"

# Another tree with the same sources shares the cache.
mkdir data
cp -r "$source_root/rtl" "$source_root/harness" data
ECUBE_DATA=$work/data run run "${case[@]}" --coverage other --no-toggle --quiet
equal 'the files of another tree are its own' "$status $(jq '[.files[].file | startswith("data/rtl/")] | all' other/summary.json)" \
    '0 true'

cat >list.txt <<END
${case[*]}
${case[*]}
${case[*]} --seed 5
END
run run --from list.txt --coverage list --no-toggle --jobs 2 --quiet
equal 'a list with coverage passes' "$status" 0
head -n 2 list.txt >two.txt
run run --from two.txt --coverage two --no-toggle --jobs 2 --quiet
check 'a run counts points' test "$(hits one u_cover.quiet\')" -gt 0
equal 'hits of all runs and workers are added up' "$(hits two u_cover.quiet\')" "$((2 * $(hits one u_cover.quiet\')))"
run run "${case[@]}" --threads 3 --coverage parts --no-toggle --quiet
check 'a run in parts counts the same' cmp -s one/coverage.dat parts/coverage.dat
run run "${case[@]}" --threads 2 --coverage threads --no-toggle --quiet
check 'a run in threads counts the same' cmp -s one/coverage.dat threads/coverage.dat

run run --from list.txt --coverage again --no-toggle --output results --format csv --quiet
check 'the points are the same for every list' test "$(points again)" = "$(points one)"
run run --from list.txt --coverage again --no-toggle --output results --format csv --quiet --resume
equal 'a list with coverage is not resumed' "$status $(grep -c 'resume cannot be combined with --coverage' err)" '2 1'

printf '%s\n' "${case[*]}" >baseline.txt
run regress baseline.txt --update --coverage regress --no-toggle
equal 'a regression takes the option' "$status" 0
check 'its rows count as the runs do' test "$(hits regress u_cover.quiet\')" -gt 0

# A run that fails has reached something, too.
run run ring:8 shift:q=3,m=16 --router vcs=1,dateline=off --no-failure-wave --coverage dead --no-toggle
check 'a deadlock is reported as without coverage' test "$status" = 4
check 'and its coverage is written' test -s dead/coverage.dat

run run "${case[@]}" --coverage one --backend systemc
equal 'SystemC is refused' "$status" 2
contains 'because it has no RTL' err '--backend systemc'
echo "${case[*]} --backend systemc" >mixed.txt
run run --from mixed.txt --coverage one
equal 'also in a line of a list' "$status" 2
contains 'whose place is named' err 'mixed.txt:1: --coverage'
run run "${case[@]}" --no-toggle
equal '--no-toggle alone is refused' "$status" 2
: >file
run run "${case[@]}" --coverage file --no-toggle
check 'a file in the place of the folder is refused' test "$status" = 3 -o "$status" = 2
equal 'in one line' "$(wc -l <err)" 1
if [ -w /dev/full ] && [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=16k none full 2>/dev/null; then
    run run "${case[@]}" --coverage full --no-toggle --quiet
    umount full
    check 'a full disk fails the command' test "$status" != 0
    equal 'with one message' "$(wc -l <err)" 1
fi

# The user's own points, of a router that is not ours; and bits.
cp -r "$source_root/harness/library/example/routers" .
cp -r "$source_root/rtl/adapter" routers
export ECUBE_RTL=$PWD/routers
cat >>routers/handshake/hs_adapter.sv <<'END'
module points (input wire clk_i, input wire rst_i, input wire busy);
  sent: cover property (@(posedge clk_i) !rst_i && busy);
  never: cover property (@(posedge clk_i) rst_i && !rst_i);
endmodule
bind hs_adapter points u_points (.clk_i, .rst_i, .busy(link_o != '0));
END
run run mesh:3x3 shift:q=1 -F routers/handshake/files.f --top hs_adapter --coverage own --no-toggle --quiet
equal 'a router of the user runs with coverage' "$status" 0
check 'its cover properties count' test "$(jq -c '[.all.user.covered, .all.user.all]' own/summary.json)" = '[1,2]'
contains 'the one that was not reached is listed' own/summary.txt 'hs_adapter.sv:'
equal 'only files of the user count' "$(jq -r '.files[].file' own/summary.json | grep -vc routers/)" 0

if [[ ${2-} == long ]]; then # compiles for a quarter of a minute
    run run mesh:3x3 shift:q=1 -F routers/handshake/files.f --top hs_adapter --coverage own --quiet
    check 'bits count, too' test "$(jq '.all.toggle.all' own/summary.json)" -gt 100
fi
done_testing
