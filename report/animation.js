// The panel with the moving picture: stage, controls, legend.
import * as THREE from "three";

import {checkbox, el, slider} from "./dom.js";
import {format, nice, with_unit} from "./numbers.js";
import {ARROWS} from "./scene/colours.js";
import {Mechanism, typical_force} from "./scene/mechanism.js";
import {MotionSampler, POSE} from "./scene/sampler.js";
import {bounds_of, View, webgl_works} from "./scene/view.js";

const MOST_LEGEND = 40;

export function message_panel(text) {
  return {element: el("div", {class: "card animation"}, el("p", {class: "nothing"}, text))};
}

// What the stage shows follows the sampler; `refresh` after every change of it.
export class Stage {
  constructor(scene, sampler, records, motion) {
    this.sampler = sampler;
    this.mechanism = new Mechanism(scene, sampler.poses);
    const force = motion ? typical_force(motion, scene) : 0;
    if (force > 0) this.mechanism.force_unit = nice(force);
    this.mechanism.update(sampler);
    this.view = new View(this.mechanism, bounds_of(scene, records));
  }

  refresh() {
    this.mechanism.update(this.sampler);
    this.view.draw_soon();
  }
}

// Some records over the whole motion, to see how far it goes.
export function some_records(poses, n_frames, most = 60) {
  const width = n_frames * POSE;
  const n = poses.length / width;
  const count = Math.min(n, most);
  return Array.from({length: count}, (_, k) => {
    const row = count > 1 ? Math.round((k * (n - 1)) / (count - 1)) : 0;
    return poses.subarray(row * width, (row + 1) * width);
  });
}

export function animation_panel(scene, motion, clock, axis) {
  if (!webgl_works())
    return message_panel("This browser cannot draw in three dimensions (WebGL is off). Plots and tables work.");
  const sampler = new MotionSampler(motion);
  sampler.sample(motion.time[0]);
  const stage = new Stage(scene, sampler, some_records(motion.poses, scene.n_frames), motion);
  clock.on_time((time) => {
    sampler.sample(time);
    stage.refresh();
  });
  const element =
      el("div", {class: "card animation"}, stage_with_overlays(stage, motion_options(stage)),
         clock.end > clock.start ? player(clock, axis, motion.time) : null);
  return {element, stage};
}

export function stage_with_overlays(stage, options) {
  stage.view.element.append(legend(stage), options);
  return stage.view.element;
}

function legend(stage) {
  const {owners} = stage.mechanism;
  const rows = owners.slice(0, MOST_LEGEND).map((owner) => {
    const button =
        el("button", {class: "owner", type: "button", title: "show or hide", "aria-pressed": "true"},
           el("i", {style: {background: owner.colour}}), owner.name);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      for (const object of owner.objects) object.visible = shown;
      stage.view.draw_soon();
    });
    return button;
  });
  if (owners.length > MOST_LEGEND) rows.push(el("span", {class: "quiet"}, `and ${owners.length - MOST_LEGEND} more`));
  return el("div", {class: "legend"}, rows);
}

// A slider of factors 1 ... largest on a logarithmic scale.
function factor_slider(label, {largest, value, set, title}) {
  return slider(label, {
    min: 0,
    max: Math.log10(largest),
    value: Math.log10(value),
    title,
    show: (x) => `× ${format(round(10 ** x), 2)}`,
    input: (x) => set(round(10 ** x))
  });
}

function round(x) { return Number(x.toPrecision(2)); }

export function view_buttons(stage) {
  const views = [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]];
  const reset =
      el("button",
         {type: "button", class: "reset-view", title: "double click does the same", onclick: () => stage.view.reset()},
         "Reset view");
  const along = views.map(
      ([name, axis]) =>
          el("button",
             {type: "button", title: `look along ${name}`, onclick: () => stage.view.reset(new THREE.Vector3(...axis))},
             name));
  return el("div", {class: "buttons"}, reset, along);
}

export function label_toggles(stage) {
  const labels = checkbox("names", false, (on) => {
    stage.view.labels_shown = on;
    stage.view.draw_soon();
  });
  const grid = checkbox(`grid ${with_unit(stage.view.cell, "m")}`, true, (on) => stage.view.set_grid(on));
  const hidden = stage.mechanism.hides_joints();
  stage.mechanism.see_through(hidden);
  const glass = checkbox("see-through", hidden, (on) => {
    stage.mechanism.see_through(on);
    stage.view.draw_soon();
  }, "bodies like glass: joints inside of them are seen");
  return [labels, glass, grid];
}

function motion_options(stage) {
  const {mechanism} = stage;
  const rows = [];
  if (mechanism.has_bearings()) rows.push(clearance_slider(stage));
  if (mechanism.scene.beams.some((beam) => beam.rest?.length)) {
    rows.push(factor_slider("Deformations", {
      largest: 1000,
      value: 1,
      title: "Of beams, relative to a rigid motion through their outermost joints",
      set: (factor) => {
        mechanism.magnifier.deformation = factor;
        stage.refresh();
      }
    }));
  }
  if (mechanism.force_unit > 0) rows.push(...force_options(stage));
  return el(
      "details", {class: "options", open: true}, el("summary", {}, "View"), rows,
      el("div", {class: "checks"}, label_toggles(stage)), view_buttons(stage));
}

