#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/core.h>

#include "numerics/tensors/case.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
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

/// What rounding to a type may change a frequency by, and what computes it in float32 besides.
double tolerance_of(const Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::bfloat16:
      return 1.0 / 128;
    case ElementType::float16:
      return 1.0 / 512;
    default:
      return 1e-5;
  }
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

/// Frequencies against those of the specs: the nearest in width tells what is wrong.
void judge_frequencies(const StoredTensor& stored, const Rotation& held, double tolerance,
                       const Expectation& expected, Inspection& inspection) {
  std::string sentence;
  const bool agrees = any_spec(expected, [&](const OrderedJson& spec) {
    auto wanted = rotation_of(spec, expected.source);
    if (!wanted) {
      return false;
    }
    inspection.is_judged = true;
    wanted->amplitude = 1;
    const auto parted = difference(held, *wanted, tolerance);
    if (parted.any() && sentence.empty()) {
      sentence =
          fmt::format("{} has {}, expected {}: {}", stored.name, description(held.frequencies, tolerance),
                      description(wanted->frequencies, tolerance), parted.sentence());
    }
    return !parted.any();
  });
  if (!agrees && !sentence.empty()) {
    inspection.findings.push_back({sentence, stored.name});
  }
}

void inspect_frequencies(const StoredTensor& stored, const std::optional<Expectation>& expected,
                         Inspection& inspection) {
  if (!stored.tensor || !stored.tensor->format() || stored.tensor->elements() > most_frequencies) {
    inspection.remarks.push_back(
        fmt::format("{} {} of {} cannot be read here", stored.name, to_string(stored.shape), stored.type));
    return;
  }
  Rotation held;
  held.frequencies.resize(stored.tensor->elements());
  stored.tensor->numbers(0, held.frequencies);
  const auto tolerance = tolerance_of(*stored.tensor);
  auto& remarks = inspection.remarks;
  const auto remark =
      fmt::format("{} holds {}", last_word(stored.name), description(held.frequencies, tolerance));
  if (std::ranges::find(remarks, remark) == remarks.end()) {
    remarks.push_back(remark);
  }
  if (expected) {
    judge_frequencies(stored, held, tolerance, *expected, inspection);
  }
}

/// The tensor whose name is that of a table of cosines with "sin" in the place of "cos".
const StoredTensor* sines_of(std::span<const StoredTensor> tensors, const std::string& cosines) {
  auto name = cosines;
  name.replace(name.rfind(cosines_word), cosines_word.size(), sines_word);
  const auto found = std::ranges::find(tensors, name, &StoredTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

/// A verdict on a pair of tables; nothing where their shapes are none of the spec's.
std::optional<Verdict> verdict_on_tables(const StoredTensor& cosines, const StoredTensor& sines,
                                         const OrderedJson& spec, const std::string& source) {
  CaseInput input;
  input.source = source;
  input.name = cosines.name;
  input.tensors.emplace("cos", NamedTensor{cosines.name, *cosines.tensor});
  input.tensors.emplace("sin", NamedTensor{sines.name, *sines.tensor});
  try {
    return validate(assemble_case(input, parse_spec(spec.dump(), source)), "");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

void inspect_tables(const StoredTensor& cosines, const StoredTensor& sines,
                    const std::optional<Expectation>& expected, Inspection& inspection) {
  if (cosines.shape.empty()) {
    return;
  }
  inspection.remarks.push_back(fmt::format("{} and {} are tables {} of {}", cosines.name, sines.name,
                                           to_string(cosines.shape), cosines.type));
  if (!cosines.tensor || !sines.tensor || !cosines.tensor->format() || !sines.tensor->format() || !expected) {
    return;
  }
  std::string sentence = fmt::format("{} {} has none of the shapes that {} defines", cosines.name,
                                     to_string(cosines.shape), expected->source);
  bool has_shape = false;
  const bool agrees = any_spec(*expected, [&](const OrderedJson& spec) {
    const auto verdict = verdict_on_tables(cosines, sines, spec, expected->source);
    if (verdict && outcome(*verdict) == Conclusion::conforms) {
      return true;
    }
    if (verdict && !has_shape) {
      has_shape = true;
      const auto why = sentence_of(*verdict);
      sentence = fmt::format("{} and {} do not hold what {} means: {}", cosines.name, sines.name,
                             expected->source, why.empty() ? headline(*verdict) : why);
    }
    return false;
  });
  inspection.is_judged = true;
  if (!agrees) {
    inspection.findings.push_back({sentence, cosines.name});
  }
}

void inspect_tensors(std::span<const StoredTensor> tensors, const std::optional<Expectation>& expected,
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
