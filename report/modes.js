// The page of natural modes: a list, and the chosen one in motion.
import * as THREE from "three";

import {label_toggles, message_panel, Stage, stage_with_overlays, view_buttons} from "./animation.js";
import {Clock} from "./clock.js";
import {unpack} from "./data.js";
import {card, el, slider} from "./dom.js";
import {format, percent} from "./numbers.js";
import {largest_displacement, ModeSampler, POSE} from "./scene/sampler.js";
import {webgl_works} from "./scene/view.js";
import {sortable} from "./tables.js";

const SECONDS = 2;   // that a cycle takes on the screen, whatever its frequency
const SHARE = 0.08;  // largest displacement, of the size of the model

export async function modes_page(report, main) {
  const {modes} = report;
  const list = modes?.modes ?? [];
  const left = el("div", {class: "left"});
  const right = el("div", {class: "right"});
  main.append(left, right);
  const player = await mode_player(report);
  left.append(player.element);
  const table = list.length ? mode_table(list, player) : el("p", {class: "nothing"}, "No modes were found.");
  right.append(card("Modes", "modes", table, modes?.note ? el("p", {class: "quiet"}, modes.note) : null));
  if (list.length) await player.show(list.find((mode) => mode.real) ?? list[0]);
  if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) player.play?.();
}

function mode_table(list, player) {
  const columns = [
    {title: "mode", value: (m) => m.number},
    {title: "frequency", unit: "Hz", value: (m) => m.hz},
    {title: "", unit: "rad/s", value: (m) => m.rad_s},
    {title: "damping ratio", value: (m) => m.damping_ratio},
    {title: "decay rate", unit: "1/s", value: (m) => m.decay_rate || null},
    {title: "kind", value: (m) => m.kind},
    {title: "moves most", value: (m) => m.moves_most},
    {title: "share", value: (m) => m.share, show: percent, hint: "of the kinetic energy, in that body"},
  ].filter((column) => list.some((mode) => column.value(mode) !== null && column.value(mode) !== undefined));
  const holder = sortable(columns, list, {pick: (mode) => player.show(mode)});
  player.on_show = (mode) => {
    for (const row of holder.querySelectorAll("tbody tr"))
      row.classList.toggle("chosen", row.firstChild.textContent === format(mode.number));
  };
  return el(
      "div", {}, holder,
      el("p", {class: "quiet"}, "A click on a row shows the mode. Amplitudes have no scale of their own."));
}

// With `orbits`: also the closed paths of bodies and of places along beams.
export async function mode_player({scene, modes}, orbits = false) {
  const nothing = (text) => ({element: message_panel(text).element, show: () => {}});
  if (!scene || (!scene.bodies?.length && !scene.beams?.length))
    return nothing("There is nothing to draw: the results have no picture of the model.");
  const base = await unpack(modes?.base);
  if (!base || base.length !== scene.n_frames * POSE)
    return nothing("There is no shape to draw: the results have no positions.");
  if (!webgl_works()) return nothing("This browser cannot draw in three dimensions (WebGL is off).");
  return new ModePlayer(scene, base, orbits);
}

