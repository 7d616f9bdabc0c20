// Budgets of resampled tables against the orders of operations that they cover: in float32, where every
// operation rounds to the nearest number or to either neighbour, and by roundings that are each as large as
// they can be. What was stored in 16 bits on the way is beyond them.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "numerics/tensors/tensor_of.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using Engine = std::mt19937_64;

/// How an operation of float32 rounds. The last two are no rounding to a number of the format, but the most
/// that a rounding to the nearest may be off by, to a side that is drawn or always the same.
enum class Rounding { nearest, neighbour, most, most_upward };

class Single {
 public:
  Single(Rounding rounding, Engine& engine) : rounding_(rounding), engine_(&engine) {}

  /// \param exact the result of one operation, to double precision
  double operator()(double exact) const {
    const double nearest = round_to(Format::binary32, exact);
    switch (rounding_) {
      case Rounding::nearest:
        return nearest;
      case Rounding::neighbour:
        if (nearest == exact || draw() == 0) {
          return nearest;
        }
        return nearest < exact ? next_up(Format::binary32, nearest) : next_down(Format::binary32, nearest);
      case Rounding::most:
        return nearest == exact ? exact : exact * (draw() == 0 ? 1 + 0x1p-24 : 1 - 0x1p-24);
      case Rounding::most_upward:
        break;
    }
    return nearest == exact ? exact : exact * (1 + 0x1p-24);
  }

 private:
  std::uint64_t draw() const { return (*engine_)() % 2; }

  Rounding rounding_;
  Engine* engine_;
};

struct Rule {
  bool is_cubic = true;
  double a = -0.75;
  bool align_corners = false;
  bool antialias = false;
  bool leaves_out = false;                             ///< what is beyond the ends
  std::optional<Format> weight_format = std::nullopt;  ///< that weights are rounded to
};

/// An order of operations: which of several ways each step takes.
struct ResamplingOrder {
  std::uint64_t step;
  std::uint64_t coordinate;
  std::uint64_t distance;
  std::uint64_t kernel;
  std::uint64_t quotient;
  std::uint64_t sum;

  explicit ResamplingOrder(Engine& engine)
      : step(engine() % 2),
        coordinate(engine() % 2),
        distance(engine() % 3),
        kernel(engine() % 3),
        quotient(engine() % 2),
        sum(engine() % 3) {}
};

using Weights = std::vector<std::pair<std::int64_t, double>>;

/// The weights of one axis as somebody's program computes them.
class ResamplingProgram {
 public:
  ResamplingProgram(const Rule& rule, const ResamplingOrder& order, Single fl, std::int64_t from,
                    std::int64_t to)
      : rule_(rule), order_(order), fl_(fl), n_(static_cast<double>(from)), m_(static_cast<double>(to)) {
    step_ = rule.align_corners ? fl_((n_ - 1) / (m_ - 1))
            : order.step == 0  ? fl_(n_ / m_)
                               : fl_(1 / fl_(m_ / n_));
  }

  Weights weights(std::int64_t i) const {
    auto result = rule_.antialias || rule_.leaves_out ? averaged(i) : held(i);
    for (auto& [place, weight] : result) {
      weight = rule_.weight_format ? round_to(*rule_.weight_format, weight) : weight;
    }
    return result;
  }

 private:
  double centre(double i) const {
    return order_.coordinate == 0 ? fl_((i + 0.5) * step_) : fl_(fl_((i + 0.5) * n_) / m_);
  }

  double source(double i) const {
    if (!rule_.align_corners) {
      const double x = fl_(centre(i) - 0.5);
      return rule_.is_cubic ? x : std::max(x, 0.0);
    }
    const bool is_from_the_end = order_.coordinate == 1 && 2 * i >= m_;
    return is_from_the_end ? fl_(n_ - 1 - fl_(step_ * (m_ - 1 - i))) : fl_(step_ * i);
  }

  double inner(double x) const {
    const double a = rule_.a;
    if (order_.kernel == 1) {
      const double x2 = fl_(x * x);
      return fl_(fl_(fl_((a + 2) * fl_(x2 * x)) - fl_((a + 3) * x2)) + 1);
    }
    return fl_(fl_(fl_(fl_(fl_((a + 2) * x) - (a + 3)) * x) * x) + 1);
  }

  double outer(double x) const {
    const double a = rule_.a;
    if (order_.kernel == 1) {
      const double x2 = fl_(x * x);
      return fl_(fl_(fl_(fl_(a * fl_(x2 * x)) - fl_(5 * a * x2)) + fl_(8 * a * x)) - 4 * a);
    }
    if (order_.kernel == 2) {
      return fl_(fl_(fl_(fl_(fl_(fl_(x - 5) * x) + 8) * x) - 4) * a);
    }
    return fl_(fl_(fl_(fl_(fl_(fl_(a * x) - 5 * a) * x) + 8 * a) * x) - 4 * a);
  }

