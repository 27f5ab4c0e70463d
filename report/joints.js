// One row per joint; a click puts its columns into a plot.
import {card, el} from "./dom.js";
import {format, percent} from "./numbers.js";
import {sortable} from "./tables.js";

const COLUMNS = [
  {title: "joint", value: (j) => j.name, always: true},
  {title: "type", value: (j) => j.type, always: true},
  {
    title: "largest force",
    unit: "N",
    value: (j) => j.largest_force?.value ?? null,
    hint: "among the rows of the history and all impacts"
  },
  {title: "at", unit: "s", value: (j) => j.largest_force?.time ?? null, show: (t) => format(t, 3)},
  {title: "largest moment", unit: "N·m", value: (j) => j.largest_moment?.value ?? null},
  {title: "touches", value: (j) => j.touches},
  {title: "impacts", value: (j) => j.impacts},
  {title: "in contact", value: (j) => j.contact_fraction, show: percent, hint: "fraction of the time"},
  {title: "sticking", value: (j) => j.stick_fraction, show: percent, hint: "fraction of the time"},
  {title: "friction", unit: "J", value: (j) => j.friction_loss, hint: "energy lost to friction"},
  {title: "contact", unit: "J", value: (j) => j.contact_loss, hint: "energy lost in the contact law"},
];

export function joint_table(joints, axis, pick, length = 1) {
  if (!joints?.length) return null;
  joints = without_round_off(joints, length);
  const known = (column) =>
      column.always || joints.some((j) => column.value(j) !== null && column.value(j) !== undefined);
  const columns = COLUMNS.filter(known).map(
      (column) =>
          (column.title === "at" ?
               {...column, unit: axis?.unit ?? "", title: `at ${axis?.unit ? "" : axis?.name ?? ""}`.trim()} :
               column));
  const hint = pick ? "A click on a row shows the joint in the plot below." : null;
  return card(
      "Joints", "joints", el("div", {class: "tall"}, sortable(columns, joints, {pick})),
      hint ? el("p", {class: "quiet hint"}, hint) : null);
}

// A ball joint has no moment, an elastic contact no loss, but what digits are left of them.
function without_round_off(joints, length) {
  const force = Math.max(...joints.map((j) => j.largest_force?.value ?? 0));
  const loss = Math.max(...joints.map((j) => Math.abs(j.friction_loss ?? 0) + Math.abs(j.contact_loss ?? 0)));
  const dissipates = joints.some((j) => Math.abs(j.contact_loss ?? 0) > 1e-6 * loss);
  return joints.map((j) => ({
                      ...j,
                      largest_moment: j.largest_moment?.value < 1e-12 * force * length ? {value: 0} : j.largest_moment,
                      contact_loss: dissipates ? j.contact_loss : null,
                    }));
}

// What says most about a joint, of the columns that there are.
export function columns_of_joint(name, history) {
  const mine = history.names().filter((column) => column.startsWith(`${name}.`));
  const ends = (list) => mine.filter((column) => list.some((end) => column.endsWith(end)));
  for (const wanted
           of [[".normal_force_max"], [".normal_force"], [".force.x", ".force.y", ".force.z"], [".force"],
               [".moment.x", ".moment.y", ".moment.z"]]) {
    const found = ends(wanted);
    if (found.length) return found.slice(0, 4);
  }
  return mine.slice(0, 3);
}
