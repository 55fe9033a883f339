#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of keys in docs/output/ and in the manual page are those of harness/library/result/keys.def,
# harness/program/report/keys.def and harness/program/report/claims.def, and the program writes these keys in this order. The JSON is taken as the program writes
# it: one key a line, two blanks a level.
#
#   keys.sh PROGRAM PRINT_KEYS            compare
#   keys.sh PROGRAM PRINT_KEYS --update   write the tables into the documents
# shellcheck disable=SC2016 # backticks of Markdown
set -eu
print_keys=$(realpath "$2") update=${3:-}
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program
pages=$(ls docs/output/*.md)
bad=0

# The tables of a document.
tables() { # FORMAT DOCUMENT
    "$print_keys" "$1" >"$work/tables"
    awk -f "$here/key_tables.awk" "$work/tables" "$2" >"$work/document" || fail "$2: a table has no keys"
    if [ "$update" ]; then
        cat "$work/document" >"$2"
    elif ! diff "$2" "$work/document" >"$work/diff"; then
        echo "FAIL: keys of $2 (< as it is, > as keys.def has it; to update: keys.sh ... --update):" >&2
        cat "$work/diff" >&2
        bad=1
    fi
}
for page in $pages; do tables markdown "$page"; done
tables mdoc harness/program/ecube.1.in
[ -z "$update" ] || exit 0

# The first cells of the table under a heading of the pages, backticks taken off. Levels of headings do not count.
keys_of_page() { # HEADING
    # shellcheck disable=SC2086
    awk -v heading="$1" '
        BEGIN { sub(/^#+ /, "", heading) }
        /^#+ / { on = substr($0, index($0, " ") + 1) == heading }
        on && /^\| `[a-z0-9_]+` \|/ { split($0, part, "`"); print part[2] }' $pages
}

# The keys of a level of the program'\''s JSON: of the object itself, or of what is in KEY.
keys_of_json() { # FILE [KEY]
    awk -v inside="${2:-}" '
        match($0, /^ *"[a-z0-9_]+":/) {
            name = $0
            sub(/^ *"/, "", name)
            sub(/".*/, "", name)
            indent = match($0, /[^ ]/) - 1
            if (inside == "") {
                if (indent == 2) print name
            } else if (indent == 2) {
                on = name == inside
            } else if (on && !seen[name]++) {
                print name
            }
        }' "$1"
}

compare() { # WHAT PAGE-KEYS PROGRAM-KEYS
    [ -s "$3" ] || fail "$1: no keys found"
    if ! diff "$2" "$3" >"$work/diff"; then
        echo "FAIL: keys of $1 (< docs/output, > the program):" >&2
        cat "$work/diff" >&2
        bad=1
    fi
}

check() { # HEADING FILE [KEY]
    keys_of_page "$1" >"$work/page"
    keys_of_json "$2" "${3:-}" >"$work/is"
    compare "$1 ${3:-}" "$work/page" "$work/is"
}

run='ecube run cube:3 bitrev:m=4 --expect congestion-free'
$run --format json --packets >run.json || :
ecube audit cube:6 bitrev --format json >audit.json
ecube audit ring:8 neighbor --router vcs=1 --format json >deadlock.json || :

