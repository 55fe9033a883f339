// SPDX-License-Identifier: Apache-2.0
// Where nodes and links are drawn, in units of 80 per step between neighbours. Knows nothing about colours or time.

const STEP = 80;
const NODE_RADIUS = 17;
const GRAPH_NODES_MAX = 400;
const LINE_NODES_MAX = 16; // longer lines are drawn as a ring with a gap

/** { width, height, x[], y[], link(node, port) -> { path, head } } or null: the network is drawn as heat maps. */
function layoutOf(recording) {
    const { family, radix, wrap } = recording.network;
    if (recording.nodes > GRAPH_NODES_MAX) return null;
    if (recording.firstNode) return graphLayout(recording);
    if (radix.length === 1 && !wrap[0] && radix[0] <= LINE_NODES_MAX) return planeLayout(recording);
    if (radix.length === 1) return radix[0] <= 128 ? ringLayout(recording) : null;
    if (family === "cube") return radix.length <= 7 ? cubeLayout(recording) : null;
    return radix.length <= 3 ? planeLayout(recording) : null;
}

function frame(x, y, margin) {
    const [left, right] = d3.extent(x), [top, bottom] = d3.extent(y);
    return {
        x: x.map((value) => value - left + margin), y: y.map((value) => value - top + margin),
        width: right - left + 2 * margin, height: bottom - top + 2 * margin,
    };
}

/** Arrow head at (x, y), pointing along (dx, dy) of length 1. */
function arrowHead(x, y, dx, dy, size = 8) {
    const bx = x - dx * size, by = y - dy * size, w = size * 0.55;
    return `M${x.toFixed(1)},${y.toFixed(1)}L${(bx - dy * w).toFixed(1)},${(by + dx * w).toFixed(1)}`
        + `L${(bx + dy * w).toFixed(1)},${(by - dx * w).toFixed(1)}Z`;
}

const LANE = 5; // distance of each direction from the line between the nodes

/** A straight link between two nodes, on the right of the line as seen by the sender. */
function straight(x1, y1, x2, y2, lane = LANE) {
    const length = Math.hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const inset = Math.sqrt(NODE_RADIUS * NODE_RADIUS - lane * lane) + 2;
    const ax = x1 + dx * inset - dy * lane, ay = y1 + dy * inset + dx * lane;
    const bx = x2 - dx * inset - dy * lane, by = y2 - dy * inset + dx * lane;
    return {
        path: `M${ax.toFixed(1)},${ay.toFixed(1)}L${(bx - dx * 6).toFixed(1)},${(by - dy * 6).toFixed(1)}`,
        head: arrowHead(bx, by, dx, dy), middle: [(ax + bx) / 2, (ay + by) / 2],
    };
}

/** A link that leaves the drawing in direction (dx, dy) and comes back in direction (ex, ey): one stub at the sender,
 * one at the receiver. */
function stubs(x1, y1, x2, y2, dx, dy, length, ex = dx, ey = dy) {
    const inset = Math.sqrt(NODE_RADIUS * NODE_RADIUS - LANE * LANE) + 2;
    const ax = x1 + dx * inset - dy * LANE, ay = y1 + dy * inset + dx * LANE;
    const bx = x1 + dx * (inset + length) - dy * LANE, by = y1 + dy * (inset + length) + dx * LANE;
    const cx = x2 - ex * inset - ey * LANE, cy = y2 - ey * inset + ex * LANE;
    const path = `M${ax.toFixed(1)},${ay.toFixed(1)}L${(bx - dx * 6).toFixed(1)},${(by - dy * 6).toFixed(1)}`;
    const arrive = `M${(cx - ex * length).toFixed(1)},${(cy - ey * length).toFixed(1)}`
        + `L${(cx - ex * 6).toFixed(1)},${(cy - ey * 6).toFixed(1)}`;
    return { path: path + arrive, head: arrowHead(bx, by, dx, dy) + arrowHead(cx, cy, ex, ey),
        middle: [(ax + bx) / 2, (ay + by) / 2] };
}

/** One dimension: a circle, the direction of rising labels outside, the other inside. */
function ringLayout(recording) {
    const n = recording.nodes, { x, y, width, height, radius } = circle(n);
    const centre = [width / 2, height / 2];
    const arc = (node, port) => {
        const up = !recording.network.link_names[port].startsWith("-"), r = radius + (up ? LANE + 1 : -LANE - 1);
        const step = 2 * Math.PI / n, gap = (NODE_RADIUS + 3) / radius;
        const a = node * step + (up ? gap : -gap), b = node * step + (up ? step - gap : gap - step);
        const on = (angle) => [centre[0] + r * Math.sin(angle), centre[1] - r * Math.cos(angle)];
        const short = b - (up ? 6 : -6) / r, [ax, ay] = on(a), [sx, sy] = on(short), [bx, by] = on(b);
        const turn = up ? 1 : -1;
        return {
            path: `M${ax.toFixed(1)},${ay.toFixed(1)}A${r.toFixed(1)},${r.toFixed(1)} 0 0 ${up ? 1 : 0} `
                + `${sx.toFixed(1)},${sy.toFixed(1)}`,
            head: arrowHead(bx, by, turn * Math.cos(b), turn * Math.sin(b)), middle: on((a + b) / 2),
        };
    };
    return { width, height, x, y, link: arc, words: n === 2 ? "a line" : "a circle, labels rising clockwise" };
}

