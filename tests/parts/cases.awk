# SPDX-License-Identifier: Apache-2.0
# Random lines for `ecube run --from`, all kinds of networks, routers and traffic, behind the number of nodes and a tab:
#
#   awk -f cases.awk -v count=50 -v seed=1 -v watched=0 -v wide=0 </dev/null
#
# watched=1: with logs of events and packets. wide=1: larger networks, longer runs, and shapes that the tests do not
# compile beforehand. The traces that lines name are written into the current folder. The same seed gives the same
# lines in every awk: numbers are drawn here, below 2^53. Some lines are refused, because not all combinations exist.

function draw(bound) { # 0 to below bound
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * bound)
}
function one_of(list,   item) { return item[1 + draw(split(list, item, " "))] }
function chance(percent) { return draw(100) < percent }

# A network and a router, of few compiled shapes: NETWORKS:VCS:LEAST..MOST DEPTH:PORTS:ALLOCATION:STAGES
function draw_network(   f, range) {
    class = wide && chance(25) ? one_of(rare) : one_of(usual)
    split(class, f, ":")
    kind = f[1]; vcs = f[2]; split(f[3], range, "-"); depth = range[1] + draw(range[2] - range[1] + 1); ports = f[4]; va = f[5]; stages = f[6]
    topology = one_of(networks[kind])
    nodes = nodes_of(topology)
    family = substr(topology, 1, index(topology, ":") - 1)
}
function nodes_of(t,   radix, n, i, product) {
    product = 1
    n = split(substr(t, index(t, ":") + 1), radix, "x")
    for (i = 1; i <= n; i++) product *= radix[i]
    return t ~ /^cube/ ? 2 ^ product : product
}

function draw_router(   text) {
    switching = chance(60) ? "wormhole" : one_of("cut-through store-and-forward")
    link = chance(50) ? 1 : 2 + draw(wide ? 12 : 5)
    text = "vcs=" vcs ",depth=" depth ",switching=" switching ",order=" one_of("low high") ",ports=" ports
    if (va == "dynamic") text = text ",va=dynamic"
    if (stages > 1) text = text ",stages=" stages
    if (link > 1) text = text ",link=" link
    lanes = vcs
    if ((family == "ring" || family == "torus") && vcs > 1) {
        if (chance(10)) text = text ",dateline=off"
        else lanes = vcs / 2
    }
    return text
}

# A pattern that the network has, without the keys of its rate.
function draw_pattern(   list) {
    list = "shift:q=" 1 + draw(nodes - 1) " hotspot randperm neighbor tornado"
    if (family == "cube") list = list " bitcomp bitrev shuffle unshuffle"
    if (topology ~ /^(mesh|torus):(3x3|4x4|8x8)$|^cube:[246]$/) list = list " transpose"
    return one_of(list)
}
function key(text) { return index(text, ":") ? "," : ":" }

function draw_open(   name, text, first, think) {
    think = 0
    rate = (1 + draw(chance(85) ? (depth < 3 || link > 2 ? 8 : 20) : 60)) / 100
    first = 1 + draw(6)
    if (chance(15)) name = "mix:of=uniform@" 1 + draw(3) "+hotspot:node=" draw(nodes) "@1"
    else if (chance(60)) name = "uniform"
    else name = draw_pattern()
    if (rate >= first) rate = 0.5
    if (chance(20)) text = text ",burst=" 10 + draw(60) ",on=0." 3 + draw(6)
    if (chance(25)) {
        if (!wide && rate > 0.1) rate = 0.05
        text = text ",reply=" 1 + draw(6)
        if (chance(50)) text = text ",think=" (think = draw(40))
        if (switching == "wormhole" && chance(40)) text = text ",queue=" 1 + draw(4)
        if (chance(40)) text = text ",outstanding=" 1 + draw(4)
        if (lanes == 1 || chance(20)) text = text ",classes=1"
    }
    text = name key(name) "rate=" rate ",m=" first (chance(40) ? ".." first + draw(6) : "") text
    if (chance(wide ? 12 : 6)) return text " --precision " one_of("20% 30%") " --cycles " 3000 + draw(wide ? 20000 : 2000)
    return text " --warmup " 2 * think + draw(100) " --cycles " 50 + draw(wide ? 1500 : 250)
}

