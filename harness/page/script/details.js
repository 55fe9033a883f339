// SPDX-License-Identifier: Apache-2.0
// Beside the network: what is selected, in the interval shown; without a selection the channels with the most.

class DetailsPanel {
    constructor(recording, view) {
        Object.assign(this, { recording, view });
        this.body = el("div", { class: "details-body" });
        this.search = el("input", { type: "search", id: "node-search", placeholder: "7 or 3,1", autocomplete: "off" });
        this.answer = el("span", { class: "note", id: "node-answer", role: "status" });
        this.node = el("div", { class: "details" },
            el("form", { class: "tools", onsubmit: (event) => this.find(event) },
                el("label", { class: "filter", for: "node-search" }, "Node", this.search), el("button", {}, "Find"), this.answer),
            this.body);
        view.on("time", () => this.update());
        view.on("selection", () => this.update());
        this.update();
    }

    find(event) {
        event.preventDefault();
        const node = parseNode(this.recording, this.search.value);
        this.answer.textContent = node === null ? `expected a label from 0 to ${this.recording.nodes - 1}, or coordinates` : "";
        if (node !== null) this.view.select({ kind: "node", id: node });
    }

    update() {
        const { selection } = this.view;
        const parts = selection === null ? this.overview()
            : { channel: () => this.channel(selection.id), node: () => this.router(selection.id), packet: () => this.packet(selection.id) }[selection.kind]();
        this.body.replaceChildren(...parts);
    }

    heading(text) {
        return el("div", { class: "details-head" }, el("h3", {}, text), this.view.selection
            ? el("button", { type: "button", "aria-label": "Clear the selection", onclick: () => this.view.select(null) }, "×") : null);
    }

    /** Bars of the channels with the most of the measure, now. */
    overview() {
        const { recording, view } = this, { measure, from, to } = view, m = MEASURES[measure];
        const values = measureValues(recording, measure, from, to), top = measureTop(recording, measure, view.isWhole);
        const busy = topOf(values, 8, (c) => !recording.isInject(c));
        const buffered = recording.perNode(recording.sum("buffered", from, to)).map((v) => v / (to - from));
        const full = topOf(buffered, 4, () => true);
        const bar = (kind, name, text, fraction, selection) => el("li", {},
            el("button", { type: "button", class: "link", onclick: () => view.select(selection) }, name),
            el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `width:${(100 * Math.min(1, fraction)).toFixed(1)}%;background:${rampColour(kind, fraction)}` })),
            el("span", { class: "value" }, text));
        return [this.heading(`${m.label}: most, ${view.when}`),
            busy.length ? el("ol", { class: "bars", id: "network-text" }, busy.map((c) => bar("link", `${recording.channelName(c)} ${recording.isLink(c) ? recording.portName(c) : ""}`,
                m.format(values[c]), values[c] / top, { kind: "channel", id: c }))) : el("p", { class: "note", id: "network-text" }, "Nothing in this interval."),
            full.length ? el("h3", {}, "Words in buffers: most") : null,
            full.length ? el("ol", { class: "bars" }, full.map((n) => bar("node", `router ${recording.nodeName(n)}`, number(buffered[n], 3),
                buffered[n] / bufferTop(recording), { kind: "node", id: n }))) : null,
            el("p", { class: "hint screen" }, "Click a link, a node or a packet for details.")].filter(Boolean);
    }

    channel(c) {
        const { recording, view } = this, { from, to } = view, cycles = recording.cycles(from, to);
        const at = (name) => recording.sum(name, from, to)[c], flits = at("flits");
        const rows = [["Words", number(flits), ` in ${plural(cycles, "cycle")}`], ["Use", percent(flits / cycles)]];
        if (recording.hasTaps) rows.push(["Contended", number(at("contended")), " cycles"], ["Starved", number(at("starved")), " cycles"]);
        if (!recording.isEject(c)) rows.push(["Buffer it feeds", number(at("buffered") / (to - from), 3), " words, mean"]);
        const series = [["use", recording.over("flits", c), 1]];
        if (recording.hasTaps) {
            const waiting = recording.over("contended", c);
            recording.over("starved", c).forEach((v, k) => { waiting[k] += v; });
            series.push(["waiting", waiting, null]);
        }
        return [this.heading(capital(recording.channelTitle(c))), el("div", { id: "network-text" }, figures(rows)),
            ...series.map(([name, values, top]) => sparkline(recording, view, name, values, top)),
            recording.packets ? el("p", {}, el("button", { type: "button", onclick: () => view.emit("packets-of-channel") }, "Packets that used it then")) : null].filter(Boolean);
    }

    router(n) {
        const { recording, view } = this, { from, to } = view, cycles = recording.cycles(from, to);
        const flits = recording.sum("flits", from, to), contended = recording.sum("contended", from, to), starved = recording.sum("starved", from, to);
        const words = recording.perNode(recording.sum("buffered", from, to))[n] / (to - from);
        const mine = d3.range(recording.count).filter((c) => recording.node[c] === n);
        const into = d3.range(recording.links).map((port) => recording.to(n, port)).filter((m) => m !== null)
            .map((m) => d3.range(recording.links).map((port) => (recording.to(m, port) === n ? recording.channel(m, port) : undefined))).flat().filter((c) => c !== undefined);
        const row = (c) => el("tr", {}, el("td", {}, el("button", { type: "button", class: "link", onclick: () => view.select({ kind: "channel", id: c }) }, recording.channelName(c))),
            el("td", {}, recording.portName(c)), el("td", { class: "numeric" }, percent(flits[c] / cycles)),
            recording.hasTaps ? el("td", { class: "numeric" }, recording.isInject(c) ? "-" : number(contended[c] + starved[c])) : null);
        const table = (title, channels) => el("table", { class: "small" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, title), el("th", { scope: "col" }, "Port"),
            el("th", { scope: "col", class: "numeric" }, "Use"), recording.hasTaps ? el("th", { scope: "col", class: "numeric" }, "Waiting") : null)), el("tbody", {}, channels.map(row)));
        const source = (recording.result.sources || []).find((s) => s.node === n);
        return [this.heading(`Router ${recording.nodeName(n)}`), el("div", { id: "network-text" }, figures([["In its buffers", number(words, 3), " words, mean"],
            ...(source && source.latency !== null ? [["Latency from here", number(source.latency), " cycles, mean"]] : [])])),
        table("Out", mine.filter((c) => !recording.isInject(c))), table("In", [...mine.filter((c) => recording.isInject(c)), ...new Set(into)])];
    }

    packet(i) {
        const { recording } = this, { packets } = recording;
        return [this.heading(`Packet ${i}: ${packets.src[i]} → ${packets.dst[i]}`), el("div", { id: "network-text" },
            figures([["Latency", packets.isDelivered(i) ? number(packets.latency(i)) : "not delivered", " cycles"], ["Hops", number(packets.hops(i))], ["Words", number(packets.words[i])]])), timeline(recording, i, this.view)];
    }
}

