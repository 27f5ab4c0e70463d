#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "series.h"

namespace freeplay {

namespace {

const std::string across = ".eccentricity.x", upwards = ".eccentricity.y";

/// Contacts of the history: joints, or `NAME.1` of joints with several contacts.
std::vector<std::string> contacts_in(const PlottedRun& run) {
  std::vector<std::string> contacts;
  for (const CsvTable::Column& column : run.history().columns())
    if (column.name.ends_with(across) &&
        find_column(run, column.name.substr(0, column.name.size() - across.size()) + upwards))
      contacts.push_back(column.name.substr(0, column.name.size() - across.size()));
  return contacts;
}

/// `bearing` of `bearing.1`.
std::string joint_of(const std::string& contact) {
  const std::size_t dot = contact.rfind('.');
  const bool is_number =
      dot != std::string::npos && contact.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  return is_number ? contact.substr(0, dot) : contact;
}

std::vector<std::string> contacts_of(const PlottedRun& run, const std::string& joint) {
  const std::vector<std::string> all = contacts_in(run);
  std::vector<std::string> found;
  for (const std::string& contact : all)
    if (contact == joint || joint_of(contact) == joint) found.push_back(contact);
  if (!found.empty()) return found;
  if (all.empty())
    throw InputError("error: " + run.history().file().string() +
                     " has no orbits: no joint with clearance, or output.columns leaves its eccentricity out");
  throw InputError("error: --orbit: " + run.history().file().string() + " has no joint with clearance '" + joint + "'" +
                   did_you_mean(joint, all) + " (there are: " + joined(all) + ")");
}

PlotCurve circle(double radius) {
  PlotCurve curve;
  curve.name = "clearance " + rounded_text(1e3 * radius) + " mm";
  curve.colour = -1;
  curve.dash = 1;
  constexpr int n = 180;
  for (int k = 0; k <= n; ++k) {
    curve.x.push_back(radius * std::cos(2.0 * std::numbers::pi * k / n));
    curve.y.push_back(radius * std::sin(2.0 * std::numbers::pi * k / n));
  }
  return curve;
}

PlotCurve mark(const std::string& name, double x, double y, int symbol) {
  PlotCurve curve;
  curve.name = name;
  curve.kind = PlotCurve::Kind::marks;
  curve.colour = -1;
  curve.symbol = symbol;
  curve.x = {x};
  curve.y = {y};
  return curve;
}

void add_orbit(const PlotRequest& request, const PlottedRun& run, const std::string& contact, const std::string& name,
               Panel& panel) {
  const Series orbit =
      read_series(request, run, {*find_column(run, contact + across), *find_column(run, contact + upwards)});
  const std::vector<std::size_t> rows = distant_rows(orbit[0], orbit[1], request.resolution);
  PlotCurve curve;
  curve.name = name;
  curve.x = values_at(orbit[0], rows);
  curve.y = values_at(orbit[1], rows);
  curve.colour =
      static_cast<int>(std::ranges::count_if(panel.curves, [](const PlotCurve& each) { return each.colour >= 0; }));
  panel.curves.push_back(std::move(curve));
  if (request.runs.size() > 1) return;
  panel.curves.push_back(mark("start", orbit[0].front(), orbit[1].front(), 0));
  panel.curves.push_back(mark("end", orbit[0].back(), orbit[1].back(), 3));
}

/// The same for both axes, with the origin in the middle.
void set_range(Panel& panel) {
  double largest = 0.0;
  for (const PlotCurve& curve : panel.curves)
    for (const std::vector<double>* values : {&curve.x, &curve.y})
      for (const double value : *values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  if (largest == 0.0) return;
  panel.x.range = panel.y.range = std::pair{-1.08 * largest, 1.08 * largest};
}

}  // namespace

Figure orbit_figure(const PlotRequest& request, const std::vector<std::string>& joints) {
  const std::vector<std::string> names = names_of(request.runs);
  std::vector<std::string> contacts;
  for (const std::string& joint : joints)
    for (const std::string& contact : contacts_of(request.runs[0], joint))
      if (std::ranges::find(contacts, contact) == contacts.end()) contacts.push_back(contact);
  Figure figure = titled_figure(request);
  figure.layout = Figure::Layout::squares;
  for (const std::string& contact : contacts) {
    Panel panel;
    panel.title = contacts.size() > 1 ? contact : "";
    panel.x = {contact + across, "m", {}};
    panel.y = {contact + upwards, "m", {}};
    std::vector<double> clearances;
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
      const PlottedRun& run = request.runs[r];
      contacts_of(run, contact);  // says what this run has, if not that
      add_orbit(request, run, contact, names.size() > 1 ? names[r] : "", panel);
      const std::optional<double> clearance = run.clearance_of(joint_of(contact));
      if (clearance && std::ranges::find(clearances, *clearance) == clearances.end()) clearances.push_back(*clearance);
    }
    for (const double clearance : clearances) panel.curves.push_back(circle(clearance));
    set_range(panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace freeplay
