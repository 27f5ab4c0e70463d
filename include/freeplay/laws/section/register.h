#pragma once

#include "freeplay/deck/law_types.h"
#include "freeplay/deck/section_outline.h"

namespace freeplay {

/// `Shape` is written as plain numbers: its `lengths`, geometry(), shear_correction(nu), drawn(), and the keys() of the
/// model file.
template <class Shape>
class OutlineOf final : public SectionOutline {
 public:
  explicit OutlineOf(const Shape& shape) : shape_(shape) {}
  const Shape& shape() const { return shape_; }

  SectionGeometry geometry() const override { return shape_.geometry(); }
  std::array<double, 2> shear_correction(double poisson_ratio) const override {
    return shape_.shear_correction(poisson_ratio);
  }
  DrawnOutline drawn() const override { return shape_.drawn(); }
  std::shared_ptr<const SectionOutline> towards(const SectionOutline& other, double weight) const override {
    const auto* end = dynamic_cast<const OutlineOf*>(&other);
    if (end == nullptr) return nullptr;
    Shape between = shape_;
    for (double Shape::*length : Shape::lengths())
      between.*length = (1.0 - weight) * shape_.*length + weight * end->shape_.*length;
    return std::make_shared<const OutlineOf>(between);
  }

 private:
  Shape shape_;
};

/// Makes an outline known: reader, schema, reference, beams and pictures find it.
template <class Shape>
struct RegisterOutline {
  explicit RegisterOutline(const std::string& name) {
    const auto table = std::make_shared<const Table<Shape>>(Shape::keys());
    const auto read = [=](const YamlNode& node, const Location& where, Reader& reader, OutlineSpec& outline) {
      Shape shape;
      table->read(node, where, reader, shape);
      outline = std::make_shared<const OutlineOf<Shape>>(shape);
    };
    const auto selected = [](const OutlineSpec& outline) {
      return dynamic_cast<const OutlineOf<Shape>*>(outline.get());
    };
    outline_types().add({name, table->keys().description, table->shape(), read,
                         [=](const OutlineSpec& outline) { return table->write(selected(outline)->shape()); },
                         [=](const OutlineSpec& outline) { return selected(outline) != nullptr; }});
  }
};

}  // namespace freeplay
