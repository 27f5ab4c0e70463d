#include "fuzz/mutator.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "freeplay/base/units.h"
#include "freeplay/deck/model_file.h"

namespace freeplay::fuzz {

namespace {

using Random = std::mt19937;

std::size_t below(std::size_t n, Random& random) { return n == 0 ? 0 : random() % n; }

template <class T>
const T& any_of(const std::vector<T>& all, Random& random) {
  return all[below(all.size(), random)];
}

/// Names of keys and choices, wherever they are in the schema.
void collect(const nlohmann::json& schema, std::set<std::string>& words) {
  if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object())
    for (const auto& [key, value] : schema["properties"].items()) words.insert(key);
  for (const char* choices : {"enum", "const"})
    if (schema.is_object() && schema.contains(choices))
      for (const auto& choice : schema[choices].is_array() ? schema[choices] : nlohmann::json{schema[choices]})
        if (choice.is_string()) words.insert(choice);
  if (schema.is_structured())
    for (const auto& part : schema) collect(part, words);
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> all = [] {
    std::set<std::string> found{"ground", "vary", "results", "problems", "quantities", "runs", "model", "measure"};
    collect(nlohmann::json::parse(model_json_schema()), found);
    return std::vector<std::string>(found.begin(), found.end());
  }();
  return all;
}

const std::vector<std::string> values{
    "0",     "-0.0",  "1",    "-1",   "2",      "0.5",       "1e-3",      "1e3",          "1e-6",     "1e6",  "1e-12",
    "1e9",   "1e-30", "1e12", "1e30", "1e-300", "1e300",     "1e308",     "4.9e-324",     "nan",      ".inf", "-.inf",
    "1e999", "100",   "1000", "8",    "99999",  "100000",    "1000000",   "2147483648",   "true",     "null", "~",
    "[]",    "{}",    "\"\"", "x",    "${L}",   "[0, 0, 0]", "[1, 0, 0]", "[0, 0, 1e-9]", "[1, 1, 1]"};
const std::vector<std::string> units{"m",   "mm",  "kg", "s",   "N",   "rad", "deg",
                                     "rpm", "N/m", "Pa", "1/s", "m/s", "Hz",  "kg*m^2"};
const std::vector<std::string> formulas{
    "sin(2*pi*t)", "t",      "1/t",    "sqrt(t)",      "exp(t)", "t^2", "if(t < 1, 0, 1)", "table: [[0, 0], [1, 1]]",
    "1e300*t",     "log(t)", "tan(t)", "step: {at: 1}"};

std::string any_value(Random& random) {
  switch (random() % 6) {
    case 0:
      return any_of(words(), random);
    case 1:
      return any_of(values, random) + " " + any_of(units, random);
    case 2:
      return any_of(formulas, random);
    default:
      return any_of(values, random);
  }
}

struct Piece {
  std::size_t begin, size;
};

/// Numbers or words: everything between characters that mean something to YAML.
std::vector<Piece> tokens(const std::string& text) {
  const char* const separators = " ,:[]{}\n\"'#()*/+";
  std::vector<Piece> all;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    all.push_back({begin, end - begin});
    begin = text.find_first_not_of(separators, end);
  }
  return all;
}

bool is_number(const std::string& token) {
  char* end = nullptr;
  std::strtod(token.c_str(), &end);
  return end == token.c_str() + token.size();
}

std::string other_number(const std::string& token, Random& random) {
  static const std::vector<double> factors{-1.0, 0.5, 2.0, 10.0, 0.1, 1e3, 1e-3, 1e6, 1e-6, 1.0 + 1e-9};
  if (random() % 2 == 0) return any_of(values, random);
  return number_text(std::strtod(token.c_str(), nullptr) * any_of(factors, random));
}

void change_token(std::string& text, Random& random) {
  const std::vector<Piece> all = tokens(text);
  if (all.empty()) return;
  const Piece piece = any_of(all, random);
  const std::string token = text.substr(piece.begin, piece.size);
  std::string other;
  if (is_number(token)) {
    other = other_number(token, random);
  } else if (random() % 2 == 0) {
    other = any_of(words(), random);
  } else {
    const Piece source = any_of(all, random);
    other = text.substr(source.begin, source.size);
  }
  text.replace(piece.begin, piece.size, other);
}

