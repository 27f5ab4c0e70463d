#include "freeplay/results/checkpoint.h"

#include <algorithm>
#include <bit>
#include <boost/crc.hpp>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "freeplay/results/continued_file.h"

namespace freeplay {

namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian files");

constexpr std::string_view magic = "FREEPLAY";
constexpr std::uint32_t version = 3;
constexpr std::size_t header_size =
    magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t) + sizeof(std::uint32_t);

std::uint32_t checksum(std::string_view content) {
  boost::crc_32_type crc;
  crc.process_bytes(content.data(), content.size());
  return crc.checksum();
}

template <class Number>
void append(std::string& out, Number value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint64_t>(text.size()));
  out += text;
}

// Takes values off the front of the content. Content that ends too early throws std::out_of_range.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) throw std::out_of_range("checkpoint");
    const std::string_view result = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return result;
  }
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(bytes(number<std::uint64_t>())); }
  std::vector<double> array() {
    const auto size = number<std::uint64_t>();
    // Looked at before multiplying: the product of a senseless size could wrap around.
    if (size > rest_.size() / sizeof(double)) throw std::out_of_range("checkpoint");
    std::vector<double> values(size);
    const std::string_view source = bytes(size * sizeof(double));
    if (size > 0) std::memcpy(values.data(), source.data(), source.size());
    return values;
  }

 private:
  std::string_view rest_;
};

template <class Map>
const typename Map::mapped_type& find(const Map& map, const std::string& name, const std::string& source) {
  const auto found = map.find(name);
  if (found == map.end())
    refuse_to_continue(source, "has no '" + name + "'; it was written by another version of the program");
  return found->second;
}

// The content, after every check that needs no knowledge of what is in it.
std::string_view checked_content(std::string_view file, const std::string& source) {
  if (file.substr(0, magic.size()) != magic) refuse_to_continue(source, "is not a checkpoint of this program");
  if (file.size() < header_size) refuse_to_continue(source, "is cut: it ends within its header");
  Reader header(file.substr(magic.size()));
  const auto file_version = header.number<std::uint32_t>();
  if (file_version != version)
    refuse_to_continue(source, "has format version " + std::to_string(file_version) + ", this program reads version " +
                                   std::to_string(version));
  const auto size = header.number<std::uint64_t>();
  const auto expected = header.number<std::uint32_t>();
  const std::string_view content = file.substr(header_size);
  if (content.size() != size)
    refuse_to_continue(source, "is damaged: it should have " + std::to_string(size) + " bytes of content but has " +
                                   std::to_string(content.size()));
  if (checksum(content) != expected) refuse_to_continue(source, "is damaged: its checksum is wrong");
  return content;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

std::size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// The keys above a line of a block of YAML: "bodies.crank.rigid."
std::string keys_above(const std::vector<std::string>& lines, std::size_t k) {
  std::string path;
  for (std::size_t least = indentation(lines[k]); k > 0 && least > 0;) {
    const std::string& line = lines[--k];
    if (indentation(line) >= least) continue;
    least = indentation(line);
    path = line.substr(least, line.find(':') - least) + "." + path;
  }
  return path;
}

/// Where two resolved models differ, for a message.
std::string first_difference(const std::string& then, const std::string& now) {
  const std::vector<std::string> a = lines_of(then), b = lines_of(now);
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  const auto text = [k](const std::vector<std::string>& lines) {
    if (k >= lines.size()) return std::string("nothing");
    return "'" + keys_above(lines, k) + lines[k].substr(indentation(lines[k])) + "'";
  };
  return "first difference: then " + text(a) + ", now " + text(b);
}

}  // namespace

void Checkpoint::set_array(const std::string& name, std::span<const double> values) {
  arrays_[name].assign(values.begin(), values.end());
}

const std::vector<double>& Checkpoint::array(const std::string& name) const { return find(arrays_, name, source_); }

const std::vector<double>& Checkpoint::array(const std::string& name, std::size_t size) const {
  const std::vector<double>& values = array(name);
  if (values.size() != size)
    refuse_to_continue(source_, "has " + std::to_string(values.size()) + " numbers in '" + name +
                                    "', this model needs " + std::to_string(size));
  return values;
}

std::int64_t Checkpoint::integer(const std::string& name) const { return find(integers_, name, source_); }

void Checkpoint::write(const std::filesystem::path& path, Durability durability) const {
  const std::string body = content();
  std::string file(magic);
  append(file, version);
  append(file, static_cast<std::uint64_t>(body.size()));
  append(file, checksum(body));
  replace_file(path, file + body, durability);
}

std::string Checkpoint::content() const {
  std::string out;
  append_text(out, model_id_);
  append(out, static_cast<std::uint64_t>(arrays_.size()));
  for (const auto& [name, values] : arrays_) {
    append_text(out, name);
    append(out, static_cast<std::uint64_t>(values.size()));
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  }
  append(out, static_cast<std::uint64_t>(integers_.size()));
  for (const auto& [name, value] : integers_) {
    append_text(out, name);
    append(out, value);
  }
  return out;
}

void Checkpoint::read_content(std::string_view content) {
  Reader in(content);
  model_id_ = in.text();
  for (auto n = in.number<std::uint64_t>(); n > 0; --n) {
    const std::string name = in.text();
    arrays_[name] = in.array();
  }
  for (auto n = in.number<std::uint64_t>(); n > 0; --n) {
    const std::string name = in.text();
    integers_[name] = in.number<std::int64_t>();
  }
}

Checkpoint Checkpoint::read(const std::filesystem::path& path, const std::string& model_id) {
  const std::string file = read_continued_file(path);
  Checkpoint result("");
  result.source_ = path.string();
  try {
    result.read_content(checked_content(file, result.source_));
  } catch (const std::out_of_range&) {
    refuse_to_continue(result.source_, "is damaged: its content makes no sense");
  }
  if (result.model_id_ != model_id)
    refuse_to_continue(result.source_, "was written for another model (" +
                                           first_difference(result.model_id_, model_id) +
                                           "); give the model file of that run and the same --set as then");
  return result;
}

}  // namespace freeplay
