// Parts of the page that can be computed by hand. Bundled and run in the browser by test_page.py; gives a list of what
// is wrong.
import * as THREE from "three";

import {index_nearest} from "../../report/data.js";
import {format, nice} from "../../report/numbers.js";
import {Magnifier, place_of} from "../../report/scene/magnify.js";
import {ModeSampler, POSE} from "../../report/scene/sampler.js";

const wrong = [];
const near = (name, value, expected, tolerance = 1e-6) => {
  const [a, b] = [value, expected].map((x) => (Array.isArray(x) ? x : [x]));
  if (a.length !== b.length || a.some((x, k) => !(Math.abs(x - b[k]) <= tolerance)))
    wrong.push(`${name}: ${a} instead of ${b}`);
};
const same = (name, value, expected) => value === expected || wrong.push(`${name}: ${value} instead of ${expected}`);

const UNTURNED = [0, 0, 0, 1];
const at = (frame, ...position) => ({frame, at: position, q: UNTURNED});
const bearing = (a, b, clearance) =>
    ({name: "pin", type: "planar-clearance", a, b, clearance: {kind: "circle", journal_radius: 0.1, clearance}});
const hinge = (a, b) => ({name: "hinge", type: "revolute", a, b, clearance: null});
const scene = (parts) => ({n_frames: 1, bodies: [], beams: [], joints: [], ...parts});
const origin = (poses, frame) => Array.from(poses.slice(frame * POSE, frame * POSE + 3));

// A journal that touches: e = c = 1 mm along x. Magnified 50 times it is 50 mm off the centre, where a shell of radius
// r + 50 c touches it. Its own motion along the axis is not magnified.
{
  const magnifier = new Magnifier(
      scene({bodies: [{name: "shaft", frame: 0}], joints: [bearing(at(-1, 0, 0, 0), at(0, 0, 0, 0), 0.001)]}));
  magnifier.clearance = 50;
  magnifier.apply(Float32Array.of(0.001, 0, 0.3, ...UNTURNED));
  const position = new THREE.Vector3();
  magnifier.journal(0, position, new THREE.Quaternion());
  near("journal", position.toArray(), [0.05, 0, 0.3]);
  near("its body goes along", origin(magnifier.shown, 0), [0.05, 0, 0.3]);
  magnifier.clearance = 1;
  magnifier.apply(Float32Array.of(0.001, 0, 0.3, ...UNTURNED));
  near("true scale", origin(magnifier.shown, 0), [0.001, 0, 0.3]);
}

// A rod of length 2 from a hinge at (0, 0, 0) to a journal at (2, 0, 0), which is 1 mm off across the rod: magnified
// 101 times the rod turns by 0.1 / 2 about the hinge.
{
  const joints = [hinge(at(-1, 0, 0, 0), at(0, -1, 0, 0)), bearing(at(-1, 2, -0.001, 0), at(0, 1, 0, 0), 0.001)];
  const magnifier = new Magnifier(scene({bodies: [{name: "rod", frame: 0}], joints}));
  magnifier.clearance = 101;
  magnifier.apply(Float32Array.of(1, 0, 0, ...UNTURNED));
  near("rod stays at its hinge", place_of(magnifier.shown, joints[0].b).position.toArray(), [0, 0, 0], 2e-3);
  near("and reaches its journal", place_of(magnifier.shown, joints[1].b).position.toArray(), [2, 0.1, 0], 2e-3);
}

// A cantilever along x of three stations, which is moved by 1 along z as a whole and bent upwards: 10 times the
// bending, once the motion.
{
  const rest = [0, 1, 2].map((x) => [x, 0, 0, ...UNTURNED]);
  const beam = {name: "beam", first_frame: 0, n_frames: 3, rest};
  const magnifier =
      new Magnifier(scene({n_frames: 3, beams: [beam], joints: [hinge(at(-1, 0, 0, 1), at(0, 0, 0, 0))]}));
  magnifier.deformation = 10;
  const tilt = [0, 0, Math.sin(0.01), Math.cos(0.01)];
  magnifier.apply(Float32Array.of(0, 0, 1, ...UNTURNED, 1, 0.005, 1, ...UNTURNED, 2, 0.02, 1, ...tilt));
  near("root", origin(magnifier.shown, 0), [0, 0, 1]);
  near("middle", origin(magnifier.shown, 1), [1, 0.05, 1]);
  near("tip", origin(magnifier.shown, 2), [2, 0.2, 1]);
  near("its axes", Array.from(magnifier.shown.slice(17, 21)), [0, 0, Math.sin(0.1), Math.cos(0.1)]);
}

