#pragma once

// What the program prints for other programs with --json.

#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/node.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// `{"ok": false, "errors": [{"file", "line", "column", "key", "message", "severity"}, ...]}`
std::string errors_as_json(const InputError& error);

/// What `freeplay check` says: bodies in their assembled places, joints, mobility, warnings, names of the columns of
/// the history, and the model as written (`as_written`).
std::string check_as_json(const ModelSpec& spec, const Assembled& assembled, const YamlNode& as_written);

}  // namespace freeplay
