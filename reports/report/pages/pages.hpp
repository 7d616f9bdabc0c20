#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/site.hpp"
#include "reports/report/report_data.hpp"

namespace vernier {

/// What the template of a page is filled with.
using PageContent = Json(const ReportData& data);

/// A page of the report: one template, and one function that fills it.
struct ReportPage {
  std::string_view file;
  std::string_view title;
  std::string_view navigation;
  std::string_view template_name;  ///< in web/templates
  PageContent* content;
  std::string_view above = {};
};

PageContent findings_content, try_point_content, models_content, atlas_content, implementations_content,
    libraries_content, claims_content, reference_content, recipes_content, properties_content, laws_content,
    methods_content, field_record_content;

/// Every page of the report, in the order of the navigation. A new one is a file here, which defines its
/// content, its template, and a line above and below.
inline constexpr std::array report_pages{
    ReportPage{"index.html", "Findings", "Findings", "findings", findings_content},
    ReportPage{"try.html", "Try a point", "Try a point", "try_point", try_point_content, "manual.html"},
    ReportPage{"models.html", "Models: range of their tables", "Models", "models", models_content},
    ReportPage{"atlas.html", "Atlas: how far each rotation can be used", "Atlas", "atlas", atlas_content,
               "models.html"},
    ReportPage{"implementations.html", "Implementations people run", "Implementations",
               "implementations_compared", implementations_content},
    ReportPage{"libraries.html", "Libraries", "Libraries", "libraries", libraries_content},
    ReportPage{"claims.html", "Claims: what texts say, computed", "Claims", "claims", claims_content},
    ReportPage{"reference.html", "Reference", "Reference", "reference", reference_content},
    ReportPage{"recipes.html", "Recipes: ways to compute the table", "Recipes", "recipes", recipes_content,
               "reference.html"},
    ReportPage{"properties.html", "Which encoding has which property", "Properties", "properties",
               properties_content, "reference.html"},
    ReportPage{"laws.html", "The laws", "Laws", "laws", laws_content, "reference.html"},
    ReportPage{"methods.html", "Methods", "Methods", "methods", methods_content, "reference.html"},
    ReportPage{"field-record.html", "Field record", "Field record", "field_record", field_record_content,
               "reference.html"}};

/// One of them, filled.
Page filled_page(const ReportPage& page, const ReportData& data);

/// Pages that one template makes of many things, each beneath the page that lists them.
std::vector<Page> model_pages(const ReportData& data);
std::vector<Page> recipe_pages(const ReportData& data);
std::vector<Page> implementation_pages(const ReportData& data);

/// All pages of the report, the manual among them.
std::vector<Page> all_pages(const ReportData& data);

/// What the search box finds: every page, model, recipe, implementation, claim and recorded fault.
std::vector<SearchEntry> search_entries(const ReportData& data, std::span<const Page> pages);

/// The manual: the pages that web/manual.mjs makes of manual/*.md, the others beneath the first.
std::vector<Page> manual_pages();

/// The page Libraries of a survey, which needs no other file. \param survey its JSON, as
/// `python3 -m vernier survey LIBRARY --json FILE` writes it \param source of that text, for the sentence
/// \throws InputError for a text that is no survey
std::string survey_page(const std::string& survey, const std::string& source);

}  // namespace vernier
