#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `git bisect run ecube regress --bisect` finds the commit that broke a router, and skips one that cannot be compiled.
. "$(dirname "$0")/../compare/lib.sh"
export HOME=$work GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a

damage sound ec_arbiter.sv
damage torn ec_fifo.sv 'assign empty_o = wr_q == rd_q;' 'assign empty_o = wr_q == ;'
damage broken ec_arbiter.sv 'eligible = preferred | (req_i & {N{preferred == '"'0"'}});' 'eligible = req_i;'

# commit FOLDER SUBJECT: the router becomes that of the folder.
commit()
{
    cp "$1"/* repository/rtl/
    echo "$2" >>repository/log
    git -C repository add -A && git -C repository commit -qm "$2"
}
git init -q repository
mkdir repository/rtl
commit sound one
echo 'cube:3 hotspot:m=8' >good.txt
rtl=(--rtl "$(cd repository && printf '%s\n' rtl/*.sv | paste -sd ,)" --top ec_router)
(cd repository && run regress ../good.txt --update --quiet "${rtl[@]}"; exit "$status")
equal 'the sound router has a baseline' "$? $(grep -c ' = pass ' good.txt)" '0 1'
commit sound two
commit sound three
commit torn 'does not compile'
commit sound five
commit broken 'the first requester always wins'
commit broken seven

cd repository || exit 1
git bisect start HEAD HEAD~6 >../log 2>&1
git bisect run "$ecube" regress ../good.txt --quiet --bisect "${rtl[@]}" >>../log 2>&1
status=$?
equal 'git bisect names the commit' "$status $(git show -s --format=%s refs/bisect/bad -- || tail -n 3 ../log)" '0 the first requester always wins'
check 'and has skipped the one that cannot be compiled' grep -q 'git bisect skip' <(git bisect log)
git bisect reset >/dev/null 2>&1

# judged SENTENCE STATUS COMMIT BASELINE [OPTION...]
judged()
{
    local sentence=$1 expected=$2
    git checkout -q "$3"
    shift 3
    "$ecube" regress "$@" --quiet --bisect "${rtl[@]}" >../out 2>../err
    equal "$sentence" "$?" "$expected"
}
last=$(git rev-parse HEAD)
sed 's/ = .*//' ../good.txt >../empty.txt
judged 'a router as before is good' 0 "$last~6" ../good.txt
judged 'a changed one is bad' 1 "$last" ../good.txt
judged 'one that does not compile is skipped' 125 "$last~3" ../good.txt
ECUBE_CACHE=$work/cold CXX=false judged 'and so is a missing compiler' 125 "$last" ../good.txt
judged 'and a row without a result' 125 "$last" ../empty.txt
sound=("${rtl[@]}")
rtl=(--rtl nowhere.sv --top ec_router)
judged 'and a commit without a file of the router' 125 "$last" ../good.txt
rtl=("${sound[@]}")
judged 'a missing baseline ends the bisection' 128 "$last" nowhere.txt
sed 's/ = pass/ = passed/' ../good.txt >../torn.txt
judged 'and so does a torn row' 128 "$last" ../torn.txt
echo 'cube:3 hotspot:m=8 --no-such-option' >../unknown.txt
judged 'and one of unknown words' 128 "$last" ../unknown.txt
judged 'wrong usage ends the bisection' 128 "$last" ../good.txt --against tiles
cd ..
exits 'nothing is both stored and judged' 128 regress good.txt --update --bisect

done_testing
