// What joints look like: parts that are fixed to the first place, with the joint axis along z. `s` is the size of a
// symbol.
import * as THREE from "three";

import {ball, box, cylinder, pipe} from "./shapes.js";

const plate = (s) => [box(5 * s, 5 * s, 0.25 * s)];

const SYMBOLS = {
  "revolute": (s) => [pipe(0.55 * s, s, 2.2 * s, 28), cylinder(0.55 * s, 2.8 * s)],
  "spherical": (s) => [ball(s)],
  "universal":
      (s) => [cylinder(0.45 * s, 2.8 * s, 14), cylinder(0.45 * s, 2.8 * s, 14).rotateX(Math.PI / 2), ball(0.7 * s)],
  "cylindrical": (s) => [pipe(0.5 * s, 0.9 * s, 3 * s, 28), cylinder(0.5 * s, 7 * s)],
  "prismatic": (s) => [box(1.7 * s, 1.7 * s, 3 * s), box(0.8 * s, 0.8 * s, 7 * s)],
  "planar": plate,
  "point-on-plane": plate,
  "rolling-disk": plate,
  "fixed": (s) => [box(1.5 * s, 1.5 * s, 1.5 * s)],
  "point-on-line": (s) => [cylinder(0.3 * s, 10 * s, 10)],
  "orientation": (s) => [new THREE.OctahedronBufferGeometry(s)],
};

export function joint_symbol(type, s) { return SYMBOLS[type]?.(s) ?? []; }
