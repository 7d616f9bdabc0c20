#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"
#include "reports/inspection/kinds.hpp"
#include "reports/inspection/llama_cpp_rope.hpp"
#include "reports/words/specs/reader_findings.hpp"

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

/// What stands in the way of any rotation: told without a configuration too.
void check_alone(const LlamaCppReading& reading, const LlamaCppRope& rope,
                 std::vector<InspectionFinding>& findings) {
  const auto& tensors = llama_cpp_data().at("tensors");
  const auto& type = llama_cpp_data().at("scaling_type");
  const auto known = type.at("known").get<std::vector<std::string>>();
  if (std::ranges::find(known, rope.scaling_type) == known.end()) {
    const auto key = reading.key_named(type.at("key").get<std::string>());
    add_finding(findings, key, "{} = {}, which llama.cpp does not load: it loads {}", key,
                in_quotes(rope.scaling_type), joined(known));
  }
  const auto pairs = static_cast<std::size_t>(rope.at("width") / 2);
  const bool is_long = rope.by_length;
  for (const auto& [role, factors] :
       {std::pair(is_long ? "long" : "factors", rope.long_factors), std::pair("short", rope.short_factors)}) {
    const auto name = tensors.at(role).get<std::string>();
    if (rope.scaling_type == "longrope" && factors.empty()) {
      add_finding(findings, name,
                  "{} is missing, and {}.rope.scaling.type is longrope: llama.cpp then scales no frequency",
                  name, reading.architecture());
    } else if (!factors.empty() && factors.size() != pairs && (is_long || role == std::string("factors"))) {
      add_finding(findings, name, "{} has {} factors, expected {}, one a pair", name, factors.size(), pairs);
    }
  }
  const double extrapolation = rope.at("extrapolation");
  if (extrapolation > 1) {
    const auto key = reading.key("extrapolation", false);
    add_finding(findings, key, "YaRN's extrapolation factor is {0}, not 1: {1} = {0}, which should be 1",
                number_text(extrapolation), key);
  }
  const auto sections_key = reading.key_named(llama_cpp_data().at("sections").get<std::string>());
  if (reading.needs_sections() && rope.sections.empty()) {
    add_finding(findings, sections_key,
                "the sections of M-RoPE are unknown: {} is missing, and llama.cpp does not load the file",
                sections_key);
  }
}

/// Compares layers of a file with layers of a configuration.
class GgufComparison {
 public:
  GgufComparison(const LlamaCppReading& reading, const LlamaCppRope& held, const LlamaCppRope& wanted,
                 bool is_sliding)
      : reading_(reading), held_(held), wanted_(wanted), is_sliding_(is_sliding) {}

  /// \param findings those of other keys are added to
  void compare(std::vector<InspectionFinding>& findings, std::vector<std::string>& remarks) {
    compare_sections();
    if (!are_same(held_, wanted_)) {
      compare_quantities();
      // A file whose type hides the factors of lengths has the type as its finding.
      const bool is_long = held_.by_length;
      if (is_long || !wanted_.by_length) {
        compare_factors(is_long ? "long" : "factors", held_.long_factors, wanted_.long_factors);
      }
      if (is_long) {
        compare_factors("short", held_.short_factors, wanted_.short_factors);
      }
      const auto parted = rotation_difference(wanted_.turning(true), held_.turning(true), tolerance_of_keys);
      const auto effect = fmt::format("{}", fmt::join(consequences_of(parted, true), "; "));
      if (!effect.empty()) {
        remarks.push_back(effect);
      }
      if (found_.empty()) {
        found_.push_back({effect.empty() ? "short sequences turn otherwise" : effect, key("base")});
      }
    }
    add_new_keys(found_, findings);
  }

 private:
  std::string key(const std::string& quantity) const { return reading_.key(quantity, is_sliding_); }

  void add_quantity(const OrderedJson& rule) {
    const auto name = rule.at("name").get<std::string>();
    const auto found = number_text(held_.at(name));
    const auto wanted = number_text(wanted_.at(name));
    add_finding(found_, key(name), "{} is {}, not {}: {} {}", rule.at("word").get<std::string>(), found,
                wanted, key(name),
                reading_.has(key(name)) ? fmt::format("= {}, which should be {}", found, wanted)
                                        : fmt::format("is missing, and llama.cpp assumes {}", found));
  }

  void compare_factors(const std::string& role, const std::vector<double>& held,
                       const std::vector<double>& wanted) {
    const auto name = llama_cpp_data().at("tensors").at(role).get<std::string>();
    if (held.empty() && !wanted.empty()) {
      add_finding(found_, name,
                  "no frequency is divided: {} is missing, and llama.cpp then takes every factor to be 1",
                  name);
    } else if (wanted.empty() && !held.empty()) {
      add_finding(found_, name, "frequencies are divided by the factors of {}, expected none", name);
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
      add_finding(found_, name, "the factor of pair {0} is {1}, not {2}: {3}[{0}] = {1}, which should be {2}",
                  *where, number_text(held[*where]), number_text(wanted[*where]), name);
    }
  }

