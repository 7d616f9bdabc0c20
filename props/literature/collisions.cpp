// Whether every position has a row of its own once the encoding is rounded, and how near rows come.

#include <optional>
#include <vector>

#include <fmt/core.h>

#include "props/collisions/colliding_offsets.hpp"
#include "props/collisions/first_collision.hpp"
#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/decay/dot_products.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Positions to 2^24, the last integer up to which float32 counts.
constexpr std::int64_t last_position = std::int64_t{1} << 24;

TrigTable table_of(std::int64_t d_model) {
  return SinusoidalSpec{.d_model = d_model}.table();
}

/// Sines alone, of base^(-i step).
TrigTable sines(const Rational& base, const Rational& step, int width) {
  TrigTable table;
  table.frequencies = GeometricFrequencies{base, step, width};
  for (int pair = 0; pair < width; ++pair) {
    table.columns.push_back({pair, Component::sine});
  }
  return table;
}

std::string told(const std::optional<Collision>& collision) {
  return collision ? fmt::format("rows {} and {} are the first that are equal", collision->earlier,
                                 collision->later)
                   : std::string("no two rows are equal");
}

std::string name(Format format, std::int64_t d_model) {
  return fmt::format("{}, d = {}", traits(format).name, d_model);
}

/// Positions as figures give them: two, or none.
std::optional<Collision> collision_of(const std::vector<std::int64_t>& rows) {
  return rows.empty() ? std::nullopt : std::optional(Collision{rows[0], rows[1]});
}

void add_first_collisions(Facts& facts) {
  for (const auto& [format_name, d, rows] :
       facts.figures<std::string, std::int64_t, std::vector<std::int64_t>>()) {
    const auto format = *format_named(format_name);
    const auto found = first_collision(table_of(d), format, last_position + 1);
    facts.add(found == collision_of(rows), name(format, d) + ": " + told(found));
  }
}

/// Where no offset can collide in bfloat16, none can in a format of more digits.
void add_widths_without_collisions(Facts& facts) {
  for (const std::int64_t d : {6, 10, 16, 32, 64, 128, 512, 4096}) {
    const auto offsets = colliding_offsets(table_of(d), Format::bfloat16, last_position);
    bool distinct = true;
    for (const auto format : {Format::bfloat16, Format::binary16, Format::binary32}) {
      distinct = distinct && (offsets.empty() || !first_collision(table_of(d), format, last_position + 1));
    }
    facts.add(distinct,
              "d = {}: {} offsets to 2^24 could make two bfloat16 rows equal, and none does in any format", d,
              offsets.size());
  }
}

/// A position stored in the format: the first integer that it lacks has its neighbour's row, whatever d.
void add_rounded_positions(Facts& facts) {
  for (const auto& [format_name, expected] :
       facts.figures<std::string, std::int64_t>("first integers that are not exact")) {
    const auto format = *format_named(format_name);
    std::int64_t position = 1;
    while (round_to(format, static_cast<double>(position)) == static_cast<double>(position)) {
      ++position;
    }
    const bool repeats = round_to(format, static_cast<double>(position)) == static_cast<double>(position - 1);
    facts.add(position == expected && repeats,
              "Positions themselves in {}: {} is the first that is not one, and rounds to the one before",
              traits(format).name, position);
  }
}

/// "Every position has a code of its own": true of real numbers; of rounded ones to a position that depends
/// on width and format.
void rounded_rows(Facts& facts) {
  add_first_collisions(facts);
  add_widths_without_collisions(facts);
  add_rounded_positions(facts);
}

void sines_alone(Facts& facts) {
  constexpr std::int64_t positions = std::int64_t{1} << 20;
  for (const auto& [format_name, family, width, rows] :
       facts.figures<std::string, std::string, int, std::vector<std::int64_t>>()) {
    const auto format = *format_named(format_name);
    const auto table = family == "2^-i" ? sines(2, 1, width) : sines(10000, Rational(1, width - 1), width);
    const auto found = first_collision(table, format, positions);
    facts.add(found == collision_of(rows), "Sines of {}, {}: {}", family, name(format, width), told(found));
  }
}

void separations(Facts& facts) {
  for (const auto& [d, last, offset, decimal] :
       facts.figures<std::int64_t, std::int64_t, std::int64_t, std::string>()) {
    const auto w = SinusoidalSpec{.d_model = d}.frequencies();
    const auto closest = record_offsets(w, last).back();
    const Interval distance = separation(w, closest);
    facts.add(closest == offset && rounds_to_decimal(distance, decimal),
              "d = {}, offsets to {}: rows are closest {} apart, at {}", d, last, closest,
              digits(distance, 4));
  }
  const auto records = record_offsets(SinusoidalSpec{.d_model = 2}.frequencies(), 10838702);
  facts.add(records == std::vector<std::int64_t>{1, 6, 19, 25, 44, 333, 710, 103993, 312689, 1980127, 2292816,
                                                 4272943, 10838702},
            "d = 2: ever closer rows are {} apart", joined(records));
}

}  // namespace

std::vector<Evidence> collision_evidence() {
  return {
      {"collisions/rounded-rows", rounded_rows},
      {"collisions/sines-alone", sines_alone},
      {"collisions/separations", separations},
  };
}

}  // namespace vernier
