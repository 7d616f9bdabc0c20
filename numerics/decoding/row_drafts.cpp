#include "numerics/decoding/row_drafts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

/// \name What a map takes to say, in bits, beside its numbers
/// @{
constexpr double rule_number_bits = 3;  ///< a constant, an offset, a factor
constexpr double remainder_bits = 6;    ///< mod n, which fits many short tables
constexpr double quotient_bits = 3;     ///< and steps
constexpr double limit_bits = 3;        ///< of the greatest position
/// @}
/// A line through two rows there always is.
constexpr std::size_t fewest_of_line = 3;
constexpr std::int64_t greatest_tread = 64;
constexpr int most_times = 4;

double bits_of(const SimpleNumber& number) {
  return rule_number_bits + number.bits;
}

class RowDrafts {
 public:
  RowDrafts(const HeldNumbers& held, const RowGrid& grid, std::span<const RowFeature> features,
            std::span<const std::size_t> failing)
      : held_(held), grid_(grid), features_(features), failing_(failing) {}

  std::vector<RowDraft> run() {
    for (const auto& feature : features_) {
      learn(feature);
    }
    return std::move(drafts_);
  }

 private:
  const std::vector<double>& own() const { return features_.front().values; }

  /// Adds a map of a feature.
  /// \param words of positions; of another feature, and where there are none, the expression is told
  void add(const RowFeature& feature, RowRule::Kind kind, std::string words, std::string expression,
           double bits, std::function<double(double)> map) {
    if (feature.kind != RowFeature::Kind::position || words.empty()) {
      words = fmt::format("<hold> position {}, {} being {}", expression, feature.words, feature.held);
    }
    drafts_.push_back({kind_of(feature, kind), std::move(words), std::move(expression), bits, &feature.values,
                       std::move(map)});
  }

  /// Of the positions.
  void add_own(RowRule::Kind kind, std::string words, std::string expression, double bits,
               std::function<double(double)> map) {
    add(features_.front(), kind, std::move(words), std::move(expression), bits, std::move(map));
  }

  void learn(const RowFeature& feature) {
    const auto& f = feature.values;
    const auto less = [&](std::size_t a, std::size_t b) { return f[a] < f[b]; };
    const auto [low, high] = std::ranges::minmax_element(failing_, less);
    const bool varies = f[*low] != f[*high];
    const bool is_own = feature.kind == RowFeature::Kind::position;
    if (feature.kind >= RowFeature::Kind::other_row || feature.kind == RowFeature::Kind::other_axis) {
      if (failing_.size() > 1) {
        as_it_is(feature);
      }
      return;
    }
    if (is_own) {
      constants();
      if (std::ranges::min(f) < 0) {
        magnitudes();
      }
    }
    if (!varies) {
      return;
    }
    const auto low_numbers = anchored(held_, *low);
    const auto high_numbers = anchored(held_, *high);
    offsets(feature, low_numbers.empty() ? *high : *low, low_numbers.empty() ? high_numbers : low_numbers);
    if (different(f) >= fewest_of_line) {
      lines(feature, *low, *high, low_numbers, high_numbers);
    }
    if (failing_.size() > 1) {
      for (int times = 1; times <= most_times; ++times) {
        remainders(feature, times, *low, *high, low_numbers, high_numbers);
      }
      quotients(feature);
      if (is_own) {
        clamps(*high, high_numbers);
        stairs(low_numbers);
        clamped_offsets(*low, low_numbers);
        parabolas({*low, failing_[failing_.size() / 2], *high});
      }
    }
  }

  /// How many values a feature has in failing rows; three are enough.
  std::size_t different(const std::vector<double>& f) const {
    std::set<double> values;
    for (const auto row : failing_) {
      values.insert(f[row]);
      if (values.size() == fewest_of_line) {
        break;
      }
    }
    return values.size();
  }

