#include "freeplay/results/motion_writer.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace freeplay {

namespace {

static_assert(std::endian::native == std::endian::little, "motion.bin is a little-endian file");

constexpr std::size_t motion_buffer_size = 64 * 1024;
constexpr std::chrono::seconds motion_interval{2};

std::size_t record_size(std::size_t n_numbers) { return sizeof(double) + n_numbers * sizeof(float); }

}  // namespace

MotionWriter::MotionWriter(OutputFile file, std::size_t n_numbers) : file_(std::move(file)), n_numbers_(n_numbers) {
  buffer_.reserve(motion_buffer_size + record_size(n_numbers));
}

MotionWriter::MotionWriter(const std::filesystem::path& path, std::size_t n_numbers)
    : MotionWriter(OutputFile(path, OutputFile::Mode::create), n_numbers) {}

void MotionWriter::for_each_record(const std::filesystem::path& path, std::size_t n_numbers,
                                   const std::function<void(double, std::string_view)>& use) {
  std::ifstream in(path, std::ios::binary);
  std::string record(record_size(n_numbers), '\0');
  while (in.read(record.data(), static_cast<std::streamsize>(record.size()))) {
    double time = 0.0;
    std::memcpy(&time, record.data(), sizeof time);
    use(time, record);
  }
}

void MotionWriter::write(double time, std::span<const float> numbers) {
  if (numbers.size() != n_numbers_) throw std::logic_error("MotionWriter::write: a record has all its numbers");
  const auto append = [&](const void* data, std::size_t size) {
    buffer_.insert(buffer_.end(), static_cast<const char*>(data), static_cast<const char*>(data) + size);
  };
  append(&time, sizeof time);
  append(numbers.data(), numbers.size_bytes());
  buffer_.size() >= motion_buffer_size ? flush() : flush_if_due();
}

void MotionWriter::flush_if_due() {
  if (!buffer_.empty() && Clock::now() - last_flush_ >= motion_interval) flush();
}

void MotionWriter::flush() {
  if (buffer_.empty()) return;
  file_.write({buffer_.data(), buffer_.size()});
  buffer_.clear();
  last_flush_ = Clock::now();
}

}  // namespace freeplay
