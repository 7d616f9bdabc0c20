#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "props/literature/evidence.hpp"
#include "reference/json/json.hpp"
#include "reference/numbers/interval.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Gathers what a computation established, fact by fact. Every fact must come out for the conclusion to
/// stand; one that does not leaves the whole undecided, and says which.
class Facts {
 public:
  Facts() = default;
  /// \param text of the evidence, in evidence.json; outlives the facts
  explicit Facts(const OrderedJson& text) : text_(&text) {}

  /// The figures that evidence.json gives, row by row: those that were published, or were found before.
  template <class... Fields>
  std::vector<std::tuple<Fields...>> figures(const char* name = "figures") const {
    return text_->at(name).get<std::vector<std::tuple<Fields...>>>();
  }
  /// The same where all are decimals.
  std::vector<std::vector<std::string>> figure_rows() const {
    return text_->at("figures").get<std::vector<std::vector<std::string>>>();
  }

  /// \param established what the computation says \param sentence the fact with its figures, without a full
  /// stop: "d = 16: g(1) = 7.485"
  void add(bool established, const std::string& sentence);
  /// The same with the figures in their places: "d = {}: g(1) = {}".
  template <class First, class... Rest>
  void add(bool established, fmt::format_string<First, Rest...> sentence, First&& first, Rest&&... rest) {
    add(established, fmt::format(sentence, std::forward<First>(first), std::forward<Rest>(rest)...));
  }

  /// \param finding what follows from all the facts
  EvidenceResult conclude(Ruling finding) const;

 private:
  const OrderedJson* text_ = nullptr;
  std::string told_;
  std::string failed_;
};

/// Adds the fact that a law holds on the reference, over its random cases.
void add_law(Facts& facts, std::string_view law);

/// A residual that contains zero and could not be as large as 2^-120.
bool vanishes_to_120_bits(const Interval& residual);
/// A number known to within `error` of a double.
Interval within(double value, double error);
/// The sinusoidal encoding of the paper.
TrigTable paper_table(std::int64_t d = 512, const Rational& base = 10000);

}  // namespace vernier
