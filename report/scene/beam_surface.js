// The surface of a beam: outlines of its sections, swept along its stations.
import * as THREE from "three";

import {POSE} from "./sampler.js";

const SMOOTH = Math.cos((40 * Math.PI) / 180);

// Outline as corners with normals: a corner twice where it is sharp, so that shading shows the edge.
function corners_of(outline) {
  const n = outline.length;
  const edge = (k) => {
    const [a, b] = [outline[k % n], outline[(k + 1) % n]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [(b[1] - a[1]) / length, -(b[0] - a[0]) / length];
  };
  const area = outline.reduce((sum, [x, y], k) => {
    const [u, v] = outline[(k + 1) % n];
    return sum + x * v - u * y;
  }, 0);
  const outward = area < 0 ? -1 : 1;
  const corners = [];
  for (let k = 0; k < n; ++k) {
    const [before, after] = [edge(k + n - 1), edge(k)];
    const mean = [before[0] + after[0], before[1] + after[1]];
    const size = Math.hypot(...mean) || 1;
    const is_smooth = before[0] * after[0] + before[1] * after[1] > SMOOTH;
    for (const normal of [before, after]) {
      const chosen = is_smooth ? [mean[0] / size, mean[1] / size] : normal;
      corners.push([outline[k][0], outline[k][1], outward * chosen[0], outward * chosen[1]]);
    }
  }
  return corners;  // 2k and 2k+1 at corner k: ends of the edge before it and begins the edge after it
}

export class BeamSurface {
  constructor(beam, colour) {
    this.first_ = beam.first_frame;
    this.stations_ = beam.n_frames;
    const outlines = beam.outline.length === 1 ? Array(beam.n_frames).fill(beam.outline[0]) : beam.outline;
    this.corners_ = outlines.map(corners_of);
    this.radius = Math.max(...outlines[0].map(([a, b]) => Math.hypot(a, b)));
    this.width_ = this.corners_[0].length;
    const n_side = this.stations_ * this.width_;
    this.positions_ = new Float32Array(3 * (n_side + 2 * this.width_));
    this.normals_ = new Float32Array(this.positions_.length);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions_, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(this.normals_, 3));
    geometry.setIndex(this.triangles_(n_side));
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({color: colour, side: THREE.DoubleSide}));
    this.mesh.frustumCulled = false;
    this.mesh.userData.name = beam.name;
  }

  triangles_(n_side) {
    const index = [];
    const w = this.width_;
    for (let i = 0; i + 1 < this.stations_; ++i) {
      for (let k = 1; k < w; k += 2) {
        const [a, b] = [i * w + k, i * w + ((k + 1) % w)];
        index.push(a, b, a + w, b, b + w, a + w);
      }
    }
    for (const start of [n_side, n_side + w]) {
      for (let k = 2; k + 2 < w; k += 2) index.push(start, start + k, start + k + 2);
    }
    return index;
  }

  update(poses) {
    const q = new THREE.Quaternion();
    const v = new THREE.Vector3();
    let at = 0;
    const put = (station, [a, b, na, nb], cap) => {
      const p = (this.first_ + station) * POSE;
      q.set(poses[p + 3], poses[p + 4], poses[p + 5], poses[p + 6]);
      v.set(a, b, 0).applyQuaternion(q);
      this.positions_.set([v.x + poses[p], v.y + poses[p + 1], v.z + poses[p + 2]], at);
      (cap ? v.set(0, 0, cap) : v.set(na, nb, 0)).applyQuaternion(q);
      this.normals_.set([v.x, v.y, v.z], at);
      at += 3;
    };
    for (let i = 0; i < this.stations_; ++i)
      for (const corner of this.corners_[i]) put(i, corner, 0);
    for (const corner of this.corners_[0]) put(0, corner, -1);
    for (const corner of this.corners_[this.stations_ - 1]) put(this.stations_ - 1, corner, 1);
    const {position, normal} = this.mesh.geometry.attributes;
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;  // for picking
  }
}