  double kernel(double x) const {
    if (!rule_.is_cubic) {
      return x < 1 ? fl_(1 - x) : 0;
    }
    return x < 1 ? inner(x) : x < 2 ? outer(x) : 0;
  }

  Weights held(std::int64_t i) const {
    const double x = source(static_cast<double>(i));
    const double first = std::floor(x);
    Weights result;
    const auto add = [&](double place, double weight) {
      result.emplace_back(static_cast<std::int64_t>(std::clamp(place, 0.0, n_ - 1)), weight);
    };
    if (order_.distance == 0) {
      for (int k = rule_.is_cubic ? -1 : 0; k <= (rule_.is_cubic ? 2 : 1); ++k) {
        add(first + k, kernel(std::fabs(fl_(x - (first + k)))));
      }
      return result;
    }
    const double t = fl_(x - first);
    const double rest = fl_(1 - t);
    if (!rule_.is_cubic) {
      add(first, rest);
      add(first + 1, t);
      return result;
    }
    add(first - 1, outer(fl_(t + 1)));
    add(first, inner(t));
    add(first + 1, inner(rest));
    add(first + 2, outer(fl_(rest + 1)));
    return result;
  }

  Weights averaged(std::int64_t i) const {
    const double width = rule_.antialias ? std::max(step_, 1.0) : 1.0;
    const double support = fl_(width * (rule_.is_cubic ? 2 : 1));
    const double c = centre(static_cast<double>(i));
    const double first = std::max(std::trunc(c - support + 0.5), 0.0);
    const double last = std::min(std::trunc(c + support + 0.5), n_);
    const double inverse = fl_(1 / width);
    Weights result;
    double sum = 0;
    for (double j = first; j < last; ++j) {
      const double offset = order_.distance == 0   ? fl_(fl_(j - c) + 0.5)
                            : order_.distance == 1 ? fl_(fl_(fl_(first - c) + (j - first)) + 0.5)
                                                   : fl_(j - fl_(c - 0.5));
      const double x = std::fabs(order_.step == 0 ? fl_(offset * inverse) : fl_(offset / width));
      result.emplace_back(static_cast<std::int64_t>(j), kernel(x));
      sum = fl_(sum + result.back().second);
    }
    const double reciprocal = fl_(1 / sum);
    for (auto& [place, weight] : result) {
      weight = order_.quotient == 0 ? fl_(weight / sum) : fl_(weight * reciprocal);
    }
    return result;
  }

  Rule rule_;
  ResamplingOrder order_;
  Single fl_;
  double n_;
  double m_;
  double step_ = 0;
};

struct Sizes {
  std::int64_t from;
  std::int64_t to;
};

/// A square table of one column, resampled.
std::vector<double> resampled(const Rule& rule, const Sizes& sizes, const std::vector<double>& table,
                              const ResamplingOrder& order, Single fl) {
  const ResamplingProgram program(rule, order, fl, sizes.from, sizes.to);
  std::vector<Weights> along;
  for (std::int64_t i = 0; i < sizes.to; ++i) {
    along.push_back(program.weights(i));
  }
  const auto value = [&](std::int64_t row, std::int64_t column) {
    return table[static_cast<std::size_t>(row * sizes.from + column)];
  };
  std::vector<double> result;
  for (const auto& down : along) {
    for (const auto& across : along) {
      double sum = 0;
      const auto& outer = order.sum == 1 ? across : down;
      const auto& inner = order.sum == 1 ? down : across;
      for (const auto& [i, r] : outer) {
        double within = 0;
        for (const auto& [j, c] : inner) {
          const double v = order.sum == 1 ? value(j, i) : value(i, j);
          within = fl(within + (order.sum == 2 ? fl(fl(r * c) * v) : fl(c * v)));
        }
        sum = fl(sum + (order.sum == 2 ? within : fl(r * within)));
      }
      result.push_back(sum);
    }
  }
  return result;
}

/// What trained tables are like: smooth, or of independent numbers.
std::vector<double> trained(std::int64_t side, bool is_smooth, Engine& engine) {
  std::vector<double> table;
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; j < side; ++j) {
      const double smooth =
          0.4 * std::sin(0.3 * static_cast<double>(i)) + 0.3 * std::cos(0.2 * static_cast<double>(j));
      const double drawn = std::uniform_real_distribution<>(-1, 1)(engine);
      table.push_back(round_to(Format::binary32, is_smooth ? smooth + 0.02 * drawn : drawn));
    }
  }
  return table;
}

