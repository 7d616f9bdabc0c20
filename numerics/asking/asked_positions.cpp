#include "numerics/asking/asked_positions.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "numerics/searches/near_midpoints.hpp"
#include "numerics/searches/near_quarter_turns.hpp"
#include "numerics/tensors/position_unit.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

constexpr int bits_of_numbers = 14;
constexpr int fewest_places = 1;
constexpr int most_places = 12;

/// How many bits a count of numbers, each greater than the one before, takes.
int bits_of(std::int64_t count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1) - 1)));
}

int places_for(const PositionRange& range, ElementType type) {
  const auto greatest = std::max(std::abs(range.first), std::abs(range.at(range.count - 1)));
  const int held = traits(*traits(type).format).precision - bits_of(greatest + 2);
  return std::clamp(std::clamp(bits_of_numbers - bits_of(range.count), fewest_places, most_places), 0,
                    std::max(held, 0));
}

bool has_padding(const OrderedJson& spec) {
  const auto padding = spec.find("padding_idx");
  return padding != spec.end() && !padding->is_null();
}

constexpr std::int64_t usual_last_position = 131071;
/// Of biases by curves, each of which takes several microseconds to certify.
constexpr std::int64_t last_position_of_curves = 8191;
/// Elements among which those that are hard to round are sought, in some hundredths of a second; a sixteenth
/// of float64's, which take longer. Of wider tables than this the seeds alone would take longer.
constexpr std::size_t most_searched_elements = std::size_t{1} << 24;
constexpr std::size_t most_searched_columns = 2048;

/// Up to `last` the positions at which sines and cosines are the hardest to round to a format, as far as so
/// many elements of a table tell; the hardest first. \param last >= 1
std::vector<std::int64_t> hard_to_round(const Encoding& encoding, std::int64_t last, Format format) {
  const auto elements = format == Format::binary64 ? most_searched_elements / 16 : most_searched_elements;
  std::vector<NearMidpoint> found;
  for (const auto& table : tables_of_sines(encoding)) {
    const auto rows = std::min(last, static_cast<std::int64_t>(elements / table.columns.size()));
    if (table.columns.size() <= most_searched_columns) {
      const auto nearest = near_midpoints(table, {1, 1, rows}, format, available_threads());
      found.insert(found.end(), nearest.begin(), nearest.end());
    }
  }
  std::ranges::stable_sort(found, {}, &NearMidpoint::distance);
  return mapped(found, [&](const auto& element) { return element.position; });
}

}  // namespace

std::unique_ptr<Encoding> in_fractions(const Encoding& encoding, ElementType type,
                                       const std::optional<PositionRange>& given, const std::string& source) {
  const auto spec = encoding.spec();
  if (encoding.sequence_length() || has_padding(spec)) {
    return nullptr;
  }
  const auto& unit = encoding.positions().unit();
  if (unit != 1) {
    return counting_in(unit, encoding, source);
  }
  const int places = places_for(asked_range(encoding, given), type);
  return counting_in(Rational(1, std::int64_t{1} << places), encoding, source);
}

std::int64_t numbers_of_one(const Encoding& encoding) {
  return as_integer(Rational(1 / encoding.positions().unit())).value_or(1);
}

std::int64_t last_probed_position(const Encoding& encoding) {
  if (const auto length = encoding.sequence_length()) {
    return *length - 1;
  }
  const auto spec = encoding.spec();
  const auto one = numbers_of_one(encoding);
  // What depends on a length says nothing of positions beyond it.
  const auto stated = spec.find(encoding.has_scaled_tables() ? "sequence_length" : "max_position_embeddings");
  auto last = (stated == spec.end() ? usual_last_position + 1 : stated->get<std::int64_t>()) * one - 1;
  last = std::min(last, encoding.last_place().value_or(last));
  const auto* by_curves = encoding.first<BiasTable>([](const auto& table) { return !table.curves.empty(); });
  return by_curves == nullptr ? last : std::min(last, last_position_of_curves);
}

std::int64_t first_probed_position(const Encoding& encoding) {
  return encoding.default_positions(1).first * numbers_of_one(encoding);
}

bool declares_context(const Encoding& encoding) {
  return encoding.sequence_length() || encoding.spec().contains("max_position_embeddings") ||
         encoding.last_place();
}

PositionRange asked_range(const Encoding& encoding, const std::optional<PositionRange>& given) {
  const auto one = numbers_of_one(encoding);
  const bool skips_fractions = encoding.axes() != nullptr;
  if (given) {
    const auto length = encoding.sequence_length();
    const auto greatest = std::max(given->first, given->at(given->count - 1));
    if (length && greatest >= *length) {
      throw InputError(
          "--positions: found {}, expected positions below {}, the sequence_length that the frequencies of "
          "this encoding belong to",
          greatest, *length);
    }
    return skips_fractions || std::abs(given->step) > 1
               ? PositionRange{given->first * one, given->step * one, given->count}
               : PositionRange{given->first * one, given->step, given->count * one};
  }
  const auto first = first_probed_position(encoding);
  const auto last = std::max(first, last_probed_position(encoding));
  if (skips_fractions) {
    return {first, one, (last - first) / one + 1};
  }
  return encoding.bucket_rule() != nullptr ? PositionRange{-last, 1, 2 * last + 1}
                                           : PositionRange{first, 1, last - first + 1};
}

std::vector<std::int64_t> hard_positions(const Encoding& encoding, const PositionRange& range,
                                         ElementType type) {
  const auto last = std::max(std::abs(range.first), std::abs(range.at(range.count - 1)));
  const auto to_reduce = near_quarter_turns(encoding, last);
  const auto to_round =
      last < 1 ? std::vector<std::int64_t>() : hard_to_round(encoding, last, *traits(type).format);
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < std::max(to_reduce.size(), to_round.size()); ++i) {
    for (const auto* positions : {&to_reduce, &to_round}) {
      if (i < positions->size()) {
        result.push_back((*positions)[i]);
        result.push_back(-(*positions)[i]);
      }
    }
  }
  return result;
}

}  // namespace vernier
