#include <gtest/gtest.h>

#include "freeplay/deck/model_file.h"
#include "freeplay/deck/tapered_section.h"
#include "freeplay/laws/contact/register.h"
#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"
#include "freeplay/laws/section/register.h"

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

/// An outline of the same somebody: a square on its corner.
struct Diamond {
  double side = 0.0;  ///< [m]

  static auto lengths() { return std::array{&Diamond::side}; }
  static Table<Diamond> keys() {
    Table<Diamond> table("Diamond", "A square on its corner.");
    table.required("side", &Diamond::side, number("m", above(0)), "Side.");
    return table;
  }
  SectionGeometry geometry() const {
    const double I = side * side * side * side / 12;
    return {side * side, {I, I}, 1.69 * I};
  }
  std::array<double, 2> shear_correction(double) const { return {0.5, 0.25}; }
  DrawnOutline drawn() const { return {.has_corners = true, .outer = {side, side, 0.0}}; }
};

class OwnOutline : public testing::Test {
 protected:
  OwnOutline() { const RegisterOutline<Diamond> diamond("diamond"); }
  ~OwnOutline() override { outline_types().remove("diamond"); }
};

const char* const beam_text =
    "freeplay: 1\n"
    "sections: {s: {material: {E: 2, G: 1, density: 3}, diamond: {side: 2}}, "
    "u: {material: {E: 2, G: 1, density: 3}, diamond: {side: 4}}}\n"
    "bodies: {b: {beam: {from: [0, 0, 0], to: [1, 0, 0], section: [{at: 0, section: s}, {at: 1, section: u}]}}}\n"
    "analysis: {dynamic: {end: 1}}\n";

// Protects: an outline is one file: read, written, documented, it makes stiffness, tapers and is drawn.
TEST_F(OwnOutline, is_found_by_reader_schema_reference_and_beams) {
  const ModelSpec model = read_model_text(beam_text, "model.yaml");
  const SectionSpec& section = model.sections.front();
  EXPECT_TRUE(section.stiffness.diagonal().isApprox(Vec6{{2, 1, 8, 16. / 6, 16. / 6, 1.69 * 16 / 12}}));
  EXPECT_EQ(section.mass, 12);
  EXPECT_EQ(tapered_section(section, model.sections.back(), 0.5)->mass, 27);
  EXPECT_TRUE(section.outline->drawn().has_corners);
  EXPECT_EQ(read_model_text(model.resolved, "resolved").resolved, model.resolved);
  EXPECT_NE(model_json_schema().find("\"diamond\""), std::string::npos);
  EXPECT_NE(model_reference().find("A square on its corner."), std::string::npos);
}

// Protects: what the reader advises is what there is.
TEST_F(OwnOutline, is_among_the_choices_of_messages) {
  try {
    read_model_text("freeplay: 1\nsections: {s: {}}\nbodies: {}\nanalysis: {dynamic: {end: 1}}\n", "model.yaml");
    FAIL() << "an empty section was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'circle', 'diamond', 'rectangle' or 'tube'"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace freeplay
