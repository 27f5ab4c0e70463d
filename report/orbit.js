// Orbits of journals: the displacement from the centre of the bearing, in the circle of the clearance.
import {index_nearest} from "./data.js";
import {card, el} from "./dom.js";
import {with_unit} from "./numbers.js";

const SIZE = 220;
const MARGIN = 10;
const SUFFIX = ".eccentricity.x";

// Contacts with eccentricity: joints, or joints with a number where a joint has several. A plane has no centre.
function orbits_in(samples, scene) {
  const planes = new Set((scene?.joints ?? []).filter((j) => j.clearance?.kind === "plane").map((j) => j.name));
  const radius = new Map(
      (scene?.joints ?? []).filter((j) => j.clearance?.clearance > 0).map((j) => [j.name, j.clearance.clearance]));
  const is_orbit = (name) =>
      name.endsWith(SUFFIX) && samples.has(name.replace(/x$/, "y")) && !planes.has(name.slice(0, -SUFFIX.length));
  return samples.names().filter(is_orbit).map((name) => {
    const contact = name.slice(0, -SUFFIX.length);
    return {contact, radius: radius.get(contact) ?? radius.get(contact.replace(/\.\d+$/, "")) ?? null};
  });
}

export async function orbit_card(samples, scene, clock) {
  const orbits = orbits_in(samples, scene);
  if (!orbits.length) return null;
  const figures = await Promise.all(orbits.slice(0, 24).map(async ({contact, radius}) => {
    const [x, y] =
        await Promise.all([samples.values(`${contact}.eccentricity.x`), samples.values(`${contact}.eccentricity.y`)]);
    const orbit = new Orbit(x, y, radius, samples.unit(`${contact}.eccentricity.x`));
    clock.on_time((time) => orbit.show(index_nearest(samples.x, time)));
    return el(
        "figure", {class: "orbit"}, orbit.canvas, el("figcaption", {}, contact, el("small", {}, orbit.caption())));
  }));
  const more = orbits.length > 24 ? el("p", {class: "quiet"}, `and ${orbits.length - 24} more contacts`) : null;
  return card(
      "Orbits of the journals", "orbits", el("div", {class: "orbits"}, figures), more,
      el("p", {class: "quiet"},
         "Displacement of the journal's centre from that of its bearing, in the axes of the bearing. On the red circle it touches."));
}

class Orbit {
  constructor(x, y, radius, unit) {
    Object.assign(this, {x, y, radius, unit});
    let farthest = 0;
    for (let k = 0; k < x.length; ++k) {
      const r = Math.hypot(x[k], y[k]);
      if (r > farthest) farthest = r;
    }
    this.farthest = farthest;
    const reach = Math.max(radius ?? 0, farthest) || 1;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas =
        el("canvas", {width: SIZE * ratio, height: SIZE * ratio, style: {width: `${SIZE}px`, height: `${SIZE}px`}});
    this.context_ = this.canvas.getContext("2d");
    this.context_.scale(ratio, ratio);
    this.scale_ = (SIZE / 2 - MARGIN) / reach;
    this.picture_ = this.draw_path_(ratio);
  }

  caption() {
    const circle = this.radius ? `clearance ${with_unit(this.radius, this.unit)}, ` : "";
    return ` ${circle}largest ${with_unit(this.farthest, this.unit)}`;
  }

  draw_path_(ratio) {
    const canvas = el("canvas", {width: SIZE * ratio, height: SIZE * ratio});
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.translate(SIZE / 2, SIZE / 2);
    context.strokeStyle = "#dfe3e8";
    context.beginPath();
    context.moveTo(-SIZE / 2, 0);
    context.lineTo(SIZE / 2, 0);
    context.moveTo(0, -SIZE / 2);
    context.lineTo(0, SIZE / 2);
    context.stroke();
    if (this.radius) {
      context.strokeStyle = "#c5283d";
      context.beginPath();
      context.arc(0, 0, this.radius * this.scale_, 0, 2 * Math.PI);
      context.stroke();
    }
    context.strokeStyle = "rgba(47, 111, 168, 0.55)";
    context.lineWidth = 1;
    context.lineJoin = "round";
    context.beginPath();
    let pen_down = false;
    for (let k = 0; k < this.x.length; ++k) {
      const known = Number.isFinite(this.x[k]) && Number.isFinite(this.y[k]);
      if (known) context[pen_down ? "lineTo" : "moveTo"](this.x[k] * this.scale_, -this.y[k] * this.scale_);
      pen_down = known;
    }
    context.stroke();
    return canvas;
  }

  show(k) {
    const context = this.context_;
    context.clearRect(0, 0, SIZE, SIZE);
    context.drawImage(this.picture_, 0, 0, SIZE, SIZE);
    const [x, y] = [SIZE / 2 + this.x[k] * this.scale_, SIZE / 2 - this.y[k] * this.scale_];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    context.fillStyle = "#d9772b";
    context.beginPath();
    context.arc(x, y, 4.5, 0, 2 * Math.PI);
    context.fill();
  }
}
