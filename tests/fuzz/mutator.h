#pragma once

#include <random>
#include <string>

namespace freeplay::fuzz {

/// A change that leaves most of a file valid: another key, another number, another line. Bytes that are changed at
/// random hardly ever get past the reader.
std::string mutated(std::string text, std::mt19937& random);

/// A piece of one file in another.
std::string crossed(const std::string& text, const std::string& other, std::mt19937& random);

}  // namespace freeplay::fuzz
