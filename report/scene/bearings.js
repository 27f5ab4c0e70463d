// Joints with clearance: shell (or socket, guide, plane) on the first body, journal (or ball, block) on the second,
// with their true radii; the gap of the shell is magnified with the displacement of the journal.
import * as THREE from "three";

import {STEEL} from "./colours.js";
import {is_bearing, place_of} from "./magnify.js";
import {ball, box, cup, cylinder, pipe} from "./shapes.js";

const glass = () => new THREE.MeshLambertMaterial(
    {color: STEEL, transparent: true, opacity: 0.42, depthWrite: false, side: THREE.DoubleSide});
const solid = (colour) => new THREE.MeshLambertMaterial({color: colour});

// A rotation of the plane's axes whose x is the given direction, z stays.
function turn_to(across) { return new THREE.Matrix4().makeRotationZ(Math.atan2(across[1], across[0])); }

export class Bearing {
  constructor(joint, index, size, colour) {
    this.joint_ = joint;
    this.index_ = index;
    this.size_ = size;
    this.group = new THREE.Group();
    this.shell_ = new THREE.Mesh(new THREE.BufferGeometry(), glass());
    this.journal_ = new THREE.Group();
    for (const geometry of this.journal_parts_()) this.journal_.add(new THREE.Mesh(geometry, solid(colour)));
    const mark = this.mark_();
    if (mark) this.journal_.add(new THREE.Mesh(mark, solid("#f4f1ea")));
    this.group.add(this.shell_, this.journal_);
    for (const part of [this.shell_, this.journal_]) part.matrixAutoUpdate = false;
    this.shell_.userData.name = joint.name;
    this.journal_.traverse((part) => (part.userData.name = joint.name));
    this.magnify(1);
  }

  // Drawn length of a bearing that the model takes as thin.
  length_() {
    const {length, journal_radius} = this.joint_.clearance;
    return length > 0 ? length : 0.5 * journal_radius;
  }

  journal_parts_() {
    const {kind, journal_radius: r, journal, width, length, across_b, journal_axis} = this.joint_.clearance;
    if (kind === "sphere") return [ball(r, 32)];
    if (kind === "slot") return [box(width, 0.6 * width, length).applyMatrix(turn_to(across_b ?? [1, 0, 0]))];
    if (kind === "plane" && journal === "disk") {
      const axis = new THREE.Vector3().fromArray(journal_axis ?? [0, 0, 1]).normalize();
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
      return [cylinder(r, 0.12 * r, 48).applyMatrix(new THREE.Matrix4().makeRotationFromQuaternion(turn))];
    }
    if (kind === "plane") return [r > 0 ? ball(r, 28) : ball(0.5 * this.size_)];
    return [cylinder(r, 1.25 * this.length_(), 48)];
  }

  // A line on the face of a journal shows that it turns.
  mark_() {
    const {kind, journal_radius: r} = this.joint_.clearance;
    if (kind !== "circle" && kind !== "cylinder") return null;
    return box(0.8 * r, 0.08 * r, 1.27 * this.length_()).translate(0.5 * r, 0, 0);
  }

  magnify(factor) {
    const {kind, journal_radius: r, clearance: c, width, length, across} = this.joint_.clearance;
    const gap = (is_bearing(this.joint_) ? factor : 1) * c;
    let geometry;
    if (kind === "sphere") {
      geometry = cup(r + gap);
    } else if (kind === "slot") {
      const wall = 0.25 * width;
      const side = (sign) => box(wall, 0.6 * width, 4 * length).translate(sign * (width / 2 + gap + wall / 2), 0, 0);
      const parts = [side(1), side(-1)].map((part) => part.applyMatrix(turn_to(across ?? [1, 0, 0])));
      geometry = join(parts);
    } else if (kind === "plane") {
      const extent = Math.max(12 * this.size_, 4 * r);
      geometry = new THREE.PlaneBufferGeometry(2 * extent, 2 * extent);
    } else {
      geometry = pipe(r + gap, r + gap + 0.22 * r, this.length_());
    }
    this.shell_.geometry.dispose();
    this.shell_.geometry = geometry;
  }

  update(magnifier) {
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    place_of(magnifier.shown, this.joint_.a, position, turn);
    if (this.joint_.clearance.kind === "plane") {
      // Planes have no end: the piece that is drawn goes with the body.
      const body = place_of(magnifier.shown, this.joint_.b).position;
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(turn);
      const on_plane = body.addScaledVector(normal, normal.dot(position) - normal.dot(body));
      position.copy(on_plane);
    }
    this.shell_.matrix.compose(position, turn, one);
    if (is_bearing(this.joint_))
      magnifier.journal(this.index_, position, turn);
    else
      place_of(magnifier.shown, this.joint_.b, position, turn);
    this.journal_.matrix.compose(position, turn, one);
  }
}

function join(geometries) {
  const [first, ...rest] = geometries.map((g) => g.toNonIndexed());
  const out = new THREE.BufferGeometry();
  for (const key of ["position", "normal"]) {
    const arrays = [first, ...rest].map((g) => Array.from(g.attributes[key].array));
    out.setAttribute(key, new THREE.Float32BufferAttribute(arrays.flat(), 3));
  }
  return out;
}
