#include "freeplay/results/report/packed_array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "results/report/unpacked.h"

namespace freeplay {
namespace {

TEST(PackedArray, Base64IsThatOfTheStandard) {
  // The test vectors of RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(PackedArray, NumbersComeBackAsTheyWere) {
  const std::vector<double> values{0.0, -1.5, 1e300, std::numeric_limits<double>::quiet_NaN(), 1.0 / 3.0};
  const std::vector<double> back = unpacked(packed(std::span<const double>(values)));
  ASSERT_EQ(back.size(), values.size());
  EXPECT_TRUE(std::isnan(back[3]));
  for (const std::size_t k : {0, 1, 2, 4}) EXPECT_EQ(back[k], values[k]);

  const std::vector<int> rows{0, 7, -3};
  EXPECT_EQ(unpacked(packed(std::span<const int>(rows))), (std::vector<double>{0, 7, -3}));
  EXPECT_TRUE(unpacked(packed(std::span<const float>())).empty());
}

TEST(PackedArray, TablesAreStoredColumnByColumn) {
  const std::vector<float> rows{1, 10, 100, 2, 20, 200};
  const nlohmann::json table = packed_table(rows, 2, 3);
  EXPECT_EQ(table["shape"], (nlohmann::json{2, 3}));
  EXPECT_EQ(unpacked(table), (std::vector<double>{1, 2, 10, 20, 100, 200}));
}

/// What makes the file small: bytes of the same rank of a smooth series are alike.
TEST(PackedArray, SmoothNumbersTakeLessThanTheirBytes) {
  std::vector<float> values;
  for (int k = 0; k < 10000; ++k) values.push_back(std::sin(1e-3F * static_cast<float>(k)));
  constexpr double share = 0.8;  // of the bytes; in base64, which adds a third
  EXPECT_LT(packed(std::span<const float>(values))["data"].get<std::string>().size(), share * 4.0 * 10000);
}

}  // namespace
}  // namespace freeplay
