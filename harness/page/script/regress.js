// SPDX-License-Identifier: Apache-2.0
// The reports of a regression (rows, changes first) and of a comparison (the first difference).

const CHANGES = ["stopped", "function", "time", "new", "same"]; // worst first
const CHANGE_WORDS = { stopped: "could not run", function: "other function", time: "other time", new: "new", same: "same" };

function changeOf(row) {
    return row.change === null ? "stopped" : row.change;
}

function regressFigures(result) {
    const mean = (value) => (value === null || value === undefined ? "-" : `${value >= 1 ? "+" : "−"}${(100 * Math.abs(value - 1)).toFixed(2)} %`);
    const rows = [["Runs", number(result.runs), result.done < result.runs ? ` ${number(result.done)} done` : null], ["Same", number(result.same)],
        ["Other function", number(result.function)], ["Faster", number(result.faster)], ["Slower", number(result.slower)], ["New", number(result.new)]];
    if (result.closed && result.closed.cycles) rows.push(["Cycles, closed runs", mean(result.closed.cycles), " geometric mean"]);
    if (result.open && result.open.latency) rows.push(["Latency, open loop", mean(result.open.latency), " geometric mean"]);
    return el("div", { id: "key-figures" }, figures(rows));
}

function regressPage(page) {
    const { result } = page, rows = result.rows.map((row, i) => ({ ...row, i }));
    const was = (key) => ({ value: (row) => row[key], text: (row) => (row[`${key}_was`] === null || row[`${key}_was`] === row[key] ? number(row[key]) : `${number(row[`${key}_was`])} → ${number(row[key])}`) });
    const columns = [
        { key: "change", title: "Change", value: (row) => CHANGES.indexOf(changeOf(row)), text: (row) => el("span", { class: `change ${changeOf(row)}` }, CHANGE_WORDS[changeOf(row)]) },
        { key: "run", title: "Run", value: (row) => row.run, text: (row) => el("code", {}, row.run) },
        { key: "verdict", title: "Verdict", ...was("verdict"), text: (row) => (row.verdict_was && row.verdict_was !== row.verdict ? `${row.verdict_was} → ${row.verdict}` : row.verdict || "-") },
        { key: "ratio", title: "New / old", numeric: true, value: (row) => row.ratio },
        { key: "cycles", title: "Cycles", numeric: true, ...was("cycles") },
        { key: "latency", title: "Latency", numeric: true, ...was("latency") },
        { key: "contended", title: "Contended", numeric: true, ...was("contended") },
        { key: "detail", title: "Detail", value: (row) => row.detail, text: (row) => row.detail || "" },
    ];
    const table = new SortTable("rows-table", columns, { caption: "Rows of the baseline", sort: "change", descending: false, rows: 60, attributes: (row) => ({ "data-line": row.line }) });
    const state = { change: "all", text: "" };
    const update = () => table.show(rows.filter((row) => (state.change === "all" || changeOf(row) === state.change || row.verdict === state.change) && row.run.includes(state.text)));
    const options = [["all", `all (${rows.length})`], ...CHANGES.map((c) => [c, CHANGE_WORDS[c], rows.filter((row) => changeOf(row) === c).length]),
        ...["fail", "deadlock", "unstable", "short"].map((v) => [v, `verdict ${v}`, rows.filter((row) => row.verdict === v).length])];
    const select = el("select", { id: "rows-change", onchange: () => { state.change = select.value; update(); } },
        options.filter(([, , count]) => count !== 0).map(([value, text, count]) => el("option", { value }, count === undefined ? text : `${text} (${count})`)));
    update();
    return [regressFigures(result), section("rows", "Rows", el("div", { class: "tools" }, el("label", { class: "filter", for: "rows-change" }, "Show", select),
        filterBox("rows-filter", "Filter", "part of the run", (text) => { state.text = text.trim(); update(); })), table.node), noteSection(page.notes || [])];
}

function compareVerdict({ result }) {
    if (result.divergence) return ["DIFFERENT", "fail"];
    return result.verdict === "pass" ? ["SAME", "pass"] : ["FAIL", "fail"];
}

/** The first difference, and what led to it. */
function divergenceSection(result) {
    const d = result.divergence;
    if (!d) return section("difference", "First difference", el("p", {}, result.detail || "None: the sides agree in every cycle compared."));
    const rows = [["Cycle", number(d.cycle)], ["Router", number(d.node)], ["Port", number(d.port)], ["VC", number(d.vc)], ["Signal", d.field]];
    const side = (name, value, text) => ({ side: name, value: String(value), text: text || "" });
    return section("difference", "First difference", el("p", { class: "lead" }, `In cycle ${number(d.cycle)}: ${d.place}.`), figures(rows),
        plainTable("sides-table", "Both sides", [side(`A: ${result.a}`, d.a, d.a_text), side(`B: ${result.b}`, d.b, d.b_text)], [["side", "Side"], ["value", "Value"], ["text", "Decoded"]]),
        d.packets && d.packets.length ? el("div", {}, el("h3", {}, "Packets"), el("ul", {}, d.packets.map((text) => el("li", {}, text)))) : null,
        (result.waves || []).some((w) => w.file) ? el("p", {}, "Waves: ", result.waves.filter((w) => w.file).map((w) => `${w.file} (${cycleRange(w.first, w.last)})`).join(", ")) : null);
}

function comparePage(page) {
    const { result } = page;
    const rows = [["Cycles compared", number(result.simulated_cycles)], ["Router cycles", number(result.compared)], ["Delivered", number(result.words), ` words, ${plural(result.packets || 0, "packet")}`]];
    const network = page.time && page.channels ? networkParts(page) : [];
    return [el("div", { id: "key-figures" }, figures([["Side A", result.a], ["Side B", result.b], ...rows])), divergenceSection(result),
        ...(network.length ? [el("p", { class: "note" }, "The network below is that of side A."), ...network] : []), section("result", "Result", figureSection(result)), noteSection(page.notes || [])];
}