/// How a tensor of float32 fares against the spec of its table.
class Judge {
 public:
  Judge(const Rule& rule, const Sizes& sizes, const std::vector<double>& table) {
    OrderedJson spec{{"scheme", "resampled"},
                     {"mode", rule.is_cubic ? "bicubic" : "bilinear"},
                     {"align_corners", rule.align_corners},
                     {"antialias", rule.antialias},
                     {"from", {sizes.from, sizes.from}},
                     {"to", {sizes.to, sizes.to}}};
    if (rule.leaves_out) {
      spec["border"] = "left_out";
    }
    if (rule.weight_format) {
      spec["weights_dtype"] = traits(*rule.weight_format).name;
    }
    if (rule.is_cubic) {
      spec["a"] = rule.a;
    }
    for (const double value : table) {
      spec["values"].push_back(OrderedJson::array({value}));
    }
    encoding_ = parsed(spec.dump());
    definition_ = encoding_->all<ExactTable>().at(0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.to * sizes.to); ++i) {
      truth_.push_back(tight_enclosure(definition_.entry(static_cast<std::int64_t>(i), 0)).approximately());
      budget_.push_back(definition_.computed_entry(static_cast<std::int64_t>(i), 0).error(0x1p-24));
    }
  }

  /// The greatest part of a budget that an element uses; they need not be numbers of float32.
  double greatest_use(const std::vector<double>& values) const {
    double result = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      result = std::max(result, std::fabs(values[i] - truth_[i]) / budget_[i]);
    }
    return result;
  }

  /// The share of elements that a contract of float32 refuses.
  double refused(const std::vector<double>& values) const {
    const auto positions = positions_from(0, values.size());
    const auto report =
        audit_elements(ExactTensor{definition_, tensor_of(Format::binary32, {values.size(), 1}, values),
                                   contract_named("float32")},
                       {.positions = positions});
    EXPECT_EQ(report.inconclusive, 0U);
    return static_cast<double>(report.failing) / static_cast<double>(report.judged);
  }

 private:
  std::unique_ptr<Encoding> encoding_;
  ExactTable definition_;
  std::vector<double> truth_;
  std::vector<double> budget_;
};

const std::vector<Rule> resampling_rules{{.is_cubic = false},
                                         {.is_cubic = false, .align_corners = true},
                                         {.is_cubic = false, .antialias = true},
                                         {.a = -0.75},
                                         {.a = -0.75, .align_corners = true},
                                         {.a = -0.5, .antialias = true},
                                         {.is_cubic = false, .leaves_out = true},
                                         {.a = -0.5, .leaves_out = true},
                                         {.a = -0.75, .weight_format = Format::bfloat16},
                                         {.a = -0.5, .antialias = true, .weight_format = Format::binary16}};

std::string name_of(const Rule& rule) {
  return fmt::format("{}{}{}{}{}", rule.is_cubic ? "bicubic" : "bilinear",
                     rule.align_corners ? ", corners" : "", rule.antialias ? ", antialias" : "",
                     rule.leaves_out ? ", without what is beyond" : "",
                     rule.weight_format ? ", weights in 16 bits" : "");
}

TEST(ResamplingBudget, IsKeptByEveryOrderAndRefusesSixteenBits) {
  Engine engine(test_seed());
  for (const auto& rule : resampling_rules) {
    std::map<Rounding, double> greatest;
    double least_refused = 1;
    for (const Sizes sizes : {Sizes{7, 12}, Sizes{7, 3}, Sizes{16, 24}, Sizes{14, 16}, Sizes{37, 20}}) {
      for (const bool is_smooth : {true, false}) {
        const auto table = trained(sizes.from, is_smooth, engine);
        const Judge judge(rule, sizes, table);
        for (const auto rounding :
             {Rounding::nearest, Rounding::neighbour, Rounding::most, Rounding::most_upward}) {
          for (int draw = 0; draw < 6; ++draw) {
            const ResamplingOrder order(engine);
            const auto values = resampled(rule, sizes, table, order, Single(rounding, engine));
            const double use = judge.greatest_use(values);
            EXPECT_LE(use, 1) << name_of(rule) << " " << sizes.from << " to " << sizes.to << ", rounding "
                              << static_cast<int>(rounding);
            greatest[rounding] = std::max(greatest[rounding], use);
            if (rounding == Rounding::nearest) {
              auto narrow = values;
              std::ranges::transform(narrow, narrow.begin(),
                                     [](double x) { return round_to(Format::binary16, x); });
              least_refused = std::min(least_refused, judge.refused(narrow));
            }
          }
        }
      }
    }
    fmt::print(
        "{}: uses {:.3f}, to either neighbour {:.3f}, as far as can be {:.3f} and {:.3f}; float16 refused in "
        "{:.0f} % at least\n",
        name_of(rule), greatest[Rounding::nearest], greatest[Rounding::neighbour], greatest[Rounding::most],
        greatest[Rounding::most_upward], 100 * least_refused);
    // A rounding to float16 is off by 2^12 u of its binade at most and by half of that on average, and
    // budgets are some hundreds of u: most elements are beyond theirs.
    // A weight next to the middle of two numbers of 16 bits may be either: what is made of it is allowed
    // both.
    EXPECT_GT(least_refused, rule.weight_format ? 0.25 : 0.5) << name_of(rule);
    EXPECT_GT(greatest[Rounding::nearest], 0.1) << "a budget that nothing comes near to is a blind spot";
  }
}

}  // namespace
}  // namespace vernier
