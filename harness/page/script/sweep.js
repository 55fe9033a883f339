// SPDX-License-Identifier: Apache-2.0
// The report of a sweep: latency and accepted load against the offered rate, and the table of points.

// Curves differ in colour, symbol and dash, so that colour alone is never needed.
const CURVE_COLOURS = { light: ["#0f62a8", "#b5491c", "#1b7a4b", "#7a3f9d", "#8a6d00", "#444f5a", "#a3275f", "#007a87"],
    dark: ["#6db3f2", "#f29966", "#5fc794", "#c39be0", "#e0c34d", "#b4bfca", "#f08ab4", "#5ccfd9"] };
const CURVE_SYMBOLS = ["symbolCircle", "symbolSquare", "symbolTriangle", "symbolDiamond", "symbolCross", "symbolStar", "symbolWye"];
const CURVE_DASHES = [null, "6 3", "2 3", "9 3 2 3"];

function curveStyle(i) {
    const colours = CURVE_COLOURS[theme()];
    return { colour: colours[i % colours.length], symbol: d3[CURVE_SYMBOLS[i % CURVE_SYMBOLS.length]], dash: CURVE_DASHES[Math.floor(i / colours.length) % 4] };
}

class SweepReport {
    constructor(page) {
        this.result = page.result;
        this.curves = page.result.curves.map((curve, i) => ({ ...curve, index: i, name: curve.variant || "curve" }));
        this.points = this.curves.flatMap((curve) => curve.points.map((point, i) => ({ ...point, curve, id: `${curve.index}-${i}` })));
        this.charts = [
            { id: "sweep-latency", title: "Latency", y: "latency", half: "latency_half_width", unit: "cycles", zero: true },
            { id: "sweep-accepted", title: "Accepted load", y: "accepted", half: "accepted_half_width", unit: "flits/node/cycle", diagonal: true },
        ];
        this.selected = null;
    }

    parts(notes) {
        const sections = this.charts.map((chart) => this.chartSection(chart));
        onTheme(() => sections.forEach((part) => part.redraw()));
        return [this.summary(), el("div", { class: "pair" }, sections.map((part) => part.node)), this.key(), this.selection(), this.table(), noteSection(notes)];
    }

    /** Saturation and theory, a row per curve. */
    summary() {
        const bracket = (low, high) => (low === null && high === null ? "not found" : low === null ? `below ${number(high)}` : high === null ? `above ${number(low)}` : `${number(low)} to ${number(high)}`);
        const ratio = (value) => (value === null || value === undefined ? "-" : percent(value));
        const rows = this.curves.map((c) => ({ name: c.name, bound: c.bound, zero: c.zero_load, backlog: bracket(c.backlog_low, c.backlog_high), share: ratio(c.backlog_ratio),
            latency: bracket(c.latency_low, c.latency_high), accepted: c.saturated_accepted }));
        return section("saturation", "Where does it saturate?", el("p", {}, sentenceOfSweep(this.curves)), plainTable("saturation-table", "Saturation", rows, [["name", "Curve"], ["bound", "Bound of the busiest channel"], ["backlog", "Backlog grows"],
            ["share", "of the bound"], ["latency", "Latency above 3 × zero load"], ["accepted", "Accepted beyond"], ["zero", "Zero-load latency"]]));
    }

    key() {
        return el("ul", { class: "curve-key", "aria-label": "Curves" }, this.curves.map((c) => {
            const { colour, symbol } = curveStyle(c.index);
            const svg = d3.create("svg").attr("width", 18).attr("height", 14).attr("aria-hidden", "true");
            svg.append("path").attr("transform", "translate(9,7)").attr("d", d3.symbol().type(symbol).size(60)()).attr("fill", colour);
            return el("li", {}, svg.node(), c.name);
        }), el("li", { class: "note" }, "Bars: 95 % intervals. Dashed: bound of the busiest channel, zero-load latency. Shaded: between the highest rate below and the lowest beyond saturation. Hollow: not steady or beyond saturation."));
    }

    chartSection(chart) {
        const box = el("div", { class: "chart" });
        let width = 0;
        const redraw = () => { if (width) this.draw(box, width, chart); };
        onWidth(box, (now) => { width = now; redraw(); });
        chart.redraw = redraw;
        return { node: section(chart.id, chart.title, box), redraw };
    }

    /** Ends of the axes. Latencies beyond saturation would squeeze the rest, so the axis ends at 6 times zero load. */
    domain(chart) {
        const known = this.points.filter((p) => p[chart.y] !== null);
        const zero = d3.min(this.curves, (c) => c.zero_load), most = d3.max(known, (p) => p[chart.y] + (p[chart.half] || 0)) || 1;
        const rate = Math.max(d3.max(this.points, (p) => p.rate) || 0, chart.diagonal ? 0 : 0) || 1;
        return { x: [0, rate * 1.04], y: [0, chart.zero && zero ? Math.min(most, 6 * zero) * 1.05 : most * 1.05] };
    }

