// SPDX-License-Identifier: Apache-2.0
// The network as nodes and arrows (SVG), coloured for an interval; zoom, selection, keyboard.

class NetworkPicture {
    constructor(recording, view, layout) {
        Object.assign(this, { recording, view, layout });
        this.svg = d3.create("svg").attr("class", "network").attr("tabindex", 0).attr("role", "group")
            .attr("aria-roledescription", "network diagram").attr("aria-describedby", "network-text")
            .attr("viewBox", `0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`)
            .style("max-width", `${(layout.width * 1.7).toFixed(0)}px`);
        this.svg.attr("aria-label", `Network ${recording.network.topology}, drawn as ${layout.words}. `
            + "Arrow keys go from node to node; plus, minus and 0 zoom.");
        this.scene = this.svg.append("g");
        this.channels = d3.range(recording.count).filter((c) => recording.isLink(c));
        this.drawLinks();
        this.drawNodes();
        this.path = this.scene.append("g").attr("class", "route");
        this.marks = this.scene.append("g").attr("class", "marks");
        this.setUpZoom();
        this.setUpPointer();
        this.node.addEventListener("keydown", (event) => this.key(event));
    }

    get node() { return this.svg.node(); }

    drawLinks() {
        const { recording, layout } = this;
        this.shapes = new Map(this.channels.map((c) =>
            [c, layout.link(recording.node[c], recording.port[c])]));
        this.links = this.scene.append("g").attr("class", "links").selectAll("g").data(this.channels).join("g")
            .attr("data-channel", (c) => c)
            .attr("data-link", (c) => `${recording.node[c]}-${recording.port[c]}`);
        this.links.append("path").attr("class", "hit").attr("d", (c) => this.shapes.get(c).path);
        this.links.append("path").attr("class", "line").attr("d", (c) => this.shapes.get(c).path);
        this.links.append("path").attr("class", "head").attr("d", (c) => this.shapes.get(c).head);
    }

    drawNodes() {
        const { layout } = this;
        this.nodes = this.scene.append("g").attr("class", "nodes").selectAll("g").data(d3.range(this.recording.nodes))
            .join("g").attr("data-node", (n) => n)
            .attr("transform", (n) => `translate(${layout.x[n].toFixed(1)},${layout.y[n].toFixed(1)})`);
        this.nodes.append("circle").attr("r", NODE_RADIUS);
        this.nodes.append("text").attr("dy", "0.35em").text((n) => n);
    }

    setUpZoom() {
        this.zoom = d3.zoom().scaleExtent([1, 12])
            .extent([[0, 0], [this.layout.width, this.layout.height]])
            .translateExtent([[0, 0], [this.layout.width, this.layout.height]])
            .filter((given) => {
                const event = d3.event || given; // d3 before version 6
                return !event.button && (event.type !== "wheel" || event.ctrlKey || event.metaKey);
            })
            .on("zoom", () => {
                const transform = d3.zoomTransform(this.node);
                this.scene.attr("transform", transform);
                this.svg.attr("data-zoom", transform.k.toFixed(2));
                this.labels();
            });
        this.svg.call(this.zoom).on("dblclick.zoom", null).attr("data-zoom", "1.00");
        onWidth(this.node, () => this.labels());
    }

    zoomBy(factor) {
        if (factor) this.svg.call(this.zoom.scaleBy, factor);
        else this.svg.call(this.zoom.transform, d3.zoomIdentity);
    }

    /** Labels that would be smaller than about 7 pixels are hidden. */
    labels() {
        const box = this.node.getBoundingClientRect();
        const scale = Math.min(box.width / this.layout.width, box.height / this.layout.height)
            * d3.zoomTransform(this.node).k;
        this.svg.classed("no-labels", scale < 0.5 && !printing);
    }

    setUpPointer() {
        const listen = (selection, kind, text) => selection.each((id, i, elements) => {
            const element = elements[i];
            element.addEventListener("click", (event) => {
                event.stopPropagation();
                this.view.select({ kind, id });
            });
            element.addEventListener("pointerenter", (event) => showTip(event, text(id)));
            element.addEventListener("pointerleave", hideTip);
        });
        listen(this.links, "channel", (c) => this.channelTip(c));
        listen(this.nodes, "node", (n) => this.nodeTip(n));
        this.node.addEventListener("click", () => this.view.select(null));
    }

    channelTip(c) {
        const { format, label } = MEASURES[this.view.measure];
        return `${this.recording.channelName(c)} (${this.recording.portName(c)}): `
            + `${label.toLowerCase()} ${format(this.values[c])}`;
    }

    nodeTip(n) {
        return `node ${this.recording.nodeName(n)}: ${number(this.buffered[n], 3)} words in its buffers`;
    }

