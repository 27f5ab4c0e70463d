#include "freeplay/results/csv.h"

#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>
#include <vector>

#include "freeplay/base/output_file.h"
#include "freeplay/results/continued_file.h"

namespace freeplay {

namespace {

constexpr int significant_digits = 12;

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

void shorten_csv(const std::filesystem::path& path, std::string_view header, std::uint64_t size) {
  std::ifstream in = opened(path);
  std::string line;
  if (!std::getline(in, line) || in.eof() || line != header)
    refuse_to_continue(path, "has other columns than this model writes");
  const std::uint64_t now = std::filesystem::file_size(path);
  if (now < size)
    refuse_to_continue(path, "is damaged: it has " + std::to_string(now) + " bytes, but the checkpoint tells of " +
                                 std::to_string(size));
  in.seekg(static_cast<std::streamoff>(size) - 1);
  if (size <= header.size() || in.get() != '\n')
    refuse_to_continue(path, "is damaged: it was changed after the run had written its checkpoint");
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
