#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace freeplay {

/// Most characters that write_number() needs.
inline constexpr std::size_t max_number_length = 24;

/// Writes `value` with 12 significant digits, whatever the locale, into at least max_number_length characters; returns
/// the end of the number. Not-finite numbers become `nan`, `inf`, `-inf`, which the usual CSV readers know.
char* write_number(char* begin, double value);

/// Shortens a CSV file to `size` bytes, as it was at some earlier time. Throws InputError if the file cannot be read,
/// has another header than `header` (without line end), is shorter, or has no line that ends there: then it is left as
/// it was.
void shorten_csv(const std::filesystem::path& path, std::string_view header, std::uint64_t size);

/// Calls `use` with each row of numbers below the header. InputError if the file cannot be read or a row has not
/// `n_columns` numbers.
void for_each_csv_row(const std::filesystem::path& path, std::size_t n_columns,
                      const std::function<void(std::span<const double>)>& use);

}  // namespace freeplay
