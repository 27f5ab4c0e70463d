// Arrays of the report: base64 of zlib of little-endian numbers, unpacked only when somebody looks at them.

const TYPES = {
  f32: Float32Array,
  f64: Float64Array,
  i32: Int32Array,
  u8: Uint8Array
};

async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The first bytes of all numbers, then the second bytes, ...: packs better, and is undone here.
function unshuffle(bytes, width) {
  const n = bytes.length / width;
  const out = new Uint8Array(bytes.length);
  for (let b = 0; b < width; ++b) {
    for (let k = 0; k < n; ++k) out[k * width + b] = bytes[b * n + k];
  }
  return out;
}

function transpose(values, rows, columns) {
  const out = new values.constructor(values.length);
  for (let c = 0; c < columns; ++c) {
    for (let r = 0; r < rows; ++r) out[r * columns + c] = values[c * rows + r];
  }
  return out;
}

// A typed array in C order; null stays null.
export async function unpack(array) {
  if (!array) return null;
  const Type = TYPES[array.type];
  if (!Type) throw new Error(`unknown type of array: ${array.type}`);
  const shuffled = array.layout === "transposed-shuffled";
  let bytes = await inflate(array.data);
  if (shuffled) bytes = unshuffle(bytes, Type.BYTES_PER_ELEMENT);
  let values = new Type(bytes.buffer, bytes.byteOffset, bytes.length / Type.BYTES_PER_ELEMENT);
  const [rows, ...rest] = array.shape;
  const columns = rest.reduce((a, b) => a * b, 1);
  if (shuffled && columns > 1) values = transpose(values, rows, columns);
  return values;
}

// A table of columns over one abscissa. Columns are unpacked once, on demand.
class Table {
  constructor(json, x) {
    this.columns = json.columns;
    this.x = x;
    this.rows = json.rows ?? x.length;
    this.thinned = Boolean(json.thinned);
    this.left_out = json.left_out ?? 0;
    this.by_name_ = new Map(json.columns.map((column) => [column.name, column]));
    this.unpacked_ = new Map();
  }

  has(name) { return this.by_name_.has(name); }

  unit(name) { return this.by_name_.get(name)?.unit ?? ""; }

  names() { return [...this.by_name_.keys()]; }

  values(name) {
    if (!this.unpacked_.has(name)) this.unpacked_.set(name, unpack(this.by_name_.get(name).values));
    return this.unpacked_.get(name);
  }
}

function rises(x) {
  for (let k = 1; k < x.length; ++k) {
    if (!(x[k] >= x[k - 1])) return false;
  }
  return true;
}

async function read_table(json, axis) {
  const values = await unpack(json.x.values ?? json.x);
  const rows = (await unpack(json.x.row)) ?? values.map((_, k) => k);
  const table = new Table(json, axis.by_row ? Float64Array.from(rows) : values);
  table.true_x = values;
  return table;
}

// Load factors may fall again; such an analysis is shown over the number of its row.
export async function read_history(report) {
  const json = report.history;
  if (!json || !json.columns?.length) return null;
  const x = await unpack(json.x.values);
  if (!x.length) return null;
  const by_row = !rises(x);
  const axis = {by_row, name: by_row ? "load step" : json.x.name, unit: by_row ? "" : json.x.unit};
  const history = await read_table(json, axis);
  const samples = report.samples ? await read_table(report.samples, axis) : history;
  return {axis, history, samples};
}

export async function read_motion(report, axis) {
  const json = report.motion;
  if (!json || !report.scene) return null;
  const [time, poses, forces, contacts, row] =
      await Promise.all([json.time, json.poses, json.forces, json.contacts, json.row].map(unpack));
  if (!time?.length || !poses?.length) return null;
  const shown = axis?.by_row ? Float64Array.from(row ?? time.map((_, k) => k)) : time;
  return {time: shown, poses, forces: forces ?? new Float32Array(0), contacts: contacts ?? new Float32Array(0)};
}

// Largest k with x[k] <= value; 0 if there is none.
export function index_below(x, value) {
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= value)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

export function index_nearest(x, value) {
  const k = index_below(x, value);
  return k + 1 < x.length && x[k + 1] - value < value - x[k] ? k + 1 : k;
}

export function range_of(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
