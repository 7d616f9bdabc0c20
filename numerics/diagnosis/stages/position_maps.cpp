// Maps of positions that rows show.

#include "numerics/diagnosis/stages/position_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/position_decoder.hpp"
#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/position_kinds.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

/// So many rows are read.
constexpr std::size_t most_mapped_rows = std::size_t{1} << 15;
/// A row that may hold more positions than this says too little.
constexpr std::size_t most_held = 24;
/// So many maps of a kind are proposed where rows leave several.
constexpr std::size_t most_alike = 6;

std::string shift_words(std::int64_t by) {
  return fmt::format("{} by {}", by > 0 ? "larger" : "smaller", std::abs(by));
}

/// Proposes the maps from positions to positions that all rows allow.
class Maps {
 public:
  Maps(const Clues& clues, std::size_t axis, Proposals& out)
      : clues_(clues), out_(out), axis_(axis), decoder_(clues.suspect, clues.base, axis) {}

  void propose() {
    if (!decoder_.can_tell() || !read()) {
      return;
    }
    if (constants() || shifts()) {
      return;
    }
    reversals();
    magnitudes();
    const bool has_one_axis = clues_.suspect.positions().size() == 1;
    if (wrong_.size() == 1 && has_one_axis) {
      one_row();
      return;
    }
    wraps();
    clamps();
    stairs();
    if (has_one_axis) {
      jumps();
      block();
    }
  }

 private:
  using Map = std::function<std::int64_t(std::int64_t)>;

  /// \return false where no row is wrong, or none says what it holds
  bool read() {
    // A few rows say whether it is worth to read all.
    read_wrong();
    if (!wrong_.empty() && !says_what_it_holds()) {
      if (!decoder_.leave_out_strangers() || !decoder_.can_tell()) {
        return false;
      }
      read_wrong();
      if (!wrong_.empty() && !says_what_it_holds()) {
        return false;
      }
    }
    const auto& positions = clues_.suspect.positions()[axis_];
    auto chosen = spread_rows(clues_.suspect.rows(), most_mapped_rows);
    std::ranges::stable_sort(chosen, {}, [&](std::size_t row) { return positions[row]; });
    decoder_.read(chosen);
    read_wrong();
    return !wrong_.empty() && says_what_it_holds();
  }

  void read_wrong() {
    wrong_.clear();
    for (std::size_t i = 0; i < decoder_.rows(); ++i) {
      if (!decoder_.fits(i, decoder_.declared(i))) {
        wrong_.push_back(i);
      }
    }
  }

  bool says_what_it_holds() {
    first_ = decoder_.positions(wrong_.front(), most_held);
    last_ = decoder_.positions(wrong_.back(), most_held);
    return !first_.empty() || !last_.empty();
  }

  bool fits(const Map& map) const {
    const auto fits_one = [&](std::size_t i) { return decoder_.fits(i, map(decoder_.declared(i))); };
    if (!std::ranges::all_of(wrong_, fits_one)) {
      return false;
    }
    for (std::size_t i = 0; i < decoder_.rows(); ++i) {
      if (!fits_one(i)) {
        return false;
      }
    }
    return true;
  }

  std::int64_t declared(std::size_t i) const { return decoder_.declared(i); }
  std::int64_t last_wrong() const { return declared(wrong_.back()); }

  /// Of two rows one that holds the other's position is a copy.
  bool constants() {
    for (const auto held : last_) {
      if (decoder_.rows() > 2 && fits([held](std::int64_t) { return held; })) {
        propose_map(clues_, position_constant, fmt::format("every row holds position {}", held), variant_bits,
                    out_, [to = static_cast<double>(held)](double) { return to; });
        return true;
      }
    }
    return false;
  }

  bool shifts() {
    bool any = false;
    for (const auto held : last_) {
      const auto by = held - last_wrong();
      if (fits([by](std::int64_t p) { return p + by; })) {
        propose_offset_by(clues_, position_offset, by, std::abs(by) == 1 ? variant_bits : listed_bits, out_);
        any = true;
      }
    }
    return any;
  }

  void reversals() {
    for (const auto held : last_) {
      const auto sum = held + last_wrong();
      if (fits([sum](std::int64_t p) { return sum - p; })) {
        propose_map(clues_, position_reversed,
                    fmt::format("positions are counted down: p stands for {} - p", sum), listed_bits, out_,
                    [s = static_cast<double>(sum)](double p) { return s - p; });
      }
    }
  }

  void magnitudes() {
    if (fits([](std::int64_t p) { return std::abs(p); })) {
      propose_map(clues_, position_magnitude, "negative positions lose their sign", flag_bits, out_,
                  [](double p) { return std::fabs(p); });
    }
    if (fits([](std::int64_t p) { return std::max<std::int64_t>(p, 0); })) {
      propose_map(clues_, position_magnitude, "negative positions are taken for 0", flag_bits, out_,
                  [](double p) { return std::max(p, 0.0); });
    }
  }

