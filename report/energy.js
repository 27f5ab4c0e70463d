// The energy ledger as a stack: what is stored and what was lost add up to what was there and what was put in.
import {index_nearest, range_of} from "./data.js";
import {card, el} from "./dom.js";
import {with_unit} from "./numbers.js";
import {Graph} from "./plots.js";

const STORED = ["#2f6fa8", "#5d9ccf", "#9cc5e3", "#7256b0", "#a996d6"];
const LOST = ["#c8553d", "#e08a5b", "#eab676", "#b0416b", "#9c8755", "#7f6a5c"];
const NEGLIGIBLE = 1e-4;  // of the largest energy: columns below it are not drawn

const short_name = (name) => name.replace(/^energy\.|^loss\.|^work\./, "").replace(/_/g, " ");

// The card, and `draw` for when it is in the page: dygraphs must know how wide it is.
export async function energy_card(energy, samples, group) {
  if (!energy || !samples) return null;
  const read = async (names) => Promise.all((names ?? [])
                                                .filter((name) => samples.has(name))
                                                .map(async (name) => ({name, values: await samples.values(name)})));
  const [stored, lost, input] = await Promise.all([read(energy.stored), read(energy.lost), read(energy.input)]);
  if (!stored.length) return null;
  const layers = layers_of(stored, lost);
  if (!layers.length)
    return {element: card("Energy", "energy", el("p", {class: "nothing"}, "All energies are zero.")), draw: () => {}};
  const graph = new Graph(group, 230);
  const total = lost.length || input.length ? total_of(stored, layers, input, samples.x.length) : null;
  const legend = make_legend(layers, total, samples);
  graph.on_time = (time) => legend.show(index_nearest(samples.x, time));
  const unit = samples.unit(layers[0].name) || "J";
  const element = card("Energy", "energy", legend.element, graph.element, notes(layers, total));
  return {element, draw: () => draw(graph, layers, total, samples.x, unit)};
}

// Potential energies may be counted from their lowest value, which makes them parts of a stack.
function layers_of(stored, lost) {
  const largest = Math.max(
      ...[...stored, ...lost].map(({values}) => Math.max(...range_of(values).map(Math.abs))).filter(Number.isFinite),
      0);
  const layer = (kind, colours) => ({name, values}, k) => {
    const [low, high] = range_of(values);
    const zero = kind === "stored" && low < 0 && name.includes("gravity") ? low : 0;
    return {
      name,
      kind,
      values,
      zero,
      colour: colours[k % colours.length],
      drawn: high - zero > NEGLIGIBLE * largest || low - zero < -NEGLIGIBLE * largest
    };
  };
  return [...stored.map(layer("stored", STORED)), ...lost.map(layer("lost", LOST))].filter(({drawn}) => drawn);
}

// Start plus work put in, from the same zero as the stack.
function total_of(stored, layers, input, n) {
  const zero = layers.reduce((sum, layer) => sum + layer.zero, 0);
  const start = stored.reduce((sum, {values}) => sum + values[0], 0) - zero;
  return Float64Array.from({length: n}, (_, k) => start + input.reduce((sum, {values}) => sum + values[k], 0));
}

// Each layer from the top of the one below; negative values go down from zero.
function stack(layers, n) {
  const up = new Float64Array(n);
  const down = new Float64Array(n);
  return layers.map(({values, zero}) => Array.from({length: n}, (_, k) => {
    const value = values[k] - zero;
    const pile = value >= 0 ? up : down;
    const from = pile[k];
    if (Number.isFinite(value)) pile[k] += value;
    return Number.isFinite(value) ? [Math.min(from, pile[k]), pile[k], Math.max(from, pile[k])] : [NaN, NaN, NaN];
  }));
}

function draw(graph, layers, total, x, unit) {
  const bands = stack(layers, x.length);
  const rows = Array.from(x, (value, k) => {
    const row = [value, ...bands.map((band) => band[k])];
    if (total) row.push([total[k], total[k], total[k]]);
    return row;
  });
  const labels = ["x", ...layers.map((_, k) => `layer ${k}`), ...(total ? ["total"] : [])];
  const colors = [...layers.map(({colour}) => colour), ...(total ? ["#22272e"] : [])];
  graph.draw(rows, labels, {
    customBars: true,
    fillAlpha: 0.75,
    colors,
    strokeWidth: 0.4,
    ylabel: unit,
    yLabelWidth: 18,
    series: total ? {total: {strokeWidth: 1.4, strokePattern: [5, 3]}} : {},
    includeZero: true
  });
}

function make_legend(layers, total, samples) {
  const largest = Math.max(...layers.flatMap(({values}) => range_of(values)).map(Math.abs));
  const entries = layers.map((layer) => ({...layer, output: el("output")}));
  const chip = ({name, colour, kind, zero, output}) =>
      el("span", {class: "chip", title: zero ? "counted from its lowest value" : null},
         el("i", {style: {background: colour}}),
         el("b", {}, `${kind === "lost" ? "lost: " : ""}${short_name(name)}${zero ? " *" : ""}`), output);
  const sum = el("output");
  const element = el(
      "div", {class: "chips"}, entries.map(chip),
      total ? el("span", {class: "chip"}, el("i", {class: "dashed"}), el("b", {}, "start + work put in"), sum) : null);
  // Round-off of energies that were never there.
  const clean = (value) => (Math.abs(value) < 1e-12 * largest ? 0 : value);
  const show = (k) => {
    for (const {values, zero, name, output} of entries)
      output.textContent = with_unit(clean(values[k] - zero), samples.unit(name));
    if (total) sum.textContent = with_unit(clean(total[k]), "J");
  };
  return {element, show};
}

function notes(layers, total) {
  const texts = [];
  if (total) texts.push("The stack reaches the dashed line if the energies add up.");
  if (layers.some(({zero}) => zero)) texts.push("* counted from its lowest value.");
  return texts.length ? el("p", {class: "quiet"}, texts.join(" ")) : null;
}
