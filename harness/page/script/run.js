// SPDX-License-Identifier: Apache-2.0
// The report of one run, with its network; side A of a comparison has the same parts.

/** [word, class] of the verdict. */
function runVerdict(result) {
    if (result.outcome === "deadlock") return ["DEADLOCK", "fail"];
    if (result.outcome === "limit") return ["STOPPED AT THE LIMIT", result.verdict];
    if (result.steady === "no") return ["UNSTABLE", "warn"];
    if (result.steady === "not shown") return ["NOT SHOWN STEADY", "warn"];
    return [result.verdict.toUpperCase(), result.verdict];
}

function runFigures(result) {
    const rows = [["Cycles", number(result.cycles), predicted(result)]];
    if (result.latency && result.latency.mean !== null) rows.push(["Latency", number(result.latency.mean), ` cycles, p99 ${number(result.latency.p99)}`]);
    if (result.accepted !== null && result.accepted !== undefined) rows.push(["Accepted", number(result.accepted), ` of ${number(result.offered)} flits/node/cycle`]);
    rows.push(["Delivered", number(result.words), ` words, ${plural(result.packets, "packet")}`]);
    if (result.contended_cycles !== null)
        rows.push(["Waiting", number(result.contended_cycles + result.starved_cycles), ` cycles, ${number(result.contended_cycles)} contended`]);
    return el("div", { id: "key-figures" }, figures(rows));
}

function predicted(result) {
    if (result.predicted_cycles === null) return null;
    return result.predicted_cycles === result.cycles ? " as predicted" : `, ${number(result.predicted_cycles)} predicted`;
}

/** Checks that did not pass, in a sentence each. */
function problems(result) {
    const bad = (result.checks || []).filter((check) => check.verdict === "fail" || check.verdict === "open");
    return bad.length ? el("ul", { class: "problems", id: "problems" }, bad.map((check) => el("li", {}, el("strong", {}, `${check.name}: `), check.detail))) : null;
}

function runPage(page) {
    const notes = [...(page.notes || [])];
    if (!page.time || !page.channels) return [problems(page.result), runFigures(page.result), ...resultTables(page.result), noteSection(notes)];
    return [problems(page.result), runFigures(page.result), ...networkParts(page), ...resultTables(page.result), noteSection(notes)];
}

function resultTables(result) {
    return [section("result", "Result", intervalTable(result), checkTable(result), figureTable(result))];
}

/** Everything that shows the recording. */
function networkParts(page) {
    const recording = new Recording(page), view = new View(recording), found = findings(recording);
    view.circle = recording.waiting.map((w) => recording.channel(w.node, w.wants)).filter((c) => c !== undefined);
    const time = new TimePanel(recording, view, found), details = new DetailsPanel(recording, view);
    const links = new LinkTable(recording, view);
    const packets = recording.packets && recording.packets.count > 0 ? new PacketPanel(recording, view) : null;
    const network = networkSection(recording, view, found, details);
    keys(view);
    if (recording.waiting.length > 0) view.showDeadlock();
    return [findingList(recording, found, view), el("div", { class: "together" }, time.node, network), deadlockSection(recording, view),
        links.node, packets ? packets.node : null, recording.packets ? latencyHistogram(recording) : null];
}