  /// The type of the scaling, where it would change what is wanted.
  void compare_types(const std::string& type_key) {
    auto other = wanted_;
    other.scaling_type = held_.scaling_type;
    other.quantities["extrapolation"] = held_.at("extrapolation");
    auto own = held_;  // where nothing is wanted, the type matters by the file's own quantities
    own.scaling_type = wanted_.scaling_type;
    own.quantities["extrapolation"] = wanted_.at("extrapolation");
    if (!are_same(other, wanted_) || !are_same(own, held_)) {
      add_finding(found_, type_key, "the scaling is {}, not {}: {} {}", held_.scaling_type,
                  wanted_.scaling_type, type_key,
                  reading_.has(type_key) ? "= " + held_.scaling_type
                                         : std::string("is missing, and llama.cpp assumes linear"));
    }
  }

  /// Each of the file's quantities that alone would change what is wanted. Findings of scalings whose keys
  /// the file has none of are one.
  void compare_quantities() {
    const auto type = llama_cpp_data().at("scaling_type").at("key").get<std::string>();
    const auto type_key = reading_.key_named(type);
    const bool wants_scaling = wanted_.scaling_type == "yarn" || wanted_.scaling_type == "linear";
    std::vector<std::string> missing;
    const bool has_scaling = reading_.has(type_key) || reading_.has(reading_.key("factor", false));
    const bool needs_type = !held_.by_length || !wanted_.by_length;
    if (wanted_.scaling_type != "none" && needs_type && !has_scaling) {
      missing.push_back(type.substr(scaling_keys.size()));
    } else if (held_.scaling_type != wanted_.scaling_type) {
      compare_types(type_key);
    }
    for (const auto& rule : llama_cpp_data().at("quantities")) {
      const auto name = rule.at("name").get<std::string>();
      auto other = wanted_;
      other.quantities[name] = held_.at(name);
      // The type of the scaling says what this factor is.
      const bool follows = name == "extrapolation" && held_.scaling_type != wanted_.scaling_type;
      if (follows || are_same(other, wanted_)) {
        continue;
      }
      const auto first = rule.at("keys").front().get<std::string>();
      if (!has_scaling && wants_scaling && !reading_.has(key(name)) && first.starts_with(scaling_keys)) {
        missing.push_back(first.substr(scaling_keys.size()));
      } else {
        add_quantity(rule);
      }
    }
    if (!missing.empty()) {
      const auto all = reading_.key_named(std::string(scaling_keys) + "*");
      add_finding(found_, all,
                  "the scaling is none, not {}: {} is missing ({}), and llama.cpp then scales nothing",
                  wanted_.scaling_type, all, joined(missing));
    }
    auto truncated = wanted_;
    truncated.truncates = held_.truncates;
    if (!are_same(truncated, wanted_)) {
      add_finding(found_, "truncate",
                  "truncate is {} in llama.cpp, not {}: no key of a GGUF file says it ({})", held_.truncates,
                  wanted_.truncates, llama_cpp_rule("truncate").why);
    }
  }

  /// Where two sets of sections part.
  void compare_sections() {
    const bool has_other_order = held_.are_interleaved != wanted_.are_interleaved;
    if (wanted_.sections.empty() || (held_.sections == wanted_.sections && !has_other_order)) {
      return;
    }
    const auto told = [](const LlamaCppRope& rope) {
      return rope.sections.empty() ? "none"
                                   : joined(rope.sections) + (rope.are_interleaved ? " interleaved" : "");
    };
    const auto name = reading_.key_named(llama_cpp_data().at("sections").get<std::string>());
    add_finding(found_, name, "the sections of M-RoPE are {}, not {}: {} {}", told(held_), told(wanted_),
                name,
                held_.sections.empty()               ? "is missing"
                : held_.sections != wanted_.sections ? "says so"
                                                     : "has the order of its architecture");
  }

  const LlamaCppReading& reading_;
  const LlamaCppRope& held_;
  const LlamaCppRope& wanted_;
  bool is_sliding_;
  std::vector<InspectionFinding> found_ = {};
};

bool is_of_sliding_layers(const std::string& kind) {
  return kind.find("sliding") != std::string::npos || kind.find("local") != std::string::npos;
}

}  // namespace

void inspect_gguf(const Gguf& file, const Expectation& expected, Inspection& inspection) {
  const LlamaCppReading reading(file, inspection.file);
  inspection.kind = fmt::format("GGUF {}, architecture {}", file.version(), reading.architecture());
  const auto layout = reading.layout();
  if (layout == "none") {
    inspection.remarks.push_back(
        fmt::format("llama.cpp rotates nothing in the architecture {}", reading.architecture()));
    return;
  }
  std::optional<double> width;
  for (const auto& one : expected.encodings) {
    if (const auto rotation = turn_rates_of(one.spec, expected.source)) {
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
  for (const auto& one : expected.encodings) {
    if (!turn_rates_of(one.spec, expected.source)) {
      inspection.remarks.push_back(fmt::format("{}: {} is not compared: a GGUF file does not hold it",
                                               expected.source, one.spec.value("scheme", std::string())));
      continue;
    }
    inspection.is_judged = true;
    const bool is_sliding = is_of_sliding_layers(one.kind);
    const auto wanted = wanted_rope(one.spec, expected.source, reading.has_log_multiplier());
    GgufComparison(reading, is_sliding ? sliding : full, wanted, is_sliding)
        .compare(inspection.findings, inspection.remarks);
    const auto theirs = one.spec.value("layout", std::string("half"));
    if (!layout.empty() && theirs != layout) {
      inspection.remarks.push_back(
          fmt::format("the layout is {}, and {} there: the converter permutes the weights", layout, theirs));
    }
  }
}

}  // namespace vernier
