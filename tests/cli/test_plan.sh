#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A plan has all algorithms that apply in the order of their cycles, each as many as a run takes, and --algorithm best is
# its first row.
#
#   test_plan.sh PROGRAM [long]
#   COUNT=200 SEED=7 test_plan.sh PROGRAM      other random cases, and more of them
. "$(dirname "$0")/lib.sh"
wide=0
[[ ${2:-} != long ]] || wide=1
count=${COUNT:-$((wide ? 100 : 8))}
seed=${SEED:-1}

# --- Random cases against runs of all algorithms ----------------------------------------------------------------------

# Lines TOPOLOGY, WORKLOAD, OPTIONS, options of schedules, keys of the router; separated by tabs, "-": none.
cases()
{
    awk -v count="$count" -v seed="$seed" -v wide=$wide '
        function draw(bound) {
            state = state * 16807 % 2147483647
            return int(state / 2147483647 * bound)
        }
        function one_of(list,   item) { return item[1 + draw(split(list, item, " "))] }
        function chance(percent) { return draw(100) < percent }
        function nodes_of(t,   radix, n, i, product) {
            product = 1
            n = split(substr(t, index(t, ":") + 1), radix, "x")
            for (i = 1; i <= n; i++) product *= radix[i]
            return t ~ /^cube/ ? 2 ^ product : product
        }
        # A permutation of the n + k dimensions of the machine address, as cycles.
        function draw_cycles(n, k,   dim, i, j, swap, text, length_) {
            for (i = 0; i < n + k; i++) dim[i] = i
            for (i = n + k - 1; i > 0; i--) { j = draw(i + 1); swap = dim[i]; dim[i] = dim[j]; dim[j] = swap }
            text = dim[0] "-" dim[1]
            length_ = 2
            for (i = 2; i < n + k && chance(75); i++) {
                if (length_ > 1 && chance(30)) {
                    if (i + 1 == n + k) break
                    text = text "+" (chance(15) ? "~" : "") dim[i++] "-" dim[i]
                } else
                    text = text "-" (chance(15) ? "~" : "") dim[i]
            }
            return text
        }
        function draw_workload(   n, k, name) {
            m = chance(50) ? 1 + draw(4) : 1 + draw(24)
            if (family == "cube") {
                n = substr(topology, 6)
                k = draw(5)
                if (chance(25)) return "shift:q=" 1 + draw(nodes - 1) ",labels=" one_of("plain gray") ",m=" m
                if (chance(15)) return "randperm:m=" m
                name = one_of("gsh gsh gsh bitrev bitcomp shuffle unshuffle transpose tocyclic")
                if (name == "transpose" && (n + k) % 2) k++
                if (name == "gsh") return "gsh:cycle=" draw_cycles(n, k) ",K=" 2 ^ k ",m=" m
                if (k == 0 && name == "tocyclic") k = n
                return name ":K=" 2 ^ k ",m=" m
            }
            if (chance(70)) return "shift:q=" 1 + draw(nodes - 1) ",m=" m
            return one_of("randperm neighbor tornado") ":m=" m
        }
        BEGIN {
            state = seed * 7919 + 13
            for (i = 0; i < 10; i++) draw(2)
            while (count-- > 0) {
                topology = one_of("ring:" 3 + draw(10) " torus:4x4 torus:3x3 torus:5x5 torus:4x2 mesh:4x4 mesh:3x5 mesh:9 " \
                    "cube:2 cube:3 cube:3 cube:4 cube:4 " (wide ? "torus:6x6 torus:8x8 torus:5x3 torus:3x3x2 mesh:2x3x2 cube:5" : "cube:2"))
                family = substr(topology, 1, index(topology, ":") - 1)
                nodes = nodes_of(topology)
                options = chance(40) ? " --startup " one_of("1 5 20 100") : ""
                if (chance(25)) options = options " --packet " 1 + draw(6)
                later = chance(25) ? " --sync data" : ""
                if (chance(20)) later = later " --local-cost " 1 + draw(2)
                router = family == "mesh" && !wide ? "ports=one" : chance(20) ? "ports=" one_of("one all") : ""
                workload = draw_workload()
                printf "%s\t%s\t%s\t%s\t%s\n", topology, workload, options == "" ? "-" : options,
                    later == "" ? "-" : later, router == "" ? "-" : router
            }
        }'
}

# The list of one command: a line for each case, and what differs.
list()
{
    awk -F '\t' -v more="$1" '{ print $1, $2 ($3 == "-" ? "" : $3) ($4 == "-" ? "" : $4) ($5 == "-" ? "" : " --router " $5) more }' cases
}

