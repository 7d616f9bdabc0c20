// The checks over whole rows against their definitions, evaluated plainly.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// More rows than are judged at once, some of negative positions.
const std::vector<std::int64_t> checked_positions = positions_from(-20, 1500);

/// Changes the values of a tensor.
using FormatDamage = std::function<void(Format stored, std::vector<double>& values)>;

std::size_t some_element(std::mt19937_64& random, const std::vector<double>& values) {
  return static_cast<std::size_t>(random() % values.size());
}

void move_some(Format stored, std::vector<double>& values) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 50; ++i) {
    double& value = values[some_element(random, values)];
    for (auto steps = random() % 9; steps > 0; --steps) {
      value = next_up(stored, value);
    }
  }
}

void put_some(const std::vector<double>& bad, std::vector<double>& values) {
  std::mt19937_64 random(21);
  for (const double value : bad) {
    values[some_element(random, values)] = value;
  }
}

const std::vector<FormatDamage>& damages() {
  static const std::vector<FormatDamage> all{
      [](Format, std::vector<double>&) {},
      move_some,
      [](Format stored, std::vector<double>& values) {
        for (double& value : values) {
          value = round_to(stored, 1.25 * value);
        }
      },
      [](Format stored, std::vector<double>& values) {
        put_some({0, -0.0, 1, traits(stored).smallest(), 2.5, traits(stored).largest()}, values);
      },
      [](Format, std::vector<double>& values) {
        put_some({-infinity, std::numeric_limits<double>::quiet_NaN(), infinity}, values);
      },
  };
  return all;
}

Case made(std::unique_ptr<Encoding> encoding, const std::vector<TrigTable>& tables, const Recipe& recipe,
          Format stored, const FormatDamage& damage) {
  Case result{"made", "a test", std::move(encoding), checked_positions, {}, {}};
  for (const auto& table : tables) {
    auto values = values_of(RecipeTable(recipe, table, stored), checked_positions);
    damage(stored, values);
    result.tensors.all<TableTensor>().push_back(
        {table, tensor_of(stored, {checked_positions.size(), table.columns.size()}, values),
         contract_named(recipe.contract)});
  }
  return result;
}

Case made_rope(const Recipe& recipe, Format stored, const FormatDamage& damage) {
  auto encoding = std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 24, .rope_theta = 500000});
  const std::vector tables{encoding->parameters().table(Component::cosine),
                           encoding->parameters().table(Component::sine)};
  return made(std::move(encoding), tables, recipe, stored, damage);
}

Case made_sinusoidal(const Recipe& recipe, Format stored, const FormatDamage& damage) {
  auto encoding = std::make_unique<SinusoidalEncoding>(
      SinusoidalSpec{.d_model = 21, .padding_idx = 2, .scale = Rational(7, 3)});
  const auto tables = encoding->plain_tables();
  return made(std::move(encoding), tables, recipe, stored, damage);
}

/// The check of repeated rows.
void judge_repeated_rows(const AuditedCase& audited, std::vector<Check>& out) {
  judge_distinct_rows(audited, "property/<scheme>/unique", out);
}

void judge_constant_norm(const AuditedCase& audited, std::vector<Check>& out) {
  judge_constant_norm_of_tables(audited, out);
}

using Judge = void (*)(const AuditedCase& audited, std::vector<Check>& out);

Check judged_by(Judge judge, const Case& subject, int threads) {
  std::vector<Check> checks;
  oneapi::tbb::task_arena arena(threads);
  arena.execute([&] { judge(audited_case(subject, false), checks); });
  EXPECT_EQ(checks.size(), 1U);
  return checks.front();
}

/// A pair of a row, judged as norm_judge.hpp derives it.
struct Circle {
  double excess;
  double allowed;
  double budget_ratio;
};

double greatest_apart_from_phase(const BudgetModel& model, std::int64_t position, int pair, double got) {
  const auto at = [&](double value) {
    const double trig = model.trig(position, pair, value);
    return trig + model.storage(value + trig);
  };
  double behind = model.amplitude();
  for (int pass = 0; pass < 3; ++pass) {
    behind = std::min(model.amplitude(), std::fabs(got) + at(behind));
  }
  return at(behind);
}

