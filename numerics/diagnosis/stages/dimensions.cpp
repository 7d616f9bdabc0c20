// Which two dimensions of a head make a pair, as the vectors show it: a line of the pair's index each.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// A dimension of pair i: slope i + first.
struct DimensionLine {
  std::ptrdiff_t slope = 0;
  std::ptrdiff_t first = 0;

  std::ptrdiff_t at(std::ptrdiff_t i) const { return slope * i + first; }
  bool operator==(const DimensionLine&) const = default;
};
/// Of the first and of the second dimension of each pair that turns.
using PairLines = std::array<DimensionLine, 2>;

std::string in_words(const DimensionLine& line) {
  return (line.slope == 1 ? "i" : fmt::format("{} i", line.slope)) +
         (line.first == 0 ? "" : fmt::format(" {} {}", line.first < 0 ? '-' : '+', std::abs(line.first)));
}

/// The two dimensions of a pair that turns, as the base has them.
using DeclaredCouple = std::array<const RotatedDimension*, 2>;

std::vector<DeclaredCouple> turning_couples(const Computation& base) {
  std::map<int, DeclaredCouple> of_pair;
  for (const auto& d : base.rotated) {
    if (base.tones[static_cast<std::size_t>(d.pair)].sine != 0) {
      of_pair[d.pair][component_of(d)] = &d;
    }
  }
  std::erase_if(of_pair, [](const auto& one) { return std::ranges::count(one.second, nullptr) > 0; });
  return mapped(of_pair, [](const auto& one) { return one.second; });
}

/// Lines through dimensions by indices of pairs; nothing where they lie on none.
std::optional<PairLines> lines_through(const std::map<std::ptrdiff_t, std::array<std::size_t, 2>>& found) {
  if (found.size() < 2) {
    return std::nullopt;
  }
  const auto& [i, dimensions] = *found.begin();
  const auto& [j, others] = *std::next(found.begin());
  PairLines result;
  for (const std::size_t component : {0U, 1U}) {
    const auto rise =
        static_cast<std::ptrdiff_t>(others[component]) - static_cast<std::ptrdiff_t>(dimensions[component]);
    const DimensionLine line{rise / (j - i),
                             static_cast<std::ptrdiff_t>(dimensions[component]) - rise / (j - i) * i};
    const bool fits = std::ranges::all_of(found, [&](const auto& one) {
      return line.at(one.first) == static_cast<std::ptrdiff_t>(one.second[component]);
    });
    if (!fits) {
      return std::nullopt;
    }
    result[component] = line;
  }
  return result;
}

/// Looks for the dimensions that a pair turns. What it takes for turned is predicted by its budgets later.
class CoupleReader {
 public:
  explicit CoupleReader(const Clues& clues)
      : base_(clues.base), rows_(telling_rows(clues.suspect, read_rows)), width_(clues.suspect.width()) {
    const auto& vectors = *clues.suspect.vectors();
    for (const auto row : rows_) {
      for (std::size_t d = 0; d < width_; ++d) {
        in_.push_back(vectors.input.number(row * width_ + d));
        out_.push_back(vectors.rotated.number(row * width_ + d));
      }
    }
  }

  /// Nothing where no dimensions are turned by the pair, or several are.
  std::optional<std::array<std::size_t, 2>> couple(const DeclaredCouple& declared) const {
    const auto turns = mapped(rows_, [&](std::size_t row) {
      const auto pair = declared[0]->pair;
      const auto phase =
          static_cast<long double>(base_.place(row, pair)) * base_.tones[static_cast<std::size_t>(pair)].sine;
      return std::array{base_.amplitude * static_cast<double>(std::cos(phase)),
                        base_.amplitude * static_cast<double>(std::sin(phase))};
    });
    const auto is_turned = [&](std::size_t own, std::size_t other, int sign) {
      constexpr double tolerance = 0x1p-5;  // no other dimensions come as near in all rows
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double x = in_[i * width_ + own];
        const double y = in_[i * width_ + other];
        const double off = out_[i * width_ + own] - (x * turns[i][0] + sign * y * turns[i][1]);
        if (!(std::fabs(off) <= tolerance * (std::fabs(x) + std::fabs(y)))) {
          return false;
        }
      }
      return true;
    };
    std::optional<std::array<std::size_t, 2>> result;
    for (std::size_t first = 0; first < width_; ++first) {
      for (std::size_t second = 0; second < width_; ++second) {
        if (first != second && is_turned(first, second, declared[0]->sign) &&
            is_turned(second, first, declared[1]->sign)) {
          if (result) {
            return std::nullopt;
          }
          result = {first, second};
        }
      }
    }
    return result;
  }

 private:
  static constexpr std::size_t read_rows = 24;

  const Computation& base_;
  std::vector<std::size_t> rows_;
  std::size_t width_;
  std::vector<double> in_;  ///< rows that are read, a dimension
  std::vector<double> out_;
};

