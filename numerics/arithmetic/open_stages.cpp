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

constexpr bool is_of_rotation(ArithmeticStage stage) {
  return stage >= ArithmeticStage::narrowing;
}

/// Two computations that differ in a stage, and in as little else as any two do.
struct Rivals {
  std::size_t stage;  ///< its index among the findings
  std::size_t first;
  std::size_t second;
};

/// What keeps two ways of a stage apart, or not, once inputs were asked.
struct Asked {
  std::size_t rivals = 0;
  std::size_t told = 0;
  std::optional<TellingInput> input = std::nullopt;
};

/// Takes out the rivals that part at an input.
template <class Part>
void tell_apart(std::vector<Rivals>& pending, std::vector<Asked>& asked, const TellingInput& input,
                const Part& part) {
  std::erase_if(pending, [&](const Rivals& rivals) {
    const bool parts = part(rivals);
    if (auto& of = asked[rivals.stage]; parts) {
      ++of.told;
      of.input = of.input ? of.input : input;
    }
    return parts;
  });
}

std::size_t differences(const ArithmeticWays& a, const ArithmeticWays& b) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    result += static_cast<std::size_t>(a[i] != b[i]);
  }
  return result;
}

/// For every pair of ways of a stage the two nearest computations that have them.
std::vector<Rivals> rivals_of(std::size_t index, const StageFinding& finding,
                              const std::vector<ArithmeticWays>& left) {
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
            nearest = Rivals{index, i, j};
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
    computations = mapped(space.left(),
                          [&](const TableLeaf& leaf) { return space.computations_of(leaf, true).front(); });
  }

  void ask(std::size_t pair) {
    predicted.clear();
    space.filter(pair, [&](const TableLeaf&, const StoredSine& stored) {
      predicted.push_back(stored);
      return true;
    });
  }

  bool part(const Rivals& rivals) const {
    const auto& a = predicted[rivals.first];
    const auto& b = predicted[rivals.second];
    return !same_bits(a.sine, b.sine) || !same_bits(a.cosine, b.cosine);
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

std::string told_sentence(const Asked& asked) {
  const auto& input = *asked.input;
  const auto where = input.x0 ? fmt::format("x0 = {}, x1 = {} at position {}, pair {}", *input.x0, *input.x1,
                                            input.position, input.pair)
                              : fmt::format("position {}, pair {}", input.position, input.pair);
  return asked.told == asked.rivals ? fmt::format("{} tells them apart", where)
                                    : fmt::format("{} tells some of them apart", where);
}

}  // namespace

std::string proof_of_exact_products(Format input) {
  return fmt::format(
      "no input can tell{}: a product of two {} numbers is exact in float32, so it does not show whether "
      "it is rounded",
      input == Format::bfloat16 ? ", but where |x cos| or |x sin| is below 2^-126" : "", traits(input).name);
}