  /// Of one row alone a wrap, a clamp and a jump say the same.
  void one_row() {
    const auto i = wrong_.front();
    for (const auto held : first_) {
      const auto at = static_cast<double>(declared(i));
      propose_map(clues_, position_rows,
                  fmt::format("row {} (position {}) holds the values of position {}", decoder_.row(i),
                              declared(i), held),
                  damaged_bits, out_,
                  [=, to = static_cast<double>(held)](double p) { return p == at ? to : p; });
    }
  }

  void wraps() {
    if (declared(0) < 0) {
      return;
    }
    // The modulus divides how far every wrong row is from its own position: the first and the last say
    // enough.
    std::set<std::int64_t> multiples;
    for (const auto held : last_) {
      const auto by = last_wrong() - held;
      if (by > 0 && first_.empty()) {
        multiples.insert(by);
      }
      for (const auto also_held : first_) {
        if (by > 0 && declared(wrong_.front()) > also_held) {
          multiples.insert(std::gcd(by, declared(wrong_.front()) - also_held));
        }
      }
    }
    std::vector<std::int64_t> moduli;
    for (const auto multiple : multiples) {
      for (std::int64_t part = 1; part <= 8; ++part) {
        const auto modulus = multiple / part;
        if (multiple % part == 0 && modulus > 0 && fits([modulus](std::int64_t p) { return p % modulus; })) {
          moduli.push_back(modulus);
        }
      }
    }
    std::ranges::sort(moduli, std::ranges::greater());
    moduli.erase(std::ranges::unique(moduli).begin(), moduli.end());
    moduli.resize(std::min(moduli.size(), most_alike));
    for (const auto modulus : moduli) {
      propose_map(clues_, position_wrapped, fmt::format("positions wrap at {}", modulus), listed_bits, out_,
                  [m = static_cast<double>(modulus)](double p) { return p - m * std::floor(p / m); });
    }
  }

  void clamps() {
    for (const auto held : last_) {
      if (held < last_wrong() && fits([held](std::int64_t p) { return std::min(p, held); })) {
        propose_map(clues_, position_clamped, fmt::format("positions beyond {} are taken for it", held),
                    listed_bits, out_,
                    [most = static_cast<double>(held)](double p) { return std::min(p, most); });
      }
    }
  }

  /// From which position on, by what the rows show: "from position 714 on".
  std::string from_words(std::size_t first) const {
    return declared(first) == declared(first - 1) + 1 ? fmt::format("from position {} on", declared(first))
                                                      : fmt::format("from a position between {} and {} on",
                                                                    declared(first - 1) + 1, declared(first));
  }

  void jumps() {
    std::size_t proposed = 0;
    for (const auto held : last_) {
      const auto by = held - last_wrong();
      const auto range = shifted_range(wrong_.back(), by);
      if (!range || range->second + 1 != decoder_.rows() || range->first == 0 || proposed == most_alike) {
        continue;
      }
      ++proposed;
      const auto start = static_cast<double>(declared(range->first));
      propose_map(clues_, position_jump,
                  fmt::format("positions are {} {}", shift_words(by), from_words(range->first)),
                  2 * listed_bits, out_,
                  [=, shift = static_cast<double>(by)](double p) { return p >= start ? p + shift : p; });
    }
  }

  void block() {
    std::size_t proposed = 0;
    for (const auto held : first_) {
      const auto by = held - declared(wrong_.front());
      const auto range = shifted_range(wrong_.front(), by);
      if (!range || range->second + 1 == decoder_.rows() || proposed == most_alike) {
        continue;
      }
      ++proposed;
      const auto start = declared(range->first);
      const auto stop = declared(range->second);
      propose_map(
          clues_, position_block, fmt::format("positions {} to {} are {}", start, stop, shift_words(by)),
          2.5 * listed_bits, out_,
          [low = static_cast<double>(start), high = static_cast<double>(stop),
           shift = static_cast<double>(by)](double p) { return p >= low && p <= high ? p + shift : p; });
    }
  }

  /// The rows, first and last, whose positions are shifted, if all of those that are wrong are. Of the rows
  /// at either end that may hold both positions, those that must be are taken.
  std::optional<std::pair<std::size_t, std::size_t>> shifted_range(std::size_t some, std::int64_t by) const {
    const auto is_shifted = [&](std::size_t i) { return decoder_.fits(i, declared(i) + by); };
    auto first = some;
    auto last = some;
    while (first > 0 && is_shifted(first - 1)) {
      --first;
    }
    while (last + 1 < decoder_.rows() && is_shifted(last + 1)) {
      ++last;
    }
    if (by == 0 || first > wrong_.front() || last < wrong_.back()) {
      return std::nullopt;
    }
    return std::pair{edge(first, wrong_.front(), by, true), edge(wrong_.back(), last, by, false)};
  }

