// SPDX-License-Identifier: Apache-2.0
// Puts the page together, by the kind of its data.

const KINDS = {
    run: { parts: runPage, verdict: (page) => runVerdict(page.result) },
    sweep: { parts: sweepPage, verdict: ({ result }) => [result.verdict.toUpperCase(), result.verdict] },
    regress: { parts: regressPage, verdict: regressVerdict },
    compare: { parts: comparePage, verdict: compareVerdict },
};

function header(page, [word, kind]) {
    document.getElementById("head").append(
        el("div", { class: "head-line" }, el("span", { class: `verdict ${kind}`, id: "verdict" }, word), el("h1", {}, page.title)),
        el("div", { class: "command" }, el("code", { id: "command", tabindex: 0, "aria-label": "Command that repeats this" }, page.command), copyButton(page.command, "the command")));
    document.getElementById("foot").append(`Made by ecube ${page.version || ""}. This file is complete: it loads nothing from the network.`);
}

/** Links to the sections. */
function contents() {
    const titles = [...document.querySelectorAll("main section[id]")].map((part) => [part.id, part.querySelector("h2").firstChild.textContent]);
    return el("nav", { "aria-label": "Sections" }, titles.map(([id, title]) => el("a", { href: `#${id}` }, title.split(",")[0].replace(/^Where is the b/, "B"))));
}

function main() {
    const page = JSON.parse(document.getElementById("data").textContent);
    const kind = KINDS[page.kind];
    header(page, kind.verdict(page));
    document.getElementById("main").append(...kind.parts(page).filter(Boolean));
    document.getElementById("head").append(contents());
    document.documentElement.dataset.ready = "yes";
}

main();
