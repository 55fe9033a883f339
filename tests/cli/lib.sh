# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For the tests of the program: run it, look at exit status, stdout and stderr, print TAP.
# Sourced by every tests/cli/*.sh with the program as $1.
set -u
export LC_ALL=C
unset COLUMNS
: "${1:?usage: $0 PROGRAM}"
ecube=$(realpath "$1")
# shellcheck disable=SC2034 # the tests use it
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-cli.XXXXXX")
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
tests=0

# run ARGUMENTS...: the program, with its results in $status, out and err.
run()
{
    "$ecube" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

pass()
{
    tests=$((tests + 1))
    echo "ok $tests - ${1//[$'\n'#]/?}"
}

# fail SENTENCE SEEN...: also shows the output of the program.
fail()
{
    tests=$((tests + 1))
    echo "not ok $tests - ${1//[$'\n'#]/?}"
    shift
    printf '%s\n' "$@" | head -n 10 | cut -c 1-300 | sed 's/^/#   /'
    head -n 5 "$work/out" | cut -c 1-300 | sed 's/^/#   stdout: /'
    head -n 5 "$work/err" | cut -c 1-300 | sed 's/^/#   stderr: /'
}

# check SENTENCE COMMAND...: the command succeeds.
check()
{
    local sentence=$1
    shift
    if "$@"; then pass "$sentence"; else fail "$sentence" "false: $*"; fi
}

# equal SENTENCE A B
equal()
{
    if [[ $2 == "$3" ]]; then pass "$1"; else fail "$1" "got '$2', expected '$3'"; fi
}

# contains SENTENCE FILE WORD
contains()
{
    if grep -qF -- "$3" "$2"; then pass "$1"; else fail "$1" "no '$3' in $(basename "$2")"; fi
}

# exits SENTENCE STATUS ARGUMENTS...
exits()
{
    local sentence=$1 expected=$2
    shift 2
    run "$@"
    if ((status == expected)); then
        pass "$sentence"
    else
        fail "$sentence" "exit status $status, expected $expected: ecube $*"
    fi
}

# refused STATUS WORD ARGUMENTS...: that exit status, nothing on stdout, exactly one line on
# stderr, which begins with "ecube: " and contains WORD. Progress does not count: on a busy machine there is some.
refused()
{
    local expected=$1 word=$2 lines
    shift 2
    run "$@"
    lines=$(grep -cvE ' \([0-9]+ s\)$' err)
    if ((status != expected)); then
        fail "ecube $* is refused" "exit status $status, expected $expected"
    elif ((lines != 1)); then
        fail "ecube $* is refused in one line" "$lines lines"
    elif [[ $(<err) != "ecube: "* ]]; then
        fail "ecube $* is refused by ecube" "the line does not begin with 'ecube: '"
    elif ! grep -qF -- "$word" err; then
        fail "ecube $* is refused with a reason" "the line lacks '$word'"
    elif [[ -s out ]]; then
        fail "ecube $* is refused without output" "there is something on stdout"
    else
        pass "ecube $* is refused: $word"
    fi
}

# ticks CHILD: the processor time of the program and of its worker, which tells that they are past the beginning; 99
# if it has ended.
ticks()
{
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v pid="$1" '$1 == pid { found = 1 } $1 == pid || $4 == pid { t += $14 } END { print found ? t : 99 }'
}

# The end of every test.
done_testing()
{
    echo "1..$tests"
}

# rest_is_long ARGUMENT: what follows is for the suite `long`; without this argument the test ends here.
rest_is_long()
{
    [[ $1 == long ]] || { done_testing && exit; }
}