function topOf(values, count, allowed) {
    return d3.range(values.length).filter((i) => values[i] > 0 && allowed(i)).sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
}

/** A node from a label, or from coordinates as "(3,1)", "3,1" or "x3y1"; null if there is none. */
function parseNode(recording, text) {
    const { radix } = recording.network, numbers = (text.match(/\d+/g) || []).map(Number);
    if (!/^[\s()xyz\d,]*$/.test(text) || numbers.length === 0) return null;
    if (numbers.length === 1) return numbers[0] < recording.nodes ? numbers[0] : null;
    if (numbers.length !== radix.length || numbers.some((value, d) => value >= radix[d])) return null;
    return numbers.reduceRight((node, digit, d) => node * radix[d] + digit, 0);
}

/** A small area chart of one channel over the whole run, with the interval shown. */
function sparkline(recording, view, name, values, top) {
    const per = perCycle(recording, values), high = top || d3.max(per) || 1, width = 360, height = 44;
    const x = d3.scaleLinear().domain([0, recording.bins]).range([0, width]), y = d3.scaleLinear().domain([0, high]).range([height, 0]);
    const area = d3.area().curve(d3.curveStepAfter).x((k) => x(k)).y0(height).y1((k) => y(per[Math.min(k, recording.bins - 1)]));
    const text = `${capital(name)} over the run: mean ${name === "use" ? percent(d3.mean(per)) : number(d3.mean(per), 3)}, highest ${name === "use" ? percent(d3.max(per)) : number(d3.max(per), 3)}`;
    const svg = d3.create("svg").attr("class", "spark").attr("role", "img").attr("aria-label", text)
        .attr("viewBox", `0 0 ${width} ${height}`).attr("preserveAspectRatio", "none");
    if (!view.isWhole)
        svg.append("rect").attr("class", "window").attr("x", x(view.from)).attr("width", Math.max(1, x(view.to) - x(view.from))).attr("height", height);
    svg.append("path").attr("class", `area ${name === "use" ? "use" : "contended"}`).attr("d", area(d3.range(recording.bins + 1)));
    return el("figure", { class: "spark-box" }, el("figcaption", {}, text), svg.node());
}