  static RowRule::Kind kind_of(const RowFeature& feature, RowRule::Kind own) {
    switch (feature.kind) {
      case RowFeature::Kind::row:
        return RowRule::Kind::row_index;
      case RowFeature::Kind::leading_index:
        return RowRule::Kind::leading_index;
      case RowFeature::Kind::other_axis:
        return RowRule::Kind::other_axis;
      case RowFeature::Kind::other_row:
      case RowFeature::Kind::next_row:
        return RowRule::Kind::other_rows;
      case RowFeature::Kind::mirrored_row:
        return RowRule::Kind::reversed;
      case RowFeature::Kind::position:
        break;
    }
    return own;
  }

  void as_it_is(const RowFeature& feature) {
    const auto positions = told_positions(grid_, own());
    // Where positions are counted one by one, the row before is the position before.
    const bool is_offset = feature.kind == RowFeature::Kind::next_row && !positions.empty() &&
                           positions.back() - positions.front() + 1 == static_cast<double>(positions.size());
    drafts_.push_back({is_offset ? RowRule::Kind::offset : kind_of(feature, RowRule::Kind::offset),
                       "<hold> " + feature.held, feature.held, feature.bits, &feature.values,
                       std::identity()});
  }

  /// The numbers o with which scale f + o is what each failing row may hold, from those of one row.
  std::optional<HeldRange> offset_range(const std::vector<double>& f, double scale, HeldRange range) const {
    for (const auto row : failing_) {
      if (range.low == range.high) {  // nothing is left to narrow
        if (!held_.fits(row, scale * f[row] + range.low)) {
          return std::nullopt;
        }
        continue;
      }
      std::optional<HeldRange> narrowed;
      for (const auto& number : held_.numbers(row)) {
        const HeldRange one{std::max(range.low, number.low - scale * f[row]),
                            std::min(range.high, number.high - scale * f[row])};
        if (one.low <= one.high) {
          narrowed = narrowed
                         ? HeldRange{std::min(narrowed->low, one.low), std::max(narrowed->high, one.high)}
                         : one;
        }
      }
      if (narrowed) {
        range = *narrowed;
      } else if (!held_.fits(row, scale * f[row] + range.middle())) {
        return std::nullopt;
      }
    }
    return range;
  }

  void constants() {
    if (failing_.size() < 2) {
      return;
    }
    for (const auto& number : anchored(held_, failing_.front())) {
      const std::vector<double> zero(own().size());
      if (const auto range = offset_range(zero, 0, number)) {
        for (const auto& to : simple_numbers(*range)) {
          add_own(RowRule::Kind::constant, "<hold> position " + to.words, to.words, bits_of(to),
                  [=](double) { return to.value; });
        }
      }
    }
  }

  void magnitudes() {
    add_own(RowRule::Kind::magnitude, "negative <positions> lose their sign<behind>", {}, rule_number_bits,
            [](double p) { return std::fabs(p); });
    add_own(RowRule::Kind::magnitude, "negative <positions> are taken for 0<behind>", {}, rule_number_bits,
            [](double p) { return std::max(p, 0.0); });
  }

  void offsets(const RowFeature& feature, std::size_t row, const std::vector<HeldRange>& numbers) {
    const auto& f = feature.values;
    for (const auto& number : numbers) {
      const auto range = offset_range(f, 1, {number.low - f[row], number.high - f[row]});
      if (!range) {
        continue;
      }
      for (const auto& offset : simple_numbers(*range)) {
        add_line(feature, simple_number(1), offset);
      }
    }
  }

  /// p + o, and no more than the greatest position.
  void clamped_offsets(std::size_t low, const std::vector<HeldRange>& numbers) {
    const auto& p = own();
    const double last = std::ranges::max(p);
    for (const auto& number : numbers) {
      const double by = std::rint(number.middle()) - p[low];
      if (by <= 0 || !number.contains(p[low] + by)) {
        continue;
      }
      const auto offset = simple_number(by);
      const auto limit = simple_number(last).words;
      add_own(RowRule::Kind::offset,
              fmt::format("<positions> are larger by {}, and those beyond {} are taken for it<behind>",
                          offset.words, limit),
              fmt::format("min({} + {}, {})", features_.front().words, offset.words, limit),
              bits_of(offset) + limit_bits, [=](double x) { return std::min(x + by, last); });
    }
  }

