// SPDX-License-Identifier: Apache-2.0
// The report of a sweep: latency and accepted load against the offered rate, and the table of points.

// Curves differ in colour, symbol and dash, so that colour alone is never needed.
const CURVE_COLOURS = {
    light: ["#0f62a8", "#b5491c", "#1b7a4b", "#7a3f9d", "#8a6d00", "#444f5a", "#a3275f", "#007a87"],
    dark: ["#6db3f2", "#f29966", "#5fc794", "#c39be0", "#e0c34d", "#b4bfca", "#f08ab4", "#5ccfd9"],
};
const CURVE_SYMBOLS = ["symbolCircle", "symbolSquare", "symbolTriangle", "symbolDiamond", "symbolCross", "symbolStar",
    "symbolWye"];
const CURVE_DASHES = [null, "6 3", "2 3", "9 3 2 3"];
const PLOT = { height: 360, left: 58, right: 16, top: 14, bottom: 44 };

function curveStyle(i) {
    const colours = CURVE_COLOURS[theme()];
    return { colour: colours[i % colours.length], symbol: d3[CURVE_SYMBOLS[i % CURVE_SYMBOLS.length]],
        dash: CURVE_DASHES[Math.floor(i / colours.length) % CURVE_DASHES.length] };
}

/** "3.2 ± 0.1", or "3.2 ± ?" if the interval is not known. */
function interval(value, half, digits = 4) {
    return `${number(value, digits)} ± ${half === null || half === undefined ? "?" : number(half, 2)}`;
}

function pointText(p) {
    const latency = p.latency === null ? "latency not measured" : `latency ${interval(p.latency, p.latency_half_width)} cycles`;
    const accepted = p.accepted === null ? "accepted not measured"
        : `accepted ${interval(p.accepted, p.accepted_half_width)} flits/node/cycle`;
    const why = p.detail && p.state !== "failed" ? ` (${p.detail})` : "";
    return `${p.curve.variant ? `${p.curve.name}: ` : ""}offered ${number(p.rate, 6)}, ${latency}, ${accepted}, ${p.state}${why}`;
}

function bracketText(low, high) {
    if (low === null && high === null) return "not found";
    if (low === null) return `below ${number(high)}`;
    return high === null ? `above ${number(low)}` : `${number(low)} to ${number(high)}`;
}

/** The largest and the last accepted load beyond saturation: "0.2288 at 0.25, 0.164 at 0.55". */
function acceptedText({ most_accepted: most, most_accepted_rate: at, saturated_accepted: last, saturated_rate: end }) {
    const text = (value, rate) => (rate === undefined ? number(value) : `${number(value)} at ${number(rate)}`);
    if (last === null) return null;
    return most === undefined || at === end ? text(last, end) : `${text(most, at)}, ${text(last, end)}`;
}

/** Both ends of the bracket of growing backlogs, of what the busiest channel could carry: "71 % to 80 %". */
function shareText({ bound, backlog_low: low, backlog_high: high }) {
    return !bound || low === null || high === null ? null : `${percent(low / bound)} to ${percent(high / bound)}`;
}

/** The answer first: what saturates last, and at how much of its bound. Brackets that overlap do not tell. */
function sweepSentence(curves) {
    const found = curves.filter((c) => c.backlog_low !== null && c.backlog_high !== null);
    if (found.length === 0) return "No curve was followed to saturation.";
    const middle = (c) => (c.backlog_low + c.backlog_high) / 2;
    const best = found.reduce((a, b) => (middle(b) > middle(a) ? b : a));
    const share = shareText(best);
    const of = share === null ? "" : `, ${share} of what its busiest channel could carry`;
    const isLast = curves.every((c) => c === best || (c.backlog_high !== null && c.backlog_high <= best.backlog_low));
    const name = curves.length > 1 ? `${best.name} ${isLast ? "saturates last" : "has the highest bracket"}, ` : "Saturates ";
    return `${name}between ${number(best.backlog_low)} and ${number(best.backlog_high)} flits/node/cycle${of}.`;
}

/** What all curves have in common: "torus:8x8 uniform:m=4". */
function sweepTitle(page) {
    const all = page.result.curves.map((curve) => curve.parameters || {});
    const common = ["topology", "workload"].filter((key) => all.length > 0 && all[0][key] && all.every((p) => p[key] === all[0][key]));
    return ["Sweep", ...common.map((key) => all[0][key])].join(" ");
}