    draw(box, width, chart) {
        const height = 360, left = 58, right = 16, top = 14, bottom = 44, { x: xs, y: ys } = this.domain(chart);
        const x = d3.scaleLinear().domain(xs).range([left, width - right]), y = d3.scaleLinear().domain(ys).nice(5).range([height - bottom, top]);
        const svg = d3.create("svg").attr("class", "curves").attr("width", width).attr("height", height).attr("role", "group")
            .attr("aria-label", `${chart.title} against offered load, ${plural(this.curves.length, "curve")}; the table below has all values. Arrow keys go from point to point.`);
        svg.append("g").attr("class", "axis").attr("aria-hidden", "true").attr("transform", `translate(0,${height - bottom})`).call(d3.axisBottom(x).ticks(6).tickFormat((v) => number(v)).tickSizeOuter(0));
        svg.append("g").attr("class", "axis").attr("aria-hidden", "true").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(5).tickFormat((v) => number(v)).tickSizeOuter(0));
        svg.append("text").attr("class", "tick").attr("x", (left + width) / 2).attr("y", height - 6).attr("text-anchor", "middle").text("offered, flits/node/cycle");
        svg.append("text").attr("class", "tick").attr("transform", `translate(13,${(height - bottom) / 2}) rotate(-90)`).attr("text-anchor", "middle").text(`${chart.title.toLowerCase()}, ${chart.unit}`);
        svg.append("clipPath").attr("id", `${chart.id}-clip`).append("rect").attr("x", left).attr("y", top - 6).attr("width", width - left - right).attr("height", height - bottom - top + 6);
        const plot = svg.append("g").attr("clip-path", `url(#${chart.id}-clip)`);
        if (chart.diagonal) plot.append("line").attr("class", "ideal").attr("x1", x(0)).attr("y1", y(0)).attr("x2", x(1000)).attr("y2", y(1000));
        for (const curve of this.curves) this.drawCurve(plot, curve, chart, x, y, height - bottom, top);
        this.drawPoints(svg, chart, x, y);
        box.replaceChildren(svg.node());
    }

    drawCurve(plot, curve, chart, x, y, base, top) {
        const { colour, dash } = curveStyle(curve.index), g = plot.append("g").attr("class", "curve").style("color", colour);
        const theory = (key) => (this.curves.every((c) => c[key] === curve[key]) ? "theory common" : "theory");
        const brackets = chart.zero ? [curve.latency_low, curve.latency_high] : [curve.backlog_low, curve.backlog_high];
        if (brackets[0] !== null && brackets[1] !== null)
            g.append("rect").attr("class", "bracket").attr("x", x(brackets[0])).attr("width", Math.max(2, x(brackets[1]) - x(brackets[0]))).attr("y", top).attr("height", base - top);
        if (curve.bound !== null) g.append("line").attr("class", theory("bound")).attr("x1", x(curve.bound)).attr("x2", x(curve.bound)).attr("y1", top).attr("y2", base);
        if (chart.zero && curve.zero_load !== null) g.append("line").attr("class", theory("zero_load")).attr("x1", x(0)).attr("x2", x.range()[1]).attr("y1", y(curve.zero_load)).attr("y2", y(curve.zero_load));
        const known = this.points.filter((p) => p.curve === curve && p[chart.y] !== null).sort((a, b) => a.rate - b.rate);
        g.append("path").attr("class", "line").attr("stroke-dasharray", dash).attr("d", d3.line().x((p) => x(p.rate)).y((p) => y(p[chart.y]))(known));
        for (const p of known.filter((q) => q[chart.half] > 0)) {
            const low = y(p[chart.y] - p[chart.half]), high = y(p[chart.y] + p[chart.half]), at = x(p.rate);
            g.append("path").attr("class", "error").attr("d", `M${at},${low}V${high}M${at - 4},${low}h8M${at - 4},${high}h8`);
        }
    }

    /** Points can have the focus; one of a chart is in the tab order, arrow keys go to the others. */
    drawPoints(svg, chart, x, y) {
        const known = this.points.filter((p) => p[chart.y] !== null && y(p[chart.y]) >= y.range()[1] - 6);
        const steady = (p) => p.state === "steady" || p.state === "limit";
        const point = svg.append("g").attr("class", "points").selectAll("path").data(known).join("path").attr("data-point", (p) => p.id)
            .attr("data-x", (p) => p.rate).attr("data-y", (p) => p[chart.y]).attr("role", "img").attr("tabindex", (p, i) => (i === 0 ? 0 : -1)).attr("aria-label", (p) => pointText(p))
            .attr("transform", (p) => `translate(${x(p.rate)},${y(p[chart.y])})`).attr("d", (p) => d3.symbol().type(curveStyle(p.curve.index).symbol).size(52)())
            .style("color", (p) => curveStyle(p.curve.index).colour).classed("hollow", (p) => !steady(p)).classed("selected", (p) => this.selected === p.id);
        point.each((p, i, all) => {
            const node = all[i];
            node.addEventListener("pointerenter", (event) => showTip(event, pointText(p)));
            node.addEventListener("pointerleave", hideTip);
            node.addEventListener("focus", () => this.select(p.id));
            node.addEventListener("click", () => this.select(p.id));
            node.addEventListener("keydown", (event) => {
                const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
                const next = by && known.indexOf(p) + by;
                if (!by || !all[next]) return;
                event.preventDefault();
                node.setAttribute("tabindex", -1);
                all[next].setAttribute("tabindex", 0);
                all[next].focus();
            });
        });
    }

    selection() {
        this.chosen = el("div", { id: "sweep-point", class: "chosen", "aria-live": "polite" }, el("p", { class: "hint screen" }, "Click a point, or a row of the table, for its command."));
        return this.chosen;
    }

    select(id) {
        if (this.selected === id) return;
        this.selected = id;
        const point = this.points.find((p) => p.id === id);
        for (const node of document.querySelectorAll("[data-point]")) node.classList.toggle("selected", node.dataset.point === id);
        this.chosen.replaceChildren(el("p", {}, pointText(point)), el("div", { class: "command" }, el("code", {}, point.command), copyButton(point.command, "the command of the point")));
        this.sortTable.draw();
    }

    table() {
        const half = (value, width) => (value === null ? "-" : width > 0 ? `${number(value)} ± ${number(width, 2)}` : number(value));
        const columns = [
            { key: "rate", title: "Offered", numeric: true, value: (p) => p.rate, text: (p) => number(p.rate, 6) },
            ...(this.curves.length > 1 ? [{ key: "curve", title: "Curve", value: (p) => p.curve.name, text: (p) => p.curve.name }] : []),
            { key: "state", title: "State", value: (p) => p.state, text: (p) => p.state },
            { key: "load", title: "Of bound", numeric: true, value: (p) => p.load, text: (p) => (p.load === null ? "-" : percent(p.load)) },
            { key: "accepted", title: "Accepted", numeric: true, value: (p) => p.accepted, text: (p) => half(p.accepted, p.accepted_half_width) },
            { key: "latency", title: "Latency", numeric: true, value: (p) => p.latency, text: (p) => half(p.latency, p.latency_half_width) },
            ...["p50", "p95", "p99"].map((key) => ({ key, title: key, numeric: true, value: (p) => p[key], help: "percentile of the latency, in cycles" })),
            ...(this.points.some((p) => p.minimum_share !== null)
                ? [{ key: "minimum_share", title: "Least share", numeric: true, value: (p) => p.minimum_share, help: "accepted / offered of the source that got least" }] : []),
            { key: "command", title: "Command", value: (p) => p.command, text: (p) => el("code", {}, p.command) },
        ];
        this.sortTable = new SortTable("points-table", columns, { caption: "Points", sort: null, rows: 40, onRow: (p) => this.select(p.id),
            attributes: (p) => ({ "data-point": p.id }), isSelected: (p) => p.id === this.selected });
        this.sortTable.show(this.points);
        return section("points", "Points", this.sortTable.node);
    }
}