    /** Go to the nearest node in the direction of the arrow key. */
    key(event) {
        const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.key in directions) {
            event.preventDefault();
            event.stopPropagation();
            const now = this.view.selection && this.view.selection.kind === "node" ? this.view.selection.id : null;
            const next = now === null ? 0 : this.nearest(now, directions[event.key]);
            this.view.select({ kind: "node", id: next });
            announce(this.nodeTip(next));
        } else if (event.key === "+" || event.key === "=") this.zoomBy(1.5);
        else if (event.key === "-") this.zoomBy(1 / 1.5);
        else if (event.key === "0") this.zoomBy(0);
    }

    nearest(from, [dx, dy]) {
        const { x, y } = this.layout;
        let best = from, least = Infinity;
        for (let n = 0; n < this.recording.nodes; n++) {
            const ax = x[n] - x[from], ay = y[n] - y[from], along = ax * dx + ay * dy;
            const beside = Math.abs(ax * dy - ay * dx);
            if (along <= 1 || beside > along) continue;
            if (along + 2 * beside < least) {
                least = along + 2 * beside;
                best = n;
            }
        }
        return best;
    }

    /** Upper ends of the two scales, for the legend. */
    get tops() {
        return { link: measureTop(this.recording, this.view.measure, this.view.isWhole), node: bufferTop(this.recording) };
    }

    update() {
        const { recording, view } = this, { from, to, measure } = view;
        this.values = measureValues(recording, measure, from, to);
        this.buffered = recording.perNode(recording.sum("buffered", from, to)).map((v) => v / (to - from));
        const { link: top, node: words } = this.tops;
        const fraction = (c) => Math.min(1, this.values[c] / top);
        this.links.style("color", (c) => rampColour("link", fraction(c)))
            .attr("data-value", (c) => this.values[c].toFixed(6))
            .select(".line").attr("stroke-width", (c) => (1.5 + 4.5 * fraction(c)).toFixed(2));
        this.links.sort((a, b) => this.values[a] - this.values[b]); // the busiest on top
        this.nodes.attr("data-value", (n) => this.buffered[n].toFixed(4))
            .select("circle").style("fill", (n) => rampColour("node", this.buffered[n] / words));
        this.nodes.select("text").classed("inverse", (n) => this.buffered[n] / words > 0.5);
        this.updateSelection();
    }

    updateSelection() {
        const { selection } = this.view;
        const is = (kind, id) => Boolean(selection) && selection.kind === kind && selection.id === id;
        const packet = selection && selection.kind === "packet" ? selection.id : null;
        const path = packet === null ? [] : this.recording.packets.path(packet);
        const onPath = new Set(path.map((hop) => hop.channel));
        const circle = new Set(this.view.circle);
        this.links.classed("selected", (c) => is("channel", c))
            .classed("on-path", (c) => onPath.has(c)).classed("in-circle", (c) => circle.has(c));
        this.svg.classed("has-path", packet !== null).classed("has-circle", this.view.showCircle);
        const end = (nodes) => this.recording.routerOf(nodes[packet]), { packets } = this.recording;
        const ends = packet === null ? {} : { src: end(packets.src), dst: end(packets.dst) };
        this.nodes.classed("selected", (n) => is("node", n))
            .classed("source", (n) => n === ends.src).classed("destination", (n) => n === ends.dst);
    }

    /** Letters beside the channels of the findings. */
    showMarks(found) {
        const { recording, layout } = this;
        const place = (c) => {
            if (this.shapes.has(c)) return this.shapes.get(c).middle;
            const n = recording.node[c];
            return [layout.x[n] + NODE_RADIUS * 0.9, layout.y[n] - NODE_RADIUS * 0.9];
        };
        const mark = this.marks.selectAll("g").data(found).join("g")
            .attr("transform", (f, i) => {
                const [x, y] = place(f.channel), before = found.slice(0, i).filter((g) => g.channel === f.channel);
                return `translate(${(x + 20 * before.length).toFixed(1)},${y.toFixed(1)})`;
            });
        mark.append("circle").attr("r", 9);
        mark.append("text").attr("dy", "0.36em").text((f) => f.mark);
    }
}

let tip = null;

function showTip(event, text) {
    if (!tip) document.body.append(tip = el("div", { class: "tip", "aria-hidden": "true" }));
    tip.textContent = text;
    tip.hidden = false;
    const wide = tip.offsetWidth, left = Math.min(event.clientX + 14, innerWidth - wide - 8);
    tip.style.transform = `translate(${Math.max(8, left)}px, ${event.clientY + 16}px)`;
}

function hideTip() {
    if (tip) tip.hidden = true;
}
