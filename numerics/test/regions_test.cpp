// Tables of which two or three computations made a region each: what each part is told to be, and that what
// no computation made stays unexplained.

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/seeded_draws.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/program/program.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "reference/support/mapped.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t made_pairs = 16;

/// What a table holds of a pair.
struct HeldPair {
  double place;
  double frequency;
  double amplitude = 1;
  std::optional<double> place_of_cosine = std::nullopt;  ///< nothing: the same
};
using PairContent = std::function<HeldPair(double position, std::size_t pair)>;

double declared_frequency(std::size_t pair, double base = 10000) {
  return static_cast<float>(std::pow(base, -static_cast<double>(pair) / made_pairs));
}
HeldPair as_declared(double position, std::size_t pair) {
  return {position, declared_frequency(pair)};
}

Diagnosis diagnosed_pairs(const std::vector<std::int64_t>& positions, const PairContent& content) {
  std::map<std::string, NamedTensor, std::less<>> tensors;
  tensors.emplace("positions", NamedTensor{"made", integer_tensor({positions.size()}, positions)});
  for (const bool is_sine : {false, true}) {
    std::vector<double> values;
    for (const auto position : positions) {
      for (std::size_t pair = 0; pair < made_pairs; ++pair) {
        const auto held = content(static_cast<double>(position), pair);
        const double place = is_sine ? held.place : held.place_of_cosine.value_or(held.place);
        const double phase = static_cast<float>(place * held.frequency);
        values.push_back(held.amplitude * (is_sine ? std::sin(phase) : std::cos(phase)));
      }
    }
    tensors.emplace(is_sine ? "sin" : "cos",
                    NamedTensor{"made", tensor_of(Format::binary32, {positions.size(), made_pairs}, values)});
  }
  return diagnose_tables(assemble_case({"a test", "made", "", std::move(tensors), std::nullopt},
                                       parsed(R"({"scheme": "rope", "head_dim": 32})")),
                         1);
}

Diagnosis diagnosed_pairs(std::size_t rows, const PairContent& content) {
  return diagnosed_pairs(positions_from(0, rows), content);
}

TEST(Regions, EachIsToldWithWhatItHolds) {
  const auto told = likeliest_with_ids(diagnosed_pairs(256, [](double p, std::size_t pair) {
    return p < 64    ? as_declared(p, pair)
           : p < 128 ? HeldPair{p, declared_frequency(pair, 1000000)}
                     : HeldPair{p, declared_frequency(pair), 2};
  }));
  EXPECT_THAT(told, AllOf(HasSubstr("rows from 128 on: the amplitude is 2, not 1"),
                          HasSubstr("rows 64 to 127: the base is 1000000, not 10000")));
}

TEST(Regions, HoldWhatNoWholeTensorShows) {
  const auto half = [](double p, std::size_t pair) {
    return pair % 2 == 0 || p < 100 ? as_declared(p, pair) : HeldPair{p, declared_frequency(pair), 0};
  };
  EXPECT_THAT(likeliest_with_ids(diagnosed_pairs(160, half)),
              HasSubstr("rows from 100 on, odd pairs: all elements are zero"));
}

/// The index sets of a part are exactly the planted ones.
TEST(Regions, SayWhichElementsTheyHave) {
  const auto diagnosis = diagnosed_pairs(160, [](double p, std::size_t pair) {
    return pair % 2 == 0 || p < 100 ? as_declared(p, pair) : HeldPair{p, declared_frequency(pair), 0};
  });
  ASSERT_TRUE(diagnosis.is_explained());
  const auto& region = diagnosis.explanations.front().findings.front().region;
  ASSERT_TRUE(region);
  const auto numbers = [](const std::vector<IndexRun>& runs) {
    return mapped(runs, [](const IndexRun& run) { return std::array{run.first, run.last, run.step}; });
  };
  EXPECT_THAT(numbers(region->rows), ElementsAre(std::array<std::size_t, 3>{100, 159, 1}));
  ASSERT_EQ(region->columns.size(), 2U);
  EXPECT_EQ(region->columns.front().first, "cos");
  EXPECT_THAT(numbers(region->columns.front().second), ElementsAre(std::array<std::size_t, 3>{1, 15, 2}));
  EXPECT_EQ(region->elements, 2U * 60U * 8U);
}

