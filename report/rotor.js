// The pages of rotors: the Campbell diagram with its critical speeds, the response over speed or frequency, and the
// shapes in motion.
import {Clock} from "./clock.js";
import {read_history} from "./data.js";
import {card, el} from "./dom.js";
import {mode_player} from "./modes.js";
import {format} from "./numbers.js";
import {ColumnPlot, Graph, PlotGroup} from "./plots.js";
import {sortable} from "./tables.js";

const RPM = Math.PI / 30;  // rad/s
const COLOURS = ["#2f6fa8", "#d9772b", "#2a8c5a", "#b0416b", "#7256b0", "#8a7a2e", "#3aa0b8", "#a34a3a"];
const OF_INTEREST = 4;  // times the frequency of the rotor: modes far above would press all others to the ground
const DASHES = {
  forward: null,
  backward: [8, 4],
  neither: [2, 3]
};
const kind_of = (whirl) => (whirl in DASHES ? whirl : "neither");

export async function campbell_page(report, main) {
  const campbell = report.campbell ?? {};
  const speeds = (campbell.speeds ?? []).map((speed) => speed / RPM);
  const modes = campbell.modes ?? [];
  const {left, right} = columns_of(main);
  const player = await mode_player({scene: report.scene, modes: report.shapes}, true);
  left.append(player.element);
  if (!speeds.length || !modes.length) {
    right.append(card("Campbell diagram", "campbell", el("p", {class: "nothing"}, "No modes were found.")));
    return;
  }
  const clock = new Clock(speeds[0], speeds[speeds.length - 1]);
  const group = new PlotGroup(clock, {name: "speed", unit: "rpm"});
  group.follow = false;
  const choice = new Choice(report, speeds, modes, player);
  const diagram = new Diagram(group, speeds, campbell);
  right.append(
      diagram.element, critical_card(campbell, ({speed, mode}) => go_to({speed: speed / RPM, mode})), choice.element);
  diagram.draw();
  const go_to = ({speed, mode}) => {
    choice.prefer(mode);
    clock.set(speed);
  };
  clock.on_time((speed) => choice.at_speed(speed));
  go_to(first_shown(campbell, speeds));
  start(player);
}

function columns_of(main) {
  const left = el("div", {class: "left"});
  const right = el("div", {class: "right"});
  main.append(left, right);
  return {left, right};
}

function start(player) {
  if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) player.play?.();
}

// A speed at which modes whirl; a critical one, if there is any.
function first_shown(campbell, speeds) {
  const driven = (campbell.critical_speeds ?? []).find(({whirl}) => whirl === "forward");
  return {speed: driven ? driven.speed / RPM : speeds[speeds.length >> 1], mode: driven?.mode};
}

// Modes at the speed that was clicked, as far as their shapes are in the results, and the one that moves.
class Choice {
  constructor(report, speeds, modes, player) {
    this.speeds_ = speeds;
    this.modes_ = modes;
    this.player_ = player;
    this.points_ = report.shapes?.points ?? [];
    this.rotating_ = report.campbell.axes === "rotating";
    this.mode_ = 0;
    this.element = el("div", {});
  }

  // The mode with this number, if it is there at the speed that is chosen next.
  prefer(number) {
    const k = this.modes_.findIndex((mode) => mode.number === number);
    if (k < 0 || k === this.mode_) return;
    this.mode_ = k;
    this.shown_ = undefined;
  }

  at_speed(speed) {
    const nearest = this.points_
                        .reduce(
                            (best, {point}, k) => {
                              const far = Math.abs(this.speeds_[point] - speed);
                              return far < best.far ? {far, k} : best;
                            },
                            {far: Infinity, k: -1})
                        .k;
    if (nearest === this.shown_) return;
    this.shown_ = nearest;
    this.fill_();
  }

  fill_() {
    const point = this.points_[this.shown_];
    if (!point) return;
    const rows = this.modes_
                     .map((mode, k) => ({
                            k,
                            number: mode.number,
                            hz: mode.frequency_hz[point.point],
                            damping: mode.damping_ratio[point.point],
                            whirl: mode.whirl[point.point],
                            body: mode.body
                          }))
                     .filter(({hz}) => typeof hz === "number");
    const columns = [
      {title: "mode", value: (m) => m.number},
      {title: "frequency", unit: "Hz", value: (m) => m.hz},
      {title: "whirl", value: (m) => m.whirl},
      {title: "damping ratio", value: (m) => m.damping},
      {title: "moves most", value: (m) => m.body},
    ].filter((column) => rows.some((row) => column.value(row)));
    const speed = `${format(this.speeds_[point.point], 5)} rpm`;
    this.table_ = sortable(columns, rows, {pick: (row) => this.show_(row, point, speed)});
    const seen = this.rotating_ ? "as seen by an observer who turns with the rotor" : "without the rotation itself";
    this.element.replaceChildren(card(
        `Modes at ${speed}`, "modes", this.table_,
        el("p", {class: "quiet"},
           `A click on a row shows the mode, ${
               seen}; orange lines are the orbits. Amplitudes have no scale of their own.`)));
    const row = rows.find(({k}) => k === this.mode_) ?? rows[0];
    if (row) this.show_(row, point, speed);
  }

