// Canvas, camera, light, grid, labels, names under the pointer. Draws only when something has changed.
import * as THREE from "three";
import {OrbitControls} from "three-examples/controls/OrbitControls.js";

import {el} from "../dom.js";
import {nice} from "../numbers.js";

import {POSE} from "./sampler.js";
import {name_at} from "./shapes.js";

const BACKGROUND = "#f6f7f9";
const MOST_LABELS = 80;
const FILLED = 0.95;  // of the picture, by everything that is seen

export function webgl_works() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl"));
  } catch {
    return false;
  }
}

export class View {
  constructor(mechanism, bounds) {
    this.mechanism_ = mechanism;
    this.bounds_ = bounds;
    this.labels_shown = false;
    this.canvas = el("canvas", {tabindex: 0, "aria-label": "Animation of the model"});
    this.tip_ = el("div", {class: "tip", hidden: true});
    this.labels_ = el("div", {class: "labels"});
    this.element = el("div", {class: "stage"}, this.canvas, this.labels_, this.tip_);
    this.renderer_ = new THREE.WebGLRenderer({canvas: this.canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer_.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer_.autoClear = false;
    this.scene_ = new THREE.Scene();
    this.scene_.background = null;
    this.renderer_.setClearColor(BACKGROUND);
    this.scene_.add(mechanism.root);
    this.up_ = new THREE.Vector3().fromArray(mechanism.scene.up ?? [0, 0, 1]).normalize();
    this.add_camera_();
    this.add_grid_();
    this.triad_ = make_triad();
    this.listen_();
    this.reset();
  }

  add_camera_() {
    this.camera_ = new THREE.PerspectiveCamera(30, 1.5, 0.01, 1000);
    const key = new THREE.DirectionalLight(0xffffff, 0.62);
    key.position.set(-0.6, 1, 1.4);
    this.camera_.add(key);
    this.scene_.add(this.camera_, new THREE.HemisphereLight(0xffffff, 0xb9bec6, 0.58));
    this.hold_upright_(this.up_);
  }

  // The controls turn about the axis that was upright when they were made.
  hold_upright_(up) {
    if (this.controls_ && this.camera_.up.equals(up)) return;
    this.controls_?.dispose();
    this.camera_.up.copy(up);
    this.controls_ = new OrbitControls(this.camera_, this.canvas);
    this.controls_.enableKeys = false;
    this.controls_.screenSpacePanning = true;
    this.controls_.addEventListener("change", () => this.draw_soon());
  }

  add_grid_() {
    const {centre, radius, low} = this.bounds_;
    const cell = nice(radius / 5);
    const cells = 2 * Math.ceil((1.5 * radius) / cell);
    const grid = new THREE.GridHelper(cells * cell, cells, 0xc9ced6, 0xdfe3e8);
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up_);
    grid.position.copy(centre).addScaledVector(this.up_, low - centre.dot(this.up_) - 0.1 * radius);
    this.grid_ = grid;
    this.cell = cell;
    this.scene_.add(grid);
  }

  set_grid(shown) {
    this.grid_.visible = shown;
    this.draw_soon();
  }

  // From `direction`, or the one from which the motion is seen best.
  reset(direction) {
    const {centre, flat} = this.bounds_;
    const seen_along = direction ?? flat;
    const from_above = seen_along && Math.abs(seen_along.dot(this.up_)) > 0.999;
    const upright = from_above ? other_than(this.up_) : this.up_;
    const from = (direction?.clone() ?? best_direction(flat, upright)).normalize();
    this.hold_upright_(upright);
    const distance = this.fitting_distance_(from);
    this.controls_.target.copy(centre);
    this.camera_.position.copy(centre).addScaledVector(from, distance);
    this.camera_.near = distance / 200;
    this.camera_.far = 20 * distance;
    this.camera_.updateProjectionMatrix();
    this.controls_.update();
    this.draw_soon();
  }

  // The nearest from which the corners of everything are seen.
  fitting_distance_(from) {
    const {corners, centre, radius} = this.bounds_;
    const right = new THREE.Vector3().crossVectors(this.camera_.up, from).normalize();
    const up = new THREE.Vector3().crossVectors(from, right);
    const slope = FILLED * Math.tan((this.camera_.fov * Math.PI) / 360);
    let distance = radius;
    for (const corner of corners) {
      const r = corner.clone().sub(centre);
      const aside = Math.max(Math.abs(r.dot(up)) / slope, Math.abs(r.dot(right)) / (slope * this.camera_.aspect));
      distance = Math.max(distance, aside + r.dot(from));
    }
    return distance;
  }

  resize_() {
    const {clientWidth: width, clientHeight: height} = this.element;
    if (!width || !height) return;
    const first = !this.sized_;
    this.sized_ = true;
    this.renderer_.setSize(width, height, false);
    this.camera_.aspect = width / height;
    this.camera_.updateProjectionMatrix();
    if (first) this.reset();
    this.draw();
  }

  listen_() {
    new ResizeObserver(() => this.resize_()).observe(this.element);
    this.canvas.addEventListener("pointermove", (event) => {
      this.pointer_ = event.buttons ? null : event;
      this.draw_soon();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.pointer_ = null;
      this.tip_.hidden = true;
    });
    this.canvas.addEventListener("dblclick", () => this.reset());
  }

  draw_soon() {
    if (this.waiting_) return;
    this.waiting_ = true;
    requestAnimationFrame(() => {
      this.waiting_ = false;
      this.draw();
    });
  }

  draw() {
    if (!this.sized_) return;
    const {width, height} = this.renderer_.getSize(new THREE.Vector2());
    this.renderer_.setViewport(0, 0, width, height);
    this.renderer_.clear();
    this.renderer_.render(this.scene_, this.camera_);
    this.renderer_.clearDepth();
    const size = Math.min(84, height / 4);
    this.renderer_.setViewport(6, 6, size, size);
    this.triad_.turn(this.camera_.quaternion);
    this.renderer_.render(this.triad_.scene, this.triad_.camera);
    this.place_labels_(width, height);
    this.name_pointed_(width, height);
  }

  place_labels_(width, height) {
    const anchors = this.labels_shown ? this.mechanism_.anchors() : [];
    const taken = [];
    let n = 0;
    for (const {name, at, joint} of anchors) {
      const p = at.project(this.camera_);
      if (p.z > 1 || Math.abs(p.x) > 1 || Math.abs(p.y) > 1) continue;
      const [x, y] = [((p.x + 1) / 2) * width, ((1 - p.y) / 2) * height];
      const long = 6.5 * name.length + 12;
      if (n >= MOST_LABELS || taken.some(([u, v, w]) => Math.abs(v - y) < 15 && x < u + w && u < x + long)) continue;
      taken.push([x, y, long]);
      const label = this.labels_.children[n] ?? this.labels_.appendChild(el("span"));
      label.textContent = name;
      label.className = joint ? "joint" : "body";
      label.style.transform = `translate(${x + 6}px, ${y - 16}px)`;
      ++n;
    }
    while (this.labels_.children.length > n) this.labels_.lastChild.remove();
  }

  name_pointed_(width, height) {
    if (!this.pointer_) {
      this.tip_.hidden = true;
      return;
    }
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [this.pointer_.clientX - box.left, this.pointer_.clientY - box.top];
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera_);
    const targets = [];
    this.mechanism_.root.traverseVisible((object) => {
      if (object.isMesh && !object.isInstancedMesh) targets.push(object);
    });
    const [hit] = ray.intersectObjects(targets, false);
    const {name, ranges} = hit?.object.userData ?? {};
    const text = ranges ? name_at(ranges, hit.faceIndex) : name;
    this.tip_.hidden = !text;
    this.tip_.textContent = text ?? "";
    this.tip_.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
  }
}

