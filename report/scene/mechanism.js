// All parts of the model as objects of three.js, and how they follow the poses.
import * as THREE from "three";

import {Arrows} from "./arrows.js";
import {BeamSurface} from "./beam_surface.js";
import {Bearing} from "./bearings.js";
import {ARROWS, body_colour, GROUND, JOINT, SPRING, STEEL} from "./colours.js";
import {is_bearing, Magnifier, place_of, pose_of} from "./magnify.js";
import {CONTACT, FORCE} from "./sampler.js";
import {box, coil, contains, cylinder, merge, pipe, primitive, rod, solid, spiral} from "./shapes.js";
import {joint_symbol} from "./symbols.js";

const Z = new THREE.Vector3(0, 0, 1);

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : 0;
}

export class Mechanism {
  // `poses`: to begin with.
  constructor(scene, poses) {
    this.scene = scene;
    this.first_ = poses;
    this.root = new THREE.Group();
    this.magnifier = new Magnifier(scene);
    this.size = this.symbol_size_();
    this.parts_ = {shapes: new Map(), arms: new Map(), symbols: new Map()};  // by frame: what moves with it
    this.owners = [];  // bodies and beams: name, colour, objects that can be hidden, where the label is
    this.colour_of_frame_ = new Map();
    this.forces_shown = {joints: false, loads: true, contacts: true};
    this.force_scale = 1;
    this.force_unit = 0;  // force of an arrow as long as a quarter of the model
    this.add_bodies_();
    this.add_beams_();
    this.add_joints_();
    this.add_ground_();
    this.add_springs_();
    this.flush_parts_();
    this.add_arrows_();
  }

  // Symbols are small beside the model, and also beside bodies if there are many.
  symbol_size_() {
    const {length, joints} = this.scene;
    const arms = joints.flatMap(({a, b}) => [a, b])
                     .filter(({frame}) => frame >= 0)
                     .map(({at}) => Math.hypot(...at))
                     .filter((arm) => arm > 1e-4 * length);
    const arm = median(arms);
    return Math.min(0.018 * length, arm > 0 ? 0.25 * arm : Infinity);
  }

  part_(kind, frame, geometry, colour, name) {
    const parts = this.parts_[kind];
    if (!parts.has(frame)) parts.set(frame, []);
    parts.get(frame).push({geometry, colour, name});
  }

  add_bodies_() {
    const segments = this.scene.bodies.length > 100 ? 10 : 32;  // many bodies are small on the screen
    this.scene.bodies.forEach((body, k) => {
      const colour = body_colour(k);
      this.colour_of_frame_.set(body.frame, colour);
      for (const shape of body.shapes ?? [])
        this.part_("shapes", body.frame, primitive(shape, segments), colour, body.name);
      if (body.surface?.polygons?.length) this.part_("shapes", body.frame, solid(body.surface), colour, body.name);
      const centre = new THREE.Vector3().fromArray(body.centre ?? [0, 0, 0]);
      this.add_arms_(body, centre, colour);
      this.owners.push({name: body.name, colour, frame: body.frame, at: centre, objects: []});
    });
  }

  // Rods from the centre of mass to the joint places show which body a joint belongs to.
  add_arms_(body, centre, colour) {
    for (const joint of [...this.scene.joints, ...this.scene.springs]) {
      for (const place of [joint.a, joint.b]) {
        const end = new THREE.Vector3().fromArray(place.at);
        const length = end.distanceTo(centre);
        if (place.frame !== body.frame || length < this.size || length > 2 * this.scene.length) continue;
        this.part_("arms", body.frame, rod(centre, end, 0.4 * this.size), colour, body.name);
      }
    }
  }

  add_beams_() {
    this.beams_ = this.scene.beams.map((beam, k) => {
      const colour = body_colour(this.scene.bodies.length + k);
      for (let i = 0; i < beam.n_frames; ++i) this.colour_of_frame_.set(beam.first_frame + i, colour);
      const surface = new BeamSurface(beam, colour);
      this.root.add(surface.mesh);
      const frame = beam.first_frame + (beam.n_frames >> 1);
      this.owners.push({name: beam.name, colour, frame, at: new THREE.Vector3(), objects: [surface.mesh]});
      return surface;
    });
  }

  add_joints_() {
    this.bearings_ = [];
    this.links_ = [];
    this.scene.joints.forEach((joint, k) => {
      if (joint.clearance) {
        const colour = new THREE.Color(this.colour_of_frame_.get(joint.b.frame) ?? GROUND).multiplyScalar(0.72);
        const bearing = new Bearing(joint, k, this.size, `#${colour.getHexString()}`);
        this.bearings_.push(bearing);
        this.root.add(bearing.group);
        return;
      }
      if (joint.type === "distance")
        this.links_.push(this.link_(joint, cylinder(1, 1, 10).translate(0, 0, 0.5), JOINT, 0.35 * this.size));
      this.add_symbol_(joint.a, joint_symbol(joint.type, this.size), JOINT, joint.name);
    });
  }