function draw_closed(   text) {
    text = draw_pattern()
    text = text key(text) "m=" 1 + draw(wide ? 60 : 24)
    return chance(10) ? text " --cycles " 5 + draw(60) : text
}

# Transfers in steps.
function draw_schedule(   text) {
    if (family == "cube" && nodes > 2) {
        if (chance(40)) text = "shift:q=" 1 + draw(nodes - 1) ",labels=gray,m=" 1 + draw(8) " --algorithm " \
            one_of("gray-signed gray-forward ecube-steps")
        else if (chance(50)) text = one_of("bitrev bitcomp shuffle") ":m=" 1 + draw(8) " --algorithm ecube-steps"
        else text = one_of("bitrev bitcomp shuffle") ":K=" 2 ^ draw(4) ",m=" 1 + draw(4) " --algorithm best"
    } else if (topology ~ /^torus:(3x3|4x4|8x8)$/) {
        text = "shift:q=" 1 + draw(nodes - 1) ",m=" 1 + draw(8) " --algorithm " one_of("forward plain merged per-column")
    } else if (family == "ring") {
        text = "shift:q=" 1 + draw(nodes - 1) ",m=" 1 + draw(8) " --algorithm ring"
    } else {
        return draw_closed()
    }
    text = text " --sync " one_of("step data")
    return chance(30) ? text " --local-cost " 1 + draw(3) : text
}

# Earlier rows that row i of a node waits for; work only of that node.
function draw_after(i, source,   first) {
    if (i < 3 || chance(40)) return ""
    first = 1 + draw(i - 1)
    return after_row(first, source) (chance(30) ? " " after_row(1 + first % (i - 1), source) : "")
}
function after_row(i, source) { return (i in worker) && worker[i] != source ? "" : i }

# A trace whose messages wait for cycles, for each other and for work, or for steps.
function draw_trace(number,   file, i, n, kind, source, destination, words) {
    file = "trace" number ".csv"
    n = 5 + draw(wide ? 200 : 50)
    kind = one_of("cycles after after step")
    columns["cycles"] = "cycle,source,destination,words"
    columns["step"] = "step,source,destination,words,delay"
    columns["after"] = "id,cycle,source,destination,words,after,delay,behind"
    print columns[kind] >file
    split("", worker) # rows of work: their node
    split("", sent) # nodes: their last message
    for (i = 1; i <= n; i++) {
        source = draw(nodes); destination = draw(nodes)
        if (kind == "cycles")
            print 1 + draw(chance(20) ? 3000 : 100) "," source "," destination "," 1 + draw(20) >file
        else if (kind == "step")
            print 1 + int(i / 6) "," source "," destination "," 1 + draw(12) "," draw(9) >file
        else {
            words = chance(20) ? 0 : 1 + draw(12)
            if (words == 0) destination = worker[i] = source
            print i "," 1 + draw(60) "," source "," destination "," words "," draw_after(i, source) "," draw(20) "," \
                (words ? "" : sent[source]) >file
            if (words) sent[source] = i
        }
    }
    close(file)
    return "trace:file=" file (chance(40) ? " --interval " 10 + draw(60) : "")
}

function draw_options(workload,   text) {
    if (workload !~ /queue=/ && chance(20)) text = text " --packet " (switching == "wormhole" ? 1 + draw(8) : 1 + draw(depth))
    if (chance(15)) text = text " --startup " draw(300)
    if (chance(20)) text = text " --eject-stall 0." 1 + draw(7)
    if (chance(10)) text = text " --interval " 20 + draw(100)
    if (chance(6)) text = text " --no-sleep"
    if (chance(6)) text = text " --shuffle " 1 + draw(99)
    if (chance(6)) text = text " --expect congestion-free"
    return text " --seed " 1 + draw(100000)
}

