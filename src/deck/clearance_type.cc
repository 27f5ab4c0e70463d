#include "freeplay/deck/clearance_type.h"

#include <algorithm>
#include <stdexcept>

#include "freeplay/base/names.h"
#include "tables.h"

namespace freeplay {

namespace {

using Clearance = ClearanceSpec;

std::vector<ClearanceTypeKeys>& known_clearance_types() {
  static std::vector<ClearanceTypeKeys> types;
  return types;
}

}  // namespace

std::span<const ClearanceTypeKeys> clearance_type_keys() { return known_clearance_types(); }

const ClearanceTypeKeys& clearance_type_keys(const std::string& name) {
  const auto found = std::ranges::find(known_clearance_types(), name, &ClearanceTypeKeys::name);
  if (found == known_clearance_types().end())
    throw std::logic_error("no joint with clearance is called '" + name + "'");
  return *found;
}

void add_clearance_type(ClearanceTypeKeys type) { known_clearance_types().push_back(std::move(type)); }

Format<std::array<FrameRef, 2>> two_places() { return array_of<2>(frame_reference()); }

Format<std::string> law_reference(const std::string& what) {
  const auto read = [=](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    const YamlNode::Entry* law = node.kind == YamlNode::Kind::map ? node.find("law") : nullptr;
    const bool is_ideal_form = law != nullptr && law->value.kind == YamlNode::Kind::scalar;
    reader.error(node.where,
                 "must be the name of a law in '" + what + "', not " + node.kind_text() +
                     (is_ideal_form ? "; in a joint with clearance write only '" + law->value.text + "'" : ""));
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name in `" + what + "`"}, read, [](const std::string& name) {
            return name.empty() ? YamlNode{} : YamlNode::scalar(name);
          }};
}

Format<double> size_of_a_part(const Range& range) {
  const Format<double> plain = number("m", range);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    const std::optional<double> size = plain.read(node, where, reader);
    if (size && *size != 0.0 && !is_size_of_a_part(*size))
      reader.error(node.where, "is " + rounded_text(*size) + " m; look at the units");
    return size;
  };
  return {plain.shape(), read, [=](const double& size) { return plain.write(size); }};
}

void add_contact_keys(Table<Clearance>& table) {
  table.required("contact", &Clearance::contact, law_reference("contacts"), "Contact law.")
      .place(&Clearance::contact_where);
  table.optional("friction", &Clearance::friction, law_reference("frictions"), "Friction law; if absent: none.")
      .place(&Clearance::friction_where);
  table.optional("penetration", &Clearance::penetration, number("m", above(0)),
                 "Characteristic penetration: the step is such that the gap changes by about this near contact. If "
                 "absent, the step follows from `tolerance`, also in contact.");
  table.optional("nearness", &Clearance::nearness, number("", above(0)),
                 "With `penetration`: distance, in characteristic penetrations, from which on a contact is near.");
  table.optional("growth", &Clearance::growth, number("", at_least(0)),
                 "With `penetration`: how fast the step grows with the distance.");
}

std::vector<Alternative<ClearanceSpec>> clearance_types() {
  std::vector<Alternative<ClearanceSpec>> types;
  for (const ClearanceTypeKeys& type : known_clearance_types())
    types.push_back(alternative(type.name, type.table, &ClearanceSpec::type, type.name));
  return types;
}

}  // namespace freeplay
