#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/analysis/stiction/rest_problem.h"

namespace freeplay {

enum class Verdict3 { no, yes, unknown };

struct Interval {
  double low, high;
};

/// All values that a force can have at rest.
struct ForceRange {
  double low = 0.0, high = 0.0;    ///< values that are possible [N]; infinite: without limit
  double least = 0.0, most = 0.0;  ///< bounds beyond which none is; nearly low and high
  bool is_unique = false;
  std::string reason;             ///< why it is unique
  std::vector<Interval> parts{};  ///< between low and high, in ascending order; none: no value was found

  bool has_gaps() const { return parts.size() > 1; }
  bool is_possible() const { return low <= high; }
};

struct JointCertificate {
  std::string name;
  double coefficient = 0.0;
  bool is_contact = false;             ///< it can open as well as slip
  std::vector<ForceRange> friction{};  ///< on the second body, in each direction of slip
  ForceRange normal{};
  Verdict3 may_slip = Verdict3::unknown;  ///< whether the equations of motion let it begin to slip
};

/// What the search was given up on.
struct OpenQuestion {
  std::string what;
  std::string joint;         ///< where the next direction of a reaction or slip would have been chosen
  double more_search = 1.0;  ///< times as much might decide it; infinite: cannot be told; 0: more does not help
};

/// What can be said for certain about a mechanism at rest: see doc/stiction.md.
struct StictionCertificate {
  std::vector<JointCertificate> joints;
  Verdict3 rest_is_possible = Verdict3::unknown;
  Verdict3 rest_is_guaranteed = Verdict3::unknown;
  /// Load factors; infinite: never. The first is never larger than the second.
  std::optional<double> first_possible_slip, certain_slip;
  /// What is known of them, also if they are not decided.
  Interval first_possible_slip_bounds{0.0, INFINITY}, certain_slip_bounds{0.0, INFINITY};
  /// If rest is not possible: the next larger load factor from which it is.
  std::optional<double> rest_begins;
  bool is_elastic = false;
  std::vector<std::string> open_contacts;  ///< that do not touch
  std::vector<OpenQuestion> open_questions;
  int n_self_stresses = 0;  ///< independent ways in which reactions and friction can balance each other without loads
};

/// `search`: how much, beside the usual, is searched before questions are given up.
StictionCertificate certify(const RestProblem& problem, double search = 1.0);

/// What `freeplay stiction` is asked for.
struct StictionRequest {
  RestQuestion question;
  bool json = false;  ///< print JSON instead of a table
};

/// The certificate of a model; with rigid beams, beside it that of the model as it is.
struct StictionReport {
  StictionCertificate certificate;
  std::optional<StictionCertificate> flexible;
};

StictionReport certify(const Assembled& assembled, const RestQuestion& question);

}  // namespace freeplay
