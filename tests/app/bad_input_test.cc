#include <map>

#include "app/deck.h"
#include "freeplay/base/exit_code.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

const std::string good_model =
    "freeplay: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {rigid: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  pin: {revolute: {between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "analysis: {dynamic: {end: 10 ms, step: 1 ms}}\n"
    "output: {every: 1 ms}\n";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is in a directory: names and contents of all files.
std::map<std::string, std::string> contents(const fs::path& directory) {
  std::map<std::string, std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    result[entry.path().string()] = entry.is_regular_file() ? file_text(entry.path()) : "";
  return result;
}

/// An input error that names `place`, says nothing on standard output and creates nothing.
void expect_input_error(const std::vector<std::string>& arguments, const std::string& place,
                        const ScratchDirectory& directory) {
  const auto before = contents(directory.path());
  const ProcessResult result = run_freeplay(arguments, directory.path());
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, exit_input_error) << excerpt(result.err);
  EXPECT_TRUE(contains(result.err, place)) << excerpt(result.err);
  EXPECT_TRUE(contains(result.err, "error:")) << excerpt(result.err);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(contents(directory.path()), before);
}

class BadInput : public testing::TestWithParam<fs::path> {};

TEST_P(BadInput, RunSaysWhatIsWrongAndCreatesNothing) {
  const ScratchDirectory directory;
  const Deck deck = read_deck(GetParam());
  expect_failure(deck, run_freeplay({"run", deck.file}, directory.path()), exit_input_error);
  expect_failure(deck, run_freeplay({"run", deck.file, "-o", "new/results"}, directory.path()), exit_input_error);
  EXPECT_FALSE(fs::exists(directory / "results"));
  EXPECT_FALSE(fs::exists(directory / "new/results"));
}

TEST_P(BadInput, CheckSaysWhatIsWrong) {
  const ScratchDirectory directory;
  const Deck deck = read_deck(GetParam());
  expect_failure(deck, run_freeplay({"check", deck.file}, directory.path()), exit_input_error);
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

INSTANTIATE_TEST_SUITE_P(Deck, BadInput, testing::ValuesIn(deck_files("bad_input")), name_of_deck_test);

TEST(BadInputFile, Missing) {
  const ScratchDirectory directory;
  expect_input_error({"run", "missing.yaml"}, "missing.yaml", directory);
}

TEST(BadInputFile, Empty) {
  const ScratchDirectory directory;
  write_file(directory / "empty.yaml", "");
  expect_input_error({"run", "empty.yaml"}, "empty.yaml", directory);
}

TEST(BadInputFile, IsADirectory) {
  const ScratchDirectory directory;
  fs::create_directory(directory / "folder.yaml");
  expect_input_error({"run", "folder.yaml"}, "folder.yaml", directory);
}

// Just below the limit of the size.
TEST(BadInputFile, EightMegabytesOfOneWord) {
  const ScratchDirectory directory;
  write_file(directory / "big.yaml", std::string(8'000'000, 'x'));
  expect_input_error({"run", "big.yaml"}, "big.yaml:1:1: error: must be a table of keys", directory);
}

/// A model of bodies with a negative mass, as large as asked.
std::string many_wrong_bodies(size_t n_bytes) {
  std::string text = "freeplay: 1\nanalysis: {dynamic: {end: 1 s}}\nbodies:\n";
  for (int i = 0; text.size() < n_bytes; ++i)
    text += "  b" + std::to_string(i) + ": {rigid: {mass: -1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}\n";
  return text;
}

TEST(BadInputFile, TenMegabytesOfBodies) {
  const ScratchDirectory directory;
  write_file(directory / "big.yaml", many_wrong_bodies(10'000'000));
  expect_input_error({"run", "big.yaml"}, "the limit is 8388608 bytes", directory);
}

TEST(BadInputFile, ManyWrongBodies) {
  const ScratchDirectory directory;
  write_file(directory / "big.yaml", many_wrong_bodies(2'000'000));
  expect_input_error({"run", "big.yaml"}, "big.yaml:4:", directory);
}

TEST(BadInputFile, NestedTooDeeply) {
  const ScratchDirectory directory;
  write_file(directory / "deep.yaml", "freeplay: 1\nbodies: " + std::string(1'000'000, '['));
  expect_input_error({"run", "deep.yaml"}, "deep.yaml", directory);
}

TEST(BadInputSetting, NamesTheCommandLine) {
  const ScratchDirectory directory;
  write_file(directory / "good.yaml", good_model);
  expect_input_error({"run", "good.yaml", "--set", "bodies.rod.rigid.mass=-1 kg"}, "bodies.rod.rigid.mass", directory);
  expect_input_error({"run", "good.yaml", "--set", "bodies.rod.rigid.mas=1 kg"}, "bodies.rod.rigid.mas", directory);
  expect_input_error({"run", "good.yaml", "--set", "parameters.L=[1"}, "parameters.L", directory);
  expect_input_error({"run", "good.yaml", "--end", "-1 s"}, "analysis.dynamic.end", directory);
  expect_input_error({"run", "good.yaml", "--end", "4 kg"}, "analysis.dynamic.end", directory);
}

TEST(BadInputOutput, DirectoryBelowAFileCannotBeMade) {
  const ScratchDirectory directory;
  write_file(directory / "good.yaml", good_model);
  write_file(directory / "file", "precious\n");
  expect_input_error({"run", "good.yaml", "-o", "file/results"}, "file/results", directory);
  expect_input_error({"run", "good.yaml", "-o", "/dev/null/x"}, "/dev/null/x", directory);
}

TEST(BadInputOutput, FileInPlaceOfTheDirectory) {
  const ScratchDirectory directory;
  write_file(directory / "good.yaml", good_model);
  write_file(directory / "file", "precious\n");
  expect_input_error({"run", "good.yaml", "-o", "file"}, "file", directory);
}

TEST(BadInputOutput, DirectoryThatIsNotEmptyStaysAsItIs) {
  const ScratchDirectory directory;
  write_file(directory / "good.yaml", good_model);
  fs::create_directory(directory / "full");
  write_file(directory / "full/history.csv", "precious\n");
  expect_input_error({"run", "good.yaml", "-o", "full"}, "'full' is not empty", directory);
}

TEST(BadInputOutput, NothingToContinue) {
  const ScratchDirectory directory;
  write_file(directory / "good.yaml", good_model);
  expect_input_error({"run", "good.yaml", "-o", "missing", "--continue"}, "missing", directory);
  fs::create_directory(directory / "other");
  write_file(directory / "other/history.csv", "precious\n");
  expect_input_error({"run", "good.yaml", "-o", "other", "--continue"}, "no checkpoint in 'other'", directory);
  EXPECT_EQ(file_text(directory / "other/history.csv"), "precious\n");
}

}  // namespace
}  // namespace freeplay::test
