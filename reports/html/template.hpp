#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace vernier {

/// Data of a template, of a chart, of a page. Its keys keep their order, so the same data gives the same
/// bytes.
using Json = nlohmann::ordered_json;

/// Finds a template's text by its name without the suffix ("layout"); nothing if there is none.
using TemplateSource = std::function<std::optional<std::string_view>(std::string_view name)>;

/// Fills the Mustache template `name` with `data` (an object) and returns the text. `{{key}}` escapes for
/// HTML, `{{{key}}}` inserts markup that is already safe, `{{> name}}` includes another template.
///
/// Strict where Mustache is lenient: std::logic_error naming template and key for a key that is missing (an
/// optional part is a section over `false`), a template that is missing or malformed, a value shown that is
/// not a string or an integer (numbers are formatted where they are understood, not here), a section over a
/// value that is not a boolean, a string, an array or an object, and a change of delimiters. A section over a
/// string, even an empty one, is shown; where the data has no key "has_NAME", a section over it is shown if
/// NAME is a text or an array that is not empty.
std::string render_template(const TemplateSource& source, std::string_view name, const Json& data);

/// The same with the templates built into the program.
std::string render_template(std::string_view name, const Json& data);

/// What a section shows if there is anything to show: the text, or false where it is empty.
Json optional_text(std::string_view text);

}  // namespace vernier
