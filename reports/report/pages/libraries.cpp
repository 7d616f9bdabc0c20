#include <fmt/core.h>

#include "reference/support/input_error.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {

/// recorded_survey.json as it stands.
std::string recorded_survey_text();

namespace {

std::string library_title(const Json& library) {
  return fmt::format("{} {}", library.at("library").get<std::string>(),
                     library.at("version").get<std::string>());
}

Json class_content(const Json& one, std::string id) {
  const bool is_refused = one.at("status") == "does_not_conform";
  Json content{{"id", std::move(id)},
               {"name", one.at("name")},
               {"tone", is_refused                       ? "bad"
                        : one.at("status") == "conforms" ? "good"
                                                         : "neutral"},
               {"told", one.at("told")},
               {"source", fmt::format("{}:{}", one.at("file").get<std::string>(), one.at("line").get<int>())},
               {"kind", one.at("kind")},
               {"verdicts", Json::array()}};
  for (const auto& trial : one.at("trials")) {
    if (trial.contains("verdict")) {
      content["verdicts"].push_back({{"what", trial.at("what")}, {"text", trial.at("verdict")}});
    }
  }
  return content;
}

Json library_content(const Json& library, std::string id) {
  Json content{{"id", id},
               {"heading", library_title(library)},
               {"told", library.at("told")},
               {"since", optional_text(library.value("since", ""))},
               {"changes", library.value("changes", Json::array())},
               {"classes", Json::array()}};
  for (const auto& one : library.at("classes")) {
    content["classes"].push_back(class_content(one, fmt::format("{}-{}", id, content["classes"].size() + 1)));
  }
  return content;
}

/// A row for each library, version and kind of encoding.
DataTable counts_table(const Json& libraries) {
  auto table = described_table("libraries/counts");
  for (const auto& library : libraries) {
    for (const auto& kind : library.at("kinds")) {
      auto row = kind.get<std::vector<std::string>>();
      row.front().insert(0, library_title(library) + ", ");
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Json survey_content(const std::string& survey) {
  const auto document = Json::parse(survey);
  Json content{{"headline", document.at("headline")},
               {"date", document.at("date")},
               {"version", document.at("vernier")},
               {"counts", to_html(counts_table(document.at("libraries")))},
               {"libraries", Json::array()}};
  for (const auto& library : document.at("libraries")) {
    content["libraries"].push_back(
        library_content(library, fmt::format("library-{}", content["libraries"].size() + 1)));
  }
  return content;
}

}  // namespace

std::string survey_page(const std::string& survey, const std::string& source) {
  try {
    return render_self_contained({.name = "Vernier survey", .version = std::string(version()), .seed = ""},
                                 {.file = "index.html",
                                  .title = "Positional encodings of installed libraries",
                                  .navigation = "Libraries",
                                  .template_name = "libraries",
                                  .content = survey_content(survey)});
  } catch (const std::exception& error) {  // also the template's, for a value of another kind
    throw InputError("{}: cannot be read as a survey ({})", source, error.what());
  }
}

Json libraries_content(const ReportData& /*data*/) {
  return survey_content(recorded_survey_text());
}

}  // namespace vernier
