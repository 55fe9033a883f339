// SPDX-License-Identifier: Apache-2.0
// A table that sorts by its header, filters, and shows its first rows until asked for more.

class SortTable {
    /** columns: { key, title, value(row), text(row), numeric, help }; options: caption, sort, descending, onRow, rows. */
    constructor(id, columns, options) {
        Object.assign(this, { id, columns, options });
        this.sort = { key: options.sort, descending: options.descending !== false };
        this.shown = this.page = options.rows || 20;
        this.rows = [];
        this.head = el("tr");
        this.body = el("tbody");
        this.count = el("span", { class: "count" });
        this.more = el("button", { type: "button", onclick: () => { this.shown += 5 * this.page; this.draw(); } });
        this.table = el("table", { id }, el("caption", { class: "unseen" }, options.caption),
            el("thead", {}, this.head), this.body);
        this.node = el("div", { class: "sort-table" },
            el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": options.caption }, this.table),
            el("p", { class: "below" }, this.count, this.more));
        for (const column of columns) this.head.append(this.headCell(column));
    }

    headCell(column) {
        const button = el("button", { type: "button", title: column.help || null, onclick: () => {
            const same = this.sort.key === column.key;
            this.sort = { key: column.key, descending: same ? !this.sort.descending : Boolean(column.numeric) };
            this.draw();
            announce(`Sorted by ${column.title}, ${this.sort.descending ? "descending" : "ascending"}`);
        } }, column.title);
        return el("th", { scope: "col", class: column.numeric ? "numeric" : null, "data-key": column.key }, button);
    }

    show(rows) {
        this.rows = rows;
        this.draw();
    }

    sorted() {
        const column = this.columns.find((c) => c.key === this.sort.key);
        if (!column) return this.rows;
        const compare = this.sort.descending ? d3.descending : d3.ascending;
        const missing = (value) => value === null || value === undefined;
        return this.rows.map((row, i) => ({ row, i, value: column.value(row) }))
            .sort((a, b) => missing(a.value) - missing(b.value) || compare(a.value, b.value) || a.i - b.i)
            .map((entry) => entry.row);
    }

    draw() {
        for (const cell of this.head.children) {
            const on = cell.dataset.key === this.sort.key;
            cell.setAttribute("aria-sort", on ? (this.sort.descending ? "descending" : "ascending") : "none");
        }
        const rows = this.sorted().slice(0, this.shown);
        this.body.replaceChildren(...rows.map((row) => this.bodyRow(row)));
        const left = this.rows.length - rows.length;
        this.count.textContent = left > 0 ? `${number(rows.length)} of ${number(this.rows.length)} rows.`
            : this.rows.length === 0 ? "No rows." : "";
        this.more.hidden = left <= 0;
        this.more.textContent = `Show ${number(Math.min(left, 5 * this.page))} more`;
    }

    bodyRow(row) {
        const { options } = this;
        const cells = this.columns.map((column, i) => {
            const content = column.text ? column.text(row) : number(column.value(row));
            const button = i === 0 && options.onRow
                ? el("button", { type: "button", class: "link" }, content) : content;
            return el("td", { class: column.numeric ? "numeric" : null, "data-key": column.key }, button);
        });
        const line = el("tr", options.attributes ? options.attributes(row) : {}, cells);
        if (options.onRow) { // a click anywhere, or the button in the first cell by key
            line.classList.add("choice-row");
            line.addEventListener("click", () => options.onRow(row));
        }
        if (options.isSelected && options.isSelected(row)) line.classList.add("selected");
        return line;
    }
}

/** A label with a text input that calls `changed(text)` while typing. */
function filterBox(id, label, placeholder, changed) {
    return el("label", { class: "filter", for: id }, label,
        el("input", { type: "search", id, placeholder, autocomplete: "off", oninput: (event) => changed(event.target.value) }));
}
