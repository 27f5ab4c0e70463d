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

std::string DiagnosticMessage::text() const {
  return place(where) + (is_error ? "error: " : "warning: ") + (path.empty() ? "" : path + ": ") + message;
}

bool Diagnostics::ByPlace::operator()(const DiagnosticMessage& a, const DiagnosticMessage& b) const {
  return std::tuple(a.where.line, a.where.column, a.where.file, a.text()) <
         std::tuple(b.where.line, b.where.column, b.where.file, b.text());
}

void Diagnostics::error(const Location& where, const std::string& path, const std::string& message) {
  if (messages_.insert({where, true, path, message}).second) ++n_errors_;
}

void Diagnostics::warning(const Location& where, const std::string& path, const std::string& message) {
  messages_.insert({where, false, path, message});
}

std::vector<std::string> Diagnostics::lines() const {
  std::vector<std::string> result;
  for (const DiagnosticMessage& message : messages_) {
    if (result.size() == max_shown) {
      result.push_back("... and " + std::to_string(messages_.size() - max_shown) + " more messages");
      break;
    }
    result.push_back(message.text());
  }
  return result;
}

std::string Diagnostics::text() const {
  std::string result;
  for (const std::string& line : lines()) result += line + "\n";
  return result;
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw InputError(text(), {messages_.begin(), messages_.end()});
}

}  // namespace freeplay
