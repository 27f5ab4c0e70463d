#include "freeplay/base/diagnostics.h"

#include <tuple>

namespace freeplay {

namespace {

// A broken file can produce thousands of messages; nobody reads more than a screen or two.
constexpr std::size_t max_shown = 100;

std::string place(const Location& where) {
  if (where.file.empty() && where.line == 0) return {};
  if (where.line == 0) return where.file + ": ";
  return where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

}  // namespace

bool Diagnostics::Message::operator<(const Message& other) const {
  return std::tie(where.line, where.column, where.file, text) <
         std::tie(other.where.line, other.where.column, other.where.file, other.text);
}

void Diagnostics::error(const Location& where, const std::string& path, const std::string& message) {
  if (add(where, "error: ", path, message)) ++n_errors_;
}

void Diagnostics::warning(const Location& where, const std::string& path, const std::string& message) {
  add(where, "warning: ", path, message);
}

bool Diagnostics::add(const Location& where, const char* severity, const std::string& path,
                      const std::string& message) {
  const std::string prefix = path.empty() ? std::string() : path + ": ";
  return messages_.insert({where, place(where) + severity + prefix + message}).second;
}

std::vector<std::string> Diagnostics::lines() const {
  std::vector<std::string> result;
  for (const Message& message : messages_) {
    if (result.size() == max_shown) {
      result.push_back("... and " + std::to_string(messages_.size() - max_shown) + " more messages");
      break;
    }
    result.push_back(message.text);
  }
  return result;
}

std::string Diagnostics::text() const {
  std::string result;
  for (const std::string& line : lines()) result += line + "\n";
  return result;
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw InputError(text());
}

}  // namespace freeplay
