#pragma once

#include <string>

#include "reference/json/json.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The keys of a scheme as paragraphs of text: what each takes, its default, what it means, when it is there.
std::string keys_text(const Scheme& scheme);
/// The same as a table of Markdown.
std::string keys_table(const Scheme& scheme);
/// A JSON schema (draft 2020-12) of the specs of all schemes. It takes whatever is read, and refuses what a
/// key refuses by itself.
OrderedJson spec_schema();

}  // namespace vernier
