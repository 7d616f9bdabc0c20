#include "numerics/arithmetic/open_stages.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "numerics/arithmetic/rounding.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// How many computations, and how many predictions, are asked beyond the tensors: a fraction of a second.
constexpr std::size_t most_asked_leaves = 48;
constexpr std::size_t most_predictions = std::size_t{1} << 20;
constexpr std::size_t designed_inputs = 6000;

constexpr bool is_of_frequencies(ArithmeticStage stage) {
  return stage <= ArithmeticStage::frequency;
}

/// Two computations that differ in a stage, and in as little else as any two do: their indices.
using Rivals = std::pair<std::size_t, std::size_t>;

/// A stage of which several ways are left, and what keeps them apart, or not, once inputs were asked.
struct OpenStage {
  StageFinding* finding;
  std::vector<Rivals> pending;  ///< that no input has told apart yet
  std::size_t rivals = pending.size();
  std::size_t told = 0;

  /// Takes out the rivals that part at an input.
  template <class Part>
  void tell_apart(const TellingInput& input, const Part& part) {
    const auto parted = std::erase_if(pending, part);
    told += parted;
    if (parted != 0 && !finding->telling) {
      finding->telling = input;
    }
  }
};

std::size_t differences(const ArithmeticWays& a, const ArithmeticWays& b) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    result += static_cast<std::size_t>(a[i] != b[i]);
  }
  return result;
}

/// For every pair of ways of a stage the two nearest computations that have them.
std::vector<Rivals> rivals_of(const StageFinding& finding, const std::vector<ArithmeticWays>& left) {
  std::vector<Rivals> result;
  for (std::size_t one = 0; one < finding.ways.size(); ++one) {
    for (std::size_t other = one + 1; other < finding.ways.size(); ++other) {
      std::optional<Rivals> nearest;
      std::size_t least = arithmetic_stages + 1;
      for (std::size_t i = 0; i < left.size(); ++i) {
        for (std::size_t j = 0; j < left.size(); ++j) {
          if (at(left[i], finding.stage) == finding.ways[one] &&
              at(left[j], finding.stage) == finding.ways[other] && differences(left[i], left[j]) < least) {
            least = differences(left[i], left[j]);
            nearest = Rivals{i, j};
          }
        }
      }
      if (nearest) {
        result.push_back(*nearest);
      }
    }
  }
  return result;
}

/// Positions to ask, the nearest first: all of the context, or evenly spread ones and its last.
std::vector<std::int64_t> asked_positions(std::int64_t context, std::size_t most) {
  std::vector<std::int64_t> result;
  const auto step = std::max<std::int64_t>(1, (context + static_cast<std::int64_t>(most) - 1) /
                                                  static_cast<std::int64_t>(std::max<std::size_t>(most, 1)));
  for (std::int64_t position = 0; position < context; position += step) {
    result.push_back(position);
  }
  if (result.empty() || result.back() != context - 1) {
    result.push_back(std::max<std::int64_t>(context - 1, 0));
  }
  return result;
}

/// The first leaves that are left, with one formula of each class, and what they predict.
struct LeftTables {
  TableSpace space;
  std::vector<ArithmeticWays> computations;
  std::vector<StoredSine> predicted;  ///< at the element asked last

  explicit LeftTables(const TableSpace& all) : space(all) {
    space.keep_first(most_asked_leaves);
    computations =
        mapped(space.left(), [&](const TableLeaf& leaf) { return space.computations_of(leaf).front(); });
  }

  void ask(std::size_t pair) {
    predicted.clear();
    space.filter(pair, [&](const TableLeaf&, const StoredSine& stored) {
      predicted.push_back(stored);
      return true;
    });
  }

  bool part(const Rivals& rivals) const {
    return !predicted[rivals.first].has_bits_of(predicted[rivals.second]);
  }
};

