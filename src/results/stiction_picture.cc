#include <algorithm>
#include <cmath>

#include "freeplay/base/formatted.h"
#include "freeplay/base/units.h"
#include "freeplay/results/stiction_output.h"

namespace freeplay {

namespace {

constexpr int label_width = 190, plot_width = 520, row_height = 26, top = 56, margin = 20;

struct Row {
  std::string label;
  const ForceRange* range;
  const ForceRange* flexible;
  bool is_normal;
};

std::vector<Row> rows_of(const StictionReport& report) {
  std::vector<Row> rows;
  for (std::size_t j = 0; j < report.certificate.joints.size(); ++j) {
    const JointCertificate& joint = report.certificate.joints[j];
    const JointCertificate* flexible = report.flexible ? &report.flexible->joints[j] : nullptr;
    for (std::size_t d = 0; d < joint.friction.size(); ++d) {
      const std::string number = joint.friction.size() > 1 ? " " + std::to_string(d + 1) : "";
      rows.push_back(
          {joint.name + " friction" + number, &joint.friction[d], flexible ? &flexible->friction[d] : nullptr, false});
    }
    rows.push_back({joint.name + " normal", &joint.normal, flexible ? &flexible->normal : nullptr, true});
  }
  return rows;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// From forces to places on the page.
struct Scale {
  double low = 0.0, high = 0.0;
  bool has_values = false;  ///< else there is nothing to read off
  explicit Scale(const std::vector<Row>& rows) {
    for (const Row& row : rows)
      for (const ForceRange* range : {row.range, row.flexible})
        if (range != nullptr)
          for (const double value : {range->low, range->high})
            if (std::isfinite(value)) {
              has_values = true;
              low = std::min(low, value);
              high = std::max(high, value);
            }
    constexpr double nothing = 1e-9;  // forces that are round-off
    const double room = high - low > nothing ? 0.05 * (high - low) : 1.0;
    low -= room;
    high += room;
  }
  double operator()(double value) const {
    return label_width + plot_width * (std::clamp(value, low, high) - low) / (high - low);
  }
  double step() const {
    const double rough = (high - low) / 6.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= rough) return factor * power;
    return 10.0 * power;
  }
};

std::string draw_axis(const Scale& scale, int bottom) {
  std::string text;
  const double step = scale.step();
  for (double value = std::ceil(scale.low / step) * step; value <= scale.high; value += step) {
    const double shown = std::abs(value) < 1e-9 * step ? 0.0 : value;
    text += formatted("<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s'/>\n", scale(value), top, scale(value),
                      bottom, shown == 0.0 ? "#888" : "#ddd");
    text += formatted("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n", scale(value), bottom + 16,
                      rounded_text(shown).c_str());
  }
  return text +
         formatted("<text x='%d' y='%d' text-anchor='end'>N</text>\n", label_width + plot_width + 14, bottom + 16);
}

/// A bar for each part, with arrows at ends that have no limit.
std::string draw_bars(const ForceRange& range, const Scale& scale, int y, const char* colour) {
  std::string text;
  if (range.has_gaps())
    text += formatted("<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s' stroke-dasharray='2 3'/>\n",
                      scale(range.low), y, scale(range.high), y, colour);
  for (const Interval& part : range.parts)
    text += formatted("<rect x='%.1f' y='%d' width='%.1f' height='12' fill='%s'/>\n", scale(part.low), y - 6,
                      std::max(1.0, scale(part.high) - scale(part.low)), colour);
  for (const double end : {range.low, range.high})
    if (std::isinf(end))
      text += formatted("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n", scale(end), y + 5,
                        end > 0.0 ? "&#9654;" : "&#9664;");
  return text;
}

std::string draw_row(const Row& row, const Scale& scale, int y) {
  const char* colour = row.is_normal ? "#7a9e7e" : "#4a6fa5";
  std::string text = formatted("<text x='%d' y='%d' text-anchor='end'>%.60s</text>\n", label_width - 10, y + 4,
                               escaped(row.label).c_str());
  const ForceRange& range = *row.range;
  if (range.is_unique)
    text += formatted("<circle cx='%.1f' cy='%d' r='5' fill='%s'/>\n", scale(range.low), y, colour);
  else if (range.is_possible())
    text += draw_bars(range, scale, y, colour);
  else
    text += formatted("<text x='%d' y='%d' fill='#888'>no value is possible</text>\n", label_width + 10, y + 4);
  if (row.flexible && row.flexible->is_unique)
    text += formatted("<circle cx='%.1f' cy='%d' r='4' fill='#d1495b' stroke='white'/>\n", scale(row.flexible->low), y);
  return text;
}

std::string subtitle(const StictionReport& report, const std::vector<Row>& rows) {
  const auto any = [&](const auto& property) {
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return property(*row.range); });
  };
  const bool has_dots = any([](const ForceRange& range) { return range.is_unique; });
  std::string text;
  if (report.certificate.rest_is_possible == Verdict3::no)
    text = std::string("rest is not possible") + (has_dots ? "; dots: what it would need" : "");
  else
    text = std::string("forces that are possible at rest") + (has_dots ? "; dots: unique" : "");
  if (any([](const ForceRange& range) { return range.has_gaps(); })) text += "; dotted: not possible";
  if (any([](const ForceRange& range) { return range.is_possible() && range.high - range.low == INFINITY; }))
    text += "; arrows: no limit";
  return text + (report.flexible ? "; red: with flexible beams" : "");
}

}  // namespace

std::string stiction_picture(const EngineJob& job, const StictionReport& report) {
  const std::vector<Row> rows = rows_of(report);
  const Scale scale(rows);
  const int bottom = top + row_height * static_cast<int>(std::max<std::size_t>(rows.size(), 1));
  const int width = label_width + plot_width + 2 * margin, height = bottom + (scale.has_values ? 50 : 20);
  std::string text = formatted(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif' "
      "font-size='12'>\n<rect width='%d' height='%d' fill='white'/>\n",
      width, height, width, height, width, height);
  text += formatted("<text x='%d' y='22' font-size='14'>%.100s</text>\n", margin,
                    escaped(job.model.title.empty() ? job.model.file : job.model.title).c_str());
  text += formatted("<text x='%d' y='42'>%s</text>\n", margin, subtitle(report, rows).c_str());
  if (scale.has_values) text += draw_axis(scale, bottom);
  for (std::size_t k = 0; k < rows.size(); ++k)
    text += draw_row(rows[k], scale, top + row_height * static_cast<int>(k) + row_height / 2);
  return text + "</svg>\n";
}

}  // namespace freeplay
