#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/resampled/resampling.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

using Mode = ResamplingRule::Mode;
using Border = ResamplingRule::Border;

constexpr std::array<std::string_view, 2> mode_names{"bilinear", "bicubic"};
constexpr std::array<std::string_view, 2> border_names{"repeated", "left_out"};
/// In the order of Format.
constexpr std::array<std::string_view, 4> weight_formats{"float64", "float32", "float16", "bfloat16"};

/// A trained table of positions of a grid, made one of another grid: each new row is a weighted sum of old
/// ones, with rational weights that both axes share.
struct ResampledSpec {
  static constexpr std::string_view scheme = "resampled";

  ResamplingRule rule;
  std::vector<std::int64_t> from;      ///< places along each of one or two axes
  std::vector<std::int64_t> to;        ///< as many axes
  std::vector<Rational> scale_factor;  ///< of each axis, or none
  NumberRows values;                   ///< rows of the trained table; none: unit vectors

  void keys(KeyVisitor& visit);
  std::string summary() const {
    const auto told = [](const std::vector<std::int64_t>& grid) {
      return joined(grid, std::identity(), " by ");
    };
    return fmt::format("table of {} places resampled to {}, {}{}{}", told(from), told(to),
                       mode_names[static_cast<std::size_t>(rule.mode)],
                       rule.align_corners ? ", corners aligned" : "",
                       rule.antialias                    ? ", antialiased"
                       : rule.border == Border::left_out ? ", without what is beyond the ends"
                                                         : "");
  }

  std::vector<TensorDefinition> tensors() const;
  static std::int64_t rows(const std::vector<std::int64_t>& grid) {
    return grid.size() == 1 ? grid[0] : grid[0] * grid[1];
  }
  std::size_t columns() const {
    return values.empty() ? static_cast<std::size_t>(rows(from)) : values.front().size();
  }
};

/// A spec and the places along its axes; an axis of one place is put before a single one.
class Resampling {
 public:
  explicit Resampling(ResampledSpec spec);

  /// \param self keeps what the number is made of
  static ComputedReal entry(const std::shared_ptr<const Resampling>& self, std::int64_t row,
                            std::size_t column) {
    double estimate = 0;
    self->visit(row, [&](const ResamplingTap& i, const ResamplingTap& j, std::int64_t old) {
      estimate += i.share * j.share * self->number(old, column);
    });
    return {[self, row, column] { return enclose(self->sum(row, column)); }, estimate,
            [self, row, column](double u) { return self->error(row, column, u); }};
  }

 private:
  const ResampledPlace& down(std::int64_t row) const {
    return places_[0][static_cast<std::size_t>(row) / places_[1].size()];
  }
  const ResampledPlace& across(std::int64_t row) const {
    return places_[1][static_cast<std::size_t>(row) % places_[1].size()];
  }
  /// Calls `visit` with a tap of each axis and the number of the old row, for all that a row is made of.
  template <class Visit>
  void visit(std::int64_t row, const Visit& visit) const {
    for (const auto& i : down(row).taps) {
      for (const auto& j : across(row).taps) {
        visit(i, j, i.place * spec_.from.back() + j.place);
      }
    }
  }

  Rational sum(std::int64_t row, std::size_t column) const {
    Rational result = 0;
    visit(row, [&](const ResamplingTap& i, const ResamplingTap& j, std::int64_t old) {
      if (!spec_.values.empty()) {
        result += i.weight * j.weight * spec_.values[static_cast<std::size_t>(old)][column];
      } else if (static_cast<std::size_t>(old) == column) {
        result += i.weight * j.weight;
      }
    });
    return result;
  }

  double number(std::int64_t row, std::size_t column) const {
    const auto old = static_cast<std::size_t>(row);
    return numbers_.empty() ? (old == column ? 1 : 0) : numbers_[old * spec_.columns() + column];
  }

  /// The sum of r_i c_j v_ij, in either order, or with the products of weights first. An error of the
  /// coordinate moves all weights of an axis along their slopes: what that adds up to is one number. All else
  /// that a weight is off by counts in full. A term is rounded as v_ij, in one product an axis, and in sums
  /// of as many terms as the kernels have.
  double error(std::int64_t row, std::size_t column, double u) const {
    const auto e = down(row).computation.errors(u);
    const auto f = across(row).computation.errors(u);
    double along_rows = 0;
    double along_columns = 0;
    double rest = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < e.weights.size(); ++i) {
      for (std::size_t j = 0; j < f.weights.size(); ++j) {
        const auto& r = down(row).taps[i];
        const auto& c = across(row).taps[j];
        const double v = number(r.place * spec_.from.back() + c.place, column);
        if (v == 0) {
          continue;
        }
        const double of_r = e.weights[i].at_most(e.coordinate);
        const double of_c = f.weights[j].at_most(f.coordinate);
        along_rows += e.weights[i].slope * c.share * v;
        along_columns += r.share * f.weights[j].slope * v;
        rest += std::fabs(v) * (e.weights[i].rest * std::fabs(c.share) +
                                std::fabs(r.share) * f.weights[j].rest + of_r * of_c);
        magnitude += std::fabs(v) * (std::fabs(r.share) + of_r) * (std::fabs(c.share) + of_c);
      }
    }
    const auto roundings =
        static_cast<double>(down(row).computation.terms() + across(row).computation.terms() + 1);
    return std::fabs(along_rows) * e.coordinate + std::fabs(along_columns) * f.coordinate + rest +
           magnitude * growth_by(roundings, u);
  }

  ResampledSpec spec_;
  std::array<std::vector<ResampledPlace>, 2> places_;
  std::vector<double> numbers_;  ///< the values in double precision, row after row; none: unit vectors
};

