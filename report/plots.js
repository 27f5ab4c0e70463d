// Plots of columns over time, drawn by dygraphs. The lines of time are elements of their own: moving them draws nothing
// anew.
import Dygraph from "dygraphs";

import {index_nearest} from "./data.js";
import {el} from "./dom.js";
import {format, with_unit} from "./numbers.js";

const COLOURS = ["#2f6fa8", "#d9772b", "#2a8c5a", "#b0416b", "#7256b0", "#8a7a2e", "#3aa0b8", "#a34a3a"];
const MOST_LISTED = 150;
const AXIS = {
  axisLineColor: "#9aa3ad",
  gridLineColor: "#e6e9ed",
  axisLabelFontSize: 12,
  labelsKMB: false
};

const axis_label = (value, _granularity, _options, graph) => {
  const [low, high] = graph ? graph.xAxisRange() : [0, 1];
  const digits = Math.min(
      8,
      Math.max(3, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / Math.max(high - low, 1e-300))) + 3));
  return format(Math.abs(value) < 1e-9 * (high - low) ? 0 : value, digits);
};
const value_label = (value) => format(value, 5);

// All plots over the same abscissa: they zoom together and show the same time.
export class PlotGroup {
  constructor(clock, axis) {
    this.clock = clock;
    this.axis = axis;
    this.follow = true;
    this.plots_ = new Set();
    this.window_ = null;
    clock.on_time((time) => this.plots_.forEach((plot) => plot.show_time(time)));
  }

  add(plot) { this.plots_.add(plot); }

  remove(plot) { this.plots_.delete(plot); }

  zoom(window, from) {
    this.window_ = window;
    for (const plot of this.plots_)
      if (plot !== from) plot.zoom(window);
  }

  window() { return this.window_; }

  pointed(x, clicked) {
    if (clicked) this.clock.pause();
    if (clicked || (this.follow && !this.clock.playing)) this.clock.set(x);
  }
}

// A graph with a line for the time. Rows are [x, ...values]; more options go to dygraphs.
export class Graph {
  constructor(group, height) {
    this.group_ = group;
    this.holder_ = el("div", {class: "graph", style: {height: `${height}px`}});
    this.line_ = el("div", {class: "now-line"});
    this.element = el("div", {class: "graph-box"}, this.holder_, this.line_);
    this.on_time = null;
    new ResizeObserver(() => this.graph_?.resize()).observe(this.holder_);
  }

  draw(rows, labels, options) {
    this.destroy_graph_();
    this.graph_ = new Dygraph(this.holder_, rows, {
      labels,
      legend: "never",
      xRangePad: 2,
      strokeWidth: 1.3,
      highlightCircleSize: 0,
      connectSeparatedPoints: false,
      dateWindow: this.group_.window(),
      animatedZooms: false,
      rightGap: 12,
      ...AXIS,
      ...options,
      axes: {
        x: {axisLabelFormatter: axis_label, pixelsPerLabel: 55},
        y: {axisLabelFormatter: value_label, axisLabelWidth: 62},
        ...options.axes
      },
      highlightCallback: (_event, x) => this.group_.pointed(x, false),
      pointClickCallback: () => {},
      clickCallback: (event, x) => this.group_.pointed(x, true),
      zoomCallback: (low, high) => this.tell_zoom_(low, high),
      drawCallback: () => this.show_time(this.group_.clock.time),
    });
    this.show_time(this.group_.clock.time);
    this.group_.add(this);
  }

  tell_zoom_(low, high) {
    const [first, last] = this.graph_.xAxisExtremes();
    this.group_.zoom(low <= first && high >= last ? null : [low, high], this);
  }

  zoom(window) { this.graph_?.updateOptions({dateWindow: window}); }

  reset_zoom() {
    this.graph_?.resetZoom();
    this.group_.zoom(null, this);
  }

  show_time(time) {
    if (!this.graph_) return;
    const area = this.graph_.getArea();
    const x = this.graph_.toDomXCoord(time);
    this.line_.hidden = !(x >= area.x - 1 && x <= area.x + area.w + 1);
    this.line_.style.transform = `translateX(${x}px)`;
    this.line_.style.top = `${area.y}px`;
    this.line_.style.height = `${area.h}px`;
    this.on_time?.(time);
  }

  destroy_graph_() {
    this.graph_?.destroy();
    this.graph_ = null;
  }

  remove() {
    this.group_.remove(this);
    this.destroy_graph_();
    this.element.remove();
  }
}