  show_(row, point, speed) {
    this.mode_ = row.k;
    const title = `mode ${row.number}, ${format(row.hz)} Hz, ${row.whirl} at ${speed}`;
    this.player_.show({...point.shapes[row.k], title});
    for (const line of this.table_.querySelectorAll("tbody tr"))
      line.classList.toggle("chosen", line.firstChild.textContent === format(row.number));
  }
}

function critical_card(campbell, pick) {
  const list = campbell.critical_speeds ?? [];
  const columns = [
    {title: "speed", unit: "rpm", value: (c) => c.speed / RPM},
    {title: "", unit: "Hz", value: (c) => c.frequency_hz},
    {title: "mode", value: (c) => c.mode},
    {title: "whirl", value: (c) => c.whirl},
    {title: "damping ratio", value: (c) => c.damping_ratio},
  ];
  return card(
      "Critical speeds", "critical",
      list.length ? sortable(columns, list, {pick}) : el("p", {class: "nothing"}, "None in this range."));
}

// Frequencies over speed, and damping ratios if there are any.
class Diagram {
  constructor(group, speeds, campbell) {
    this.speeds_ = speeds;
    this.campbell_ = campbell;
    this.graph_ = new Graph(group, 330);
    const {modes} = campbell;
    const fastest = speeds[speeds.length - 1] / 60;
    const least = (mode) => Math.min(...mode.frequency_hz.filter((hz) => typeof hz === "number"));
    const lowest = Math.min(...modes.map(least));
    this.modes_ = modes.filter((mode) => !(fastest > 0 && least(mode) > OF_INTEREST * fastest && least(mode) > lowest));
    this.damped_ = modes.some((mode) => mode.damping_ratio.some((ratio) => Math.abs(ratio) > 1e-6));
    this.damping_graph_ = this.damped_ ? new Graph(group, 150) : null;
    const more = modes.length - this.modes_.length;
    this.element = card(
        "Campbell diagram", "campbell", this.chips_(), this.graph_.element, this.damping_graph_?.element,
        el("p", {class: "quiet"}, "Over speed [rpm]; solid: forward whirl, dashed: backward, dotted: neither. ",
           "Dots: the rotor turns as fast as a mode vibrates (line 1x). ",
           el("span", {class: "hint"}, "A click chooses the speed of the shapes; drag: zoom, double click: all."),
           more ? ` ${more} higher ${more === 1 ? "mode is" : "modes are"} not drawn.` : ""));
  }

  chips_() {
    const chip = (text, colour) => el("span", {class: "chip"}, el("i", {style: {background: colour}}), text);
    return el(
        "div", {class: "chips"}, this.modes_.map((mode, k) => chip(`mode ${mode.number}`, COLOURS[k % COLOURS.length])),
        chip("1x", "#66707c"),
        this.campbell_.stability_limit ?
            chip(`unstable from ${format(this.campbell_.stability_limit.speed / RPM, 5)} rpm`, "#f3c9c6") :
            null);
  }

  draw() {
    this.draw_frequencies_();
    if (this.damping_graph_) this.draw_lines_(this.damping_graph_, (mode) => mode.damping_ratio, [], "damping ratio");
  }

  draw_frequencies_() {
    const inside = (speed) => speed >= this.speeds_[0] && speed <= this.speeds_[this.speeds_.length - 1];
    const marks = (this.campbell_.critical_speeds ?? []).map(({speed}) => speed / RPM).filter(inside);
    const highest =
        Math.max(...this.modes_.flatMap((mode) => mode.frequency_hz.filter((hz) => typeof hz === "number")));
    this.draw_lines_(
        this.graph_, (mode) => mode.frequency_hz, marks, "frequency [Hz]", {valueRange: [0, 1.06 * highest]});
  }

  // A line for each mode and kind of whirl, up to the next point; 1x and critical speeds if `marks` are given.
  draw_lines_(graph, values_of, marks, ylabel, more = {}) {
    const lines = this.modes_.flatMap(
        (mode, m) => Object.keys(DASHES).map(
            (kind) => ({kind, colour: COLOURS[m % COLOURS.length], y: part(mode, kind, values_of)})));
    const drawn = lines.filter(({y}) => y.some((value) => Number.isFinite(value)));
    const with_1x = graph === this.graph_;
    // NaN is a gap in a line; null is a row of another line.
    const rows = this.speeds_.map((x, k) => [x, ...drawn.map(({y}) => y[k]), ...(with_1x ? [x / 60, null] : [])]);
    for (const x of marks) rows.push([x, ...drawn.map(() => null), x / 60, x / 60]);
    rows.sort((a, b) => a[0] - b[0]);
    const labels = ["x", ...drawn.map((_, k) => `line ${k}`), ...(with_1x ? ["1x", "critical"] : [])];
    const series = Object.fromEntries(drawn.map(
        ({kind, colour}, k) =>
            [`line ${k}`, {color: colour, strokePattern: DASHES[kind], strokeWidth: kind === "neither" ? 1.2 : 1.8}]));
    if (with_1x) {
      series["1x"] = {color: "#66707c", strokeWidth: 1};
      series.critical = {color: "#c5283d", strokeWidth: 0, drawPoints: true, pointSize: 4.5};
    }
    graph.draw(rows, labels, {
      series,
      ylabel,
      yLabelWidth: 18,
      connectSeparatedPoints: true,
      axes: {x: {axisLabelFormatter: (rpm) => String(Number(rpm.toPrecision(6))), pixelsPerLabel: 55}},
      underlayCallback: (context, area, g) => this.shade_(context, area, g),
      ...more
    });
  }

