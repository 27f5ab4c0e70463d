#pragma once

// How laws come into the model file without the reader knowing any of them. A law adds itself to the list of its kind
// when the program starts, from the file that has its formula (laws/*/register.h).

#include <algorithm>
#include <string>
#include <vector>

#include "freeplay/deck/alternative.h"
#include "freeplay/deck/spec.h"

namespace freeplay {

/// The types of one kind of law, by name.
template <class Chosen>
class LawTypes {
 public:
  void add(Alternative<Chosen> type) {
    const auto place = std::ranges::lower_bound(list_, type.tag, {}, &Alternative<Chosen>::tag);
    list_.insert(place, std::move(type));
  }
  void remove(const std::string& tag) {
    std::erase_if(list_, [&](const Alternative<Chosen>& type) { return type.tag == tag; });
  }
  const std::vector<Alternative<Chosen>>& list() const { return list_; }

 private:
  std::vector<Alternative<Chosen>> list_;
};

LawTypes<ContactLawSpec>& contact_law_types();
LawTypes<FrictionLawSpec>& friction_law_types();
LawTypes<CouplingSpec>& coupling_types();
LawTypes<OutlineSpec>& outline_types();

/// A type of law with a struct of parameters, whose table of keys is Parameters::keys(). `complete` says what is made
/// of them.
template <class Parameters, class Chosen, class Complete>
Alternative<Chosen> law_type(const std::string& tag, const Complete& complete) {
  const auto table = std::make_shared<const Table<Parameters>>(Parameters::keys());
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader, Chosen& chosen) {
    Parameters parameters;
    table->read(node, where, reader, parameters);
    chosen.type = tag;
    chosen.parameters = std::make_shared<const Parameters>(parameters);
    complete(parameters, chosen);
  };
  const auto write = [=](const Chosen& chosen) {
    return table->write(*static_cast<const Parameters*>(chosen.parameters.get()));
  };
  return {tag,
          table->keys().description,
          table->shape(),
          read,
          write,
          [=](const Chosen& chosen) { return chosen.type == tag; }};
}

}  // namespace freeplay
