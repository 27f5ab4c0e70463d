#include "app/history.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "app/process.h"

namespace freeplay::test {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

double number(const std::string& word) {
  size_t n_used = 0;
  const double value = std::stod(word, &n_used);
  if (n_used != word.size()) throw std::runtime_error("not a number: '" + word + "'");
  return value;
}

}  // namespace

std::vector<double> History::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw std::out_of_range("no column '" + name + "'");
  const auto index = static_cast<size_t>(found - columns.begin());
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(row[index]);
  return values;
}

History read_history(const std::filesystem::path& file) {
  const std::string text = file_text(file);
  if (!text.ends_with('\n')) throw std::runtime_error(file.string() + " does not end with a whole line");
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  History history{split(line), {}};
  while (std::getline(lines, line)) {
    std::vector<double> row;
    for (const std::string& word : split(line)) row.push_back(number(word));
    if (row.size() != history.columns.size()) throw std::runtime_error("a broken line: " + line);
    history.rows.push_back(std::move(row));
  }
  return history;
}

}  // namespace freeplay::test
