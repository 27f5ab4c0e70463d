#include "freeplay/analysis/bench/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/analysis/bench/measurement.h"

namespace freeplay {

namespace {

std::string format(const char* pattern, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, digits, value);
  return text;
}

/// In the unit of the published value, with one digit more than the tolerance asks for.
std::string in_published_unit(const BenchmarkQuantity& quantity, double si) {
  const double scale = quantity.published.unit.to_si(1.0);
  if (quantity.measure.kind == Measure::Kind::events) return format("%.*f", 0, si);  // they are counted
  const int decimals = static_cast<int>(1.0 - std::floor(std::log10(quantity.allowed_difference() / scale)));
  constexpr int most = 13;
  const bool is_plain = decimals <= most && quantity.published.number != 0.0;
  const std::string number =
      is_plain ? format("%.*f", std::max(0, decimals), si / scale) : format("%.*e", 1, si / scale);
  return quantity.published.unit_text.empty() ? number : number + " " + quantity.published.unit_text;
}

std::string in_published_unit(const BenchmarkQuantity& quantity, const PrintedNumber& printed) {
  return rounded_text(printed.si() / quantity.published.unit.to_si(1.0)) +
         (quantity.published.unit_text.empty() ? "" : " " + quantity.published.unit_text);
}

std::string percent(double part) { return format("%.*g", 3, 100.0 * part) + " %"; }

std::string tolerance_text(const BenchmarkQuantity& quantity) {
  return quantity.tolerance ? in_published_unit(quantity, *quantity.tolerance) : percent(*quantity.relative_tolerance);
}

std::string difference_text(const Verdict& verdict) {
  const BenchmarkQuantity& quantity = *verdict.quantity;
  if (!quantity.tolerance) return percent(std::abs(verdict.difference() / quantity.published.si()));
  PrintedNumber difference = quantity.published;
  difference.number = std::abs(verdict.difference()) / difference.unit.to_si(1.0);
  return in_published_unit(quantity, difference);
}

std::string verdict_text(const Verdict& verdict) {
  if (!verdict.computed) return "no value: " + verdict.problem;
  if (verdict.agrees) return "agrees within " + tolerance_text(*verdict.quantity);
  return "differs by " + difference_text(verdict) + " (tolerance " + tolerance_text(*verdict.quantity) + ")";
}

}  // namespace

Verdict judge(const BenchmarkQuantity& quantity, const std::filesystem::path& results) {
  Verdict verdict;
  verdict.quantity = &quantity;
  try {
    const Measurement found = take(quantity.measure, results);
    const Dimension dimension = parse_unit(found.unit == "1" ? "" : found.unit).dimension;
    if (!(dimension == quantity.published.unit.dimension))
      throw NoMeasurement("the result is " + describe(dimension) + ", the published value " +
                          describe(quantity.published.unit.dimension));
    verdict.computed = found.value;
    verdict.agrees = std::abs(verdict.difference()) <= quantity.allowed_difference();
  } catch (const NoMeasurement& problem) {
    verdict.problem = problem.what();
  }
  return verdict;
}

std::string verdict_table(const std::vector<Verdict>& verdicts) {
  std::vector<std::array<std::string, 4>> rows = {{"quantity", "published", "computed", "verdict"}};
  for (const Verdict& verdict : verdicts) {
    const PrintedNumber& published = verdict.quantity->published;
    rows.push_back({verdict.quantity->quantity, quantity_text(published.number, published.unit_text),
                    verdict.computed ? in_published_unit(*verdict.quantity, *verdict.computed) : "-",
                    verdict_text(verdict)});
  }
  std::array<std::size_t, 3> width{};
  for (const auto& row : rows)
    for (std::size_t k = 0; k < width.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string table;
  for (const auto& row : rows) {
    table += "  ";
    for (std::size_t k = 0; k < width.size(); ++k) table += row[k] + std::string(width[k] - row[k].size() + 2, ' ');
    table += row.back() + "\n";
  }
  return table;
}

std::string verdicts_json(const std::vector<Verdict>& verdicts) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Verdict& verdict : verdicts) {
    const BenchmarkQuantity& quantity = *verdict.quantity;
    nlohmann::ordered_json entry;
    entry["quantity"] = quantity.quantity;
    entry["run"] = quantity.run;
    entry["unit"] = base_unit_text(quantity.published.unit.dimension);
    entry["published"] = quantity.published.si();
    entry["computed"] = verdict.computed ? nlohmann::ordered_json(*verdict.computed) : nlohmann::ordered_json();
    entry["tolerance"] = quantity.allowed_difference();
    entry["agrees"] = verdict.agrees;
    if (!verdict.problem.empty()) entry["problem"] = verdict.problem;
    if (!quantity.source.empty()) entry["source"] = quantity.source;
    list.push_back(entry);
  }
  return list.dump();
}

}  // namespace freeplay
