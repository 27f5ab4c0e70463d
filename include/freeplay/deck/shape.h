#pragma once

// What may stand at a place of an input file, as data: the JSON Schema and the reference are written from it.

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace freeplay {

/// Allowed values of a number, in SI units.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;  ///< the limits themselves are not allowed

  bool contains(double value) const { return open ? value > low && value < high : value >= low && value <= high; }
  /// `> 0`, `>= 0`, `between 0 and 1`; empty if everything is allowed.
  std::string text() const;
};

inline Range above(double low) { return {.low = low, .open = true}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }

struct TableShape;

struct Shape {
  enum class Kind { number, integer, text, boolean, choice, list, map, table, any_of };

  Kind kind = Kind::text;
  std::string phrase{};                ///< for the reference, instead of what follows from the rest
  std::string unit{};                  ///< number
  Range range{};                       ///< number, integer
  bool of_time = false;                ///< number: may be an expression in t
  std::vector<std::string> choices{};  ///< choice
  std::vector<Shape> parts{};          ///< list and map: of each element; any_of: the possibilities
  int min_items = 0;                   ///< list
  int max_items = 0;                   ///< list; 0: any number
  std::shared_ptr<const TableShape> table{};
};

struct KeyShape {
  std::string name;
  std::string description;
  bool required = false;
  std::string default_text;  ///< empty: nothing
  Shape shape;
};

struct TableShape {
  std::string title;
  std::string description;
  bool exactly_one = false;  ///< the keys are alternatives, as in `{revolute: {...}}`
  std::vector<KeyShape> keys;
};

/// JSON Schema, draft 2020-12, indented.
std::string json_schema(const TableShape& root);

/// Markdown: one section per table.
std::string markdown_reference(const TableShape& root);

}  // namespace freeplay
