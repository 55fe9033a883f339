// SPDX-License-Identifier: Apache-2.0
// Networks too large for arrows: flat projections on canvas, one map per port (or one for all links of a region), and
// one for the buffers. Offers the same methods as NetworkPicture.

class HeatPicture {
    constructor(recording, view) {
        Object.assign(this, { recording, view, scale: 1 });
        this.byRegion = !recording.allLinks && recording.grid !== null;
        this.place = this.byRegion ? regionPlaces(recording) : nodePlaces(recording);
        this.maps = this.byRegion ? this.regionMaps() : this.portMaps();
        this.node = el("div", { class: "heat", tabindex: 0, role: "group", "aria-roledescription": "heat maps",
            "aria-label": `Network ${recording.network.topology} as heat maps. Arrow keys go from node to node; `
                + "plus, minus and 0 zoom.",
            "aria-describedby": "network-text", "data-zoom": "1.00", onkeydown: (event) => this.key(event) },
        el("p", { class: "hint" }, this.words()),
        this.box = el("div", { class: "maps" }, this.maps.map((map) => this.figure(map))));
        this.base = 1;
        onWidth(this.box, (width) => this.fit(width));
    }

    /** Two or three maps in a row, not higher than wide. */
    fit(width) {
        const across = this.maps.length <= 2 ? 2 : 3, side = Math.min(460, (width - 20 * (across - 1)) / across - 2);
        this.base = Math.max(1, Math.floor(side / Math.max(this.place.width, this.place.height)));
        if (this.maps[0].values) this.paint();
    }

    words() {
        const { place, recording } = this;
        const each = number(recording.nodes / (place.width * place.height), 3);
        const cell = this.byRegion ? `Each cell is a region of ${each} nodes.` : "Each cell is a node.";
        return `${cell} Across: ${place.across}. Down: ${place.down}.`;
    }

    /** A map for each port: cell -> channel. */
    portMaps() {
        const { recording, place } = this, size = place.width * place.height;
        const ports = d3.range(recording.links).map((port) => {
            const channel = new Int32Array(size).fill(-1);
            for (let n = 0; n < recording.nodes; n++) {
                const c = recording.channel(n, port);
                if (c !== undefined) channel[place.cell[n]] = c;
            }
            return { title: recording.network.link_names[port], kind: "link", channel };
        });
        return [...ports, { title: "Buffers", kind: "node" }];
    }

    regionMaps() {
        return [{ title: "Links that leave the region", kind: "link" }, { title: "Buffers", kind: "node" }];
    }

    figure(map) {
        map.canvas = el("canvas", { role: "img", "aria-label": map.title });
        map.canvas.addEventListener("pointermove", (event) => showTip(event, this.tipAt(map, this.cellAt(map, event))));
        map.canvas.addEventListener("pointerleave", hideTip);
        map.canvas.addEventListener("click", (event) => this.clickAt(map, this.cellAt(map, event)));
        return el("figure", {}, el("figcaption", {}, map.title), map.canvas);
    }

    cellAt(map, event) {
        const box = map.canvas.getBoundingClientRect(), { width, height } = this.place;
        const x = Math.floor((event.clientX - box.left) / box.width * width);
        const y = Math.floor((event.clientY - box.top) / box.height * height);
        return Math.max(0, Math.min(width - 1, x)) + width * Math.max(0, Math.min(height - 1, y));
    }

    clickAt(map, cell) {
        const channel = map.channel ? map.channel[cell] : -1;
        if (channel >= 0) return this.view.select({ kind: "channel", id: channel });
        const node = this.place.first[cell];
        if (node >= 0) this.view.select({ kind: "node", id: node });
    }

    tipAt(map, cell) {
        const { recording, place } = this, node = place.first[cell];
        if (node < 0) return "no node";
        const where = this.byRegion ? `region from node ${recording.nodeName(node)}` : `node ${recording.nodeName(node)}`;
        if (map.kind === "node") return `${where}: ${number(map.values[cell], 3)} words in buffers`;
        if (map.channel && map.channel[cell] < 0) return `${where}: no link`;
        const name = map.channel ? recording.channelName(map.channel[cell]) : where;
        const { format, label } = MEASURES[this.view.measure];
        return `${name}: ${label.toLowerCase()} ${format(map.values[cell])}`;
    }