  void lines(const RowFeature& feature, std::size_t low, std::size_t high,
             const std::vector<HeldRange>& low_numbers, const std::vector<HeldRange>& high_numbers) {
    const auto& f = feature.values;
    const double reach = f[high] - f[low];
    for (const auto& first : low_numbers) {
      for (const auto& last : high_numbers) {
        const HeldRange slope{(last.low - first.high) / reach, (last.high - first.low) / reach};
        for (const auto& scale : simple_numbers(slope)) {
          if (scale.value == 0 || scale.value == 1) {
            continue;
          }
          const auto range = offset_range(
              f, scale.value, {first.low - scale.value * f[low], first.high - scale.value * f[low]});
          if (range) {
            for (const auto& offset : simple_numbers(*range)) {
              add_line(feature, scale, offset);
            }
          }
        }
      }
    }
  }

  /// The words of s p + o.
  static std::string own_line_words(double scale, const SimpleNumber& scale_number,
                                    const SimpleNumber& offset) {
    if (scale == 1) {
      const bool is_more = offset.value > 0;
      return fmt::format("<positions> <are> {} by {}<behind>", is_more ? "larger" : "smaller",
                         is_more ? offset.words : offset.words.substr(1));
    }
    if (scale == -1) {
      return offset.value == 0
                 ? "<positions> are negated<behind>"
                 : fmt::format("<positions> are counted down<behind>: p stands for {} - p", offset.words);
    }
    return offset.value == 0
               ? fmt::format("<positions> are multiplied by {}<behind>", scale_number.words)
               : fmt::format("<positions><behind> become {}", line_words(scale_number, offset, "p"));
  }

  void add_line(const RowFeature& feature, const SimpleNumber& scale, const SimpleNumber& offset) {
    const double s = scale.value;
    const double o = offset.value;
    add(feature,
        s == 1    ? RowRule::Kind::offset
        : s == -1 ? RowRule::Kind::reversed
                  : RowRule::Kind::factor,
        own_line_words(s, scale, offset), line_words(scale, offset, feature.words),
        feature.bits +
            (s == 1    ? 0
             : s == -1 ? 2
                       : bits_of(scale)) +
            (o == 0 ? 0 : bits_of(offset)),
        [=](double f) { return s * f + o; });
    auto& draft = drafts_.back();
    const bool is_own = feature.kind == RowFeature::Kind::position;
    draft.is_multiple = is_own && o == 0;
    if (s != 1) {
      return;
    }
    if (is_own) {
      draft.offset = o;
    } else if (!feature.whole.empty()) {
      draft.whole = feature.whole;
    } else if (o == 0) {
      draft.words = fmt::format("<hold> {} in place of <their> position", feature.held);
    }
  }

  /// (b + a p) p + c through the whole numbers that three rows hold, as where angles are added up.
  void parabolas(const std::array<std::size_t, 3>& rows) {
    constexpr std::size_t most_numbers = 4;
    std::array<std::vector<HeldRange>, 3> numbers;
    std::ranges::transform(rows, numbers.begin(), [&](std::size_t row) { return anchored(held_, row); });
    const std::array x{own()[rows[0]], own()[rows[1]], own()[rows[2]]};
    if (x[0] == x[1] || x[1] == x[2] ||
        std::ranges::any_of(numbers, [](const auto& some) { return some.size() > most_numbers; })) {
      return;
    }
    for (const auto& first : numbers[0]) {
      for (const auto& middle : numbers[1]) {
        for (const auto& last : numbers[2]) {
          const std::array y{std::rint(first.middle()), std::rint(middle.middle()), std::rint(last.middle())};
          const double rise = (y[1] - y[0]) / (x[1] - x[0]);
          const double a = ((y[2] - y[1]) / (x[2] - x[1]) - rise) / (x[2] - x[0]);
          const double b = rise - a * (x[0] + x[1]);
          const double c = y[0] - (b + a * x[0]) * x[0];
          if (a != 0 && are_integers({2 * a, 2 * b, c})) {
            add_parabola(simple_number(a), simple_number(b), simple_number(c));
          }
        }
      }
    }
  }

