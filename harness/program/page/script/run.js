// SPDX-License-Identifier: Apache-2.0
// The report of one run, with its network; side A of a comparison has the same parts.

/** [word, class] of the verdict. */
function runVerdict({ result }) {
    const kinds = { pass: "pass", fail: "fail", deadlock: "fail" };
    return [result.verdict.toUpperCase(), kinds[result.verdict] || "warn"];
}

function runFigures(result) {
    const { latency, accepted, contended_cycles: contended, starved_cycles: starved } = result;
    const rows = [["Cycles", number(result.cycles), predicted(result)]];
    if (result.backlogged) rows.push(["Latency", "not measured", ": backlogs exceed chance"]);
    else if (latency && latency.mean !== null)
        rows.push(["Latency", typeof accepted === "number" ? interval(latency.mean, result.latency_half) : number(latency.mean),
            ` cycles, p99 ${number(latency.p99)}`]);
    if (typeof accepted === "number")
        rows.push(["Accepted", number(accepted), ` of ${number(result.offered)} flits/node/cycle`]);
    if (result.microseconds)
        rows.push(["Time", number(result.microseconds), ` us${result.node_gigabytes_per_second
            ? `, ${number(result.node_gigabytes_per_second)} GB/s into a node` : ""}`]);
    rows.push(["Delivered", number(result.words), ` words, ${plural(result.packets, "packet")}`]);
    if (contended !== null) rows.push(["Waiting", number(contended + starved), ` cycles, ${number(contended)} contended`]);
    return el("div", { id: "key-figures" }, figures(rows));
}

function predicted(result) {
    if (result.predicted_cycles === null) return null;
    return result.predicted_cycles === result.cycles ? " as predicted" : `, ${number(result.predicted_cycles)} predicted`;
}

/** Checks that did not pass, in a sentence each. */
function problems(result) {
    const bad = (result.checks || []).filter((check) => check.verdict === "fail" || check.verdict === "open");
    if (result.deadlock_warning && result.outcome !== "deadlock")
        bad.push({ name: "warning", detail: result.deadlock_warning });
    if (bad.length === 0) return null;
    return el("ul", { class: "problems", id: "problems" },
        bad.map((check) => el("li", {}, el("strong", {}, `${check.name}: `), check.detail)));
}

function runPage(page) {
    const { result } = page, network = page.time && page.channels ? networkParts(page) : [];
    return [problems(result), runFigures(result), ...network,
        section("result", "Result", intervalTable(result), checkTable(result), figureTable(result), network.length ? glossary() : null),
        noteSection(page.notes)];
}

const TERMS = [
    ["Word, flit", "what crosses a channel in one cycle; packets and messages consist of words"],
    ["Channel", "a link in one direction, or the port through which a node injects or ejects words"],
    ["Use", MEASURES.use.help],
    ["Waiting", `${MEASURES.waiting.help}: contended and starved together`],
    ["Contended", "waiting because another packet has the channel, or goes first"],
    ["Starved", "waiting for any other reason: usually the next buffer is full, so that the cause is downstream (back-pressure)"],
    ["Latency", "from the creation of a message to the arrival of the tail of its packet, both cycles included"],
];

function glossary() {
    return el("details", { id: "terms" }, el("summary", {}, "What the words mean"),
        el("dl", { class: "terms" }, TERMS.map(([term, text]) => [el("dt", {}, term), el("dd", {}, text)]).flat()));
}

/** Everything that shows the recording; `prepare` may choose what is shown first. */
function networkParts(page, prepare = () => {}) {
    const recording = new Recording(page), view = new View(recording), found = findings(recording);
    view.circle = recording.waiting.map((w) => recording.channel(w.node, w.wants));
    const time = new TimePanel(recording, view, found), network = networkSection(recording, view, found);
    const links = new LinkTable(recording, view), { packets } = recording;
    const parts = [findingList(recording, found, view), el("div", { class: "together" }, time.node, network),
        deadlockSection(recording, view, page.result.remedy), links.node];
    if (packets && packets.count > 0) parts.push(new PacketPanel(recording, view).node, latencyHistogram(recording));
    listenToKeys(view);
    if (recording.waiting.length > 0) view.showDeadlock();
    prepare(view);
    return parts;
}

