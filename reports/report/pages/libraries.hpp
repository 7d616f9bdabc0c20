#pragma once

#include <string>

#include "reports/html/template.hpp"

namespace vernier {

/// What the page Libraries shows of a survey: its JSON, as `python -m vernier survey LIBRARY --json FILE`
/// writes it. \param source of the text, for the sentence \throws InputError for a text that is none
Json libraries_content(const std::string& survey, const std::string& source);

/// The survey as a page of its own, which needs no other file. \throws InputError as libraries_content
std::string survey_page(const std::string& survey, const std::string& source);

}  // namespace vernier
