// SPDX-License-Identifier: Apache-2.0
// Time: strip charts of the whole network with a brush, and the scrubber below them.

const STRIP = { left: 54, right: 12, top: 2, row: 44, gap: 17, axis: 24, marks: 12 };

/** Rows of the strip chart: areas stacked from the bottom, lines on top; values per bin. */
function stripRows(recording, found) {
    const { strip, bins, linkCount: channels } = recording, per = (name) => perCycle(recording, strip[name]);
    const rows = [{ title: "Link use", unit: "%", format: (v) => percent(v), top: 1,
        areas: [{ label: "mean of all links", values: per("flits").map((v) => v / channels), colour: "use" }],
        lines: found.filter((f) => f.mark === "A").map((f) => ({ label: `A, ${recording.channelName(f.channel)}`,
            values: smooth(perCycle(recording, recording.over("flits", f.channel))), colour: "peak" })) }];
    if (recording.hasTaps)
        rows.push({ title: "Flits waiting", unit: "flits", format: (v) => number(v, 3),
            areas: [{ label: "contended", values: per("contended"), colour: "contended" },
                { label: "starved", values: per("starved"), colour: "starved" }], lines: [] });
    if (strip.buffered)
        rows.push({ title: "Words in buffers", unit: "words", format: (v) => number(v, 3),
            areas: [{ label: "in all buffers", values: Array.from(strip.buffered), colour: "buffered" }], lines: [] });
    for (const row of rows) {
        const total = d3.range(bins).map((k) => d3.sum(row.areas, (area) => area.values[k]));
        row.top = row.top || d3.scaleLinear().domain([0, d3.max(total) || 1]).nice(3).domain()[1];
    }
    return rows;
}

/** Moving mean over a fiftieth of the run: lines of single channels would hide the rest otherwise. */
function smooth(values) {
    const half = Math.floor(values.length / 100), sums = [0];
    for (const value of values) sums.push(sums[sums.length - 1] + value);
    return values.map((value, k) => {
        const from = Math.max(0, k - half), to = Math.min(values.length, k + half + 1);
        return (sums[to] - sums[from]) / (to - from);
    });
}

function perCycle(recording, sums) {
    return Array.from(sums || [], (value, k) => value / recording.cycles(k, k + 1));
}

class TimePanel {
    constructor(recording, view, found) {
        Object.assign(this, { recording, view, found });
        this.rows = stripRows(recording, found);
        this.height = STRIP.top + this.rows.length * (STRIP.row + STRIP.gap) + STRIP.axis + found.length * STRIP.marks;
        this.plot = this.height - STRIP.axis - found.length * STRIP.marks; // bottom of the rows
        this.svg = d3.create("svg").attr("class", "strip").attr("height", this.height).attr("role", "img")
            .attr("aria-label", this.describe());
        this.readout = el("output", { class: "readout", for: "scrub" });
        this.slider = el("input", { type: "range", id: "scrub", min: 0, max: Math.max(0, recording.bins - 1), step: 1, value: 0,
            "aria-label": "Time", oninput: () => view.moveTo(Number(this.slider.value)) });
        this.playButton = el("button", { type: "button", class: "play", onclick: () => view.play() }, "Play");
        this.wholeButton = el("button", { type: "button", onclick: () => view.wholeRun() }, "Whole run");
        const box = el("div", { class: "strip-box" }, this.svg.node());
        this.node = section("time", "When", box,
            el("div", { class: "scrubber" }, this.playButton,
                el("button", { type: "button", "aria-label": "One step back", onclick: () => view.step(-1) }, "‹"),
                this.slider,
                el("button", { type: "button", "aria-label": "One step on", onclick: () => view.step(1) }, "›"),
                this.wholeButton, this.readout));
        this.node.firstChild.append(el("small", { class: "screen" }, `Drag over the chart to choose an interval. One step is `
            + `${plural(recording.time.bin, "cycle")}. Keys: ← → move, space plays, Escape shows the whole run.`));
        onWidth(box, (width) => this.draw(width));
        view.on("time", () => this.update());
        view.on("selection", () => this.drawSelected());
    }

    /** The chart in words: where each row is highest. */
    describe() {
        const parts = this.rows.map((row) => {
            const total = d3.range(this.recording.bins).map((k) => d3.sum(row.areas, (area) => area.values[k]));
            const at = total.indexOf(d3.max(total));
            return `${row.title}: mean ${row.format(d3.mean(total))}, highest ${row.format(total[at])} in `
                + cycleRange(this.recording.firstCycle(at), this.recording.lastCycle(at + 1));
        });
        return `Three charts over time. ${parts.join(". ")}.`;
    }

    draw(width) {
        const { svg, recording } = this;
        svg.attr("width", width).attr("viewBox", `0 0 ${width} ${this.height}`).selectAll("*").remove();
        this.x = d3.scaleLinear().domain([0, recording.bins]).range([STRIP.left, width - STRIP.right]);
        this.rows.forEach((row, i) => this.drawRow(row, STRIP.top + i * (STRIP.row + STRIP.gap)));
        this.drawAxis(width);
        this.selected = svg.append("path").attr("class", "selected-line");
        this.drawMarks();
        this.drawBrush(width);
        this.update();
        this.drawSelected();
    }