  /// Between two rows, where the shifted ones begin or end: next to the last that the shift does not predict.
  std::size_t edge(std::size_t low, std::size_t high, std::int64_t by, bool is_start) const {
    auto shifted = clues_.base;
    auto places = std::make_shared<Computation::Places>(*shifted.places);
    for (std::size_t i = low; i <= high; ++i) {
      places->front()[decoder_.row(i)] += static_cast<double>(by);
    }
    shifted.places = std::move(places);
    const Predictor predictor(clues_.suspect, shifted);
    const auto fails = [&](std::size_t i) {
      return predictor.compare(std::array{decoder_.row(i)}, 0).failing > 0;
    };
    if (is_start) {
      auto first = high;
      while (first > low && !fails(first - 1)) {
        --first;
      }
      return first;
    }
    auto last = low;
    while (last < high && !fails(last + 1)) {
      ++last;
    }
    return last;
  }

  void stairs() {
    for (std::int64_t tread = 2; tread <= 64; ++tread) {
      std::vector<std::int64_t> starts{0};
      starts.insert(starts.end(), first_.begin(), first_.end());
      for (const auto start : starts) {
        const auto stair = [=](std::int64_t p) {
          return p < start ? p : start + (p - start) / tread * tread;
        };
        if (start < declared(wrong_.front()) && fits(stair)) {
          propose_map(clues_, position_staircase,
                      start == 0 ? fmt::format("positions come in steps of {}", tread)
                                 : fmt::format("positions come in steps of {} from {} on", tread, start),
                      start == 0 ? listed_bits : 2 * listed_bits, out_,
                      [low = static_cast<double>(start), step = static_cast<double>(tread)](double p) {
                        return p < low ? p : low + std::floor((p - low) / step) * step;
                      });
          return;
        }
      }
      if (fits([=](std::int64_t p) { return p / tread; })) {
        propose_map(clues_, position_staircase,
                    fmt::format("positions are divided by {}, and the remainder is dropped", tread),
                    listed_bits, out_, [=](double p) { return std::trunc(p / static_cast<double>(tread)); });
        return;
      }
    }
  }

  const Clues& clues_;
  Proposals& out_;
  std::size_t axis_;
  PositionDecoder decoder_;
  std::vector<std::size_t> wrong_;   ///< rows that do not hold their own position
  std::vector<std::int64_t> first_;  ///< what the first of them may hold
  std::vector<std::int64_t> last_;   ///< what the last of them may hold
};

}  // namespace

void propose_map(const Clues& clues, const FaultKind& kind, std::string sentence, double bits, Proposals& out,
                 const std::function<double(double)>& map, const OrderedJson& patch) {
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) {
        auto places = std::make_shared<Computation::Places>(*computation.places);
        for (auto& axis : *places) {
          for (double& place : axis) {
            place = map(place);
          }
        }
        computation.places = std::move(places);
      },
      patch);
}

void propose_offset_by(const Clues& clues, const FaultKind& kind, std::int64_t by, double bits,
                       Proposals& out) {
  const auto shift = static_cast<double>(by);
  const auto& encoding = clues.suspect.encoding();
  OrderedJson patch = nullptr;
  if (clues.suspect.positions().size() == 1 && encoding.positions().is_plain()) {
    // first_position would change nothing where positions are given.
    patch = replacement("position_offset", by);
    if (!patched(encoding, patch)) {
      patch = nullptr;
    }
  }
  propose_map(
      clues, kind, fmt::format("positions are {} by {}", by > 0 ? "larger" : "smaller", std::abs(by)), bits,
      out, [shift](double p) { return p + shift; }, patch);
}

void propose_lines(const Clues& clues, const FaultKind& kind, std::string sentence, const OtherLine& other,
                   bool of_all, Proposals& out) {
  auto places = std::make_shared<Computation::Places>(*clues.base.places);
  bool is_other = false;
  for (std::size_t axis = 0; axis < places->size(); ++axis) {
    const auto& map = clues.suspect.encoding().positions_along(axis);
    if (map.is_plain() && !of_all) {
      continue;
    }
    const auto& declared = clues.suspect.positions()[axis];
    const CoordinateLine own{approximately(map.scale()), approximately(map.offset())};
    const auto line = other(own, map.approximate(std::ranges::max(declared)) + 1);
    const double change = line.scale - own.scale;
    const double shift = line.offset - own.offset;
    for (std::size_t row = 0; row < declared.size(); ++row) {
      (*places)[axis][row] +=
          (map.approximate(declared[row]) * change + shift) / approximately(map.quantum());
    }
    is_other = is_other || change != 0 || shift != 0;
  }
  if (is_other) {
    propose_edit(clues, kind, std::move(sentence), variant_bits, out, [&](Computation& computation) {
      computation.places = std::move(places);
      computation.allow_rounded_places();
    });
  }
}

void propose_position_maps(const Clues& clues, Proposals& out) {
  if (clues.suspect.rows() < 2 || !clues.suspect.places_are_positions()) {
    return;
  }
  // What maps the positions along one axis is likely to map those along the others.
  for (std::size_t axis = 0; axis < clues.suspect.positions().size(); ++axis) {
    Maps(clues, axis, out).propose();
  }
}

}  // namespace vernier