    key(event) {
        const { place, view } = this;
        const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.key in moves) {
            event.preventDefault();
            event.stopPropagation();
            const now = view.selection && view.selection.kind === "node" ? place.cell[view.selection.id] : -1;
            const [dx, dy] = moves[event.key];
            const x = now < 0 ? 0 : Math.max(0, Math.min(place.width - 1, now % place.width + dx));
            const y = now < 0 ? 0 : Math.max(0, Math.min(place.height - 1, Math.floor(now / place.width) + dy));
            const node = place.first[y * place.width + x];
            if (node >= 0) {
                view.select({ kind: "node", id: node });
                announce(this.tipAt(this.maps[this.maps.length - 1], place.cell[node]));
            }
        } else if (event.key === "+" || event.key === "=") this.zoomBy(1.5);
        else if (event.key === "-") this.zoomBy(1 / 1.5);
        else if (event.key === "0") this.zoomBy(0);
    }

    zoomBy(factor) {
        this.scale = factor ? Math.max(1, Math.min(12, this.scale * factor)) : 1;
        this.node.dataset.zoom = this.scale.toFixed(2);
        this.paint();
    }

    /** Values of all maps for the interval, each on its scale. */
    compute() {
        const { recording, view } = this, { from, to, measure } = view;
        if (this.byRegion) return this.computeRegions();
        const values = measureValues(recording, measure, from, to), top = measureTop(recording, measure, view.isWhole);
        const words = recording.perNode(recording.sum("buffered", from, to)).map((v) => v / (to - from));
        for (const map of this.maps) {
            map.top = map.kind === "node" ? bufferTop(recording) : top;
            map.values = map.kind === "node" ? Float64Array.from(this.place.first, (n) => (n < 0 ? NaN : words[n]))
                : Float64Array.from(map.channel, (c) => (c < 0 ? NaN : values[c]));
        }
    }

    computeRegions() {
        const { recording, view } = this, { from, to, measure } = view, { grid } = recording;
        const mean = (k0, k1) => gridMeasure(recording, this.place.links, measure, k0, k1);
        const [links, buffers] = this.maps;
        links.values = mean(from, to);
        buffers.values = grid.sum("buffered", from, to).map((v) => v / (to - from));
        const tops = recording.gridTops = recording.gridTops || {}, key = `${measure} ${view.isWhole}`;
        if (!(key in tops)) {
            const each = view.isWhole ? [mean(0, recording.bins)] : d3.range(recording.bins).map((k) => mean(k, k + 1));
            tops[key] = d3.scaleLinear().domain([0, d3.max(each, (v) => d3.max(v)) || 1]).nice(4).domain()[1];
            const words = d3.range(recording.bins).map((k) => d3.max(grid.sum("buffered", k, k + 1)));
            tops.buffers = Math.ceil(d3.max(words)) || 1;
        }
        links.top = tops[key];
        buffers.top = tops.buffers;
    }

    /** Upper ends of the two scales, for the legend. */
    get tops() {
        return { link: this.maps[0].top, node: this.maps[this.maps.length - 1].top };
    }

    update() {
        this.compute();
        this.paint();
    }

    updateSelection() { this.paint(); }

    paint() {
        const { width, height } = this.place, cell = Math.max(1, Math.round(this.base * this.scale));
        for (const map of this.maps) {
            const { canvas } = map, context = canvas.getContext("2d"), sharp = Math.min(2, devicePixelRatio || 1);
            canvas.width = width * cell * sharp;
            canvas.height = height * cell * sharp;
            canvas.style.width = `${width * cell}px`;
            canvas.style.height = `${height * cell}px`;
            context.scale(sharp, sharp);
            for (let i = 0; i < width * height; i++) {
                if (Number.isNaN(map.values[i])) continue;
                context.fillStyle = rampColour(map.kind, map.values[i] / map.top);
                const gap = cell > 5 ? 1 : 0;
                context.fillRect(i % width * cell, Math.floor(i / width) * cell, cell - gap, cell - gap);
            }
            this.outline(map, context, cell);
            canvas.dataset.mean = (d3.mean(map.values, (v) => (Number.isNaN(v) ? undefined : v)) || 0).toFixed(6);
        }
    }

    /** Outlines of what is selected, and the letters of the findings. */
    outline(map, context, cell) {
        const { selection } = this.view, { place, recording } = this, style = getComputedStyle(document.documentElement);
        const box = (i, colour, label) => {
            const x = i % place.width * cell, y = Math.floor(i / place.width) * cell;
            context.strokeStyle = style.getPropertyValue(colour);
            context.lineWidth = 2;
            context.strokeRect(x - 1, y - 1, cell + 1, cell + 1);
            if (!label) return;
            const at = [x + cell + 14 > place.width * cell ? x - 14 : x + cell + 4, Math.max(13, y + cell)];
            context.font = "bold 14px system-ui, sans-serif";
            context.lineWidth = 4;
            context.strokeStyle = style.getPropertyValue("--back");
            context.strokeText(label, ...at);
            context.fillStyle = style.getPropertyValue(colour);
            context.fillText(label, ...at);
        };
        const has = (c) => (map.channel ? map.channel[place.cell[recording.node[c]]] === c
            : map.kind === "link" && recording.isLink(c));
        for (const f of this.found || [])
            if (has(f.channel) || (map.kind === "node" && !recording.isLink(f.channel)))
                box(place.cell[recording.node[f.channel]], "--mark", f.mark);
        for (const c of this.view.showCircle ? this.view.circle : []) if (has(c)) box(place.cell[recording.node[c]], "--fail");
        if (!selection) return;
        if (selection.kind === "node") box(place.cell[selection.id], "--select");
        if (selection.kind === "channel" && has(selection.id)) box(place.cell[recording.node[selection.id]], "--select");
        if (selection.kind === "packet")
            for (const hop of recording.packets.path(selection.id))
                if (map.kind === "node" || !map.channel || map.title === recording.network.link_names[hop.port])
                    box(place.cell[hop.node], "--select");
    }

    showMarks(found) {
        this.found = found;
    }
}

