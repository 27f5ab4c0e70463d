// The page of natural modes: a list, and the chosen one in motion.
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

async function mode_player({scene, modes}) {
  const nothing = (text) => ({element: message_panel(text).element, show: () => {}});
  if (!scene || (!scene.bodies?.length && !scene.beams?.length))
    return nothing("There is nothing to draw: the results have no picture of the model.");
  const base = await unpack(modes?.base);
  if (!base || base.length !== scene.n_frames * POSE)
    return nothing("There is no shape to draw: the results have no positions.");
  if (!webgl_works()) return nothing("This browser cannot draw in three dimensions (WebGL is off).");
  return new ModePlayer(scene, base);
}

class ModePlayer {
  constructor(scene, base) {
    this.length_ = scene.length;
    this.sampler_ = new ModeSampler(base);
    this.stage_ = new Stage(scene, this.sampler_, [base], null);
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
    this.title_.textContent = `mode ${mode.number}${mode.hz ? `, ${format(mode.hz)} Hz` : ""}`;
    this.on_show?.(mode);
    this.refresh_(this.clock_.time);
  }

  play() { this.clock_.play(); }

  refresh_(phase) {
    this.sampler_.amplitude = this.largest_ > 0 ? (this.factor_ * SHARE * this.length_) / this.largest_ : this.factor_;
    this.sampler_.sample(phase);
    this.stage_.refresh();
  }
}
