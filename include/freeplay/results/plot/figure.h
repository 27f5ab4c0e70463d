#pragma once

// What a picture shows, without how it is drawn: src/results/plot/figure_script.cc turns it into a script for gnuplot.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace freeplay {

struct Axis {
  std::string quantity;  ///< `piston.position.x`; may be empty
  std::string unit;      ///< `m/s^2`; numbers are in this unit
  std::optional<std::pair<double, double>> range;
};

struct PlotCurve {
  enum class Kind {
    line,
    marks,  ///< a symbol at each point, none between
    band,   ///< filled between `y` and `lower`
  };
  enum class Side { left, right };
  std::string name;  ///< in the legend; empty: not there
  std::vector<double> x, y;
  std::vector<double> lower;
  Kind kind = Kind::line;
  Side side = Side::left;
  int colour = 0;     ///< number in the palette; negative: black
  int dash = 0;       ///< 0: solid
  int symbol = 0;     ///< of marks
  bool thin = false;  ///< a line that is there for comparison
};

/// A plot with its axes. Panels of a figure are drawn below each other, with one x axis for all, or in a grid.
struct Panel {
  std::string title;
  Axis x, y, right;
  std::vector<PlotCurve> curves;
  std::vector<std::string> rows;  ///< names of y = 0, 1, ...: then the axis has no numbers
  double height = 1.0;            ///< relative to other panels
  double fixed_height = 0.0;      ///< in pixels of a picture of the usual size, instead; 0: none
};

struct Figure {
  enum class Layout {
    stack,
    squares,  ///< x and y to the same scale
  };
  std::string title, remark;
  std::vector<Panel> panels;
  Layout layout = Layout::stack;
};

struct PictureSize {
  int width = 1200, height = 720;  ///< pixels
};

enum class PictureFormat { png, svg, pdf };

/// Commands for gnuplot that write the picture to its standard output. Names in the figure may be any text.
std::string figure_script(const Figure& figure, PictureFormat format, PictureSize size);

}  // namespace freeplay
