#include <vector>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/columns.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Pairs of any frequencies at all, as trained ones are: sine and cosine
/// side by side.
struct FrequencyListSpec {
  static constexpr std::string_view scheme = "frequency_list";

  std::vector<Rational> frequencies;
  PairOrder order = PairOrder::sin_cos;
  RealPositions positions = {};

  void keys(KeyVisitor& visit) {
    static const NumberRange each{positive_range().least, positive_range().greatest,
                                  "a number from 1e-30 to 1e30, or one written as text (\"0.1\", \"1/3\")"};
    visit.required({"frequencies", "the frequency of each pair", "pairs"}, frequencies,
                   list_of(each, {1, largest_dimension / 2}, "an array of at least one frequency"));
    visit_pair_order(visit, order);
    positions.keys(visit);
  }

  std::string summary() const {
    return fmt::format("pairs of {} listed frequencies{}{}", frequencies.size(),
                       order == PairOrder::cos_sin ? ", cosine first" : "", positions.summary());
  }

  std::vector<TensorDefinition> tensors() const {
    const auto pairs = static_cast<int>(frequencies.size());
    return {TrigTable{"encoding", positions.of(ListedFrequencies{frequencies}), 1,
                      interleaved_pairs(pairs, order), std::nullopt, positions.map}};
  }

  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }
};

}  // namespace

Scheme frequency_list_scheme() {
  return {"frequency_list",
          "pairs of sine and cosine of frequencies that the spec lists",
          {R"({"scheme":"frequency_list","frequencies":["1/3",0.7,2]})"},
          {form_of<FrequencyListSpec>()}};
}

}  // namespace vernier
