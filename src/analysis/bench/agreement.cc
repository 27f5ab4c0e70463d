#include "freeplay/analysis/bench/agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/analysis/bench/history.h"

namespace freeplay {

namespace {

constexpr double parting = 0.01;  // of the largest value

/// Beside others of the same unit this is zero with round-off: a point that a hinge holds.
constexpr double nothing = 1e-9;

/// What a user looks at. Axes follow from positions of points; the ledger closes whatever the step is; largest values
/// since the last row depend on the step by what they are; states have no size.
bool is_of_interest(const std::string& name) {
  static const std::array kinds = {".position", ".velocity",     ".angular_velocity", ".force",
                                   ".moment",   ".angle",        ".displacement",     ".length",
                                   ".torque",   ".normal_force", ".friction_force"};
  return std::any_of(kinds.begin(), kinds.end(), [&](const char* kind) { return name.ends_with(kind); });
}

/// `piston.position` of `piston.position.x`.
std::string without_component(const std::string& name) {
  const std::size_t n = name.size();
  const bool is_component = n > 2 && name[n - 2] == '.' && name[n - 1] >= 'x' && name[n - 1] <= 'z';
  return is_component ? name.substr(0, n - 2) : name;
}

struct Group {
  std::string name, unit;
  std::vector<std::array<std::size_t, 2>> columns;  ///< in both files
};

std::vector<Group> groups_of(const HistoryFile& coarse, const HistoryFile& fine) {
  std::map<std::string, std::size_t> in_fine;
  for (std::size_t i = 0; i < fine.names().size(); ++i) in_fine[fine.names()[i]] = i;
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < coarse.names().size(); ++i) {
    const std::string name = without_component(coarse.names()[i]);
    const auto other = in_fine.find(coarse.names()[i]);
    if (!is_of_interest(name) || other == in_fine.end()) continue;
    const auto [place, is_new] = known.emplace(name, groups.size());
    if (is_new) groups.push_back({name, coarse.units()[i], {}});
    groups[place->second].columns.push_back({i, other->second});
  }
  return groups;
}

struct Differences {
  std::vector<double> time;
  std::vector<std::vector<double>> of_group;  ///< per group and row
  std::vector<double> largest;                ///< value of each group; 0: nothing but round-off
};

Differences differences_of(HistoryFile& coarse, HistoryFile& fine, const std::vector<Group>& groups) {
  Differences result;
  result.of_group.resize(groups.size());
  result.largest.assign(groups.size(), 0.0);
  bool goes_on = coarse.next() && fine.next();
  while (goes_on) {
    const double same = 1e-9 * std::max(std::abs(coarse.time()), 1e-300);
    if (std::abs(coarse.time() - fine.time()) > same) {
      // A run that failed has a last row of its own.
      goes_on = coarse.time() < fine.time() ? coarse.next() : fine.next();
      continue;
    }
    result.time.push_back(coarse.time());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      double difference = 0.0, value = 0.0;
      for (const auto& [a, b] : groups[g].columns) {
        difference += std::pow(coarse.number(a) - fine.number(b), 2);
        value += std::pow(fine.number(b), 2);
      }
      result.of_group[g].push_back(std::sqrt(difference));
      result.largest[g] = std::max(result.largest[g], std::sqrt(value));
    }
    goes_on = coarse.next() && fine.next();
  }
  std::map<std::string, double> of_unit;
  for (std::size_t g = 0; g < groups.size(); ++g)
    of_unit[groups[g].unit] = std::max(of_unit[groups[g].unit], result.largest[g]);
  // In a mechanism all of whose moments vanish there is none to compare with; forces have moments about other places.
  of_unit["N*m"] = std::max(of_unit["N*m"], of_unit["N"] * of_unit["m"]);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (result.largest[g] < nothing * of_unit[groups[g].unit]) result.largest[g] = 0.0;
  return result;
}

struct Line {
  double slope = 0.0, scatter = 0.0;
};

/// Least squares; scatter: root mean square of what is left.
Line fit(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sx += x[k];
    sy += y[k];
    sxx += x[k] * x[k];
    sxy += x[k] * y[k];
  }
  Line line;
  line.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  const double start = (sy - line.slope * sx) / n;
  for (std::size_t k = 0; k < x.size(); ++k) line.scatter += std::pow(y[k] - start - line.slope * x[k], 2) / n;
  line.scatter = std::sqrt(line.scatter);
  return line;
}

/// Whether the largest difference of positions, relative to them, grows exponentially: over at least three decades, to
/// a tenth of the motion, and better described by an exponential than by a power of time, as errors of a step are.
std::optional<Divergence> divergence_of(const std::vector<Group>& groups, const Differences& differences) {
  std::vector<double> time, log_time, log_difference;
  double largest = 0.0;
  std::optional<double> until;
  for (std::size_t row = 0; row < differences.time.size(); ++row) {
    double worst = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (groups[g].name.ends_with(".position") && differences.largest[g] > 0.0)
        worst = std::max(worst, differences.of_group[g][row] / differences.largest[g]);
    largest = std::max(largest, worst);
    if (worst > parting && !until) until = differences.time[row];
    // What is saturated grows no more.
    if (worst <= 0.0 || differences.time[row] <= 0.0 || largest > 10.0 * parting) continue;
    time.push_back(differences.time[row]);
    log_time.push_back(std::log(differences.time[row]));
    log_difference.push_back(std::log(worst));
  }
  constexpr std::size_t enough = 20;
  if (!until || largest < 10.0 * parting || time.size() < enough) return {};
  const Line exponential = fit(time, log_difference), power = fit(log_time, log_difference);
  const double decades = exponential.slope * (time.back() - time.front()) / std::log(10.0);
  if (decades < 3.0 || exponential.scatter > power.scatter) return {};
  return Divergence{exponential.slope, *until};
}

}  // namespace

Agreement compare_histories(const std::filesystem::path& coarse, const std::filesystem::path& fine) {
  HistoryFile a(coarse), b(fine);
  const std::vector<Group> groups = groups_of(a, b);
  const Differences differences = differences_of(a, b, groups);
  if (differences.time.empty()) throw NoMeasurement("the runs have no row at the same time");
  Agreement agreement;
  agreement.end = differences.time.back();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    AgreementOfColumn column{groups[g].name, groups[g].unit, differences.largest[g], 0.0, {}};
    for (std::size_t row = 0; row < differences.time.size(); ++row) {
      const double difference = differences.of_group[g][row];
      column.difference = std::max(column.difference, difference);
      if (!column.parts && difference > parting * column.largest) column.parts = differences.time[row];
    }
    if (column.largest > 0.0) agreement.columns.push_back(column);
  }
  std::stable_sort(agreement.columns.begin(), agreement.columns.end(),
                   [](const auto& x, const auto& y) { return x.relative() > y.relative(); });
  agreement.divergence = divergence_of(groups, differences);
  return agreement;
}

}  // namespace freeplay