    drawRow(row, top) {
        const { x } = this, base = top + STRIP.gap + STRIP.row - 2;
        row.y = d3.scaleLinear().domain([0, row.top]).range([base, top + STRIP.gap]);
        const g = this.svg.append("g").attr("class", "row");
        const [left, right] = x.range();
        draw(g, "line", { class: "base", x1: left, x2: right, y1: base, y2: base });
        const title = draw(g, "text", { class: "title", x: left, y: top + STRIP.gap - 5 });
        title.append("tspan").text(row.title);
        for (const part of [...row.areas, ...row.lines]) {
            draw(title, "tspan", { class: `key ${part.colour}`, dx: 12 }, row.lines.includes(part) ? "━ " : "■ ");
            draw(title, "tspan", { class: "label" }, part.label);
        }
        for (const [value, y] of [[row.format(row.top), top + STRIP.gap + 8], ["0", base]])
            draw(g, "text", { class: "tick", x: left - 6, y, "text-anchor": "end" }, value);
        const { bins } = this.recording, below = new Float64Array(bins), at = (k) => Math.min(k, bins - 1);
        for (const area of row.areas) {
            const lower = Array.from(below);
            area.values.forEach((value, k) => { below[k] += value; });
            const shape = d3.area().curve(d3.curveStepAfter).x((k) => x(k))
                .y0((k) => row.y(lower[at(k)])).y1((k) => row.y(below[at(k)]));
            draw(g, "path", { class: `area ${area.colour}`, d: shape(d3.range(bins + 1)) });
        }
        for (const line of row.lines)
            g.append("path").attr("class", `line ${line.colour}`).attr("d", this.line(line.values, row.y));
    }

    line(values, y) {
        const { bins } = this.recording;
        return d3.line().curve(d3.curveStepAfter).x((k) => this.x(k))
            .y((k) => y(values[Math.min(k, bins - 1)]))(d3.range(bins + 1));
    }

    drawAxis(width) {
        const { recording, x } = this, { first, bin, last } = recording.time;
        const cycles = d3.scaleLinear().domain([first, first + recording.bins * bin]).range(x.range());
        const axis = d3.axisBottom(cycles).ticks(Math.max(2, Math.floor(width / 110))).tickSizeOuter(0)
            .tickFormat((cycle) => (cycle <= last ? number(cycle) : ""));
        const g = this.svg.append("g").attr("class", "axis").attr("aria-hidden", "true")
            .attr("transform", `translate(0,${this.plot})`).call(axis);
        draw(g, "text", { x: x.range()[0] - 6, y: 9, dy: "0.71em", "text-anchor": "end" }, "cycle");
    }

    /** The intervals of the findings, as bars below the axis. */
    drawMarks() {
        const g = this.svg.append("g").attr("class", "marks").selectAll("g").data(this.found).join("g")
            .attr("transform", (f, i) => `translate(0,${this.height - STRIP.marks * (this.found.length - i) + 6})`);
        g.append("line").attr("x1", (f) => this.x(f.from)).attr("x2", (f) => this.x(f.to));
        draw(g, "text", { x: this.x.range()[0] - 8, dy: "0.36em", "text-anchor": "end" }, (f) => f.mark);
    }

    drawBrush(width) {
        this.brush = d3.brushX().extent([[STRIP.left, 0], [width - STRIP.right, this.plot]]).on("brush end", (given) => {
            const event = d3.event || given; // d3 before version 6
            if (!event.sourceEvent || this.placing) return;
            const range = event.selection, end = event.type === "end";
            if (!range) {
                if (end) this.clicked(event.sourceEvent);
                return;
            }
            const from = Math.floor(this.x.invert(range[0]) + 0.001), to = Math.ceil(this.x.invert(range[1]) - 0.001);
            this.dragging = !end;
            this.view.setTime(from, to);
            if (end) this.placeBrush();
        });
        this.brushGroup = this.svg.append("g").attr("class", "brush").call(this.brush);
    }

    /** A click without dragging goes to that bin. */
    clicked(event) {
        const left = this.svg.node().getBoundingClientRect().left;
        const bin = Math.floor(this.x.invert(event.clientX - left));
        this.view.setTime(bin, bin + 1);
        this.placeBrush();
    }

    placeBrush() {
        const { view } = this;
        this.placing = true; // what follows is not the user's
        this.brushGroup.call(this.brush.move, view.isWhole ? null : [this.x(view.from), this.x(view.to)]);
        this.placing = false;
    }

    update() {
        const { view, slider } = this;
        slider.value = view.isWhole ? 0 : view.from;
        slider.setAttribute("aria-valuetext", view.when);
        this.readout.textContent = capital(view.when);
        this.readout.dataset.from = view.from;
        this.readout.dataset.to = view.to;
        this.playButton.textContent = view.playing ? "Pause" : "Play";
        this.wholeButton.disabled = view.isWhole;
        if (this.brushGroup && !this.dragging) this.placeBrush();
    }

    /** The selected channel's own use, on the first row. */
    drawSelected() {
        const { selection } = this.view;
        if (!this.selected) return;
        const show = selection && selection.kind === "channel";
        const values = show ? smooth(perCycle(this.recording, this.recording.over("flits", selection.id))) : null;
        this.selected.attr("d", show ? this.line(values, this.rows[0].y) : null);
    }
}
