#include "reports/implementations/implementation_list.hpp"

#include <map>
#include <set>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::int64_t usual_positions = 131072;
constexpr std::int64_t most_compared_positions = std::int64_t{1} << 24;

/// Where something is, or why it is nowhere.
struct Located {
  std::string path;
  std::optional<std::string> absent;
};

using Places = std::map<std::string, Located>;

Places read_places(ObjectReader reader) {
  Places places;
  for (const auto& name : reader.keys()) {
    auto place = reader.object(name);
    const auto absent = place.optional_string("absent");
    places[name] = {absent ? "" : place.string("path"), absent};
    place.finish();
  }
  return places;
}

/// The text with the names of places replaced by their paths; absent if one of them is.
Located located(const std::string& text, const Places& places) {
  Located result{text, std::nullopt};
  for (const auto& [name, place] : places) {
    if (const auto braced = "{" + name + "}"; result.path.find(braced) != std::string::npos) {
      boost::algorithm::replace_all(result.path, braced, place.path);
      result.absent = result.absent ? result.absent : place.absent;
    }
  }
  return result;
}

std::filesystem::path beside(const std::filesystem::path& list, const std::string& path) {
  return list.parent_path() / path;
}

std::vector<std::string> read_failing(ObjectReader& reader) {
  std::vector<std::string> failing;
  constexpr std::string_view expected = "an array of check ids";
  for (const auto& id : reader.array("failing", expected)) {
    const auto* text = std::get_if<std::string>(&id.value());
    if (text == nullptr) {
      reader.refuse_within("failing", id, expected);
    }
    failing.push_back(*text);
  }
  return failing;
}

ListedEncoding read_encoding_entry(ObjectReader& reader, const Places& places,
                                   const std::filesystem::path& list) {
  ListedEncoding entry;
  const auto spec = located(reader.string("spec"), places);
  entry.spec = beside(list, spec.path);
  const auto type = element_type_named(reader.string("dtype"));
  reader.refuse_if(!type || !traits(*type).format, "dtype", "a floating-point type");
  entry.type = *type;
  entry.contract = reader.string("contract");
  entry.positions =
      reader.optional_integer("positions", 1, most_compared_positions).value_or(usual_positions);
  if (reader.has("expected")) {
    entry.conforms = reader.choice("expected", {"conforms", "does_not_conform"}, 0) == 0;
  }
  if (entry.conforms == false) {
    entry.failing = read_failing(reader);
  }
  entry.reason = reader.string("reason");
  reader.finish();
  return entry;
}

ListedImplementation read_implementation(ObjectReader reader, const Places& places,
                                         const std::filesystem::path& list) {
  ListedImplementation implementation;
  implementation.id = reader.string("id");
  implementation.name = reader.string("name");
  const auto server = reader.optional_string("server");
  const auto plugin = reader.optional_string("plugin");
  if (server.has_value() == plugin.has_value()) {
    reader.refuse_all("found " + std::string(server ? "both" : "neither") +
                      ", expected either \"server\" or \"plugin\"");
  }
  const auto run = located(server ? *server : *plugin, places);
  implementation.absent = run.absent;
  if (server) {
    implementation.server = run.path;
  } else {
    implementation.plugin = beside(list, run.path);
  }
  auto& encodings = implementation.encodings;
  for (const auto& encoding : reader.array("encodings", "an array of objects")) {
    ObjectReader entry(encoding, reader.source(),
                       fmt::format("{}.encodings[{}]", implementation.id, encodings.size()));
    encodings.push_back(read_encoding_entry(entry, places, list));
  }
  reader.finish();
  return implementation;
}

std::vector<ListedImplementation> read_list(const JsonValue& document, const std::filesystem::path& file) {
  ObjectReader reader(document, file.string(), "");
  const auto places = reader.has("places") ? read_places(reader.object("places")) : Places();
  std::vector<ListedImplementation> result;
  std::set<std::string> ids;
  for (auto& entry : reader.objects("implementations", "an array of objects")) {
    result.push_back(read_implementation(std::move(entry), places, file));
    refuse_if(!ids.insert(result.back().id).second,
              "{}: implementations: found the id \"{}\" twice, expected it once", file.string(),
              result.back().id);
  }
  reader.finish();
  return result;
}

}  // namespace

std::vector<ListedImplementation> read_implementation_list(const std::filesystem::path& file) {
  return read_telling_all_faults(read_json(file),
                                 [&](const JsonValue& document) { return read_list(document, file); });
}

}  // namespace vernier
