#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Baselines: an edit of a leaf cell that changes neither time nor function is green; one that changes time
# shows in the rows in which packets meet, and only there; one that changes function is named.
. "$(dirname "$0")/../compare/lib.sh"
default=$source_root/harness/program/regress/default.txt

# --- the matrix that comes with ecube
exits "ecube's own router gives what its baseline says" 0 regress
contains 'in every run' out "$(grep -cE '^[a-z]' "$default") runs: $(grep -cE '^[a-z]' "$default") as before, 0 changed in time, 0 in function"
cp "$default" copy.txt
exits '--update without a change' 0 regress copy.txt --update --quiet
check 'changes nothing in the file' cmp -s copy.txt "$default"

# --- a user's matrix
cat >matrix.txt <<'END'
# rows in which nothing meets
cube:3 shift:q=1,m=16
cube:3 bitcomp:m=8 --router order=high
# rows in which packets meet
cube:3 hotspot:m=8
cube:3 uniform:rate=0.5,m=4 --cycles 500
END
cp matrix.txt own.txt
exits 'a matrix without results is a change' 1 regress own.txt
contains 'of that kind' out '4 without a result'
contains 'with the option that stores them' out '(--update stores these results as the baseline)'
exits '--update stores them' 0 regress own.txt --update --quiet
equal 'comments and order stay' "$(sed 's/ = .*//' own.txt)" "$(<matrix.txt)"
exits 'and then nothing has changed' 0 regress own.txt --quiet
equal 'in one line' "$(<out)" 'SAME  own.txt  4 runs: 4 as before, 0 changed in time, 0 in function'

# --- Verdicts of rows, and the former name of one.
printf 'cube:3 %s\n' 'uniform:rate=0.8,m=8 --cycles 300' 'uniform:rate=0.95,m=8' 'shift:q=5,m=64 --cycles 20' >states.txt
exits 'rows of open and stopped runs' 1 regress states.txt --update
contains '--update refuses a row that is not delivered' out '--accept-failures stores the new one'
equal 'and does not call that updated' "$(cut -d ' ' -f 1 <out | head -n 1)" REFUSED
equal 'it has no result' "$(tail -n 1 states.txt)" 'cube:3 shift:q=5,m=64 --cycles 20'
exits 'which can be accepted' 0 regress states.txt --update --accept-failures --quiet
equal 'have their verdicts' "$(sed 's/.* = \(.*\) deliveries=.*/\1/' states.txt | xargs)" 'too short unstable stopped'
sed -i 's/= too short /= short /' states.txt
exits 'then it is as before' 0 regress states.txt --quiet --accept-failures --junit accepted.xml
equal 'with the former name, too' "$(head -c 4 out) $(grep -o 'failures="[0-9]"' accepted.xml)" 'SAME failures="0"'
cp states.txt kept.txt
exits 'but if it is not accepted, that fails' 1 regress states.txt --junit same.xml
equal 'in one line' "$(head -n 1 out)" \
    'SAME  states.txt  3 runs: 3 as before, 0 changed in time, 0 in function; 1 fail'
contains 'with the row' out '  failing   cube:3 shift:q=5,m=64 --cycles 20'
equal 'and in JUnit' "$(grep -oE 'failures="[0-9]"|<failure type="[a-z]*"' same.xml | xargs)" 'failures=1 <failure type=failing'
exits 'nor is it stored' 1 regress states.txt --update --quiet
equal 'its former result is kept' "$(tail -n 1 states.txt)" "$(tail -n 1 kept.txt)"
echo 'torus:8x8 tornado:m=32 --router vcs=1,dateline=off' >dead.txt
exits 'a deadlock without a result' 1 regress dead.txt
contains 'is not stored by --update alone' out '(--update --accept-failures stores these results as the baseline)'
exits 'a deadlock is refused' 1 regress dead.txt --update --quiet

