#pragma once

#include <span>
#include <string>
#include <vector>

#include "reference/support/registry.hpp"
#include "reports/html/site.hpp"
#include "reports/report/report_data.hpp"

namespace vernier {

/// Every page of the report, in the order of the navigation. A new one is a file here, which defines its
/// function, its template in web/templates, and a line here.
// clang-format off
VERNIER_REGISTRY(page_makers, Page<ReportData>,
    findings_page,
    try_point_page,
    models_page,
    atlas_page,
    implementations_page,
    libraries_page,
    claims_page,
    reference_page,
    recipes_page,
    properties_page,
    laws_page,
    methods_page,
    field_record_page);
// clang-format on

/// Pages that one template makes of many things, each beneath the page that lists them.
std::vector<FilledPage> model_pages(const ReportData& data);
std::vector<FilledPage> recipe_pages(const ReportData& data);
std::vector<FilledPage> implementation_pages(const ReportData& data);

/// All pages of the report, the manual among them.
std::vector<FilledPage> all_pages(const ReportData& data);

/// What the search box finds: every page, model, recipe, implementation, claim and recorded fault.
std::vector<SearchEntry> search_entries(const ReportData& data, std::span<const FilledPage> pages);

/// The manual: the pages that web/manual.mjs makes of manual/*.md, the others beneath the first.
std::vector<FilledPage> manual_pages();

/// The page Libraries of a survey, which needs no other file. \param survey its JSON, as
/// `python3 -m vernier survey LIBRARY --json FILE` writes it \param source of that text, for the sentence
/// \throws InputError for a text that is no survey
std::string survey_page(const std::string& survey, const std::string& source);

}  // namespace vernier
