#include <vector>

#include <fmt/core.h>

#include "reference/schemes/columns.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Pairs of any frequencies at all, as trained ones are: sine and cosine
/// side by side.
struct FrequencyListSpec {
  std::vector<Rational> frequencies;  ///< each from 1e-30 to 1e30, at least one
  PairOrder order = PairOrder::sin_cos;
  RealPositions positions = {};
};

class FrequencyListEncoding final : public Encoding {
 public:
  explicit FrequencyListEncoding(FrequencyListSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "frequency_list"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;
  const PositionMap& positions_along(std::size_t /*axis*/) const override { return spec_.positions.map; }

 private:
  FrequencyListSpec spec_;
};

constexpr std::string_view expected_list = "an array of at least one frequency";
constexpr std::string_view expected_listed_frequency =
    "a number from 1e-30 to 1e30, or one written as text (\"0.1\", \"1/3\")";

bool is_listed_frequency(const Rational& value) {
  static const Rational greatest = *parse_rational("1e30");
  return value * greatest >= 1 && value <= greatest;
}

std::unique_ptr<Encoding> parse_frequency_list(ObjectReader& reader) {
  FrequencyListSpec spec;
  spec.frequencies = read_exact_numbers(reader, "frequencies", reader.array("frequencies", expected_list),
                                        is_listed_frequency, expected_listed_frequency);
  if (spec.frequencies.empty() || spec.frequencies.size() > static_cast<std::size_t>(largest_dimension / 2)) {
    reader.refuse("frequencies", expected_list);
  }
  spec.order = read_pair_order(reader);
  spec.positions = RealPositions::read(reader);
  return std::make_unique<FrequencyListEncoding>(std::move(spec));
}

std::vector<TensorDefinition> FrequencyListEncoding::define_tensors() const {
  const auto pairs = static_cast<int>(spec_.frequencies.size());
  return {TrigTable{"encoding", spec_.positions.of(ListedFrequencies{spec_.frequencies}), 1,
                    interleaved_pairs(pairs, spec_.order), std::nullopt, spec_.positions.map}};
}

std::string FrequencyListEncoding::summary() const {
  return fmt::format("pairs of {} listed frequencies{}{}", spec_.frequencies.size(),
                     spec_.order == PairOrder::cos_sin ? ", cosine first" : "", spec_.positions.summary());
}

OrderedJson FrequencyListEncoding::spec() const {
  OrderedJson result{{"scheme", "frequency_list"},
                     {"frequencies", exact_json_numbers(spec_.frequencies)},
                     {"order", name_of(spec_.order)}};
  spec_.positions.write(result);
  return result;
}

}  // namespace

Scheme frequency_list_scheme() {
  return {"frequency_list",
          "pairs of sine and cosine of frequencies that the spec lists",
          parse_frequency_list,
          {R"({"scheme":"frequency_list","frequencies":["1/3",0.7,2]})"}};
}

}  // namespace vernier
