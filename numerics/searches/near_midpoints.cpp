#include "numerics/searches/near_midpoints.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "numerics/errors/metrics.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

/// Bytes of a table that a thread makes before they are looked at.
constexpr std::size_t most_thread_bytes = std::size_t{1} << 20;
/// Rows of enclosures between two words on how far the search is.
constexpr std::int64_t rows_between_words = 4096;

/// The elements of one column that may be the nearest to a midpoint.
class Candidates {
 public:
  /// \param farthest one that counts, in any unit
  explicit Candidates(double farthest) : nearest_(farthest) {}

  /// \param least, most between which the distance is
  void offer(std::int64_t place, double least, double most) {
    if (least > nearest_) {
      return;
    }
    if (most < nearest_) {
      nearest_ = most;
      std::erase_if(elements_, [&](const auto& element) { return element.second > nearest_; });
    }
    elements_.emplace_back(place, least);
  }

  /// The one that is nearest in truth. Where many are alike, of a frequency that hardly turns, of the first.
  std::optional<NearMidpoint> nearest(const TrigTable& table, std::size_t column, Format format) const;

 private:
  double nearest_;
  std::vector<std::pair<std::int64_t, double>> elements_;  ///< places, and the least of their distance
};

/// How far an element is from a midpoint, in units of the gap around it.
struct Distance {
  double value;
  double error;
};

/// Nothing where the truth is the nearest number or has no gap around it.
std::optional<Distance> distance_of(Format format, double nearest, const Enclosure& truth) {
  const double off = signed_error(nearest, truth);
  const double neighbour = off > 0 ? next_down(format, nearest) : next_up(format, nearest);
  if (off == 0 || !std::isfinite(nearest) || !std::isfinite(neighbour)) {
    return std::nullopt;
  }
  const double gap = std::fabs(neighbour - nearest);
  constexpr double of_operations = 0x1p-52;  // two of them round a number up to 1/2, the third one below it
  return Distance{0.5 - std::fabs(off) / gap, truth.radius / gap + of_operations};
}

std::optional<NearMidpoint> Candidates::nearest(const TrigTable& table, std::size_t column,
                                                Format format) const {
  std::optional<NearMidpoint> result;
  for (const auto& [place, least] : elements_) {
    const auto truth = table.entry(place, column);
    const auto rounded = correctly_rounded(format, truth);
    const auto distance = rounded ? distance_of(format, *rounded, tight_enclosure(truth)) : Distance{};
    if (distance && (!result || distance->value < result->distance)) {
      const auto& [pair, component] = table.columns[column];
      result = {table.positions.number(place), pair, component, distance->value};
    }
  }
  return result;
}

/// Where the midpoints of a narrower format are in float64's numbers: of the bits that the narrower one drops
/// the first is one and the others are zero. Below its normal numbers the gap stays what it is at the least
/// of them, and so does the place that distances are counted in, `half` of which are half of the gap.
struct DroppedBits {
  explicit DroppedBits(Format narrow)
      : half(std::uint64_t{1} << (traits(Format::binary64).precision - traits(narrow).precision - 1)),
        mask(2 * half - 1),
        least_normal(encode_bits(Format::binary64, traits(narrow).smallest_normal())),
        places(static_cast<double>(2 * half) / ulp_at(narrow, 0)) {}

  /// What distance() is at least. \param element its bits
  std::uint64_t least_distance(std::uint64_t element) const {
    constexpr auto magnitude = std::numeric_limits<std::uint64_t>::max() / 2;
    return (element & magnitude) >= least_normal ? off(element) : 0;
  }
  /// To 3/4 of a place of the truth: float64 rounds that by a half of one, or by a quarter below the normal
  /// numbers, where the number of places is rounded as well.
  std::uint64_t distance(std::uint64_t element) const {
    const double magnitude = std::fabs(std::bit_cast<double>(element));
    return std::bit_cast<std::uint64_t>(magnitude) >= least_normal
               ? off(element)
               : off(static_cast<std::uint64_t>(std::rint(magnitude * places)));
  }

  std::uint64_t half;
  std::uint64_t mask;
  std::uint64_t least_normal;
  double places;  ///< in one, where the gap is that of the least normal number

 private:
  std::uint64_t off(std::uint64_t number) const {
    const auto dropped = number & mask;
    return dropped > half ? dropped - half : half - dropped;
  }
};

