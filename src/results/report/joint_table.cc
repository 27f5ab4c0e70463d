#include "freeplay/results/report/joint_table.h"

#include <algorithm>
#include <cmath>

#include "freeplay/results/report/json_access.h"

namespace freeplay {

namespace {

using nlohmann::json;

struct NamedJoint {
  std::string name, type;
  bool has_contacts = false;
};

std::vector<NamedJoint> joints_of(const RunResults& results) {
  std::vector<NamedJoint> joints;
  if (member(results.scene, "joints").is_array()) {
    for (const json& joint : results.scene["joints"])
      joints.push_back({text_or(joint, "name", ""), text_or(joint, "type", ""), !member(joint, "clearance").is_null()});
  } else if (const json& loads = member(results.summary, "largest_joint_loads"); loads.is_object()) {
    for (const auto& [name, ignored] : loads.items()) joints.push_back({name, "", results.history.has(name + ".gap")});
  }
  return joints;
}

json number_or_null(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number() ? value : json(nullptr);
}

/// `quantity` is force or moment. A run that was killed has no summary, but rows.
json largest(const RunResults& results, const std::string& joint, const std::string& quantity, bool use_summary) {
  const json& of_rows = member(member(member(results.summary, "largest_joint_loads"), joint), quantity);
  if (use_summary && member(of_rows, "value").is_number()) return of_rows;
  const auto in_history = results.history.largest(joint + "." + quantity);
  if (!in_history) return nullptr;
  return {{"value", in_history->value}, {"time", in_history->time}};
}

/// Contacts are followed in every step, joints only in the rows that are written.
json larger(const json& a, const json& b) {
  if (!member(b, "value").is_number()) return a;
  return number_or(a, "value", -1.0) >= number_or(b, "value", 0.0) ? a : b;
}

}  // namespace

json joint_table(const RunResults& results) {
  const bool use_summary = !results.summary_is_old();
  json table = json::array();
  for (const NamedJoint& joint : joints_of(results)) {
    const json& use = use_summary ? member(member(results.summary, "joint_use"), joint.name) : member(nullptr, "");
    const json force = largest(results, joint.name, "force", use_summary);
    const bool counts = joint.has_contacts && results.events.is_there();
    table.push_back({{"name", joint.name},
                     {"type", joint.type},
                     {"largest_force", larger(force, member(use, "largest_contact_force"))},
                     {"largest_moment", largest(results, joint.name, "moment", use_summary)},
                     {"touches", counts ? json(results.events.count(joint.name, "touch")) : json(nullptr)},
                     {"impacts", counts ? json(results.events.count(joint.name, "impact")) : json(nullptr)},
                     {"contact_fraction", number_or_null(use, "contact_fraction")},
                     {"stick_fraction", number_or_null(use, "stick_fraction")},
                     {"friction_loss", number_or_null(use, "friction_loss")},
                     {"contact_loss", number_or_null(use, "contact_loss")}});
  }
  return table;
}

}  // namespace freeplay
