// SPDX-License-Identifier: Apache-2.0
// Histogram of latencies, and plain tables of the result: intervals, checks, all figures.

/** Bars [{ from, to, count }] of the latencies: of all packets, or of those kept. The axis is logarithmic if the slowest
 * is far from the median. */
function latencyBars(packets) {
    if (packets.histogram) {
        const { from, count, width } = packets.histogram;
        return Array.from(from, (low, i) => ({ from: low, to: low + width, count: count[i] }));
    }
    const values = d3.range(packets.count).map((i) => packets.latency(i)).filter((v) => v !== null).sort(d3.ascending);
    if (values.length === 0) return [];
    const low = values[0], high = values[values.length - 1] + 1, log = high > 12 * values[values.length >> 1];
    const count = 50, ratio = Math.pow(high / low, 1 / count), width = Math.ceil((high - low) / count), edges = [low];
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
    const total = d3.sum(bars, (bar) => bar.count), kept = packets.leftOut && !packets.histogram;
    const marks = result.latency && result.latency.p50 !== null ? ["p50", "p95", "p99"].map((key) => [key, result.latency[key]]) : [];
    const text = `Latency of ${kept ? "the " : "all "}${plural(total, "packet")}${kept ? " kept" : ""}, in cycles.`;
    const open = result.accepted !== null && result.accepted !== undefined;
    const box = el("div", { class: "chart" });
    onWidth(box, (width) => drawHistogram(box, width, bars, marks, text));
    return section("latency", "Latency", box, el("p", { class: "note" }, text, open && marks.length ? " The marks are those of the packets created in the measured window." : "",
        kept ? ` ${packets.leftOut}` : ""));
}

function drawHistogram(box, width, bars, marks, text) {
    const height = 220, left = 52, bottom = 40, top = 36;
    const low = bars[0].from, high = bars[bars.length - 1].to, log = low > 0 && bars[bars.length - 1].to - bars[bars.length - 1].from > 2 * (bars[0].to - low);
    const x = (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range([left, width - 14]);
    const y = d3.scaleLinear().domain([0, d3.max(bars, (bar) => bar.count)]).nice(4).range([height - bottom, top]);
    const svg = d3.create("svg").attr("class", "histogram").attr("width", width).attr("height", height).attr("role", "img").attr("aria-label", `Histogram. ${text}`);
    svg.selectAll("rect").data(bars).join("rect").attr("x", (bar) => x(bar.from)).attr("y", (bar) => y(bar.count)).attr("data-from", (bar) => bar.from).attr("data-count", (bar) => bar.count)
        .attr("width", (bar) => Math.max(0.5, x(bar.to) - x(bar.from) - 0.7)).attr("height", (bar) => y(0) - y(bar.count));
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`).call(log ? d3.axisBottom(x).ticks(Math.floor(width / 90), ",d").tickSizeOuter(0)
        : d3.axisBottom(x).ticks(Math.floor(width / 90)).tickFormat((v) => number(v)).tickSizeOuter(0));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(Math.min(4, y.domain()[1])).tickFormat((v) => number(v)).tickSizeOuter(0));
    svg.append("text").attr("class", "tick").attr("x", (left + width) / 2).attr("y", height - 4).attr("text-anchor", "middle").text(`cycles from creation to the arrival of the tail${log ? ", logarithmic" : ""}`);
    svg.append("text").attr("class", "tick").attr("x", 0).attr("y", 11).text("packets");
    const g = svg.append("g").attr("class", "percentiles").selectAll("g").data(marks).join("g").attr("transform", ([, v]) => `translate(${x(Math.max(low, Math.min(high, v)))},0)`);
    const late = ([, v]) => x(v) > width - 90;
    g.append("line").attr("y1", top - 26).attr("y2", height - bottom);
    g.append("text").attr("y", (m, i) => top - 22 + 12 * i).attr("x", (m) => (late(m) ? -4 : 4)).attr("text-anchor", (m) => (late(m) ? "end" : "start")).text(([key, v]) => `${key} ${number(v)}`);
    box.replaceChildren(svg.node());
}

/** A table of an array of flat objects. */
function plainTable(id, caption, rows, columns) {
    const numeric = (key) => rows.some((row) => typeof row[key] === "number");
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, el("table", { id }, el("caption", { class: "unseen" }, caption),
        el("thead", {}, el("tr", {}, columns.map(([key, title]) => el("th", { scope: "col", class: numeric(key) ? "numeric" : null }, title)))),
        el("tbody", {}, rows.map((row) => el("tr", {}, columns.map(([key, , format]) => el("td", { class: numeric(key) ? "numeric" : null, "data-key": key },
            format ? format(row[key]) : number(row[key]))))))));
}

function intervalSection(result) {
    if (!result.intervals || result.intervals.length === 0) return null;
    const columns = [["from", "From"], ["to", "To"], ["messages_sent", "Sent"], ["packets", "Packets"], ["words", "Words"], ["latency_mean", "Latency"], ["latency_max", "Slowest"],
        ["contended_cycles", "Contended"], ["starved_cycles", "Starved"], ["busiest", "Busiest channel"], ["busiest_use", "Use", (v) => (v === null ? "-" : percent(v))], ["link", "Most waiting"], ["link_waiting", "Waiting"]];
    return el("details", { id: "intervals" }, el("summary", {}, `Intervals (${number(result.intervals.length)})`), plainTable("intervals-table", "Intervals", result.intervals, columns));
}

function checkSection(result) {
    if (!result.checks || result.checks.length === 0) return null;
    const verdict = (v) => el("span", { class: `check ${v}` }, v);
    return el("details", { id: "checks", open: result.verdict !== "pass" }, el("summary", {}, `Checks (${result.checks.length})`),
        plainTable("checks-table", "Checks", result.checks, [["name", "Check"], ["verdict", "Verdict", verdict], ["detail", "Detail", (v) => v || ""]]));
}

/** All plain values of the result, nested objects as a.b. */
function figureSection(result) {
    const rows = [];
    const add = (prefix, object) => {
        for (const [key, value] of Object.entries(object)) {
            if (Array.isArray(value)) continue;
            if (value !== null && typeof value === "object") add(`${prefix}${key}.`, value);
            else rows.push({ key: prefix + key, value: value === null ? "-" : String(value) });
        }
    };
    add("", result);
    return el("details", { id: "figures" }, el("summary", {}, `All figures (${rows.length})`), plainTable("figures-table", "All figures of the result", rows, [["key", "Key"], ["value", "Value", (v) => v]]));
}

function noteSection(notes) {
    const list = notes.filter(Boolean);
    return list.length ? section("notes", "What this report leaves out", el("ul", {}, list.map((note) => el("li", {}, note)))) : null;
}