std::vector<Candidates> look_at_float64(const TrigTable& table, const PositionRange& range, Format format,
                                        unsigned threads, const std::function<void(std::int64_t)>& advance) {
  const RoundedTable rounded(table, range, Format::binary64, {.threads = threads});
  const DroppedBits dropped(format);
  const auto columns = table.columns.size();
  const auto block = rounded.rows_per_block();
  const auto blocks =
      std::max<std::int64_t>(static_cast<std::int64_t>(most_thread_bytes / rounded.row_bytes()) / block, 1);
  const auto rows_at_once = blocks * block * static_cast<std::int64_t>(threads);
  std::vector<std::uint64_t> limits(columns, dropped.half - 1);
  std::vector<Candidates> result(columns, Candidates(static_cast<double>(dropped.half - 1)));
  std::vector<std::byte> bytes;
  for (std::int64_t first = 0; first < range.count; first += rows_at_once) {
    const auto last = std::min(first + rows_at_once, range.count);
    bytes.resize(static_cast<std::size_t>(last - first) * rounded.row_bytes());
    rounded.write(first, last, bytes);
    for (auto row = first; row < last; ++row) {
      const auto* const line = bytes.data() + static_cast<std::size_t>(row - first) * rounded.row_bytes();
      const auto element = [&](std::size_t column) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, line + column * sizeof bits, sizeof bits);
        return bits;
      };
      bool is_near = false;
      for (std::size_t column = 0; column < columns; ++column) {
        is_near |= dropped.least_distance(element(column)) <= limits[column];
      }
      const auto place = range.at(row);
      for (std::size_t column = 0; is_near && column < columns; ++column) {
        if (const auto off = dropped.distance(element(column)); off <= limits[column]) {
          // The true distances of this and of another differ from these by less than a place each.
          limits[column] = std::min(limits[column], off + 1);
          result[column].offer(place, static_cast<double>(off) - 0.75, static_cast<double>(off) + 0.75);
        }
      }
    }
    if (advance) {
      advance(last - first);
    }
  }
  return result;
}

std::vector<Candidates> look_at_enclosures(const TrigTable& table, const PositionRange& range, Format format,
                                           const std::function<void(std::int64_t)>& advance) {
  CertifiedTable certified(table, range.count);
  std::vector<Enclosure> line(table.columns.size());
  std::vector<Candidates> result(line.size(), Candidates(0.5));
  std::int64_t untold = 0;
  for (std::int64_t row = 0; row < range.count; ++row) {
    const auto place = range.at(row);
    certified.row(place, line);
    for (std::size_t column = 0; column < line.size(); ++column) {
      const auto& truth = line[column];
      if (const auto distance = distance_of(format, round_to(format, truth.middle.high), truth)) {
        result[column].offer(place, distance->value - distance->error, distance->value + distance->error);
      }
    }
    if (++untold == rows_between_words || row + 1 == range.count) {
      if (advance) {
        advance(untold);
      }
      untold = 0;
    }
  }
  return result;
}

}  // namespace

std::vector<TrigTable> tables_of_sines(const Encoding& encoding) {
  std::vector<TrigTable> result;
  std::vector<std::set<std::pair<Component, int>>> columns;
  for (const auto& table : encoding.plain_tables()) {
    if (!table.positions.keeps_integers()) {
      continue;
    }
    const auto known = std::ranges::find_if(result, [&](const TrigTable& other) {
      return other.frequencies == table.frequencies && other.amplitude == table.amplitude;
    });
    const auto index = static_cast<std::size_t>(known - result.begin());
    if (known == result.end()) {
      result.push_back(table);
      columns.emplace_back();
    }
    for (const auto& [pair, component] : table.columns) {
      if (component != Component::zero && table.frequencies.approximate(pair) > 0) {
        columns[index].emplace(component, pair);
      }
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].columns.clear();
    for (const auto& [component, pair] : columns[i]) {
      result[i].columns.push_back({pair, component});
    }
  }
  std::erase_if(result, [](const TrigTable& table) { return table.columns.empty(); });
  return result;
}

std::vector<NearMidpoint> near_midpoints(const TrigTable& table, const PositionRange& range, Format format,
                                         unsigned threads,
                                         const std::function<void(std::int64_t rows)>& advance) {
  const auto candidates = format == Format::binary64
                              ? look_at_enclosures(table, range, format, advance)
                              : look_at_float64(table, range, format, threads, advance);
  std::vector<NearMidpoint> result;
  for (std::size_t column = 0; column < candidates.size(); ++column) {
    if (const auto found = candidates[column].nearest(table, column, format)) {
      result.push_back(*found);
    }
  }
  return result;
}

}  // namespace vernier