Circle circle(const BudgetModel& c_model, const BudgetModel& s_model, std::int64_t position, int pair,
              double c, double s, const Enclosure& amplitude) {
  const double b = greatest_apart_from_phase(c_model, position, pair, c);
  const double a = greatest_apart_from_phase(s_model, position, pair, s);
  // Squares of numbers that are so large are taken over a power of two.
  const double greatest = std::max(std::fabs(c), std::fabs(s));
  const int exponent = std::isfinite(c) && std::isfinite(s) && greatest > 0x1p400 ? std::ilogb(greatest) : 0;
  const auto over = [exponent](double number, int times) { return std::ldexp(number, -times * exponent); };
  const auto [high, low] = (amplitude * amplitude).middle;
  const auto excess = two_product(over(c, 1), over(c, 1)) + two_product(over(s, 1), over(s, 1)) -
                      DoubleDouble{over(high, 2), over(low, 2)};
  const double allowed = 2 * std::fabs(over(c, 1)) * over(b, 1) + 3 * over(b, 1) * over(b, 1) +
                         2 * std::fabs(over(s, 1)) * over(a, 1) + 3 * over(a, 1) * over(a, 1);
  const double budget_ratio = !std::isfinite(c) || !std::isfinite(s) ? infinity
                              : excess.high == 0                     ? 0
                                                                     : std::fabs(excess.high) / allowed;
  return {over(excess.high, -2), over(allowed, -2), budget_ratio};
}

/// The columns of a pair's only cosine and only sine, as (tensor, column).
struct Columns {
  std::pair<std::size_t, std::size_t> cosine;
  std::pair<std::size_t, std::size_t> sine;
};

std::map<int, Columns> columns_of_pairs(const Case& subject) {
  std::map<int, Columns> result;
  std::map<int, int> components;
  for (std::size_t t = 0; t < subject.tensors.all<TableTensor>().size(); ++t) {
    const auto& columns = subject.tensors.all<TableTensor>()[t].table.sines.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].component != Component::zero) {
        auto& pair = result[columns[c].pair];
        (columns[c].component == Component::cosine ? pair.cosine : pair.sine) = {t, c};
        ++components[columns[c].pair];
      }
    }
  }
  std::erase_if(result, [&](const auto& entry) { return components[entry.first] < 2; });
  return result;
}

/// Every pair of every row evaluated in full: the counts, and the counterexample that the first of the worst
/// is.
Check plain_constant_norm(const Case& subject) {
  Check check{"", Status::pass, "", ""};
  const auto amplitude = tight_enclosure(
      [&] { return enclose(subject.tensors.all<TableTensor>().front().table.sines.amplitude); });
  const auto pairs = columns_of_pairs(subject);
  std::vector<BudgetModel> models;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    models.push_back(tensor.model());
  }
  double worst = -1;
  for (std::size_t r = 0; r < subject.positions.size(); ++r) {
    for (const auto& [pair, columns] : pairs) {
      const auto& c_tensor = subject.tensors.all<TableTensor>()[columns.cosine.first];
      const auto& s_tensor = subject.tensors.all<TableTensor>()[columns.sine.first];
      const auto position = subject.positions[r];
      if (c_tensor.table.sines.zero_position == position) {
        continue;
      }
      const double c = c_tensor.tensor.number(r * c_tensor.columns() + columns.cosine.second);
      const double s = s_tensor.tensor.number(r * s_tensor.columns() + columns.sine.second);
      const auto found =
          circle(models[columns.cosine.first], models[columns.sine.first], position, pair, c, s, amplitude);
      ++check.counts.elements;
      const double square = amplitude.approximately() * amplitude.approximately();
      if (std::isfinite(c) && std::isfinite(s) && found.allowed > square / 2 && found.budget_ratio <= 1) {
        ++check.counts.inconclusive;
        continue;
      }
      ++check.counts.judged;
      check.counts.failing += found.budget_ratio > 1 ? 1 : 0;
      if (found.budget_ratio > worst) {
        worst = found.budget_ratio;
        check.counterexample = {{"row", std::to_string(r)},
                                {"pair", std::to_string(pair)},
                                {"cos^2 + sin^2 - A^2", significant_text(found.excess, 4)},
                                {"allowed", significant_text(found.allowed, 4)}};
      }
    }
  }
  return check;
}

