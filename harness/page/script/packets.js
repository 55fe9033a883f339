// SPDX-License-Identifier: Apache-2.0
// Search for packets, and the timeline of one.

class PacketPanel {
    constructor(recording, view) {
        Object.assign(this, { recording, view });
        const p = this.packets = recording.packets;
        const columns = [
            { key: "index", title: "Packet", numeric: true, value: (i) => i, text: (i) => String(i), help: "index in the log of packets" },
            { key: "src", title: "From", numeric: true, value: (i) => p.src[i], text: (i) => String(p.src[i]) },
            { key: "dst", title: "To", numeric: true, value: (i) => p.dst[i], text: (i) => String(p.dst[i]) },
            { key: "words", title: "Words", numeric: true, value: (i) => p.words[i] },
            { key: "hops", title: "Hops", numeric: true, value: (i) => p.hops(i) },
            { key: "created", title: "Created", numeric: true, value: (i) => p.created[i] },
            { key: "injected", title: "Injected", numeric: true, value: (i) => cycleOrNull(p.injected[i]) },
            { key: "delivered", title: "Delivered", numeric: true, value: (i) => cycleOrNull(p.delivered[i]) },
            { key: "latency", title: "Latency", numeric: true, value: (i) => p.latency(i), help: "from creation to the arrival of the tail, in cycles" },
        ];
        this.table = new SortTable("packets-table", columns, { caption: "Packets", sort: "latency", rows: 12,
            onRow: (i) => view.select({ kind: "packet", id: i }), attributes: (i) => ({ "data-packet": i }),
            isSelected: (i) => view.selection && view.selection.kind === "packet" && view.selection.id === i });
        this.inputs = {};
        this.through = el("input", { type: "checkbox", id: "packets-through", onchange: () => this.update() });
        this.node = section("packets", "Packets",
            el("div", { class: "tools" }, this.input("src", "From node"), this.input("dst", "To node"), this.input("index", "Packet"),
                this.throughLabel = el("label", { for: "packets-through", hidden: true }, this.through, this.throughText = el("span", {}, " only those on the selected link"))),
            p.leftOut ? el("p", { class: "note" }, p.leftOut) : null, this.table.node);
        view.on("time", () => { if (this.through.checked) this.update(); });
        view.on("selection", () => this.selectionChanged());
        view.listeners["packets-of-channel"] = [() => {
            this.through.checked = true;
            this.update();
            this.node.scrollIntoView({ block: "nearest" });
        }];
        this.update();
    }

    input(key, label) {
        this.inputs[key] = el("input", { type: "search", inputmode: "numeric", id: `packets-${key}`, size: 7, autocomplete: "off", oninput: () => this.update() });
        return el("label", { class: "filter", for: `packets-${key}` }, label, this.inputs[key]);
    }

    selectionChanged() {
        const { selection } = this.view;
        if (selection && selection.kind === "channel" && this.recording.isLink(selection.id)) this.link = selection.id;
        if (this.link !== undefined && this.throughLabel.hidden) this.throughLabel.hidden = false;
        if (this.link !== undefined) this.throughText.textContent = ` only those on link ${this.recording.channelName(this.link)} in the interval shown`;
        if (this.through.checked) this.update();
        else this.table.draw();
    }

    matches(i) {
        const { packets, recording, view } = this;
        for (const key of ["src", "dst"]) {
            const text = this.inputs[key].value.trim();
            if (text && packets[key][i] !== parseNode(recording, text)) return false;
        }
        const index = this.inputs.index.value.trim();
        if (index && i !== Number(index)) return false;
        if (!this.through.checked || this.link === undefined) return true;
        const first = recording.firstCycle(view.from), last = recording.lastCycle(view.to);
        return packets.path(i).some((hop) => hop.channel === this.link && hop.cycle <= last && hop.cycle + packets.words[i] > first);
    }

