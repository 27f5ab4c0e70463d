// The page of an analysis over time or load.
import {animation_panel, listen_to_keys, message_panel} from "./animation.js";
import {Clock} from "./clock.js";
import {range_of, read_history, read_motion} from "./data.js";
import {card, checkbox, el} from "./dom.js";
import {energy_card} from "./energy.js";
import {columns_of_joint, joint_table} from "./joints.js";
import {orbit_card} from "./orbit.js";
import {ColumnPlot, PlotGroup} from "./plots.js";
import {event_card} from "./texts.js";

export async function run_page(report, main) {
  const data = await read_history(report);
  const motion = await read_motion(report, data?.axis);
  const axis = data?.axis ?? {name: report.scene?.time?.name ?? "time", unit: report.scene?.time?.unit ?? "s"};
  const clock = make_clock(motion, data);
  const left = el("div", {class: "left"});
  const right = el("div", {class: "right"});
  main.append(left, right);
  left.append(animation(report, motion, clock, axis));
  if (motion) listen_to_keys(clock, motion.time);
  if (!data) {
    right.append(
        joint_table(report.joints, axis, null, report.scene?.length) ?? "",
        card("History", "history", el("p", {class: "nothing"}, "There are no rows of history: the run wrote none.")));
  } else {
    await fill(right, report, data, clock, axis);
  }
  const events = event_card(report.events, clock, axis);
  if (events) main.after(events);
}

function make_clock(motion, data) {
  const x = motion?.time ?? data?.history.x ?? [0, 0];
  return new Clock(x[0], x[x.length - 1]);
}

function animation(report, motion, clock, axis) {
  const {scene} = report;
  if (!scene)
    return message_panel(
               "There is no picture: the results have no scene. Run the model again with this version to get one.")
        .element;
  if (!scene.bodies?.length && !scene.beams?.length)
    return message_panel("There is nothing to draw: the model has no bodies.").element;
  if (!motion) return message_panel("There is no motion to show: the run wrote no frames.").element;
  return animation_panel(scene, motion, clock, axis).element;
}

async function fill(right, report, {history, samples}, clock, axis) {
  const group = new PlotGroup(clock, axis);
  const plots = make_plots(group, history, axis);
  const table = joint_table(
      report.joints, axis, (joint) => plots.show(columns_of_joint(joint.name, history)), report.scene?.length);
  const orbits = await orbit_card(samples, report.scene, clock);
  const energy = await energy_card(report.energy, samples, group);
  right.append(...[table, orbits, energy?.element, plots.element].filter(Boolean));
  energy?.draw();
  await plots.begin(report);
}

function make_plots(group, history, axis) {
  const holder = el("div", {class: "plots"});
  const all = [];
  const add = (names, first = false) => {
    const plot = new ColumnPlot(group, history, names, {
      on_remove: (gone) => all.splice(all.indexOf(gone), 1),
      on_third_unit: (name) => add([name]),
    });
    all.push(plot);
    first ? holder.prepend(plot.element) : holder.append(plot.element);
    return plot;
  };
  const element = card(
      "Columns of the history", "plots", holder,
      el("div", {class: "buttons"}, el("button", {type: "button", class: "add-plot", onclick: () => add([])}, "+ plot"),
         checkbox("time follows the pointer", group.follow, (on) => (group.follow = on))),
      el("p", {class: "quiet"}, `Over ${axis.name}${axis.unit ? ` [${axis.unit}]` : ""}. `,
         el("span", {class: "hint"}, "Drag: zoom. Shift and drag: move. Double click: all. Click: that moment."),
         history.thinned ? ` ${history.rows} rows were thinned; smallest and largest values are kept.` : "",
         history.left_out ? ` ${history.left_out} columns are not in this report, but in history.csv.` : ""));
  const show = (names) => {
    const plot = all[0] ?? add([], true);
    plot.set(names);
    element.scrollIntoView({behavior: "smooth", block: "nearest"});
  };
  const begin = async (report) => {
    for (const names of await first_columns(report, history)) add(names);
    if (!all.length) add([]);
  };
  return {element, show, begin};
}

// To begin with: the way of the body that travels farthest, and the joint with the largest force.
async function first_columns(report, history) {
  const choices = [];
  const names = history.names();
  const positions = names.filter((name) => /\.position\.[xyz]$/.test(name)).slice(0, 60);
  const travels = new Map();
  for (const name of positions) {
    const [low, high] = range_of(await history.values(name));
    travels.set(name, high - low);
  }
  const farthest = [...travels].sort((a, b) => b[1] - a[1])[0];
  if (farthest?.[1] > 0) {
    const stem = farthest[0].slice(0, -2);
    choices.push(["x", "y", "z"].map((c) => `${stem}.${c}`).filter((name) => travels.get(name) > 1e-6 * farthest[1]));
  }
  const joints = [...(report.joints ?? [])].sort(
      (a, b) => Boolean(b.impacts ?? b.touches) - Boolean(a.impacts ?? a.touches) ||
          (b.largest_force?.value ?? 0) - (a.largest_force?.value ?? 0));
  const columns = joints.length ? columns_of_joint(joints[0].name, history) : [];
  if (columns.length) choices.push(columns);
  return choices.length ? choices : [names.slice(0, 1)];
}