class ModePlayer {
  constructor(scene, base, orbits) {
    this.length_ = scene.length;
    this.sampler_ = new ModeSampler(base);
    this.stage_ = new Stage(scene, this.sampler_, [base], null);
    if (orbits) this.orbits_ = new Orbits(scene, base, this.stage_.mechanism.root);
    this.clock_ = new Clock(0, 2 * Math.PI);
    this.clock_.rate = (2 * Math.PI) / SECONDS;
    this.factor_ = 1;
    this.clock_.on_time((phase) => this.refresh_(phase));
    this.title_ = el("b", {class: "mode-title"});
    this.element =
        el("div", {class: "card animation"}, stage_with_overlays(this.stage_, this.options_()), this.player_());
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.target.closest?.("input, select")) return;
      event.preventDefault();
      this.clock_.toggle();
    });
  }

  options_() {
    const amplitude = slider("Amplitude", {
      min: -2,
      max: 1,
      value: 0,
      show: (x) => `× ${format(10 ** x, 2)}`,
      input: (x) => {
        this.factor_ = 10 ** x;
        this.refresh_(this.clock_.time);
      }
    });
    return el(
        "details", {class: "options", open: true}, el("summary", {}, "View"), amplitude,
        el("div", {class: "checks"}, label_toggles(this.stage_)), view_buttons(this.stage_));
  }

  player_() {
    const play = el(
        "button",
        {type: "button", class: "play", title: "space bar", "aria-label": "play", onclick: () => this.clock_.toggle()},
        "▶");
    this.clock_.on_state((playing) => {
      play.textContent = playing ? "❚❚" : "▶";
      play.setAttribute("aria-label", playing ? "pause" : "play");
    });
    const range =
        el("input",
           {type: "range", class: "time", min: 0, max: 2 * Math.PI, step: "any", value: 0, "aria-label": "phase"});
    range.addEventListener("input", () => {
      this.clock_.pause();
      this.clock_.set(Number(range.value));
    });
    const phase = el("output", {class: "now"});
    this.clock_.on_time((time) => {
      range.value = time;
      phase.textContent = `phase ${Math.round((time * 180) / Math.PI)}°`;
    });
    return el("div", {class: "player"}, play, range, phase, this.title_);
  }

  async show(mode) {
    const [real, imaginary] = await Promise.all([unpack(mode.real), unpack(mode.imaginary)]);
    this.sampler_.shape = real ? {real, imaginary} : null;
    this.largest_ = real ? largest_displacement({real, imaginary}) : 0;
    this.title_.textContent = mode.title ?? `mode ${mode.number}${mode.hz ? `, ${format(mode.hz)} Hz` : ""}`;
    this.on_show?.(mode);
    this.refresh_(this.clock_.time);
  }

  play() { this.clock_.play(); }

  refresh_(phase) {
    this.sampler_.amplitude = this.largest_ > 0 ? (this.factor_ * SHARE * this.length_) / this.largest_ : this.factor_;
    this.sampler_.sample(phase);
    this.orbits_?.draw(this.sampler_.shape, this.sampler_.amplitude);
    this.stage_.refresh();
  }
}

const ORBIT_POINTS = 72;
const MOST_ORBITS_PER_BEAM = 9;

// What bodies and places along beams go round in a mode: base + amplitude (Re cos - Im sin).
class Orbits {
  constructor(scene, base, root) {
    this.base_ = base;
    const frames = scene.bodies.map(({frame}) => frame);
    for (const {first_frame, n_frames} of scene.beams) {
      const count = Math.min(n_frames, MOST_ORBITS_PER_BEAM);
      for (let k = 0; k < count; ++k)
        frames.push(first_frame + (count > 1 ? Math.round((k * (n_frames - 1)) / (count - 1)) : 0));
    }
    const material = new THREE.LineBasicMaterial({color: "#d9772b"});
    this.loops_ = frames.map((frame) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * ORBIT_POINTS), 3));
      const line = new THREE.LineLoop(geometry, material);
      line.frustumCulled = false;
      root.add(line);
      return {frame, line, positions: geometry.attributes.position};
    });
  }

  draw(shape, amplitude) {
    if (shape === this.shape_ && amplitude === this.amplitude_) return;
    Object.assign(this, {shape_: shape, amplitude_: amplitude});
    for (const {frame, line, positions} of this.loops_) {
      line.visible = Boolean(shape);
      if (!shape) continue;
      const {real, imaginary} = shape;
      for (let k = 0; k < ORBIT_POINTS; ++k) {
        const phase = (2 * Math.PI * k) / ORBIT_POINTS;
        for (let i = 0; i < 3; ++i) {
          const moved = real[6 * frame + i] * Math.cos(phase) - (imaginary?.[6 * frame + i] ?? 0) * Math.sin(phase);
          positions.array[3 * k + i] = this.base_[POSE * frame + i] + amplitude * moved;
        }
      }
      positions.needsUpdate = true;
    }
  }
}
