#pragma once

#include <string>

namespace freeplay {

/// A place in an input file: every name the user wrote keeps the place where it was written, so that an error found
/// much later (while assembling, while stepping) can still name the line.
struct Location {
  std::string file;
  int line = 0;    ///< from 1; 0 if the value is a default or came from the command line
  int column = 0;  ///< from 1
};

}  // namespace freeplay
