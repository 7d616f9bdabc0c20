#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include <fmt/core.h>

#include "numerics/tensors/case.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/inspection/kinds.hpp"
#include "reports/inspection/rotation.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

/// What engines call their tensors: parts of the last word of a name.
constexpr std::string_view frequencies_word = "inv_freq";
constexpr std::string_view cosines_word = "cos";
constexpr std::string_view sines_word = "sin";
constexpr std::array<std::string_view, 7> names_of_trained{"wpe.weight",
                                                           "position_embeddings.weight",
                                                           "embed_positions.weight",
                                                           "position_embedding.weight",
                                                           "pos_embed",
                                                           "pos_embedding",
                                                           "position_embeddings"};
constexpr std::size_t most_frequencies = 1 << 16;

/// What a frequency may differ by where a base is told: twice the distance of two numbers of the type, or, as
/// for the keys of a GGUF file, what exponents that are rounded to float32 do.
double tolerance_of(const Tensor& tensor) {
  return std::max(1e-5, 4 * traits(*tensor.format()).unit_roundoff());
}

std::string last_word(const std::string& name) {
  return name.substr(name.find_last_of("./") + 1);
}

/// The specs that a table or frequencies may be of: where frequencies depend on the sequence's length, those
/// of a short one too.
std::vector<OrderedJson> specs_of(const MeantEncoding& one) {
  std::vector<OrderedJson> specs{one.spec};
  const auto scaling = one.spec.value("rope_scaling", OrderedJson::object());
  if (scaling.contains("short_factor") && scaling.contains("original_max_position_embeddings")) {
    specs.push_back(one.spec);
    specs.back()["sequence_length"] = scaling.at("original_max_position_embeddings");
  }
  return specs;
}

/// Calls `visit` with every spec that a tensor may be of, until it returns true.
bool any_spec(const Expectation& expected, const std::function<bool(const OrderedJson&)>& visit) {
  return std::ranges::any_of(expected.encodings, [&visit](const MeantEncoding& one) {
    return std::ranges::any_of(specs_of(one), visit);
  });
}

/// Tensors by the roles that they have in a case.
using TensorsByRole = std::vector<std::pair<std::string, const StoredTensor*>>;

bool hold_numbers(const TensorsByRole& tensors) {
  return std::ranges::all_of(tensors, [](const auto& one) {
    return one.second->tensor.has_value() && one.second->tensor->format().has_value();
  });
}

/// A verdict on them; nothing where their shapes are none of the spec's.
std::optional<Verdict> verdict_on(const TensorsByRole& tensors, const OrderedJson& spec,
                                  const std::string& source) {
  CaseInput input;
  input.source = source;
  input.name = tensors.front().second->name;
  for (const auto& [role, stored] : tensors) {
    input.tensors.emplace(role, NamedTensor{stored->name, *stored->tensor});
  }
  try {
    return validate(assemble_case(input, parse_spec(spec.dump(), source)), "");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Judges them by the first spec that they conform to, else by the first that has their shapes.
void judge(const TensorsByRole& tensors, const Expectation& expected, Inspection& inspection) {
  if (!expected.says_anything()) {
    return;
  }
  const auto names = mapped(tensors, [](const auto& one) { return one.second->name; });
  const auto& first = *tensors.front().second;
  std::string sentence = fmt::format("{} {} has none of the shapes that {} defines", first.name,
                                     to_string(first.shape), expected.source);
  bool has_shape = false;
  const bool agrees = any_spec(expected, [&](const OrderedJson& spec) {
    const auto verdict = verdict_on(tensors, spec, expected.source);
    if (verdict && !has_shape) {
      has_shape = true;
      const auto why = sentence_of(*verdict);
      sentence = fmt::format("{}: not what {} means: {}", joined(names, " and "), expected.source,
                             why.empty() ? headline(*verdict) : why);
    }
    return verdict && outcome(*verdict) == Conclusion::conforms;
  });
  inspection.is_judged = true;
  if (!agrees) {
    inspection.findings.push_back({sentence, first.name});
  }
}

void inspect_frequencies(const StoredTensor& stored, const Expectation& expected, Inspection& inspection) {
  if (!stored.tensor || !stored.tensor->format() || stored.tensor->elements() > most_frequencies) {
    inspection.remarks.push_back(
        fmt::format("{} {} of {} cannot be read here", stored.name, to_string(stored.shape), stored.type));
    return;
  }
  std::vector<double> frequencies(stored.tensor->elements());
  stored.tensor->numbers(0, frequencies);
  add_once(inspection.remarks, fmt::format("{} holds {}", last_word(stored.name),
                                           description(frequencies, tolerance_of(*stored.tensor))));
  judge({{"inv_freq", &stored}}, expected, inspection);
}

/// The tensor whose name is that of a table of cosines with "sin" in the place of "cos".
const StoredTensor* sines_of(std::span<const StoredTensor> tensors, const std::string& cosines) {
  auto name = cosines;
  name.replace(name.rfind(cosines_word), cosines_word.size(), sines_word);
  const auto found = std::ranges::find(tensors, name, &StoredTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace

void add_new_keys(std::span<const InspectionFinding> found, std::vector<InspectionFinding>& findings) {
  for (const auto& finding : found) {
    if (std::ranges::find(findings, finding.key, &InspectionFinding::key) == findings.end()) {
      findings.push_back(finding);
    }
  }
}

void tell_obstacles(std::span<const StoredTensor> tensors, Inspection& inspection) {
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& stored : tensors) {
    if (!stored.obstacle.empty()) {
      names[stored.obstacle].push_back(stored.name);
    }
  }
  for (const auto& [obstacle, of] : names) {
    const auto others = of.size() == 1 ? "" : fmt::format(" (nor are {} others)", of.size() - 1);
    inspection.remarks.push_back(fmt::format("{} is not read{}: {}", of.front(), others, obstacle));
  }
}

void inspect_tables(const StoredTensor& cosines, const StoredTensor& sines, const Expectation& expected,
                    Inspection& inspection) {
  if (cosines.shape.empty()) {
    return;
  }
  inspection.remarks.push_back(fmt::format("{} and {} are tables {} of {}", cosines.name, sines.name,
                                           to_string(cosines.shape), cosines.type));
  if (const TensorsByRole tables{{"cos", &cosines}, {"sin", &sines}}; hold_numbers(tables)) {
    judge(tables, expected, inspection);
  }
}

void inspect_tensors(std::span<const StoredTensor> tensors, const Expectation& expected,
                     Inspection& inspection) {
  for (const auto& stored : tensors) {
    const auto word = last_word(stored.name);
    const auto ends = [&stored](std::string_view end) { return stored.name.ends_with(end); };
    if (word.find(frequencies_word) != std::string::npos) {
      inspect_frequencies(stored, expected, inspection);
    } else if (word.find(cosines_word) != std::string::npos) {
      if (const auto* sines = sines_of(tensors, stored.name)) {
        inspect_tables(stored, *sines, expected, inspection);
      }
    } else if (std::ranges::any_of(names_of_trained, ends) && stored.shape.size() >= 2) {
      inspection.remarks.push_back(fmt::format("{} is trained: {} positions of {} values, which no spec says",
                                               stored.name, stored.shape[stored.shape.size() - 2],
                                               stored.shape.back()));
    }
  }
}

}  // namespace vernier
