#include <sha2.h>

#include <nlohmann/json.hpp>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/output_file.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/report.h"
#include "sha256.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view place_of_data = "<!--FREEPLAY-DATA-->";
constexpr std::string_view start_of_data = "<script type=\"application/json\" id=\"freeplay-data\" data-results=\"";

/// No text of the model can end the script element that it stands in.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

/// Only an older report of these results may go. A report that lies with the results is of them, also after they were
/// moved.
void check_replaceable(const fs::path& file, const fs::path& directory, const std::string& id) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored))) return;
  const MappedFile existing(file);
  const bool lies_with_them = fs::equivalent(file.parent_path().empty() ? "." : file.parent_path(), directory, ignored);
  const std::string own_start = std::string(start_of_data) + (lies_with_them ? "" : id);
  if (existing.text().find(own_start) != std::string_view::npos) return;
  throw InputError("error: '" + file.string() +
                   "' exists and is not a report of these results; choose another name with -o, or remove it");
}

}  // namespace

std::string sha256(std::string_view bytes) {
  char text[SHA256_DIGEST_STRING_LENGTH];
  return SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), text);
}

std::string results_id(const fs::path& directory) {
  std::error_code ignored;
  return sha256(fs::weakly_canonical(directory, ignored).string()).substr(0, 16);
}

std::string report_page(const std::string& page_template, const nlohmann::json& data, const std::string& id) {
  const std::size_t place = page_template.find(place_of_data);
  if (place == std::string::npos)
    throw InputError("error: the template of the report has no place for the data, '" + std::string(place_of_data) +
                     "'");
  // Bytes that are not UTF-8, of some file, must not cost the report.
  const std::string json = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return page_template.substr(0, place) + std::string(start_of_data) + id + "\">" + without_tags(json) + "</script>" +
         page_template.substr(place + place_of_data.size());
}

fs::path write_report(const fs::path& directory, const std::optional<fs::path>& requested,
                      const fs::path& page_template, const ReportMaker& maker) {
  kind_of_results(directory);
  const fs::path file = requested.value_or(directory / "report.html");
  const std::string id = results_id(directory);
  check_replaceable(file, directory, id);
  const MappedFile page(page_template);
  if (page.text().empty())
    throw InputError("error: cannot read the template of the report, '" + page_template.string() + "'");
  const std::string text = report_page(std::string(page.text()), report_data(directory, maker), id);
  replace_file(file, text);
  return file;
}

}  // namespace freeplay
