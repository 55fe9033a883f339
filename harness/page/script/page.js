// SPDX-License-Identifier: Apache-2.0
// Puts the page together, by the kind of its data.

function main() {
    const page = JSON.parse(document.getElementById("data").textContent);
    header(page);
    const body = document.getElementById("main");
    const kinds = { run: runPage };
    body.append(...kinds[page.kind](page));
    document.documentElement.dataset.ready = "yes";
}

main();
