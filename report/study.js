// The page of a study: all cases, and each result over each parameter.
import {card, el} from "./dom.js";
import {format, with_unit} from "./numbers.js";
import {sortable} from "./tables.js";

const SIZE = {
  width: 340,
  height: 220,
  left: 62,
  right: 14,
  top: 12,
  bottom: 40
};
const MOST_FIGURES = 60;
const COLOURS = ["#2f6fa8", "#d9772b", "#2a8c5a", "#b0416b", "#7256b0", "#8a7a2e", "#3aa0b8", "#a34a3a"];
const LEVEL = {
  finished: "ok",
  failed: "bad",
  missing: "warn"
};

export async function study_page(report, main) {
  main.classList.add("single");
  const study = report.study ?? {parameters: [], results: [], rows: []};
  const rows = study.rows ?? [];
  if (!rows.length) {
    main.append(card("Cases", "cases", el("p", {class: "nothing"}, "No case has been run yet.")));
    return;
  }
  main.append(card(`Cases (${rows.length})`, "cases", case_table(study, rows)));
  const figures = figures_of(study, rows);
  if (figures.length)
    main.append(card(
        "Results over parameters", "figures", el("div", {class: "figures"}, figures.slice(0, MOST_FIGURES)),
        figures.length > MOST_FIGURES ?
            el("p", {class: "quiet"}, `and ${figures.length - MOST_FIGURES} more combinations`) :
            null));
}

function case_table(study, rows) {
  const number = (k) => (row) => row.values[k] ?? null;
  const columns = [
    {title: "case", value: (row) => row.case},
    {title: "status", value: (row) => row.status, title_of: (row) => row.message},
    ...[...study.parameters, ...study.results].map(({name, unit}, k) => ({title: name, unit, value: number(k)})),
  ];
  if (rows.some((row) => row.message)) columns.push({title: "message", value: (row) => row.message || null});
  const cell = (row, k) => {
    if (k === 0 && row.link) return el("a", {href: relative(row.link)}, row.case);
    if (k === 1) return el("span", {class: `badge small ${LEVEL[row.status] ?? "warn"}`}, row.status);
    return null;
  };
  return el("div", {class: "tall"}, sortable(columns, rows, {cell}));
}

// Links lead to files beside this one and nowhere else.
function relative(link) { return link.split("/").map(encodeURIComponent).join("/"); }

function figures_of(study, rows) {
  const n = study.parameters.length;
  return study.results
      .flatMap((result, r) => study.parameters.map((parameter, p) => {
        const points = rows.filter(
                               (row) => typeof row.values[n + r] === "number" &&
                                   (typeof row.values[p] === "number" || typeof row.values[p] === "string"))
                           .map((row) => ({x: row.values[p], y: row.values[n + r], row}));
        return points.length ? scatter(parameter, result, points, study, p) : null;
      }))
      .filter(Boolean);
}

