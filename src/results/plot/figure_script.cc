#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/base/formatted.h"
#include "freeplay/results/plot/axis_scale.h"
#include "freeplay/results/plot/figure.h"
#include "freeplay/results/plot/plain_text.h"

namespace freeplay {

namespace {

// Colours that can be told apart by everybody (Okabe and Ito 2008), the darker ones first.
constexpr std::array palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9",
                                "#e69f00", "#7f3c8d", "#8c6d31", "#5a5a5a", "#b22222"};
constexpr std::array dashes = {"solid", "(8,4)", "(2,3)", "(10,3,2,3)", "(14,4)"};
constexpr std::array symbols = {7, 9, 11, 5, 13, 2, 3};  // gnuplot's numbers of filled shapes, then crosses

// Sizes of a picture 1200 pixels wide; others are scaled.
constexpr double usual_width = 1200.0, usual_height = 720.0;
constexpr double font = 11.0;  // points of 4/3 pixels
constexpr double letter = 0.62 * font * 4.0 / 3.0;
constexpr double line_height = 22.0, left_margin = 105.0, right_margin = 30.0, bottom_margin = 58.0,
                 title_height = 34.0;
constexpr double between_panels = 16.0, legend_sample = 62.0;

/// A single-quoted text of gnuplot: nothing in it has a meaning, and quotes are doubled.
std::string quoted(const std::string& any) {
  std::string result = "'";
  for (const char c : plain_text(any)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// Where panels are, in pixels from the top left.
struct Box {
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
  double legend = 0.0;  ///< width of the names of curves
};

class Script {
 public:
  Script(const Figure& figure, PictureFormat format, PictureSize size)
      : figure_(figure),
        format_(format),
        size_(size),
        zoom_(std::min(size.width / usual_width, size.height / usual_height)),
        width_(size.width / zoom_),
        height_(size.height / zoom_) {}

  std::string operator()() {
    script_ = terminal();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      scales_.push_back(scales_of(figure_.panels[p]));
      for (std::size_t c = 0; c < figure_.panels[p].curves.size(); ++c) write_data(p, c);
    }
    script_ += "set multiplot\n";
    write_heading();
    const std::vector<Box> boxes = figure_.layout == Figure::Layout::stack ? stacked() : squares();
    for (std::size_t p = 0; p < boxes.size(); ++p) write_panel(p, boxes[p]);
    return script_ + "unset multiplot\n";
  }

 private:
  struct Scales {
    AxisScale x, y, right;
  };

  std::string terminal() const {
    const double points = font * zoom_;
    const std::string start = "set encoding utf8\n";
    switch (format_) {
      case PictureFormat::png:
        return start + formatted("set terminal pngcairo noenhanced size %d,%d font 'sans-serif,%.2f' linewidth %.2f\n",
                                 size_.width, size_.height, points, 1.3 * zoom_);
      case PictureFormat::svg:
        return start +
               formatted(
                   "set terminal svg noenhanced size %d,%d font 'sans-serif,%.2f' linewidth %.2f background 'white'\n",
                   size_.width, size_.height, points * 4.0 / 3.0, 1.3 * zoom_);
      case PictureFormat::pdf:
        break;
    }
    // 100 pixels to the inch.
    return start +
           formatted("set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'sans-serif,%.2f' linewidth %.2f\n",
                     size_.width / 100.0, size_.height / 100.0, points * 0.96, 1.3 * zoom_);
  }

  static Scales scales_of(const Panel& panel) {
    Scales scales{AxisScale(panel.x.unit), AxisScale(panel.y.unit), AxisScale(panel.right.unit)};
    for (const PlotCurve& curve : panel.curves) {
      scales.x.include(curve.x);
      AxisScale& vertical = curve.side == PlotCurve::Side::left ? scales.y : scales.right;
      vertical.include(curve.y);
      vertical.include(curve.lower);
    }
    for (const auto& [scale, axis] :
         {std::pair{&scales.x, &panel.x}, {&scales.y, &panel.y}, {&scales.right, &panel.right}})
      if (axis->range) scale->include(std::array{axis->range->first, axis->range->second});
    return scales;
  }

  static std::string data_name(std::size_t panel, std::size_t curve) { return formatted("$p%zu_%zu", panel, curve); }

  void write_data(std::size_t p, std::size_t c) {
    const PlotCurve& curve = figure_.panels[p].curves[c];
    const AxisScale& vertical = curve.side == PlotCurve::Side::left ? scales_[p].y : scales_[p].right;
    script_ += data_name(p, c) + " << EOD\n";
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      const double x = curve.x[k], y = curve.y[k], lower = curve.lower.empty() ? y : curve.lower[k];
      const bool is_number = std::isfinite(x) && std::isfinite(y) && std::isfinite(lower);
      // An empty line is a gap.
      script_ += is_number ? formatted("%.8g %.8g %.8g\n", scales_[p].x(x), vertical(y), vertical(lower)) : "\n";
    }
    script_ += "EOD\n";
  }

  double heading_height() const {
    return (figure_.title.empty() ? 0.0 : title_height) + (figure_.remark.empty() ? 0.0 : line_height);
  }

  void write_heading() {
    // An empty plot of the size of the picture carries the title.
    const double centre = 0.5, line = line_height / height_;
    double y = 1.0 - 0.5 * title_height / height_;
    if (!figure_.title.empty()) {
      script_ += "set label 1 " + quoted(figure_.title) +
                 formatted(" at screen %.4f,%.4f center font ',%.2f'\n", centre, y, 1.2 * font_size());
      y -= 1.15 * line;
    }
    if (!figure_.remark.empty())
      script_ += "set label 2 " + quoted(figure_.remark) +
                 formatted(" at screen %.4f,%.4f center textcolor rgb '#b22222'\n", centre, y);
  }

  double font_size() const {
    return font * zoom_ * (format_ == PictureFormat::svg ? 4.0 / 3.0 : format_ == PictureFormat::pdf ? 0.96 : 1.0);
  }

  int n_names(const Panel& panel) const {
    return static_cast<int>(
        std::ranges::count_if(panel.curves, [](const PlotCurve& curve) { return !curve.name.empty(); }));
  }

  /// How many names of curves fit beside each other.
  int names_per_line(const Panel& panel, double width) const {
    std::size_t longest = 0;
    for (const PlotCurve& curve : panel.curves) longest = std::max(longest, n_letters(curve.name));
    return std::clamp(static_cast<int>(width / (letter * static_cast<double>(longest) + legend_sample)), 1,
                      std::max(1, n_names(panel)));
  }

  double legend_height(const Panel& panel, double width) const {
    const int per_line = names_per_line(panel, width), n = n_names(panel);
    return line_height * ((n + per_line - 1) / per_line) + (panel.title.empty() ? 0.0 : line_height) + 6.0;
  }

  bool has_right(const Panel& panel) const {
    return std::ranges::any_of(panel.curves,
                               [](const PlotCurve& curve) { return curve.side == PlotCurve::Side::right; });
  }

  std::vector<Box> stacked() const {
    double total = 0.0, free = height_ - heading_height() - bottom_margin -
                               between_panels * static_cast<double>(figure_.panels.size());
    std::size_t longest_row = 0;
    const bool right = std::ranges::any_of(figure_.panels, [&](const Panel& panel) { return has_right(panel); });
    for (const Panel& panel : figure_.panels)
      for (const std::string& row : panel.rows) longest_row = std::max(longest_row, n_letters(row));
    Box box{std::max(left_margin, letter * static_cast<double>(longest_row) + 30.0),
            width_ - (right ? left_margin : right_margin), heading_height(), 0.0};
    box.legend = box.right - box.left;
    for (const Panel& panel : figure_.panels) {
      total += panel.fixed_height > 0.0 ? 0.0 : panel.height;
      free -= panel.fixed_height + legend_height(panel, box.legend);
    }
    std::vector<Box> boxes;
    for (const Panel& panel : figure_.panels) {
      box.top += legend_height(panel, box.legend);
      box.bottom =
          box.top + (panel.fixed_height > 0.0 ? panel.fixed_height : std::max(20.0, free) * panel.height / total);
      boxes.push_back(box);
      box.top = box.bottom + between_panels;
    }
    return boxes;
  }

  /// A grid with the largest squares that fit.
  std::vector<Box> squares() const {
    const int n = static_cast<int>(figure_.panels.size());
    double best = 0.0;
    int n_columns = 1;
    const auto side_with = [&](int columns) {
      const int rows = (n + columns - 1) / columns;
      const double wide = width_ / columns - left_margin - right_margin;
      const double high = (height_ - heading_height()) / rows - bottom_margin;
      // The smaller the square, the more lines its legend has.
      double side = wide;
      for (int k = 0; k < 3; ++k) side = std::max(20.0, std::min(wide, high - largest_legend(side)));
      return side;
    };
    for (int columns = 1; columns <= n; ++columns)
      if (side_with(columns) > best) best = side_with(columns), n_columns = columns;
    const int n_rows = (n + n_columns - 1) / n_columns;
    std::vector<Box> boxes;
    for (int p = 0; p < n; ++p) {
      const double cell_width = width_ / n_columns, cell_height = (height_ - heading_height()) / n_rows;
      const double left =
          cell_width * (p % n_columns) + 0.5 * (cell_width - best - left_margin - right_margin) + left_margin;
      const double bottom = heading_height() + cell_height * (p / n_columns + 1) - bottom_margin;
      boxes.push_back({left, left + best, bottom - best, bottom, best});
    }
    return boxes;
  }

  double largest_legend(double width) const {
    double height = 0.0;
    for (const Panel& panel : figure_.panels) height = std::max(height, legend_height(panel, width));
    return height;
  }

  void write_panel(std::size_t p, const Box& box) {
    const Panel& panel = figure_.panels[p];
    script_ += formatted(
        "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\nset bmargin at screen "
        "%.5f\n",
        box.left / width_, box.right / width_, 1.0 - box.top / height_, 1.0 - box.bottom / height_);
    const bool shows_x = figure_.layout == Figure::Layout::squares || p + 1 == figure_.panels.size();
    script_ += formatted(
        "set border 11 lw 0.7 lc rgb '#404040'\nset grid lt 1 dt solid lw 0.6 lc rgb '#dedede'\nset tics nomirror\n");
    write_axis("x", panel.x, scales_[p].x, shows_x);
    write_axis("y", panel.y, scales_[p].y, panel.rows.empty());
    script_ += "set xlabel " + (shows_x ? quoted(scales_[p].x.label(panel.x.quantity)) : "''") + "\n";
    write_label(4, scales_[p].y.label(panel.y.quantity), box.left - left_margin + 18.0, "graph 0.5", true);
    if (has_right(panel)) {
      write_axis("y2", panel.right, scales_[p].right, true);
      write_label(5, scales_[p].right.label(panel.right.quantity), width_ - 16.0, "graph 0.5", true);
    } else {
      script_ += "unset y2tics\nunset label 5\nset border 3\n";
    }
    write_rows(panel);
    write_legend(panel, box);
    script_ += panel.title.empty()
                   ? "unset label 3\n"
                   : "set label 3 " + quoted(panel.title) +
                         formatted(" at graph 0.5, graph 1 center offset 0,%.2f\n", panel_title_offset(panel, box));
    write_curves(p);
    if (p == 0) script_ += "unset label 1\nunset label 2\n";
  }

  double panel_title_offset(const Panel& panel, const Box& box) const {
    return legend_height(panel, box.legend) / line_height - 0.75;
  }

  void write_axis(const std::string& name, const Axis& axis, const AxisScale& scale, bool shown) {
    script_ += "set " + name + "tics autofreq\n";
    script_ += "set format " + name + (shown ? formatted(" '%%.%dg'\n", scale.digits()) : " ''\n");
    const std::pair<double, double> range = axis.range.value_or(scale.range(name != "x"));
    script_ +=
        formatted(("set " + name + "range [%.10g:%.10g] noextend\n").c_str(), scale(range.first), scale(range.second));
  }

  /// At the edge of the picture, however long the numbers between it and the axis are.
  void write_label(int number, const std::string& label, double x, const char* y, bool rotated) {
    script_ += formatted("set label %d ", number) + quoted(label) +
               formatted(" at screen %.5f, %s center", x / width_, y) + (rotated ? " rotate by 90\n" : "\n");
  }

  void write_rows(const Panel& panel) {
    if (panel.rows.empty()) return;
    script_ += "set format y '%g'\nset ytics (";
    for (std::size_t k = 0; k < panel.rows.size(); ++k)
      script_ += (k > 0 ? ", " : "") + quoted(panel.rows[k]) + formatted(" %zu", k);
    script_ += formatted(")\nset yrange [%zu.5:-0.5]\n", panel.rows.size() - 1);
  }

  void write_legend(const Panel& panel, const Box& box) {
    if (n_names(panel) == 0) {
      script_ += "unset key\n";
      return;
    }
    script_ += formatted(
        "set key at graph 0.5, graph 1 center bottom horizontal Left reverse maxcols %d width 1 samplen 2.5 spacing "
        "1.1 nobox\n",
        names_per_line(panel, box.legend));
  }

  static std::string colour_of(const PlotCurve& curve) {
    return curve.colour < 0 ? "#202020" : palette[curve.colour % palette.size()];
  }

  std::string style_of(const PlotCurve& curve) const {
    const std::string colour = " lc rgb '" + colour_of(curve) + "'";
    switch (curve.kind) {
      case PlotCurve::Kind::band:
        return "using 1:3:2 with filledcurves fs solid 0.75 noborder" + colour;
      case PlotCurve::Kind::marks:
        return "using 1:2 with points" +
               formatted(" pt %d ps %.2f", symbols[curve.symbol % symbols.size()], 0.9 * zoom_) + colour;
      case PlotCurve::Kind::line:
        break;
    }
    const char* dash = dashes[curve.dash % dashes.size()];
    return "using 1:2 with lines" + std::string(" dt ") + dash + formatted(" lw %.1f", curve.thin ? 0.8 : 1.3) + colour;
  }

  void write_curves(std::size_t p) {
    const std::vector<PlotCurve>& curves = figure_.panels[p].curves;
    script_ += "plot ";
    for (std::size_t c = 0; c < curves.size(); ++c) {
      const std::string name = curves[c].name.empty() ? " notitle" : " title " + quoted(curves[c].name);
      script_ += (c > 0 ? ", \\\n  " : "") + data_name(p, c) + " " + style_of(curves[c]) +
                 (curves[c].side == PlotCurve::Side::right ? " axes x1y2" : "") + name;
    }
    script_ += "\n";
  }

  const Figure& figure_;
  PictureFormat format_;
  PictureSize size_;
  double zoom_, width_, height_;  ///< pixels per unit of the sizes above, and the size of the picture in them
  std::vector<Scales> scales_;
  std::string script_;
};

}  // namespace

std::string figure_script(const Figure& figure, PictureFormat format, PictureSize size) {
  return Script(figure, format, size)();
}

}  // namespace freeplay