# edited NAME FILE FROM TO [FROM TO]: an edit of the RTL itself; runs regress on it.
edited()
{
    mkdir -p "$1.data/harness/library/include" "$1.data/harness/library/shape"
    cp -r "$source_root/rtl" "$1.data/"
    cp -r "$source_root/harness/library/shape/shim" "$1.data/harness/library/shape/"
    cp -r "$source_root/harness/library/include/ecube" "$1.data/harness/library/include/"
    damage "$@"
    cp "$1"/*.sv "$1.data/rtl/"
    ECUBE_DATA=$work/$1.data run regress own.txt
}
pointer='(-(moving << 1))'

edited equivalent ec_arbiter.sv "eligible & (~eligible + 1'b1)" 'eligible & -eligible'
equal 'an edit that changes neither is green' "$status $(head -c 4 out)" '0 SAME'

edited pointer ec_arbiter.sv "$pointer" '(-moving)'
equal 'an edit that changes time is not' "$status $(head -n 1 out)" \
    '1 CHANGED  own.txt  4 runs: 2 as before, 2 changed in time, 0 in function'
equal 'the rows in which packets meet are named' "$(sed -n 's/^  time *//p' out)" \
    "$(sed -n '/hotspot/p; /uniform/p' matrix.txt)"
check 'and by how much' grep -qE 'mean latency [0-9.]+ -> [0-9.]+ \((better|worse)\)' out
check 'all in all' grep -qE '^  summary    [0-9] faster, [0-9] slower, [0-9] other changes? in time$' out
check 'with the mean of the rows in open loop' grep -qE '^             open-loop rows \(1\): cycles x [0-9.]+, latency x [0-9.]+$' out
check 'and an extreme' grep -qE '^  (best|worst)  +x [0-9.]+  cube:3 ' out

# --- a user router
exits 'an unedited copy of the router is the same' 0 regress own.txt \
    --rtl "$(files equivalent ,)" --top ec_router --junit same.xml --quiet
equal 'JUnit has no failures' "$(grep -oE '(tests|failures)="[0-9]+"' same.xml | xargs)" 'tests=4 failures=0'
run regress own.txt --rtl "$(files pointer ,)" --top ec_router --format json
equal 'JSON has every row and the counts' \
    "$status $(jq -c '[.schema, .verdict, .runs, .same, .time, .faster + .slower <= .time, (.rows | length)]' out)" \
    '1 ["ecube-regress-2","changed",4,2,2,true,4]'
equal 'ratios are new / old' "$(jq -c '[.rows[] | select(.change == "time" and .latency_was) | .ratio - (if
    .cycles != .cycles_was and .deliveries then .cycles / .cycles_was else .latency / .latency_was end) | fabs < 1e-9] |
    [length, all]' out)" '[2,true]'
equal 'the mean of closed rows is geometric' "$(jq '[.rows[] | select(.deliveries) | .latency / .latency_was | log] |
    add / length | exp' out | cut -c 1-8)" "$(jq ".closed.latency + 0" out | cut -c 1-8)"
cp out changed.json
run regress own.txt --rtl "$(files pointer ,)" --top ec_router --format csv
equal 'CSV has a line for every row' "$status $(head -n 1 out | cut -d, -f 1-3) $(grep -c . out) $(grep -c ',time,' out)" \
    '1 line,run,change 5 2'
exits 'an edited one is not' 1 regress own.txt --rtl "$(files pointer ,)" --top ec_router \
    --against tiles --no-failure-wave --junit changed.xml
contains 'with --against the first changed run is compared' out 'first      ecube compare tiles rtl cube:3'
check 'cycle by cycle' grep -qE '^DIFFER  cube:3 .* cycle [0-9]+, router' out
equal 'JUnit has the failures' "$(grep -c '<failure type="time"' changed.xml)" 2
if command -v xmllint >/dev/null; then check 'as XML' xmllint --noout changed.xml; fi

# --- twins: options that must not change a result
printf 'cube:3 hotspot:m=8\ncube:3 hotspot:m=8 --no-sleep\ncube:3 hotspot:m=8 --shuffle=3\n' >twins.txt
exits 'twins are stored' 0 regress twins.txt --update --quiet
equal 'with the same results' "$(sed 's/.* = //' twins.txt | sort -u | wc -l)" 1
# It counts the cycles in which it is idle, so it depends on whether it sleeps, although quiet_o is right.
damage restless ec_arbiter.sv "if (rst_i) mask_q <= '1;" "if (req_i == '0) mask_q <= mask_q << 1;
    if (rst_i) mask_q <= '1;"
run regress twins.txt --update --rtl "$(files restless ,)" --top ec_router
equal 'a router whose result depends on sleep has no baseline' "$status $(head -n 1 out | grep -o '; .*')" \
    '1 ; 1 differs from the plain row'
contains 'the twin is named with its plain row' out 'differs from line 1, the same run without --no-sleep: '
contains 'and so are the commands of both' out 'ecube run cube:3 hotspot:m=8 --no-sleep --rtl'
equal 'its result is not stored' "$(grep -c ' = ' twins.txt) $(grep -c -- '--no-sleep$' twins.txt)" '2 1'
printf 'cube:3 hotspot:m=8\ncube:3 hotspot:m=4 --random-init 3\n' >lonely.txt
refused 2 'lonely.txt:2: --random-init compares this row with the same row without it' regress lonely.txt

