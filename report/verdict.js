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
  const shown =
      level === "ok" && (warnings.length || verdict.rows?.some((row) => row.level === "warn")) ? "warn" : level;
  const badge = el("strong", {class: `badge ${level}`}, text);
  const rows = (verdict.rows ?? [])
                   .map(
                       ({label, value, level: of_row}) =>
                           el("div", {class: `fact ${of_row ?? "ok"}`}, el("dt", {}, label), el("dd", {}, value)));
  return el(
      "header", {class: `verdict ${shown}`, id: "verdict"},
      el("div", {class: "heading"}, badge, el("h1", {}, report.title || report.model_file || "Freeplay report"),
         el("span", {class: "quiet"}, [report.model_file, report.made].filter(Boolean).join(" · "))),
      verdict.message ? el("p", {class: "message"}, verdict.message) : null,
      rows.length ? el("dl", {class: "facts"}, rows) : null,
      warnings.length ?
          el("ul", {class: "warnings"}, warnings.slice(0, 20).map((warning) => el("li", {}, warning)),
             warnings.length > 20 ? el("li", {}, `and ${warnings.length - 20} more, see the log`) : null) :
          null);
}
