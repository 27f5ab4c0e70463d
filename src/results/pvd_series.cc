#include "freeplay/results/pvd_series.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include "freeplay/results/continued_file.h"

namespace freeplay {

namespace {

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
constexpr std::string_view closing =
    "  </Collection>\n"
    "</VTKFile>\n";
constexpr std::string_view entry_start = "    <DataSet timestep=\"";

// The smallest page of the systems we run on; larger pages are multiples of it.
constexpr std::size_t page_size = 4096;

bool within_one_page(std::size_t begin, std::size_t end) { return begin / page_size == (end - 1) / page_size; }

// Shortest text that gives the same number again: a continued run compares these times.
std::string exact_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
}

std::optional<double> entry_time(std::string_view line) {
  if (!line.starts_with(entry_start)) return std::nullopt;
  line.remove_prefix(entry_start.size());
  double time = 0.0;
  const auto result = std::from_chars(line.data(), line.data() + line.size(), time);
  return result.ec == std::errc() ? std::optional(time) : std::nullopt;
}

std::string read_series(const std::filesystem::path& path) {
  const std::string text = read_continued_file(path);
  if (!text.starts_with(opening) || !text.ends_with(closing))
    refuse_to_continue(path, "is not a series written by this program");
  return text.substr(0, text.size() - closing.size());
}

// Writes the whole list and opens it for changes of its end: the rename has made it another file.
OutputFile replaced_file(const std::filesystem::path& path, const std::string& text) {
  replace_file(path, text + std::string(closing));
  return OutputFile(path, OutputFile::Mode::modify);
}

}  // namespace

PvdSeries::PvdSeries(std::filesystem::path path, std::string text, int n_frames)
    : path_(std::move(path)), text_(std::move(text)), n_frames_(n_frames), file_(replaced_file(path_, text_)) {}

PvdSeries::PvdSeries(std::filesystem::path path) : PvdSeries(std::move(path), std::string(opening), 0) {}

PvdSeries PvdSeries::resume_at(double time, std::filesystem::path path) {
  const std::string old = read_series(path);
  const double last_kept = time + 1e-12 * std::abs(time);
  std::size_t begin = opening.size();
  std::optional<double> last;
  int n_frames = 0;
  while (begin < old.size()) {
    const std::size_t end = old.find('\n', begin) + 1;
    const std::optional<double> entry = entry_time(std::string_view(old).substr(begin, end - begin));
    if (!entry) refuse_to_continue(path, "has an entry not written by this program");
    if (*entry > last_kept) break;
    // The parts of a frame stand together and have the same time.
    if (entry != last) ++n_frames;
    last = entry;
    begin = end;
  }
  return PvdSeries(std::move(path), old.substr(0, begin), n_frames);
}

void PvdSeries::add(double time, std::span<const Part> parts) {
  const std::size_t begin = text_.size();
  for (const Part& part : parts) {
    text_ += entry_start;
    text_ += exact_number(time) + "\" part=\"" + std::to_string(part.number) + "\" name=\"";
    append_escaped(text_, part.name);
    text_ += "\" file=\"";
    append_escaped(text_, part.file);
    text_ += "\"/>\n";
  }
  try {
    if (within_one_page(begin, text_.size() + closing.size()))
      write_in_place(begin);
    else
      write_whole();
  } catch (...) {
    text_.resize(begin);
    throw;
  }
  ++n_frames_;
}

void PvdSeries::write_in_place(std::size_t begin) {
  text_ += closing;
  try {
    file_.write_at(begin, std::string_view(text_).substr(begin));
    text_.resize(text_.size() - closing.size());
  } catch (...) {
    // The old closing tags had their place on the disk, so they can be put back even when it is full.
    file_.write_at(begin, closing);
    file_.truncate(begin + closing.size());
    throw;
  }
}

void PvdSeries::write_whole() { file_ = replaced_file(path_, text_); }

}  // namespace freeplay
