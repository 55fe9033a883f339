// SPDX-License-Identifier: Apache-2.0
// The recording of a run: columns decoded once, names of nodes and channels, sums over intervals. Draws nothing.

const NO_NODE = 0xffffffff;
const COLUMN_TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array };

/** Decode a column: base64 of little-endian numbers, the byte order of all machines that have browsers. */
function column(text, type) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new COLUMN_TYPES[type](bytes.buffer);
}

class Recording {
    constructor(page) {
        this.result = page.result;
        this.network = page.network;
        this.time = page.time;
        this.nodes = page.network.nodes;
        this.links = page.network.links;
        this.locals = page.network.locals;
        this.neighbor = page.network.neighbor ? column(page.network.neighbor, "u32") : null;
        this.firstNode = page.network.first_node ? column(page.network.first_node, "u32") : null;
        this.delays = page.network.link_delays ? column(page.network.link_delays, "u8") : null;
        this.count = page.channels ? page.channels.count : 0;
        this.node = page.channels ? column(page.channels.node, "u32") : new Uint32Array(0);
        this.port = page.channels ? column(page.channels.port, "u8") : new Uint8Array(0);
        this.leftOut = page.channels ? page.channels.left_out : null;
        this.allLinks = this.node.length > 0 && !this.leftOut;
        this.index = new Map();
        for (let c = 0; c < this.count; c++) this.index.set(this.node[c] * 256 + this.port[c], c);
        this.readSeries(page);
        this.packets = page.packets ? new Packets(page.packets, this) : null;
        this.grid = page.grid ? new Grid(page.grid, this) : null;
        this.waiting = page.waiting || [];
        this.knot = page.knot || false;
    }

    readSeries(page) {
        this.series = {};
        for (const s of page.series || [])
            this.series[s.name] = { cells: column(s.cells, s.type), scale: s.scale || 1, unit: s.unit };
        this.totals = {};
        for (const [name, values] of Object.entries(page.totals || {}))
            this.totals[name] = column(values, "f64");
        this.strip = {};
        for (const [name, values] of Object.entries(page.strip || {}))
            this.strip[name] = column(values, "f64");
        this.hasTaps = page.network.has_taps !== false && "contended" in this.series;
    }

    /** Directed links of the network, recorded or not. */
    get linkCount() {
        if (this.links_ === undefined) {
            this.links_ = 0;
            for (let n = 0; n < this.nodes; n++)
                for (let port = 0; port < this.links; port++) if (this.to(n, port) !== null) this.links_++;
        }
        return this.links_;
    }

    get bins() { return this.time ? this.time.bins : 0; }

    /** First and last cycle of the bins [from, to). */
    firstCycle(from) { return this.time.first + from * this.time.bin; }
    lastCycle(to) { return Math.min(this.time.last, this.time.first + to * this.time.bin - 1); }
    cycles(from, to) { return this.lastCycle(to) - this.firstCycle(from) + 1; }

    /** Sum over the bins [from, to) for every channel; the whole run from the exact totals. */
    sum(name, from, to) {
        const ret = new Float64Array(this.count);
        if (from === 0 && to === this.bins && this.totals[name]) {
            ret.set(this.totals[name]);
            return ret;
        }
        const s = this.series[name];
        if (!s) return ret;
        for (let k = from; k < to; k++)
            for (let c = 0, at = k * this.count; c < this.count; c++) ret[c] += s.cells[at + c];
        if (s.scale !== 1)
            for (let c = 0; c < this.count; c++) ret[c] /= s.scale;
        return ret;
    }

    /** One channel over all bins. */
    over(name, channel) {
        const s = this.series[name];
        const ret = new Float64Array(this.bins);
        if (s)
            for (let k = 0; k < this.bins; k++) ret[k] = s.cells[k * this.count + channel] / s.scale;
        return ret;
    }

    isLink(c) { return this.port[c] < this.links; }
    isInject(c) { return this.port[c] >= this.links && this.port[c] < this.links + this.locals; }
    isEject(c) { return this.port[c] >= this.links + this.locals; }

    channel(node, port) { return this.index.get(node * 256 + port); }

    /** The node at the far end of a link. */
    to(node, port) {
        if (port >= this.links) return node;
        if (this.neighbor) {
            const other = this.neighbor[node * this.links + port];
            return other === NO_NODE ? null : other;
        }
        return neighborByRule(this.network, node, port);
    }

    /** The router of a node: another number in a graph only. */
    routerOf(node) { return this.firstNode ? d3.bisectRight(this.firstNode, node) - 1 : node; }

    nodeName(node) {
        if (this.network.node_names) return this.network.node_names[node];
        if (this.network.family === "cube" || this.network.radix.length === 1) return String(node);
        return `${node} (${coordinates(this.network.radix, node).join(",")})`;
    }

    /** Short: "9 → 10", "inject 9". */
    channelName(c) {
        const node = this.node[c];
        if (this.isInject(c)) return `inject ${this.localName(c)}`;
        if (this.isEject(c)) return `eject ${this.localName(c)}`;
        return `${node} → ${this.to(node, this.port[c])}`;
    }

