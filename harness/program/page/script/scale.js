// SPDX-License-Identifier: Apache-2.0
// What a colour means: measures of channels, colour ramps for light and dark, legends. Ramps are monotonic in
// lightness, so that they work for all kinds of colour vision and on a grey printer.

const RAMPS = {
    light: {
        link: ["#d9dfe6", "#efc668", "#e0762f", "#a3263f", "#3f0d33"],
        node: ["#f3f6f9", "#b5d2ec", "#5a9fd4", "#1f65a8", "#0a2f63"],
    },
    dark: {
        link: ["#343c46", "#703063", "#c24a4a", "#f09a3e", "#fdf1a8"],
        node: ["#1c232b", "#1f4f7d", "#2f81c0", "#77bdf0", "#e3f3ff"],
    },
};

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function theme() {
    return darkQuery.matches && !printing ? "dark" : "light";
}

/** Call `redraw` when the colours change: the system's scheme, or paper. */
function onTheme(redraw) {
    darkQuery.addEventListener("change", redraw);
    addEventListener("beforeprint", () => { printing = true; redraw(); });
    addEventListener("afterprint", () => { printing = false; redraw(); });
}

const rampCache = new Map();

/** Colour of a fraction 0..1 on the ramp `kind`: link or node. */
function rampColour(kind, fraction) {
    const key = theme() + kind;
    if (!rampCache.has(key)) {
        const mix = d3.scaleLinear().domain(d3.range(5).map((i) => i / 4)).range(RAMPS[theme()][kind])
            .interpolate(d3.interpolateLab).clamp(true);
        rampCache.set(key, d3.range(257).map((i) => mix(i / 256)));
    }
    const at = Math.round(256 * Math.min(1, Math.max(0, fraction || 0)));
    return rampCache.get(key)[at];
}

// `per` says what a value is divided by: the cycles of the interval.
const MEASURES = {
    use: { label: "Use", unit: "% of cycles", names: ["flits"], format: percent,
        help: "share of cycles in which a word crossed the channel" },
    waiting: { label: "Waiting", unit: "flits waiting, mean", names: ["contended", "starved"], format: number,
        help: "front flits that wanted the channel and did not move, mean per cycle" },
    contended: { label: "Contended", unit: "flits waiting, mean", names: ["contended"], format: number,
        help: "of these, those that another packet kept from moving" },
    starved: { label: "Starved", unit: "flits waiting, mean", names: ["starved"], format: number,
        help: "of these, those that waited because the next buffer was full (back-pressure), or for any other reason" },
};

/** Mean per cycle of a measure in the bins [from, to), for every channel. */
function measureValues(recording, measure, from, to) {
    const [first, second] = MEASURES[measure].names;
    const ret = recording.sum(first, from, to);
    if (second) recording.sum(second, from, to).forEach((value, c) => { ret[c] += value; });
    const cycles = recording.cycles(from, to);
    return ret.map((value) => value / cycles);
}

/** Upper end of a measure's scale: of the whole run, or one for all bins, so that scrubbing keeps colours comparable. */
function measureTop(recording, measure, whole) {
    if (measure === "use") return 1;
    recording.tops = recording.tops || {};
    const key = `${measure} ${whole}`;
    if (!(key in recording.tops)) {
        let top = 0;
        if (whole) top = d3.max(measureValues(recording, measure, 0, recording.bins)) || 0;
        else
            for (let k = 0; k < recording.bins; k++)
                top = Math.max(top, d3.max(measureValues(recording, measure, k, k + 1)) || 0);
        recording.tops[key] = top > 0 ? d3.scaleLinear().domain([0, top]).nice(4).domain()[1] : 1;
    }
    return recording.tops[key];
}

/** Upper end of the scale of words in a router's buffers: the most in any bin. */
function bufferTop(recording) {
    if (recording.bufferTop === undefined) {
        let top = 0;
        for (let k = 0; k < recording.bins; k++)
            top = Math.max(top, d3.max(recording.perNode(recording.sum("buffered", k, k + 1))));
        recording.bufferTop = Math.max(1, Math.ceil(top));
    }
    return recording.bufferTop;
}

/** A strip of colours with its ends and unit. */
function legend(kind, title, low, high, unit) {
    const stops = d3.range(13).map((i) => `${rampColour(kind, i / 12)} ${(100 * i / 12).toFixed(1)}%`);
    return el("div", { class: "legend" }, el("span", { class: "legend-title" }, title),
        el("span", {}, low), el("span", { class: "ramp", "aria-hidden": "true",
            style: `background-image: linear-gradient(to right, ${stops.join(",")})` }),
        el("span", {}, high), el("span", { class: "unit" }, unit));
}