# Logs, each with its own file.
function draw_watchers(number,   text) {
    text = " --events events" number (chance(50) ? ".jsonl" : ".txt")
    if (chance(20)) text = text " --events-cycles " 5 + draw(20) ":" 40 + draw(100)
    if (chance(20)) text = text " --events-nodes 0-" draw(nodes)
    if (chance(40)) text = text " --packets-csv packets" number ".csv"
    if (chance(10)) text = text " --export-trace messages" number ".csv"
    if (class ~ /^(cube[36]:1:1-4|grid:2:1-4):one:static:1$/ && depth < 5 && chance(40)) text = text " --wave wave" number ".fst"
    return text
}

BEGIN {
    networks["cube3"] = "cube:1 cube:2 cube:3"
    networks["cube6"] = "cube:4 cube:5 cube:6"
    networks["cube8"] = "cube:7 cube:8"
    networks["grid"] = "ring:2 ring:5 ring:8 ring:9 mesh:2x2 mesh:1x6 mesh:4x3 mesh:5x5 mesh:8x8 mesh:7x2 torus:3x3 " \
        "torus:4x4 torus:5x3 torus:2x6 torus:3x7 torus:8x8"
    networks["flat"] = "mesh:1x6 mesh:4x3 mesh:5x5 mesh:8x8 mesh:6 mesh:2x2 ring:2 torus:3x3"
    networks["space"] = "torus:2x3x4 torus:4x4x4 mesh:3x2x2 torus:3x1x5 mesh:2x3x3"
    usual = "cube3:1:1-4:one:static:1 cube3:1:9-16:one:static:1 cube3:1:1-4:all:static:1 cube3:2:1-4:all:dynamic:1 " \
        "cube3:1:1-4:one:static:3 cube6:1:1-4:one:static:1 cube6:1:1-8:one:static:1 cube6:1:1-4:all:static:1 " \
        "flat:1:1-4:one:static:1 grid:2:1-4:one:static:1 grid:2:1-8:one:static:1 grid:2:1-4:all:static:1 " \
        "grid:4:1-4:one:static:1 grid:2:1-4:one:dynamic:1 grid:4:1-4:one:dynamic:1 flat:2:1-4:one:dynamic:2 " \
        "grid:2:1-4:one:dynamic:3 flat:8:1-4:one:dynamic:2 space:2:1-4:one:static:1"
    rare = "cube8:1:1-4:one:static:1 cube8:1:1-4:all:static:1 cube6:2:1-8:one:dynamic:2 grid:8:1-16:one:dynamic:1 " \
        "grid:4:1-4:all:dynamic:3 space:4:1-8:all:static:2 grid:8:1-8:one:static:3"
    state = seed % 2147483646 + 1
    for (i = 0; i < 20; i++) draw(2)
    for (number = 1; number <= count; number++) {
        draw_network()
        router = draw_router()
        dice = draw(100)
        workload = dice < 50 ? draw_open() : dice < 75 ? draw_closed() : dice < 87 ? draw_schedule() : draw_trace(number)
        if (chance(5)) { # a deadlock
            class = ""; topology = one_of("ring:8 torus:4x4 torus:5x3"); nodes = nodes_of(topology)
            router = "vcs=2,depth=" 1 + draw(3) ",dateline=off,link=" 1 + draw(3)
            workload = chance(50) ? "tornado:m=" 16 + draw(9) : "uniform:rate=0.8,m=8 --cycles 300"
        }
        print nodes "\t" topology " " workload " --router " router draw_options(workload) (watched ? draw_watchers(number) : "")
    }
}
