// What is shown where clearances and deformations are magnified: poses of all frames, and places of journals.
//
// A journal is shown at M times its distance e from the centre of its bearing, in a shell of radius r + M c: contact
// looks like contact. The body of the journal follows as far as a rigid body can, that is by the least-squares fit of
// its joint places; a beam bends towards it between its joint places. Deformation u of a beam, relative to a rigid
// motion through its outermost joint places, is shown as D u; bodies on the beam follow.
import * as THREE from "three";

import {POSE} from "./sampler.js";

export function pose_of(poses, frame, position, quaternion) {
  if (frame < 0) {
    position.set(0, 0, 0);
    quaternion.set(0, 0, 0, 1);
    return;
  }
  const k = frame * POSE;
  position.set(poses[k], poses[k + 1], poses[k + 2]);
  quaternion.set(poses[k + 3], poses[k + 4], poses[k + 5], poses[k + 6]);
}

// Position and axes of a place, in the axes of ground.
export function place_of(poses, place, position = new THREE.Vector3(), quaternion = new THREE.Quaternion()) {
  const origin = new THREE.Vector3();
  pose_of(poses, place.frame, origin, quaternion);
  position.fromArray(place.at).applyQuaternion(quaternion).add(origin);
  if (place.q) quaternion.multiply(new THREE.Quaternion().fromArray(place.q));
  return {position, quaternion};
}

export class Magnifier {
  constructor(scene) {
    this.scene_ = scene;
    this.clearance = 1;
    this.deformation = 1;
    this.beam_of_frame_ = new Map();
    for (const beam of scene.beams) {
      for (let k = 0; k < beam.n_frames; ++k) this.beam_of_frame_.set(beam.first_frame + k, beam);
    }
    this.joints_ = scene.joints.map((joint) => ({joint, magnified: is_bearing(joint), shift: new THREE.Vector3()}));
    this.beams_ = scene.beams.map((beam) => this.anchors_(beam));
    this.bodies_ = scene.bodies.map((body) => ({body, ends: this.ends_of_(body.frame)}));
    this.shown = new Float32Array(scene.n_frames * POSE);
  }

  // Stations of a beam that joints hold.
  anchors_(beam) {
    const stations = new Set();
    for (const {joint} of this.joints_) {
      for (const place of [joint.a, joint.b]) {
        if (this.beam_of_frame_.get(place.frame) === beam) stations.add(place.frame - beam.first_frame);
      }
    }
    return {beam, stations: [...stations].sort((a, b) => a - b)};
  }

  ends_of_(frame) {
    const ends = [];
    for (const record of this.joints_) {
      const {a, b} = record.joint;
      if (b.frame === frame)
        ends.push({record, place: b, other: a});
      else if (a.frame === frame)
        ends.push({record, place: a, other: b});
    }
    return ends;
  }

  apply(poses) {
    this.poses_ = poses;
    this.shown.set(poses);
    if (this.deformation !== 1)
      for (const entry of this.beams_) this.magnify_deformation_(entry);
    for (const record of this.joints_) this.find_shift_(record);
    if (this.clearance !== 1)
      for (const entry of this.beams_) this.bend_to_journals_(entry);
    if (this.clearance !== 1 || this.deformation !== 1)
      for (const entry of this.bodies_) this.follow_(entry);
    return this.shown;
  }

  // (M - 1) e of a joint with clearance, e without its part along the axis.
  find_shift_(record) {
    record.shift.set(0, 0, 0);
    if (!record.magnified || this.clearance === 1) return;
    const {a, b, clearance} = record.joint;
    const bearing = place_of(this.poses_, a);
    const journal = place_of(this.poses_, b);
    record.shift.subVectors(journal.position, bearing.position);
    if (clearance.kind === "slot") {
      const across = new THREE.Vector3().fromArray(clearance.across).applyQuaternion(bearing.quaternion);
      record.shift.copy(across.multiplyScalar(record.shift.dot(across)));
    } else if (clearance.kind !== "sphere") {
      const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(bearing.quaternion);
      record.shift.addScaledVector(axis, -record.shift.dot(axis));
    }
    record.shift.multiplyScalar(this.clearance - 1);
  }

