#include "reference/schemes/scheme_registry.hpp"

#include <algorithm>

#include "reference/keys/key_reader.hpp"
#include "reference/schemes/guessed_keys.hpp"
#include "reference/schemes/scheme_texts.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {

std::span<const Scheme> schemes() {
  static const auto all = [] {
    auto made = make_all_groups(scheme_makers);
    tell(made);
    return made;
  }();
  return all;
}

std::unique_ptr<Encoding> parse_spec(ObjectReader spec) {
  const auto name = spec.string("scheme");
  const auto found = std::ranges::find(schemes(), name, &Scheme::name);
  if (found == schemes().end()) {
    spec.refuse("scheme",
                "one of " + joined(schemes(), [](const Scheme& one) { return in_quotes(one.name); }));
  }
  const auto form = std::ranges::find_if(
      found->forms, [&](const SpecForm& one) { return one.marker.empty() || spec.has(one.marker); });
  KeyReader reader(std::move(spec));
  auto encoding = form->fill(reader);
  reader.finish();
  return encoding;
}

std::unique_ptr<Encoding> parse_spec(std::string_view json, const std::string& source,
                                     const std::string& key) {
  return parse_spec(ObjectReader(with_guessed_keys(parse_json(json, source), source), source, key));
}

}  // namespace vernier