# A twin has the time of its plain row, so the summary counts the plain row only.
exits 'twins of the sound router' 0 regress twins.txt --update --quiet
run regress twins.txt --rtl "$(files pointer ,)" --top ec_router
equal 'three rows changed in time' "$status $(head -n 1 out)" \
    '1 CHANGED  twins.txt  3 runs: 0 as before, 3 changed in time, 0 in function'
check 'one of them counts' grep -qE '^  summary    (1 faster, 0 slower, 0|0 faster, 1 slower, 0|0 faster, 0 slower, 1) other' out
contains 'in the means, too' out 'closed rows (1): '

# A router that cannot be compiled: finished runs are reported, nothing is stored.
damage torn ec_fifo.sv 'assign empty_o = wr_q == rd_q;' 'assign empty_o = wr_q == ;'
cp own.txt kept.txt
run regress kept.txt --update --junit torn.xml --rtl "$(files torn ,)" --top ec_router --quiet
equal 'a router that cannot be compiled is not a change' "$status $(grep -c 'ec_fifo.sv' err)" '5 1'
check 'and none is stored' cmp -s kept.txt own.txt
equal 'JUnit has an error' "$(grep -oE '(tests|failures|errors)="[0-9]+"|<error type="stopped"' torn.xml | xargs)" \
    'tests=1 failures=0 errors=1 <error type=stopped'

# An interrupt between two runs, each too short to notice it: rows are left out, so nothing is stored.
for ((i = 0; i < 20000; i++)); do echo 'cube:1 shift:q=1'; done >short.txt
bytes_read() { sed -n 's/^rchar: //p' /proc/$child/io 2>/dev/null; }
cp short.txt shorter.txt
for option in '' --update; do
    # shellcheck disable=SC2086 # no option is no word
    env --default-signal=INT "$ecube" regress short.txt $option --quiet --junit stopped.xml >out 2>err &
    child=$!
    until pgrep -P $child >/dev/null || ! kill -0 $child 2>/dev/null; do sleep 0.01; done
    until [[ $(bytes_read) -gt 1000000 ]] || ! kill -0 $child 2>/dev/null; do :; done # some results
    kill -s INT $child
    wait $child
    equal "an interrupted regress $option is partial" "$? $(grep -cE '^PARTIAL  short.txt  [0-9]+ of 20000 runs' out)" '130 1'
    equal 'and JUnit says at which row' "$(grep -c '<error type="stopped" message="interrupted"' stopped.xml)" 1
done
check 'and stores nothing' cmp -s short.txt shorter.txt

# An interrupt during the comparison. The sides agree for as long as the run takes, because only the baseline is wrong.
echo 'cube:3 uniform:rate=0.5,m=4 --cycles 200000' >long.txt
run regress long.txt --update --quiet
sed -i 's/contended=/&1/' long.txt
env --default-signal=INT "$ecube" regress long.txt --against tiles --no-failure-wave >out 2>err &
child=$!
until grep -q '^  first' out || ! kill -0 $child 2>/dev/null; do sleep 0.01; done
kill -s INT $child
wait $child
equal 'an interrupted comparison is no result' "$? $(grep -c '^CHANGED' out)" '130 1'

# --- a router of another microarchitecture has its own baseline
here=$source_root/tests/foreign
foreign=(--rtl "$here/vr_router.sv,$here/vr_switch.sv" --top vr_router)
run regress "${foreign[@]}"
equal 'it does not serve all of the matrix of ecube' "$status $(grep -o '^PARTIAL' out)" '5 PARTIAL'
contains 'and needs its own' out 'matrix of its'
cp matrix.txt foreign.txt
exits 'a foreign router gets its baseline' 0 regress foreign.txt --update --quiet "${foreign[@]}"
exits 'and keeps it' 0 regress foreign.txt --quiet "${foreign[@]}"
equal 'the same is delivered as by ecube' "$(grep -o 'deliveries=[^ ]*' foreign.txt)" \
    "$(grep -o 'deliveries=[^ ]*' own.txt)"
exits 'in other cycles' 1 regress own.txt --quiet "${foreign[@]}"
contains 'and no other function' out '0 in function'

# --- a new baseline begins with the matrix of ecube; refusals
exits 'a missing baseline can be created' 0 regress new.txt --update --quiet
check 'with the matrix that comes with ecube' cmp -s new.txt "$default"
# The baseline that comes with ecube, perhaps for all users of a machine, is written only if it is named, and
# nothing is run if the result cannot be stored.
mkdir -p shipped/harness/program
cp -r "$source_root/harness/program/regress" shipped/harness/program/
ECUBE_DATA=$work/shipped refused 2 '--update needs BASELINE' regress --update
check 'the baseline that comes with ecube stays' cmp -s shipped/harness/program/regress/default.txt "$default"
mkdir locked
cp own.txt locked/ && chmod -R a-w locked
if [[ -w locked ]]; then # root may write everywhere
    refused 2 'not a regular file' regress "$work" --update
    refused 2 'No such file' regress nowhere/new.txt --update