  // Where the journal of a joint with clearance is shown.
  journal(index, position, quaternion) {
    const {joint, shift} = this.joints_[index];
    place_of(this.poses_, joint.b, position, quaternion);
    const moved = place_of(this.shown, joint.a).position.sub(place_of(this.poses_, joint.a).position);
    position.add(moved).add(shift);
  }

  // How far the contacts of a joint are shown from where they are.
  contact_shift(index) {
    const {joint, shift} = this.joints_[index];
    return place_of(this.shown, joint.a).position.sub(place_of(this.poses_, joint.a).position).add(shift);
  }

  magnify_deformation_({beam, stations}) {
    if (!beam.rest?.length) return;
    const rigid = this.rigid_motion_(beam, stations);
    const x = new THREE.Vector3();
    const q = new THREE.Quaternion();
    const rest = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    for (let i = 0; i < beam.n_frames; ++i) {
      pose_of(this.poses_, beam.first_frame + i, x, q);
      rest.fromArray(beam.rest[i]).applyQuaternion(rigid.turn).add(rigid.move);
      x.sub(rest).multiplyScalar(this.deformation).add(rest);
      turn.fromArray(beam.rest[i], 3).premultiply(rigid.turn);
      q.multiply(turn.clone().inverse());  // rotation of the deformation, in the axes of ground
      q.copy(scaled_rotation(q, this.deformation)).multiply(turn);
      this.put_(beam.first_frame + i, x, q);
    }
  }

  // Through the outermost joint places; of a beam with one or none: with that place, or the mean of all.
  rigid_motion_(beam, stations) {
    const turn_at = (i) => {
      const q = new THREE.Quaternion().fromArray(this.poses_, (beam.first_frame + i) * POSE + 3);
      return q.multiply(new THREE.Quaternion().fromArray(beam.rest[i], 3).inverse());
    };
    const at = (i) => new THREE.Vector3().fromArray(this.poses_, (beam.first_frame + i) * POSE);
    const rest = (i) => new THREE.Vector3().fromArray(beam.rest[i]);
    const all = [...beam.rest.keys()];
    const chosen = stations.length ? stations : all;
    const turn = stations.length === 1 ? turn_at(stations[0]) : mean_rotation(all.map(turn_at));
    const [first, last] = [chosen[0], chosen[chosen.length - 1]];
    if (stations.length > 1) {
      const chord = at(last).sub(at(first)).normalize();
      const was = rest(last).sub(rest(first)).applyQuaternion(turn).normalize();
      if (chord.lengthSq() > 0.5 && was.lengthSq() > 0.5)
        turn.premultiply(new THREE.Quaternion().setFromUnitVectors(was, chord));
    }
    const used = stations.length > 1 ? [first, last] : chosen;
    const move = new THREE.Vector3();
    for (const i of used) move.add(at(i)).sub(rest(i).applyQuaternion(turn));
    return {turn, move: move.divideScalar(used.length)};
  }

  bend_to_journals_({beam, stations}) {
    if (!stations.length) return;
    const shifts = stations.map((station) => {
      const sum = new THREE.Vector3();
      for (const {joint, shift} of this.joints_) {
        if (joint.b.frame === beam.first_frame + station) sum.add(shift);
      }
      return sum;
    });
    if (shifts.every((shift) => shift.lengthSq() === 0)) return;
    for (let i = 0; i < beam.n_frames; ++i) {
      const shift = between(stations, shifts, i);
      const k = (beam.first_frame + i) * POSE;
      this.shown[k] += shift.x;
      this.shown[k + 1] += shift.y;
      this.shown[k + 2] += shift.z;
    }
  }

