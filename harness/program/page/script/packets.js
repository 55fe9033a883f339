// SPDX-License-Identifier: Apache-2.0
// Search for packets, and the timeline of one.

class PacketPanel {
    constructor(recording, view) {
        Object.assign(this, { recording, view });
        const p = this.packets = recording.packets;
        this.table = new SortTable("packets-table", packetColumns(p), {
            caption: "Packets", sort: "latency", rows: 12,
            onRow: (i) => view.select({ kind: "packet", id: i }),
            attributes: (i) => ({ "data-packet": i }),
            isSelected: (i) => view.isSelected("packet", i),
        });
        this.inputs = {};
        this.through = el("input", { type: "checkbox", id: "packets-through", onchange: () => this.update() });
        this.throughText = el("span", {}, " only those on the selected link");
        this.throughLabel = el("label", { for: "packets-through", hidden: true }, this.through, this.throughText);
        this.node = section("packets", "Packets",
            el("div", { class: "tools" }, this.input("src", "From node"), this.input("dst", "To node"),
                this.input("index", "Packet"), this.throughLabel),
            p.leftOut ? el("p", { class: "note" }, p.leftOut) : null,
            this.way = el("div", { id: "packet-way", "aria-live": "polite" }), this.table.node);
        view.on("time", () => { if (this.through.checked) this.update(); });
        view.on("selection", () => this.selectionChanged());
        view.on("packets-of-channel", () => {
            this.through.checked = true;
            this.update();
            this.node.scrollIntoView({ block: "nearest" });
        });
        this.showWay(null);
        this.update();
    }

    input(key, label) {
        this.inputs[key] = el("input", { type: "search", inputmode: "numeric", id: `packets-${key}`, size: 7,
            autocomplete: "off", oninput: () => this.update() });
        return el("label", { class: "filter", for: `packets-${key}` }, label, this.inputs[key]);
    }

    selectionChanged() {
        const { selection } = this.view;
        if (selection && selection.kind === "channel" && this.recording.isLink(selection.id)) {
            this.link = selection.id;
            this.throughLabel.hidden = false;
            this.throughText.textContent = ` only those on link ${this.recording.channelName(this.link)} in the interval shown`;
        }
        this.showWay(selection && selection.kind === "packet" ? selection.id : null);
        if (this.through.checked) this.update();
        else this.table.draw();
    }

    /** The path of a packet beside the table, because the picture of the network may be out of sight. */
    showWay(i) {
        const { packets, recording } = this;
        if (i === null) {
            this.way.replaceChildren(el("p", { class: "hint screen" }, "Click a packet for its path."));
            return;
        }
        const hops = packets.path(i).map(({ node, port, cycle }) =>
            ` → ${recording.to(node, port)} (${recording.network.link_names[port]}, cycle ${number(cycle)})`);
        const end = packets.isDelivered(i) ? `, delivered in cycle ${number(packets.delivered[i])}` : ", not delivered";
        this.way.replaceChildren(el("p", {}, `Packet ${i}: ${packets.src[i]}`, hops.join(""), end, ". ", el("button",
            { type: "button", onclick: () => document.getElementById("network").scrollIntoView({ block: "start" }) },
            "Show in the network")));
    }

    matches(i) {
        const { packets, recording } = this;
        for (const key of ["src", "dst"]) {
            const text = this.inputs[key].value.trim();
            if (text && packets[key][i] !== (recording.firstNode ? Number(text) : parseNode(recording, text))) return false;
        }
        const index = this.inputs.index.value.trim();
        if (index && i !== Number(index)) return false;
        return !this.through.checked || this.isOnLink(i);
    }

    /** Did a word of the packet cross the link in the interval shown? Later words follow the head without gaps, or later. */
    isOnLink(i) {
        const { packets, recording, view } = this;
        const first = recording.firstCycle(view.from), last = recording.lastCycle(view.to);
        return packets.path(i).some((hop) =>
            hop.channel === this.link && hop.cycle <= last && hop.cycle + packets.words[i] > first);
    }

    update() {
        this.table.show(d3.range(this.packets.count).filter((i) => this.matches(i)));
    }
}