else
    refused 2 'Permission denied' regress locked/own.txt --update
    check 'and it stays' cmp -s locked/own.txt own.txt
fi
refused 2 'No such file' regress own.txt --quiet --junit nowhere/junit.xml
check 'nothing is left over' test -z "$(ls -- *.tmp.* locked/*.tmp.* 2>/dev/null)"
refused 2 'No such file or directory; --update creates it' regress nothing.txt
printf 'cube:3 shift:q=1\n\0cube:3 shift:q=3\n' >zero.txt
refused 2 'zero.txt:2: a zero byte: expected a text file' regress zero.txt
refused 2 "--junit writes 'own.txt' and BASELINE reads './own.txt'" regress ./own.txt --junit own.txt
refused 2 "--junit writes 'own.txt' and --update writes 'own.txt'" regress own.txt --update --junit own.txt
printf '0,1\n1,0\n' >map.csv
echo 'cube:3 perm:file=map.csv' >mapped.txt
refused 2 "--junit writes 'map.csv' and WORKLOAD reads 'map.csv' (mapped.txt:1)" regress mapped.txt --junit map.csv
equal 'and it stays' "$(head -n 1 map.csv)" '0,1'
refused 2 '--rtl: cannot read nofile.sv: No such file or directory' regress --rtl nofile.sv --top x
refused 2 "--failure-dir 'own.txt': Not a directory" regress own.txt --failure-dir own.txt
refused 2 "unexpected argument 'b'" regress a b
refused 2 '--rtl needs --top NAME' regress own.txt --rtl a.sv
refused 2 'side' regress own.txt --against flatt
echo 'cube:3 shift:q=1 = pass cycles=x' >bad.txt
refused 2 'bad.txt:1' regress bad.txt
for from in 's/pass/passed/' 's/ contended=[^ ]*//' 's/cycles=/cycles=-/' 's/latency=[0-9]*/&x/' 's/.$//' \
    's/$/ digest=0/' 's/cycles=20/cycles=20 cycles=20/'; do
    sed "2s/.*/$(sed -n 2p own.txt | sed "$from")/" own.txt >bad.txt
    refused 2 'bad.txt:2' regress bad.txt
done
# Wrong rows are reported before any is run; options that do not affect a result are not allowed in a row.
printf 'cube:3 shift:q=1\ncube:3 shift:q=1 %s\n' '--wave a.fst' >bad.txt
refused 2 'bad.txt:2' regress bad.txt
# The check of the rows runs nothing: a candidate of best would need a compiled router.
printf 'cube:6 transpose:K=64 --algorithm best\ncube:3 shift:q=9\n' >bad.txt
ECUBE_CACHE=$work/cold CXX=false refused 2 'bad.txt:2' regress bad.txt
# The runs have finished by then: a failed XML file does not lose their results.
cp matrix.txt full.txt
exits 'XML that cannot be written' 2 regress full.txt --update --quiet --junit /dev/full
contains 'names the cause' err 'No space left'
contains 'beside the verdict' out 'UPDATED  full.txt'
check 'and the results are stored nevertheless' cmp -s full.txt own.txt
echo 'cube:3 shift:q=9' >bad.txt
refused 2 'bad.txt:1' regress bad.txt
echo '# nothing' >bad.txt
refused 2 'no runs' regress bad.txt

# --- limits instead of results: hotspot has 58 cycles and a latency of 34, the shift 20 cycles
cat >limits.txt <<'END'
cube:3 hotspot:m=8 = latency<=34 cycles<=58
cube:3 shift:q=1,m=16 = cycles<=20
END
cp limits.txt loose.txt
exits 'rows within their limits pass' 0 regress limits.txt --junit limits.xml
contains 'as before' out '2 runs: 2 as before'
exits 'limits stay' 0 regress limits.txt --update --quiet
check 'in the file' cmp -s limits.txt loose.txt
while IFS='|' read -r was is text; do
    sed "s/$was/$is/" loose.txt >limits.txt
    exits "beyond $is a row fails" 1 regress limits.txt --junit limits.xml
    contains 'with number and limit' out "$text"
    contains 'also in JUnit XML' limits.xml "$text"
    equal 'one row of two' "$(grep -c '<failure' limits.xml)" 1
    exits 'an update is refused' 1 regress limits.txt --update --quiet
    contains 'in words' out 'REFUSED  limits.txt'
    exits 'unless failures are accepted' 0 regress limits.txt --update --accept-failures --quiet
