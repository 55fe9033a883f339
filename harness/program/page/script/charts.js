// SPDX-License-Identifier: Apache-2.0
// Histogram of latencies, and plain tables of the result: intervals, checks, all figures.

/** Bars [{ from, to, count }] of the latencies: of all packets, or of those kept. Their width grows if the slowest is far
 * from the median. */
function latencyBars(packets) {
    if (packets.histogram) {
        const { from, count, width } = packets.histogram;
        return Array.from(from, (low, i) => ({ from: low, to: low + width, count: count[i] }));
    }
    const values = d3.range(packets.count).map((i) => packets.latency(i)).filter((v) => v !== null).sort(d3.ascending);
    if (values.length === 0) return [];
    const low = values[0], high = values[values.length - 1] + 1, log = high > 12 * values[values.length >> 1];
    const ratio = Math.pow(high / low, 1 / 50), width = Math.ceil((high - low) / 50), edges = [low];
    while (edges[edges.length - 1] < high) {
        const last = edges[edges.length - 1];
        edges.push(log ? Math.max(last + 1, Math.round(last * ratio)) : last + width);
    }
    const bars = edges.slice(0, -1).map((from, i) => ({ from, to: edges[i + 1], count: 0 }));
    for (const value of values) bars[d3.bisectRight(edges, value) - 1].count++;
    return bars;
}

function latencyHistogram(recording) {
    const { packets, result } = recording, bars = latencyBars(packets);
    if (bars.length === 0) return null;
    const total = d3.sum(bars, (bar) => bar.count), partial = packets.leftOut && !packets.histogram;
    const hasMarks = result.latency && result.latency.p50 !== null && !result.backlogged;
    const marks = hasMarks ? ["p50", "p95", "p99"].map((key) => [key, result.latency[key]]) : [];
    const text = partial ? `Latency of the ${plural(total, "packet")} kept. ${packets.leftOut}`
        : `Latency of all ${plural(total, "packet")}, in cycles.`;
    const window = hasMarks && typeof result.accepted === "number"
        ? " The marks are those of the packets created in the measured window." : "";
    const box = el("div", { class: "chart" });
    onWidth(box, (width) => drawHistogram(box, width, bars, marks, text));
    return section("latency", "Latency", box, el("p", { class: "note" }, text, window));
}

function drawHistogram(box, width, bars, marks, text) {
    const height = 220, left = 52, bottom = 40, top = 36, end = bars[bars.length - 1];
    const low = bars[0].from, high = end.to, log = low > 0 && end.to - end.from > 2 * (bars[0].to - low);
    const x = (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range([left, width - 14]);
    const y = d3.scaleLinear().domain([0, d3.max(bars, (bar) => bar.count)]).nice(4).range([height - bottom, top]);
    const svg = svgImage("histogram", `Histogram. ${text}`, { width, height });
    attributes(svg.selectAll("rect").data(bars).join("rect"), {
        x: (bar) => x(bar.from), width: (bar) => Math.max(0.5, x(bar.to) - x(bar.from) - 0.7),
        y: (bar) => y(bar.count), height: (bar) => y(0) - y(bar.count),
        "data-from": (bar) => bar.from, "data-count": (bar) => bar.count,
    });
    const below = d3.axisBottom(x).tickSizeOuter(0), count = Math.min(Math.floor(width / 90), high - low);
    draw(svg, "g", { class: "axis", transform: `translate(0,${height - bottom})` })
        .call(log ? below.ticks(count, ",d") : below.ticks(count).tickFormat((v) => number(v)));
    draw(svg, "g", { class: "axis", transform: `translate(${left},0)` })
        .call(d3.axisLeft(y).ticks(Math.min(4, y.domain()[1])).tickFormat((v) => number(v)).tickSizeOuter(0));
    draw(svg, "text", { class: "tick", x: (left + width) / 2, y: height - 4, "text-anchor": "middle" },
        `cycles from creation to the arrival of the tail${log ? ", logarithmic" : ""}`);
    draw(svg, "text", { class: "tick", x: 0, y: 11 }, "packets");
    const at = ([, value]) => x(Math.max(low, Math.min(high, value))), isLate = (mark) => at(mark) > width - 90;
    const g = attributes(draw(svg, "g", { class: "percentiles" }).selectAll("g").data(marks).join("g"),
        { transform: (mark) => `translate(${at(mark)},0)` });
    draw(g, "line", { y1: top - 26, y2: height - bottom });
    draw(g, "text", { y: (mark, i) => top - 22 + 12 * i, x: (mark) => (isLate(mark) ? -4 : 4),
        "text-anchor": (mark) => (isLate(mark) ? "end" : "start") }, ([key, value]) => `${key} ${number(value)}`);
    box.replaceChildren(svg.node());
}

/** A table of an array of flat objects; columns: [key, title, format]. */
function plainTable(id, caption, rows, columns) {
    const kind = (key) => (rows.some((row) => typeof row[key] === "number") ? "numeric" : null);
    const cell = (row, [key, , format]) =>
        el("td", { class: kind(key), "data-key": key }, format ? format(row[key]) : number(row[key]));
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
        el("table", { id }, el("caption", { class: "unseen" }, caption),
            el("thead", {}, el("tr", {}, columns.map(([key, title]) => el("th", { scope: "col", class: kind(key) }, title)))),
            el("tbody", {}, rows.map((row) => el("tr", {}, columns.map((column) => cell(row, column)))))));
}

/** A table that opens on request. */
function foldedTable(id, title, open, rows, columns) {
    if (!rows || rows.length === 0) return null;
    return el("details", { id, open }, el("summary", {}, `${title} (${number(rows.length)})`),
        plainTable(`${id}-table`, title, rows, columns));
}

function intervalTable(result) {
    return foldedTable("intervals", "Intervals", false, result.intervals, [
        ["from", "From"], ["to", "To"], ["messages_sent", "Sent"], ["packets", "Packets"], ["words", "Words"],
        ["latency_mean", "Latency"], ["latency_max", "Slowest"], ["contended_cycles", "Contended"],
        ["starved_cycles", "Starved"], ["busiest", "Busiest channel"],
        ["busiest_use", "Use", (value) => (value === null ? "-" : percent(value))],
        ["link", "Most waiting"], ["link_waiting", "Waiting"],
    ]);
}

function checkTable(result) {
    const verdict = (value) => el("span", { class: `check ${value}` }, value);
    return foldedTable("checks", "Checks", result.verdict !== "pass", result.checks,
        [["name", "Check"], ["verdict", "Verdict", verdict], ["detail", "Detail", (value) => value || ""]]);
}

/** All plain values of the result, nested objects as a.b. */
function figureTable(result) {
    const rows = [];
    const add = (prefix, object) => {
        for (const [key, value] of Object.entries(object)) {
            if (Array.isArray(value)) continue;
            if (value !== null && typeof value === "object") add(`${prefix}${key}.`, value);
            else rows.push({ key: prefix + key, value: value === null ? "-" : String(value) });
        }
    };
    add("", result);
    return foldedTable("figures", "All figures", false, rows, [["key", "Key"], ["value", "Value"]]);
}

function noteSection(notes) {
    const list = (notes || []).filter(Boolean);
    if (list.length === 0) return null;
    return section("notes", "What this report leaves out", el("ul", {}, list.map((note) => el("li", {}, note))));
}