# do_list COMMAND FILE OPTION...: its results, one a line, in FILE.json.
do_list()
{
    local command=$1 file=$2
    shift 2
    timeout 1500 "$ecube" "$command" --from "$file" --keep-going --format json "$@" >"$file.json" 2>"$file.err"
}

{
    printf 'cube:6\ttranspose:K=64,m=%s\t-\t-\tports=%s\n' 1 one 8 all
    printf 'cube:4\tgsh:cycle=7-6-5-4,K=16,m=8\t-\t-\tports=one\n'
    printf 'cube:3\tgsh:cycle=1-2,K=8,m=4\t --startup 100\t-\t-\n' # nothing to send
    printf 'cube:4\tbitrev:K=4,m=9\t --packet 3\t-\t-\n'
    printf 'ring:2\ttornado\t --startup 5\t-\t-\n' # nothing to send
    printf 'cube:3\tgsh:cycle=6-5-4,K=14\t-\t-\tports=all\n'
    cases
} >cases
count=$(wc -l <cases)
list '' >plans
list '' >blind
list ' --algorithm best' >bests
exits 'the plans of random cases' 0 plan --from plans --no-crossings --format json --output plans.json
do_list plan blind --no-crossings --budget 0
do_list run bests --no-failure-wave
equal 'each case has a plan' "$(wc -l <plans.json)" "$count"
((wide)) || check 'no shape was compiled on the way' test -z "$(grep -h building ./*.err err)"
equal 'rows are in the order of their cycles' 0 "$(jq -c 'select([.rows[] | select(.basis != "at-least") | .cycles] | . != sort)' plans.json | wc -l)"
equal 'no cycles are below the lower bound' 0 "$(jq -c '.rows[] | select(.cycles < .bound and .basis != "at-least")' plans.json | wc -l)"
equal 'whole steps of a flow are a bound of steps' 9 "$(jq 'select(.workload | test("K=14")).bounds[].steps' plans.json)"
equal 'direct is a row of every plan' "$count" "$(jq -c 'select([.rows[].algorithm] | index("direct"))' plans.json | wc -l)"
equal 'algorithms that are wrong on purpose are not' 0 \
    "$(jq -r '.rows[].algorithm' plans.json | grep -cE 'wrapped|printed|nodes|side|prose|received|order=mixed')"

jq -c '.rows[0] | [.algorithm, .ports, .cycles]' plans.json >firsts
jq -c '.candidates[0] | [(.algorithm | sub(" .*"; "")), .ports, .cycles]' bests.json >chosen
check "best is the first row of each plan: $(diff firsts chosen | head -n 4)" cmp firsts chosen

# Every row, run alone.
jq -r 'input_line_number as $i | .rows[] | select(.basis != "at-least") | [$i, .algorithm, .ports, .cycles] | @tsv' plans.json >rows
awk -F '\t' 'NR == FNR { line[NR] = $0; next }
    {
        split(line[$1], c, "\t")
        print c[1], c[2] (c[3] == "-" ? "" : c[3]) ($2 == "direct" || c[4] == "-" ? "" : c[4]) " --algorithm " $2 " --router ports=" $3
    }' cases rows >singles
do_list run singles --no-failure-wave
jq -r '[.cycles, .verdict] | @tsv' singles.json >single_cycles
cut -f 4 rows | sed 's/$/\tpass/' >row_cycles
check "every cycle count is what the run of that row takes, $(wc -l <rows) runs: $(paste singles row_cycles single_cycles |
    awk -F '\t' '$2 != $4 || $3 != $5' | head -n 3)" cmp row_cycles single_cycles

# What is only bounded takes no less.
jq -c 'input_line_number as $i | .rows[] | {key: "\($i) \(.algorithm) \(.ports)", cycles, basis}' plans.json >exact
jq -c 'input_line_number as $i | .rows[] | {key: "\($i) \(.algorithm) \(.ports)", cycles, basis}' blind.json >bounded
equal 'without runs no cycles are measured' 0 "$(grep -c measured bounded)"
equal 'and what is listed as a lower bound is one' 0 "$(jq -cn --slurpfile exact exact --slurpfile bounded bounded '
    ($exact | map({(.key): .cycles}) | add) as $cycles | $bounded[] | select(.basis == "at-least" and .cycles > $cycles[.key])' | wc -l)"