/// Twice the frequency and twice the position are the same phases.
TEST(Regions, SayWhatWouldPredictTheirElementsAsWell) {
  const auto diagnosis = diagnosed_pairs(160, [](double p, std::size_t pair) {
    return pair < 8 || p < 100 ? as_declared(p, pair) : HeldPair{2 * p, declared_frequency(pair)};
  });
  ASSERT_TRUE(diagnosis.is_explained());
  const auto& finding = diagnosis.explanations.front().findings.front();
  ASSERT_TRUE(finding.region);
  EXPECT_THAT(finding.region->equally, Contains(HasSubstr("rows from 100 on, pairs from 8 on: ")))
      << finding.sentence;
}

/// The shift shows once the elements that are zero are left out, and the amplitude as the factor of many
/// elements, not of all that fail.
TEST(Regions, AreMeasuredByThemselves) {
  const auto shifted_and_zero = [](double p, std::size_t pair) {
    return p >= 100    ? HeldPair{p, declared_frequency(pair), 0}
           : pair >= 4 ? HeldPair{p - 7, declared_frequency(pair)}
                       : as_declared(p, pair);
  };
  EXPECT_THAT(likeliest_with_ids(diagnosed_pairs(160, shifted_and_zero)),
              AllOf(HasSubstr("rows from 100 on: all elements are zero"),
                    HasSubstr("pairs from 4 on: positions are smaller by 7")));
  const auto shifted_and_scaled = [](double p, std::size_t pair) {
    return pair >= 10             ? HeldPair{p - 7, declared_frequency(pair)}
           : std::fmod(p, 2) == 0 ? HeldPair{p, declared_frequency(pair), 0.5}
                                  : as_declared(p, pair);
  };
  EXPECT_THAT(likeliest_with_ids(diagnosed_pairs(160, shifted_and_scaled)),
              AllOf(HasSubstr("even rows, pairs 0 to 9: the amplitude is 0.5"),
                    HasSubstr("pairs from 10 on: positions are smaller by 7")));
}

/// Rows of which a part is known tell no positions of what is left.
TEST(Regions, ReadPositionsOffRowsThatAreLeft) {
  const auto wraps_between = [](double p, std::size_t pair) {
    return std::fmod(p, 2) == 0 ? HeldPair{p, round_to(Format::bfloat16, declared_frequency(pair))}
                                : HeldPair{std::fmod(p, 20), declared_frequency(pair)};
  };
  EXPECT_THAT(likeliest_with_ids(diagnosed_pairs(160, wraps_between)),
              AllOf(HasSubstr("odd rows: positions wrap at 20"),
                    HasSubstr("even rows: the frequencies are rounded to bfloat16")));
}

/// Of a pair a larger part may have the cosine alone: the sine is told with the rest.
TEST(Regions, HaveWordsForAllTheirColumns) {
  const auto wrapped_cosines = [](double p, std::size_t pair) {
    return HeldPair{p < 219 ? p - 3 : p, declared_frequency(pair), 1,
                    pair >= 4 ? std::optional(std::fmod(p, 50)) : std::nullopt};
  };
  EXPECT_THAT(likeliest_with_ids(diagnosed_pairs(300, wrapped_cosines)),
              AllOf(HasSubstr("the cosines of pairs from 4 on: positions wrap at 50"),
                    HasSubstr("rows 0 to 218: positions are smaller by 3")));
}

TEST(Regions, OfNoKnownComputationStayUnexplained) {
  const auto shaken = [](double p, std::size_t pair) {
    return pair < 8 || p < 100 ? as_declared(p, pair)
                               : HeldPair{p + 0.3 * std::sin(12.9898 * p), declared_frequency(pair)};
  };
  EXPECT_FALSE(diagnosed_pairs(160, shaken).is_explained());
}

