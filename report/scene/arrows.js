// Many arrows of one colour, drawn as instances of one shaft and one head.
import * as THREE from "three";

const Z = new THREE.Vector3(0, 0, 1);

export class Arrows {
  constructor(count, colour, radius) {
    this.radius_ = radius;
    const material = new THREE.MeshLambertMaterial({color: colour});
    const shaft = new THREE.CylinderBufferGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeBufferGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts_ = new THREE.InstancedMesh(shaft, material, Math.max(count, 1));
    this.heads_ = new THREE.InstancedMesh(head, material, Math.max(count, 1));
    this.group = new THREE.Group();
    for (const mesh of [this.shafts_, this.heads_]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.begin();
    this.end();
  }

  begin() { this.count_ = 0; }

  // From `at` along `vector`, whose length is that of the arrow.
  add(at, vector) {
    const length = vector.length();
    if (!(length > 0.5 * this.radius_)) return;
    const direction = vector.clone().divideScalar(length);
    const turn = new THREE.Quaternion().setFromUnitVectors(Z, direction);
    const head = Math.min(6 * this.radius_, 0.5 * length);
    const thick = Math.min(this.radius_, head / 4);
    const matrix = new THREE.Matrix4();
    matrix.compose(at, turn, new THREE.Vector3(thick, thick, length - head));
    this.shafts_.setMatrixAt(this.count_, matrix);
    matrix.compose(
        at.clone().addScaledVector(direction, length - head), turn, new THREE.Vector3(2.6 * thick, 2.6 * thick, head));
    this.heads_.setMatrixAt(this.count_, matrix);
    ++this.count_;
  }

  end() {
    for (const mesh of [this.shafts_, this.heads_]) {
      mesh.count = this.count_;
      mesh.visible = this.count_ > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
