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
                el("label", { class: "filter", for: "node-search" }, "Node", this.search),
                el("button", {}, "Find"), this.answer),
            this.body);
        view.on("time", () => this.update());
        view.on("selection", () => this.update());
        this.update();
    }

    find(event) {
        event.preventDefault();
        const node = parseNode(this.recording, this.search.value), last = this.recording.nodes - 1;
        this.answer.textContent = node === null ? `expected a label from 0 to ${last}, or coordinates` : "";
        if (node !== null) this.view.select({ kind: "node", id: node });
    }

    update() {
        const { selection } = this.view;
        const parts = {
            none: () => this.overview(),
            channel: () => this.channel(selection.id),
            node: () => this.router(selection.id),
            packet: () => this.packet(selection.id),
        };
        this.body.replaceChildren(...parts[selection ? selection.kind : "none"]().filter(Boolean));
    }

    heading(text) {
        const clear = () => el("button",
            { type: "button", "aria-label": "Clear the selection", onclick: () => this.view.select(null) }, "×");
        return el("div", { class: "details-head" }, el("h3", {}, text), this.view.selection ? clear() : null);
    }

    /** A sum over the interval, per channel. */
    sum(name) { return this.recording.sum(name, this.view.from, this.view.to); }

    /** Words in the buffers of every router, mean over the interval. */
    buffered() {
        return this.recording.perNode(this.sum("buffered")).map((words) => words / this.view.width);
    }

    /** Bars of the channels and the routers with the most, now. */
    overview() {
        const { recording, view } = this, { measure, from, to } = view, m = MEASURES[measure];
        const values = measureValues(recording, measure, from, to), top = measureTop(recording, measure, view.isWhole);
        const buffered = this.buffered(), most = bufferTop(recording);
        const channels = topOf(values, 8, (c) => !recording.isInject(c)).map((c) => this.bar("link",
            `${recording.channelName(c)} ${recording.isLink(c) ? recording.portName(c) : ""}`,
            m.format(values[c]), values[c] / top, { kind: "channel", id: c }));
        const routers = topOf(buffered, 4, () => true).map((n) => this.bar("node",
            `router ${recording.nodeName(n)}`, number(buffered[n], 3), buffered[n] / most, { kind: "node", id: n }));
        return [
            this.heading(`${m.label}: most, ${view.when}`),
            el("ol", { class: "bars", id: "network-text" },
                channels.length ? channels : el("li", { class: "note" }, "Nothing in this interval.")),
            routers.length ? el("h3", {}, "Words in buffers: most") : null,
            routers.length ? el("ol", { class: "bars" }, routers) : null,
            el("p", { class: "hint screen" }, "Click a link, a node or a packet for details."),
        ];
    }

    bar(kind, name, text, fraction, selection) {
        const width = (100 * Math.min(1, fraction)).toFixed(1);
        return el("li", {},
            el("button", { type: "button", class: "link", onclick: () => this.view.select(selection) }, name),
            el("span", { class: "bar", "aria-hidden": "true" },
                el("span", { style: `width:${width}%;background:${rampColour(kind, fraction)}` })),
            el("span", { class: "value" }, text));
    }

    channel(c) {
        const { recording, view } = this, cycles = recording.cycles(view.from, view.to);
        const flits = this.sum("flits")[c], waiting = recording.over("contended", c);
        recording.over("starved", c).forEach((value, k) => { waiting[k] += value; });
        const rows = [["Words", number(flits), ` in ${plural(cycles, "cycle")}`], ["Use", percent(flits / cycles)]];
        if (recording.hasTaps)
            rows.push(["Contended", number(this.sum("contended")[c]), " cycles"],
                ["Starved", number(this.sum("starved")[c]), " cycles"]);
        if (!recording.isEject(c))
            rows.push(["Buffer it feeds", number(this.sum("buffered")[c] / view.width, 3), " words, mean"]);
        const packets = () => el("p", {}, el("button",
            { type: "button", onclick: () => view.emit("packets-of-channel") }, "Packets that used it then"));
        return [
            this.heading(capital(recording.channelTitle(c))),
            el("div", { id: "network-text" }, figures(rows)),
            sparkline(recording, view, "use", recording.over("flits", c), percent),
            recording.hasTaps ? sparkline(recording, view, "waiting", waiting, (value) => number(value, 3)) : null,
            recording.packets && recording.isLink(c) ? packets() : null,
        ];
    }

    router(n) {
        const { recording } = this, source = (recording.result.sources || []).find((s) => s.node === n);
        const rows = [["In its buffers", number(this.buffered()[n], 3), " words, mean"]];
        if (source && source.latency !== null) rows.push(["Latency from here", number(source.latency), " cycles, mean"]);
        const mine = d3.range(recording.count).filter((c) => recording.node[c] === n);
        const into = d3.range(recording.count)
            .filter((c) => recording.isLink(c) && recording.to(recording.node[c], recording.port[c]) === n);
        return [
            this.heading(`Router ${recording.nodeName(n)}`),
            el("div", { id: "network-text" }, figures(rows)),
            this.channelTable("Out", mine.filter((c) => !recording.isInject(c))),
            this.channelTable("In", [...mine.filter((c) => recording.isInject(c)), ...into]),
        ];
    }

    channelTable(title, channels) {
        const { recording, view } = this, cycles = recording.cycles(view.from, view.to), taps = recording.hasTaps;
        const flits = this.sum("flits"), contended = this.sum("contended"), starved = this.sum("starved");
        const head = (text, numeric) => el("th", { scope: "col", class: numeric ? "numeric" : null }, text);
        const cell = (content, numeric) => el("td", { class: numeric ? "numeric" : null }, content);
        const link = (c) => el("button",
            { type: "button", class: "link", onclick: () => view.select({ kind: "channel", id: c }) },
            recording.channelName(c));
        const row = (c) => el("tr", {}, cell(link(c)), cell(recording.portName(c)), cell(percent(flits[c] / cycles), true),
            taps ? cell(recording.isInject(c) ? "-" : number(contended[c] + starved[c]), true) : null);
        return el("table", { class: "small" },
            el("thead", {}, el("tr", {}, head(title), head("Port"), head("Use", true), taps ? head("Waiting", true) : null)),
            el("tbody", {}, channels.map(row)));
    }

    packet(i) {
        const { packets } = this.recording;
        const latency = packets.isDelivered(i) ? number(packets.latency(i)) : "not delivered";
        return [
            this.heading(`Packet ${i}: ${packets.src[i]} → ${packets.dst[i]}`),
            el("div", { id: "network-text" }, figures([["Latency", latency, packets.isDelivered(i) ? " cycles" : null],
                ["Hops", number(packets.hops(i))], ["Words", number(packets.words[i])]])),
            timeline(this.recording, i, this.view),
        ];
    }
}

/** The indices of the largest positive values. */
function topOf(values, count, allowed) {
    return d3.range(values.length).filter((i) => values[i] > 0 && allowed(i))
        .sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
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
function sparkline(recording, view, name, values, format) {
    const per = perCycle(recording, values), width = 360, height = 44, last = recording.bins - 1;
    const x = d3.scaleLinear().domain([0, recording.bins]).range([0, width]);
    const y = d3.scaleLinear().domain([0, name === "use" ? 1 : d3.max(per) || 1]).range([height, 0]);
    const area = d3.area().curve(d3.curveStepAfter).x((k) => x(k)).y0(height).y1((k) => y(per[Math.min(k, last)]));
    const text = `${capital(name)} over the run: mean ${format(d3.mean(per))}, highest ${format(d3.max(per))}`;
    const svg = svgImage("spark", text, { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" });
    if (!view.isWhole)
        draw(svg, "rect", { class: "window", x: x(view.from), width: Math.max(1, x(view.to) - x(view.from)), height });
    draw(svg, "path", { class: `area ${name === "use" ? "use" : "contended"}`, d: area(d3.range(recording.bins + 1)) });
    return el("figure", { class: "spark-box" }, el("figcaption", {}, text), svg.node());
}
