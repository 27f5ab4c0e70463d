#include "freeplay/output/csv.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "freeplay/base/output_file.h"
#include "freeplay/output/continued_file.h"

namespace freeplay {

namespace {

constexpr int significant_digits = 12;

std::optional<double> first_number(std::string_view line) {
  double value = 0.0;
  const char* end = line.data() + line.size();
  const auto result = std::from_chars(line.data(), end, value);
  if (result.ec != std::errc() || (result.ptr != end && *result.ptr != ',')) return std::nullopt;
  return value;
}

// The largest time in the file that still counts as `time`.
double last_kept_time(double time) {
  char text[max_number_length];
  const double rounded = *first_number({text, static_cast<std::size_t>(write_number(text, time) - text)});
  return rounded + 1e-12 * std::abs(rounded);
}

// Read line by line and not as a whole: the history of a long run can be larger than the memory.
std::ifstream opened(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse_to_continue(path, "cannot be read: " + std::generic_category().message(errno));
  return in;
}

// Whether `line` is as many numbers as there are values.
bool read_numbers(std::string_view line, std::span<double> values) {
  const char* next = line.data();
  const char* end = next + line.size();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && (next == end || *next++ != ',')) return false;
    const auto result = std::from_chars(next, end, values[k]);
    if (result.ec != std::errc()) return false;
    next = result.ptr;
  }
  return next == end;
}

}  // namespace

char* write_number(char* begin, double value) {
  return std::to_chars(begin, begin + max_number_length, value, std::chars_format::general, significant_digits).ptr;
}

void truncate_csv_after(const std::filesystem::path& path, std::string_view header, double time) {
  std::ifstream in = opened(path);
  std::string line;
  if (!std::getline(in, line) || in.eof() || line != header)
    refuse_to_continue(path, "has other columns than this model writes");

  const double last = last_kept_time(time);
  std::uint64_t size = line.size() + 1;
  for (int number = 2; std::getline(in, line) && !in.eof(); ++number) {
    const std::optional<double> row_time = first_number(line);
    if (!row_time)
      refuse_to_continue(path, "is damaged: line " + std::to_string(number) + " does not begin with a time");
    if (*row_time > last) break;
    size += line.size() + 1;
  }
  OutputFile(path, OutputFile::Mode::modify).truncate(size);
}

void for_each_csv_row(const std::filesystem::path& path, std::size_t n_columns,
                      const std::function<void(std::span<const double>)>& use) {
  std::ifstream in = opened(path);
  std::string line;
  std::getline(in, line);
  std::vector<double> values(n_columns);
  for (int number = 2; std::getline(in, line); ++number) {
    if (!read_numbers(line, values))
      refuse_to_continue(path, "is damaged: line " + std::to_string(number) + " is not a row of numbers");
    use(values);
  }
}

}  // namespace freeplay
