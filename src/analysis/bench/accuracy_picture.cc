#include <algorithm>
#include <cmath>

#include "freeplay/analysis/bench/accuracy.h"
#include "freeplay/base/formatted.h"

namespace freeplay {

namespace {

constexpr int left = 70, top = 50, plot_width = 460, plot_height = 500, legend_width = 240, row_height = 18;
constexpr double least_error = 1e-10, largest_error = 1.0;
constexpr const char* colours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                   "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
constexpr std::size_t n_colours = std::size(colours);

/// From tolerances and errors to places on the page; the tolerance becomes smaller to the right.
struct Page {
  double largest, smallest;
  double x(double tolerance) const {
    return left + plot_width * std::log(largest / tolerance) / std::log(largest / smallest);
  }
  double y(double error) const {
    const double clipped = std::clamp(error, least_error, largest_error);
    return top + plot_height * std::log(largest_error / clipped) / std::log(largest_error / least_error);
  }
};

Page page_of(const std::vector<ProblemAccuracy>& problems) {
  Page page{0.0, 1.0};
  for (const ProblemAccuracy& problem : problems)
    for (const AccuracyRun& run : problem.runs) {
      page.largest = std::max(page.largest, run.tolerance);
      page.smallest = std::min(page.smallest, run.tolerance);
    }
  return page;
}

std::string draw_grid(const Page& page, const std::vector<AccuracyRun>& runs) {
  std::string svg;
  const int bottom = top + plot_height, right = left + plot_width;
  for (double error = largest_error; error > 0.5 * least_error; error *= 0.1)
    svg += formatted(
        "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#dddddd'/><text x='%d' y='%.1f' "
        "text-anchor='end'>%.0e</text>\n",
        left, page.y(error), right, page.y(error), left - 6, page.y(error) + 4, error);
  for (const AccuracyRun& run : runs)
    svg += formatted(
        "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#dddddd'/><text x='%.1f' y='%d' "
        "text-anchor='middle'>%.0e</text>\n",
        page.x(run.tolerance), top, page.x(run.tolerance), bottom, page.x(run.tolerance), bottom + 18, run.tolerance);
  for (const double times : {1.0, 10.0})
    svg += formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='black' stroke-width='%.1f'/>\n",
                     page.x(page.largest), page.y(times * page.largest), page.x(page.smallest),
                     page.y(times * page.smallest), times == 1.0 ? 1.0 : 2.0);
  return svg +
         formatted("<text x='%d' y='%d' text-anchor='middle'>tolerance</text>\n", left + plot_width / 2, bottom + 38);
}

std::string draw_problem(const Page& page, const ProblemAccuracy& problem, std::size_t number) {
  const char* colour = colours[number % n_colours];
  const char* dashes = number / n_colours % 3 == 0 ? "none" : number / n_colours % 3 == 1 ? "6 3" : "2 3";
  std::string points;
  for (const AccuracyRun& run : problem.runs)
    if (run.error) points += formatted("%.1f,%.1f ", page.x(run.tolerance), page.y(*run.error));
  const int x = left + plot_width + 20, y = top + row_height * static_cast<int>(number);
  const char* style = "fill='none' stroke-width='1.5'";
  return formatted("<polyline %s stroke='%s' stroke-dasharray='%s' points='", style, colour, dashes) + points +
         "'/>\n" +
         formatted("<line %s stroke='%s' stroke-dasharray='%s' x1='%d' y1='%d' x2='%d' y2='%d'/>", style, colour,
                   dashes, x, y, x + 30, y) +
         formatted("<text x='%d' y='%d'>%.60s</text>\n", x + 36, y + 4, problem.problem->name.c_str());
}

}  // namespace

std::string accuracy_picture(const std::string& title, const std::vector<ProblemAccuracy>& problems) {
  if (problems.empty()) return "";
  const Page page = page_of(problems);
  std::string svg = formatted(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n"
      "<rect width='100%%' height='100%%' fill='white'/>\n",
      left + plot_width + legend_width, top + plot_height + 60);
  svg += formatted("<text x='%d' y='20' font-size='14'>%.80s</text>\n", left, title.c_str());
  svg +=
      formatted("<text x='%d' y='38'>error / size of the motion; black: the tolerance and ten times it</text>\n", left);
  svg += draw_grid(page, problems.front().runs);
  for (std::size_t k = 0; k < problems.size(); ++k) svg += draw_problem(page, problems[k], k);
  return svg + "</svg>\n";
}

}  // namespace freeplay
