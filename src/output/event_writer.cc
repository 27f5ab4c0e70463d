#include "freeplay/output/event_writer.h"

#include <utility>

#include "freeplay/base/csv_cell.h"
#include "freeplay/output/csv.h"

namespace freeplay {

namespace {

constexpr std::string_view further_columns = ",kind,joint,value,unit,detail";

void append_number(std::string& line, double value) {
  char text[max_number_length];
  line.append(text, write_number(text, value));
}

}  // namespace

EventWriter::EventWriter(OutputFile file) : file_(std::move(file)) {}

EventWriter::EventWriter(const std::filesystem::path& path, std::string_view when)
    : EventWriter(OutputFile(path, OutputFile::Mode::create)) {
  file_.write(std::string(when) + std::string(further_columns) + "\n");
}

EventWriter EventWriter::truncate_after(double time, const std::filesystem::path& path) {
  truncate_csv_after(path, "time [s]" + std::string(further_columns), time);
  return EventWriter(OutputFile(path, OutputFile::Mode::append));
}

void EventWriter::write(const Event& event) {
  line_.clear();
  append_number(line_, event.time);
  line_ += ',' + csv_cell(event.kind) + ',' + csv_cell(event.joint) + ',';
  if (event.value) append_number(line_, *event.value);
  line_ += ',' + csv_cell(event.unit) + ',' + csv_cell(event.detail) + '\n';
  file_.write(line_);
}

}  // namespace freeplay