void expect_plain_constant_norm(const Case& subject, const std::string& what) {
  const auto plain = plain_constant_norm(subject);
  for (const int threads : {1, 2}) {
    const auto check = judged_by(judge_constant_norm, subject, threads);
    EXPECT_EQ(check.counts.elements, plain.counts.elements) << what;
    EXPECT_EQ(check.counts.judged, plain.counts.judged) << what;
    EXPECT_EQ(check.counts.failing, plain.counts.failing) << what;
    EXPECT_EQ(check.counts.inconclusive, plain.counts.inconclusive) << what;
    for (const auto& entry : plain.counterexample) {
      EXPECT_EQ(std::ranges::count(check.counterexample, entry), 1)
          << what << ": " << entry.first << " is not " << entry.second;
    }
  }
}

TEST(ConstantNorm, FindsWhatEvaluatingEveryPairInFullFinds) {
  for (const auto& recipe : recipes()) {
    for (const auto stored : storage_formats(recipe)) {
      for (std::size_t i = 0; i < damages().size(); ++i) {
        const auto what = std::string(recipe.id) + " stored as " + std::string(traits(stored).name) +
                          ", damage " + std::to_string(i);
        expect_plain_constant_norm(made_rope(recipe, stored, damages()[i]), std::string("rope ") + what);
        expect_plain_constant_norm(made_sinusoidal(recipe, stored, damages()[i]),
                                   std::string("sinusoidal ") + what);
      }
    }
  }
}

/// Rows of few kinds in any order: each that repeats the first of its kind at another position is counted.
TEST(DistinctRows, CountsEachRowThatRepeatsTheFirstOfItsKind) {
  std::mt19937_64 random(22);
  const auto shuffle_rows = [&](Format, std::vector<double>& values) {
    const auto columns = values.size() / checked_positions.size();
    const auto honest = values;
    for (std::size_t r = 0; r < checked_positions.size(); ++r) {
      const auto kind = static_cast<std::ptrdiff_t>(random() % 700 * columns);
      std::copy_n(honest.begin() + kind, columns, values.begin() + static_cast<std::ptrdiff_t>(r * columns));
    }
  };
  auto encoding = std::make_unique<SinusoidalEncoding>(SinusoidalSpec{.d_model = 32});
  const auto tables = encoding->plain_tables();
  auto subject = made(std::move(encoding), tables, recipes().front(), Format::binary64, shuffle_rows);
  for (std::size_t r = 1; r < subject.positions.size(); r += 5) {
    subject.positions[r] = subject.positions[r - 1];
  }
  const auto& tensor = subject.tensors.all<TableTensor>().front();
  std::uint64_t repeating = 0;
  std::string first;
  for (std::size_t r = 0; r < tensor.rows(); ++r) {
    std::size_t earlier = 0;
    while (!std::ranges::equal(tensor.row_bytes(earlier), tensor.row_bytes(r))) {
      ++earlier;
    }
    if (subject.positions[earlier] != subject.positions[r] && repeating++ == 0) {
      first = std::string("row ") + std::to_string(r) + " (position " + std::to_string(subject.positions[r]) +
              ") repeats row " + std::to_string(earlier) + " ";
    }
  }
  ASSERT_GT(repeating, 500U);
  for (const int threads : {1, 2}) {
    const auto check = judged_by(judge_repeated_rows, subject, threads);
    EXPECT_EQ(check.counts.failing, repeating);
    EXPECT_TRUE(check.reason.starts_with(first)) << check.reason;
  }
}

}  // namespace
}  // namespace vernier