function other_than(direction) {
  return Math.abs(direction.y) < 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, -1);
}

// A motion in a plane is seen from its normal, a little from the side and from above; others from a corner.
function best_direction(flat, up) {
  if (flat && Math.abs(flat.dot(up)) < 0.1) {
    const side = new THREE.Vector3().crossVectors(up, flat);
    return flat.clone().addScaledVector(side, 0.28).addScaledVector(up, 0.22);
  }
  const front = Math.abs(up.z) > 0.9 ? new THREE.Vector3(0, -1, 0) :
      Math.abs(up.y) > 0.9           ? new THREE.Vector3(0, 0, 1) :
                                       new THREE.Vector3(0, 1, 0);
  const side = new THREE.Vector3().crossVectors(up, front).normalize();
  return front.clone().addScaledVector(side, 0.6).addScaledVector(up, 0.45);
}

function make_triad() {
  const scene = new THREE.Scene();
  const camera = new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
  const axes = [["x", "#c5283d"], ["y", "#2a8c5a"], ["z", "#2f5fb3"]];
  axes.forEach(([letter, colour], k) => {
    const direction = new THREE.Vector3().setComponent(k, 1);
    scene.add(new THREE.ArrowHelper(direction, new THREE.Vector3(), 1, colour, 0.3, 0.16));
    const sprite = letter_sprite(letter, colour);
    sprite.position.copy(direction).multiplyScalar(1.25);
    scene.add(sprite);
  });
  const turn = (quaternion) => {
    camera.position.set(0, 0, 5).applyQuaternion(quaternion);
    camera.quaternion.copy(quaternion);
  };
  return {scene, camera, turn};
}