void visit_places(KeyVisitor& visit, std::string_view key, std::vector<std::int64_t>& grid) {
  constexpr std::string_view words =
      "one integer or two of at least 1, rows and columns, with a product of at most 65536";
  visit.required(key, grid,
                 list_of(whole_numbers(1, largest_dimension, integer_from_to(1, largest_dimension)), {1, 2},
                         std::string(words)));
  visit.require(ResampledSpec::rows(grid) <= largest_dimension, key, words);
}

void visit_scale_factor(KeyVisitor& visit, ResampledSpec& spec) {
  const auto axes = spec.from.size();
  const auto words =
      fmt::format("{} from 1/1024 to 1024, one an axis", axes == 1 ? "a number" : "two numbers");
  visit.optional(
      "scale_factor", spec.scale_factor,
      list_of({.least = Rational(1, 1024), .greatest = 1024, .words = words}, of_size(axes), words));
  if (spec.scale_factor.empty()) {
    return;
  }
  visit.require(!spec.rule.align_corners, "scale_factor",
                "no align_corners beside it, which leaves no scale");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    visit.require(spec.from[axis] != spec.to[axis], "scale_factor",
                  "sizes of from and to that differ, as libraries copy equal ones");
    // A kernel that is averaged is not held to the ends: the last place may be beyond its reach.
    const Rational step = 1 / spec.scale_factor[axis];
    // Without its negative part the cubic kernel is as wide as the linear one.
    const bool is_wide = spec.rule.mode == Mode::bicubic && spec.rule.a != 0;
    const Rational width = spec.rule.antialias ? std::max(step, Rational(1)) : Rational(1);
    const Rational support = width * (is_wide ? 2 : 1);
    const Rational last = (spec.to[axis] - Rational(1, 2)) * step - Rational(1, 2);
    visit.require(!spec.rule.is_average() || last - support < spec.from[axis] - 1, "scale_factor",
                  "one with which the kernel of every new place reaches an old one");
  }
}

void ResampledSpec::keys(KeyVisitor& visit) {
  static const NumberRange kernels{-1, 0, "a number from -1 to 0"};
  static const NumberRange numbers{-1'000'000, 1'000'000,
                                   "a number from -1e6 to 1e6, or one written as text (\"0.1\", \"1/3\")"};
  visit.defaulted("mode", rule.mode, one_of(mode_names));
  visit.defaulted("align_corners", rule.align_corners, boolean());
  visit.defaulted("antialias", rule.antialias, boolean());
  visit.require(!rule.align_corners || !rule.antialias, "antialias", "false with align_corners");
  visit.optional("border", rule.border, one_of(border_names), Border::repeated);
  visit.require(rule.border == Border::repeated || !rule.antialias, "border",
                "none with antialias, which leaves it out");
  visit.optional("weights_dtype", rule.weight_format, one_of(weight_formats));
  if (rule.mode == Mode::bicubic) {
    visit.fallback(rule.a, rule.antialias ? Rational(-1, 2) : rule.a);
    visit.defaulted("a", rule.a, number(kernels));
  }
  visit_places(visit, "from", from);
  visit_places(visit, "to", to);
  visit.require(to.size() == from.size(), "to", fmt::format("as many integers as from has, {}", from.size()));
  visit_scale_factor(visit, *this);
  const auto count = rows(from);
  auto domain =
      rows_of(numbers, of_size(static_cast<std::size_t>(count)),
              fmt::format("{} rows of numbers, all of one length, one for each place of from", count));
  domain.names_rows = false;
  visit.optional("values", values, domain);
}

Resampling::Resampling(ResampledSpec spec) : spec_(std::move(spec)) {
  const auto axes = spec_.from.size();
  if (axes == 1) {
    places_[0] = {{.taps = {{0, Rational(1), 1}}, .computation = {.shares = {1}}}};
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto scale = spec_.scale_factor.empty() ? std::nullopt : std::optional(spec_.scale_factor[axis]);
    places_[2 - axes + axis] = resampled_places(spec_.rule, spec_.from[axis], spec_.to[axis], scale);
  }
  for (const auto& row : spec_.values) {
    std::ranges::transform(row, std::back_inserter(numbers_),
                           [](const Rational& x) { return approximately(x); });
  }
}

std::vector<TensorDefinition> ResampledSpec::tensors() const {
  const auto entry = [resampling = std::make_shared<const Resampling>(*this)](std::int64_t row,
                                                                              std::size_t column) {
    return Resampling::entry(resampling, row, column);
  };
  return {ExactTable{.role = "resampled",
                     .columns = columns(),
                     .first_position = 0,
                     .last_position = rows(to) - 1,
                     .computed = entry}};
}

}  // namespace

std::vector<Scheme> resampled_schemes() {
  return schemes_of<ResampledSpec>();
}

}  // namespace vernier
