// SPDX-License-Identifier: Apache-2.0
// The table of channels for the interval shown.

class LinkTable {
    constructor(recording, view) {
        Object.assign(this, { recording, view });
        this.filter = "";
        this.table = new SortTable("links-table", this.columns(), {
            caption: "Channels", sort: recording.hasTaps ? "waiting" : "use",
            onRow: (c) => view.select({ kind: "channel", id: c }),
            attributes: (c) => ({ "data-channel": c, "data-link": `${recording.node[c]}-${recording.port[c]}` }),
            isSelected: (c) => view.isSelected("channel", c),
        });
        this.when = el("span", { class: "when" });
        this.locals = el("input", { type: "checkbox", id: "links-locals", onchange: () => this.update() });
        this.node = section("links", "Links", el("div", { class: "tools" }, this.when,
            filterBox("links-filter", "Filter", "node, 3-4 or +x", (text) => {
                this.filter = text.trim();
                this.update();
            }),
            el("label", { for: "links-locals" }, this.locals, " with injection and ejection")),
        recording.leftOut ? el("p", { class: "note" }, recording.leftOut) : null, this.table.node);
        view.on("time", () => this.update());
        view.on("selection", () => this.table.draw());
        this.update();
    }

    columns() {
        const { recording } = this, measured = (key, title, help, text) =>
            ({ key, title, help, numeric: true, value: (c) => this.values[key][c], text });
        const waiting = [
            measured("contended", "Contended", "cycles in which another packet kept a front flit from taking the channel"),
            measured("starved", "Starved", "cycles in which a front flit waited for the channel for another reason, "
                + "usually because the next buffer was full"),
            measured("waiting", "Waiting", "contended + starved"),
        ];
        return [
            { key: "channel", title: "Channel", value: (c) => recording.node[c] * 256 + recording.port[c],
                text: (c) => recording.channelName(c) },
            { key: "port", title: "Port", value: (c) => recording.portName(c) },
            measured("flits", "Words", "that crossed the channel"),
            measured("use", "Use", MEASURES.use.help, (c) => percent(this.values.use[c])),
            ...(recording.hasTaps ? waiting : []),
            measured("buffered", "Buffered", "words in the buffer that the channel feeds, mean",
                (c) => (recording.isEject(c) ? "-" : number(this.values.buffered[c], 3))),
        ];
    }

    matches(c) {
        const { recording, filter } = this;
        if (!this.locals.checked && !recording.isLink(c)) return false;
        if (!filter) return true;
        const node = recording.node[c], to = recording.to(node, recording.port[c]);
        const pair = filter.match(/^(\d+)\s*(?:-|→|->|to)\s*(\d+)$/);
        if (pair) return node === Number(pair[1]) && to === Number(pair[2]);
        if (/^\d+$/.test(filter)) return node === Number(filter) || to === Number(filter);
        return recording.portName(c).includes(filter) || recording.nodeName(node).includes(filter);
    }

    update() {
        const { recording, view } = this, { from, to } = view, cycles = recording.cycles(from, to);
        const flits = recording.sum("flits", from, to), contended = recording.sum("contended", from, to);
        const starved = recording.sum("starved", from, to);
        this.values = { flits, contended, starved, use: flits.map((v) => v / cycles),
            waiting: contended.map((v, c) => v + starved[c]),
            buffered: recording.sum("buffered", from, to).map((v) => v / (to - from)) };
        this.when.textContent = capital(view.when);
        this.table.show(d3.range(recording.count).filter((c) => this.matches(c)));
    }
}