function letter_sprite(letter, colour) {
  const canvas = el("canvas", {width: 64, height: 64});
  const context = canvas.getContext("2d");
  context.font = "bold 52px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(letter, 32, 30);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map: new THREE.CanvasTexture(canvas), depthTest: false}));
  sprite.scale.set(0.55, 0.55, 1);
  return sprite;
}

// Ball around everything that is seen in the course of the motion, and the normal of the plane in which it moves, if
// any.
export function bounds_of(scene, records) {
  const up = new THREE.Vector3().fromArray(scene.up ?? [0, 0, 1]).normalize();
  const extent = new THREE.Box3();
  const moved = new THREE.Vector3();
  const outer = new Map(scene.bodies.map((body) => [body.frame, outer_points(body)]));
  const turn = new THREE.Quaternion();
  for (const [k, poses] of records.entries()) {
    for (let f = 0; f < scene.n_frames; ++f) {
      const p = new THREE.Vector3().fromArray(poses, f * POSE);
      if (![p.x, p.y, p.z].every(Number.isFinite)) continue;
      turn.fromArray(poses, f * POSE + 3);
      for (const {at, radius: r} of outer.get(f) ?? BEAM_STATION) {
        const point = at.clone().applyQuaternion(turn).add(p);
        extent.expandByPoint(point.clone().addScalar(r)).expandByPoint(point.subScalar(r));
      }
      if (k > 0) {
        const first = new THREE.Vector3().fromArray(records[0], f * POSE);
        moved.max(p.sub(first).set(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)));
      }
    }
  }
  for (const {a, b} of [...scene.joints, ...scene.springs]) {
    for (const place of [a, b])
      if (place.frame < 0) extent.expandByPoint(new THREE.Vector3().fromArray(place.at));
  }
  if (extent.isEmpty())
    extent.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1))
        .applyMatrix4(new THREE.Matrix4().makeScale(scene.length, scene.length, scene.length));
  const centre = extent.getCenter(new THREE.Vector3());
  const size = extent.getSize(new THREE.Vector3());
  const radius = Math.max(0.5 * size.length(), 0.3 * scene.length, 1e-9);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (k) => new THREE.Vector3(...[1, 2, 4].map((bit, c) => (k & bit ? extent.max : extent.min).getComponent(c))));
  return {centre, radius, corners, low: Math.min(...corners.map((p) => p.dot(up))), flat: flat_normal(moved, size)};
}

const BEAM_STATION = [{at: new THREE.Vector3(), radius: 0}];

// Balls that hold a body, in its axes.
function outer_points({surface, shapes, points, centre}) {
  const named = [...Object.values(points ?? {}), centre ?? [0, 0, 0]];
  const some = (surface?.points ?? []).filter((_, k, all) => k % Math.ceil(all.length / 50) === 0);
  const list = [...named, ...some].map((p) => ({at: new THREE.Vector3(...p), radius: 0}));
  for (const {centre: middle, from, to, radius, size} of shapes ?? []) {
    for (const p of [middle, from, to].filter(Boolean)) {
      list.push({at: new THREE.Vector3(...p), radius: radius ?? Math.hypot(...size) / 2});
    }
  }
  return list;
}

// Not along a long model, such as a shaft that whirls: it is seen from the side.
function flat_normal(moved, size) {
  const sizes = moved.toArray();
  const largest = Math.max(...sizes);
  const still = [0, 1, 2].filter((k) => sizes[k] < 1e-3 * largest);
  if (still.length !== 1 || largest === 0) return null;
  if (size.getComponent(still[0]) > 0.6 * Math.max(...size.toArray())) return null;
  return new THREE.Vector3().setComponent(still[0], 1);
}
