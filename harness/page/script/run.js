// SPDX-License-Identifier: Apache-2.0
// The report of one run.

const VERDICTS = { pass: "PASS", fail: "FAIL" };

function header(page) {
    const { result } = page, verdict = result.verdict;
    document.getElementById("head").append(
        el("div", { class: "head-line" },
            verdict ? el("span", { class: `verdict ${verdict}`, id: "verdict" }, verdictWord(result)) : null,
            el("h1", {}, page.title)),
        el("div", { class: "command" }, el("code", { id: "command" }, page.command), copyButton(page.command, "the command")));
    document.getElementById("foot").append(`ecube ${page.version || ""}`);
}

function verdictWord(result) {
    if (result.outcome === "deadlock") return "DEADLOCK";
    if (result.steady === "no") return "UNSTABLE";
    if (result.steady === "not shown") return "NOT SHOWN STEADY";
    return VERDICTS[result.verdict] || result.verdict;
}

function keyFigures(result) {
    const rows = [["Cycles", number(result.cycles), result.predicted_cycles === null ? null : ` ${number(result.predicted_cycles)} predicted`]];
    if (result.latency) rows.push(["Latency", number(result.latency.mean), ` mean; p99 ${number(result.latency.p99)}`]);
    if (result.accepted !== null) rows.push(["Accepted", number(result.accepted), ` of ${number(result.offered)} flits/node/cycle`]);
    rows.push(["Delivered", number(result.words), ` words, ${plural(result.packets, "packet")}`]);
    if (result.contended_cycles !== null)
        rows.push(["Waiting", number(result.contended_cycles + result.starved_cycles), ` cycles, ${number(result.contended_cycles)} contended`]);
    return rows;
}

function runPage(page) {
    const recording = new Recording(page), view = new View(recording);
    const found = findings(recording), layout = layoutOf(recording);
    const picture = new NetworkPicture(recording, view, layout);
    const legends = el("div", { class: "legends" });
    const update = () => {
        picture.update();
        const m = MEASURES[view.measure], top = measureTop(recording, view.measure, view.isWhole);
        legends.replaceChildren(legend("link", m.label, m.format(0), m.format(top), m.unit),
            legend("node", "Buffers of a router", "0", number(bufferTop(recording)), "words"));
    };
    view.on("time", update);
    view.on("selection", () => picture.updateSelection());
    onTheme(update);
    picture.showMarks(found);
    update();
    keys(view);
    return [figures(keyFigures(page.result)), findingList(found, view), new TimePanel(recording, view, found).node,
        section("network", "Where", measureChoice(view), el("div", { class: "picture" }, picture.node), legends), new LinkTable(recording, view).node];
}

function measureChoice(view) {
    return el("fieldset", { class: "choice" }, el("legend", {}, "Links show"), Object.entries(MEASURES).map(([key, m]) =>
        el("label", { title: m.help }, el("input", { type: "radio", name: "measure", value: key, checked: key === view.measure, onchange: () => view.setMeasure(key) }), m.label)));
}

function findingList(found, view) {
    return section("found", "Where is the bottleneck, and when?", el("ol", {}, found.map((f) => el("li", {},
        el("span", { class: "mark", "aria-hidden": "true" }, f.mark), el("p", {}, el("strong", {}, `${f.lead}: `), f.text),
        el("button", { type: "button", "aria-label": `Show ${f.lead.toLowerCase()}`, onclick: () => { view.setTime(f.from, f.to); view.select({ kind: "channel", id: f.channel }); } }, "Show")))));
}

/** Keys of the whole page, unless a control has the focus. */
function keys(view) {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, button, a, summary, .network, .scroll")) return;
        const actions = { ArrowLeft: () => view.step(-1), ArrowRight: () => view.step(1), " ": () => view.play(),
            Escape: () => { view.wholeRun(); view.select(null); } };
        if (!(event.key in actions)) return;
        event.preventDefault();
        actions[event.key]();
    });
}
