#include "reports/html/template.hpp"

#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>
#include <kainjow/mustache.hpp>

#include "reports/html/assets.hpp"

namespace vernier {
namespace {

namespace mustache = kainjow::mustache;

// kainjow's renderer passes only a tag's name to the look-up, not where it stands nor what it is for. Each
// key is therefore renamed to "<use><template>|<key>" before parsing, and the look-up below takes the name
// apart again.
constexpr char shown_tag = '@';
constexpr char section_tag = '?';
constexpr char key_separator = '|';
constexpr std::string_view presence_prefix = "has_";

struct TagName {
  char use;
  std::string_view template_name;
  std::string_view key;
};

TagName parse_tag_name(std::string_view name) {
  const auto cut = name.find(key_separator);
  return {name.front(), name.substr(1, cut - 1), name.substr(cut + 1)};
}

[[noreturn]] void refuse(std::string_view template_name, const std::string& complaint) {
  throw std::logic_error(fmt::format("template '{}': {}", template_name, complaint));
}

std::string with_renamed_keys(std::string_view template_name, std::string_view text) {
  static const std::regex sections(R"(\{\{([#^/])\s*([^}]*?)\s*\}\})");
  static const std::regex others(R"(\{\{([>{&]?)\s*((?![#^/!>{&])[^}]*?)\s*\}\})");
  std::string result(text);
  for (const auto& [tags, use] : {std::pair{&sections, section_tag}, {&others, shown_tag}}) {
    result = std::regex_replace(result, *tags,
                                fmt::format("{{{{$1{}{}{}$2}}}}", use, template_name, key_separator));
  }
  return result;
}

mustache::data converted(const Json& value) {
  if (value.is_string()) {
    return mustache::data(value.get_ref<const std::string&>());
  }
  if (value.is_boolean()) {
    return mustache::data(value.get<bool>());
  }
  if (value.is_number_integer()) {
    return mustache::data(value.dump());
  }
  if (value.is_array()) {
    mustache::data list{mustache::data::type::list};
    for (const auto& element : value) {
      list.push_back(converted(element));
    }
    return list;
  }
  if (value.is_object()) {
    mustache::data object{mustache::data::type::object};
    for (const auto& [key, element] : value.items()) {
      object.set(key, converted(element));
    }
    return object;
  }
  // null or a floating-point number: kept as what no tag accepts, so that only a template that uses it
  // complains
  return mustache::data{mustache::data::type::invalid};
}

// Whether there is anything to show of a text or a list; null of any other value.
const mustache::data* presence_of(const mustache::data* value) {
  static const mustache::data yes{true};
  static const mustache::data no{false};
  if (value == nullptr || (!value->is_string() && !value->is_list())) {
    return nullptr;
  }
  const bool is_there = value->is_string() ? !value->string_value().empty() : value->is_non_empty_list();
  return is_there ? &yes : &no;
}

// Looks keys and templates up as Mustache does, and throws where Mustache would silently show nothing.
class StrictContext : public mustache::context<std::string> {
 public:
  StrictContext(const mustache::data* data, const TemplateSource& source) : context(data), source_(source) {}

  const mustache::data* get(const std::string& name) const override {
    const auto tag = parse_tag_name(name);
    const auto* value = context::get(std::string(tag.key));
    if (value == nullptr && tag.key.starts_with(presence_prefix)) {
      value = presence_of(context::get(std::string(tag.key.substr(presence_prefix.size()))));
    }
    if (value == nullptr) {
      refuse(tag.template_name, fmt::format("the key '{}' is missing from the data", tag.key));
    }
    if (value->is_invalid()) {
      refuse(tag.template_name,
             fmt::format("the key '{}' is null or a floating-point number; format it before it is shown",
                         tag.key));
    }
    if (tag.use == shown_tag && !value->is_string()) {
      refuse(tag.template_name,
             fmt::format("the key '{}' is shown but is neither text nor an integer", tag.key));
    }
    return value;
  }

  const mustache::data* get_partial(const std::string& name) const override {
    const auto tag = parse_tag_name(name);
    return &partial(std::string(tag.key), tag.template_name);
  }

  /// The template `name` with its keys renamed, as a value to render; `user` is the template that asks for
  /// it.
  const mustache::data& partial(const std::string& name, std::string_view user) const {
    if (const auto found = partials_.find(name); found != partials_.end()) {
      return found->second;
    }
    const auto text = source_(name);
    if (!text) {
      refuse(user, fmt::format("there is no template '{}'", name));
    }
    if (const mustache::mustache parsed{std::string(*text)}; !parsed.is_valid()) {
      refuse(name, parsed.error_message());
    }
    return partials_.emplace(name, mustache::data(with_renamed_keys(name, *text))).first->second;
  }

 private:
  const TemplateSource& source_;
  mutable std::map<std::string, mustache::data> partials_;
};

/// What is rendered. A stream of the standard library would leave out what it gets no memory for, and not
/// throw.
struct RenderedText {
  std::string text = {};

  RenderedText& operator<<(const std::string& part) {
    text += part;
    return *this;
  }
};

}  // namespace

std::string render_template(const TemplateSource& source, std::string_view name, const Json& data) {
  if (!data.is_object()) {
    refuse(name, "its data is not an object");
  }
  const auto values = converted(data);
  StrictContext context(&values, source);
  mustache::mustache root{context.partial(std::string(name), name).string_value()};
  RenderedText rendered;
  root.render(context, rendered);
  if (!root.is_valid()) {
    refuse(name, root.error_message());
  }
  return std::move(rendered.text);
}

std::string render_template(std::string_view name, const Json& data) {
  return render_template(
      [](std::string_view template_name) { return find_asset(std::string(template_name) + ".mustache"); },
      name, data);
}

Json optional_text(std::string_view text) {
  return text.empty() ? Json(false) : Json(text);
}

}  // namespace vernier