/** Means per link of a region, like measureValues per channel. */
function gridMeasure(recording, links, measure, from, to) {
    const { grid } = recording, cycles = recording.cycles(from, to), ret = new Float64Array(grid.width * grid.height);
    for (const name of MEASURES[measure].names)
        grid.sum(name, from, to).forEach((value, i) => { ret[i] += value / cycles / Math.max(1, links[i]); });
    return ret;
}

function regionPlaces(recording) {
    const { grid } = recording, { region, links } = grid.regions(), { width, height } = grid;
    const first = new Int32Array(width * height).fill(-1);
    for (let n = recording.nodes - 1; n >= 0; n--) first[region[n]] = n;
    const words = (dims) => `dimension${dims.length > 1 ? "s" : ""} ${dims.join(", ")}`;
    return { width, height, cell: region, links, first, across: words(grid.across), down: words(grid.down) };
}

/** One cell per node: the lower half of the dimensions across, the others down; a ring in rows. */
function nodePlaces(recording) {
    const { radix } = recording.network, { nodes } = recording;
    let width = 1, split = 0;
    while (split < Math.ceil(radix.length / 2)) width *= radix[split++];
    if (radix.length === 1) width = Math.ceil(Math.sqrt(nodes));
    const height = Math.ceil(nodes / width), first = new Int32Array(width * height).fill(-1);
    for (let n = 0; n < nodes; n++) first[n] = n;
    const dims = (low, high) => (low === high ? `dimension ${low}` : `dimensions ${low} to ${high}`);
    const [across, down] = radix.length === 1 ? ["labels, row by row", "rows of labels"]
        : [dims(0, split - 1), dims(split, radix.length - 1)];
    return { width, height, cell: d3.range(nodes), first, across, down };
}
