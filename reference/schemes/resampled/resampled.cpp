#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/resampled/resampling.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

using Mode = ResamplingRule::Mode;

constexpr std::array<std::string_view, 2> mode_names{"bilinear", "bicubic"};

/// A trained table of positions of a grid, made one of another grid: each new row is a weighted sum of old
/// ones, with rational weights that both axes share.
struct ResampledSpec {
  ResamplingRule rule;
  std::vector<std::int64_t> from;             ///< places along each of one or two axes; at most 2^16 rows
  std::vector<std::int64_t> to;               ///< as many axes
  std::vector<Rational> scale_factor;         ///< of each axis, or none
  std::vector<std::vector<Rational>> values;  ///< rows of the trained table; none: unit vectors

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

  const ResampledSpec& spec() const { return spec_; }
  /// \param self keeps what the number is made of
  static ComputedReal entry(const std::shared_ptr<const Resampling>& self, std::int64_t row,
                            std::size_t column);

 private:
  const ResampledPlace& down(std::int64_t row) const {
    return places_[0][static_cast<std::size_t>(row) / places_[1].size()];
  }
  const ResampledPlace& across(std::int64_t row) const {
    return places_[1][static_cast<std::size_t>(row) % places_[1].size()];
  }
  /// Calls `visit` with a tap of each axis and the number of the old row, for all that a row is made of.
  template <class Visit>
  void visit(std::int64_t row, const Visit& visit) const;
  Rational sum(std::int64_t row, std::size_t column) const;
  double number(std::int64_t row, std::size_t column) const;
  double error(std::int64_t row, std::size_t column, double u) const;

  ResampledSpec spec_;
  std::array<std::vector<ResampledPlace>, 2> places_;
  std::vector<double> numbers_;  ///< the values in double precision, row after row; none: unit vectors
};

class ResampledEncoding final : public Encoding {
 public:
  explicit ResampledEncoding(ResampledSpec spec)
      : resampling_(std::make_shared<const Resampling>(std::move(spec))) {}