// A plot of columns that the user chooses.
export class ColumnPlot {
  constructor(group, history, names, {on_remove, on_third_unit}) {
    this.group_ = group;
    this.history_ = history;
    this.names_ = [];
    this.on_third_unit_ = on_third_unit;
    this.graph_ = new Graph(group, 210);
    this.chips_ = el("div", {class: "chips"});
    this.picker_ = make_picker(history, (name) => this.toggle(name), () => this.names_);
    const remove =
        el("button", {
          type: "button",
          class: "quiet-button",
          title: "remove this plot",
          onclick: () => {
            this.graph_.remove();
            this.element.remove();
            on_remove(this);
          }
        },
           "✕");
    const reset =
        el("button", {
          type: "button",
          class: "quiet-button",
          title: "double click in the plot does the same",
          onclick: () => this.graph_.reset_zoom()
        },
           "Reset zoom");
    this.element = el(
        "div", {class: "plot"},
        el("div", {class: "plot-head"}, this.chips_, el("div", {class: "buttons"}, this.picker_.button, reset, remove)),
        this.picker_.panel, this.graph_.element);
    this.set(names);
  }

  names() { return [...this.names_]; }

  units_() { return [...new Set(this.names_.map((name) => this.history_.unit(name)))]; }

  set(names) {
    this.names_ = [];
    for (const name of names) {
      const unit = this.history_.unit(name);
      if (this.units_().includes(unit) || this.units_().length < 2) this.names_.push(name);
    }
    return this.draw_();
  }

  toggle(name) {
    if (this.names_.includes(name)) return this.set(this.names_.filter((other) => other !== name));
    const unit = this.history_.unit(name);
    if (this.units_().length >= 2 && !this.units_().includes(unit)) return this.on_third_unit_(name);
    return this.set([...this.names_, name]);
  }

  async draw_() {
    const names = this.names_;
    const columns = await Promise.all(names.map((name) => this.history_.values(name)));
    if (names !== this.names_) return;  // changed meanwhile
    this.picker_.refresh();
    this.columns_ = columns;
    const {x} = this.history_;
    const rows = Array.from(x, (value, k) => [value, ...columns.map((column) => column[k])]);
    const colours = names.map((_, k) => COLOURS[k % COLOURS.length]);
    const [first, second] = this.units_();
    const series = {};
    const labels = names.map((_, k) => `column ${k}`);  // names need not be fit for HTML, and are in the chips
    names.forEach((name, k) => (series[labels[k]] = {axis: this.history_.unit(name) === first ? "y" : "y2"}));
    this.make_chips_(colours);
    this.graph_.on_time = (time) => this.show_values_(time);
    if (!names.length) {
      this.graph_.draw([[x[0], null], [x[x.length - 1], null]], ["x", " "], {valueRange: [0, 1]});
      return;
    }
    this.graph_.draw(rows, ["x", ...labels], {colors: colours, series, ...axis_options(first, second)});
  }

  make_chips_(colours) {
    this.values_ = [];
    this.chips_.replaceChildren(...this.names_.map((name, k) => {
      const value = el("output");
      this.values_.push(value);
      return el(
          "span", {class: "chip"}, el("i", {style: {background: colours[k]}}), el("b", {}, name), value,
          el("button", {type: "button", title: `remove ${name}`, onclick: () => this.toggle(name)}, "✕"));
    }));
    if (!this.names_.length) this.chips_.append(el("span", {class: "quiet"}, "Choose columns"));
  }

  show_values_(time) {
    const k = index_nearest(this.history_.x, time);
    this.values_.forEach(
        (value, i) =>
            (value.textContent = with_unit(this.columns_[i]?.[k] ?? null, this.history_.unit(this.names_[i]))));
  }
}

// dygraphs takes labels of axes as HTML.
function axis_options(first, second) {
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const options = {ylabel: escape(first || " "), yLabelWidth: 18};
  if (second !== undefined) {
    options.y2label = escape(second || " ");
    options.axes = {y2: {axisLabelFormatter: value_label, axisLabelWidth: 62, drawGrid: false, independentTicks: true}};
    options.rightGap = 4;
  }
  return options;
}

// A list of all columns that narrows as one types.
function make_picker(history, toggle, chosen) {
  const names = history.names();
  const search =
      el("input", {type: "search", placeholder: `search in ${names.length} columns`, "aria-label": "search columns"});
  const list = el("div", {class: "columns", role: "listbox"});
  const panel = el("div", {class: "picker", hidden: true}, search, list);
  const button = el("button", {type: "button", class: "add-column", "aria-expanded": "false"}, "+ column");
  const refresh = () => {
    if (panel.hidden) return;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
    const on = new Set(chosen());
    list.replaceChildren(...found.slice(0, MOST_LISTED)
                             .map(
                                 (name) =>
                                     el("button", {
                                       type: "button",
                                       role: "option",
                                       "aria-selected": String(on.has(name)),
                                       onclick: () => toggle(name)
                                     },
                                        name, el("small", {}, history.unit(name) ? ` ${history.unit(name)}` : ""))));
    if (found.length > MOST_LISTED)
      list.append(el("p", {class: "quiet"}, `and ${found.length - MOST_LISTED} more: type a part of the name`));
    if (!found.length) list.append(el("p", {class: "quiet"}, "No column has this in its name."));
  };
  button.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    refresh();
    if (!panel.hidden) search.focus();
  });
  search.addEventListener("input", refresh);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") button.click();
    if (event.key === "Enter") list.querySelector("button")?.click();
  });
  return {button, panel, refresh};
}
