// SPDX-License-Identifier: Apache-2.0
// Puts the page together, by the kind of its data.

const KINDS = {
    run: { parts: runPage, verdict: runVerdict },
    sweep: { parts: sweepPage, title: sweepTitle,
        verdict: ({ result }) => [result.verdict.toUpperCase(), result.verdict] },
    regress: { parts: regressPage, verdict: regressVerdict },
    compare: { parts: comparePage, verdict: compareVerdict },
};

function header(page, [word, kind]) {
    const { command } = page, { title = page.title } = KINDS[page.kind];
    document.getElementById("head").append(...[
        el("div", { class: "head-line" },
            el("span", { class: `verdict ${kind}`, id: "verdict" }, word),
            el("h1", {}, typeof title === "function" ? title(page) : title)),
        command ? commandLine("command", command, "the command") : null].filter(Boolean));
    document.getElementById("foot").append(
        `Made by ecube ${page.version || ""}. This file is complete: it loads nothing from the network.`);
}

/** Links to the sections. */
function contents() {
    const link = (part) => {
        const title = part.querySelector("h2").firstChild.textContent;
        return el("a", { href: `#${part.id}` }, part.dataset.short || title);
    };
    return el("nav", { "aria-label": "Sections" }, [...document.querySelectorAll("main section[id]")].map(link));
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
