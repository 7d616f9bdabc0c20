// What slopes are multiplied by: other distances than the declared ones.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/biases/bias_model.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

using Factor = BiasTable::Factor;

struct NamedFactor {
  Factor factor;
  std::string_view name;  ///< in specs
  std::string_view words;
};
constexpr std::array<NamedFactor, 3> named_factors{
    {{Factor::key_position, "key_position", "the positions of the keys"},
     {Factor::distance_to_last, "distance_to_last", "how far keys are behind the last one"},
     {Factor::distance, "distance", "how far keys are from their query"}}};

const NamedFactor& named(Factor factor) {
  return *std::ranges::find(named_factors, factor, &NamedFactor::factor);
}

BiasEdits other_multipliers(const BiasSubject& subject) {
  BiasEdits edits;
  const auto declared = subject.bias.table.factor;
  for (const auto& other : named_factors) {
    if (declared != other.factor) {
      edits.push_back(
          {{nullptr,
            fmt::format("slopes are multiplied by {}, not by {}", other.words, named(declared).words),
            replacement("bias", std::string(other.name))},
           variant_bits,
           bias_order::multiplier,
           [factor = other.factor](BiasModel& model) { model.kind = factor; }});
    }
  }
  return edits;
}

using Multiplier = std::int64_t (*)(std::int64_t query, std::int64_t key);

BiasEdits signed_distances(const BiasSubject& subject) {
  if (subject.bias.table.factor != Factor::distance || subject.bias.queries() == 1) {
    return {};
  }
  const auto edit = [](std::string sentence, Multiplier multiplier) {
    return BiasEdit{
        {nullptr, std::move(sentence)}, variant_bits, bias_order::multiplier, [multiplier](BiasModel& model) {
          model.multiplier = multiplier;
        }};
  };
  return {edit("distances have a sign: keys after their query get positive biases",
               [](std::int64_t query, std::int64_t key) { return key - query; }),
          edit("keys after their query get no bias",
               [](std::int64_t query, std::int64_t key) { return std::min(std::int64_t{0}, key - query); }),
          edit("keys before their query get no bias",
               [](std::int64_t query, std::int64_t key) { return std::min(std::int64_t{0}, query - key); })};
}

BiasEdits aligned_to_first(const BiasSubject& subject) {
  const auto& bias = subject.bias;
  if (bias.table.factor != Factor::distance || bias.queries() == bias.keys()) {
    return {};
  }
  return {{{nullptr, "queries stand at the first keys, not at the last"},
           variant_bits,
           bias_order::multiplier,
           [](BiasModel& model) { model.queries_first = true; }}};
}

BiasEdits counted_keys(const BiasSubject& subject) {
  std::vector<std::int64_t> counted(subject.keys.size());
  std::iota(counted.begin(), counted.end(), 0);
  BiasEdits edits;
  if (!std::ranges::equal(counted, subject.keys)) {
    edits.push_back({{nullptr, "keys are counted from 0, whatever their positions"},
                     variant_bits,
                     bias_order::multiplier,
                     [counted](BiasModel& model) { model.keys = counted; }});
  }
  std::vector<std::int64_t> reversed(subject.keys.rbegin(), subject.keys.rend());
  edits.push_back({{nullptr, "the positions of the keys are in reverse order"},
                   variant_bits,
                   bias_order::multiplier,
                   [reversed](BiasModel& model) { model.keys = reversed; }});
  return edits;
}

/// What a multiplier seems to be off by if this is the slope of the first head.
std::int64_t found_offset(const BiasSubject& subject, Factor factor, double slope) {
  auto model = subject.declared();
  model.kind = factor;
  constexpr double most = 0x1p31;
  const BiasPlace place{0, subject.bias.queries() - 1, subject.bias.keys() - 1};
  const double offset = subject.at(place) / slope - model.multiplier_at(subject.bias.queries(), place);
  return std::fabs(offset) < most ? std::llround(offset) : 0;
}

BiasEdits offsets(const BiasSubject& subject) {
  std::set<std::int64_t> candidates{1, -1};
  const double found = subject.found_slopes[0];
  for (const auto& factor : named_factors) {
    for (const double slope : {subject.declared().slope(0).approximately(), found, -found}) {
      candidates.insert(found_offset(subject, factor.factor, slope));
    }
  }
  candidates.erase(0);
  const bool is_position = subject.bias.table.factor == Factor::key_position;
  BiasEdits edits;
  for (const auto offset : candidates) {
    const auto by = std::abs(offset);
    const bool grows = is_position == (offset > 0);
    edits.push_back({{nullptr, fmt::format("{} are {} by {}", is_position ? "positions of keys" : "distances",
                                           grows ? "larger" : "smaller", by)},
                     by == 1 ? flag_bits + 1.5 : variant_bits + integer_bits(by),
                     bias_order::offset,
                     [offset](BiasModel& model) { model.offset = offset; }});
  }
  return edits;
}

BiasEdits multiplier_formats(const BiasSubject& subject) {
  BiasEdits edits;
  const auto what = subject.bias.table.factor == Factor::key_position ? "positions" : "distances";
  for (const auto format : {Format::binary16, Format::bfloat16}) {
    edits.push_back({{nullptr, fmt::format("{} are rounded to {}", what, traits(format).name)},
                     variant_bits,
                     bias_order::multiplier_format,
                     [format](BiasModel& model) { model.multiplier_format = format; }});
  }
  return edits;
}

constexpr std::string_view shifted_rows =
    "Where all keys of a query are off by one number the softmax does not see it; elsewhere near and far "
    "keys "
    "change places.";

constexpr std::array<BiasFault, 6> multiplier_faults{{
    {"position/distance", other_multipliers},
    {"position/distance-sign", signed_distances},
    {"position/aligned-to-first", aligned_to_first},
    {"position/counted-keys", counted_keys},
    {"position/distance-offset", offsets},
    {"position/distance-format", multiplier_formats},
}};

}  // namespace

BiasEdits multiplier_edits(const BiasSubject& subject) {
  BiasEdits edits;
  if (!subject.is_slopes()) {
    append_edits(multiplier_faults, subject, edits);
  }
  return edits;
}

}  // namespace vernier
