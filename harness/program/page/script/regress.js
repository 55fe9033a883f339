// SPDX-License-Identifier: Apache-2.0
// The reports of a regression (rows, changes first) and of a comparison (the first difference).

const CHANGES = ["stopped", "function", "time", "new", "same"]; // worst first
const CHANGE_WORDS = { stopped: "could not run", function: "other function", time: "other time", new: "new", same: "same" };

function changeOf(row) {
    return row.change === null ? "stopped" : row.change;
}

function regressVerdict({ result }) {
    const kind = { same: "pass", updated: "pass", changed: result.function > 0 ? "fail" : "warn" };
    return [result.verdict.toUpperCase(), kind[result.verdict] || "fail"];
}

function regressFigures(result) {
    const change = (ratio) => `${ratio >= 1 ? "+" : "−"}${(100 * Math.abs(ratio - 1)).toFixed(2)} %`;
    const rows = [["Runs", number(result.runs), result.done < result.runs ? ` ${number(result.done)} done` : null],
        ["Same", number(result.same)], ["Other function", number(result.function)], ["Faster", number(result.faster)],
        ["Slower", number(result.slower)], ["New", number(result.new)]];
    // Rows of another function are in no mean.
    const mean = ({ rows: count }) => ` geometric mean of ${plural(count, "row")} with the same function`;
    if (result.closed && result.closed.cycles)
        rows.push(["Cycles, closed runs", change(result.closed.cycles), mean(result.closed)]);
    if (result.open && result.open.latency)
        rows.push(["Latency, open loop", change(result.open.latency), mean(result.open)]);
    return el("div", { id: "key-figures" }, figures(rows));
}

/** A column with the new value, and the old one where it differs. */
function changedColumn(key, title, numeric) {
    return { key, title, numeric, value: (row) => row[key], text: (row) => {
        const was = row[`${key}_was`];
        return was === null || was === row[key] ? number(row[key]) : `${number(was)} → ${number(row[key])}`;
    } };
}

const REGRESS_COLUMNS = [
    { key: "change", title: "Change", value: (row) => CHANGES.indexOf(changeOf(row)),
        text: (row) => el("span", { class: `change ${changeOf(row)}` }, CHANGE_WORDS[changeOf(row)]) },
    { key: "run", title: "Run", value: (row) => row.run, text: (row) => el("code", {}, row.run) },
    changedColumn("verdict", "Verdict", false),
    { key: "ratio", title: "New / old", numeric: true, value: (row) => row.ratio },
    changedColumn("cycles", "Cycles", true),
    changedColumn("latency", "Latency", true),
    changedColumn("contended", "Contended", true),
    { key: "detail", title: "Detail", value: (row) => row.detail, text: (row) => row.detail || "" },
];

/** Choices of the filter: [value, text, count]. */
function regressChoices(rows) {
    const verdicts = [...new Set(rows.map((row) => row.verdict))].filter((v) => v && v !== "pass").sort();
    return [["all", "all", rows.length],
        ...CHANGES.map((c) => [c, CHANGE_WORDS[c], rows.filter((row) => changeOf(row) === c).length]),
        ...verdicts.map((v) => [v, `verdict ${v}`, rows.filter((row) => row.verdict === v).length])]
        .filter(([, , count]) => count > 0);
}

function regressPage(page) {
    const { rows } = page.result, wanted = { change: "all", text: "" };
    const table = new SortTable("rows-table", REGRESS_COLUMNS, { caption: "Rows of the baseline", sort: "change",
        descending: false, rows: 60, attributes: (row) => ({ "data-line": row.line }) });
    const update = () => table.show(rows.filter((row) => row.run.includes(wanted.text)
        && (wanted.change === "all" || changeOf(row) === wanted.change || row.verdict === wanted.change)));
    const choice = el("select", { id: "rows-change", onchange: () => {
        wanted.change = choice.value;
        update();
    } }, regressChoices(rows).map(([value, text, count]) => el("option", { value }, `${text} (${count})`)));
    const filter = filterBox("rows-filter", "Filter", "part of the run", (text) => {
        wanted.text = text.trim();
        update();
    });
    update();
    return [regressFigures(page.result), section("rows", "Rows",
        el("div", { class: "tools" }, el("label", { class: "filter", for: "rows-change" }, "Show", choice), filter),
        table.node), noteSection(page.notes)];
}

function compareVerdict({ result }) {
    if (result.divergence) return ["DIFFERENT", "fail"];
    return result.verdict === "pass" ? ["SAME", "pass"] : ["FAIL", "fail"];
}

/** The first difference, and what led to it. */
function differenceSection(result) {
    const d = result.divergence, waves = (result.waves || []).filter((wave) => wave.file);
    if (!d)
        return section("difference", "First difference",
            el("p", {}, result.detail || "None: the sides agree in every cycle compared."));
    const side = (name, value, text) => ({ side: name, value: String(value), text: text || "" });
    const sides = [side(`A: ${result.a}`, d.a, d.a_text), side(`B: ${result.b}`, d.b, d.b_text)];
    return section("difference", "First difference",
        el("p", { class: "lead" }, `In cycle ${number(d.cycle)}: ${d.place}.`),
        figures([["Cycle", number(d.cycle)], ["Router", String(d.node)], ["Port", String(d.port)], ["VC", String(d.vc)],
            ["Signal", d.field]]),
        plainTable("sides-table", "Both sides", sides, [["side", "Side"], ["value", "Value"], ["text", "Decoded"]]),
        d.packets && d.packets.length
            ? el("div", {}, el("h3", {}, "Packets"), el("ul", {}, d.packets.map((text) => el("li", {}, text)))) : null,
        waves.length
            ? el("p", {}, "Waves: ", waves.map((w) => `${w.file} (${cycleRange(w.first, w.last)})`).join(", ")) : null);
}

function comparePage(page) {
    const { result } = page, difference = result.divergence;
    const showDifference = (view) => {
        if (!difference || difference.cycle > view.recording.time.last) return;
        view.showCycles(difference.cycle, difference.cycle);
        view.select({ kind: "node", id: difference.node });
    };
    const network = page.time && page.channels ? networkParts(page, showDifference) : [];
    const rows = [["Side A", result.a], ["Side B", result.b], ["Compared", number(result.simulated_cycles), " cycles"],
        ["Delivered", number(result.words), ` words, ${plural(result.packets || 0, "packet")}`]];
    return [el("div", { id: "key-figures" }, figures(rows)), differenceSection(result),
        network.length ? el("p", { class: "note" }, "The network below is that of side A.") : null, ...network,
        section("result", "Result", figureTable(result)), noteSection(page.notes)];
}