  // Where a mode grows.
  shade_(context, area, graph) {
    const limit = this.campbell_.stability_limit;
    if (!limit) return;
    const from = Math.max(graph.toDomXCoord(limit.speed / RPM), area.x);
    if (from >= area.x + area.w) return;
    context.fillStyle = "#fbeceb";
    context.fillRect(from, area.y, area.x + area.w - from, area.h);
  }
}

// At rest nothing whirls; as drawn, the line begins as it goes on.
function part(mode, kind, values_of) {
  const whirl = mode.whirl.map((name, k) => kind_of(k === 0 && mode.whirl.length > 1 ? mode.whirl[1] : name));
  return values_of(mode).map(
      (value, k) => (typeof value === "number" && (whirl[k] === kind || whirl[k - 1] === kind) ? value : NaN));
}

export async function response_page(report, main) {
  const response = report.response ?? {};
  const peaks = response.peaks ?? [];
  const {left, right} = columns_of(main);
  const player = await mode_player({scene: report.scene, modes: report.shapes}, true);
  left.append(player.element);
  const data = await read_history(report);
  if (!data || !peaks.length) {
    right.append(card("Response", "plots", el("p", {class: "nothing"}, "There are no rows of response.csv.")));
    return;
  }
  const {history} = data;
  const over_speed = response.speed[0] !== response.speed[response.speed.length - 1];
  const axis = over_speed ? {name: "speed", unit: "rpm"} : {name: "frequency", unit: "Hz"};
  const place = (k) => (over_speed ? response.speed[k] / RPM : response.frequency_hz[k]);
  history.x = over_speed ? history.x.map((speed) => speed / RPM) : await history.values("frequency");
  const clock = new Clock(history.x[0], history.x[history.x.length - 1]);
  const group = new PlotGroup(clock, axis);
  group.follow = false;
  const plots = response_plots(group, history, peaks, axis);
  right.append(peak_card(peaks, over_speed, (peak) => {
    plots.show(peak);
    clock.set(place(peak.point));
  }));
  right.append(plots.element);
  clock.on_time((x) => show_nearest(report.shapes?.points ?? [], place, x, axis, player));
  const largest = peaks.filter(({what}) => what === "displacement").sort((a, b) => b.largest - a.largest)[0];
  if (largest) clock.set(place(largest.point));
  start(player);
}

function show_nearest(points, place, x, axis, player) {
  const nearest = [...points].sort((a, b) => Math.abs(place(a.point) - x) - Math.abs(place(b.point) - x))[0];
  if (nearest) player.show({...nearest.shapes[0], title: `at ${format(place(nearest.point), 5)} ${axis.unit}`});
}

function peak_card(peaks, over_speed, pick) {
  const columns = [
    {title: "place, joint or spring", value: (p) => p.name},
    {title: "", value: (p) => p.what},
    {title: "largest amplitude", value: (p) => p.largest},
    {title: "", value: (p) => p.unit},
    over_speed ? {title: "at", unit: "rpm", value: (p) => p.speed / RPM} :
                 {title: "at", unit: "Hz", value: (p) => p.hz},
  ];
  return card(
      "Largest amplitudes across the axis", "peaks", el("div", {class: "tall"}, sortable(columns, peaks, {pick})),
      el("p", {class: "quiet"}, "A click on a row shows where it is largest, with the shape of the whole model."));
}

// Amplitudes of the places that move most and of the largest forces.
function response_plots(group, history, peaks, axis) {
  const holder = el("div", {class: "plots"});
  const add = (names) => {
    const plot = new ColumnPlot(group, history, names, {on_remove: () => {}, on_third_unit: (name) => add([name])});
    holder.append(plot.element);
    return plot;
  };
  const column = (peak) => `${peak.name}.${peak.what}`;
  const largest = (what) => peaks.filter((peak) => peak.what === what && peak.largest > 0)
                                .sort((a, b) => b.largest - a.largest)
                                .slice(0, 4)
                                .map(column)
                                .filter((name) => history.has(name));
  const plots = {};
  for (const what of ["displacement", "force"])
    if (largest(what).length) plots[what] = add(largest(what));
  const element = card(
      "Amplitudes", "plots", holder,
      el("p", {class: "quiet"}, `Over ${axis.name} [${axis.unit}]. `,
         el("span", {class: "hint"}, "Drag: zoom. Double click: all. Click: the shape at that place.")));
  return {element, show: (peak) => plots[peak.what]?.set([column(peak)])};
}
