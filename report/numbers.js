// Numbers for people.

const MINUS = "−";

// Four significant digits, exponents only where they are shorter.
export function format(value, digits = 4) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : MINUS + "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return tidy(text).replace(/-/g, MINUS);
}

// 1.500e-5 -> 1.5e-5, 2.000 -> 2
function tidy(text) {
  const [mantissa, exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return exponent === undefined ? short : `${short}e${exponent.replace("+", "")}`;
}

export function with_unit(value, unit) {
  const text = format(value);
  return unit && text !== "" ? `${text} ${unit}` : text;
}

// The nearest of 1, 2, 5, 10, 20, ... (below 1: 0.5, 0.2, ...)
export function nice(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  const digit = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
  return Number((digit * power).toPrecision(1));
}

export function percent(fraction) {
  if (fraction === null || fraction === undefined) return "";
  const value = 100 * fraction;
  return value > 0 && value < 0.1 ? "< 0.1 %" : `${format(value, 3)} %`;
}
