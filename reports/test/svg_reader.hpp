#pragma once

#include <string>
#include <vector>

namespace vernier {

/// What is not well-formed in a piece of markup; empty: nothing. Elements must be closed, attributes quoted,
/// and what XML reserves escaped.
std::string malformed(const std::string& markup);

/// How often `part` occurs in `text`.
std::size_t occurrences(const std::string& text, const std::string& part);

/// Pairs of texts whose boxes overlap, and texts that leave the drawing: each as a line. \param svg an
/// element with a viewBox, its texts of the size that drawings have
std::vector<std::string> crowded_texts(const std::string& svg);

}  // namespace vernier
