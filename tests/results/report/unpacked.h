#pragma once

#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace freeplay {

/// The bytes of a text in base64; strict.
inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::runtime_error("base64 comes in fours");
  std::string bytes;
  for (std::size_t k = 0; k < text.size(); k += 4) {
    unsigned bits = 0;
    int n = 3;
    for (std::size_t d = 0; d < 4; ++d) {
      const std::size_t digit = digits.find(text[k + d]);
      if (text[k + d] == '=') --n;
      if (digit == std::string::npos && text[k + d] != '=') throw std::runtime_error("no digit of base64");
      bits = bits << 6 | (digit == std::string::npos ? 0U : static_cast<unsigned>(digit));
    }
    for (int b = 0; b < n; ++b) bytes += static_cast<char>(bits >> (16 - 8 * b) & 255U);
  }
  return bytes;
}

/// The numbers of an array of the report as the page reads them: those of tables column by column.
inline std::vector<double> unpacked(const nlohmann::json& array) {
  std::size_t n = 1;
  for (const auto& size : array.at("shape")) n *= size.get<std::size_t>();
  const std::string type = array.at("type");
  const std::size_t width = type == "f64" ? 8 : 4;
  const std::string packed = from_base64(array.at("data"));
  std::string bytes(n * width, '\0');
  uLongf size = bytes.size();
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                 packed.size()) != Z_OK ||
      size != bytes.size())
    throw std::runtime_error("zlib cannot read the array, or it has another size");
  const bool is_shuffled = array.value("layout", "") == "transposed-shuffled";
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) {
    char number[8];
    for (std::size_t b = 0; b < width; ++b) number[b] = is_shuffled ? bytes[b * n + k] : bytes[k * width + b];
    float f32 = 0.0F;
    double f64 = 0.0;
    int i32 = 0;
    if (type == "f64") std::memcpy(&f64, number, 8), values.push_back(f64);
    if (type == "f32") std::memcpy(&f32, number, 4), values.push_back(f32);
    if (type == "i32") std::memcpy(&i32, number, 4), values.push_back(i32);
  }
  return values;
}

}  // namespace freeplay