  void add_parabola(const SimpleNumber& a, const SimpleNumber& b, const SimpleNumber& c) {
    const auto multiple = fmt::format("({}) p", line_words(a, b, "p"));
    const auto expression = line_words(simple_number(1), c, multiple);
    add_own(RowRule::Kind::factor, "<positions><behind> become " + expression, expression,
            bits_of(a) + bits_of(b) + bits_of(c),
            [a = a.value, b = b.value, c = c.value](double p) { return (b + a * p) * p + c; });
  }

  static bool are_integers(const std::vector<double>& f) {
    return std::ranges::all_of(f, [](double x) { return x == std::rint(x) && std::fabs(x) < 0x1p53; });
  }

  /// The remainders of a feature, or of a small multiple of it.
  void remainders(const RowFeature& feature, int times, std::size_t low, std::size_t high,
                  const std::vector<HeldRange>& low_numbers, const std::vector<HeldRange>& high_numbers) {
    const auto f = [&feature, times](std::size_t row) { return times * feature.values[row]; };
    if (!are_integers(feature.values) || std::ranges::min(feature.values) < 0) {
      return;
    }
    // The modulus divides how far every failing row is from its own number: two rows say enough.
    std::set<std::int64_t> multiples;
    const auto distances = [&](std::size_t row, const std::vector<HeldRange>& numbers) {
      std::vector<std::int64_t> result;
      for (const auto& number : numbers) {
        const auto by = static_cast<std::int64_t>(f(row) - std::rint(number.middle()));
        if (by > 0 && number.contains(std::rint(number.middle()))) {
          result.push_back(by);
        }
      }
      return result;
    };
    const auto of_low = distances(low, low_numbers);
    for (const auto by : distances(high, high_numbers)) {
      if (of_low.empty()) {
        multiples.insert(by);
      }
      for (const auto also : of_low) {
        multiples.insert(std::gcd(by, also));
      }
    }
    std::set<std::int64_t> moduli;
    for (const auto multiple : multiples) {
      for (std::int64_t part = 1; part <= 8; ++part) {
        if (multiple % part == 0 && multiple / part > 1) {
          moduli.insert(multiple / part);
        }
      }
    }
    for (const auto modulus : moduli) {
      const auto n = static_cast<double>(modulus);
      const auto number = simple_number(n);
      const auto multiple = times == 1 ? feature.words : fmt::format("({} {})", times, feature.words);
      add(feature, RowRule::Kind::wrapped,
          times == 1 ? fmt::format("<positions> wrap at {}<behind>", number.words) : std::string(),
          multiple + " mod " + number.words,
          feature.bits + remainder_bits + number.bits + (times == 1 ? 0 : rule_number_bits),
          [=](double x) { return times * x - n * std::floor(times * x / n); });
      for (const int bits : {8, 16, 32}) {
        if (times == 1 && modulus == std::int64_t{1} << bits) {
          add_own(RowRule::Kind::wrapped,
                  fmt::format("<positions> wrap at {} to -{}<behind>, as in int{}", n / 2, n / 2, bits),
                  fmt::format("{} as int{}", feature.words, bits), feature.bits + remainder_bits,
                  [=](double x) { return x - n * std::floor(x / n + 0.5); });
        }
      }
    }
  }

