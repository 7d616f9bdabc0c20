// What is overwritten in parts of tables, and by which positions pairs turn.

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/made_tensors.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t damaged_rows = 300;
constexpr std::size_t damaged_pairs = 16;

using DamagedRow = std::vector<double>;

/// Cosines or sines of all pairs, and all again, or each twice in a row.
DamagedRow doubled_row(const std::string& role, double position, double base, bool is_interleaved) {
  DamagedRow row(2 * damaged_pairs);
  for (std::size_t pair = 0; pair < damaged_pairs; ++pair) {
    const double phase = position * std::pow(base, -static_cast<double>(pair) / damaged_pairs);
    const double value = role == "cos" ? std::cos(phase) : std::sin(phase);
    row[is_interleaved ? 2 * pair : pair] = value;
    row[is_interleaved ? 2 * pair + 1 : pair + damaged_pairs] = value;
  }
  return row;
}

struct MadeTables {
  std::function<void(const std::string& role, DamagedRow& row)> damage;
  double base = 10000;
  bool is_interleaved = false;
  std::function<double(double position)> computed = [](double p) { return p; };
};

Diagnosis diagnosed(const MadeTables& made) {
  CaseInput parts{"a test", "made", "", {}, std::nullopt};
  for (const std::string role : {"cos", "sin"}) {
    std::vector<double> values;
    for (std::size_t r = 0; r < damaged_rows; ++r) {
      auto row = doubled_row(role, made.computed(static_cast<double>(r)), made.base, made.is_interleaved);
      made.damage(role, row);
      std::ranges::transform(row, std::back_inserter(values),
                             [](double x) { return round_to(Format::binary32, x); });
    }
    parts.tensors.emplace(
        role, NamedTensor{"made", tensor_of(Format::binary32, {damaged_rows, 2 * damaged_pairs}, values)});
  }
  parts.tensors.emplace("positions",
                        NamedTensor{"made", integer_tensor({damaged_rows}, positions_from(0, damaged_rows))});
  const std::string layout = made.is_interleaved ? "interleaved" : "half";
  const auto subject =
      assemble_case(parts, parsed(R"({"scheme": "rope", "head_dim": 32, "layout": ")" + layout + R"("})"));
  return diagnose_tables(subject, 2);
}

/// What becomes of the columns of one table from one on.
auto from_column(const std::string& damaged, std::size_t first, std::size_t step,
                 const std::function<void(std::vector<double*>&)>& change) {
  return [=](const std::string& role, DamagedRow& row) {
    std::vector<double*> columns;
    for (auto c = first; c < row.size(); c += step) {
      columns.push_back(&row[c]);
    }
    if (role == damaged) {
      change(columns);
    }
  };
}

void negate(std::vector<double*>& columns) {
  for (double* x : columns) {
    *x = -*x;
  }
}

void clear(std::vector<double*>& columns) {
  for (double* x : columns) {
    *x = 0;
  }
}

void move(std::vector<double*>& columns) {
  const double first = *columns.front();
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    *columns[i] = *columns[i + 1];
  }
  *columns.back() = first;
}

TEST(HalvesDiagnosis, NamesOneHalfThatIsNotAsTheOther) {
  for (const auto& [role, change, words] :
       {std::tuple("sin", &negate, "columns from 16 on of sin: the sine has the opposite sign"),
        {"cos", &move,
         "columns from 16 on of cos: each pair turns at the frequency of the pair behind it"}}) {
    const auto found = diagnosed({from_column(role, damaged_pairs, 1, change)});
    EXPECT_EQ(named(found), "damage/halves");
    EXPECT_THAT(told(found), HasSubstr(words));
  }
  EXPECT_THAT(told(diagnosed({from_column("cos", damaged_pairs, 1, clear)})),
              HasSubstr("columns from 16 on of cos are zero"));
}
TEST(HalvesDiagnosis, NamesNeighboursThatDiffer) {
  for (const auto& change : {negate, move}) {
    const auto found = diagnosed({from_column("cos", 1, 2, change), 10000, true});
    EXPECT_EQ(named(found), "damage/halves") << told(found);
  }
  EXPECT_THAT(told(diagnosed({from_column("cos", 1, 2, clear), 10000, true})),
              HasSubstr("odd columns of cos are zero"));
}

TEST(HalvesDiagnosis, NamesHalfOfThePairsByOneEditNotBySixteen) {
  const auto found = diagnosed({from_column("sin", damaged_pairs, 1, negate), 10000, true});
  EXPECT_THAT(told(found), HasSubstr("pairs from 8 on: the sine has the opposite sign"));
}
TEST(HalvesDiagnosis, NamesThemBesideAnotherFault) {
  const auto based = diagnosed({from_column("cos", damaged_pairs, 1, move), 500000});
  EXPECT_EQ(named(based), "frequency/base + damage/halves") << told(based);
  const auto clamped = diagnosed({from_column("sin", damaged_pairs, 1, negate), 10000, false,
                                  [](double p) { return std::min(p, 222.0); }});
  EXPECT_EQ(named(clamped), "position/clamped + damage/halves") << told(clamped);
}

/// Every third column of one half is no half.
TEST(HalvesDiagnosis, NamesNothingThatIsNoHalf) {
  const auto found = diagnosed({from_column("sin", damaged_pairs, 3, negate)});
  EXPECT_THAT(named(found), Not(HasSubstr("damage/halves"))) << told(found);
}

