#include "freeplay/deck/law_types.h"

namespace freeplay {

LawTypes<ContactLawSpec>& contact_law_types() {
  static LawTypes<ContactLawSpec> types;
  return types;
}

LawTypes<FrictionLawSpec>& friction_law_types() {
  static LawTypes<FrictionLawSpec> types;
  return types;
}

LawTypes<CouplingSpec>& coupling_types() {
  static LawTypes<CouplingSpec> types;
  return types;
}

LawTypes<OutlineSpec>& outline_types() {
  static LawTypes<OutlineSpec> types;
  return types;
}

}  // namespace freeplay