    update() {
        this.table.show(d3.range(this.packets.count).filter((i) => this.matches(i)));
    }
}

function cycleOrNull(cycle) {
    return cycle === NO_NODE ? null : cycle;
}

/** [{ label, from, to, least, channel }]: what the packet's head did when; `least` cycles are needed without waiting. */
function packetSteps(recording, i) {
    const { packets, network } = recording, path = packets.path(i), least = network.minimum_hop === "words" ? packets.words[i] : network.minimum_hop || 1;
    const steps = [], injected = cycleOrNull(packets.injected[i]), delivered = cycleOrNull(packets.delivered[i]);
    const end = delivered === null ? recording.time.last : delivered;
    let before = injected;
    if (injected === null) return [{ label: `queue at ${packets.src[i]}`, from: packets.created[i], to: end, least: 0 }];
    if (injected > packets.created[i])
        steps.push({ label: `queue at ${packets.src[i]}`, from: packets.created[i], to: injected, least: 0 });
    for (const hop of path) {
        steps.push({ label: `${hop.node} → ${recording.to(hop.node, hop.port)} ${network.link_names[hop.port]}`, from: before, to: hop.cycle, least, channel: hop.channel });
        before = hop.cycle;
    }
    steps.push({ label: delivered === null ? "not delivered" : `eject at ${packets.dst[i]}`, from: before, to: end, least: packets.words[i] - 1 + least });
    return steps;
}

/** A bar per step of the packet: the necessary part and the waiting. */
function timeline(recording, i, view) {
    const steps = packetSteps(recording, i), { packets } = recording, row = 20, left = 104, width = 400, right = 46;
    const end = d3.max(steps, (step) => step.to), x = d3.scaleLinear().domain([packets.created[i], Math.max(end, packets.created[i] + 1)]).range([left, width - right]);
    const height = steps.length * row + 24, waits = (step) => Math.max(0, step.to - step.from - step.least);
    const total = d3.sum(steps, waits);
    const svg = d3.create("svg").attr("class", "timeline").attr("role", "img").attr("viewBox", `0 0 ${width} ${height}`)
        .attr("aria-label", `Timeline of the packet: ${steps.map((step) => `${step.label}: cycles ${step.from} to ${step.to}, waited ${waits(step)}`).join("; ")}`);
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - 20})`).call(d3.axisBottom(x).ticks(4).tickSizeOuter(0).tickFormat((v) => number(v)));
    const g = svg.selectAll("g.step").data(steps).join("g").attr("class", "step").attr("transform", (step, k) => `translate(0,${k * row})`)
        .attr("data-from", (step) => step.from).attr("data-to", (step) => step.to).attr("data-wait", waits);
    g.append("text").attr("x", left - 8).attr("y", 14).attr("text-anchor", "end").text((step) => step.label);
    g.append("rect").attr("class", "wait").attr("x", (step) => x(step.from)).attr("y", 4).attr("height", row - 7)
        .attr("width", (step) => Math.max(waits(step) > 0 ? 1 : 0, x(step.from + waits(step)) - x(step.from)));
    g.append("rect").attr("class", "move").attr("x", (step) => x(step.from + waits(step))).attr("y", 4).attr("height", row - 7)
        .attr("width", (step) => Math.max(1.5, x(step.to) - x(step.from + waits(step))));
    g.append("text").attr("class", "tick").attr("x", (step) => x(step.to) + 5).attr("y", 14).text((step) => (waits(step) > 0 ? `+${number(waits(step))}` : ""));
    return el("figure", { class: "timeline-box" }, el("figcaption", {}, `The head's way. Waiting: ${plural(total, "cycle")} of ${number(end - packets.created[i])}.`), svg.node(),
        el("p", { class: "keys" }, el("span", { class: "swatch wait" }), "waited", el("span", { class: "swatch move" }), "moved",
            el("button", { type: "button", onclick: () => view.showCycles(packets.created[i], end) }, "Show these cycles")));
}