Diagnosis sinusoidal_diagnosed(const std::function<void(std::size_t row, DamagedRow&)>& damage, Format stored,
                               const std::string& keys = "") {
  std::vector<double> values;
  for (std::size_t r = 0; r < damaged_rows; ++r) {
    DamagedRow row;
    for (std::size_t pair = 0; pair < damaged_pairs; ++pair) {
      const double phase =
          static_cast<double>(r) * std::pow(10000.0, -static_cast<double>(pair) / damaged_pairs);
      row.insert(row.end(), {std::sin(phase), std::cos(phase)});
    }
    damage(r, row);
    std::ranges::transform(row, std::back_inserter(values), [&](double x) { return round_to(stored, x); });
  }
  CaseInput parts{"a test", "made", "", {}, std::nullopt};
  parts.tensors.emplace("encoding",
                        NamedTensor{"made", tensor_of(stored, {damaged_rows, 2 * damaged_pairs}, values)});
  parts.tensors.emplace("positions",
                        NamedTensor{"made", integer_tensor({damaged_rows}, positions_from(0, damaged_rows))});
  const auto subject = assemble_case(parts, parsed(R"({"scheme": "sinusoidal", "d_model": 32)" + keys + "}"));
  return diagnose_tables(subject, 2);
}

TEST(DamageDiagnosis, NamesTheRowOfPaddingBesideOtherDamage) {
  const auto found = sinusoidal_diagnosed(
      [](std::size_t r, DamagedRow& row) {
        if (r == 1) {
          std::ranges::fill(row, 0.25);
        }
        row[7] = row[9];
      },
      Format::binary32, R"(, "padding_idx": 1)");
  EXPECT_EQ(named(found), "frequency/other-pair + mapping/padding") << told(found);
}

/// Two elements that are a few steps off are damage if all others are well within their budgets.
TEST(DamageDiagnosis, NamesOnePairThatIsTurnedALittle) {
  const auto turned = [](std::size_t at) {
    return [at](std::size_t r, DamagedRow& row) {
      if (r == at) {
        const double phase = static_cast<double>(r) * std::pow(10000.0, -6.0 / damaged_pairs) + 0.0012;
        row[12] = std::sin(phase);
        row[13] = std::cos(phase);
      }
    };
  };
  const auto found = sinusoidal_diagnosed(turned(257), Format::binary16);
  EXPECT_EQ(named(found).substr(0, 14), "damage/element") << told(found);
}

/// Tables of an image: the first pairs turn by the rows of patches, the others by their columns.
Diagnosis image_diagnosed(const std::function<std::size_t(std::size_t pair)>& axis_of) {
  constexpr std::size_t width = 17;
  std::vector<std::int64_t> positions(3 * damaged_rows);
  for (std::size_t row = 0; row < damaged_rows; ++row) {
    positions[row] = 20;
    positions[damaged_rows + row] = 20 + static_cast<std::int64_t>(row / width);
    positions[2 * damaged_rows + row] = 20 + static_cast<std::int64_t>(row % width);
  }
  CaseInput parts{"a test", "made", "", {}, std::nullopt};
  for (const std::string role : {"cos", "sin"}) {
    std::vector<double> values;
    for (std::size_t row = 0; row < damaged_rows; ++row) {
      for (std::size_t pair = 0; pair < damaged_pairs; ++pair) {
        const double phase = static_cast<double>(positions[axis_of(pair) * damaged_rows + row]) *
                             std::pow(10000.0, -static_cast<double>(pair) / damaged_pairs);
        values.push_back(round_to(Format::binary32, role == "cos" ? std::cos(phase) : std::sin(phase)));
      }
    }
    parts.tensors.emplace(
        role, NamedTensor{"made", tensor_of(Format::binary32, {damaged_rows, damaged_pairs}, values)});
  }
  parts.tensors.emplace("positions", NamedTensor{"made", integer_tensor({3, damaged_rows}, positions)});
  return diagnose_tables(assemble_case(parts, parsed(R"({"scheme": "rope", "head_dim": 32, "rope_scaling":
          {"rope_type": "default", "mrope_section": [8, 4, 4]}})")),
                         2);
}

TEST(AxesDiagnosis, NamesPairsThatTurnByOtherAxes) {
  const auto declared = [](std::size_t pair) -> std::size_t { return pair < 8 ? 0 : pair < 12 ? 1 : 2; };
  EXPECT_EQ(named(image_diagnosed(declared)), "unexplained");
  const auto scattered =
      image_diagnosed([&](std::size_t pair) { return pair % 5 == 1 ? 2 : declared(pair); });
  EXPECT_EQ(named(scattered), "mapping/axes") << told(scattered);
  EXPECT_THAT(told(scattered),
              HasSubstr("pairs 1 of every 5: every pair turns by the positions along axis 2"));
  const auto taken =
      image_diagnosed([&](std::size_t pair) { return std::min<std::size_t>(declared(pair), 1); });
  EXPECT_EQ(named(taken), "mapping/axes") << told(taken);
  EXPECT_THAT(told(taken), HasSubstr("pairs of axis 2 turn by the positions along axis 1, not 2"));
}

}  // namespace
}  // namespace vernier
