#include <gtest/gtest.h>

#include "freeplay/deck/model_file.h"
#include "freeplay/laws/contact/register.h"
#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// A friction law of somebody who knows nothing of the program but doc/extending.md.
struct Syrup : OneCoefficient {
  double velocity = 0.1;  ///< [m/s]

  static Table<Syrup> keys() {
    Table<Syrup> table("Friction syrup", "mu v/v_0 without end.");
    add_coefficient(table);
    table.optional("velocity", &Syrup::velocity, number("m/s", above(0)), "v_0, where it is mu.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const { return std::make_shared<AlgebraicFriction<Syrup>>(*this); }

  template <class T>
  T coefficient(const T& v) const {
    return mu * v / velocity;
  }
  double slope() const { return mu / velocity; }
  double stick_velocity() const { return velocity; }
};

/// A name that no list of examples must know: it is gone before other tests look (tests/laws/law_examples.h).
class OwnLaw : public testing::Test {
 protected:
  OwnLaw() { const RegisterFriction<Syrup> syrup("syrup"); }
  ~OwnLaw() override { friction_law_types().remove("syrup"); }
};

const char* const model_text =
    "freeplay: 1\n"
    "bodies: {ball: {rigid: {mass: 1}}}\n"
    "contacts: {soft: {linear: {stiffness: 1 kN/m}}}\n"
    "frictions: {sticky: {syrup: {coefficient: 0.3}}}\n"
    "joints: {floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 1, contact: soft, friction: "
    "sticky}}}\n"
    "analysis: {dynamic: {end: 1}}\n";

// Protects: a law is one file: registered, it is read, written, checked, documented and makes its formula.
TEST_F(OwnLaw, is_found_by_reader_schema_and_reference) {
  const ModelSpec model = read_model_text(model_text, "model.yaml");
  const FrictionLawSpec& law = model.frictions.front();
  EXPECT_EQ(law.type, "syrup");
  EXPECT_EQ(law.static_coefficient, 0.3);
  EXPECT_DOUBLE_EQ(law.make()->force({0.2, 0.0, 0.0}, 5.0, Vec3::Zero()).x(), 5.0 * 0.3 * 2.0);
  EXPECT_NE(model.resolved.find("velocity: 0.1"), std::string::npos) << model.resolved;
  EXPECT_NO_THROW(read_model_text(model.resolved, "resolved"));
  EXPECT_NE(model_json_schema().find("\"syrup\""), std::string::npos);
  EXPECT_NE(model_reference().find("mu v/v_0 without end."), std::string::npos);
  EXPECT_THROW(read_model_text(model_text, "model.yaml", {{"frictions.sticky.syrup.coefficient", "-1"}}), InputError);
}

// Protects: a type that nobody has registered is an error with a hint, not a contact without damping.
TEST_F(OwnLaw, is_gone_with_its_registration) {
  friction_law_types().remove("syrup");
  try {
    read_model_text(model_text, "model.yaml");
    FAIL() << "an unknown law was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("syrup"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace freeplay
