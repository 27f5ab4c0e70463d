#include "freeplay/results/event_writer.h"

#include <utility>

#include "freeplay/base/csv_cell.h"
#include "freeplay/results/csv.h"

namespace freeplay {

namespace {

constexpr std::string_view further_columns = ",kind,joint,value,unit,detail";

void append_number(std::string& line, double value) {
  char text[max_number_length];
  line.append(text, write_number(text, value));
}

}  // namespace

EventWriter::EventWriter(OutputFile file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

EventWriter::EventWriter(const std::filesystem::path& path, std::string_view when)
    : EventWriter(OutputFile(path, OutputFile::Mode::create), 0) {
  const std::string header = std::string(when) + std::string(further_columns) + "\n";
  file_.write(header);
  size_ = header.size();
}

EventWriter EventWriter::resume(const std::filesystem::path& path, std::uint64_t size) {
  shorten_csv(path, "time [s]" + std::string(further_columns), size);
  return EventWriter(OutputFile(path, OutputFile::Mode::append), size);
}

void EventWriter::write(const Event& event) {
  line_.clear();
  append_number(line_, event.time);
  line_ += ',' + csv_cell(event.kind) + ',' + csv_cell(event.joint) + ',';
  if (event.value) append_number(line_, *event.value);
  line_ += ',' + csv_cell(event.unit) + ',' + csv_cell(event.detail) + '\n';
  file_.write(line_);
  size_ += line_.size();
}

}  // namespace freeplay