    /** "9", with several local ports "9.1"; in a graph the node. */
    localName(c) {
        const node = this.node[c], local = (this.port[c] - this.links) % this.locals;
        if (this.firstNode) return String(this.firstNode[node] + local);
        return this.locals > 1 ? `${node}.${local}` : String(node);
    }

    portName(c) {
        if (this.isLink(c)) return this.network.link_names[this.port[c]];
        return this.isInject(c) ? "inject" : "eject";
    }

    /** Long, for sentences: "link 9 → 10 (+x of router 9 (1,1))". */
    channelTitle(c) {
        const node = this.nodeName(this.node[c]);
        const end = this.firstNode && !this.isLink(c) ? `${this.localName(c)} at router ${node}` : node;
        if (this.isInject(c)) return `injection port of node ${end}`;
        if (this.isEject(c)) return `ejection port of node ${end}`;
        return `link ${this.channelName(c)} (${this.portName(c)} of router ${node})`;
    }

    /** The channels that leave the router at the far end of c: where its words go next. */
    next(c) {
        const node = this.to(this.node[c], this.port[c]);
        return d3.range(this.links + 2 * this.locals)
            .filter((port) => port < this.links || port >= this.links + this.locals)
            .map((port) => this.channel(node, port)).filter((other) => other !== undefined);
    }

    /** Words in the input buffers of every node, from values per channel. */
    perNode(buffered) {
        const ret = new Float64Array(this.nodes);
        for (let c = 0; c < this.count; c++)
            if (!this.isEject(c)) ret[this.to(this.node[c], this.port[c])] += buffered[c];
        return ret;
    }
}

/** Node label to coordinates, dimension 0 first. */
function coordinates(radix, node) {
    return radix.map((k) => {
        const digit = node % k;
        node = Math.floor(node / k);
        return digit;
    });
}

/** Neighbours of networks too large for a table. Ports are in the order of link_names: per dimension, + then -. */
function neighborByRule(network, node, port) {
    if (network.family === "cube") return node ^ (1 << port);
    const perDimension = network.links / network.radix.length;
    const dimension = Math.floor(port / perDimension), step = port % perDimension ? -1 : 1;
    const radix = network.radix[dimension];
    const stride = network.radix.slice(0, dimension).reduce((a, b) => a * b, 1);
    const digit = Math.floor(node / stride) % radix;
    const moved = digit + step;
    if ((moved < 0 || moved >= radix) && !network.wrap[dimension]) return null;
    return node + ((moved + radix) % radix - digit) * stride;
}

/** The packets kept, as columns. */
class Packets {
    constructor(p, recording) {
        this.recording = recording;
        this.all = p.all;
        this.count = p.kept;
        this.leftOut = p.left_out;
        for (const name of ["src", "dst", "words", "created", "injected", "delivered", "path_start", "path_cycle"])
            this[name] = column(p[name], "u32");
        this.path_port = column(p.path_port, "u8");
        this.histogram = p.histogram
            ? { from: column(p.histogram.from, "u32"), count: column(p.histogram.count, "u32"), width: p.histogram.width }
            : null;
    }

    isDelivered(i) { return this.delivered[i] !== NO_NODE; }
    /** Cycles from creation to the arrival of the tail, both included. */
    latency(i) { return this.isDelivered(i) ? this.delivered[i] - this.created[i] + 1 : null; }
    hops(i) { return this.path_start[i + 1] - this.path_start[i]; }

    /** [{ node, port, cycle, channel }]: the links that packet i crossed. */
    path(i) {
        const ret = [];
        let node = this.recording.routerOf(this.src[i]);
        for (let at = this.path_start[i]; at < this.path_start[i + 1]; at++) {
            const port = this.path_port[at];
            ret.push({ node, port, cycle: this.path_cycle[at], channel: this.recording.channel(node, port) });
            node = this.recording.to(node, port);
        }
        return ret;
    }
}

/** Sums over the regions of a flat projection, for networks whose channels were not all recorded. */
class Grid {
    constructor(g, recording) {
        Object.assign(this, { width: g.width, height: g.height, across: g.across, down: g.down, step: g.step });
        this.recording = recording;
        this.series = {};
        for (const s of g.series)
            this.series[s.name] = { cells: column(s.cells, s.type), scale: s.scale || 1, unit: s.unit };
    }

    /** The region of every node, and how many links start in every region. */
    regions() {
        const { radix, links } = this.recording.network, { nodes } = this.recording;
        const region = new Uint32Array(nodes), out = new Uint32Array(this.width * this.height);
        const flat = (digits, dims) => dims.reduceRight((at, d) => at * radix[d] + digits[d], 0);
        for (let n = 0; n < nodes; n++) {
            const digits = coordinates(radix, n);
            region[n] = Math.floor(flat(digits, this.across) / this.step[0])
                + this.width * Math.floor(flat(digits, this.down) / this.step[1]);
            for (let port = 0; port < links; port++) if (this.recording.to(n, port) !== null) out[region[n]]++;
        }
        return { region, links: out };
    }

    sum(name, from, to) {
        const size = this.width * this.height, ret = new Float64Array(size), s = this.series[name];
        if (!s) return ret;
        for (let k = from; k < to; k++)
            for (let i = 0; i < size; i++) ret[i] += s.cells[k * size + i];
        return ret.map((value) => value / s.scale);
    }
}
