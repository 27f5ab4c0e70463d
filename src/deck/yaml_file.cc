#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "freeplay/base/names.h"
#include "freeplay/deck/node.h"

namespace freeplay {

namespace {

constexpr std::size_t max_depth = 50;
constexpr std::size_t max_nodes = 1'000'000;  // bounds what aliases of aliases ("billion laughs") can grow to

// Stand for the braces of ${name} while yaml-cpp reads the text: of the same length, so that columns stay right, and
// refused in files, so that nothing else can be meant.
constexpr char opening = '\x0e';
constexpr char closing = '\x0f';

std::string with_hidden_braces(const std::string& text) {
  std::string result = text;
  for (std::size_t i = text.find("${"); i != std::string::npos; i = text.find("${", i + 2)) {
    const std::size_t end = text.find_first_of("{}\n", i + 2);
    if (end == std::string::npos || text[end] != '}' || !is_name(std::string_view(text).substr(i + 2, end - i - 2)))
      continue;
    result[i + 1] = opening;
    result[end] = closing;
  }
  return result;
}

std::string with_braces(std::string text) {
  for (char& c : text) {
    if (c == opening) c = '{';
    if (c == closing) c = '}';
  }
  return text;
}

/// Builds the tree from the events of the parser.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string name) : name_(std::move(name)) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    complete({make(YamlNode::Kind::null, mark), anchor});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw SyntaxError("this alias is part of what it stands for", place(mark));
    count(found->second.n_nodes, mark);
    if (stack_.size() + found->second.depth > max_depth) fail_depth(mark);
    Open copy{found->second.node, YAML::NullAnchor};
    copy.n_nodes = found->second.n_nodes;
    copy.depth = found->second.depth;
    complete(std::move(copy));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(YamlNode::Kind::scalar, mark);
    node.text = with_braces(value);
    node.quoted = tag == "!";
    complete({std::move(node), anchor});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A value under construction.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t n_nodes = 1;
    std::size_t depth = 1;
    std::optional<YamlNode> key{};  ///< map: read, and its value not yet
  };

  Location place(const YAML::Mark& mark) const { return {name_, mark.line + 1, mark.column + 1}; }

  YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark) {
    count(1, mark);
    YamlNode node;
    node.kind = kind;
    node.where = place(mark);
    return node;
  }

  void count(std::size_t n, const YAML::Mark& mark) {
    n_nodes_ += n;
    if (n_nodes_ > max_nodes)
      throw SyntaxError("too many values (more than " + std::to_string(max_nodes) + ")", place(mark));
  }

  [[noreturn]] void fail_depth(const YAML::Mark& mark) const {
    throw SyntaxError("nested too deeply (more than " + std::to_string(max_depth) + " levels)", place(mark));
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (stack_.size() >= max_depth) fail_depth(mark);
    stack_.push_back({make(kind, mark), anchor});
  }

  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    complete(std::move(done));
  }

  void complete(Open done) {
    if (done.anchor != YAML::NullAnchor) {
      n_nodes_ += done.n_nodes;  // the copy counts too
      anchors_[done.anchor] = done;
    }
    if (stack_.empty()) {
      root_ = std::move(done.node);
      return;
    }
    Open& parent = stack_.back();
    parent.n_nodes += done.n_nodes;
    parent.depth = std::max(parent.depth, done.depth + 1);
    if (parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(done.node));
    } else if (!parent.key) {
      if (done.node.kind != YamlNode::Kind::scalar) {
        throw SyntaxError("a key must be a word, not " + done.node.kind_text(), done.node.where);
      }
      parent.key = std::move(done.node);
    } else {
      parent.node.entries.push_back({parent.key->text, parent.key->where, std::move(done.node)});
      parent.key.reset();
    }
  }

  std::string name_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Open> anchors_;
  std::size_t n_nodes_ = 0;
  YamlNode root_;
};

void check_is_text(const std::string& text, const std::string& name) {
  int line = 1;
  int column = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) {
      throw SyntaxError("this is not a text file (it contains the byte " + std::to_string(byte) + ")",
                        {name, line, column});
    }
    column = c == '\n' ? 1 : column + 1;
    if (c == '\n') ++line;
  }
}

std::string line_of(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string result;
  for (int i = 0; i < line && std::getline(stream, result); ++i) {
  }
  return result;
}

/// What yaml-cpp says, with a hint for the most frequent mistakes.
std::string explained(const std::string& message, const std::string& line) {
  const std::size_t tab = line.find('\t');
  if (tab != std::string::npos && line.find_first_not_of(" \t") > tab) {
    return "tabs cannot be used for indentation, use spaces";
  }
  if (line.find("${") != std::string::npos) return message + " (put quotes around the expression)";
  return message;
}

}  // namespace

std::string read_text_file(const std::string& file) {
  namespace fs = std::filesystem;
  const Location where{file, 0, 0};
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw SyntaxError("there is no such file", where);
  if (fs::is_directory(status)) throw SyntaxError("this is a directory, not a model file", where);
  const auto fail_size = [&](const std::string& size) {
    throw SyntaxError("the file has " + size + " bytes, the limit is " + std::to_string(max_file_bytes) + " bytes",
                      where);
  };
  const auto size = fs::is_regular_file(status) ? fs::file_size(file, error) : 0;
  if (!error && size > max_file_bytes) fail_size(std::to_string(size));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw SyntaxError("the file cannot be read", where);
  // Of a pipe the size is known only after reading.
  std::string text(size > 0 ? size : max_file_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > max_file_bytes) fail_size("more than " + std::to_string(max_file_bytes));
  return text;
}

YamlNode parse_yaml(const std::string& text, const std::string& name) {
  check_is_text(text, name);
  try {
    std::istringstream stream(with_hidden_braces(text));
    YAML::Parser parser(stream);
    TreeBuilder builder(name);
    if (!parser.HandleNextDocument(builder)) return {};
    YamlNode root = builder.take_root();
    TreeBuilder second(name);
    if (parser.HandleNextDocument(second)) {
      const Location where = second.take_root().where;
      throw SyntaxError("there is a second document ('---') in the file", where);
    }
    return root;
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 0 : error.mark.line + 1;
    throw SyntaxError("this is not valid YAML: " + explained(with_braces(error.msg), line_of(text, line)),
                      {name, line, line == 0 ? 0 : error.mark.column + 1});
  }
}

}  // namespace freeplay
