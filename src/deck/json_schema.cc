#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/deck/shape.h"

namespace freeplay {

namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Shape& shape);

Json schema_of(const TableShape& table) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const KeyShape& key : table.keys) {
    Json property = schema_of(key.shape);
    property["description"] = key.description + (key.default_text.empty() ? "" : " Default: " + key.default_text + ".");
    properties[key.name] = std::move(property);
    if (key.required) required.push_back(key.name);
  }
  Json result = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!table.title.empty()) result["title"] = table.title;
  if (!required.empty()) result["required"] = std::move(required);
  if (table.exactly_one) {
    result["minProperties"] = 1;
    result["maxProperties"] = 1;
  }
  return result;
}

/// A number is a JSON number in SI units, or text with a unit or an expression.
Json number_schema(const Shape& shape) {
  Json plain = {{"type", shape.kind == Shape::Kind::integer ? "integer" : "number"}};
  const Range& range = shape.range;
  if (std::isfinite(range.low)) plain[range.open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) plain[range.open ? "exclusiveMaximum" : "maximum"] = range.high;
  return {{"anyOf", Json::array({std::move(plain), {{"type", "string"}}})}};
}

/// A word made of digits is a number to YAML.
Json choice_schema(const Shape& shape) {
  Json words = Json::array();
  for (const std::string& word : shape.choices) {
    const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
    words.push_back(is_number ? Json::parse(word) : Json(word));
  }
  return {{"enum", std::move(words)}};
}

Json list_schema(const Shape& shape) {
  Json result = {{"type", "array"}, {"items", schema_of(shape.parts.front())}};
  if (shape.min_items > 0) result["minItems"] = shape.min_items;
  if (shape.max_items > 0) result["maxItems"] = shape.max_items;
  return result;
}

Json map_schema(const Shape& shape) {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]*$"}}},
          {"additionalProperties", schema_of(shape.parts.front())}};
}

Json schema_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::number:
    case Shape::Kind::integer:
      return number_schema(shape);
    case Shape::Kind::text:
      return {{"type", Json::array({"string", "number", "boolean"})}};
    case Shape::Kind::boolean:
      return {{"type", "boolean"}};
    case Shape::Kind::choice:
      return choice_schema(shape);
    case Shape::Kind::list:
      return list_schema(shape);
    case Shape::Kind::map:
      return map_schema(shape);
    case Shape::Kind::table:
      return schema_of(*shape.table);
    case Shape::Kind::any_of: {
      Json possibilities = Json::array();
      for (const Shape& part : shape.parts) possibilities.push_back(schema_of(part));
      return {{"anyOf", std::move(possibilities)}};
    }
  }
  return {};
}

}  // namespace

std::string json_schema(const TableShape& root) {
  Json result = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"description", root.description}};
  result.update(schema_of(root));
  return result.dump(2) + "\n";
}

}  // namespace freeplay