# No algorithm of the list is left out, and none is faster.
"$ecube" list algorithms --format json | jq -r '.algorithms[].name' | grep -vxE 'best|compensate-wrapped' >names
awk -F '\t' 'NR == FNR { name[NR] = $1; n = NR; next }
    { for (i = 1; i <= n; i++) print $1, $2 ($3 == "-" ? "" : $3) (name[i] == "direct" || $4 == "-" ? "" : $4) \
        ($5 == "-" ? "" : " --router " $5) " --algorithm " name[i] > "all"; print FNR > "/dev/null" }' names cases
do_list run all --no-failure-wave
bare='sub(" --algorithm .*"; "") | sub(" --(sync|local-cost) [a-z0-9]+"; ""; "g") | sub("^ecube [a-z]+ (--[a-z-]+ )*"; "")'
jq -r 'select(.verdict == "pass") | [(.command | '"$bare"'), (.algorithm | sub("[: ].*"; "")), .cycles] | @tsv' all.json >others
jq -r '(.command | '"$bare"') as $c |
    [$c, .rows[0].cycles, ([.rows[].algorithm | sub(":.*"; "")] | join(" "))] | @tsv' plans.json >planned
equal 'no algorithm is missing, and none is faster than the first row' '' "$(awk -F '\t' '
    NR == FNR { least[$1] = $2; names[$1] = " " $3 " "; next }
    !($1 in least) { print "no plan: " $1 }
    index(names[$1], " " $2 " ") == 0 || $3 < least[$1] { print }' planned others | head -n 3)"
check 'most algorithms applied somewhere' test "$(cut -f 2 others | sort -u | wc -l)" -gt $((count >= 300 ? 30 : 10))

# --- One plan ---------------------------------------------------------------------------------------------------------

plan=(torus:4x4 shift:q=11,m=16)
exits 'a plan' 0 plan "${plan[@]}" --run 3 --format json
equal 'verifies the first rows' 'true true true null' "$(jq -r '[.rows[:4][].passed] | map(tostring) | join(" ")' out)"
equal 'has the digits of the shift' '3,2 -1 +2' "$(jq -r '[.digits, .signed_digits] | join(" ")' out)"
equal 'its points are sorted' true "$(jq '[.points[] | select(.parameter == "m").value] | . == sort and . == unique' out)"
# At the ends of each range, and nowhere between, best changes.
jq -r '.points[] | select(.parameter == "m") | "torus:4x4 shift:q=11,m=\(.value) --algorithm best"' out >at_points
jq -r '.points[] | select(.parameter == "m") | [.algorithm, .cycles] | @tsv' out >points
jq -r '.crossings[] | select(.parameter == "m") | "\(.from)-\(.to) \(.algorithm)"' out >crossings
equal 'the ranges are those of the document' '1-5 direct 6-1024 merged' "$(paste -s -d ' ' crossings)"
do_list run at_points --no-failure-wave
equal 'best at a point is that point' "$(cat points)" \
    "$(jq -r '.candidates[0] | [(.algorithm | sub(" .*"; "")), .cycles] | @tsv' at_points.json)"
exits 'without crossings' 0 plan "${plan[@]}" --no-crossings --format csv
equal 'CSV has a line for each row' 9 "$(wc -l <out)"
exits 'a plan of address bits' 0 plan cube:3 gsh:cycle=6-5-4-0+~3,K=16 --no-crossings --format json --budget 0
contains 'Lemma 2 is of dimensions that move' out 'Lemma 2 of Johnsson and Ho'
equal 'factors them' 'mixed 4 3 1 1 3 1' "$(jq -r '[.kind, .sigma, .sigma_r, .sigma_s, .beta, .orders, .complements] | join(" ")' out)"
equal 'names the bound' true "$(jq '[.bounds[].reason | test("Lemma 2|sends|links")] | all' out)"
exits 'direct traffic that deadlocks is left out' 0 plan torus:4x4 shift:q=7,m=16 --router vcs=1,dateline=off --no-crossings
equal 'of the rows' 0 "$(grep -c '^  direct' out)"
run plan torus:4x4 shift:q=5 --no-crossings --budget 5
contains 'what takes as long as the budget is measured' out 'use direct, ports=one: 5 cycles measured, optimal'
run plan torus:4x4 shift:q=5 --no-crossings --budget 3
contains 'and not known if it takes longer' out 'direct      one          4 or more'
run plan cube:4 gsh:cycle=2-1-0,K=4,sub=1 --format json
equal 'K grows in subcubes that hold all elements' '4-4096' "$(jq -r '.crossings[] | select(.parameter == "K") | "\(.from)-\(.to)"' out)"
refused 2 'expected a workload without rate=' plan cube:3 uniform:rate=0.1
refused 2 "unknown option '--algorithm'" plan cube:3 shift:q=1 --algorithm best