function networkSection(recording, view, found) {
    const layout = recording.allLinks ? layoutOf(recording) : null, details = new DetailsPanel(recording, view);
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
    onTheme(() => {
        update();
        details.update();
    });
    picture.showMarks(found);
    update();
    return section("network", "Where",
        el("div", { class: "network-tools" }, measureChoice(recording, view), zoomButtons(picture)),
        el("div", { class: "beside" },
            el("div", {}, el("div", { class: "picture" }, picture.node), legends), details.node));
}

function measureChoice(recording, view) {
    const measures = Object.entries(MEASURES).filter(([key]) => recording.hasTaps || key === "use");
    const radio = (key) => el("input", { type: "radio", name: "measure", value: key, checked: key === view.measure,
        onchange: () => view.setMeasure(key) });
    return el("fieldset", { class: "choice" }, el("legend", {}, "Links show"),
        measures.map(([key, m]) => el("label", { title: m.help }, radio(key), m.label)));
}

function zoomButtons(picture) {
    const zoom = (label, text, factor) =>
        el("button", { type: "button", "aria-label": label, onclick: () => picture.zoomBy(factor) }, text);
    return el("div", { class: "zoom", role: "group", "aria-label": "Zoom" }, zoom("Zoom in", "+", 1.5),
        zoom("Zoom out", "−", 1 / 1.5), zoom("Reset the zoom", "1:1", 0));
}

function findingList(recording, found, view) {
    const item = (mark, kind, lead, text, show) => el("li", { "data-mark": mark },
        el("span", { class: `mark ${kind}`, "aria-hidden": "true" }, mark), el("p", {}, el("strong", {}, lead), text),
        show ? el("button", { type: "button", "aria-label": `Show: ${lead}`, onclick: show }, "Show") : null);
    const items = found.map((f) => item(f.mark, "", `${f.lead}: `, f.text, () => {
        view.setTime(f.from, f.to);
        view.select({ kind: "channel", id: f.channel });
    }));
    const stuck = recording.waiting.length;
    if (stuck > 0)
        items.unshift(item("!", "stop", "Deadlock: ", `${plural(stuck, "buffer")} wait for each other${recording.knot ? "" : " in a circle"}`
            + `${lastMove(recording, view.circle)}.`, () => view.showDeadlock()));
    if (recording.hasTaps && found.length === 1)
        items.push(item("✓", "", "No waiting: ", "no flit waited for a channel that another packet used."));
    if (items.length === 0) items.push(el("li", {}, "No word crossed a channel."));
    const part = section("found", "Where is the bottleneck, and when?", el("ol", {}, items));
    part.dataset.short = "Bottleneck"; // in the list of sections
    return part;
}

/** When the last word moved on the channels of a circle. */
function lastMove(recording, circle) {
    const { cells } = recording.series.flits;
    for (let k = recording.bins - 1; k >= 0; k--)
        if (circle.some((c) => cells[k * recording.count + c] > 0))
            return `; their last word moved in ${cycleRange(recording.firstCycle(k), recording.lastCycle(k + 1))}`;
    return "";
}

function deadlockSection(recording, view, remedy) {
    const { waiting } = recording;
    if (waiting.length === 0) return null;
    const show = (i) => () => view.select({ kind: "channel", id: view.circle[i] });
    const step = (w, i) => el("li", { "data-node": w.node },
        view.circle[i] === undefined ? w.text : el("button", { type: "button", class: "link", onclick: show(i) }, w.text));
    return section("deadlock", "Deadlock",
        el("p", {}, recording.knot
            ? `These ${waiting.length} buffers wait for each other; one that names several waits until any of them moves:`
            : `Each of these ${waiting.length} buffers waits for the next, the last for the first:`),
        el("ol", { class: "waiting" }, waiting.map(step)),
        remedy ? el("p", {}, "The routing can deadlock with these options. Use ", el("code", {}, remedy), ".") : null);
}

const CONTROLS = "input, textarea, select, button, a, summary, .network, .heat, .scroll";

/** Keys of the whole page, unless a control has the focus; Escape always. */
function listenToKeys(view) {
    const actions = {
        ArrowLeft: () => view.step(-1),
        ArrowRight: () => view.step(1),
        " ": () => view.play(),
        Escape: () => {
            view.wholeRun();
            view.select(null);
        },
    };
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions)) return;
        if (event.key !== "Escape" && event.target.closest(CONTROLS)) return;
        event.preventDefault();
        actions[event.key]();
    });
}