function circle(n) {
    const radius = Math.max(110, n * STEP / (2 * Math.PI)), margin = 34;
    const x = d3.range(n).map((i) => radius + margin + radius * Math.sin(2 * Math.PI * i / n));
    const y = d3.range(n).map((i) => radius + margin - radius * Math.cos(2 * Math.PI * i / n));
    return { x, y, radius, width: 2 * (radius + margin), height: 2 * (radius + margin) };
}

/** Links from the nearest router with nodes, for each router. */
function levels(recording) {
    const { firstNode, nodes } = recording, level = new Array(nodes).fill(null);
    let now = d3.range(nodes).filter((n) => firstNode[n + 1] > firstNode[n]);
    for (let depth = 0; now.length > 0; depth++) {
        for (const n of now) level[n] = depth;
        now = d3.range(nodes).filter((n) => level[n] === null
            && d3.range(recording.links).some((port) => level[recording.to(n, port)] === depth));
    }
    return level.map((depth) => (depth === null ? d3.max(level) + 1 : depth)); // without links
}

/** Routers with nodes at the bottom and switches above them, if no link is within a layer; else a circle. */
function graphLayout(recording) {
    const { nodes, links } = recording, level = levels(recording);
    const rows = d3.group(d3.range(nodes), (n) => level[n]), most = d3.max(rows.values(), (row) => row.length);
    const within = d3.range(nodes * links).some((i) =>
        level[recording.to(Math.floor(i / links), i % links)] === level[Math.floor(i / links)]);
    const layers = rows.size > 1 && !within;
    if ((layers ? most : nodes) > 128) return null;
    const at = (n) => (rows.get(level[n]).indexOf(n) + 0.5) * most / rows.get(level[n]).length;
    const place = layers ? frame(d3.range(nodes).map((n) => STEP * at(n)),
        level.map((depth) => -depth * STEP * Math.max(2, most / 4)), 30) : circle(nodes);
    const link = (node, port) => {
        const other = recording.to(node, port);
        const alike = d3.range(port).filter((lower) => recording.to(node, lower) === other).length;
        return straight(place.x[node], place.y[node], place.x[other], place.y[other], LANE * Math.min(3, alike + 1));
    };
    return { ...place, link, words: layers ? "routers with nodes at the bottom, switches above them" : "routers in a circle" };
}

/** Two dimensions as a grid; of three, the planes beside each other with diagonal stubs between them. */
function planeLayout(recording) {
    const { radix } = recording.network, [kx, ky = 1, kz = 1] = radix;
    const columns = Math.ceil(Math.sqrt(kz * ky / kx)), gap = 0.6;
    const at = d3.range(recording.nodes).map((node) => coordinates(radix, node));
    const place = frame(
        at.map(([x, , z = 0]) => STEP * (x + (z % columns) * (kx + gap))),
        at.map(([, y = 0, z = 0]) => STEP * (y + Math.floor(z / columns) * (ky + gap))), 58);
    const link = (node, port) => {
        const other = recording.to(node, port), [x1, y1, x2, y2] =
            [place.x[node], place.y[node], place.x[other], place.y[other]];
        const dimension = Math.floor(port / 2), up = recording.network.link_names[port].startsWith("-") ? -1 : 1;
        if (dimension === 2) return stubs(x1, y1, x2, y2, up * Math.SQRT1_2, -up * Math.SQRT1_2, 18);
        if (at[other][dimension] - at[node][dimension] !== up) // around the edge
            return dimension === 0 ? stubs(x1, y1, x2, y2, up, 0, 26) : stubs(x1, y1, x2, y2, 0, up, 26);
        return straight(x1, y1, x2, y2);
    };
    return { ...place, link, words: kz > 1 ? "planes of the third dimension beside each other; "
        + "diagonal stubs lead to the next plane" : "a grid" };
}

// The image of each dimension's unit vector. The third is oblique and the next two are tilted, so that no link passes
// through a node. Further dimensions put cubes beside each other, with diagonal stubs between them.
const CUBE_VECTORS = [[1.15, 0], [0, 1.15], [0.5, -0.45], [2.6, 0.62], [-0.62, 2.5], [5.6, 0], [0, 5.3]];
const CUBE_STUBS = { 5: [-Math.SQRT1_2, -Math.SQRT1_2], 6: [Math.SQRT1_2, Math.SQRT1_2] };

function cubeLayout(recording) {
    const dimensions = recording.network.radix.length;
    const sum = (axis) => d3.range(recording.nodes).map((node) =>
        STEP * d3.sum(d3.range(dimensions), (d) => (node >> d & 1) * CUBE_VECTORS[d][axis]));
    const place = frame(sum(0), sum(1), dimensions > 5 ? 48 : 30);
    const link = (node, port) => {
        const other = node ^ (1 << port);
        const ends = [place.x[node], place.y[node], place.x[other], place.y[other]];
        if (!CUBE_STUBS[port]) return straight(...ends);
        const [dx, dy] = CUBE_STUBS[port];
        return stubs(...ends, dx, dy, 16, -dx, -dy);
    };
    return { ...place, link, words: dimensions > 5 ? "cubes of 5 dimensions beside each other; diagonal stubs lead to the "
        + "same place of the next one" : "a parallel projection of the cube" };
}
