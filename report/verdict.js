// The first thing on the page: did it finish, how exact is it, what should be known.
import {el} from "./dom.js";

const STATUS = {
  finished: {text: "Finished", level: "ok"},
  failed: {text: "Failed", level: "bad"},
  interrupted: {text: "Interrupted", level: "warn"},
  running: {text: "Still running, or killed", level: "warn"},
};

export function verdict_bar(report) {
  const verdict = report.verdict ?? {};
  const {text, level} = STATUS[verdict.status] ?? {text: verdict.status ?? "", level: "warn"};
  const warnings = verdict.warnings ?? [];
  const levels = [level, warnings.length ? "warn" : "ok", ...(verdict.rows ?? []).map((row) => row.level)];
  const shown = ["bad", "warn"].find((worst) => levels.includes(worst)) ?? "ok";
  const badge = el("strong", {class: `badge ${level}`}, text);
  const rows =
      (verdict.rows ?? [])
          .map(
              ({label, value, level: of_row}) =>
                  el("div", {class: `fact ${of_row ?? "ok"}`}, el("dt", {}, label), el("dd", {title: value}, value)));
  const made = (report.made ?? "").replace(/^(.{10})T(.{5}).*Z$/, "$1 $2 UTC");
  const header = el(
      "header", {class: `verdict ${shown}`, id: "verdict"},
      el("div", {class: "heading"}, badge, el("h1", {}, report.title || report.model_file || "Freeplay report"),
         el("span", {class: "quiet"}, [(report.model_file ?? "").split("/").pop(), made].filter(Boolean).join(" · "))),
      verdict.message ? el("p", {class: "message"}, verdict.message) : null,
      rows.length ?
          el("dl", {class: rows.length > 4 ? "facts many" : "facts", title: "a click shows all of it"}, rows) :
          null,
      warnings.length ?
          el("ul", {class: "warnings"}, warnings.slice(0, 20).map((warning) => el("li", {}, warning)),
             warnings.length > 20 ? el("li", {}, `and ${warnings.length - 20} more, see the log`) : null) :
          null);
  header.querySelector(".facts")?.addEventListener("click", () => header.classList.toggle("whole"));
  return header;
}