/// The dimensions of so many pairs, ascending.
std::set<std::ptrdiff_t> dimensions_on(const PairLines& lines, std::size_t pairs) {
  std::set<std::ptrdiff_t> result;
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(pairs); ++i) {
    result.insert({lines[0].at(i), lines[1].at(i)});
  }
  return result;
}

/// "the last 16 dimensions"; where some between them are missing, "16 of dimensions 0 to 39"
std::string range_words(const std::set<std::ptrdiff_t>& dimensions, std::size_t width) {
  const auto [first, last] = std::pair(*dimensions.begin(), *dimensions.rbegin());
  const auto count = static_cast<std::ptrdiff_t>(dimensions.size());
  return last - first + 1 != count ? fmt::format("{} of dimensions {} to {}", count, first, last)
         : first == 0              ? fmt::format("the first {} dimensions", count)
         : last + 1 == static_cast<std::ptrdiff_t>(width) ? fmt::format("the last {} dimensions", count)
                                                          : fmt::format("dimensions {} to {}", first, last);
}

void propose_dimensions(const KindEdits& edits) {
  const auto couples =
      edits.suspect.vectors() == nullptr ? std::vector<DeclaredCouple>() : turning_couples(edits.base);
  if (couples.size() < 2) {
    return;
  }
  const CoupleReader reader(edits);
  std::map<std::ptrdiff_t, std::array<std::size_t, 2>> declared;
  std::map<std::ptrdiff_t, std::array<std::size_t, 2>> found;
  constexpr std::size_t most_read = 6;  // the first turn fastest
  for (std::size_t i = 0; i < std::min(most_read, couples.size()); ++i) {
    declared[static_cast<std::ptrdiff_t>(i)] = {couples[i][0]->own, couples[i][1]->own};
    if (const auto couple = reader.couple(couples[i])) {
      found[static_cast<std::ptrdiff_t>(i)] = *couple;
    }
  }
  const auto lines = lines_through(found);
  const auto own_lines = lines_through(declared);
  if (!lines || !own_lines || lines == own_lines) {
    return;
  }
  const auto width = edits.suspect.width();
  const auto dimensions = dimensions_on(*lines, couples.size());
  const auto own_dimensions = dimensions_on(*own_lines, couples.size());
  if (dimensions.size() != 2 * couples.size() || *dimensions.begin() < 0 ||
      *dimensions.rbegin() >= static_cast<std::ptrdiff_t>(width)) {
    return;
  }
  // The other layout of the same dimensions, and the other direction, are keys and edits of their own.
  const auto before = *dimensions.begin();
  const auto half = static_cast<std::ptrdiff_t>(couples.size());
  const auto starts_first =
      lines->front().first < lines->back().first ? *lines : PairLines{lines->back(), lines->front()};
  if (dimensions == own_dimensions && (starts_first == PairLines{{{1, before}, {1, before + half}}} ||
                                       starts_first == PairLines{{{2, before}, {2, before + 1}}})) {
    return;
  }
  std::vector<RotatedDimension> rotated;
  for (std::size_t i = 0; i < couples.size(); ++i) {
    for (const std::size_t component : {0U, 1U}) {
      const auto at = [&](std::size_t which) {
        return static_cast<std::size_t>((*lines)[which].at(static_cast<std::ptrdiff_t>(i)));
      };
      const auto& was = *couples[i][component];
      rotated.push_back({at(component), at(component), at(1 - component), was.sign, was.pair});
    }
  }
  const bool is_moved =
      (*lines)[0].slope == (*own_lines)[0].slope && (*lines)[1].slope == (*own_lines)[1].slope &&
      (*lines)[1].first - (*lines)[0].first == (*own_lines)[1].first - (*own_lines)[0].first;
  const auto pairs_words = [](const PairLines& of) {
    return fmt::format("pairs ({}, {})", in_words(of[0]), in_words(of[1]));
  };
  const auto words = is_moved ? fmt::format("{} rotate, not {}", range_words(dimensions, width),
                                            range_words(own_dimensions, width))
                              : fmt::format("{} rotate in {}, not in {}", range_words(dimensions, width),
                                            pairs_words(*lines), pairs_words(*own_lines));
  edits.of(is_moved ? "mapping/last-dimensions" : "mapping/layout")
      .add(words, is_moved ? variant_bits : listed_bits, setting(&Computation::rotated, rotated));
}

}  // namespace

StageEdits dimension_edits() {
  return {{"mapping/last-dimensions", propose_dimensions}};
}

}  // namespace vernier
