#pragma once

#include <string>

namespace vernier {

/// The page Libraries of a survey, which needs no other file. \param survey its JSON, as
/// `python3 -m vernier survey LIBRARY --json FILE` writes it \param source of that text, for the sentence
/// \throws InputError for a text that is no survey
std::string survey_page(const std::string& survey, const std::string& source);

}  // namespace vernier
