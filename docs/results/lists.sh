#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Print the runs of one table of docs/RESULTS.md, one a line, as `ecube run --from` reads them.
#
#   lists.sh NAME
set -eu

# late T...: copy each line of standard input with these start-ups in turn; 0 is not printed.
late() {
    lines=$(cat)
    for t; do
        if [ "$t" -eq 0 ]; then echo "$lines"; else echo "$lines" | sed "s/\$/ --startup $t/"; fi
    done
}
up() { echo $((($1 + $2 - 1) / $2)); } # $1 / $2, rounded up

# The shuffle of K words per node on a 5-cube: bits 5 to 1 of the address for K = 2, two bits higher for each factor of 4.
cycles_of_shuffle() { # K: sets `cycle`
    high=5 left=$1
    while [ "$left" -gt 2 ]; do high=$((high + 2)) left=$((left / 4)); done
    cycle=$(seq -s - "$high" -1 $((high - 4)))
}
one_port() { # K...
    for K; do
        cycles_of_shuffle "$K"
        echo "cube:5 shuffle:m=$K"
        echo "cube:5 shuffle:m=$K --router order=high"
        echo "cube:5 shuffle:m=$K --algorithm ecube-steps"
        echo "cube:5 shuffle:m=$K --algorithm ecube-steps:order=high"
        echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm a1-one-port:block=$((K / 2))"
        echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm a2-one-port:block=$K"
        [ "$K" -lt 32 ] || [ "$K" -gt 2048 ] ||
            echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm aapc-twice-one-port:block=$((K / 32))"
    done
}
all_ports() { # K...
    for K; do
        cycles_of_shuffle "$K"
        echo "cube:5 shuffle:m=$K --router ports=all"
        echo "cube:5 shuffle:m=$K --router ports=all,order=high"
        echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm a1-concurrent:block=$(up "$K" 10) --router ports=all"
        echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm a2:block=$(up "$K" 5) --router ports=all"
        [ "$K" -lt 32 ] || [ "$K" -gt 2048 ] ||
            echo "cube:5 gsh:cycle=$cycle,K=$K --algorithm aapc-twice:block=$((K / 32)) --router ports=all"
    done
}

case ${1:-} in
shifts-worst) # each algorithm at the q that takes it longest: 11 and 6 steps, 6 links
    for m in 1 16 256 4096; do
        echo "cube:6 shift:q=63,m=$m,labels=gray --algorithm gray-forward"
        echo "cube:6 shift:q=42,m=$m,labels=gray --algorithm gray-signed"
        echo "cube:6 shift:q=63,m=$m"
    done | late 0 500
    ;;
shifts) # the same shift by all three: q = 43 (7 and 5 steps, 6 links), and q = 1 (1 step, 6 links)
    for m in 1 16 256 4096; do
        echo "cube:6 shift:q=43,m=$m,labels=gray --algorithm gray-forward"
        for q in 43 1; do
            echo "cube:6 shift:q=$q,m=$m,labels=gray --algorithm gray-signed"
            echo "cube:6 shift:q=$q,m=$m"
        done
    done | late 0 500
    ;;
shifts-short) # few steps against long paths: q = 1, 2, 3 take 1, 2, 3 steps and cross 10, 9, 10 links
    for m in 1 2 3 4 5 6 7 8 12 16; do
        for q in 1 2 3; do
            echo "cube:10 shift:q=$q,m=$m,labels=gray --algorithm gray-signed"
            echo "cube:10 shift:q=$q,m=$m"
        done
    done
    ;;
shuffle-one-port) one_port 2 8 32 128 512 2048 | late 0 500 ;; # packets as long as the algorithm can use
shuffle-all-ports)
    all_ports 2 8 32 128 512 2048 | late 0 500
    all_ports 8192 | late 500
    ;;
sizes-shuffle) # larger cubes, 1024 words per node: the router and A1
    for n in 3 4 5 6 7 8; do
        echo "cube:$n shuffle:m=1024 --router ports=all"
        echo "cube:$n shuffle:m=1024 --router ports=all,order=high"
        echo "cube:$n gsh:cycle=$(seq -s - $((n + 9)) -1 10),K=1024 --algorithm a1-concurrent:block=$(up 1024 $((2 * n))) --router ports=all"
    done
    ;;
sizes-bitrev) # the router and A2 squared
    for n in 3 4 5 6 7 8; do
        pairs=$(for i in $(seq 0 $((n / 2 - 1))); do echo $((n + 9 - i))-$((10 + i)); done | paste -sd +)
        echo "cube:$n bitrev:m=1024 --router ports=all"
        echo "cube:$n gsh:cycle=$pairs,K=1024 --algorithm a2x2:block=32 --router ports=all"
    done
    ;;
startups) # Tables 1 to 3 of Johnsson and Ho, K = 64: cycles, algorithm and block
    while read -r n cycle algorithms; do
        for a in $algorithms; do
            ports=' --router ports=all'
            case $a in *one-port*) ports= ;; esac
            echo "cube:$n gsh:cycle=$cycle,K=64 --algorithm ${a%/*}:block=${a#*/}$ports" | late 0 100
        done
    done <<END
4 9-8-7-6-0 one-port/1 one-port/8 one-port/32 pipelined/1 pipelined/8 pipelined/32 concurrent/7 concurrent/4 parity/4
4 9-8-1+7-6-0 one-port/8 aapc/8 pipelined/4 pipelined/16 concurrent/7 concurrent/4
4 9-8-7-1+6-0 concurrent/7 concurrent/4
4 9-8-7-6 a1-one-port/1 a1-one-port/32 a2-one-port/1 a2-one-port/64 a1-concurrent/1 a1-concurrent/8 a2/1 a2/16
3 8-7-6 a2/22
4 7-6 a2x2/4 a2x2/32
END
    ;;
packets) # cycles against the packet length B: the shuffle algorithms on a 5-cube, K = 128
    for B in 1 2 4 8 16 32 64 128; do
        [ $B -gt 64 ] || echo "cube:5 gsh:cycle=11-10-9-8-7-0,K=128 --algorithm pipelined:block=$B --router ports=all"
        [ $B -gt 64 ] || echo "cube:5 gsh:cycle=8-7,K=128 --algorithm a2x2:block=$B --router ports=all"
        [ $B -gt 16 ] || echo "cube:5 gsh:cycle=10-9-8-7,K=128 --algorithm a1-concurrent:block=$B --router ports=all"
        [ $B -gt 32 ] || echo "cube:5 gsh:cycle=10-9-8-7,K=128 --algorithm a2:block=$B --router ports=all"
        [ $B -gt 64 ] || echo "cube:5 gsh:cycle=10-9-8-7,K=128 --algorithm a1-one-port:block=$B"
        echo "cube:5 gsh:cycle=10-9-8-7,K=128 --algorithm a2-one-port:block=$B"
    done | late 2 14
    ;;
break-even) # of A1 and A2 in a 4-cube: start-up 46 with all ports, 190 with one
    for t in 45 46 47 189 190 191; do
        for a in 'a1-concurrent:block=16 --router ports=all' 'a2:block=32 --router ports=all' \
            a1-one-port:block=64 a2-one-port:block=128; do
            echo "cube:4 gsh:cycle=10-9-8-7,K=128 --algorithm $a --startup $t"
        done
    done
    ;;
*)
    echo "lists.sh: no list '${1:-}'" >&2
    exit 2
    ;;
esac
