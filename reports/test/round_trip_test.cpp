// Vernier's own certified tables, and tables computed in the ways that honest code computes them, are never
// refused: every scheme, type and default contract, short lengths and usual widths.

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/parsed.hpp"
#include "reports/verdict/validate.hpp"
#include "reports/words/specs/placed_tensor.hpp"

namespace vernier {
namespace {

/// The examples of every scheme.
std::vector<std::string> examples() {
  std::vector<std::string> specs;
  for (const auto& scheme : schemes()) {
    specs.insert(specs.end(), scheme.examples.begin(), scheme.examples.end());
  }
  return specs;
}

/// The rows from position 0 that the encoding has, at most so many.
std::size_t rows_of(const Encoding& encoding, std::size_t most) {
  for (const auto& table : encoding.all<ExactTable>()) {
    if (table.last_position) {
      most = std::min(most, static_cast<std::size_t>(*table.last_position + 1));
    }
  }
  return most;
}

Tensor certified(const TrigTable& table, const PositionRange& range, Format format) {
  auto truth = certified_table_for(table, positions_from(range.first, static_cast<std::size_t>(range.count)));
  std::vector<Enclosure> row(table.columns.size());
  std::vector<double> values;
  for (std::int64_t r = 0; r < range.count; ++r) {
    truth.row(range.at(r), row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto value = rounded(format, row[c]);
      values.push_back(value ? *value : *correctly_rounded(format, table.entry(range.at(r), c)));
    }
  }
  return tensor_of(format, {static_cast<std::size_t>(range.count), row.size()}, values);
}

/// Whether a format has numbers as large as the tensor's: biases may be beyond eight bits.
bool holds(Format format, ElementSource& tensor) {
  if (traits(format).largest() > 0x1p100) {
    return true;
  }
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    tensor.go_to(row);
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      if (!std::isfinite(*correctly_rounded(format, tensor.exact(column)))) {
        return false;
      }
    }
  }
  return true;
}

/// How a phase is computed before the sine is taken in double.
enum class TripWay { float32_product, unrounded_product, float64 };

double phase_by(TripWay way, std::int64_t position, double frequency) {
  const auto w = static_cast<float>(frequency);
  switch (way) {
    case TripWay::float32_product:
      return static_cast<double>(static_cast<float>(position) * w);
    case TripWay::unrounded_product:
      return static_cast<double>(position) * static_cast<double>(w);
    case TripWay::float64:
      break;
  }
  return static_cast<double>(position) * frequency;
}

Tensor computed(const TrigTable& table, const PositionRange& range, Format format, TripWay way) {
  std::vector<double> values;
  const double amplitude = approximately(table.amplitude);
  std::vector<double> frequencies;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    frequencies.push_back(table.frequencies.approximate(pair));
  }
  for (std::int64_t r = 0; r < range.count; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [pair, component] = table.columns[c];
      const double phase = phase_by(way, range.at(r), frequencies[static_cast<std::size_t>(pair)]);
      const double value = component == Component::sine ? std::sin(phase) : std::cos(phase);
      values.push_back(table.is_zero(range.at(r), c) ? 0 : round_to(format, amplitude * value));
    }
  }
  return tensor_of(format, {static_cast<std::size_t>(range.count), table.columns.size()}, values);
}

/// The exit code of a verdict on tensors that start at a position.
int judged(const std::string& spec, std::map<std::string, NamedTensor, std::less<>> tensors,
           std::int64_t first, std::size_t rows) {
  if (tensors.empty()) {
    return 0;
  }
  const auto positions = positions_from(first, rows);
  const auto bytes = std::as_bytes(std::span(positions));
  tensors.insert(
      {tensors.contains("buckets") ? "relative_positions" : "positions",
       {"positions", {ElementType::int64, {rows}, std::vector<std::byte>(bytes.begin(), bytes.end())}}});
  const CaseInput parts{"made", "made", "a test", std::move(tensors), std::nullopt};
  return exit_code(validate(assemble_case(parts, parsed(spec)), "", {.error_splits = false}));
}

TEST(RoundTrip, EverySchemeHasExamplesOfItself) {
  for (const auto& scheme : schemes()) {
    EXPECT_FALSE(scheme.examples.empty()) << scheme.name;
    for (const auto spec : scheme.examples) {
      EXPECT_EQ(parsed(spec)->scheme(), scheme.name) << spec;
    }
  }
}

TEST(RoundTrip, CertifiedTensorsAreNeverRefused) {
  std::mt19937_64 random(20170612);
  for (const auto& spec : examples()) {
    const auto encoding = parsed(spec);
    for (const auto format : all_formats()) {
      // A length a format, eight an example: a refusal at one length in three is missed with 4 % by an
      // example, and most schemes have several.
      for (const std::size_t most : {std::size_t{2}, std::size_t{3 + random() % 125}}) {
        const auto rows = rows_of(*encoding, most);
        const auto range = PositionRange{0, 1, static_cast<std::int64_t>(rows)};
        std::map<std::string, NamedTensor, std::less<>> tensors;
        for (const auto& table : encoding->plain_tables()) {
          if (!tensors.contains(table.role)) {
            tensors.insert({table.role, {table.role, certified(table, range, format)}});
          }
        }
        for (const auto& tensor : placed_tensors(*encoding, rows, {})) {
          const PlacedElements elements(*encoding, tensor.definition, positions_from(0, rows));
          if (tensors.contains(tensor.role) ||
              (!are_integers(tensor.definition) && !holds(format, *elements))) {
            continue;
          }
          const auto type = are_integers(tensor.definition) ? ElementType::int64 : element_type_of(format);
          std::vector<std::byte> bytes;
          append_rounded(*elements, type, 0, elements->elements(), bytes);
          tensors.insert({tensor.role, {tensor.role, {type, tensor.shape, std::move(bytes)}}});
        }
        EXPECT_NE(judged(spec, std::move(tensors), 0, rows), 1)
            << spec << " " << traits(format).name << ", " << rows << " rows";
      }
    }
  }
}

TEST(RoundTrip, HonestComputationsAreNeverRefused) {
  std::mt19937_64 random(20170613);
  for (const auto& spec : examples()) {
    const auto encoding = parsed(spec);
    for (const auto way : {TripWay::float32_product, TripWay::unrounded_product, TripWay::float64}) {
      for (const auto format : all_formats()) {
        // float32 every time, the other formats that the way may be stored in by chance.
        const bool fits = format != Format::binary64 || way == TripWay::float64;
        if (encoding->plain_tables().empty() || !fits || (format != Format::binary32 && random() % 2 == 0)) {
          continue;
        }
        for (const std::size_t rows : {std::size_t{2 + random() % 40}, std::size_t{40 + random() % 88}}) {
          const auto first = static_cast<std::int64_t>(random() % 3 == 0 ? random() % 100000 : 0);
          const auto range = PositionRange{first, 1, static_cast<std::int64_t>(rows)};
          std::map<std::string, NamedTensor, std::less<>> tensors;
          for (const auto& table : encoding->plain_tables()) {
            if (!tensors.contains(table.role)) {
              tensors.insert({table.role, {table.role, computed(table, range, format, way)}});
            }
          }
          EXPECT_NE(judged(spec, std::move(tensors), first, rows), 1)
              << spec << " " << traits(format).name << ", " << rows << " rows from " << first << ", way "
              << static_cast<int>(way);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vernier