function packetColumns(p) {
    const column = (key, title, value, more) => ({ key, title, numeric: true, value, ...more });
    const label = (key, title, value, help) => column(key, title, value, { text: (i) => String(value(i)), help });
    return [
        label("index", "Packet", (i) => i, "index in the log of packets"),
        label("src", "From", (i) => p.src[i]),
        label("dst", "To", (i) => p.dst[i]),
        column("words", "Words", (i) => p.words[i]),
        column("hops", "Hops", (i) => p.hops(i)),
        column("created", "Created", (i) => p.created[i]),
        column("injected", "Injected", (i) => cycleOrNull(p.injected[i])),
        column("delivered", "Delivered", (i) => cycleOrNull(p.delivered[i])),
        column("latency", "Latency", (i) => p.latency(i), { help: "from creation to the arrival of the tail, in cycles" }),
    ];
}

function cycleOrNull(cycle) {
    return cycle === NO_NODE ? null : cycle;
}

/** [{ label, from, to, least }]: what the packet's head did when; `least` cycles are needed without waiting. */
function packetSteps(recording, i) {
    const { packets, network } = recording, { minimum_hop: hop, stages, link_delay: delay } = network;
    const through = (hop === "words" ? packets.words[i] : hop || 1) + stages - 1;
    let least = through;
    const injected = cycleOrNull(packets.injected[i]), delivered = cycleOrNull(packets.delivered[i]);
    const end = delivered === null ? recording.time.last : delivered, queue = `queue at ${packets.src[i]}`;
    if (injected === null) return [{ label: queue, from: packets.created[i], to: end, least: 0 }];
    const steps = [];
    let before = injected;
    if (injected > packets.created[i]) steps.push({ label: queue, from: packets.created[i], to: injected, least: 0 });
    for (const { node, port, cycle } of packets.path(i)) {
        steps.push({ label: `${node} → ${recording.to(node, port)} ${network.link_names[port]}`, from: before, to: cycle, least });
        before = cycle;
        least = through + (recording.delays ? recording.delays[node * recording.links + port] : delay) - 1;
    }
    const label = delivered === null ? "not delivered" : `eject at ${packets.dst[i]}`;
    steps.push({ label, from: before, to: end, least: packets.words[i] - 1 + least });
    return steps;
}

/** A bar per step of the packet: the waiting and the necessary part. */
function timeline(recording, i, view) {
    const steps = packetSteps(recording, i), start = recording.packets.created[i], end = steps[steps.length - 1].to;
    const waits = (step) => Math.max(0, step.to - step.from - step.least), total = d3.sum(steps, waits);
    const row = 20, left = 104, width = 400, right = 46, height = steps.length * row + 24;
    const x = d3.scaleLinear().domain([start, Math.max(end, start + 1)]).range([left, width - right]);
    const words = (step) => `${step.label}: cycles ${step.from} to ${step.to}, waited ${waits(step)}`;
    const svg = svgImage("timeline", `Timeline of the packet: ${steps.map(words).join("; ")}`,
        { viewBox: `0 0 ${width} ${height}` });
    draw(svg, "g", { class: "axis", transform: `translate(0,${height - 20})` })
        .call(d3.axisBottom(x).ticks(4).tickSizeOuter(0).tickFormat((v) => number(v)));
    const g = attributes(svg.selectAll("g.step").data(steps).join("g"), {
        class: "step", transform: (step, k) => `translate(0,${k * row})`,
        "data-from": (step) => step.from, "data-to": (step) => step.to, "data-wait": waits,
    });
    draw(g, "text", { x: left - 8, y: 14, "text-anchor": "end" }, (step) => step.label);
    draw(g, "rect", { class: "wait", x: (step) => x(step.from), y: 4, height: row - 7,
        width: (step) => x(step.from + waits(step)) - x(step.from) });
    draw(g, "rect", { class: "move", x: (step) => x(step.from + waits(step)), y: 4, height: row - 7,
        width: (step) => Math.max(1.5, x(step.to) - x(step.from + waits(step))) });
    draw(g, "text", { class: "tick", x: (step) => x(step.to) + 5, y: 14 },
        (step) => (waits(step) > 0 ? `+${number(waits(step))}` : ""));
    return el("figure", { class: "timeline-box" },
        el("figcaption", {}, `Way of the head, and the tail at the end. Waiting: ${plural(total, "cycle")} of ${number(end - start)}.`),
        svg.node(),
        el("p", { class: "keys" }, el("span", { class: "swatch wait" }), "waited", el("span", { class: "swatch move" }), "moved",
            el("button", { type: "button", onclick: () => view.showCycles(start, end) }, "Show these cycles")));
}
