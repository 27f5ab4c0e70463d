// Below everything: events, the model, the log, where it all comes from.
import {card, el} from "./dom.js";
import {format} from "./numbers.js";
import {sortable} from "./tables.js";

export function event_card(events, clock, axis) {
  if (!events?.rows?.length) return null;
  const columns = [
    {title: axis?.name ?? "time", unit: axis?.unit, value: (row) => row[0], show: (value) => format(value, 7)},
    {title: "event", value: (row) => row[1]},
    {title: "joint", value: (row) => row[2]},
    {title: "value", value: (row) => row[3], show: (value) => format(value)},
    {title: "unit", value: (row) => row[4]},
    {title: "detail", value: (row) => row[5]},
  ];
  const pick = clock && !axis?.by_row ? (row) => {
    clock.pause();
    clock.set(row[0]);
  } : null;
  const shown = events.rows.slice(0, 2000);
  const all = events.total > shown.length ?
      ` Of ${events.total} events, ${shown.length} are in this report; the largest impacts are among them.` :
      "";
  return el(
      "details", {class: "card", id: "events"}, el("summary", {}, `Events (${events.total ?? shown.length})`),
      el("p", {class: "quiet"}, `${pick ? "A click on a row shows that moment." : ""}${all}`),
      el("div", {class: "tall"}, sortable(columns, shown, {pick})));
}

export function text_cards(report) {
  const cards = (report.texts ?? [])
                    .map(
                        ({title, file, text}) => el(
                            "details", {class: "card text"},
                            el("summary", {}, title, file ? el("small", {}, ` ${file}`) : null), el("pre", {}, text)));
  const provenance = report.provenance ?? [];
  if (provenance.length) {
    cards.push(card(
        "Where this comes from", "provenance",
        el("dl", {class: "provenance"},
           provenance.map(([key, value]) => [el("dt", {}, key), el("dd", {}, String(value))]))));
  }
  return cards;
}

export function footer(report) {
  return el(
      "footer", {},
      `${
          report.version ??
          "freeplay"}. This file contains everything it shows and loads nothing. Drawn with three.js and dygraphs (MIT licence).`);
}
