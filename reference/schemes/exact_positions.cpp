#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The position itself, in one column: 0, 1, 2 ... or 1, 2, 3 and so on.
struct IntegerIndexSpec {
  static constexpr std::string_view scheme = "integer_index";

  std::int64_t first_index = 0;

  void keys(KeyVisitor& visit) { visit.defaulted("first_index", first_index, integer(0, 1)); }

  std::string summary() const { return std::string("integer index, from ") + std::to_string(first_index); }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [first = first_index](std::int64_t position, std::size_t) {
      return Rational(position + first);
    };
    return {ExactTable{.role = "encoding", .columns = 1, .factor = factor}};
  }
};

constexpr std::array<std::string_view, 3> share_reading_names{"zero_to_one", "zero_to_below_one",
                                                              "above_zero_to_one"};
constexpr std::array<std::string_view, 3> formulas{"t/(L - 1)", "t/L", "(t + 1)/L"};

/// The position as a share of the sequence's length L, in one column, for 0 <= t < L. Texts that "mark the
/// positions by numbers in [0, 1]" mean one of three things.
struct NormalisedSpec {
  /// zero_to_one: t/(L - 1), both ends reached, undefined at L = 1. zero_to_below_one: t/L.
  /// above_zero_to_one: (t + 1)/L.
  enum class Reading { zero_to_one, zero_to_below_one, above_zero_to_one };

  static constexpr std::string_view scheme = "normalised";

  std::int64_t length = 0;  ///< L
  Reading reading = Reading::zero_to_one;

  void keys(KeyVisitor& visit) {
    visit.required("length", length, integer(1, largest_position));
    visit.defaulted("reading", reading, one_of(share_reading_names));
    visit.require(reading != Reading::zero_to_one || length > 1, "length",
                  "at least 2, as t/(L - 1) is undefined for a length of 1");
  }

  std::string summary() const {
    return fmt::format("normalised position {}, length {}", formulas[static_cast<std::size_t>(reading)],
                       length);
  }

  Rational share(std::int64_t position) const {
    return Rational(position + (reading == Reading::above_zero_to_one ? 1 : 0),
                    length - (reading == Reading::zero_to_one ? 1 : 0));
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [spec = *this](std::int64_t position, std::size_t) { return spec.share(position); };
    return {ExactTable{.role = "encoding",
                       .columns = 1,
                       .factor = factor,
                       .making = ExactTable::Making::quotient,
                       .first_position = 0,
                       .last_position = length - 1}};
  }
};

/// One column a position, one in its own column and zero in all others: what a learned table multiplies.
struct OneHotSpec {
  static constexpr std::string_view scheme = "one_hot";

  std::int64_t num_positions = 1;

  void keys(KeyVisitor& visit) {
    visit.required("num_positions", num_positions, integer(1, most_listed_positions));
  }

  std::string summary() const { return fmt::format("one-hot, {} positions", num_positions); }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [](std::int64_t position, std::size_t column) {
      return Rational(static_cast<std::int64_t>(column) == position ? 1 : 0);
    };
    return {ExactTable{.role = "encoding",
                       .columns = static_cast<std::size_t>(num_positions),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = num_positions - 1}};
  }
};

constexpr std::int64_t most_bits = 1024;
constexpr std::array<std::string_view, 2> bit_order_names{"most_significant_first",
                                                          "least_significant_first"};
/// Beyond this many bits every position fits.
constexpr std::int64_t bits_of_positions = 32;

/// The binary digits of the position, one a column, for 0 <= t < 2^bits.
struct BinarySpec {
  enum class BitOrder { most_significant_first, least_significant_first };

  static constexpr std::string_view scheme = "binary";

  std::int64_t bits = 1;
  BitOrder bit_order = BitOrder::most_significant_first;

  void keys(KeyVisitor& visit) {
    visit.required("bits", bits, integer(1, most_bits));
    visit.defaulted("bit_order", bit_order, one_of(bit_order_names));
  }

  std::string summary() const {
    return fmt::format("binary digits of the position, {}{}", bits,
                       bit_order == BitOrder::most_significant_first ? ", most significant first"
                                                                     : ", least significant first");
  }

  /// The digit in a column: 0 or 1. \param position >= 0
  std::int64_t digit(std::int64_t position, std::size_t column) const {
    const auto index = static_cast<std::int64_t>(column);
    const auto weight = bit_order == BitOrder::most_significant_first ? bits - 1 - index : index;
    return weight < bits_of_positions ? (position >> weight) & 1 : 0;
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [spec = *this](std::int64_t position, std::size_t column) {
      return Rational(spec.digit(position, column));
    };
    return {ExactTable{.role = "encoding",
                       .columns = static_cast<std::size_t>(bits),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = (std::int64_t{1} << std::min(bits, bits_of_positions)) - 1}};
  }
};

/// No positional encoding: zeros, whatever the position.
struct NoEncodingSpec {
  static constexpr std::string_view scheme = "none";

  std::int64_t d_model = 1;

  void keys(KeyVisitor& visit) { visit.required("d_model", d_model, integer(1, largest_dimension)); }

  std::string summary() const {
    return std::string("no positional encoding, d_model ") + std::to_string(d_model);
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [](std::int64_t, std::size_t) { return Rational(0); };
    return {ExactTable{.role = "encoding", .columns = static_cast<std::size_t>(d_model), .factor = factor}};
  }
};

/// A learned table of positions, as it came out of training: row t is the encoding of position t, and there
/// is nothing beyond the last row (BERT, GPT-2).
struct LearnedSpec {
  static constexpr std::string_view scheme = "learned";

  NumberRows values;

  void keys(KeyVisitor& visit) {
    static const Rational limit = *parse_rational("1e30");
    static const NumberRange each{-limit, limit,
                                  "a number from -1e30 to 1e30, or one written as text (\"0.1\", \"1/3\")"};
    visit.required(
        "values", values,
        rows_of(each, {.fewest = 1}, "an array of rows of numbers, all of one length, at least one of each"));
  }

  std::string summary() const {
    return fmt::format("learned table of {} positions, d_model {}", values.size(), values.front().size());
  }

  std::vector<TensorDefinition> tensors() const {
    // Shared, as copies of the table would copy them otherwise.
    const auto factor = [rows = std::make_shared<const NumberRows>(values)](std::int64_t position,
                                                                            std::size_t column) {
      return rows->at(static_cast<std::size_t>(position)).at(column);
    };
    return {ExactTable{.role = "encoding",
                       .columns = values.front().size(),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = static_cast<std::int64_t>(values.size()) - 1}};
  }
};

}  // namespace

std::vector<Scheme> exact_position_schemes() {
  return schemes_of<IntegerIndexSpec, NormalisedSpec, OneHotSpec, BinarySpec, NoEncodingSpec, LearnedSpec>();
}

}  // namespace vernier
