#include "freeplay/assembly/remarks.h"

#include <gtest/gtest.h>

#include "freeplay/base/names.h"
#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

// Protects: a dynamic analysis in which nothing can move is not silent; with drives, it names the better analysis.
TEST(Remarks, mobility_zero) {
  const auto warnings = [](const std::string& type, const std::string& keys, const std::string& analysis) {
    const ModelSpec spec = read_model_text(
        "freeplay: 1\nbodies: {b: {rigid: {mass: 1, inertia: 1, at: [0, 0, 0]}}}\njoints: {j: {" + type +
            ": {between: [ground, b], at: [0, 0, 0]" + keys + "}}}\nanalysis: {" + analysis + "}\n",
        "test.yaml");
    return joined(warnings_of(spec, assemble(spec)), "\n");
  };
  const std::string axis = ", axis: [0, 0, 1]", driven = axis + ", drive: {angle: t}";
  EXPECT_NE(warnings("fixed", "", "dynamic: {end: 1}").find("mobility 0: nothing can move"), std::string::npos);
  EXPECT_NE(warnings("revolute", driven, "dynamic: {end: 1}").find("mobility 0: the drives"), std::string::npos);
  EXPECT_EQ(warnings("revolute", driven, "kinematic: {end: 1, step: 0.1}"), "");
  EXPECT_EQ(warnings("revolute", axis, "dynamic: {end: 1}"), "");
}

}  // namespace
}  // namespace freeplay