  std::string_view scheme() const override { return "resampled"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  std::shared_ptr<const Resampling> resampling_;  ///< shared with the table
};

std::vector<std::int64_t> read_grid_of(ObjectReader& reader, std::string_view key) {
  const auto expected = "one integer or two of at least 1, rows and columns, with a product of at most 65536";
  const auto numbers = read_exact_numbers(
      reader, std::string(key), reader.array(key, expected),
      [](const Rational& x) { return x >= 1 && x <= largest_dimension && denominator(x) == 1; },
      integer_from_to(1, largest_dimension));
  std::vector<std::int64_t> grid;
  std::ranges::transform(numbers, std::back_inserter(grid), [](const Rational& x) { return *as_integer(x); });
  if (grid.empty() || grid.size() > 2 || ResampledSpec::rows(grid) > largest_dimension) {
    reader.refuse(key, expected);
  }
  return grid;
}

std::vector<std::vector<Rational>> read_rows(ObjectReader& reader, std::int64_t count) {
  const auto expected =
      fmt::format("{} rows of numbers, all of one length, one for each place of from", count);
  std::vector<std::vector<Rational>> rows;
  for (const auto& row : reader.array("values", expected)) {
    const auto within = fmt::format("values[{}]", rows.size());
    const auto* numbers = std::get_if<JsonValue::Array>(&row.value());
    if (numbers == nullptr) {
      reader.refuse_within(within, row, "a row of numbers");
    }
    rows.push_back(read_exact_numbers(
        reader, within, *numbers, [](const Rational& x) { return abs(x) <= 1000000; },
        "a number from -1e6 to 1e6, or one written as text (\"0.1\", \"1/3\")"));
    if (rows.back().empty() || rows.back().size() != rows.front().size()) {
      reader.refuse("values", expected);
    }
  }
  if (std::ssize(rows) != count) {
    reader.refuse("values", expected);
  }
  return rows;
}

void read_scale_factor(ObjectReader& reader, ResampledSpec& spec) {
  const auto expected =
      fmt::format("{} from 1/1024 to 1024, one an axis", spec.from.size() == 1 ? "a number" : "two numbers");
  spec.scale_factor = read_exact_numbers(
      reader, "scale_factor", reader.array("scale_factor", expected),
      [](const Rational& x) { return x * 1024 >= 1 && x <= 1024; }, expected);
  if (spec.scale_factor.size() != spec.from.size()) {
    reader.refuse("scale_factor", expected);
  }
  if (spec.rule.align_corners) {
    reader.refuse("scale_factor", "no align_corners beside it, which leaves no scale");
  }
  for (std::size_t axis = 0; axis < spec.from.size(); ++axis) {
    if (spec.from[axis] == spec.to[axis]) {
      reader.refuse("scale_factor", "sizes of from and to that differ, as libraries copy equal ones");
    }
  }
}

std::unique_ptr<Encoding> parse_resampled(ObjectReader& reader) {
  ResampledSpec spec;
  spec.rule.mode = static_cast<Mode>(reader.choice("mode", {mode_names[0], mode_names[1]}, 0));
  spec.rule.align_corners = reader.optional_boolean("align_corners").value_or(false);
  spec.rule.antialias = reader.optional_boolean("antialias").value_or(false);
  if (spec.rule.align_corners && spec.rule.antialias) {
    reader.refuse("antialias", "false with align_corners");
  }
  const auto usual = spec.rule.antialias ? Rational(-1, 2) : spec.rule.a;
  if (spec.rule.mode == Mode::bicubic) {
    spec.rule.a = reader
                      .optional_number(
                          "a", [](const Rational& x) { return x >= -1 && x <= 0; }, "a number from -1 to 0")
                      .value_or(usual);
  }
  spec.from = read_grid_of(reader, "from");
  spec.to = read_grid_of(reader, "to");
  if (spec.to.size() != spec.from.size()) {
    reader.refuse("to", fmt::format("as many integers as from has, {}", spec.from.size()));
  }
  if (reader.has("scale_factor")) {
    read_scale_factor(reader, spec);
  }
  if (reader.has("values")) {
    spec.values = read_rows(reader, ResampledSpec::rows(spec.from));
  }
  return std::make_unique<ResampledEncoding>(std::move(spec));
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

template <class Visit>
void Resampling::visit(std::int64_t row, const Visit& visit) const {
  for (const auto& i : down(row).taps) {
    for (const auto& j : across(row).taps) {
      visit(i, j, i.place * spec_.from.back() + j.place);
    }
  }
}

double Resampling::number(std::int64_t row, std::size_t column) const {
  const auto old = static_cast<std::size_t>(row);
  return numbers_.empty() ? (old == column ? 1 : 0) : numbers_[old * spec_.columns() + column];
}

Rational Resampling::sum(std::int64_t row, std::size_t column) const {
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

ComputedReal Resampling::entry(const std::shared_ptr<const Resampling>& self, std::int64_t row,
                               std::size_t column) {
  double estimate = 0;
  self->visit(row, [&](const ResamplingTap& i, const ResamplingTap& j, std::int64_t old) {
    estimate += i.share * j.share * self->number(old, column);
  });
  return {[self, row, column] { return enclose(self->sum(row, column)); }, estimate,
          [self, row, column](double u) { return self->error(row, column, u); }};
}

/// The sum of r_i c_j v_ij, in either order, or with the products of weights first. An error of the
/// coordinate moves all weights of an axis along their slopes: what that adds up to is one number. All else
/// that a weight is off by counts in full. A term is rounded as v_ij, in one product an axis, and in sums of
/// as many terms as the kernels have.
double Resampling::error(std::int64_t row, std::size_t column, double u) const {
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
      rest += std::fabs(v) *
              (e.weights[i].rest * std::fabs(c.share) + std::fabs(r.share) * f.weights[j].rest + of_r * of_c);
      magnitude += std::fabs(v) * (std::fabs(r.share) + of_r) * (std::fabs(c.share) + of_c);
    }
  }
  const auto roundings =
      static_cast<double>(down(row).computation.terms() + across(row).computation.terms() + 1);
  return std::fabs(along_rows) * e.coordinate + std::fabs(along_columns) * f.coordinate + rest +
         magnitude * growth_by(roundings, u);
}

std::vector<TensorDefinition> ResampledEncoding::define_tensors() const {
  const auto& spec = resampling_->spec();
  return {ExactTable{.role = "resampled",
                     .columns = spec.columns(),
                     .first_position = 0,
                     .last_position = ResampledSpec::rows(spec.to) - 1,
                     .computed = [resampling = resampling_](std::int64_t row, std::size_t column) {
                       return Resampling::entry(resampling, row, column);
                     }}};
}

std::string ResampledEncoding::summary() const {
  const auto& spec = resampling_->spec();
  const auto told = [](const std::vector<std::int64_t>& grid) {
    return joined(grid, std::identity(), " by ");
  };
  return fmt::format("table of {} places resampled to {}, {}{}{}", told(spec.from), told(spec.to),
                     mode_names[static_cast<std::size_t>(spec.rule.mode)],
                     spec.rule.align_corners ? ", corners aligned" : "",
                     spec.rule.antialias ? ", antialiased" : "");
}

OrderedJson ResampledEncoding::spec() const {
  const auto& spec = resampling_->spec();
  OrderedJson result{{"scheme", "resampled"},
                     {"from", spec.from},
                     {"to", spec.to},
                     {"mode", mode_names[static_cast<std::size_t>(spec.rule.mode)]},
                     {"align_corners", spec.rule.align_corners},
                     {"antialias", spec.rule.antialias}};
  if (spec.rule.mode == Mode::bicubic) {
    result["a"] = json_number(spec.rule.a);
  }
  if (!spec.scale_factor.empty()) {
    result["scale_factor"] = exact_json_numbers(spec.scale_factor);
  }
  if (!spec.values.empty()) {
    auto& rows = result["values"] = OrderedJson::array();
    for (const auto& row : spec.values) {
      rows.push_back(exact_json_numbers(row));
    }
  }
  return result;
}

}  // namespace

Scheme resampled_scheme() {
  return {
      "resampled",
      "a trained table of positions, interpolated for a grid of another size",
      parse_resampled,
      {R"({"scheme":"resampled","from":[3,2],"to":[4,5]})",
       R"({"scheme":"resampled","from":[4],"to":[7],"mode":"bicubic","values":[[0.5,2],[-1,3],[0.25,"1/3"],[2,-1]]})",
       R"({"scheme":"resampled","from":[5,5],"to":[3,4],"mode":"bicubic","antialias":true})",
       R"({"scheme":"resampled","from":[3],"to":[5],"align_corners":true})",
       R"({"scheme":"resampled","from":[4],"to":[6],"mode":"bicubic","scale_factor":["61/40"]})"}};
}

}  // namespace vernier