check '## `ecube run`' run.json
check '### `latency`' run.json latency
check '### `latency`' run.json network_latency
check '### `checks`' run.json checks
ecube run ring:8 uniform:rate=0.3,m=16 --router vcs=2,dateline=off --format json >failed.json || :
check '### `failure`' failed.json failure
check '### `links` and `locals`' run.json links
keys_of_page '### `links` and `locals`' | grep -vx to >"$work/page"
keys_of_json run.json locals >"$work/is"
compare locals "$work/page" "$work/is"
check '### `packet_log`' run.json packet_log
check '### `fairness`' run.json latency_fairness
check '### `fairness`' run.json share_fairness
check '### `sources`' run.json sources
ecube run cube:3 bitrev:m=4 --interval 5 --format json >intervals.json
check '### `intervals`' intervals.json intervals
ecube run cube:3 mix:rate=0.1,of=uniform+bitrev --cycles 100 --format json >classes.json || :
check '### `classes`' classes.json classes
ecube audit cube:2 transpose:K=4 --algorithm best --format json >best.json
check '### `candidates`' best.json candidates
ecube compare tiles flat cube:3 bitrev:m=4 --format json >compare.json
check "## \`ecube compare\`" compare.json
check "### \`waves\`" compare.json waves
ecube compare tiles flat cube:3 bitrev:m=4 --deliveries --format json >deliveries.json
check "### \`deliveries\`" deliveries.json deliveries
echo 'cube:3 hotspot:m=8' >rows.txt
ecube regress rows.txt --format json >regress.json || :
check '## `ecube regress`' regress.json
check '### `closed` and `open`' regress.json closed
check '### `rows`' regress.json rows
keys_of_page '### `rows`' >"$work/page"
ecube regress rows.txt --format csv | head -n 1 | tr , '\n' >"$work/is" || :
compare 'CSV of regress' "$work/page" "$work/is"
sweep='ecube sweep cube:3 uniform --rates 0.1 --precision 0.1'
$sweep --format json >sweep.json
check '## `ecube sweep`' sweep.json
{ keys_of_page '### `curves`' && keys_of_page '### `points`'; } | grep -vxE 'parameters|points|runs|classes' >"$work/page"
$sweep --format csv | head -n 1 | tr , '\n' | grep -v '^parameters_' >"$work/is"
compare 'CSV of sweep' "$work/page" "$work/is"
ecube sweep torus:4x4 uniform:m=1,reply=1 --router vcs=4 --rates 0.1 --precision 0.1 --format csv | head -n 1 |
    tr , '\n' | sed -n 's/^classes_2_//p' >"$work/is"
keys_of_page '### `classes` of a point' >"$work/page"
compare 'CSV of the classes of a point' "$work/page" "$work/is"
plan='ecube plan cube:2 transpose:K=4 --budget 0'
$plan --format json >plan.json
check '## `ecube plan`' plan.json
check '### `bounds`' plan.json bounds
check '### `crossings`' plan.json crossings
check '### Points of a plan' plan.json points
check '### Candidates of a plan' plan.json rows
{ keys_of_page '## `ecube plan`' | grep -vxE 'bounds|rows|parameters|crossings|points' && keys_of_page '### Candidates of a plan'; } >"$work/page"
$plan --format csv | head -n 1 | tr , '\n' | grep -v '^parameters_' >"$work/is"
compare 'CSV of plan' "$work/page" "$work/is"
ecube claims grama.fig4.22 --format json >claims.json
check '## `ecube claims`' claims.json
check '## `ecube audit`' audit.json
check '### `witness`' audit.json witness
check '### `waiting_cycle`' deadlock.json waiting_cycle

# Of an event log every kind of line; a key appears where its first line has it.
ecube run cube:6 bitrev:m=8 --quiet --events events.jsonl >/dev/null
keys_of_page '### Event log' >"$work/page"
grep -ohE '"[a-z]+":' events.jsonl | tr -d '":' | awk '!seen[$0]++' >"$work/is"
compare 'the event log' "$work/page" "$work/is"
grep -oE '"event":"[a-z]+"' events.jsonl | cut -d '"' -f 4 | sort -u >"$work/is"
awk '/^\| `event` \|/' docs/output/run.md | grep -oE '`[a-z]+`' | tr -d '`' | sed 1d | sort -u >"$work/page"
compare 'kinds of events' "$work/page" "$work/is"

# The columns of CSV follow from the keys.
keys_of_page '### `measurement`' >"$work/measurement"
keys_of_page '## `ecube run`' | awk -v measurement="$work/measurement" '
    $0 == "measurement" { while ((getline part_of <measurement) > 0) print $0 "_" part_of; next }
    /^(waiting|failure|links|locals|sources|packet_log|candidates)$/ { next }
    /fairness$/ { n = split("sources min max jain min_node max_node", part, " "); for (i = 1; i <= n; i++) print $0 "_" part[i]; next }
    /^(round_trip_|network_)?latency$/ { n = split("mean p50 p95 p99 max", part, " "); for (i = 1; i <= n; i++) print $0 "_" part[i]; next }
    1' >"$work/page"
$run --format csv 2>&1 | head -n 1 | tr , '\n' >"$work/is" || :
compare 'CSV' "$work/page" "$work/is"

# The names of checks.
awk -F'"' '/^      "name":/ { print $4 }' run.json | sed '/^dim/,$d' >"$work/is"
awk '/^\| `name` \| `rtl`/' docs/output/run.md | grep -oE '`[a-z]+`' | tr -d '`' | sed '1d' >"$work/page"
compare 'names of checks' "$work/page" "$work/is"
exit "$bad"
