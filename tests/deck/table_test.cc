#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "freeplay/deck/alternative.h"

namespace freeplay {
namespace {

struct Wheel {
  enum class Kind { plain, spoked };
  std::string name;
  Location where;
  Kind kind = Kind::plain;
  double radius = 0.0;
  int spokes = 8;
};

struct Cart {
  std::string owner = "nobody";
  std::vector<Parameter> parameters;
  Vec3 size = Vec3::Ones();
  std::optional<Mat3> rotation;
  std::optional<TimeFunction> speed;
  Pairs curve;
  bool painted = false;
  std::vector<Wheel> wheels;
};

Table<Cart> cart_table() {
  Table<Wheel> plain("Plain wheel", "A disk.");
  plain.required("radius", &Wheel::radius, number("m", above(0)), "Its radius.");
  Table<Wheel> spoked = plain;
  spoked.optional("spokes", &Wheel::spokes, integer(at_least(3)), "How many.");
  Table<Cart> table("Cart", "A cart.");
  table.optional("parameters", &Cart::parameters, parameters(), "Numbers.");
  table.optional("owner", &Cart::owner, text(), "Whose it is.");
  table.optional("size", &Cart::size, vector3("m"), "Edges.");
  table.optional("rotation", &Cart::rotation, rotation(), "Orientation.");
  table.optional("speed", &Cart::speed, time_function("m/s"), "Speed.");
  table.optional("curve", &Cart::curve, pairs("s", "m"), "Curve.");
  table.optional("painted", &Cart::painted, boolean(), "Colour.");
  Things<Cart> wheels;
  wheels.type(&Cart::wheels, alternative("plain", plain, &Wheel::kind, Wheel::Kind::plain));
  wheels.type(&Cart::wheels, alternative("spoked", spoked, &Wheel::kind, Wheel::Kind::spoked));
  wheels.add_to(table, "wheels", "Wheels.");
  return table;
}

struct Result {
  Cart cart;
  std::string errors;
};

Result read(const std::string& text) {
  Diagnostics diagnostics;
  Reader reader(diagnostics);
  Result result;
  try {
    cart_table().read(parse_yaml(text, "cart"), {"cart", 1, 1}, reader, result.cart);
  } catch (const SyntaxError& error) {
    diagnostics.error(error.where(), "", error.what());
  }
  result.errors = diagnostics.text();
  return result;
}

// Each kind of value arrives in its member, in SI units.
TEST(Table, reads_values) {
  const auto [cart, errors] = read(R"(
parameters: {w: 50 cm}
owner: 12
size: [${w}, 2 * ${w}, 3]
rotation: {rxyz: [0, 0, 90 deg]}
speed: {table: [[0 s, 0 m/s], [2 s, 4 m/s]]}
curve: [[1, 2 mm], [2, 3 mm]]
painted: true
wheels: {left: {spoked: {radius: 1 m}}, right: {plain: {radius: 0.4}}}
)");
  EXPECT_EQ(errors, "");
  EXPECT_EQ(cart.owner, "12");
  EXPECT_EQ(cart.size, Vec3(0.5, 1, 3));
  EXPECT_LT((*cart.rotation * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ((*cart.speed)(0.5), 1.0);
  EXPECT_EQ((*cart.speed)(-1), 0.0);
  EXPECT_EQ(cart.speed->jet(0.0).rate, 2.0);
  EXPECT_EQ((*cart.speed)(9), 4.0);
  EXPECT_EQ(cart.speed->corners(), (std::vector<double>{0, 2}));
  EXPECT_EQ(cart.curve[1][1], 3e-3);
  EXPECT_TRUE(cart.painted);
  ASSERT_EQ(cart.wheels.size(), 2u);
  EXPECT_EQ(cart.wheels[0].name, "left");
  EXPECT_EQ(cart.wheels[0].kind, Wheel::Kind::spoked);
  EXPECT_EQ(cart.wheels[0].spokes, 8);
  EXPECT_EQ(cart.wheels[1].where.line, 9);
}

// Every kind of mistake has its own message, and one does not hide another.
TEST(Table, messages) {
  EXPECT_EQ(
      read(R"(
ownr: me
size: [1, 2]
rotation: {axis: [0, 0, 1]}
speed: 3 m
curve: [[1, 2], [1, 3]]
painted: yes
wheels:
  a: {spoked: {radius: -0.2 mm, spokes: 2.5, hub: 1}}
  b: {square: {}}
  b: plain
  a.b: {plain: {}}
owner: [1]
)")
          .errors,
      "cart:2:1: error: ownr: unknown key, did you mean 'owner'? (possible here: parameters, owner, size, rotation, "
      "speed, curve, painted, wheels)\n"
      "cart:3:7: error: size: must be a list of 3 values, not of 2\n"
      "cart:4:1: error: rotation: needs exactly one of {axis, angle}, {matrix} and {rxyz}\n"
      "cart:5:8: error: speed: 3 m is a length [m], but a velocity [m/s] is needed\n"
      "cart:6:17: error: curve.1: 1 must be greater than the value before it\n"
      "cart:7:10: error: painted: must be true or false, not 'yes'\n"
      "cart:9:24: error: wheels.a.spoked.radius: -0.2 mm must be > 0\n"
      "cart:9:41: error: wheels.a.spoked.spokes: 2.5 must be >= 3\n"
      "cart:9:46: error: wheels.a.spoked.hub: unknown key (possible here: radius, spokes)\n"
      "cart:10:7: error: wheels.b.square: unknown key (possible here: plain, spoked)\n"
      "cart:11:3: error: wheels.b: given twice, first in line 10\n"
      "cart:11:3: error: wheels.b: needs exactly one of: plain, spoked, not 'plain'; write {plain: {}}\n"
      "cart:12:3: error: wheels.a.b.plain: the key 'radius' is missing\n"
      "cart:12:3: error: wheels.a.b: 'a.b' is not a name: a letter or _, then letters, digits, _ or -\n"
      "cart:13:8: error: owner: must be text, not a list\n");
}

// Parameters are known only after their definition; a broken one is reported once.
TEST(Table, parameters) {
  EXPECT_EQ(read("parameters: {a: '${b}', b: 1 m, c: '2 *', t: 3}\nsize: [${c}, 1, 1]").errors,
            "cart:1:18: error: parameters.a: '${b}' uses the unknown parameter 'b'\n"
            "cart:1:40: error: parameters.c: '2 *' ends too early, a value is missing\n"
            "cart:1:43: error: parameters.t: this name is reserved for the time in expressions, choose another\n");
}

// What is not a rotation is refused, and a typed matrix is made orthogonal.
TEST(Table, rotation_matrix) {
  EXPECT_EQ(read("rotation: {matrix: [[1,0,0],[0,1,0],[0,0,2]]}").errors,
            "cart:1:11: error: rotation: is not a rotation matrix: its rows must be unit vectors at right angles to "
            "each other\n");
  EXPECT_EQ(read("rotation: {matrix: [[1,0,0],[0,1,0],[0,0,-1]]}").errors,
            "cart:1:11: error: rotation: is a reflection, not a rotation: its determinant must be 1, not -1\n");
  const Mat3 r = *read("rotation: {matrix: [[0.8660,-0.5,0],[0.5,0.8660,0],[0,0,1]]}").cart.rotation;
  EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-15);
}

// What is written is read again as the same, in the same order.
TEST(Table, round_trip) {
  const Cart cart = read(R"(
owner: "a: [b]"
rotation: {axis: [1, 2, 3], angle: 0.7}
speed: if(t < 1 s, 0, 3 mm/s)
wheels: {b: {spoked: {radius: 0.1}}, a: {plain: {radius: 0.3}}, c: {spoked: {radius: 1/3}}}
)")
                        .cart;
  const std::string text = to_yaml(cart_table().write(cart));
  const auto [again, errors] = read(text);
  EXPECT_EQ(errors, "");
  EXPECT_EQ(again.owner, cart.owner);
  EXPECT_EQ(*again.rotation, *cart.rotation);
  EXPECT_EQ((*again.speed)(2), (*cart.speed)(2));
  ASSERT_EQ(again.wheels.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.wheels[i].name, cart.wheels[i].name);
    EXPECT_EQ(again.wheels[i].radius, cart.wheels[i].radius);
  }
  EXPECT_EQ(to_yaml(cart_table().write(again)), text);
}

// YAML that is legal but hostile is refused quickly.
TEST(Yaml, hostile_files) {
  std::string laughs = "a: &a [1,1,1,1,1,1,1,1,1,1]\n";
  for (char c = 'b'; c <= 'k'; ++c) {
    laughs += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) laughs += std::string(i > 0 ? "," : "") + "*" + static_cast<char>(c - 1);
    laughs += "]\n";
  }
  EXPECT_NE(read(laughs).errors.find("error: too many values (more than 1000000)"), std::string::npos);
  EXPECT_EQ(read("a: &a [*a]").errors, "cart:1:8: error: this alias is part of what it stands for\n");
  EXPECT_NE(read(std::string(100000, '[')).errors.find("nested too deeply"), std::string::npos);
  EXPECT_NE(read(std::string("a: \0", 4)).errors.find("this is not a text file"), std::string::npos);
  EXPECT_EQ(read("wheels:\n\ta: 1\n").errors,
            "cart:2:3: error: this is not valid YAML: tabs cannot be used for indentation, use spaces\n");
  EXPECT_EQ(read("{a: 1}\n---\n{b: 1}").errors, "cart:3:1: error: there is a second document ('---') in the file\n");
  EXPECT_EQ(read("{[1, 2]: 1}").errors, "cart:1:2: error: a key must be a word, not a list\n");
  EXPECT_EQ(read("[1]").errors, "cart:1:1: error: must be a table of keys, not a list\n");
}

// An alias used well means what it stands for.
TEST(Yaml, aliases) {
  const auto [cart, errors] = read("size: &s [1, 2, 3]\nwheels: {a: &w {plain: {radius: 2}}, b: *w}");
  EXPECT_EQ(errors, "");
  EXPECT_EQ(cart.wheels[1].radius, 2.0);
}

// The schema is JSON, and it and the reference mention every key with its description.
TEST(Table, schema_and_reference) {
  const TableShape keys = cart_table().keys();
  const auto schema = nlohmann::json::parse(json_schema(keys));
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const std::string reference = markdown_reference(keys);
  for (const KeyShape& key : keys.keys) {
    EXPECT_TRUE(schema["properties"].contains(key.name));
    EXPECT_NE(reference.find("| `" + key.name + "` |"), std::string::npos);
  }
  const auto& wheel = schema["properties"]["wheels"]["additionalProperties"];
  EXPECT_EQ(wheel["maxProperties"], 1);
  EXPECT_EQ(wheel["properties"]["spoked"]["required"], nlohmann::json::array({"radius"}));
  EXPECT_EQ(wheel["properties"]["spoked"]["properties"]["radius"]["anyOf"][0]["exclusiveMinimum"], 0.0);
  EXPECT_NE(reference.find("`wheels.NAME.spoked`: Plain wheel"), std::string::npos);
  EXPECT_NE(reference.find("| `spokes` | whole number, >= 3 | `8` | How many. |"), std::string::npos);
}

}  // namespace
}  // namespace freeplay
