#pragma once

#include "freeplay/deck/expression.h"
#include "program.h"

namespace freeplay {

struct ParsedExpression {
  Program program;
  std::string resolved_text;  ///< with the values of the parameters put in
};

/// Throws ExpressionError.
ParsedExpression parse_expression(std::string_view text, const Parameters& parameters, Expression::Time time);

}  // namespace freeplay
