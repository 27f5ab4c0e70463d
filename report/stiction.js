// The stiction certificate: what friction and normal forces can be, as bars.
import {animation_panel} from "./animation.js";
import {Clock} from "./clock.js";
import {read_motion} from "./data.js";
import {card, el} from "./dom.js";
import {format} from "./numbers.js";

const ANSWER = {
  "yes": "yes",
  "no": "no",
  "not decided": "not decided"
};

export async function stiction_page(report, main) {
  const {stiction} = report;
  main.classList.add("single");
  if (!stiction) {
    main.append(card("Stiction", "stiction", el("p", {class: "nothing"}, "There is no certificate in these results.")));
    return;
  }
  const picture = await still_picture(report);
  if (picture) {
    main.classList.remove("single");
    main.append(el("div", {class: "left"}, picture), el("div", {class: "right"}));
    main = main.lastChild;
  }
  main.append(summary_card(stiction), bars_card("Forces that are possible", stiction));
  if (stiction.flexible) main.append(bars_card("The same with flexible beams", stiction.flexible));
  const open = stiction.not_decided ?? [];
  if (open.length)
    main.append(card(
        "Not decided", "open",
        el("ul", {},
           open.map(
               ({what, joint, more_search}) =>
                   el("li", {},
                      `${what}${joint ? ` (${joint})` : ""}${
                          more_search ? `: about ${format(more_search)} times as much search might do` : ""}`)))));
}

// The position of which the certificate speaks.
async function still_picture(report) {
  const motion = await read_motion(report, null);
  return motion ?
      animation_panel(report.scene, motion, new Clock(motion.time[0], motion.time[0]), {name: "time", unit: "s"})
          .element :
      null;
}

function factor(value, bounds) {
  if (bounds) return `not decided, between ${bounds.map((b) => (b === null ? "no limit" : format(b))).join(" and ")}`;
  return typeof value === "number" ? `load factor ${format(value)}` : value;
}

function summary_card(s) {
  const facts = [
    ["rest is possible", ANSWER[s.rest_is_possible] ?? s.rest_is_possible],
    ["rest is guaranteed", ANSWER[s.rest_is_guaranteed] ?? s.rest_is_guaranteed],
    ["first possible slip", factor(s.first_possible_slip, s.first_possible_slip_bounds)],
    ["certain slip", s.certain_slip === undefined ? undefined : factor(s.certain_slip, s.certain_slip_bounds)],
    ["rest begins", s.rest_begins === undefined ? undefined : factor(s.rest_begins)],
    ["loads of", s.time === undefined ? undefined : `t = ${format(s.time)} s`],
    ["multiplied loads", s.scaled_loads?.length ? s.scaled_loads.join(", ") : "all loads and gravity"],
    [
      "forces that balance without loads",
      s.self_stresses === undefined ? undefined : `in ${s.self_stresses} ${s.self_stresses === 1 ? "way" : "ways"}`
    ],
    ["no contact", s.no_contact?.length ? s.no_contact.join(", ") : undefined],
  ].filter(([, value]) => value !== undefined);
  return card(
      "At rest", "rest",
      el("dl", {class: "provenance"}, facts.map(([key, value]) => [el("dt", {}, key), el("dd", {}, String(value))])),
      s.hint ? el("p", {class: "quiet"}, s.hint) : null);
}

function bars_card(title, s) {
  const joints = Object.entries(s.joints ?? {});
  if (!joints.length) return card(title, "bars", el("p", {class: "nothing"}, "No joint has friction."));
  const rows = joints.flatMap(([name, joint]) => {
    const frictions = [joint.friction_force ?? []].flat();
    const list = frictions.map(
        (force, k) => ({force, label: frictions.length > 1 ? `friction ${k + 1}` : "friction", kind: "friction"}));
    if (joint.normal_force) list.push({force: joint.normal_force, label: "normal", kind: "normal"});
    return list.map((entry, k) => ({...entry, name: k === 0 ? name : "", slip: k === 0 ? joint.may_slip : null}));
  });
  const scale = scale_of(rows.map(({force}) => force));
  const body = rows.map((row) => bar_row(row, scale));
  return card(
      title, "bars",
      el("div", {class: "scroll"},
         el("table", {class: "bars"},
            el("thead", {},
               el("tr", {},
                  [
                    "joint", "may slip", "force", `${format(scale.low, 3)} … ${format(scale.high, 3)} N`,
                    "possible values [N]"
                  ].map((text) => el("th", {}, text)))),
            el("tbody", {}, body))),
      el("p", {class: "quiet"},
         "A bar for all values that are possible, a dot for a value that is the only one. The thin line is zero; pale: not excluded by the search."));
}

function scale_of(forces) {
  const ends =
      forces.flatMap(({parts, bounds}) => [...(parts ?? []), bounds ?? []].flat()).filter((x) => typeof x === "number");
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const pad = 0.04 * (high - low || 1);
  return {low: low - pad, high: high + pad};
}

function bar_row({name, slip, label, force, kind}, {low, high}) {
  const at = (x, end) => (typeof x === "number" ? (100 * (x - low)) / (high - low) : end);
  const track = el("div", {class: "track"}, el("i", {class: "zero", style: {left: `${at(0)}%`}}));
  const span = (from, to, css) => {
    const [a, b] = [at(from, 0), at(to, 100)];
    track.append(el("i", {class: css, style: {left: `${a}%`, width: `${Math.max(b - a, 0)}%`}}));
  };
  if (force.bounds && force.parts?.length) span(force.bounds[0], force.bounds[1], "pale");
  for (const [from, to] of force.parts ?? []) {
    if (force.unique && typeof from === "number")
      track.append(el("i", {class: `dot ${kind}`, style: {left: `${at(from)}%`}}));
    else
      span(from, to, `bar ${kind}`);
  }
  return el(
      "tr", {class: name ? "first" : null}, el("th", {scope: "row"}, name),
      el("td", {class: slip === "yes" ? "warn" : null}, slip ?? ""), el("td", {}, label),
      el("td", {class: "wide"}, track),
      el("td", {class: force.unique ? "values" : "values range"}, values_text(force)));
}

function values_text(force) {
  if (!force.parts?.length) return "none";
  if (force.unique) return `${format(force.low, 6)}${force.reason ? `: ${force.reason}` : ""}`;
  const end = (x) => (x === null || x === undefined ? "no limit" : format(x, 6));
  return force.parts.map(([low, high]) => `${end(low)} … ${end(high)}`).join(", ");
}
