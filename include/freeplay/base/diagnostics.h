#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "freeplay/base/location.h"

namespace freeplay {

/// One thing that is wrong, or looks so.
struct DiagnosticMessage {
  Location where;
  bool is_error = true;  ///< or a warning
  std::string path;      ///< dotted path of the key (`joints.pin.clearance`), empty for the file as a whole
  std::string message;

  /// As printed: `model.yaml:41:9: error: joints.pin.clearance: ...`
  std::string text() const;
};

/// Collects everything that is wrong with a model, so that the user sees all of it at once.
class Diagnostics {
 public:
  /// `path` is the dotted path of the key (`joints.pin.clearance`), empty for the file as a whole.
  void error(const Location& where, const std::string& path, const std::string& message);
  void warning(const Location& where, const std::string& path, const std::string& message);

  bool has_errors() const { return n_errors_ > 0; }
  int n_errors() const { return n_errors_; }

  /// One line per message, in the order of the file: `model.yaml:41:9: error: joints.pin.clearance: ...`.
  /// The same message at the same place appears once; of very many messages only the first are shown.
  std::string text() const;
  std::vector<std::string> lines() const;

  /// Throws InputError with text() and all messages if there is an error.
  void throw_if_errors() const;

 private:
  struct ByPlace {
    bool operator()(const DiagnosticMessage& a, const DiagnosticMessage& b) const;
  };
  std::set<DiagnosticMessage, ByPlace> messages_;
  int n_errors_ = 0;
};

/// The user's model is wrong (exit code 2). what() is the finished text for the terminal, one line per error.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  InputError(const std::string& text, std::vector<DiagnosticMessage> messages)
      : std::runtime_error(text), messages_(std::move(messages)) {}

  /// The same for programs; empty if what() is not about a place in a file.
  const std::vector<DiagnosticMessage>& messages() const { return messages_; }

 private:
  std::vector<DiagnosticMessage> messages_;
};

/// The model is right but the computation failed (exit code 3).
class NumericalFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace freeplay
