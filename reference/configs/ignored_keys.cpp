#include "reference/configs/ignored_keys.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/configs/json_tree.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> scaling_keys{"rope_scaling", "rope_parameters"};

bool looks_positional(const std::string& key) {
  const auto& names = config_names();
  if (std::ranges::find(names.not_positional, key) != names.not_positional.end()) {
    return false;
  }
  return std::ranges::any_of(names.positional,
                             [&key](const auto& part) { return key.find(part) != std::string::npos; });
}

class Collector {
 public:
  Collector(const ConfigReader& reader, const ConfigFamily& family) : reader_(reader), family_(family) {}

  /// \param every whether each key counts, as within rope_scaling
  void collect(const JsonValue::Object& object, const std::string& path, const std::string& reason,
               bool every) {
    for (const auto& [key, value] : object) {
      const auto full = key_path(path, key);
      const auto because = reason_of(key, reason);
      if (const auto* inner = std::get_if<JsonValue::Object>(&value.value())) {
        const bool scaling = std::ranges::find(scaling_keys, key) != scaling_keys.end();
        collect(*inner, full, because, every || scaling);
      } else if (!value.is_null() && !reader_.was_read(full) && (every || looks_positional(key))) {
        sentences_.push_back(
            fmt::format("{}: {}{}", full, short_text(value), because.empty() ? "" : " (" + because + ")"));
      }
    }
  }

  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::string reason_of(const std::string& key, const std::string& otherwise) const {
    for (const auto* reasons : {&family_.because, &config_names().because}) {
      if (const auto found = reasons->find(key); found != reasons->end()) {
        return found->second;
      }
    }
    return otherwise;
  }

  const ConfigReader& reader_;
  const ConfigFamily& family_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> ignored_keys(const ConfigReader& reader, const ConfigFamily& family) {
  Collector collector(reader, family);
  collector.collect(std::get<JsonValue::Object>(reader.document().value()), "", "", false);
  return collector.take();
}

}  // namespace vernier