/// Most files stay valid with this: what is behind the reader gets to see other numbers.
void change_number(std::string& text, Random& random) {
  static const std::vector<std::string> extremes{"0",    "1",      "-1",    "1e-3",  "1e3",
                                                 "1e-6", "1e6",    "1e-12", "1e12",  "1e-30",
                                                 "1e30", "1e-300", "1e300", "1e308", "4.9e-324"};
  static const std::vector<double> factors{-1.0, 0.5, 2.0, 10.0, 0.1, 1e3, 1e-3, 1.0 + 1e-9};
  std::vector<Piece> numbers;
  for (const Piece& piece : tokens(text))
    if (is_number(text.substr(piece.begin, piece.size))) numbers.push_back(piece);
  if (numbers.empty()) return;
  const Piece piece = any_of(numbers, random);
  const double number = std::strtod(text.substr(piece.begin, piece.size).c_str(), nullptr);
  text.replace(piece.begin, piece.size,
               random() % 3 == 0 ? any_of(extremes, random) : number_text(number * any_of(factors, random)));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void change_lines(std::string& text, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) return;
  const std::size_t here = below(lines.size(), random), there = below(lines.size(), random);
  switch (random() % 4) {
    case 0:
      lines.erase(lines.begin() + here);
      break;
    case 1: {
      std::string copy = lines[here];
      if (random() % 2 == 0) change_token(copy, random);
      lines.insert(lines.begin() + there, copy);
      break;
    }
    case 2:
      std::swap(lines[here], lines[there]);
      break;
    default:
      if (random() % 2 == 0)
        lines[here].insert(0, "  ");
      else if (lines[here].starts_with("  "))
        lines[here].erase(0, 2);
  }
  text = joined(lines);
}

/// Between braces or as a line of its own, as deep as another line.
void add_entry(std::string& text, Random& random) {
  const std::string entry = any_of(words(), random) + ": " + any_value(random);
  std::vector<std::size_t> braces;
  for (std::size_t k = text.find('{'); k != std::string::npos; k = text.find('{', k + 1)) braces.push_back(k);
  if (!braces.empty() && random() % 3 != 0) {
    text.insert(any_of(braces, random) + 1, entry + ", ");
    return;
  }
  std::vector<std::string> lines = lines_of(text);
  const std::size_t here = below(lines.size(), random);
  const std::size_t depth = lines.empty() ? 0 : std::min(lines[here].find_first_not_of(' '), lines[here].size());
  lines.insert(lines.begin() + here, std::string(depth, ' ') + entry);
  text = joined(lines);
}

/// From a comma or brace to the next one.
void drop_entry(std::string& text, Random& random) {
  std::vector<std::size_t> commas;
  for (std::size_t k = text.find_first_of(",{["); k != std::string::npos; k = text.find_first_of(",{[", k + 1))
    commas.push_back(k);
  if (commas.empty()) return;
  const std::size_t begin = any_of(commas, random) + 1;
  std::size_t end = begin;
  for (int depth = 0; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '{' || text[end] == '[') ++depth;
    if ((text[end] == '}' || text[end] == ']') && --depth < 0) break;
    if (text[end] == ',' && depth == 0) {
      ++end;
      break;
    }
  }
  text.erase(begin, end - begin);
}

}  // namespace

std::string mutated(std::string text, Random& random) {
  const int n_changes = 1 + static_cast<int>(random() % 3);
  const bool only_numbers = random() % 2 == 0;
  for (int k = 0; k < n_changes; ++k) {
    if (only_numbers) {
      change_number(text, random);
      continue;
    }
    switch (random() % 8) {
      case 0:
        change_lines(text, random);
        break;
      case 1:
      case 2:
        add_entry(text, random);
        break;
      case 3:
        drop_entry(text, random);
        break;
      default:
        change_token(text, random);
    }
  }
  return text;
}

std::string crossed(const std::string& text, const std::string& other, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> source = lines_of(other);
  if (source.empty()) return text;
  const std::size_t begin = below(source.size(), random);
  const std::size_t n = 1 + below(std::min<std::size_t>(source.size() - begin, 6), random);
  const std::size_t here = below(lines.size() + 1, random);
  lines.insert(lines.begin() + here, source.begin() + begin, source.begin() + begin + n);
  return joined(lines);
}

}  // namespace freeplay::fuzz