// A beam that only turns, by a quarter about z, has no deformation to magnify.
{
  const rest = [0, 1, 2].map((x) => [x, 0, 0, ...UNTURNED]);
  const magnifier = new Magnifier(scene({n_frames: 3, beams: [{name: "beam", first_frame: 0, n_frames: 3, rest}]}));
  magnifier.deformation = 100;
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const poses = Float32Array.of(5, 0, 0, ...quarter, 5, 1, 0, ...quarter, 5, 2, 0, ...quarter);
  near("rigid rotation", Array.from(magnifier.apply(poses)), Array.from(poses), 1e-4);
}

// A beam between two hinges with a disk in the middle: the hinges stay, the disk goes with the bow.
{
  const rest = [0, 1, 2].map((x) => [x, 0, 0, ...UNTURNED]);
  const joints = [
    hinge(at(-1, 0, 0, 0), at(0, 0, 0, 0)), hinge(at(-1, 2, 0, 0), at(2, 0, 0, 0)),
    hinge(at(1, 0, 0, 0), at(3, 0, 0, 0))
  ];
  const magnifier = new Magnifier(scene({
    n_frames: 4,
    bodies: [{name: "disk", frame: 3}],
    beams: [{name: "shaft", first_frame: 0, n_frames: 3, rest}],
    joints
  }));
  magnifier.deformation = 20;
  magnifier.apply(
      Float32Array.of(0, 0, 0, ...UNTURNED, 1, 0.01, 0, ...UNTURNED, 2, 0, 0, ...UNTURNED, 1, 0.01, 0, ...UNTURNED));
  near("end", origin(magnifier.shown, 2), [2, 0, 0]);
  near("bow", origin(magnifier.shown, 1), [1, 0.2, 0]);
  near("disk", origin(magnifier.shown, 3), [1, 0.2, 0]);
}

// Re cos - Im sin: a quarter of a cycle on, a mode that turns forward has gone from x to -y of Im = y.
{
  const sampler = new ModeSampler(Float32Array.of(1, 0, 0, ...UNTURNED));
  sampler.shape = {real: Float32Array.of(1, 0, 0, 0, 0, 0.2), imaginary: Float32Array.of(0, 1, 0, 0, 0, 0)};
  sampler.amplitude = 0.5;
  sampler.sample(0);
  near("real part", origin(sampler.poses, 0), [1.5, 0, 0]);
  near("its rotation", Array.from(sampler.poses.slice(3)), [0, 0, Math.sin(0.05), Math.cos(0.05)]);
  sampler.sample(Math.PI / 2);
  near("imaginary part", origin(sampler.poses, 0), [1, -0.5, 0]);
}

for (const [value, text] of [
         [0, "0"], [1.5, "1.5"], [1234.56, "1235"], [-2e-7, "−2e−7"], [123456789, "1.235e8"], [NaN, "–"], [null, ""],
         [-Infinity, "−∞"]]) {
  same(`format ${value}`, format(value), text);
}
for (const [value, rounded] of [[0.13, 0.1], [0.3, 0.2], [4, 5], [80, 100], [0, 1], [NaN, 1]])
  same(`nice ${value}`, nice(value), rounded);
same("nearest row", index_nearest([0, 1, 2, 4], 2.9), 2);
same("nearest row", index_nearest([0, 1, 2, 4], 3.1), 3);
same("before the first", index_nearest([0, 1], -5), 0);

window.wrong = wrong;
