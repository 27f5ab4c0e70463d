#pragma once

#include <string>
#include <utility>
#include <vector>

#include "freeplay/deck/node.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// `--set a.b.c=text`: replaces (or adds) the value at a dotted path of the file before anything is checked.
struct Override {
  std::string path;
  std::string value;
};

/// The text of a model file, to be read once: the file may be a pipe. Throws InputError.
std::string read_model_file(const std::string& file);

/// Reads and checks the text of a model file, which has this name in messages. Throws InputError with all of them at
/// once.
ModelSpec read_model_text(const std::string& text, const std::string& name,
                          const std::vector<Override>& overrides = {});

/// The file as a tree, with what the overrides put in; nothing is checked but the syntax. Throws InputError.
YamlNode model_tree(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {});

/// JSON Schema (draft 2020-12) of the model file, for editors: `freeplay schema`.
std::string model_json_schema();

/// Reference of all keys in Markdown: doc/input.md.
std::string model_reference();

}  // namespace freeplay
