#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace freeplay {

/// The whole lines of a text, one after the other, without their ends. A last line without an end was cut.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;
};

/// How many whole lines there are.
std::size_t n_lines(std::string_view text);

/// Writes the numbers of a line to `values`; what is missing, is no number or is not finite becomes NaN.
void read_numbers(std::string_view line, std::vector<double>& values);

/// NaN if it is none.
double number_in(std::string_view cell);

}  // namespace freeplay
