#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The hook scripts/commit-msg accepts titles of the form "area: imperative verb ..." and refuses others by name.
#
#   commit_msg.sh HOOK
set -u
hook=$(realpath "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-hook.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tests=0

report() { # report OK TITLE
    tests=$((tests + 1))
    echo "$1 $tests - ${2:-a message without text}"
}

accepted() { # accepted MESSAGE
    printf '%b' "$1" >message
    if "$hook" message >out 2>&1; then report ok "accepted: ${1%%\\n*}"; else report 'not ok' "accepted: ${1%%\\n*}"; fi
}

refused() { # refused WORDS MESSAGE
    printf '%b' "$2" >message
    if ! "$hook" message >out 2>&1 && grep -qF -- "$1" out; then
        report ok "refused ($1): ${2%%\\n*}"
    else
        report 'not ok' "refused ($1): ${2%%\\n*}"
        sed 's/^/# /' out
    fi
}

accepted 'run: count words of torn packets'
accepted 'run: count words of torn packets\n\nThe body says why. It may end in a full stop.\n'
accepted 'docs, tests: rename the option'
accepted 'model/cost: add a bound'
accepted 'tests: pass the seed on'
accepted '# a comment\nrun: count words\n# another\n'
accepted 'run: count words\n# ------------------------ >8 ------------------------\ndiff --git a b\nsecond line\n'
accepted "run: $(printf 'a%.0s' {1..4}) $(printf 'x%.0s' {1..62})"
accepted 'Merge branch main'
accepted 'Revert "run: count words"'
accepted 'fixup! run: count words'
refused 'no area' 'count words of torn packets'
refused 'no area' 'Run: count words'
refused 'no area' 'run:count words'
refused 'no area' ''
refused '73 characters' "run: $(printf 'a%.0s' {1..4}) $(printf 'x%.0s' {1..63})"
refused 'full stop' 'run: count words.'
refused 'blank' 'run: count words '
refused "'Count' is not a verb" 'run: Count words'
refused "'count' is not a verb" 'run: count'
refused "'counts' is not an imperative" 'run: counts words'
refused "'counted' is not an imperative" 'run: counted words'
refused "'counting' is not an imperative" 'run: counting words'
refused "'the' is not an imperative" 'run: the words are counted'
refused "'what' is not an imperative" 'run: what is counted'
refused 'second line' 'run: count words\nand packets'

# As git calls it.
git init -q repository && cd repository || exit 1
ln -s "$hook" "$(git rev-parse --git-path hooks)/commit-msg"
commit() { git -c user.name=test -c user.email=test@localhost commit -q --allow-empty -m "$1" >../out 2>&1; }
if commit 'run: count words'; then report ok 'git commits a good title'; else report 'not ok' 'git commits a good title'; fi
if commit 'words'; then report 'not ok' 'git refuses a bad title'; else report ok 'git refuses a bad title'; fi
echo "1..$tests"
