// Geometries. Those with an axis have it along z.
import * as THREE from "three";
import {BufferGeometryUtils} from "three-examples/utils/BufferGeometryUtils.js";

const CREASE = Math.cos((40 * Math.PI) / 180);  // edges sharper than this stay sharp

export function cylinder(radius, length, segments = 24) {
  return new THREE.CylinderBufferGeometry(radius, radius, length, segments).rotateX(Math.PI / 2);
}

export function ball(radius, segments = 20) {
  return new THREE.SphereBufferGeometry(radius, segments, Math.ceil(segments * 0.7));
}

export function box(x, y, z) { return new THREE.BoxBufferGeometry(x, y, z); }

export function rod(from, to, radius, segments = 10) {
  const direction = new THREE.Vector3().subVectors(to, from);
  const length = direction.length();
  const geometry = cylinder(radius, length, segments);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), direction.normalize());
  return geometry.applyMatrix(new THREE.Matrix4().makeRotationFromQuaternion(turn))
      .translate((from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2);
}

// A pipe from z = -length/2 to length/2.
export function pipe(inner, outer, length, segments = 64) {
  const profile = [[inner, -1], [outer, -1], [outer, 1], [inner, 1], [inner, -1]];
  const points = profile.map(([r, z]) => new THREE.Vector2(r, (z * length) / 2));
  const sides = [0, 1, 2, 3].map((k) => new THREE.LatheBufferGeometry([points[k], points[k + 1]], segments));
  return BufferGeometryUtils.mergeBufferGeometries(sides).rotateX(Math.PI / 2);
}

// The lower part of a hollow ball, open towards z, so that one can look in.
export function cup(radius, segments = 40) {
  return new THREE.SphereBufferGeometry(radius, segments, segments / 2, 0, 2 * Math.PI, 0.3 * Math.PI, 0.7 * Math.PI)
      .rotateX(Math.PI / 2);
}

// A spring of the given size, scaled to length 1 and radius 1: its wire is round at that size.
export function coil(turns, radius, length) {
  const lead = 0.12;  // straight part at each end, of the length
  class Helix extends THREE.Curve {
    getPoint(t) {
      const u = Math.min(Math.max((t - lead) / (1 - 2 * lead), 0), 1);
      const r = radius * Math.min(1, Math.max(0, (4 * Math.min(t, 1 - t)) / lead - 3));
      const angle = 2 * Math.PI * turns * u;
      return new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), t * length);
    }
  }
  const wire = Math.min(0.14 * radius, (0.25 * length) / turns);
  return new THREE.TubeBufferGeometry(new Helix(), turns * 22, wire, 6).scale(1 / radius, 1 / radius, 1 / length);
}

// A flat spiral spring around z.
export function spiral(radius) {
  class Spiral extends THREE.Curve {
    getPoint(t) {
      const angle = 6 * Math.PI * t;
      return new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0).multiplyScalar(radius * (0.3 + 0.7 * t));
    }
  }
  return new THREE.TubeBufferGeometry(new Spiral(), 120, radius * 0.06, 6);
}

// Surface of polygons; normals are smooth over edges that are not sharp.
export function solid({points, polygons}) {
  const corners = [];
  const faces = [];
  for (const polygon of polygons) {
    for (let k = 1; k + 1 < polygon.length; ++k) faces.push([polygon[0], polygon[k], polygon[k + 1]]);
  }
  const vectors = points.map((p) => new THREE.Vector3(...p));
  const normals = faces.map(
      ([a, b, c]) => new THREE.Vector3()
                         .subVectors(vectors[b], vectors[a])
                         .cross(new THREE.Vector3().subVectors(vectors[c], vectors[a])));
  const around = points.map(() => []);
  faces.forEach((face, f) => face.forEach((p) => around[p].push(f)));
  const units = normals.map((n) => n.clone().normalize());
  const smooth = [];
  const sum = new THREE.Vector3();
  faces.forEach((face, f) => face.forEach((p) => {
    sum.set(0, 0, 0);
    for (const g of around[p])
      if (units[f].dot(units[g]) > CREASE) sum.add(normals[g]);
    sum.normalize();
    corners.push(...vectors[p].toArray());
    smooth.push(sum.x, sum.y, sum.z);
  }));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(smooth, 3));
  return geometry;
}

// Shapes of rigid bodies, in their axes; round ones with so many corners.
export function primitive({kind, centre, radius, from, to, size}, segments) {
  if (kind === "sphere") return ball(radius, segments).translate(...centre);
  if (kind === "cylinder") return rod(new THREE.Vector3(...from), new THREE.Vector3(...to), radius, segments);
  return box(...size).translate(...centre);
}

// Whether a point is well inside of a shape.
export function contains({kind, centre, radius, from, to, size}, point) {
  const p = new THREE.Vector3(...point);
  if (kind === "sphere") return p.distanceTo(new THREE.Vector3(...centre)) < 0.9 * radius;
  if (kind === "box")
    return p.sub(new THREE.Vector3(...centre)).toArray().every((x, k) => Math.abs(x) < 0.45 * size[k]);
  const axis = new THREE.Line3(new THREE.Vector3(...from), new THREE.Vector3(...to));
  const t = axis.closestPointToPointParameter(p, false);
  return t > 0 && t < 1 && axis.at(t, new THREE.Vector3()).distanceTo(p) < 0.9 * radius;
}

// One geometry of many parts: one call to the graphics card for all that moves together. `ranges` tells which part a
// triangle belongs to.
export function merge(parts) {
  const ranges = [];
  let triangles = 0;
  const geometries = parts.map(({geometry, colour, name}) => {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry.clone();
    for (const key of Object.keys(flat.attributes)) {
      if (key !== "position" && key !== "normal") flat.deleteAttribute(key);
    }
    const n = flat.attributes.position.count;
    const {r, g, b} = new THREE.Color(colour);
    const colours = new Float32Array(3 * n);
    for (let k = 0; k < n; ++k) colours.set([r, g, b], 3 * k);
    flat.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    triangles += n / 3;
    ranges.push({end: triangles, name});
    return flat;
  });
  return {geometry: BufferGeometryUtils.mergeBufferGeometries(geometries), ranges};
}

export function name_at(ranges, triangle) { return ranges.find((range) => triangle < range.end)?.name; }