function pointText(p) {
    const with_half = (value, half) => (half > 0 ? `${number(value)} ± ${number(half, 2)}` : number(value));
    const name = p.curve.variant ? `${p.curve.name}: ` : "";
    const latency = p.latency === null ? "latency not measured" : `latency ${with_half(p.latency, p.latency_half_width)} cycles`;
    return `${name}offered ${number(p.rate, 6)}, ${latency}, accepted ${p.accepted === null ? "not measured" : with_half(p.accepted, p.accepted_half_width)} flits/node/cycle, ${p.state}`;
}

/** The answer first: what saturates last, and at how much of its bound. */
function sentenceOfSweep(curves) {
    const found = curves.filter((c) => c.backlog_low !== null && c.backlog_high !== null);
    if (found.length === 0) return "No curve was followed to saturation.";
    const middle = (c) => (c.backlog_low + c.backlog_high) / 2, best = found.reduce((a, b) => (middle(b) > middle(a) ? b : a));
    const of = best.backlog_ratio === null ? "" : `, ${percent(best.backlog_ratio)} of what its busiest channel could carry`;
    const name = curves.length > 1 ? `${best.name} saturates last, ` : "Saturates ";
    return `${name}between ${number(best.backlog_low)} and ${number(best.backlog_high)} flits/node/cycle${of}.`;
}

function sweepPage(page) {
    return new SweepReport(page).parts(page.notes || []);
}