class SweepReport {
    constructor(page) {
        this.curves = page.result.curves.map((curve, i) => ({ ...curve, index: i, name: curve.variant || "curve" }));
        this.points = this.curves.flatMap((curve) =>
            curve.points.map((point, i) => ({ ...point, curve, id: `${curve.index}-${i}` })));
        this.charts = [
            { id: "sweep-latency", title: "Latency", y: "latency", half: "latency_half_width", unit: "cycles", isLatency: true },
            { id: "sweep-accepted", title: "Accepted load", y: "accepted", half: "accepted_half_width", unit: "flits/node/cycle" },
        ];
        this.selected = null;
        this.hidden = new Set(); // indices of curves
        this.filter = [];        // words that the name of a curve must have
    }

    matches(curve) { return this.filter.every((word) => curve.name.toLowerCase().includes(word)); }
    isShown(curve) { return this.matches(curve) && !this.hidden.has(curve.index); }
    get shown() { return this.curves.filter((c) => this.isShown(c)); }
    get shownPoints() { return this.points.filter((p) => this.isShown(p.curve)); }

    /** After a change of what is hidden. */
    update() {
        for (const [i, item] of this.items.entries()) {
            item.hidden = !this.matches(this.curves[i]);
            item.firstChild.setAttribute("aria-pressed", !this.hidden.has(i));
        }
        this.charts.forEach((chart) => chart.redraw());
        this.sortTable.show(this.shownPoints);
        announce(`${number(this.shown.length)} of ${plural(this.curves.length, "curve")} shown`);
    }

    hide(indices) {
        this.hidden = new Set(indices);
        this.update();
    }

    toggle(i) { this.hide(this.hidden.has(i) ? [...this.hidden].filter((k) => k !== i) : [...this.hidden, i]); }

    parts(notes) {
        const sections = this.charts.map((chart) => this.chartSection(chart));
        onTheme(() => this.charts.forEach((chart) => chart.redraw()));
        this.chosen = el("div", { id: "sweep-point", class: "chosen", "aria-live": "polite" },
            el("p", { class: "hint screen" }, "Click a point, or a row of the table, for its command."));
        return [this.summary(), el("div", { class: "pair" }, sections), this.key(), this.chosen, this.table(),
            this.parameters(), noteSection(notes)];
    }

    /** All parameters, with a column per curve where they differ. */
    parameters() {
        const all = this.curves.map((c) => c.parameters || {});
        const rows = Object.keys(all[0] || {}).filter((key) => all.some((p) => p[key] !== null)).map((key) => {
            const same = all.every((p) => p[key] === all[0][key]), text = (p) => (p[key] === null ? "-" : String(p[key]));
            return { key, value: same ? text(all[0]) : all.map((p, i) => `${this.curves[i].name}: ${text(p)}`).join("; ") };
        });
        return foldedTable("parameters", "Parameters", false, rows, [["key", "Parameter"], ["value", "Value"]]);
    }

    /** Saturation and theory, a row per curve. */
    summary() {
        const rows = this.curves.map((c) => ({ name: c.name, bound: c.bound, zero: c.zero_load, accepted: acceptedText(c),
            share: shareText(c), backlog: bracketText(c.backlog_low, c.backlog_high),
            latency: bracketText(c.latency_low, c.latency_high) }));
        const columns = [["name", "Curve"], ["bound", "Bound of the busiest channel"], ["backlog", "Backlog grows"],
            ["share", "of the bound"],
            ["latency", "Latency above 3 × zero load"], ["accepted", "Accepted beyond"], ["zero", "Zero-load latency"]];
        return section("saturation", "Where does it saturate?", el("p", {}, sweepSentence(this.curves)),
            plainTable("saturation-table", "Saturation", rows, columns));
    }

    key() {
        this.items = this.curves.map((c) => {
            const { colour, symbol } = curveStyle(c.index);
            const svg = attributes(d3.create("svg"), { width: 18, height: 14, "aria-hidden": "true" });
            draw(svg, "path", { transform: "translate(9,7)", d: d3.symbol().type(symbol).size(60)(), fill: colour });
            const button = el("button", { type: "button", class: "link", "aria-pressed": "true", title: "Hide or show this curve",
                onclick: () => this.toggle(c.index) }, svg.node(), c.name);
            return el("li", {}, button);
        });
        const choose = (text, indices) => el("button", { type: "button", onclick: () => this.hide(indices) }, text);
        const tools = this.curves.length < 2 ? null : el("div", { class: "tools" },
            filterBox("curves-filter", "Curves", "vcs=4 m=8", (text) => {
                this.filter = text.toLowerCase().split(/[\s,]+/).filter(Boolean);
                this.update();
            }), choose("Show all", []), choose("Hide all", this.curves.map((c) => c.index)));
        return el("div", {}, tools, el("ul", { class: "curve-key", "aria-label": "Curves" }, this.items, el("li", { class: "note" },
            (this.curves.length < 2 ? "" : "Click a curve to hide or show it. ")
            + "Bars: 95 % intervals. Dashed: bound of the busiest channel, zero-load latency. Shaded: between the highest rate "
            + "below and the lowest beyond saturation. Hollow: too short, beyond saturation, or an interval that is not known.")));
    }