function clearance_slider(stage) {
  const value = nice(stage.mechanism.sensible_clearance_factor());
  const set = (factor) => {
    stage.mechanism.set_clearance(factor);
    stage.refresh();
  };
  set(value);
  return factor_slider("Clearances", {
    largest: Math.max(1000, 10 * value),
    value,
    set,
    title: "Gap of the bearing and displacement of the journal in it; radii of journals are true"
  });
}

function force_options(stage) {
  const {mechanism} = stage;
  const scale = factor_slider_around("Forces", (factor) => {
    mechanism.force_scale = factor;
    stage.refresh();
  }, (factor) => `¼ of the model: ${with_unit(nice_force(mechanism.force_unit / factor), "N")}`);
  const {joints, loads, contacts} = mechanism.scene;
  const kinds = [
    ["joints", "joints", joints.some(({force}) => force >= 0), [ARROWS.joints]],
    ["loads", "loads", loads.some(({force, kind}) => force >= 0 && kind !== "torque"), [ARROWS.loads]],
    ["contacts", "contacts", contacts.length > 0, [ARROWS.normal, ARROWS.friction]],
  ].filter(([, , there]) => there);
  if (!contacts.length) mechanism.forces_shown.joints = true;
  const checks = kinds.map(([key, label, , colours]) => {
    const check = checkbox(
        label, mechanism.forces_shown[key],
        (on) => {
          mechanism.forces_shown[key] = on;
          stage.refresh();
        },
        key === "contacts"   ? "red: normal force, green: friction, on the second body" :
            key === "joints" ? "force of the first body on the second" :
                               "");
    check.append(...colours.map((colour) => el("i", {style: {background: colour}})));
    return check;
  });
  stage.refresh();
  return [scale, el("div", {class: "checks"}, checks)];
}

function nice_force(value) { return Number(value.toPrecision(2)); }

function factor_slider_around(label, set, show) {
  return slider(label, {
    min: -2,
    max: 2,
    value: 0,
    show: (x) => show(10 ** x),
    input: (x) => set(10 ** x),
    title: "Length of the arrows; very long ones are cut"
  });
}

function player(clock, axis, times) {
  const duration = clock.end - clock.start;
  const play = el("button", {type: "button", class: "play", title: "space bar", "aria-label": "play"}, "▶");
  play.addEventListener("click", () => clock.toggle());
  clock.on_state((playing) => {
    play.textContent = playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", playing ? "pause" : "play");
  });
  const range = el("input", {
    type: "range",
    class: "time",
    min: clock.start,
    max: clock.end,
    step: "any",
    value: clock.start,
    "aria-label": axis.name
  });
  range.addEventListener("input", () => {
    clock.pause();
    clock.set(Number(range.value));
  });
  const digits =
      Math.max(3, 2 + Math.ceil(Math.log10(Math.max(Math.abs(clock.end), 1e-12) / Math.max(duration / 1000, 1e-12))));
  const text = el("output", {class: "now"});
  clock.on_time((time) => {
    range.value = time;
    text.textContent = `${axis.name === "time" ? "t" : axis.name} = ${
        with_unit(Number(time.toPrecision(Math.min(digits, 7))), axis.unit)}`;
  });
  const step = (by) =>
      el("button", {
        type: "button",
        class: "step",
        title: by < 0 ? "one frame back" : "one frame on",
        onclick: () => step_frame(clock, times, by)
      },
         by < 0 ? "◂" : "▸");
  return el("div", {class: "player"}, play, step(-1), step(1), range, text, speed(clock, duration, axis));
}

export function step_frame(clock, times, by) {
  clock.pause();
  const tolerance = 1e-9 * (clock.end - clock.start);
  const next =
      by > 0 ? times.find((t) => t > clock.time + tolerance) : times.findLast((t) => t < clock.time - tolerance);
  if (next !== undefined) clock.set(next);
}

// Rates around the one that shows everything in about ten seconds.
function speed(clock, duration, axis) {
  const middle = nice(duration / 10);
  const rates = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].map((k) => Number((k * middle).toPrecision(2)));
  if (axis.unit === "s" && !rates.includes(1)) rates.push(1);
  rates.sort((a, b) => a - b);
  clock.rate = middle;
  const choice = el("select", {"aria-label": "speed", title: "speed"}, rates.map((rate) => {
    const text =
        axis.unit === "s" ? (rate === 1 ? "real time" : `${format(rate)} × real time`) : `${format(rate)} per second`;
    return el("option", {value: rate, selected: rate === middle}, text);
  }));
  choice.addEventListener("change", () => (clock.rate = Number(choice.value)));
  return choice;
}

// Space plays, arrows step, wherever the pointer is, but not where the user types.
export function listen_to_keys(clock, times) {
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("input[type=text], input[type=search], select, textarea") || event.ctrlKey ||
        event.metaKey || event.altKey)
      return;
    if (event.key === " ")
      clock.toggle();
    else if (event.key === "ArrowRight" && event.target.type !== "range")
      step_frame(clock, times, 1);
    else if (event.key === "ArrowLeft" && event.target.type !== "range")
      step_frame(clock, times, -1);
    else
      return;
    event.preventDefault();
  });
  // A button that was clicked would be pressed again by the space bar.
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.closest?.("button")) event.preventDefault();
  });
}
