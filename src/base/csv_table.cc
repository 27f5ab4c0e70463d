#include "freeplay/base/csv_table.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "freeplay/base/csv_cell.h"

namespace freeplay {

namespace {

std::ifstream opened(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  // A directory can be opened, but not read.
  if (stream && stream.peek() == std::ifstream::traits_type::eof() && stream.bad()) errno = EISDIR;
  if (!stream || stream.bad())
    throw std::runtime_error(file.string() + " cannot be read: " + std::generic_category().message(errno));
  stream.clear();
  return stream;
}

/// Whole lines, without their ends, from blocks of the file: the fastest way that does not mind whether somebody
/// shortens the file meanwhile.
void for_each_line(std::ifstream& stream, const std::function<void(std::string_view)>& use) {
  constexpr std::size_t block = 1 << 20;
  std::vector<char> buffer(block);
  std::size_t n_kept = 0;  // of a line whose end is not yet there
  while (stream) {
    if (buffer.size() < n_kept + block) buffer.resize(2 * buffer.size());
    stream.read(buffer.data() + n_kept, block);
    const char* begin = buffer.data();
    const char* const end = begin + n_kept + stream.gcount();
    for (const char* stop; (stop = static_cast<const char*>(std::memchr(begin, '\n', end - begin))); begin = stop + 1)
      use({begin, static_cast<std::size_t>(stop - begin)});
    n_kept = end - begin;
    std::memmove(buffer.data(), begin, n_kept);
  }
}

double number_in(std::string_view cell) {
  double value = 0.0;
  const char* const end = cell.data() + cell.size();
  const auto result = std::from_chars(cell.data(), end, value);
  const bool is_number = result.ec == std::errc() && (result.ptr == end || *result.ptr == '\r');
  return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

/// A column of the file, and where its value goes.
struct Wanted {
  std::size_t column, place;
};

void read_row(std::string_view line, std::span<const Wanted> wanted, std::span<double> values) {
  std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  std::size_t column = 0, begin = 0;
  for (const Wanted& each : wanted) {
    for (; column < each.column && begin != std::string_view::npos; ++column) {
      begin = line.find(',', begin);
      if (begin != std::string_view::npos) ++begin;
    }
    if (begin == std::string_view::npos) return;  // fewer cells than columns
    values[each.place] = number_in(line.substr(begin, line.find(',', begin) - begin));
  }
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream stream = opened(file_);
  std::string header;
  if (!std::getline(stream, header) || stream.eof()) return;
  if (header.ends_with('\r')) header.pop_back();
  for (const std::string& cell : csv_cells(header)) {
    const std::size_t bracket = cell.ends_with(']') ? cell.rfind(" [") : std::string::npos;
    columns_.push_back({cell.substr(0, bracket),
                        bracket == std::string::npos ? "" : cell.substr(bracket + 2, cell.size() - bracket - 3)});
  }
}

void CsvTable::for_each_row(std::span<const std::size_t> chosen,
                            const std::function<void(std::span<const double>)>& use) const {
  std::vector<Wanted> wanted;
  for (std::size_t k = 0; k < chosen.size(); ++k) wanted.push_back({chosen[k], k});
  std::ranges::stable_sort(wanted, {}, &Wanted::column);
  std::vector<double> values(chosen.size());
  std::ifstream stream = opened(file_);
  bool is_header = true;
  for_each_line(stream, [&](std::string_view line) {
    if (!is_header) {
      read_row(line, wanted, values);
      use(values);
    }
    is_header = false;
  });
}

std::vector<std::vector<double>> CsvTable::read(std::span<const std::size_t> chosen) const {
  std::vector<std::vector<double>> columns(chosen.size());
  for_each_row(chosen, [&](std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) columns[k].push_back(values[k]);
  });
  return columns;
}

}  // namespace freeplay
