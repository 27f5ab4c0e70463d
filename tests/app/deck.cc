#include "app/deck.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "paths.h"

namespace freeplay::test {

Deck read_deck(const std::filesystem::path& file) {
  Deck deck{file, {}, {}};
  const std::string expect = "# expect: ";
  const std::string last_time = "# last-time: ";
  for (const std::string& line : lines_of(file_text(file))) {
    if (line.starts_with(expect)) {
      const std::string expression = line.substr(expect.size());
      deck.expected.emplace_back(expression, std::regex(expression));
    } else if (line.starts_with(last_time)) {
      std::istringstream numbers(line.substr(last_time.size()));
      double from = 0.0, to = 0.0;
      numbers >> from >> to;
      deck.last_time = {from, to};
    } else {
      break;
    }
  }
  if (deck.expected.empty()) throw std::runtime_error(file.string() + " does not begin with '# expect: '");
  return deck;
}

std::vector<std::filesystem::path> deck_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_directory() + "/tests/" + folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of_deck_test(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

ProcessResult run_freeplay(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                           std::chrono::seconds limit) {
  return Process(test::freeplay_program(), arguments, directory).wait(limit);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string excerpt(const std::string& text) {
  constexpr size_t most = 2000;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

void expect_failure(const Deck& deck, const ProcessResult& result, int exit_code) {
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, exit_code) << excerpt(result.err);
  const std::vector<std::string> lines = lines_of(result.err);
  const auto matches = [](const std::string& line) {
    return [&line](const auto& expected) { return std::regex_search(line, expected.second); };
  };
  for (const auto& expected : deck.expected)
    EXPECT_TRUE(
        std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return matches(line)(expected); }))
        << "no line matches " << expected.first << " in\n"
        << excerpt(result.err);
  for (const std::string& line : lines) {
    if (line.find("error:") == std::string::npos) continue;
    EXPECT_TRUE(std::any_of(deck.expected.begin(), deck.expected.end(), matches(line))) << "not expected: " << line;
  }
}

}  // namespace freeplay::test
