// Reads the data of the report and puts the page together.
import {el} from "./dom.js";
import {modes_page} from "./modes.js";
import {campbell_page, response_page} from "./rotor.js";
import {run_page} from "./run.js";
import {stiction_page} from "./stiction.js";
import {study_page} from "./study.js";
import {footer, text_cards} from "./texts.js";
import {verdict_bar} from "./verdict.js";

const PAGES = {
  run: run_page,
  modes: modes_page,
  campbell: campbell_page,
  response: response_page,
  stiction: stiction_page,
  study: study_page
};

function read_report() {
  const script = document.getElementById("freeplay-data");
  if (!script) throw new Error("There are no results in this page: it is the template of `freeplay report`.");
  const report = JSON.parse(script.textContent);
  script.remove();  // some megabytes that nobody needs twice
  if (report.format !== 1) throw new Error(`The data of this page have format ${report.format}, its script knows 1.`);
  return report;
}

// Verdict and animation fit on one screen, unless the verdict is long.
function fit_height(verdict) {
  const set = () =>
      document.documentElement.style.setProperty("--above", `${Math.min(verdict.offsetHeight + 85, 260)}px`);
  new ResizeObserver(set).observe(verdict);
  set();
}

async function show(page) {
  if (!("DecompressionStream" in window))
    throw new Error("This browser is too old for this report: it needs one of 2023 or later.");
  const report = read_report();
  document.title = `${report.title || report.model_file || "Freeplay"} – Freeplay report`;
  const make = PAGES[report.kind];
  if (!make) throw new Error(`This kind of report is not known here: ${report.kind}`);
  const main = el("main", {});
  const verdict = verdict_bar(report);
  page.replaceChildren(verdict, main, el("div", {class: "texts"}, text_cards(report)), footer(report));
  fit_height(verdict);
  await make(report, main);
}

const page = document.getElementById("page");
show(page).then(() => (document.documentElement.dataset.ready = "true"), (error) => {
  page.append(el("p", {class: "card nothing bad"}, String(error.message ?? error)));
  document.documentElement.dataset.ready = "error";
});