    chartSection(chart) {
        const box = el("div", { class: "chart" });
        let width = 0;
        chart.redraw = () => { if (width) this.drawChart(box, width, chart); };
        onWidth(box, (now) => {
            width = now;
            chart.redraw();
        });
        return section(chart.id, chart.title, box);
    }

    /** Upper ends of the axes. Latencies near saturation would squeeze the rest: the axis ends at 6 times zero load. */
    ends(chart) {
        const points = this.shownPoints;
        const most = d3.max(points, (p) => (p[chart.y] === null ? 0 : p[chart.y] + (p[chart.half] || 0))) || 1;
        const zero = chart.isLatency ? d3.min(this.shown, (c) => c.zero_load) : null;
        return [1.04 * (d3.max(points, (p) => p.rate) || 1), 1.05 * (zero ? Math.min(most, 6 * zero) : most)];
    }

    drawChart(box, width, chart) {
        const { height, left, right, top, bottom } = PLOT, [xEnd, yEnd] = this.ends(chart);
        const x = d3.scaleLinear().domain([0, xEnd]).range([left, width - right]);
        const y = d3.scaleLinear().domain([0, yEnd]).nice(5).range([height - bottom, top]);
        const svg = attributes(d3.create("svg"), { class: "curves", width, height, role: "group",
            "aria-label": `${chart.title} against offered load, ${plural(this.shown.length, "curve")}; `
                + "the table below has all values. Arrow keys go from point to point." });
        this.drawAxes(svg, width, chart, x, y);
        draw(draw(svg, "clipPath", { id: `${chart.id}-clip` }), "rect",
            { x: left, y: top - 6, width: width - left - right, height: height - bottom - top + 6 });
        const plot = draw(svg, "g", { "clip-path": `url(#${chart.id}-clip)` });
        // Accepted as much as offered: with replies more than the rate of requests.
        for (const sends of chart.isLatency ? [] : new Set(this.shown.map((c) => c.sends ?? 1)))
            draw(plot, "line", { class: "ideal", x1: x(0), y1: y(0), x2: x(xEnd), y2: y(sends * xEnd) });
        for (const curve of this.shown) this.drawCurve(plot, curve, chart, x, y);
        this.drawPoints(svg, chart, x, y);
        box.replaceChildren(svg.node());
    }

    drawAxes(svg, width, chart, x, y) {
        const { height, left, bottom } = PLOT, axis = { class: "axis", "aria-hidden": "true" };
        draw(svg, "g", { ...axis, transform: `translate(0,${height - bottom})` })
            .call(d3.axisBottom(x).ticks(6).tickFormat((v) => number(v)).tickSizeOuter(0));
        draw(svg, "g", { ...axis, transform: `translate(${left},0)` })
            .call(d3.axisLeft(y).ticks(5).tickFormat((v) => number(v)).tickSizeOuter(0));
        draw(svg, "text", { class: "tick", x: (left + width) / 2, y: height - 6, "text-anchor": "middle" },
            `${this.curves.some((c) => c.sends > 1) ? "rate of requests" : "offered"}, flits/node/cycle`);
        draw(svg, "text", { class: "tick", transform: `translate(13,${(height - bottom) / 2}) rotate(-90)`,
            "text-anchor": "middle" }, `${chart.title.toLowerCase()}, ${chart.unit}`);
    }

    drawCurve(plot, curve, chart, x, y) {
        const { colour, dash } = curveStyle(curve.index), g = draw(plot, "g", { class: "curve" }).style("color", colour);
        const [base, top] = y.range(), { bound, zero_load: zero } = curve;
        const [low, high] = chart.isLatency ? [curve.latency_low, curve.latency_high] : [curve.backlog_low, curve.backlog_high];
        // A line that all curves share has no curve's colour.
        const theory = (key) => (this.shown.every((c) => c[key] === curve[key]) ? "theory common" : "theory");
        if (low !== null && high !== null)
            draw(g, "rect", { class: "bracket", x: x(low), width: Math.max(2, x(high) - x(low)), y: top, height: base - top })
                .style("fill-opacity", Math.min(0.16, 0.5 / this.shown.length)); // of many, none hides the curves
        if (bound !== null) draw(g, "line", { class: theory("bound"), x1: x(bound), x2: x(bound), y1: top, y2: base });
        if (chart.isLatency && zero !== null)
            draw(g, "line", { class: theory("zero_load"), x1: x(0), x2: x.range()[1], y1: y(zero), y2: y(zero) });
        const known = this.points.filter((p) => p.curve === curve && p[chart.y] !== null).sort((a, b) => a.rate - b.rate);
        draw(g, "path", { class: "line", "stroke-dasharray": dash,
            d: d3.line().x((p) => x(p.rate)).y((p) => y(p[chart.y]))(known) });
        for (const p of known.filter((q) => q[chart.half] > 0)) {
            const from = y(p[chart.y] - p[chart.half]), to = y(p[chart.y] + p[chart.half]), at = x(p.rate);
            draw(g, "path", { class: "error", d: `M${at},${from}V${to}M${at - 4},${from}h8M${at - 4},${to}h8` });
        }
    }