/// A drawn content in a drawn region is told with both. Each diagnosis takes half a second: a dozen are
/// drawn.
TEST(Regions, AreToldWhereTheyAre) {
  struct Drawn {
    std::string words;
    PairContent content;
  };
  const std::vector<Drawn> contents{{"larger by 7",
                                     [](double p, std::size_t i) {
                                       return HeldPair{p + 7, declared_frequency(i)};
                                     }},
                                    {"the base is 1000000, not 10000",
                                     [](double p, std::size_t i) {
                                       return HeldPair{p, declared_frequency(i, 1000000)};
                                     }},
                                    {"multiplied by 1/2",
                                     [](double p, std::size_t i) {
                                       return HeldPair{p, declared_frequency(i) / 2};
                                     }},
                                    {"the amplitude is 1.25, not 1", [](double p, std::size_t i) {
                                       return HeldPair{p, declared_frequency(i), 1.25};
                                     }}};
  SeededDraws draw(test_seed());
  for (int drawn = 0; drawn < 12; ++drawn) {
    const auto& [words, content] = draw.of(contents);
    const auto first_row = draw.between(20, 50);
    const auto last_row = draw.between(first_row + 20, 90);
    const auto first_pair = draw.between(2, 6);
    const auto last_pair = draw.between(first_pair + 4, 14);
    const bool is_of_rows = draw.chance(0.6);
    const bool is_of_pairs = !is_of_rows || draw.chance(0.5);
    const auto told = likeliest_with_ids(diagnosed_pairs(100, [&](double p, std::size_t pair) {
      const auto i = static_cast<std::int64_t>(pair);
      const bool has_row =
          !is_of_rows || (static_cast<double>(first_row) <= p && p <= static_cast<double>(last_row));
      const bool has_pair = !is_of_pairs || (first_pair <= i && i <= last_pair);
      return has_row && has_pair ? content(p, pair) : as_declared(p, pair);
    }));
    const auto range = [](std::int64_t first, std::int64_t last) {
      return " " + std::to_string(first) + " to " + std::to_string(last);
    };
    EXPECT_THAT(told, AllOf(HasSubstr(words), HasSubstr(is_of_rows ? range(first_row, last_row) : ""),
                            HasSubstr(is_of_pairs ? range(first_pair, last_pair) : "")))
        << "rows" << (is_of_rows ? range(first_row, last_row) : "") << ", pairs"
        << (is_of_pairs ? range(first_pair, last_pair) : "");
  }
}

/// Of nine in ten sets of rows a fault has the name that all rows give it; of the others it has none.
TEST(Regions, KeepTheirNamesWhateverRowsAreShown) {
  const std::vector<PairContent> contents{
      [](double p, std::size_t i) {
        return p < 64 ? as_declared(p, i) : HeldPair{p, declared_frequency(i, 1000000)};
      },
      [](double p, std::size_t i) {
        return i < 4 ? as_declared(p, i) : HeldPair{p - 7, declared_frequency(i)};
      },
      [](double p, std::size_t i) {
        return i < 8 ? HeldPair{p, declared_frequency(i) / 2} : as_declared(p, i);
      },
      [](double p, std::size_t i) {
        return 40 <= p && p < 100 ? HeldPair{p, declared_frequency(i), 0} : as_declared(p, i);
      },
      [](double p, std::size_t i) {
        return HeldPair{p, declared_frequency(i), 1, std::fmod(p, 20)};
      }};
  constexpr int subsets = 2;
  constexpr std::size_t shown_rows = 100;
  SeededDraws draw(test_seed());
  int unexplained = 0;
  for (const auto& content : contents) {
    const auto all_rows = named(diagnosed_pairs(160, content));
    EXPECT_NE(all_rows, "unexplained");
    for (int subset = 0; subset < subsets; ++subset) {
      auto rows = positions_from(0, 160);
      while (rows.size() > shown_rows) {
        rows.erase(rows.begin() + draw.between(0, std::ssize(rows) - 1));
      }
      const auto some_rows = named(diagnosed_pairs(rows, content));
      unexplained += some_rows == "unexplained" ? 1 : 0;
      EXPECT_THAT(some_rows, testing::AnyOf(all_rows, "unexplained"));
    }
  }
  EXPECT_LE(10 * unexplained, subsets * std::ssize(contents));
}

/// Each order of operations in 16 bits is told by its format; some give the true frequencies, rounded.
TEST(Programs, OfEveryOrderIn16BitsAreTold) {
  const Frequencies meant(GeometricFrequencies{Rational(10000), Rational(1, made_pairs), made_pairs});
  for (const auto& [format, name] :
       {std::pair(Format::bfloat16, "bfloat16"), {Format::binary16, "float16"}}) {
    for (const auto& order : program::ways_that_end(program::Stage::order)) {
      const auto frequencies = *program::frequencies_of({{format}, {order}}, meant);
      const auto diagnosis = diagnosed_pairs(300, [&](double p, std::size_t pair) {
        return HeldPair{round_to(format, round_to(format, p) * frequencies[pair]), 1};
      });
      EXPECT_THAT(likeliest_with_ids(diagnosis),
                  ContainsRegex(std::string("(computed in|rounded to) ") + name))
          << order.way->id;
    }
  }
}

}  // namespace
}  // namespace vernier