  void quotients(const RowFeature& feature) {
    if (feature.kind == RowFeature::Kind::position && !are_integers(feature.values)) {
      add_own(RowRule::Kind::staircase, "<positions> are cut to integers<behind>", {}, rule_number_bits + 2,
              [](double p) { return std::trunc(p); });
      add_own(RowRule::Kind::staircase, "<positions> are rounded to integers<behind>", {},
              rule_number_bits + 2, [](double p) { return std::nearbyint(p); });
    }
    for (std::int64_t tread = 2; tread <= greatest_tread; ++tread) {
      const auto n = static_cast<double>(tread);
      const auto number = simple_number(n);
      const double bits = feature.bits + quotient_bits + number.bits;
      add(feature, RowRule::Kind::staircase,
          fmt::format("<positions> are divided by {}, and the remainder is dropped<behind>", number.words),
          fmt::format("floor({}/{})", feature.words, number.words), bits,
          [=](double f) { return std::floor(f / n); });
      add(feature, RowRule::Kind::staircase,
          fmt::format("<positions> come in steps of {}<behind>", number.words),
          fmt::format("{1} floor({0}/{1})", feature.words, number.words), bits,
          [=](double f) { return n * std::floor(f / n); });
    }
  }

  /// Steps from the position on that the first failing row holds.
  void stairs(const std::vector<HeldRange>& low_numbers) {
    for (const auto& number : low_numbers) {
      const double start = std::rint(number.middle());
      if (start == 0 || !number.contains(start)) {
        continue;
      }
      const auto from = simple_number(start);
      for (std::int64_t tread = 2; tread <= greatest_tread; ++tread) {
        const auto n = static_cast<double>(tread);
        add_own(RowRule::Kind::staircase,
                fmt::format("<positions> come in steps of {} from {} on<behind>", tread, from.words),
                fmt::format("{0} + {1} floor(({2} - {0})/{1})", from.words, tread, features_.front().words),
                quotient_bits + simple_number(n).bits + rule_number_bits + from.bits,
                [=](double p) { return p < start ? p : start + n * std::floor((p - start) / n); });
      }
    }
  }

  void clamps(std::size_t high, const std::vector<HeldRange>& high_numbers) {
    for (const auto& number : high_numbers) {
      const double limit = std::rint(number.middle());
      if (!number.contains(limit)) {
        continue;
      }
      const auto to = simple_number(limit);
      const bool is_most = limit < own()[high];
      add_own(
          RowRule::Kind::clamped,
          fmt::format("<positions> {} {} are taken for it<behind>", is_most ? "beyond" : "below", to.words),
          fmt::format("{}({}, {})", is_most ? "min" : "max", features_.front().words, to.words),
          bits_of(to) + (is_most ? 0 : 1),
          [=](double p) { return is_most ? std::min(p, limit) : std::max(p, limit); });
    }
  }

  const HeldNumbers& held_;
  const RowGrid& grid_;
  std::span<const RowFeature> features_;
  std::span<const std::size_t> failing_;
  std::vector<RowDraft> drafts_;
};

}  // namespace

std::vector<RowDraft> drafts_of(const HeldNumbers& held, const RowGrid& grid,
                                std::span<const RowFeature> features, std::span<const std::size_t> failing) {
  return RowDrafts(held, grid, features, failing).run();
}

std::vector<HeldRange> anchored(const HeldNumbers& held, std::size_t row) {
  constexpr std::size_t most = 24;
  const auto numbers = held.numbers(row);
  return numbers.size() > most ? std::vector<HeldRange>()
                               : std::vector<HeldRange>(numbers.begin(), numbers.end());
}

std::span<const double> told_positions(const RowGrid& grid, const std::vector<double>& positions) {
  if (!grid.leading.empty()) {
    return {};
  }
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (positions[row] != std::rint(positions[row]) || (row > 0 && positions[row] <= positions[row - 1])) {
      return {};
    }
  }
  return positions;
}

}  // namespace vernier