    /** Points can have the focus; one of a chart is in the tab order, arrow keys go to the others. */
    drawPoints(svg, chart, x, y) {
        const known = this.shownPoints.filter((p) => p[chart.y] !== null && y(p[chart.y]) >= y.range()[1] - 6);
        const isFirm = (p) => (p.state === "steady" || p.state === "limit") && p[chart.half] !== null;
        const shapes = attributes(draw(svg, "g", { class: "points" }).selectAll("path").data(known).join("path"), {
            "data-point": (p) => p.id, "data-x": (p) => p.rate, "data-y": (p) => p[chart.y],
            role: "img", tabindex: (p, i) => (i === 0 ? 0 : -1), "aria-label": pointText,
            transform: (p) => `translate(${x(p.rate)},${y(p[chart.y])})`,
            d: (p) => d3.symbol().type(curveStyle(p.curve.index).symbol).size(52)(),
        }).style("color", (p) => curveStyle(p.curve.index).colour)
            .classed("hollow", (p) => !isFirm(p)).classed("selected", (p) => this.selected === p.id).nodes();
        shapes.forEach((shape, i) => {
            shape.addEventListener("pointerenter", (event) => showTip(event, pointText(known[i])));
            shape.addEventListener("pointerleave", hideTip);
            shape.addEventListener("focus", () => this.select(known[i].id));
            shape.addEventListener("click", () => this.select(known[i].id));
            shape.addEventListener("keydown", (event) => {
                const next = shapes[i + ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] || NaN)];
                if (!next) return;
                event.preventDefault();
                shape.setAttribute("tabindex", -1);
                next.setAttribute("tabindex", 0);
                next.focus();
            });
        });
    }

    select(id) {
        if (this.selected === id) return;
        this.selected = id;
        const point = this.points.find((p) => p.id === id);
        for (const shape of document.querySelectorAll(".points [data-point]"))
            shape.classList.toggle("selected", shape.dataset.point === id);
        this.chosen.replaceChildren(el("p", {}, pointText(point)),
            commandLine("point-command", point.command, "the command of the point"));
        this.sortTable.draw();
    }

    columns() {
        const measured = (key, title) => ({ key, title, numeric: true, value: (p) => p[key],
            text: (p) => (p[key] === null ? "-" : interval(p[key], p[`${key}_half_width`])) });
        const percentile = (key) => ({ key, title: key, numeric: true, value: (p) => p[key],
            text: (p) => (p[`${key}_low`] < p[`${key}_high`]
                ? `${number(p[key])} (${number(p[`${key}_low`])} to ${number(p[`${key}_high`])})` : number(p[key])),
            help: "percentile of the latency, in cycles, with its 95 % interval" });
        const all = [
            { key: "rate", title: "Offered", numeric: true, value: (p) => p.rate, text: (p) => number(p.rate, 6) },
            this.curves.length > 1 ? { key: "curve", title: "Curve", value: (p) => p.curve.name } : null,
            { key: "state", title: "State", value: (p) => p.state },
            { key: "load", title: "Of bound", numeric: true, value: (p) => p.load,
                text: (p) => (p.load === null ? "-" : percent(p.load)) },
            measured("accepted", "Accepted"), measured("latency", "Latency"), ...["p50", "p95", "p99"].map(percentile),
            { key: "minimum_share", title: "Least share", numeric: true, value: (p) => p.minimum_share,
                help: "accepted / offered of the source that got least" },
            { key: "command", title: "Command", value: (p) => p.command, text: (p) => el("code", {}, p.command) },
        ].filter(Boolean);
        return all.filter((column) => this.points.some((p) => column.value(p) !== null));
    }

    table() {
        this.sortTable = new SortTable("points-table", this.columns(), { caption: "Points", sort: null, rows: 40,
            onRow: (p) => this.select(p.id), attributes: (p) => ({ "data-point": p.id }),
            isSelected: (p) => p.id === this.selected });
        this.sortTable.show(this.points);
        return section("points", "Points", this.sortTable.node);
    }
}

function sweepPage(page) {
    return new SweepReport(page).parts(page.notes);
}