run plan cube:3 bitrev:m=2 --no-crossings --quiet
contains 'optimal with one port is not optimal' out 'use direct, ports=one: 5 cycles predicted, optimal with one port'

# Bits that are inverted only: every word crosses their dimensions, and Lemma 2 says nothing of them.
run plan cube:4 vector_reversal:m=8 --no-crossings
contains 'inverted bits are no identity' out '  permutation complement, sigma 0'
contains 'and no cycle' out 'no cycle, inverted: ~3+~2+~1+~0'
contains 'all words cross' out '64 words over the 8 links of dim0 one way, as its bit is inverted'
equal 'not half of them' 0 "$(grep -c 'Lemma 2' out)"

# One schedule under several names is one row.
run plan ring:16 shift:q=5,m=8 --no-crossings --run 1
equal 'a schedule is listed once' '2' "$(grep -cE '^  (ring|forward|plain|merged|per-column|direct) ' out)"
contains 'with its other names' out '    also forward, plain, merged, per-column'
contains 'so is direct traffic that one port suffices for' out '    also with ports=all'
run plan cube:6 shuffle:K=64 --budget 0 --no-crossings
contains 'words that go farther are counted with the nearest' out 'sends 64 words to nodes at least 5 links away'

# The parameters of the algorithm along a range, and the values that the workload does not name.
run plan cube:3 gsh:cycle=6-5-4,K=16,m=8
contains 'a range has the block sizes' out 'flow, ports=all: block='
equal 'K and m are followed if they are named' 'by K by m by startup' "$(grep -oE '^  by [a-zK]+' out | xargs)"
run plan cube:4 transpose:m=8
equal 'without K only m is' 'by m by startup' "$(grep -oE '^  by [a-zK]+' out | xargs)"

run plan cube:3 shift:q=3,m=3 --format json
equal 'a length that is no power of two is in its range' '2 3 4' \
    "$(jq -r '[.points[] | select(.parameter == "m") | .value] | unique[1:4] | map(tostring) | join(" ")' out)"

# After an interrupt in the search for crossings the ranking is printed. At 30 ticks of the processor the tiny ranking is
# done, but not the search, which takes five times as long.
env --default-signal=INT "$ecube" plan torus:16x16 shift:q=77,m=2 --startup 50 --format json >out 2>err &
child=$!
until (($(ticks $child) >= 30)); do sleep 0.02; done
kill -s INT $child
wait $child
equal 'an interrupted plan ends with status 130' $? 130
equal 'and has its ranking' 'true true pass' "$(jq -r '[.interrupted, (.rows | length > 2), .verdict] | map(tostring) | join(" ")' out)"

# --- The choice of best -----------------------------------------------------------------------------------------------

# Direct was left out once, one port was not respected, and packets were of one element only.
for row in '- pipelined:block=6 48 all' 'ports=all pipelined:block=6 48 all' 'ports=one direct 153 one'; do
    read -r router name time ports <<<"$row"
    [[ $router == - ]] && router=vcs=1
    run run cube:6 transpose:K=64 --algorithm best --router "$router" --format json
    equal "with $router" "$(jq -r '[.algorithm, .cycles, .candidates[0].ports] | join(" ")' out)" "best ($name) $time $ports"
    equal 'with the ports it names' "$(jq -r .router out | grep -o 'ports=[a-z]*')" "ports=$ports"
done
equal 'one port admits algorithms for one port only' "$(jq -r '[.candidates[].ports] | unique | join(" ")' out)" one

# An audit does not simulate: algorithms without a prediction are listed with a bound, but not chosen.
run audit cube:6 transpose:K=64 --algorithm best
contains 'an audit chooses by predictions' out 'by best (pipelined:block=6)'
contains 'and shows the next ones' out '  runners-up  align:block=6, ports=all: 48 cycles predicted'
contains 'and algorithms without a prediction' out '  unknown     direct, ports=all: at least 34 cycles (no prediction; '
run run cube:6 transpose:K=64 --algorithm best:block=1
contains 'a run names the choice' out '  best        direct, ports=all: 71 cycles measured'
contains 'and the cycles of the next one' out '  runners-up  pipelined, ports=all: 96 cycles predicted'
run run cube:6 transpose:K=64 --algorithm pipelined --format json
equal 'of a named algorithm there are no candidates' "$(jq .candidates out)" null

done_testing
