#pragma once

// Parameters that several friction laws have in common.

#include <optional>

#include "freeplay/deck/table.h"

namespace freeplay {

struct StaticAndKinetic {
  double static_ = 0.0, kinetic = 0.0;
  double static_coefficient() const { return static_; }
};

template <class Law>
void add_static_and_kinetic(Table<Law>& table) {
  table.required("static", &Law::static_, number("", at_least(0)), "Coefficient of static friction.");
  table.required("kinetic", &Law::kinetic, number("", above(0)), "Coefficient of kinetic friction.");
  table.check([](const Law& law, const Given& given, Reader& reader) {
    if (given.has("static") && given.has("kinetic") && law.static_ < law.kinetic)
      error_at("static", "must not be smaller than 'kinetic'", given, reader);
  });
}

struct OneCoefficient {
  double mu = 0.0;
  double static_coefficient() const { return mu; }
};

template <class Law>
void add_coefficient(Table<Law>& table) {
  table.required("coefficient", &Law::mu, number("", above(0)), "Coefficient of friction.");
}

template <class Law>
void add_velocity(Table<Law>& table, const std::string& text) {
  table.required("velocity", &Law::velocity, number("m/s", above(0)), text);
}

template <class Law>
void add_stribeck_velocity(Table<Law>& table) {
  table.required("stribeck-velocity", &Law::stribeck_velocity, number("m/s", above(0)),
                 "Velocity at which friction falls from its static to its kinetic value.");
}

}  // namespace freeplay
