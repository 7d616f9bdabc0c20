#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"
#include "reports/inspection/kinds.hpp"
#include "reports/inspection/llama_cpp_rope.hpp"
#include "reports/words/specs/rotation_words.hpp"

namespace vernier {
namespace {

/// What float32 keys may differ by, and frequencies that are computed from them: an exponent that is rounded
/// to float32 moves the slowest of base 10^8 by 2^-24 ln(10^8) = 1.1e-6 of itself.
constexpr double tolerance_of_keys = 1e-5;
constexpr std::string_view scaling_keys = "rope.scaling.";

bool are_same(const LlamaCppRope& first, const LlamaCppRope& second) {
  return std::ranges::all_of(std::array{true, false}, [&](bool is_long) {
    return rotation_difference(first.turning(is_long), second.turning(is_long), tolerance_of_keys).is_none();
  });
}

/// Which layers of a file are compared with which of a configuration.
struct GgufComparison {
  const LlamaCppReading& reading;
  const LlamaCppRope& held;
  const LlamaCppRope& wanted;
  bool is_sliding;
};

InspectionFinding quantity_finding(const GgufComparison& compared, const OrderedJson& rule) {
  const auto name = rule.at("name").get<std::string>();
  const auto word = rule.at("word").get<std::string>();
  const auto key = compared.reading.key(name, compared.is_sliding);
  const auto found = number_text(compared.held.at(name));
  const auto wanted = number_text(compared.wanted.at(name));
  return {compared.reading.has(key) ? fmt::format("{} is {}, not {}: {} = {}, which should be {}", word,
                                                  found, wanted, key, found, wanted)
                                    : fmt::format("{} is {}, not {}: {} is missing, and llama.cpp assumes {}",
                                                  word, found, wanted, key, found),
          key};
}

/// What stands in the way of any rotation: told without a configuration too.
void check_alone(const LlamaCppReading& reading, const LlamaCppRope& rope,
                 std::vector<InspectionFinding>& findings) {
  const auto& tensors = llama_cpp_data().at("tensors");
  const auto& type = llama_cpp_data().at("scaling_type");
  const auto known = type.at("known").get<std::vector<std::string>>();
  if (std::ranges::find(known, rope.scaling_type) == known.end()) {
    const auto key = reading.key_named(type.at("key").get<std::string>());
    findings.push_back({fmt::format("{} = {}, which llama.cpp does not load: it loads {}", key,
                                    in_quotes(rope.scaling_type), joined(known)),
                        key});
  }
  const auto pairs = static_cast<std::size_t>(rope.at("width") / 2);
  const bool is_long = rope.by_length;
  for (const auto& [role, factors] :
       {std::pair(is_long ? "long" : "factors", rope.long_factors), std::pair("short", rope.short_factors)}) {
    const auto name = tensors.at(role).get<std::string>();
    if (rope.scaling_type == "longrope" && factors.empty()) {
      findings.push_back({fmt::format("{} is missing, and {}.rope.scaling.type is longrope: llama.cpp then "
                                      "scales no frequency",
                                      name, reading.architecture()),
                          name});
    } else if (!factors.empty() && factors.size() != pairs && (is_long || role == std::string("factors"))) {
      findings.push_back(
          {fmt::format("{} has {} factors, expected {}, one a pair", name, factors.size(), pairs), name});
    }
  }
  const double extrapolation = rope.at("extrapolation");
  if (extrapolation > 1) {
    const auto key = reading.key("extrapolation", false);
    findings.push_back({fmt::format("YaRN's extrapolation factor is {0}, not 1: {1} = {0}, which should be 1",
                                    number_text(extrapolation), key),
                        key});
  }
  const auto sections_key = reading.key_named(llama_cpp_data().at("sections").get<std::string>());
  if (reading.needs_sections() && rope.sections.empty()) {
    findings.push_back(
        {fmt::format("the sections of M-RoPE are unknown: {} is missing, and llama.cpp does not "
                     "load the file",
                     sections_key),
         sections_key});
  }
}

void compare_factors(std::string_view role, const std::vector<double>& held,
                     const std::vector<double>& wanted, std::vector<InspectionFinding>& findings) {
  const auto name = llama_cpp_data().at("tensors").at(std::string(role)).get<std::string>();
  if (held.empty() != wanted.empty()) {
    findings.push_back(
        {held.empty() ? fmt::format("no frequency is divided: {} is missing, and llama.cpp then takes "
                                    "every factor to be 1",
                                    name)
                      : fmt::format("frequencies are divided by the factors of {}, expected none", name),
         name});
    return;
  }
  double worst = tolerance_of_keys;
  std::optional<std::size_t> where;
  for (std::size_t pair = 0; pair < std::min(held.size(), wanted.size()); ++pair) {
    const double apart = std::abs(held[pair] - wanted[pair]) / wanted[pair];
    if (!(apart <= worst)) {
      worst = apart;
      where = pair;
    }
  }
  if (where) {
    findings.push_back(
        {fmt::format("the factor of pair {0} is {1}, not {2}: {3}[{0}] = {1}, which should be {2}", *where,
                     number_text(held[*where]), number_text(wanted[*where]), name),
         name});
  }
}

/// Findings of scalings whose keys the file has none of are one.
void add_missing_scaling(const GgufComparison& compared, const std::vector<std::string>& missing,
                         std::vector<InspectionFinding>& findings) {
  if (missing.empty()) {
    return;
  }
  const auto all = compared.reading.key_named(std::string(scaling_keys) + "*");
  findings.push_back({fmt::format("the scaling is none, not {}: {} is missing ({}), and llama.cpp then "
                                  "scales nothing",
                                  compared.wanted.scaling_type, all, joined(missing)),
                      all});
}

/// Each of the file's quantities that alone would change what is wanted.
void compare_quantities(const GgufComparison& compared, std::vector<InspectionFinding>& findings) {
  const auto type = llama_cpp_data().at("scaling_type").at("key").get<std::string>();
  const auto type_key = compared.reading.key_named(type);
  const bool wants_scaling =
      compared.wanted.scaling_type == "yarn" || compared.wanted.scaling_type == "linear";
  std::vector<std::string> missing;
  const bool has_scaling =
      compared.reading.has(type_key) || compared.reading.has(compared.reading.key("factor", false));
  const bool needs_type = !compared.held.by_length || !compared.wanted.by_length;
  if (compared.wanted.scaling_type != "none" && needs_type && !compared.reading.has(type_key) &&
      !has_scaling) {
    missing.push_back(type.substr(scaling_keys.size()));
  } else if (compared.held.scaling_type != compared.wanted.scaling_type) {
    auto other = compared.wanted;
    other.scaling_type = compared.held.scaling_type;
    other.quantities["extrapolation"] = compared.held.at("extrapolation");
    auto own = compared.held;  // where nothing is wanted, the type matters by the file's own quantities
    own.scaling_type = compared.wanted.scaling_type;
    own.quantities["extrapolation"] = compared.wanted.at("extrapolation");
    if (!are_same(other, compared.wanted) || !are_same(own, compared.held)) {
      findings.push_back({fmt::format("the scaling is {}, not {}: {} {}", compared.held.scaling_type,
                                      compared.wanted.scaling_type, type_key,
                                      compared.reading.has(type_key)
                                          ? "= " + compared.held.scaling_type
                                          : std::string("is missing, and llama.cpp assumes linear")),
                          type_key});
    }
  }
  for (const auto& rule : llama_cpp_data().at("quantities")) {
    const auto name = rule.at("name").get<std::string>();
    auto other = compared.wanted;
    other.quantities[name] = compared.held.at(name);
    // The type of the scaling says what this factor is.
    const bool follows =
        name == "extrapolation" && compared.held.scaling_type != compared.wanted.scaling_type;
    if (follows || are_same(other, compared.wanted)) {
      continue;
    }
    const auto key = rule.at("keys").front().get<std::string>();
    const bool is_missing = !compared.reading.has(compared.reading.key(name, compared.is_sliding));
    if (!has_scaling && wants_scaling && is_missing && key.starts_with(scaling_keys)) {
      missing.push_back(key.substr(scaling_keys.size()));
    } else {
      findings.push_back(quantity_finding(compared, rule));
    }
  }
  add_missing_scaling(compared, missing, findings);
  auto truncated = compared.wanted;
  truncated.truncates = compared.held.truncates;
  if (!are_same(truncated, compared.wanted)) {
    findings.push_back(
        {fmt::format("truncate is {} in llama.cpp, not {}: no key of a GGUF file says it ({})",
                     compared.held.truncates, compared.wanted.truncates, llama_cpp_rule("truncate").why),
         "truncate"});
  }
}

/// Where two sets of sections part.
void compare_sections(const GgufComparison& compared, std::vector<InspectionFinding>& findings) {
  const auto& [held, wanted] = std::tie(compared.held, compared.wanted);
  const bool has_other_order = held.are_interleaved != wanted.are_interleaved;
  if (wanted.sections.empty() || (held.sections == wanted.sections && !has_other_order)) {
    return;
  }
  const auto told = [](const LlamaCppRope& rope) {
    return rope.sections.empty() ? "none"
                                 : joined(rope.sections) + (rope.are_interleaved ? " interleaved" : "");
  };
  const auto key = compared.reading.key_named(llama_cpp_data().at("sections").get<std::string>());
  findings.push_back(
      {fmt::format("the sections of M-RoPE are {}, not {}: {} {}", told(held), told(wanted), key,
                   held.sections.empty()              ? "is missing"
                   : held.sections != wanted.sections ? "says so"
                                                      : "has the order of its architecture"),
       key});
}

void compare(const GgufComparison& compared, std::vector<InspectionFinding>& findings,
             std::vector<std::string>& remarks) {
  std::vector<InspectionFinding> found;
  compare_sections(compared, found);
  if (!are_same(compared.held, compared.wanted)) {
    compare_quantities(compared, found);
    // A file whose type hides the factors of lengths has the type as its finding.
    const bool is_long = compared.held.by_length;
    if (is_long || !compared.wanted.by_length) {
      compare_factors(is_long ? "long" : "factors", compared.held.long_factors, compared.wanted.long_factors,
                      found);
    }
    if (is_long) {
      compare_factors("short", compared.held.short_factors, compared.wanted.short_factors, found);
    }
    const auto parted =
        rotation_difference(compared.wanted.turning(true), compared.held.turning(true), tolerance_of_keys);
    const auto effect = fmt::format("{}", fmt::join(consequences_of(parted, true), "; "));
    if (!effect.empty()) {
      remarks.push_back(effect);
    }
    if (found.empty()) {
      found.push_back({effect.empty() ? "short sequences turn otherwise" : effect,
                       compared.reading.key("base", compared.is_sliding)});
    }
  }
  for (auto& finding : found) {
    if (std::ranges::find(findings, finding.key, &InspectionFinding::key) == findings.end()) {
      findings.push_back(std::move(finding));
    }
  }
}

bool is_of_sliding_layers(const std::string& kind) {
  return kind.find("sliding") != std::string::npos || kind.find("local") != std::string::npos;
}

}  // namespace

void inspect_gguf(const Gguf& file, const std::optional<Expectation>& expected, Inspection& inspection) {
  const LlamaCppReading reading(file, inspection.file);
  inspection.kind = fmt::format("GGUF {}, architecture {}", file.version(), reading.architecture());
  const auto layout = reading.layout();
  if (layout == "none") {
    inspection.remarks.push_back(
        fmt::format("llama.cpp rotates nothing in the architecture {}", reading.architecture()));
    return;
  }
  std::optional<double> width;
  for (const auto& one : expected ? expected->encodings : std::vector<MeantEncoding>()) {
    if (const auto rotation = turn_rates_of(one.spec, expected->source)) {
      width = 2 * static_cast<double>(rotation->frequencies.size());
    }
  }
  const auto full = reading.rope(false, width);
  const auto sliding = reading.rope(true, width);
  const auto head_dim = static_cast<int>(std::clamp(reading.head_width().value_or(0), 0.0, 65536.0));
  inspection.encodings.push_back({"", full.spec(layout, head_dim)});
  if (!are_same(full, sliding)) {
    inspection.encodings.front().kind = "full_attention";
    inspection.encodings.push_back({"sliding_attention", sliding.spec(layout, head_dim)});
  }
  if (layout.empty()) {
    inspection.remarks.push_back(
        fmt::format("the layout of the architecture {} is not known to Vernier", reading.architecture()));
  }
  for (const auto& key : reading.unread_keys()) {
    inspection.remarks.push_back(fmt::format("llama.cpp does not read {}", key));
  }
  check_alone(reading, full, inspection.findings);
  for (const auto& one : expected ? expected->encodings : std::vector<MeantEncoding>()) {
    if (!turn_rates_of(one.spec, expected->source)) {
      inspection.remarks.push_back(fmt::format("{}: {} is not compared: a GGUF file does not hold it",
                                               expected->source, one.spec.value("scheme", std::string())));
      continue;
    }
    inspection.is_judged = true;
    const bool is_sliding = is_of_sliding_layers(one.kind);
    const auto wanted = wanted_rope(one.spec, expected->source, reading.has_log_multiplier());
    compare({reading, is_sliding ? sliding : full, wanted, is_sliding}, inspection.findings,
            inspection.remarks);
    const auto theirs = one.spec.value("layout", std::string("half"));
    if (!layout.empty() && theirs != layout) {
      inspection.remarks.push_back(
          fmt::format("the layout is {}, and {} there: the converter permutes the weights", layout, theirs));
    }
  }
}

}  // namespace vernier
