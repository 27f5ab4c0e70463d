#include "freeplay/results/report/packed_array.h"

#include <zlib.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace freeplay {

namespace {

static_assert(std::endian::native == std::endian::little, "packed arrays are little-endian");

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib cannot compress the data of the report");
  result.resize(size);
  return result;
}

/// All first bytes of the numbers, then all second ones, and so on.
std::string shuffled(std::string_view bytes, std::size_t width) {
  const std::size_t n = bytes.size() / width;
  std::string result(bytes.size(), '\0');
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t b = 0; b < width; ++b) result[b * n + k] = bytes[k * width + b];
  return result;
}

template <class Number>
nlohmann::json pack(const char* type, std::span<const Number> values, const nlohmann::json& shape, bool is_shuffled) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  const std::string data = is_shuffled ? deflated(shuffled(bytes, sizeof(Number))) : deflated(bytes);
  nlohmann::json array{{"type", type}, {"shape", shape}, {"data", base64(data)}};
  if (is_shuffled) array["layout"] = "transposed-shuffled";
  return array;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - k);
    unsigned bits = 0;
    for (std::size_t b = 0; b < 3; ++b) bits = bits << 8 | (b < n ? static_cast<unsigned char>(bytes[k + b]) : 0U);
    for (std::size_t d = 0; d < 4; ++d) text += d <= n ? digits[bits >> (18 - 6 * d) & 63] : '=';
  }
  return text;
}

nlohmann::json packed(std::span<const float> values) { return pack("f32", values, {values.size()}, true); }

nlohmann::json packed(std::span<const double> values) { return pack("f64", values, {values.size()}, true); }

nlohmann::json packed(std::span<const int> values) { return pack("i32", values, {values.size()}, false); }

nlohmann::json packed_table(std::span<const float> rows, std::size_t n_rows, std::size_t n_columns) {
  std::vector<float> columns(rows.size());
  for (std::size_t r = 0; r < n_rows; ++r)
    for (std::size_t c = 0; c < n_columns; ++c) columns[c * n_rows + r] = rows[r * n_columns + c];
  return pack("f32", std::span<const float>(columns), {n_rows, n_columns}, true);
}

}  // namespace freeplay
