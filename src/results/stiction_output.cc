#include "freeplay/results/stiction_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

namespace {

const char* text_of(Verdict3 verdict) {
  switch (verdict) {
    case Verdict3::no:
      return "no";
    case Verdict3::yes:
      return "yes";
    case Verdict3::unknown:
      break;
  }
  return "not decided";
}

std::string number(double value) {
  if (std::isinf(value)) return value > 0.0 ? "no limit" : "-no limit";
  constexpr double nothing = 1e-9;
  return rounded_text(std::abs(value) < nothing ? 0.0 : value);
}

std::string name_of_friction(const JointCertificate& joint, std::size_t direction) {
  return joint.friction.size() == 1 ? "friction" : "friction " + std::to_string(direction + 1);
}

/// Whether the bounds say something that the values do not.
bool is_bracket(const ForceRange& range) {
  constexpr double close = 1e-3;
  const double size = std::max(std::abs(range.least), std::abs(range.most));
  return std::isfinite(size) && (range.low - range.least > close * size || range.most - range.high > close * size);
}

std::string line_of(const std::string& joint, const std::string& force, const ForceRange& range,
                    const ForceRange* flexible) {
  char line[256];
  std::snprintf(line, sizeof line, "  %-16.32s %-12s", joint.c_str(), force.c_str());
  std::string text = line;
  // Bounds that are left without a value that was found: the search was given up.
  if (!range.is_possible() && range.least <= range.most)
    return text + "   not decided (bounds " + number(range.least) + " ... " + number(range.most) + ")\n";
  if (!range.is_possible()) return text + "          none\n";
  if (range.is_unique) {
    std::snprintf(line, sizeof line, "%14s  unique: %s", number(0.5 * (range.low + range.high)).c_str(),
                  range.reason.c_str());
  } else {
    // Found were only values without limit; what is below them is not known.
    const bool low_is_open = std::isinf(range.low) && range.low > 0.0;
    std::snprintf(line, sizeof line, "%14s ... %s%s", number(low_is_open ? range.least : range.low).c_str(),
                  number(range.high).c_str(), range.has_gaps() ? " (with gaps)" : "");
  }
  text += line;
  if (is_bracket(range)) text += " (bounds " + number(range.least) + " ... " + number(range.most) + ")";
  if (flexible != nullptr && flexible->is_unique) text += "; with flexible beams " + number(flexible->low);
  return text + "\n";
}

std::string factor_text(const std::optional<double>& factor, const Interval& bounds) {
  if (!factor && std::isinf(bounds.high))
    return bounds.low > 0.0 ? "not decided: not below " + rounded_text(bounds.low) + " times the loads" : "not decided";
  if (!factor)
    return "not decided: between " + rounded_text(bounds.low) + " and " + rounded_text(bounds.high) +
           " times the loads";
  if (std::isinf(*factor)) return "never, however large the loads are";
  constexpr double nothing = 1e-3;
  if (*factor < nothing) return "at any load";
  return "at " + rounded_text(*factor) + " times the loads";
}

std::string rest_text(const StictionCertificate& certificate) {
  const std::string text = text_of(certificate.rest_is_possible);
  if (!certificate.rest_begins || std::isinf(*certificate.rest_begins)) return text;
  return text + ", but from " + rounded_text(*certificate.rest_begins) + " times the loads on";
}

std::string certain_slip_text(const StictionCertificate& certificate) {
  const bool rests_under_more = certificate.rest_begins && std::isfinite(*certificate.rest_begins);
  if (rests_under_more && certificate.certain_slip == 0.0) return "at these and all smaller loads";
  return factor_text(certificate.certain_slip, certificate.certain_slip_bounds);
}

std::string first_slip_text(const StictionCertificate& certificate) {
  return factor_text(certificate.first_possible_slip, certificate.first_possible_slip_bounds);
}

/// What is missing, and how much more search might find it.
std::string open_questions_text(const StictionCertificate& certificate) {
  constexpr std::size_t most_lines = 6;
  std::string text;
  double most = 0.0;
  for (std::size_t k = 0; k < certificate.open_questions.size(); ++k) {
    const OpenQuestion& open = certificate.open_questions[k];
    most = std::max(most, open.more_search);
    if (k > most_lines) continue;
    text += "  not decided          ";
    if (k == most_lines) {
      text += "and " + std::to_string(certificate.open_questions.size() - k) + " more: see stiction.json\n";
      continue;
    }
    text += open.what;
    if (!open.joint.empty()) text += "; the directions of forces in " + open.joint + " are open";
    text += "\n";
  }
  if (most == 0.0) return text;
  constexpr double worth_trying = 1000.0;
  if (most < worth_trying)
    return text + "                       --search " + rounded_text(std::ceil(2.0 * most)) + " might decide it\n";
  return text + "                       --search 10 searches ten times as long; what it takes cannot be told\n";
}

bool has_no_limit(const StictionCertificate& certificate) {
  const auto is_unlimited = [](const ForceRange& range) {
    return range.is_possible() && (std::isinf(range.low) || std::isinf(range.high));
  };
  return std::any_of(certificate.joints.begin(), certificate.joints.end(), [&](const JointCertificate& joint) {
    return is_unlimited(joint.normal) || std::any_of(joint.friction.begin(), joint.friction.end(), is_unlimited);
  });
}

/// What `no limit` means, and what can be done about it. Empty: all forces have limits.
std::vector<std::string> hint_of(const EngineJob& job, const StictionCertificate& certificate) {
  if (!has_no_limit(certificate)) return {};
  std::vector<std::string> lines{"redundant joints can press against each other as much as they like"};
  const auto is_spatial = [](const Node& node) {
    return std::none_of(node.fixed.begin(), node.fixed.end(), [](bool fixed) { return fixed; });
  };
  const auto& nodes = job.assembled->model.nodes;
  if (std::none_of(nodes.begin(), nodes.end(), is_spatial)) return lines;
  lines.emplace_back("If the mechanism moves in a plane, give its bodies fix: [z, rx, ry]: else forces out of the");
  lines.emplace_back("plane, which nothing limits, make any friction possible");
  return lines;
}

std::string loads_text(const EngineJob& job) {
  const RestQuestion& question = job.stiction->question;
  std::string text = "at rest under the loads at t = " + rounded_text(question.time) + " s";
  if (!question.scaled.empty()) text += "; the load factor multiplies " + joined(question.scaled);
  return text;
}

std::string uniqueness_text(const StictionCertificate& certificate) {
  const int n = certificate.n_self_stresses;
  if (n == 0) return "equilibrium leaves no choice of forces";
  return "reactions and friction can balance each other without loads in " + std::to_string(n) +
         (n == 1 ? " way" : " ways") + ": forces need not be unique";
}

std::string slipping_joints(const StictionCertificate& certificate) {
  std::vector<std::string> names;
  bool may_open = false;
  for (const JointCertificate& joint : certificate.joints) {
    if (joint.may_slip != Verdict3::yes) continue;
    names.push_back(joint.name);
    may_open |= joint.is_contact;
  }
  return names.empty() ? "" : ": " + joined(names) + " may begin to slip" + (may_open ? " or open" : "");
}

nlohmann::ordered_json json_of(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json json_of(const Interval& interval) { return {json_of(interval.low), json_of(interval.high)}; }

nlohmann::ordered_json json_of(const ForceRange& range) {
  nlohmann::ordered_json json{{"low", json_of(range.low)},
                              {"high", json_of(range.high)},
                              {"bounds", {json_of(range.least), json_of(range.most)}},
                              {"unique", range.is_unique},
                              {"gaps", range.has_gaps()}};
  json["parts"] = nlohmann::ordered_json::array();
  for (const Interval& part : range.parts) json["parts"].push_back(json_of(part));
  if (!range.reason.empty()) json["reason"] = range.reason;
  return json;
}

nlohmann::ordered_json json_of(const std::optional<double>& factor) {
  if (!factor) return "not decided";
  return std::isinf(*factor) ? nlohmann::ordered_json("never") : nlohmann::ordered_json(*factor);
}

nlohmann::ordered_json json_of(const StictionCertificate& certificate) {
  nlohmann::ordered_json joints = nlohmann::ordered_json::object();
  for (const JointCertificate& joint : certificate.joints) {
    nlohmann::ordered_json entry{{"static_coefficient", joint.coefficient},
                                 {"friction_force", nlohmann::ordered_json::array()}};
    for (const ForceRange& range : joint.friction) entry["friction_force"].push_back(json_of(range));
    entry["normal_force"] = json_of(joint.normal);
    entry["may_slip"] = text_of(joint.may_slip);
    joints[joint.name] = entry;
  }
  nlohmann::ordered_json json{{"rest_is_possible", text_of(certificate.rest_is_possible)},
                              {"rest_is_guaranteed", text_of(certificate.rest_is_guaranteed)},
                              {"first_possible_slip", json_of(certificate.first_possible_slip)}};
  if (!certificate.first_possible_slip)
    json["first_possible_slip_bounds"] = json_of(certificate.first_possible_slip_bounds);
  if (certificate.rest_is_possible == Verdict3::no) json["rest_begins"] = json_of(certificate.rest_begins);
  if (!certificate.is_elastic) {
    json["certain_slip"] = json_of(certificate.certain_slip);
    if (!certificate.certain_slip) json["certain_slip_bounds"] = json_of(certificate.certain_slip_bounds);
  }
  json["elastic"] = certificate.is_elastic;
  json["self_stresses"] = certificate.n_self_stresses;
  json["joints"] = joints;
  if (!certificate.open_contacts.empty()) json["no_contact"] = certificate.open_contacts;
  for (const OpenQuestion& open : certificate.open_questions)
    json["not_decided"].push_back(
        {{"what", open.what}, {"joint", open.joint}, {"more_search", json_of(open.more_search)}});
  return json;
}

}  // namespace

std::string stiction_table(const EngineJob& job, const StictionReport& report) {
  const StictionCertificate& certificate = report.certificate;
  std::string text = job.model.title.empty() ? "" : job.model.title + "\n";
  text += loads_text(job) + "\n" + uniqueness_text(certificate) + "\n";
  text += "  joint            force            values that are possible [N]\n";
  for (std::size_t j = 0; j < certificate.joints.size(); ++j) {
    const JointCertificate& joint = certificate.joints[j];
    const JointCertificate* flexible = report.flexible ? &report.flexible->joints[j] : nullptr;
    for (std::size_t d = 0; d < joint.friction.size(); ++d)
      text += line_of(joint.name, name_of_friction(joint, d), joint.friction[d],
                      flexible ? &flexible->friction[d] : nullptr);
    text += line_of("", "normal", joint.normal, flexible ? &flexible->normal : nullptr);
  }
  const std::vector<std::string> hint = hint_of(job, certificate);
  for (std::size_t k = 0; k < hint.size(); ++k)
    text += (k == 0 ? "  no limit             " : "                       ") + hint[k] + "\n";
  text += "  rest is possible     " + rest_text(certificate) + "\n";
  text += std::string("  rest is guaranteed   ") + text_of(certificate.rest_is_guaranteed) +
          slipping_joints(certificate) + "\n";
  text += "  first possible slip  " + first_slip_text(certificate) + "\n";
  if (!certificate.is_elastic) text += "  certain slip         " + certain_slip_text(certificate) + "\n";
  if (report.flexible)
    text += std::string("  with flexible beams  rest is possible: ") + text_of(report.flexible->rest_is_possible) +
            "; first slip " + first_slip_text(*report.flexible) + "\n";
  if (!certificate.open_contacts.empty())
    text += "  no contact           " + joined(certificate.open_contacts) + ": a gap, and no force\n";
  text += open_questions_text(certificate);
  return text;
}

nlohmann::ordered_json stiction_json(const EngineJob& job, const StictionReport& report) {
  nlohmann::ordered_json json{
      {"model", job.model.file}, {"title", job.model.title}, {"time", job.stiction->question.time}};
  json["scaled_loads"] = job.stiction->question.scaled;
  json["rigid_beams"] = job.stiction->question.rigid_beams;
  json.update(json_of(report.certificate));
  if (const auto hint = hint_of(job, report.certificate); !hint.empty()) json["hint"] = joined(hint, " ");
  if (report.flexible) json["flexible"] = json_of(*report.flexible);
  json["results"] = job.output_directory;
  return json;
}

}  // namespace freeplay
