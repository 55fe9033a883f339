#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With the backend systemc each line of a list has its own process; output and exit status are the same.
#
#   list.sh PROGRAM
set -eu
export LC_ALL=C
ecube=$(realpath "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-list.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
run() { # run STATUS ARGUMENT...
    local expected=$1 status=0
    shift
    "$ecube" run --backend systemc "$@" >out 2>err || status=$?
    [ "$status" -eq "$expected" ] || { cat out err >&2; fail "status $status of run $*"; }
}

cat >list <<'END'
cube:3 shift:q=5,m=9
torus:3x3 uniform:rate=0.3,m=3 --cycles 200
cube:3 uniform:rate=0.99,m=1 --cycles 300 # too much
END
run 3 --from list --format json
jq -r .digest out >together
grep -v '#' list | while read -r line; do
    # shellcheck disable=SC2086 # words
    "$ecube" run $line --backend systemc --format json | jq -r .digest
done >alone
[ "$(head -n 2 together)" = "$(cat alone)" ] || fail "a list says something else than its lines"
run 3 --from list --format csv
[ "$(wc -l <out)" -eq 4 ] || fail "no header and three lines: $(cat out)"
run 3 --from list
grep -qx '3 jobs: 2 passed, 1 unstable or too short' out || fail "the summary is $(tail -n 1 out)"
run 3 --from list --output file
[ ! -s out ] || fail "output beside the file"
grep -qx '3 jobs: 2 passed, 1 unstable or too short' file || fail "no output in the file"

# A file that cannot be written is reported once.
if [ -w /dev/full ]; then
    status=0
    "$ecube" run --backend systemc --from list >/dev/full 2>err || status=$?
    [ "$status $(wc -l <err)" = '2 1' ] || fail "status $status: $(cat err)"
fi

# A signal that only the first process gets ends the run in the second as well.
printf 'cube:3 shift:q=1\ncube:3 uniform:rate=0.2,m=8 --cycles 100000000000\ncube:3 shift:q=2\n' >long
"$ecube" run --backend systemc --from long --jobs 1 >out 2>err &
parent=$!
ticks() { # processor time of the parent's child
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$parent" '$4 == parent { t = $14 } END { print t + 0 }'
}
until_second() { # the first line has its result, and the second one is under way
    until grep -q '^PASS' out && [ "$(ticks)" -ge 20 ]; do
        [ -e "/proc/$parent" ] || fail "it has ended: $(cat out err)"
        sleep 0.05
    done
}
until_second
kill -TERM "$parent"
status=0
wait "$parent" || status=$?
[ "$status" -eq 130 ] || fail "interrupted with status $status"
grep -qx 'partial: 2 of 3 jobs: 1 passed, 1 interrupted' out || fail "interrupted: $(cat out)"
[ "$(ticks)" -eq 0 ] || fail "a process is left"

# One that is killed is named.
"$ecube" run --backend systemc --from long --jobs 1 >out 2>err &
parent=$!
until_second
kill -KILL "$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$parent" '$4 == parent { print $1 }')"
status=0
wait "$parent" || status=$?
[ "$status" -ne 0 ] || fail "a killed run ends with status 0"
grep -q '^ecube: long:2: .*signal 9' err || fail "killed: $(cat err)"
grep -qx 'partial: 2 of 3 jobs: 2 passed' out || fail "and the list does not go on: $(cat out)"
echo PASS
