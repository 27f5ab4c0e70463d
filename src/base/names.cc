#include "freeplay/base/names.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace freeplay {

bool is_name(std::string_view text) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  if (text.empty() || !letter(static_cast<unsigned char>(text.front()))) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return letter(c) || std::isdigit(c) || c == '-'; });
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

std::string closest_name(std::string_view given, const std::vector<std::string>& known) {
  // Words of this length are no typing errors, and the distance is quadratic in the length.
  constexpr std::size_t longest = 80;
  if (given.size() > longest) return {};
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : known) {
    if (name.size() > longest) continue;
    const std::size_t distance = edit_distance(given, name);
    const std::size_t allowed = std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
    // One letter for another is a different name, not a typing error.
    const bool same_word = distance < std::max(given.size(), name.size());
    if (distance <= allowed && same_word && distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  const std::string name = closest_name(given, known);
  return name.empty() ? std::string() : ", did you mean '" + name + "'?";
}

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string result;
  for (const std::string& name : names) {
    if (!result.empty()) result += separator;
    result += name;
  }
  return result;
}

}  // namespace freeplay