  add_symbol_(place, geometries, colour, name) {
    const turn = new THREE.Quaternion().fromArray(place.q ?? [0, 0, 0, 1]);
    const matrix =
        new THREE.Matrix4().compose(new THREE.Vector3().fromArray(place.at), turn, new THREE.Vector3(1, 1, 1));
    for (const geometry of geometries) this.part_("symbols", place.frame, geometry.applyMatrix(matrix), colour, name);
  }

  // A cone under each place that ground holds.
  add_ground_() {
    const up = new THREE.Vector3().fromArray(this.scene.up ?? [0, 0, 1]).normalize();
    const turn = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion().setFromUnitVectors(Z, up));
    const done = new Set();
    for (const {a, b, clearance, journal_radius} of [...this.scene.joints, ...this.scene.springs]) {
      for (const place of [a, b]) {
        const key = place.at.map((x) => x.toPrecision(6)).join();
        if (place.frame >= 0 || done.has(key) || clearance?.kind === "plane") continue;
        done.add(key);
        const height = 3 * this.size;
        const drop = clearance?.bearing_radius > 0 ? 1.2 * clearance.bearing_radius :
            journal_radius > 0                     ? 1.4 * journal_radius :
                                                     0.6 * this.size;
        const cone = new THREE.ConeBufferGeometry(1.6 * this.size, height, 4)
                         .rotateX(Math.PI / 2)
                         .rotateZ(Math.PI / 4)
                         .translate(0, 0, -height / 2);
        const foot = box(4 * this.size, 4 * this.size, 0.5 * this.size).translate(0, 0, -height);
        for (const geometry of [cone, foot]) {
          this.part_(
              "symbols", -1, geometry.translate(0, 0, -drop + 0.5 * this.size).applyMatrix(turn).translate(...place.at),
              GROUND, "ground");
        }
      }
    }
  }

  add_springs_() {
    for (const spring of this.scene.springs) {
      if (spring.kind === "translational") {
        const length = Math.max(this.initial_length_(spring), 0.5 * (spring.free_length ?? 0), 4 * this.size);
        const radius = Math.min(1.8 * this.size, 0.2 * length);
        this.links_.push(this.link_(spring, coil(9, radius, length), SPRING, radius));
      } else if (spring.kind === "torsional") {
        this.add_symbol_(spring.a, [spiral(2.4 * this.size)], SPRING, spring.name);
      } else if (spring.kind === "bearing-coefficients") {
        const radius = spring.journal_radius ?? 0.8 * this.size;
        this.add_symbol_(spring.a, [pipe(1.08 * radius, 1.4 * radius, radius)], STEEL, spring.name);
      } else {
        this.add_symbol_(spring.a, [box(2 * this.size, 2 * this.size, 2 * this.size)], "#6b5b73", spring.name);
      }
    }
  }

  initial_length_({a, b}) { return place_of(this.first_, a).position.distanceTo(place_of(this.first_, b).position); }

  // Something stretched from place a to place b; its geometry goes from z = 0 to 1.
  link_({a, b, name}, geometry, colour, radius) {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({color: colour}));
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.userData.name = name;
    this.root.add(mesh);
    return {a, b, radius, mesh};
  }

  flush_parts_() {
    this.frames_ = [];
    for (const [kind, by_frame] of Object.entries(this.parts_)) {
      const material = new THREE.MeshLambertMaterial({vertexColors: THREE.VertexColors, side: THREE.DoubleSide});
      if (kind === "shapes") this.shape_material_ = material;
      for (const [frame, parts] of by_frame) {
        const {geometry, ranges} = merge(parts);
        const mesh = new THREE.Mesh(geometry, material);
        mesh.matrixAutoUpdate = false;
        mesh.userData.ranges = ranges;
        this.frames_.push({frame, mesh});
        this.root.add(mesh);
        if (kind !== "symbols") this.owners.find((owner) => owner.frame === frame)?.objects.push(mesh);
      }
    }
  }

  // Joints and journals inside of bodies can be seen then.
  see_through(on) {
    // Joints on thin beams are seen anyway.
    const thick = this.beams_.filter(({radius}) => radius > 0.7 * this.size).map(({mesh}) => mesh.material);
    for (const material of [this.shape_material_, ...thick]) {
      if (material)
        Object.assign(material, {transparent: on, opacity: on ? 0.38 : 1, depthWrite: !on, needsUpdate: true});
    }
  }

  hides_joints() {
    const places = this.scene.joints.flatMap(({a, b}) => [a, b]);
    return this.scene.bodies.some(
        ({frame, shapes}) =>
            places.some((place) => place.frame === frame && (shapes ?? []).some((shape) => contains(shape, place.at))));
  }

  add_arrows_() {
    const radius = Math.min(0.35 * this.size, 0.006 * this.scene.length);
    const {joints, loads, contacts} = this.scene;
    this.arrows_ = {
      joints: new Arrows(joints.length, ARROWS.joints, radius),
      loads: new Arrows(loads.length, ARROWS.loads, radius),
      normal: new Arrows(contacts.length, ARROWS.normal, radius),
      friction: new Arrows(contacts.length, ARROWS.friction, radius),
    };
    for (const arrows of Object.values(this.arrows_)) this.root.add(arrows.group);
    this.joint_index_ = new Map(joints.map(({name}, k) => [name, k]));
  }

  set_clearance(factor) {
    this.magnifier.clearance = factor;
    for (const bearing of this.bearings_) bearing.magnify(factor);
  }

  update(sampler) {
    this.last_ = sampler;
    const shown = this.magnifier.apply(sampler.poses);
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    for (const {frame, mesh} of this.frames_) {
      pose_of(shown, frame, position, turn);
      mesh.matrix.compose(position, turn, one);
    }
    for (const beam of this.beams_) beam.update(shown);
    for (const bearing of this.bearings_) bearing.update(this.magnifier);
    for (const link of this.links_) stretch(link, shown);
    this.update_arrows_(sampler, shown);
  }

  update_arrows_(sampler, shown) {
    const scale = this.force_unit > 0 ? (0.25 * this.scene.length * this.force_scale) / this.force_unit : 0;
    const longest = 0.75 * this.scene.length;
    const vector = new THREE.Vector3();
    const put = (arrows, at, array, offset, flip = 1) => {
      vector.fromArray(array, offset).multiplyScalar(flip * scale);
      if (Number.isFinite(vector.lengthSq())) arrows.add(at, vector.clampLength(0, longest));
    };
    for (const arrows of Object.values(this.arrows_)) arrows.begin();
    if (this.forces_shown.joints && sampler.forces.length) {
      for (const {b, force} of this.scene.joints) {
        if (force >= 0) put(this.arrows_.joints, place_of(shown, b).position, sampler.forces, FORCE * force);
      }
    }
    if (this.forces_shown.loads && sampler.forces.length) {
      for (const {at, force, kind} of this.scene.loads) {
        if (force >= 0 && kind !== "torque")
          put(this.arrows_.loads, place_of(shown, at).position, sampler.forces, FORCE * force);
      }
    }
    if (this.forces_shown.contacts) this.put_contacts_(sampler, put);
    for (const arrows of Object.values(this.arrows_)) arrows.end();
  }

  put_contacts_(sampler, put) {
    this.scene.contacts.forEach(({joint}, k) => {
      const record = CONTACT * k;
      if (!(sampler.contacts[record + 10] >= 1)) return;
      const at = new THREE.Vector3().fromArray(sampler.contacts, record);
      const index = this.joint_index_.get(joint);
      if (index !== undefined) at.add(this.magnifier.contact_shift(index));
      put(this.arrows_.normal, at, sampler.contacts, record + 3);
      put(this.arrows_.friction, at, sampler.contacts, record + 6);
    });
  }

  // Points with names for labels: bodies and joints as they are shown.
  anchors() {
    const shown = this.magnifier.shown;
    const bodies = this.owners.map(
        ({name, frame, at, colour}) => ({name, colour, at: place_of(shown, {frame, at: at.toArray()}).position}));
    const joints = this.scene.joints.map(({name, a}) => ({name, at: place_of(shown, a).position, joint: true}));
    return [...bodies, ...joints];
  }

  has_bearings() { return this.scene.joints.some(is_bearing); }

  // Clearances and journals of the size of the symbols can be seen as they are.
  sensible_clearance_factor() {
    const bearings = this.scene.joints.filter(is_bearing).map(({clearance}) => clearance);
    const ratios =
        bearings.map(({clearance, journal_radius, width}) => (journal_radius || width / 2 || this.size) / clearance);
    return Math.max(1, 0.3 * median(ratios));
  }
}