function networkSection(recording, view, found, details) {
    const layout = recording.allLinks ? layoutOf(recording) : null;
    const picture = layout ? new NetworkPicture(recording, view, layout) : new HeatPicture(recording, view);
    const legends = el("div", { class: "legends" });
    const update = () => {
        picture.update();
        const m = MEASURES[view.measure], { link, node } = picture.tops;
        legends.replaceChildren(legend("link", m.label, m.format(0), m.format(link), m.unit),
            legend("node", "Buffers", "0", number(node), picture.byRegion ? "words per region" : "words per router"));
    };
    view.on("time", update);
    view.on("selection", () => picture.updateSelection());
    onTheme(() => { update(); details.update(); });
    picture.showMarks(found);
    update();
    const zoom = (label, text, factor) => el("button", { type: "button", "aria-label": label, onclick: () => picture.zoomBy(factor) }, text);
    return section("network", "Where", el("div", { class: "network-tools" }, measureChoice(recording, view),
        el("div", { class: "zoom", role: "group", "aria-label": "Zoom" }, zoom("Zoom in", "+", 1.5), zoom("Zoom out", "−", 1 / 1.5), zoom("Reset the zoom", "1:1", 0))),
    el("div", { class: "beside" }, el("div", {}, el("div", { class: "picture" }, picture.node), legends), details.node));
}

function measureChoice(recording, view) {
    const measures = Object.entries(MEASURES).filter(([key]) => recording.hasTaps || key === "use");
    return el("fieldset", { class: "choice" }, el("legend", {}, "Links show"), measures.map(([key, m]) =>
        el("label", { title: m.help }, el("input", { type: "radio", name: "measure", value: key, checked: key === view.measure, onchange: () => view.setMeasure(key) }), m.label)));
}

function findingList(recording, found, view) {
    const items = found.map((f) => el("li", { "data-mark": f.mark, "data-channel": f.channel },
        el("span", { class: "mark", "aria-hidden": "true" }, f.mark), el("p", {}, el("strong", {}, `${f.lead}: `), f.text),
        el("button", { type: "button", "aria-label": `Show ${f.lead.toLowerCase()}`, onclick: () => {
            view.setTime(f.from, f.to);
            view.select({ kind: "channel", id: f.channel });
        } }, "Show")));
    if (recording.waiting.length > 0)
        items.unshift(el("li", {}, el("span", { class: "mark stop", "aria-hidden": "true" }, "!"),
            el("p", {}, el("strong", {}, "Deadlock: "), `${plural(recording.waiting.length, "buffer")} wait for each other in a circle${lastMove(recording, view.circle)}.`),
            el("button", { type: "button", "aria-label": "Show the deadlock", onclick: () => view.showDeadlock() }, "Show")));
    if (recording.hasTaps && found.length > 0 && !found.some((f) => f.mark === "B"))
        items.push(el("li", {}, el("span", { class: "mark", "aria-hidden": "true" }, "✓"), el("p", {}, "No flit waited for a link: nothing met on the way.")));
    if (items.length === 0) items.push(el("li", {}, "No word crossed a channel."));
    return section("found", "Where is the bottleneck, and when?", el("ol", {}, items));
}

/** When the last word moved on the channels of a circle. */
function lastMove(recording, circle) {
    const { cells } = recording.series.flits;
    for (let k = recording.bins - 1; k >= 0 && circle.length > 0; k--)
        if (circle.some((c) => cells[k * recording.count + c] > 0))
            return `; their last word moved in ${cycleRange(recording.firstCycle(k), recording.lastCycle(k + 1))}`;
    return "";
}

function deadlockSection(recording, view) {
    if (recording.waiting.length === 0) return null;
    return section("deadlock", "Deadlock", el("p", {}, `Each of these ${recording.waiting.length} buffers waits for the next, the last for the first:`),
        el("ol", { class: "waiting" }, recording.waiting.map((w, i) => el("li", { "data-node": w.node },
            el("button", { type: "button", class: "link", onclick: () => view.select({ kind: "channel", id: view.circle[i] }) }, w.text)))));
}

/** Keys of the whole page, unless a control has the focus. */
function keys(view) {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, button, a, summary, .network, .heat, .scroll")) {
            if (event.key !== "Escape") return;
        }
        const actions = { ArrowLeft: () => view.step(-1), ArrowRight: () => view.step(1), " ": () => view.play(),
            Escape: () => { view.wholeRun(); view.select(null); } };
        if (!(event.key in actions)) return;
        event.preventDefault();
        actions[event.key]();
    });
}
