#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/expression.h"
#include "freeplay/deck/node.h"
#include "freeplay/deck/shape.h"

namespace freeplay {

/// What goes along while a file is read: the path to where we are, the parameters known so far, and what went wrong.
class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Parameters& parameters() { return parameters_; }

  /// Goes one key down for as long as it lives.
  class Scope {
   public:
    Scope(Reader& reader, std::string key) : reader_(reader) { reader_.path_.push_back(std::move(key)); }
    ~Scope() { reader_.path_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Reader& reader_;
  };

  std::string path() const;
  void error(const Location& where, const std::string& message);
  void warning(const Location& where, const std::string& message);
  /// Of all lists read so far: numbers without a unit beside others that have one.
  void warn_of_missing_units();
  /// The value is none of the words that are possible.
  void error_choice(const YamlNode& node, const std::vector<std::string>& choices);
  /// Something is wrong here that has been reported elsewhere.
  void fail() { failed_paths_.insert(path()); }

  /// True if something was wrong at this path or below. Checks that compare several values ask this first, so that
  /// one mistake gives one message.
  bool failed(const std::string& path) const;

  // Each returns nothing after reporting what is wrong.
  std::optional<Expression> expression(const YamlNode& node, std::string_view unit, Expression::Time time);
  std::optional<double> number(const YamlNode& node, std::string_view unit, const Range& range);
  /// A value of any dimension.
  std::optional<Quantity> quantity(const YamlNode& node, const Location& where);
  /// max_items = 0 allows any number; `choices`, if only some texts may stand in it, are named where it is no list.
  const YamlNode* list(const YamlNode& node, int min_items, int max_items,
                       const std::vector<std::string>& choices = {});

  /// Reports what is no map, unknown keys and keys that appear twice.
  bool check_keys(const YamlNode& node, const Location& where, const std::vector<std::string>& known);
  /// Reports what is no map, names that are not allowed and names that appear twice.
  bool check_names(const YamlNode& node);
  /// `{tag: ...}` with exactly one of the tags.
  const YamlNode::Entry* chosen(const YamlNode& node, const Location& where, const std::vector<std::string>& tags);

 private:
  /// The values of a list that may have units.
  struct ListOfNumbers {
    struct Value {
      Location where;
      std::string path, text, unit;  ///< the unit that a number without one has
    };
    std::vector<Value> without_unit;
    bool has_units = false;
  };

  void look_at_unit(const YamlNode& node, const Expression& expression, std::string_view unit);
  std::optional<Expression> any_expression(const YamlNode& node, Expression::Time time);
  bool check_map(const YamlNode& node, const Location& where);
  void check_duplicates(const YamlNode& node);

  Diagnostics& diagnostics_;
  Parameters parameters_;
  std::vector<std::string> path_;
  std::set<std::string> failed_paths_;
  std::map<std::string, ListOfNumbers> lists_;  ///< by path
};

/// The user's text for a message, cut if it is long.
std::string quotation(const YamlNode& node);

}  // namespace freeplay