  // Rigid displacement t + w x r that fits those of the body's joint places best.
  follow_({body, ends}) {
    if (!ends.length) return;
    const targets = ends.map(({record, place, other}) => {
      const moved = record.magnified && record.joint.b === place ? record.shift.clone() : new THREE.Vector3();
      if (this.beam_of_frame_.has(other.frame) && !(record.magnified && record.joint.a === place)) {
        moved.add(place_of(this.shown, other).position).sub(place_of(this.poses_, other).position);
      }
      return {at: place_of(this.poses_, place).position, moved};
    });
    if (targets.every(({moved}) => moved.lengthSq() === 0)) return;
    const {centre, move, turn} = rigid_fit(targets);
    const x = new THREE.Vector3();
    const q = new THREE.Quaternion();
    pose_of(this.poses_, body.frame, x, q);
    const rotation = rotation_of(turn);
    x.sub(centre).applyQuaternion(rotation).add(centre).add(move);
    this.put_(body.frame, x, q.premultiply(rotation));
  }

  put_(frame, x, q) {
    x.toArray(this.shown, frame * POSE);
    q.toArray(this.shown, frame * POSE + 3);
  }
}

export function is_bearing(joint) {
  return Boolean(joint.clearance) && joint.clearance.kind !== "plane" && joint.clearance.clearance > 0;
}

function between(stations, shifts, i) {
  const next = stations.findIndex((station) => station >= i);
  if (next === 0) return shifts[0];
  if (next < 0) return shifts[shifts.length - 1];
  const part = (i - stations[next - 1]) / (stations[next] - stations[next - 1]);
  return shifts[next - 1].clone().lerp(shifts[next], part);
}

function rigid_fit(targets) {
  const centre = new THREE.Vector3();
  const move = new THREE.Vector3();
  for (const {at, moved} of targets) {
    centre.add(at);
    move.add(moved);
  }
  centre.divideScalar(targets.length);
  move.divideScalar(targets.length);
  let [xx, yy, zz, xy, yz, zx] = [0, 0, 0, 0, 0, 0];
  const right = new THREE.Vector3();
  for (const {at, moved} of targets) {
    const r = at.clone().sub(centre);
    right.add(r.clone().cross(moved));
    xx += r.y ** 2 + r.z ** 2;
    yy += r.z ** 2 + r.x ** 2;
    zz += r.x ** 2 + r.y ** 2;
    xy -= r.x * r.y;
    yz -= r.y * r.z;
    zx -= r.z * r.x;
  }
  // Rotations that no place determines (about the line through two places) stay zero.
  const small = 1e-6 * (xx + yy + zz);
  if (small === 0) return {centre, move, turn: right.set(0, 0, 0)};
  const matrix = new THREE.Matrix3().set(xx + small, xy, zx, xy, yy + small, yz, zx, yz, zz + small);
  return {centre, move, turn: right.applyMatrix3(new THREE.Matrix3().getInverse(matrix))};
}

function rotation_of(vector) {
  const angle = vector.length();
  return new THREE.Quaternion().setFromAxisAngle(angle > 0 ? vector.clone().divideScalar(angle) : vector, angle);
}

function scaled_rotation(q, factor) {
  const sign = q.w < 0 ? -1 : 1;
  const axis = new THREE.Vector3(sign * q.x, sign * q.y, sign * q.z);
  const sine = axis.length();
  if (sine < 1e-12) return new THREE.Quaternion();
  const angle = 2 * Math.atan2(sine, sign * q.w);
  return new THREE.Quaternion().setFromAxisAngle(axis.divideScalar(sine), angle * factor);
}

function mean_rotation(rotations) {
  const sum = new THREE.Vector4(0, 0, 0, 0);
  for (const q of rotations) {
    const sign = sum.x * q.x + sum.y * q.y + sum.z * q.z + sum.w * q.w < 0 ? -1 : 1;
    sum.add(new THREE.Vector4(sign * q.x, sign * q.y, sign * q.z, sign * q.w));
  }
  return new THREE.Quaternion(sum.x, sum.y, sum.z, sum.w).normalize();
}
