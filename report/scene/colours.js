// Calm colours that can be told apart, also with a colour-vision deficiency; more bodies get further hues.
import * as THREE from "three";

const BODIES =
    ["#3f7cac", "#e0a458", "#5b9279", "#c06c84", "#7d6fb3", "#c8553d", "#6cb4c9", "#9c8755", "#8a9b3d", "#a36f5d"];

export const STEEL = "#8b95a1";
export const GROUND = "#9aa0a6";
export const JOINT = "#4a525c";
export const SPRING = "#58707f";
export const ARROWS = {
  joints: "#d9772b",
  loads: "#7a4fb5",
  normal: "#c5283d",
  friction: "#2a8c5a"
};

export function body_colour(k) {
  if (k < BODIES.length) return BODIES[k];
  const hue = (0.11 + 0.618034 * k) % 1;
  return `#${new THREE.Color().setHSL(hue, 0.38, 0.55).getHexString()}`;
}
