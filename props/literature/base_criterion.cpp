// The criterion of arXiv 2405.14591 for the base of RoPE: no sum of cos(m base^(-2i/d)) over the pairs is
// negative at an offset m below the context.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/decay/dot_products.hpp"
#include "reference/decay/negative_sums.hpp"
#include "reference/support/word_list.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {
namespace {

/// The head dimension of the paper's table.
constexpr int pairs_of_the_table = 64;

CosineSum sum_for_base(const Rational& base) {
  return {GeometricFrequencies{
      .base = base, .step = Rational(1, pairs_of_the_table), .pairs = pairs_of_the_table}};
}

/// Rows of context, base, first offset with a negative sum (0 for none below the context).
void signs_at_bases(Facts& facts) {
  for (const auto& [context, base, expected] : facts.figures<std::int64_t, std::int64_t, std::int64_t>()) {
    const auto sum = sum_for_base(base);
    const auto first = first_negative_sum(sum, context - 1).value_or(0);
    facts.add(first == expected, "L = {}, base {}: {}", context, base,
              first == 0 ? "no sum is negative"
                         : fmt::format("the sum at m = {} is {}, the first below zero", first,
                                       digits(dot_product(sum.frequencies, first), 4)));
  }
}

/// All bases from 2 to 1000 L: rows of context, least base that satisfies the criterion, number of ranges of
/// bases above it that do not, and the last base that does not.
void every_base(Facts& facts) {
  for (const auto& [context, least, failing, last] :
       facts.figures<std::int64_t, std::string, std::ptrdiff_t, std::string>()) {
    const auto greatest = static_cast<double>(1000 * context);
    const auto ranges = alternating(decided_bases(pairs_of_the_table, context - 1, 2, greatest));
    const auto first = std::ranges::find_if(ranges, &DecidedBases::holds);
    const auto above = std::count_if(first, ranges.end(), [](const auto& range) { return !range.holds(); });
    const bool found = ranges.size() > 2 && first - ranges.begin() == 1 && ranges.back().holds();
    const auto ending = found ? ranges[ranges.size() - 2].upper : 0;
    facts.add(found && rounds_to_decimal(enclose(first->lower), least) && above == failing &&
                  rounds_to_decimal(enclose(ending), last),
              "L = {}, bases from 2 to {}: none below {} satisfies it, {} ranges of bases above that do not, "
              "and the last of these ends at {}",
              context, greatest, found ? digits(enclose(first->lower), 9) : "?", above,
              digits(enclose(ending), 9));
  }
}

/// E[q^T R_m q] - E[q^T R_m k] over components mean +- deviation, every choice of signs once.
void expectation_of_scores(Facts& facts) {
  const Rational deviation(2, 5);
  const auto component = [&](unsigned signs, unsigned i) {
    return (signs >> i & 1U) != 0 ? Rational(Rational(1, 3) + deviation)
                                  : Rational(Rational(1, 3) - deviation);
  };
  bool equal = true;
  for (const int m : {0, 1, 2, 5, 9}) {
    Rational excess = 0;
    Rational cosines = 0;
    for (unsigned pair = 0; pair < 2; ++pair) {
      const ExactRotation turn(static_cast<int>(pair + 1) * m);
      cosines += turn.cosine();
      for (unsigned both = 0; both < 16; ++both) {  // the signs of a pair of q, then of k
        const Rational a = component(both, 0), b = component(both, 1);
        const Rational c = component(both, 2), d = component(both, 3);
        excess += ((a * a + b * b) * turn.cosine() - (a * c + b * d) * turn.cosine() -
                   (b * c - a * d) * turn.sine()) /
                  16;
      }
    }
    equal &= excess == 2 * deviation * deviation * cosines;
  }
  facts.add(equal,
            "d = 4, components 1/3 +- 2/5, five offsets: over all signs the mean score of a query with "
            "itself exceeds "
            "that with any key by exactly 2 sigma^2 times the sum");
}

/// The first offset below its context at which a model's sum is negative, or 0, by rotation and context, with
/// names.
struct ModelsOfOneSum {
  CosineSum sum;  ///< of a head; pairs that do not turn count one each
  std::int64_t context;
  std::int64_t first;
  std::vector<std::string> models;
};

/// Those of the catalogue that state their context and whose tokens have one position each, which is not
/// scaled.
std::vector<ModelsOfOneSum> models_by_sum() {
  std::vector<ModelsOfOneSum> result;
  for (const auto& model : catalogue()) {
    for (const auto& layer_spec : model.layer_specs) {
      const auto encoding = model.encoding(layer_spec);
      const auto rotations = encoding->all<HeadRotation>();
      const auto spec = encoding->spec();
      if (rotations.empty() || !spec.contains("max_position_embeddings") || !rotations[0].axes.empty() ||
          rotations[0].scale || !rotations[0].table.positions.is_plain()) {
        continue;
      }
      const CosineSum sum{rotations[0].table.frequencies,
                          static_cast<int>(rotations[0].passed_through().size() / 2)};
      const auto context = spec["max_position_embeddings"].get<std::int64_t>();
      auto same = std::ranges::find_if(result, [&](const ModelsOfOneSum& one) {
        return one.context == context && one.sum.still == sum.still && one.sum.frequencies == sum.frequencies;
      });
      if (same == result.end()) {
        const auto first = first_negative_sum(sum, context - 1).value_or(0);
        same = result.insert(same, {sum, context, first, {}});
      }
      same->models.push_back(model.id + (layer_spec.layers == "all" ? "" : " " + layer_spec.layers));
    }
  }
  return result;
}

void models_by_criterion(Facts& facts) {
  std::size_t all = 0, broken = 0;
  std::vector<std::string> firsts;
  const auto sums = models_by_sum();
  for (const auto& one : sums) {
    all += one.models.size();
    broken += one.first == 0 ? 0 : one.models.size();
    firsts.push_back(fmt::format("{} of {} ({})", one.first == 0 ? "none" : std::to_string(one.first),
                                 one.context, fmt::join(one.models, ", ")));
  }
  for (const auto& [model, context, first] : facts.figures<std::string, std::int64_t, std::int64_t>()) {
    const auto found = std::ranges::find_if(sums, [&model = model](const ModelsOfOneSum& one) {
      return std::ranges::count(one.models, model) > 0;
    });
    facts.add(found != sums.end() && found->context == context && found->first == first, "{}: {}", model,
              first == 0 ? "no sum is negative" : fmt::format("the first is at m = {}", first));
  }
  facts.add(
      broken > 0,
      "of {} configurations of the catalogue {} have a negative sum below their context; the first offsets "
      "are {}",
      all, broken, joined(firsts));
}

/// As many pairs stand still as turn.
void half_of_a_head(Facts& facts) {
  auto sum = sum_for_base(100);
  sum.still = pairs_of_the_table;
  facts.add(
      !first_negative_sum(sum, 1 << 20) && first_negative_sum(sum_for_base(100), 1 << 20),
      "n cosines are never below -n, and n still pairs add n, so no sum is negative at any base and offset");
}

}  // namespace

std::vector<Evidence> base_criterion_evidence() {
  return {
      {"criterion/expectation", expectation_of_scores}, {"criterion/every-base", every_base},
      {"criterion/published-bases", signs_at_bases},    {"criterion/smaller-bases", signs_at_bases},
      {"criterion/larger-bases", signs_at_bases},       {"criterion/no-monotony", signs_at_bases},
      {"criterion/thousandfold", signs_at_bases},       {"criterion/printed-digits", signs_at_bases},
      {"criterion/models", models_by_criterion},        {"criterion/half-of-a-head", half_of_a_head},
  };
}

}  // namespace vernier