void explain_table_stages(std::vector<StageFinding>& stages, const TableSpace& space, const StoredBits& bits,
                          const ArithmeticEffort& effort) {
  LeftTables left(space);
  const bool has_one_frequency = std::ranges::all_of(space.left(), [&](const TableLeaf& leaf) {
    return leaf.frequencies == space.left().front().frequencies;
  });
  std::vector<Asked> asked(stages.size());
  std::vector<Rivals> pending;
  const auto pairs = static_cast<std::size_t>(bits.frequencies.pairs());
  const auto stored = bits.tables.empty() ? Format::binary32 : bits.tables.front().format;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto& stage = stages[i];
    if (stage.is_settled() || is_of_rotation(stage.stage) ||
        is_explained(stage, stored, has_one_frequency, bits.context)) {
      continue;
    }
    if (is_of_frequencies(stage.stage) && has_one_frequency) {
      stage.is_proven = true;
      stage.reason = fmt::format("no position can tell: all give the {} frequencies the same bits", pairs);
      continue;
    }
    const auto rivals = rivals_of(i, stage, left.computations);
    asked[i].rivals = rivals.size();
    pending.insert(pending.end(), rivals.begin(), rivals.end());
  }
  const auto most = effort.whole_context
                        ? static_cast<std::size_t>(bits.context)
                        : most_predictions / (pairs * std::max<std::size_t>(left.computations.size(), 1));
  const auto positions = asked_positions(bits.context, std::max<std::size_t>(most, 2));
  for (std::size_t i = 0; i < positions.size() && !pending.empty(); ++i) {
    left.space.go_to(positions[i]);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      left.ask(pair);
      tell_apart(pending, asked, {positions[i], pair}, [&](const Rivals& one) { return left.part(one); });
    }
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto& stage = stages[i];
    if (stage.is_settled() || is_of_rotation(stage.stage) || !stage.reason.empty()) {
      continue;
    }
    if (asked[i].told != 0) {
      stage.telling = asked[i].input;
      stage.reason = told_sentence(asked[i]);
    } else if (std::cmp_equal(positions.size(), bits.context)) {
      stage.is_proven = left.computations.size() == space.left().size();
      stage.reason = fmt::format("equal at every position of the context of {}", bits.context);
    } else {
      stage.reason =
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
                             const std::array<RotationSet, 2>& sets, const StoredVectors& vectors,
                             const RowOfPosition& rows) {
  std::vector<Asked> asked_of_stages(stages.size());
  for (std::size_t index = 0; index < stages.size(); ++index) {
    auto& stage = stages[index];
    auto& asked = asked_of_stages[index];
    if (stage.is_settled() || !is_of_rotation(stage.stage) || is_explained(stage, vectors.output, false, 0)) {
      continue;
    }
    const std::size_t component = stage.stage >= ArithmeticStage::products_1 ? 1 : 0;
    std::vector<std::size_t> left;
    std::vector<ArithmeticWays> computations;
    for (std::size_t i = 0; i < space.rotations().size(); ++i) {
      if (sets[component][i]) {
        left.push_back(i);
        computations.push_back(with_rotation(no_arithmetic, component, space.rotations()[i]));
      }
    }
    auto pending = rivals_of(index, stage, computations);
    asked.rivals = pending.size();
    const auto proven = std::erase_if(pending, [&](const Rivals& rivals) {
      return space.proven_equal(left[rivals.first]) == space.proven_equal(left[rivals.second]);
    });
    std::size_t inputs = 0;
    for (; inputs < designed_inputs && !pending.empty(); ++inputs) {
      const auto at_position = (inputs * 7919) % vectors.positions.size();
      const auto pair = (inputs * 31) % vectors.pairs_of_vector;
      const auto row = rows(vectors.positions[at_position]);
      if (row.empty()) {
        continue;
      }
      auto of = designed_input(inputs, vectors.input, vectors.output, row[pair], vectors.sign);
      if (component == 1) {  // y1 = x1 cos - sign x0 sin
        std::swap(of.x0, of.x1);
        of.x0 = -of.x0;
      }
      const auto value = [&](std::size_t which) {
        return space.predicted(left[which], component, of, vectors.sign, row[pair]);
      };
      tell_apart(pending, asked_of_stages, {vectors.positions[at_position], pair, of.x0, of.x1},
                 [&](const Rivals& one) { return !same_bits(value(one.first), value(one.second)); });
    }
    const auto proof = proven == 0 ? std::string() : proof_of_exact_products(vectors.input);
    if (asked.told != 0) {
      stage.telling = asked.input;
      stage.reason = told_sentence(asked) + (proof.empty() ? "" : "; of the others " + proof);
    } else if (proven == asked.rivals) {
      stage.reason = proof;
      stage.is_proven = !proof.empty();
    } else {
      stage.reason = fmt::format("not told apart in {} inputs made to do so{}", inputs,
                                 proof.empty() ? "" : "; of some " + proof);
    }
  }
}

}  // namespace vernier
