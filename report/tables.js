// Tables that can be sorted by a click on a heading.
import {el} from "./dom.js";
import {format} from "./numbers.js";

// columns: {title, unit?, value(row): number, text or null, show?(value): text, hint?}; `pick(row)` on a click on a
// row.
export function sortable(columns, rows, {pick, cell} = {}) {
  const body = el("tbody");
  const fill = (sorted) => body.replaceChildren(...sorted.map((row) => make_row(columns, row, pick, cell)));
  const headings = columns.map((column, k) => {
    const button =
        el("button", {type: "button", title: column.hint}, column.title,
           column.unit ? el("small", {}, ` ${column.unit}`) : null);
    button.addEventListener("click", () => {
      const falling = headings[k].getAttribute("aria-sort") === "descending";
      headings.forEach((heading) => heading.setAttribute("aria-sort", "none"));
      headings[k].setAttribute("aria-sort", falling ? "ascending" : "descending");
      fill(sort(rows, column, falling ? 1 : -1));
    });
    return el("th", {scope: "col", "aria-sort": "none"}, button);
  });
  fill(rows);
  return el("div", {class: "scroll"}, el("table", {}, el("thead", {}, el("tr", {}, headings)), body));
}

function make_row(columns, row, pick, cell) {
  const cells = columns.map((column, k) => {
    const value = column.value(row);
    const custom = cell?.(row, k);
    const text = column.show ? column.show(value) : format(value);
    return el(
        "td", {class: typeof value === "number" ? "number" : null, title: column.title_of?.(row)}, custom ?? text);
  });
  const line = el("tr", {}, cells);
  if (pick) {
    line.classList.add("pick");
    line.tabIndex = 0;
    line.addEventListener("click", () => pick(row));
    line.addEventListener("keydown", (event) => event.key === "Enter" && pick(row));
  }
  return line;
}

// Empty cells last, whichever way.
function sort(rows, column, sign) {
  const missing = (value) => value === null || value === undefined || Number.isNaN(value);
  return [...rows].sort((first, second) => {
    const [a, b] = [column.value(first), column.value(second)];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    return sign *
        (typeof a === "number" && typeof b === "number" ? a - b :
                                                          String(a).localeCompare(String(b), "en", {numeric: true}));
  });
}