// Logarithmic where values of one sign span more than two decades evenly enough.
function scale_of(values) {
  const positive = values.every((x) => x > 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const middle = distinct[distinct.length >> 1];
  const log = positive && high / low >= 50 && middle < 0.35 * (low + high);
  const f = log ? Math.log10 : (x) => x;
  const [a, b] =
      high > low ? [f(low), f(high)] : [f(low) - (Math.abs(f(low)) || 1) / 2, f(high) + (Math.abs(f(high)) || 1) / 2];
  const pad = 0.05 * (b - a);
  return {at: (x) => (f(x) - a + pad) / (b - a + 2 * pad), ticks: log ? log_ticks(low, high) : ticks(a, b)};
}

function ticks(a, b) {
  const rough = (b - a) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
  const list = [];
  for (let k = Math.ceil(a / step); k * step <= b + 1e-9 * step; ++k) list.push(Number((k * step).toPrecision(8)));
  return list;
}

function log_ticks(low, high) {
  const list = [];
  for (let k = Math.ceil(Math.log10(low) - 1e-9); k <= Math.log10(high) + 1e-9; ++k) list.push(10 ** k);
  return list.length >= 2 ? list : [low, high];
}

function category_scale(names) {
  const distinct = [...new Set(names)];
  return {at: (name) => (distinct.indexOf(name) + 0.5) / distinct.length, ticks: distinct};
}

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

function scatter(parameter, result, points, study, p) {
  const {width, height, left, right, top, bottom} = SIZE;
  const numeric = points.every(({x}) => typeof x === "number");
  const xs = numeric ? scale_of(points.map(({x}) => x)) : category_scale(points.map(({x}) => String(x)));
  const ys = scale_of(points.map(({y}) => y));
  const X = (x) => left + xs.at(numeric ? x : String(x)) * (width - left - right);
  const Y = (y) => height - bottom - ys.at(y) * (height - top - bottom);
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "scatter", role: "img"});
  for (const y of ys.ticks)
    picture.append(
        svg("line", {x1: left, x2: width - right, y1: Y(y), y2: Y(y), class: "grid"}),
        svg("text", {x: left - 6, y: Y(y) + 4, "text-anchor": "end"}, format(y, 3)));
  for (const x of xs.ticks)
    picture.append(
        svg("line", {x1: X(x), x2: X(x), y1: top, y2: height - bottom, class: "grid"}),
        svg("text", {x: X(x), y: height - bottom + 15, "text-anchor": "middle"}, numeric ? format(x, 3) : shorten(x)));
  // Cases that differ in this parameter alone are joined.
  const groups = families(points, study, p);
  const colour_of = (k) => (groups.length > 1 && groups.length <= COLOURS.length ? COLOURS[k] : COLOURS[0]);
  const colours = new Map(groups.flatMap((group, k) => group.points.map(({row}) => [row, colour_of(k)])));
  if (numeric)
    groups.forEach((group, k) => picture.append(svg("polyline", {
      points: group.points.map(({x, y}) => `${X(x)},${Y(y)}`).join(" "),
      class: "family",
      stroke: colour_of(k)
    })));
  for (const {x, y, row} of points) {
    const dot =
        svg("circle", {cx: X(x), cy: Y(y), r: 4, fill: colours.get(row) ?? COLOURS[0]},
            svg("title", {}, `${row.case}: ${format(y, 6)} ${result.unit ?? ""}`));
    picture.append(row.link ? svg("a", {href: relative(row.link)}, dot) : dot);
  }
  picture.append(
      svg("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle", class: "axis"},
          label(parameter)));
  const named = groups.length > 1 && groups.length <= COLOURS.length;
  const legend = named ?
      el("div", {class: "chips"},
         groups.map(
             (group, k) => el("span", {class: "chip"}, el("i", {style: {background: colour_of(k)}}), group.name))) :
      null;
  return el("figure", {}, el("figcaption", {}, label(result)), picture, legend);
}

// Cases with the same values of all other parameters.
function families(points, study, p) {
  const groups = new Map();
  const others = study.parameters.map((parameter, k) => ({parameter, k})).filter(({k}) => k !== p);
  const varied = others.filter(({k}) => new Set(points.map(({row}) => row.values[k])).size > 1);
  for (const point of points) {
    const name = varied
                     .map(
                         ({parameter, k}) =>
                             `${parameter.name.split(".").pop()} = ${with_unit(point.row.values[k], parameter.unit)}`)
                     .join(", ");
    if (!groups.has(name)) groups.set(name, {name, points: []});
    groups.get(name).points.push(point);
  }
  for (const group of groups.values()) group.points.sort((a, b) => a.x - b.x);
  return [...groups.values()];
}

function label({name, unit}) { return unit ? `${name} [${unit}]` : name; }

function shorten(text) { return text.length > 12 ? `${text.slice(0, 11)}…` : text; }
