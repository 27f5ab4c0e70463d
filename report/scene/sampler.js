// Poses, forces and contacts at any time or phase. A pose is x, y, z, qx, qy, qz, qw of a frame.
import {index_below} from "../data.js";

export const POSE = 7;
export const FORCE = 3;
export const CONTACT = 11;

// Linear between two stored instants, quaternions too (they are close together, and normalised afterwards).
export class MotionSampler {
  constructor(motion) {
    this.motion_ = motion;
    const n = motion.time.length;
    this.size_ = {
      poses: motion.poses.length / n,
      forces: motion.forces.length / n,
      contacts: motion.contacts.length / n
    };
    this.poses = new Float32Array(this.size_.poses);
    this.forces = new Float32Array(this.size_.forces);
    this.contacts = new Float32Array(this.size_.contacts);
  }

  sample(time) {
    const {time: times, poses, forces, contacts} = this.motion_;
    const i = index_below(times, time);
    const j = Math.min(i + 1, times.length - 1);
    const length = times[j] - times[i];
    const part = length > 0 ? Math.min(Math.max((time - times[i]) / length, 0), 1) : 0;
    mix_poses(this.poses, poses, i * this.size_.poses, j * this.size_.poses, part);
    const nearest = part < 0.5 ? i : j;
    // Contacts come and go between two instants: what is shown is what was there at one of them.
    this.forces.set(forces.subarray(nearest * this.size_.forces, (nearest + 1) * this.size_.forces));
    this.contacts.set(contacts.subarray(nearest * this.size_.contacts, (nearest + 1) * this.size_.contacts));
  }
}

function mix_poses(out, poses, i, j, part) {
  for (let k = 0; k < out.length; k += POSE) {
    for (let c = 0; c < 3; ++c) out[k + c] = poses[i + k + c] + part * (poses[j + k + c] - poses[i + k + c]);
    let dot = 0;
    for (let c = 3; c < POSE; ++c) dot += poses[i + k + c] * poses[j + k + c];
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let c = 3; c < POSE; ++c) {
      out[k + c] = (1 - part) * poses[i + k + c] + part * sign * poses[j + k + c];
      norm += out[k + c] ** 2;
    }
    norm = Math.sqrt(norm) || 1;
    for (let c = 3; c < POSE; ++c) out[k + c] /= norm;
  }
}

// x = base + amplitude (Re cos(phase) - Im sin(phase)): three displacements and a rotation vector for each frame.
export class ModeSampler {
  constructor(base) {
    this.base_ = base;
    this.poses = Float32Array.from(base);
    this.forces = new Float32Array(0);
    this.contacts = new Float32Array(0);
    this.shape = null;
    this.amplitude = 0;
  }

  sample(phase) {
    this.poses.set(this.base_);
    if (!this.shape) return;
    const {real, imaginary} = this.shape;
    const c = this.amplitude * Math.cos(phase);
    const s = imaginary ? this.amplitude * Math.sin(phase) : 0;
    const d = [0, 0, 0, 0, 0, 0];
    for (let k = 0, f = 0; k < this.poses.length; k += POSE, f += 6) {
      for (let i = 0; i < 6; ++i) d[i] = c * real[f + i] - (s ? s * imaginary[f + i] : 0);
      for (let i = 0; i < 3; ++i) this.poses[k + i] += d[i];
      turn(this.poses, k + 3, d[3], d[4], d[5]);
    }
  }
}

// Quaternion at `at` of the array, turned by a rotation vector given in the axes of ground.
function turn(q, at, x, y, z) {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  const [ax, ay, az, aw] = [s * x, s * y, s * z, Math.cos(angle / 2)];
  const [bx, by, bz, bw] = q.subarray(at, at + 4);
  q[at] = aw * bx + ax * bw + ay * bz - az * by;
  q[at + 1] = aw * by - ax * bz + ay * bw + az * bx;
  q[at + 2] = aw * bz + ax * by - ay * bx + az * bw;
  q[at + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

// Largest displacement of a mode over all frames.
export function largest_displacement({real, imaginary}) {
  let largest = 0;
  for (let f = 0; f < real.length; f += 6) {
    let sum = 0;
    for (let i = 0; i < 3; ++i) sum += real[f + i] ** 2 + (imaginary ? imaginary[f + i] ** 2 : 0);
    largest = Math.max(largest, Math.sqrt(sum));
  }
  return largest;
}