/// Says why no input tells the ways of a stage apart, where that is known without asking. \returns whether it
/// is
bool is_explained(StageFinding& stage, Format stored, bool has_one_frequency, std::int64_t context) {
  const auto has_only = [&](auto one, auto other) {
    return std::ranges::all_of(
        stage.ways, [&](std::int8_t way) { return way == index_of(one) || way == index_of(other); });
  };
  const bool is_store = stage.stage == ArithmeticStage::table || stage.stage == ArithmeticStage::store_0 ||
                        stage.stage == ArithmeticStage::store_1;
  if (is_store && has_only(StoreMode::nearest, StoreMode::flushed)) {
    stage.reason = fmt::format("only a result below 2^{}, and not 0, tells them apart", traits(stored).emin);
  }
  if (stage.stage == ArithmeticStage::phase && has_one_frequency && context <= std::int64_t{1} << 24 &&
      has_only(PhaseFormat::float32, PhaseFormat::rounded_float64)) {
    stage.reason = "no position can tell: an integer below 2^24 times a float32 number is exact in float64";
    stage.is_proven = true;
  }
  return !stage.reason.empty();
}

std::string told_sentence(const OpenStage& open) {
  const auto& input = *open.finding->telling;
  const auto where = input.x0 ? fmt::format("x0 = {}, x1 = {} at position {}, pair {}", *input.x0, *input.x1,
                                            input.position, input.pair)
                              : fmt::format("position {}, pair {}", input.position, input.pair);
  return fmt::format("{} tells {} apart", where, open.told == open.rivals ? "them" : "some of them");
}

/// What products of an input are exact in float32 with, in a sentence.
std::string proof_of_exact_products(Format input) {
  return fmt::format(
      "no input can tell{}: a product of two {} numbers is exact in float32, so it does not show whether "
      "it is rounded",
      input == Format::bfloat16 ? ", but where |x cos| or |x sin| is below 2^-126" : "", traits(input).name);
}

}  // namespace

void explain_table_stages(std::vector<StageFinding>& stages, const TableSpace& space, const StoredBits& bits,
                          bool whole_context) {
  LeftTables left(space);
  const bool has_one_frequency = std::ranges::all_of(space.left(), [&](const TableLeaf& leaf) {
    return leaf.frequencies == space.left().front().frequencies;
  });
  const auto pairs = static_cast<std::size_t>(bits.frequencies.pairs());
  const auto stored = bits.tables.empty() ? Format::binary32 : bits.tables.front().format;
  std::vector<OpenStage> open;
  for (auto& stage : stages) {
    if (stage.is_settled() || is_of_rotation(stage.stage) ||
        is_explained(stage, stored, has_one_frequency, bits.context)) {
      continue;
    }
    if (is_of_frequencies(stage.stage) && has_one_frequency) {
      stage.is_proven = true;
      stage.reason = fmt::format("no position can tell: all give the {} frequencies the same bits", pairs);
    } else {
      open.push_back({&stage, rivals_of(stage, left.computations)});
    }
  }
  const auto most = whole_context
                        ? static_cast<std::size_t>(bits.context)
                        : most_predictions / (pairs * std::max<std::size_t>(left.computations.size(), 1));
  const auto positions = asked_positions(bits.context, std::max<std::size_t>(most, 2));
  const auto has_pending = [](const OpenStage& stage) { return !stage.pending.empty(); };
  for (std::size_t i = 0; i < positions.size() && std::ranges::any_of(open, has_pending); ++i) {
    left.space.go_to(positions[i]);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      left.ask(pair);
      for (auto& stage : open) {
        stage.tell_apart({positions[i], pair}, [&](const Rivals& rivals) { return left.part(rivals); });
      }
    }
  }
  for (const auto& stage : open) {
    auto& finding = *stage.finding;
    if (stage.told != 0) {
      finding.reason = told_sentence(stage);
    } else if (std::cmp_equal(positions.size(), bits.context)) {
      finding.is_proven = left.computations.size() == space.left().size();
      finding.reason = fmt::format("equal at every position of the context of {}", bits.context);
    } else {
      finding.reason =
          fmt::format("not told apart at {} of the context's {} positions", positions.size(), bits.context);
    }
  }
}

