#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/VERIFICATION.md are made of the figures that the suites have stored: proofs, coverage, scores
# of mutants, lists of planted defects, targets of the fuzzer.
#
#   verification.sh            compare
#   verification.sh --update   write the tables into the page
# shellcheck disable=SC2016 # backticks of Markdown
set -eu
update=${1:-}
shift $#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
page=docs/VERIFICATION.md

# Proofs: `SHAPE: what was proved`.
proofs() {
    echo '| shape | proved |'
    echo '|---|---|'
    sed -n 's/^\([-0-9]*\): \(.*\)$/| \1 | \2 |/p' tests/formal/results.txt
}

# Networks that the suite `long` proves, one a line.
networks() {
    echo '| `ecube prove ... --require-proof` |'
    echo '|---|'
    sed -n 's/^\([^#].*\)$/| `\1` |/p' tests/formal/networks.txt
}

# Coverage: `A of B lines, C of D branches, E of F user points: FILE`.
coverage() {
    echo '| file | lines | branches | points |'
    echo '|---|---|---|---|'
    sed -n 's,^\([0-9]*\) of \([0-9]*\) lines\, \([0-9]*\) of \([0-9]*\) branches\, \([0-9]*\) of \([0-9]*\) user points: \(.*\)$,| `\7` | \1 of \2 | \3 of \4 | \5 of \6 |,p' \
        tests/coverage/rtl-figures.txt | sed 's/`all`/all/; s/ 0 of 0 / - /g'
}

# Coverage of the library: `A of B lines, C explained, D open: FOLDER`, which tests/coverage/c.sh --update stores.
library() {
    if [ ! -e tests/coverage/c-figures.txt ]; then
        echo 'Not measured yet.'
        return
    fi
    echo '| folder | lines | share | explained | open |'
    echo '|---|---|---|---|---|'
    awk '{
        folder = $NF == "all" ? "all" : "`" $NF "`"
        printf "| %s | %d of %d | %.1f %% | %s | %s |\n", folder, $1, $3, 100 * $1 / $3, ($5 > 0 ? $5 : "-"), ($7 > 0 ? $7 : "-")
    }' tests/coverage/c-figures.txt
}

# Mutants: `ARGUMENTS = killed A of B, equivalent C, holes D, undecided E, JUDGE F, ...`.
mutants() {
    echo '| `ecube mutate ...` | killed | proved equivalent | killed of the rest | holes | undecided | first killed by |'
    echo '|---|---|---|---|---|---|---|'
    grep ' = killed ' tests/mutants/rtl-scores.txt | awk -F ' = ' '
        function row(name, killed, all, equivalent, holes, undecided, by) {
            printf "| %s | %d of %d | %s | %s | %s | %s | %s |\n", name, killed, all,
                equivalent == "null" ? "-" : equivalent,
                equivalent == "null" ? "-" : sprintf("%.1f %%", 100 * killed / (all - equivalent)),
                holes == "null" ? "-" : holes, undecided == "null" ? "-" : undecided, by
        }
        {
            n = split($2, part, ", ")
            split(part[1], k, " ")
            for (i = 2; i <= n; i++) { split(part[i], w, " "); is[w[1]] = w[2] }
            if (is["equivalent"] != "null") {
                killed += k[2]; all += k[4]
                for (name in is) sum[name] += is[name]
            }
            row("`" $1 "`", k[2], k[4], is["equivalent"], is["holes"], is["undecided"],
                "tile " is["tile"] ", rows " is["rows"] ", lockstep " is["lockstep"])
        }
        END {
            if (all > 0) row("all with classes", killed, all, sum["equivalent"], sum["holes"], sum["undecided"],
                "tile " sum["tile"] ", rows " sum["rows"] ", lockstep " sum["lockstep"])
        }'
}

# Mutants of the C code: `LIST ARGUMENTS = killed A of B, equivalent C, survive D`.
cmutants() {
    echo '| `tests/mutants/run.py ...` | killed | equivalent | survive |'
    echo '|---|---|---|---|'
    sed -n 's/^\([^#].*\) = killed \([0-9]* of [0-9]*\), equivalent \([0-9]*\), survive \([0-9]*\)$/| `--list \1` | \2 | \3 | \4 |/p' \
        tests/mutants/c-scores.txt
}

# Planted defects: what is damaged, and where the list is.
defects() {
    echo '| defects planted in | number | list |'
    echo '|---|---|---|'
    while read -r list what; do
        echo "| $what | $(grep -c '^fault ' "tests/faults/$list.txt") | \`tests/faults/$list.txt\` |"
    done <<END
rtl the router: runs, comparisons or regressions find them
wiring wires, harness and prediction around a sound router
parts runs in parts
schedule schedules and their audits
systemc the SystemC model
study experiments of the study: cubes, tori, measurements
study_gsh experiments of the study: generalized shuffles
END
}

fuzz() {
    echo "$(find tests/fuzz/targets -name '*.c' | wc -l) targets, $(find tests/fuzz/corpus/ -type f | wc -l) stored inputs."
}

awk -v work="$work" '
    /^<!-- end -->$/ { off = 0 }
    !off { print }
    /^<!-- [a-z]+ -->$/ && $2 != "end" { off = 1; print $2 >(work "/names") }' $page >"$work/frame"
while read -r name; do
    "$name" >"$work/$name.table"
    [ "$(wc -l <"$work/$name.table")" -ge 1 ] || fail "no figures for '$name'"
done <"$work/names"
awk -v work="$work" '
    { print }
    /^<!-- [a-z]+ -->$/ && $2 != "end" {
        while ((getline line <(work "/" $2 ".table")) > 0) print line
    }' "$work/frame" >"$work/page"
if [ "$update" = --update ]; then
    cp "$work/page" "$root/$page"
else
    diff $page "$work/page" >&2 || fail "$page: other figures than the suites have stored; run tests/docs/verification.sh --update"
fi