done <<'END'
latency<=34|latency<=33.9|pass, 58 cycles, mean latency 34.00; expected at most 58 cycles; expected a latency of at most 33.9
cycles<=58|cycles<=57|expected at most 57 cycles
cycles<=20|cycles<=19|pass, 20 cycles, mean latency 18.75; expected at most 19 cycles
END
echo 'cube:3 uniform:rate=0.95,m=8 --cycles 500 = latency<=9999' >limits.txt
exits 'a row must pass as well' 1 regress limits.txt
contains 'else its function changed' out '1 in function'
for limits in 'latency<=' 'latency<=x' 'latency<=0' 'cycles<16' 'cycles<=1.5' 'cycles<=16 foo<=3' 'cycles<=16  latency<=3'; do
    echo "cube:3 shift:q=1 = $limits" >limits.txt
    refused 2 'limits.txt:1: invalid result: expected' regress limits.txt
done

rest_is_long "${2:-}"

# Predictions are for ecube's own pipeline: if a row of a baseline takes another time, with a
# buffer of 2 words and credits that count a cycle later, the router has not failed.
echo 'cube:3 shift:q=5,m=16 --router depth=2' >tight.txt
exits 'a row whose time is known in closed form' 0 regress tight.txt --update --quiet
cp own.txt loose.txt
cp tight.txt own.txt
edited late ec_credits.sv "credits_q <= credits_q + Cw'(credit_i) - Cw'({used_i});" "late_q <= credit_i;
    credits_q <= credits_q + Cw'(late_q) - Cw'({used_i});
    if (rst_i) late_q <= 1'b0;" 'logic [Cw-1:0] credits_q;' 'logic [Cw-1:0] credits_q;
  logic late_q;'
cp loose.txt own.txt
equal 'changes in time where rtl/ itself was edited' "$status $(head -n 1 out)" \
    '1 CHANGED  own.txt  1 run: 0 as before, 1 changed in time, 0 in function'
check 'to the worse' grep -qE 'cycles 20 -> 2[0-9] \(\+[0-9.]+ %, worse\)' out

# --- a router that fails
damage turn ec_router.sv 'if (pop[i]) leaving[to[i]] =' \
    "if (pop[i]) leaving[coord_q == 5 && to[i] == Pw'(1) ? Pw'(2) : to[i]] ="
exits 'a wrong turn changes the function' 1 regress own.txt --rtl "$(files turn ,)" --top ec_router \
    --failure-dir "$work"
check 'the rows say what failed and where' grep -qE 'fail, was pass; [a-z]+: .*router 5 \(101\)' out
check 'nothing is compared without being asked for' test -z "$(grep -E '^DIFFER|^  first' out)"
repeat=$(sed -n 's/^  repeat  *ecube //p' out)
check 'a command repeats the run' grep -q '^run cube:3 bitcomp:m=8 --router order=high --rtl .* --top ec_router --failure-dir ' <<<"$repeat"
# shellcheck disable=SC2086 # words without blanks
exits 'which fails again' 1 $repeat
check 'and leaves a wave' test -n "$(ls "$work"/ecube-failure-*.fst 2>/dev/null)"
exits 'on request it is compared' 1 regress own.txt --rtl "$(files turn ,)" --top ec_router \
    --failure-dir "$work" --against tiles
check 'and the comparison where it began' grep -qE '^DIFFER  .*router 5 \(101\), output dim[12]: word out' out
check 'with waves' test -n "$(ls "$work"/ecube-compare-*-b.fst 2>/dev/null)"
check 'numbers of unfinished runs are not shown' test -z "$(sed -n '/fail, was/s/.*cycles [0-9]* ->.*/&/p' out)"
contains 'how many fail is in the first line' out ' in function; '
cp turn/*.sv pointer.data/rtl/
ECUBE_DATA=$work/pointer.data run regress own.txt --no-failure-wave
cp out turned
if "$ecube" run cube:1 shift:q=1 --backend systemc --quiet >/dev/null 2>&1; then
    check 'an edit of rtl/ itself is compared with the model' grep -qE '^  first +ecube compare systemc tiles cube:3' turned
    check 'which knows where it began' grep -qE '^DIFFER  .*router 5 \(101\), output dim[12]: word out' turned
else
    contains 'an edit of rtl/ itself has no second opinion without the model' turned '--against SIDE'
fi
done_testing