TurnedPair designed_input(std::uint64_t number, Format input, Format output, const StoredSine& by,
                          double sign) {
  std::mt19937_64 random(number);
  std::normal_distribution<double> normal;
  double x1 = round_to(input, normal(random));
  if (number % 3 == 0) {
    return {round_to(input, normal(random)), x1, 0, 0};
  }
  // y0 = x0 cos + sign x1 sin nearly cancels; of several x1 the one that leaves least.
  const auto cancelling = [&](double of) { return round_to(input, -sign * of * by.sine / by.cosine); };
  if (number % 3 == 1) {
    const auto rest = [&](double of) { return std::fabs(cancelling(of) * by.cosine + sign * of * by.sine); };
    for (int i = 0; i < 16; ++i) {
      const double other = round_to(input, normal(random));
      x1 = std::isfinite(rest(other)) && rest(other) < rest(x1) && other != 0 ? other : x1;
    }
    const double x0 = cancelling(x1);
    return {std::isfinite(x0) ? x0 : 1, x1, 0, 0};
  }
  // A tie of the output: x0 cos in the middle of two of its numbers as near as may be, x1 sin tiny.
  double x0 = round_to(input, normal(random));
  const auto from_tie = [&](double of) {
    const double product = of * by.cosine;
    const double low = stored_as(StoreMode::cut, output, product);
    return std::fabs(std::fabs((product - low) / ulp_at(output, low == 0 ? 1 : low)) - 0.5);
  };
  for (int i = 0; i < 16; ++i) {
    const double other = round_to(input, normal(random));
    x0 = from_tie(other) < from_tie(x0) ? other : x0;
  }
  const int least = std::max(-24, traits(input).emin);
  return {x0, round_to(input, std::ldexp(x1, least + static_cast<int>(random() % 20))), 0, 0};
}

void explain_rotation_stages(std::vector<StageFinding>& stages, const RotationSpace& space,
                             const RotationSets& sets, const StoredVectors& vectors,
                             const RowOfPosition& rows) {
  for (auto& finding : stages) {
    if (finding.is_settled() || !is_of_rotation(finding.stage) ||
        is_explained(finding, vectors.output, false, 0)) {
      continue;
    }
    const auto component = component_of(finding.stage).value_or(0);
    std::vector<std::size_t> left;
    for_each_in(sets[component], [&](std::size_t rotation) { left.push_back(rotation); });
    OpenStage stage{&finding, rivals_of(finding, space.ways(sets[component], component))};
    const auto proven = std::erase_if(stage.pending, [&](const Rivals& rivals) {
      return space.proven_equal(left[rivals.first]) == space.proven_equal(left[rivals.second]);
    });
    std::size_t inputs = 0;
    for (; inputs < designed_inputs && !stage.pending.empty(); ++inputs) {
      const auto position = vectors.positions[(inputs * 7919) % vectors.positions.size()];
      const auto pair = (inputs * 31) % vectors.pairs_of_vector;
      const auto row = rows(position);
      if (row.empty()) {
        continue;
      }
      const auto of =
          made_for(component, designed_input(inputs, vectors.input, vectors.output, row[pair], vectors.sign));
      const auto value = [&](std::size_t which) {
        return space.predicted(left[which], component, of, vectors.sign, row[pair]);
      };
      stage.tell_apart({position, pair, of.x0, of.x1}, [&](const Rivals& rivals) {
        return !same_bits(value(rivals.first), value(rivals.second));
      });
    }
    const auto proof = proven == 0 ? std::string() : proof_of_exact_products(vectors.input);
    if (stage.told != 0) {
      finding.reason = told_sentence(stage) + (proof.empty() ? "" : "; of the others " + proof);
    } else if (proven == stage.rivals) {
      finding.reason = proof;
      finding.is_proven = !proof.empty();
    } else {
      finding.reason = fmt::format("not told apart in {} inputs made to do so{}", inputs,
                                   proof.empty() ? "" : "; of some " + proof);
    }
  }
}

}  // namespace vernier
