#include "freeplay/laws/contact/power_law.h"

#include "freeplay/base/units.h"

namespace freeplay {

double hertz_stiffness(double young_1, double poisson_1, double young_2, double poisson_2, double radius) {
  const double s = (1.0 - poisson_1 * poisson_1) / young_1 + (1.0 - poisson_2 * poisson_2) / young_2;
  return 4.0 / (3.0 * s) * std::sqrt(radius);
}

std::shared_ptr<const ContactLaw> PowerLawKeys::law(double radius, double hysteresis) const {
  PowerLaw law;
  law.stiffness =
      stiffness ? *stiffness : hertz_stiffness((*young)[0], (*poisson)[0], (*young)[1], (*poisson)[1], radius);
  law.exponent = exponent;
  law.hysteresis = hysteresis;
  return std::make_shared<ElasticContact<PowerLaw>>(law);
}

Format<double> number_without_unit() {
  const Format<double> plain = number("", above(0));
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<double> {
    if (node.kind != YamlNode::Kind::scalar) return plain.read(node, where, reader);
    const auto value = reader.quantity(node, node.where);
    if (!value) return std::nullopt;
    if (value->dimension == Dimension{}) return plain.read(node, where, reader);
    reader.error(node.where, quotation(node) + " is " + describe(value->dimension) +
                                 ", but K of f = K d^n is a number without unit: write its value in N/m^n");
    return std::nullopt;
  };
  return {plain.shape(), read, [=](const double& value) { return plain.write(value); }};
}

void check_stiffness(const Given& given, Reader& reader) {
  for (const std::string key : {"young", "poisson"}) {
    if (given.has("stiffness") && given.has(key))
      error_at(key, "is never used, because 'stiffness' is given; remove one of them", given, reader);
  }
  if (!given.has("stiffness") && (!given.has("young") || !given.has("poisson"))) {
    reader.error(given.place(), "needs 'stiffness', or 'young' and 'poisson' of both bodies");
  }
}

}  // namespace freeplay
