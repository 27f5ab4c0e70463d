#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/deck/expression.h"
#include "program.h"

namespace freeplay {

/// The text of an expression and how far it has been read.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

 protected:
  [[noreturn]] void fail(const std::string& message) const { throw ExpressionError(message, position_); }

  bool take(std::string_view symbol) {
    if (text_.substr(position_, symbol.size()) != symbol) return false;
    position_ += symbol.size();
    skip_spaces();
    return true;
  }

  std::string_view word() const {
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || std::isdigit(static_cast<unsigned char>(text_[end])))) ++end;
    return end > position_ && is_letter(text_[position_]) ? text_.substr(position_, end - position_)
                                                          : std::string_view();
  }

  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
  bool at_end() const { return position_ >= text_.size(); }
  void skip_spaces() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[position_]))) ++position_;
  }

  bool is_followed_by_dot(std::string_view word) const {
    const std::size_t end = position_ + word.size();
    return end + 1 < text_.size() && text_[end] == '.' && is_letter(text_[end + 1]);
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

/// A program on its way, whose stack must not grow too far.
class InstructionWriter {
 protected:
  void emit(Op op, std::size_t offset) { emit({.op = op, .offset = offset}); }

  void emit(const Instruction& instruction) {
    code_.push_back(instruction);
    if (instruction.op == Op::jump || instruction.op == Op::jump_if_zero) return;
    stack_ += 1 - static_cast<std::size_t>(n_operands(instruction.op));
    if (stack_ > max_stack) throw ExpressionError("is nested too deeply", instruction.offset);
  }

  std::size_t emit_jump(Op op, std::size_t offset) {
    emit(op, offset);
    return code_.size() - 1;
  }

  void land(std::size_t jump) { code_[jump].skip = code_.size() - jump - 1; }

  /// What was written since, which leaves one number, is not to be done here.
  void take_back(std::size_t begin) {
    code_.resize(begin);
    --stack_;
  }

  std::vector<Instruction> code_;

 private:
  std::size_t stack_ = 0;
};

}  // namespace freeplay
