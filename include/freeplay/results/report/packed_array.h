#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freeplay {

/// Numbers as the page reads them: compressed (zlib), in base64. Bytes of the same rank are put together first, which
/// makes smooth numbers smaller. See doc/report_data.md.
nlohmann::json packed(std::span<const float> values);
nlohmann::json packed(std::span<const double> values);
nlohmann::json packed(std::span<const int> values);

/// A table of n_rows rows that stand one after the other: column by column.
nlohmann::json packed_table(std::span<const float> rows, std::size_t n_rows, std::size_t n_columns);

/// RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace freeplay
