"use strict";
// SPDX-License-Identifier: Apache-2.0
// Small helpers: elements, numbers as text, messages to screen readers. Knows nothing about networks.

/** An HTML element: attributes by name, `on...` as listeners, children as strings or nodes. */
function el(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

/** Set several attributes of a d3 selection; values may be functions of the datum. */
function attributes(selection, values) {
    for (const [key, value] of Object.entries(values)) selection.attr(key, value);
    return selection;
}

/** Append an SVG element to a d3 selection. */
function draw(parent, name, values = {}, text = null) {
    const shape = attributes(parent.append(name), values);
    return text === null ? shape : shape.text(text);
}

/** A picture with a name for screen readers. */
function svgImage(kind, label, values) {
    return attributes(d3.create("svg"), { class: kind, role: "img", "aria-label": label, ...values });
}

/** A section with a heading, in the document's outline and in the list of landmarks. */
function section(id, title, ...children) {
    return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

const integerFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 12345 -> "12,345"; fractions keep `digits` significant digits; null -> "-". */
function number(value, digits = 4) {
    if (value === null || value === undefined) return "-";
    if (typeof value !== "number") return String(value);
    if (Number.isInteger(value)) return integerFormat.format(value);
    if (Math.abs(value) >= 10 ** (digits - 1)) return integerFormat.format(value);
    return String(Number(value.toPrecision(digits)));
}

function percent(fraction) {
    if (fraction > 0 && fraction < 0.0005) return "< 0.1 %";
    return `${(100 * fraction).toFixed(fraction < 0.0995 ? 1 : 0)} %`;
}

function plural(count, one, many = `${one}s`) {
    return `${number(count)} ${count === 1 ? one : many}`;
}

function cycleRange(first, last) {
    return first === last ? `cycle ${number(first)}` : `cycles ${number(first)} to ${number(last)}`;
}

/** A description list of short figures: [[label, value, remark], ...]. */
function figures(rows) {
    return el("dl", { class: "figures" },
        rows.map(([label, value, remark]) => el("div", {}, el("dt", {}, label),
            el("dd", {}, value, remark ? el("small", {}, remark) : null))));
}

let announcing = 0;

/** Tell screen readers, but only after things have been quiet: scrubbing does not chatter. */
function announce(text) {
    clearTimeout(announcing);
    announcing = setTimeout(() => { document.getElementById("live").textContent = text; }, 700);
}

/** Call `draw(width)` now and whenever the width of `node` changes. */
function onWidth(node, draw) {
    let width = 0;
    new ResizeObserver(() => {
        const now = Math.floor(node.clientWidth);
        if (now > 0 && now !== width) draw(width = now);
    }).observe(node);
}

/** Text in a button that copies `text`; works from file://, where the clipboard API may be missing. */
function copyButton(text, what) {
    const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
    button.addEventListener("click", async () => {
        let copied = false;
        try {
            await navigator.clipboard.writeText(text);
            copied = true;
        } catch {
            const area = el("textarea", { class: "unseen", "aria-hidden": "true" });
            area.value = text;
            document.body.append(area);
            area.select();
            copied = document.execCommand("copy");
            area.remove();
            button.focus();
        }
        button.textContent = copied ? "Copied" : "Select and copy by hand";
        announce(button.textContent);
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return button;
}

/** A command with a button that copies it. */
function commandLine(id, command, what) {
    return el("div", { class: "command" },
        el("code", { id, tabindex: 0, role: "region", "aria-label": capital(what) }, command), copyButton(command, what));
}

function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
