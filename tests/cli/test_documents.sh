#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Help, manual page and completion name the same commands and options: those of the program.
. "$(dirname "$0")/lib.sh"

man=$(dirname "$ecube")/ecube.1
completion=$source_root/harness/program/ecube.bash-completion

# options: long options in the help text on stdin.
options()
{
    grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
}

exits '--help is a success' 0 --help
equal 'and goes to stdout' "$(wc -l <err)" 0
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' out | grep -v '^help$')
check 'there are commands' test "$(echo "$commands" | wc -l)" -ge 5
for command in $commands; do
    exits "help $command is a success" 0 help "$command"
    cp out help.txt
    contains "help $command has examples" help.txt 'Examples:'
    equal "help $command begins no option in the column of texts" "$(grep -c '^ \{27,\}--[a-z-]*=' help.txt)" 0
    equal "help $command fits 80 columns" "$(awk 'length > 80' help.txt | wc -l)" 0
    exits "$command --help is a success" 0 "$command" --help
    check "and the same as help $command" cmp -s out help.txt
    contains "the manual page has $command" "$man" ".Cm $command"
done

# manual_options: long options that the manual page has items for.
manual_options()
{
    grep -oE '^\.It .*Fl Fl [a-z-]+' "$man" | sed 's/.*Fl Fl /--/' | sort -u
}
# shellcheck disable=SC2086 # some commands are two words
for command in $commands; do "$ecube" help $command | options; done | sort -u >all
echo --version >>all
sort -u -o all all
equal 'the manual page has the options of the program, no others' "$(manual_options | tr '\n' ' ')" \
    "$(tr '\n' ' ' <all)"

# Completion.
# shellcheck source=/dev/null
. "$completion"
# completed WORDS...: what the completion offers for the last word, one a line. Breaks the words as bash does:
# it replaces only what follows the last '=' or ':'.
completed()
{
    local word
    COMP_LINE="$ecube $*" COMP_POINT=$((${#ecube} + 1 + $(printf '%s' "$*" | wc -c)))
    COMP_WORDS=("$ecube")
    for word; do
        mapfile -t -O "${#COMP_WORDS[@]}" COMP_WORDS < <(grep -oE '[=:]+|[^=:]+' <<<"$word" || echo)
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _ecube 2>/dev/null
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
equal 'the completion has all commands, without former names' "$(completed '' | grep -v -e -- | tr '\n' ' ')" \
    "$({ echo "$commands"; echo help; } | grep -vxE 'prove|mutate' | sort | tr '\n' ' ')"
for command in $commands; do
    equal "the completion has the options of $command, no others" \
        "$(completed "$command" -- | tr '\n' ' ')" \
        "$("$ecube" help "$command" | options | tr '\n' ' ')"
done
for list in algorithms workloads; do
    words=(run cube:3 '')
    [[ $list == workloads ]] || words=(run cube:3 shuffle --algorithm '')
    equal "the completion has all $list, whole" "$(completed "${words[@]}" | tr '\n' ' ')" \
        "$("$ecube" list $list --format json | jq -r ".${list}[].name" | sort | tr '\n' ' ')"
done
equal 'a value behind = is completed' "$(completed run cube:3 shuffle --sync=d)" data
equal 'a side of regress is completed' "$(completed regress --against sy)" systemc
equal 'the second side of a comparison is completed' "$(completed compare tiles fl)" flat
equal 'a topology is completed behind options' "$(completed run --seed 3 --quiet cu)" cube:
equal 'a key of a workload is completed' "$(completed run cube:3 shift:q=5,la)" 5,labels=
equal 'and its value' "$(completed run cube:3 shift:q=5,labels= | tr '\n' ' ')" 'gray plain '
equal 'behind a comma the other keys are offered' "$(completed run cube:3 hotspot:rate=0.1, | tr '\n' ' ')" \
    '0.1,m= 0.1,node= 0.1,share= '
equal 'a further router option is completed' "$(completed run --router vcs=2,de)" 2,depth=
equal 'behind a comma those that are not used' "$(completed run --router order=low,vcs=2, | tr '\n' ' ')" \
    '2,classes= 2,dateline= 2,depth= 2,link= 2,ordered= 2,ports= 2,routing= 2,speedup= 2,stages= 2,switching= 2,table= 2,ties= 2,va= '
equal 'also behind --router=' "$(completed run --router=vcs=2,sw)" 2,switching=
equal 'and the values of a key' "$(completed run --router=vcs=2,switching=c)" cut-through
equal 'sizes of a topology are offered' "$(completed run torus: | head -n 1)" 4x4
equal 'the router of a side' "$(completed compare tiles:rtl=a.sv,t)" a.sv,top=
equal 'the parameter of an algorithm is completed' "$(completed run cube:3 shift:q=3 --algorithm gohil-cube:r)" reading=
equal 'a subcommand is completed' "$(completed tile ch)" check
equal 'options of a subcommand are completed' "$(completed tile list --f)" --format
equal 'a claim is completed' "$(completed claims grama.ring.l)" grama.ring.line
: >list-of-runs.txt
equal 'a file is completed' "$(completed run --from list-of)" list-of-runs.txt
equal 'also behind =' "$(completed run --from=list-of)" list-of-runs.txt
equal 'the file of a workload is completed' "$(completed run cube:3 trace:file=list-of)" list-of-runs.txt
COMP_WORDBREAKS=' ' # of a user who removed them: whole words are replaced
COMP_WORDS=("$ecube" run --router vcs=2,de) COMP_CWORD=3 COMP_LINE="$ecube run --router vcs=2,de" COMP_POINT=${#COMP_LINE}
_ecube 2>/dev/null
equal 'without breaks the whole word is replaced' "${COMPREPLY[*]}" vcs=2,depth=

exits '--version is a success' 0 --version
check 'and names the version' grep -qE '^ecube [0-9]+\.[0-9]+\.[0-9]+$' out
exits 'list without a word shows all lists' 0 list
for section in topologies workloads routers algorithms claims backends; do
    exits "list $section is a success" 0 list $section
done
"$ecube" claims --list >claims
exits 'list claims shows every claim' 0 list claims
check 'as claims --list does' cmp out claims
for status in 0 1 2 3 4 5 130; do
    check "the manual page has exit status $status" grep -qx ".It $status" "$man"
done
if command -v mandoc >/dev/null; then
    equal 'the manual page is clean' "$(mandoc -T lint -W warning "$man" 2>&1)" ''
fi

done_testing