function stretch({a, b, radius, mesh}, shown) {
  const from = place_of(shown, a).position;
  const along = place_of(shown, b).position.sub(from);
  const length = along.length();
  mesh.visible = length > 1e-9;
  if (!mesh.visible) return;
  const turn = new THREE.Quaternion().setFromUnitVectors(Z, along.divideScalar(length));
  mesh.matrix.compose(from, turn, new THREE.Vector3(radius, radius, length));
}

// A force that most arrows reach now and then; single impacts are much larger.
export function typical_force(motion, scene) {
  const sizes = [];
  const collect = (array, width, offset, count) => {
    for (let k = 0; k < array.length; k += width * count) {
      for (let i = 0; i < count; ++i) {
        const at = k + i * width + offset;
        const size = Math.hypot(array[at], array[at + 1], array[at + 2]);
        if (size > 0 && Number.isFinite(size)) sizes.push(size);
      }
    }
  };
  if (scene.contacts.length) collect(motion.contacts, CONTACT, 3, scene.contacts.length);
  const torques = new Set(scene.loads.filter(({kind}) => kind === "torque").map(({force}) => force));
  const n_forces = motion.forces.length / motion.time.length / FORCE;
  for (let k = 0; k < motion.time.length; ++k) {
    for (let i = 0; i < n_forces; ++i) {
      if (!torques.has(i))
        collect(motion.forces.subarray((k * n_forces + i) * FORCE, (k * n_forces + i + 1) * FORCE), FORCE, 0, 1);
    }
  }
  if (!sizes.length) return 0;
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))];
}
