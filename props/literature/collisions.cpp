// Whether every position has a row of its own once the encoding is rounded, and how near rows come.

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "props/collisions/colliding_offsets.hpp"
#include "props/collisions/first_collision.hpp"
#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/decay/dot_products.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/word_list.hpp"

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

void add_first_collisions(Facts& facts) {
  struct Known {
    Format format;
    std::int64_t d_model;
    std::optional<Collision> collision;
  };
  using enum Format;
  for (const auto& [format, d, expected] : std::array<Known, 10>{{{bfloat16, 2, Collision{1, 711}},
                                                                  {bfloat16, 4, Collision{7, 84830}},
                                                                  {bfloat16, 8, Collision{10, 169656}},
                                                                  {binary16, 2, Collision{2, 712}},
                                                                  {binary16, 4, Collision{216, 410508}},
                                                                  {binary16, 8, Collision{4, 5730269}},
                                                                  {binary32, 2, Collision{1804, 10840506}},
                                                                  {binary32, 4, std::nullopt},
                                                                  {binary32, 6, std::nullopt},
                                                                  {binary32, 8, std::nullopt}}}) {
    const auto found = first_collision(table_of(d), format, last_position + 1);
    facts.add(found == expected, name(format, d) + ": " + told(found));
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
  for (const auto& [format, expected] : std::array<std::pair<Format, std::int64_t>, 3>{
           {{Format::bfloat16, 257}, {Format::binary16, 2049}, {Format::binary32, 16777217}}}) {
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
EvidenceResult rounded_rows() {
  Facts facts;
  add_first_collisions(facts);
  add_widths_without_collisions(facts);
  add_rounded_positions(facts);
  return facts.conclude(Ruling::conditional);
}

EvidenceResult sines_alone() {
  struct Known {
    Format format;
    std::string_view family;
    Rational base;
    Rational step;
    int width;
    std::optional<Collision> collision;
  };
  constexpr std::int64_t positions = std::int64_t{1} << 20;
  constexpr std::string_view halving = "2^-i";
  constexpr std::string_view decimal = "10000^(-i/(d-1))";
  using enum Format;
  Facts facts;
  for (const auto& known : std::vector<Known>{
           {bfloat16, halving, 2, 1, 1, Collision{8, 52}},
           {bfloat16, halving, 2, 1, 3, Collision{8, 385}},
           {bfloat16, halving, 2, 1, 4, Collision{536, 2999}},
           {bfloat16, halving, 2, 1, 8, Collision{297, 3514}},
           {bfloat16, halving, 2, 1, 12, Collision{42, 707780}},
           {binary16, halving, 2, 1, 1, Collision{177, 178}},
           {binary16, halving, 2, 1, 8, Collision{3988, 91651}},
           {binary32, halving, 2, 1, 1, Collision{42589, 43299}},
           {bfloat16, decimal, 10000, 1, 2, Collision{532, 533}},
           {bfloat16, decimal, 10000, Rational(1, 4), 5, Collision{1965, 64797}},
           {binary16, decimal, 10000, 1, 2, Collision{14013, 14032}},
           {binary16, decimal, 10000, Rational(1, 4), 5, Collision{28700, 468523}},
           {binary16, decimal, 10000, Rational(1, 5), 6, std::nullopt},
       }) {
    const auto found = first_collision(sines(known.base, known.step, known.width), known.format, positions);
    facts.add(found == known.collision, "Sines of {}, {}: {}", known.family, name(known.format, known.width),
              told(found));
  }
  return facts.conclude(Ruling::conditional);
}

EvidenceResult separations() {
  const WorkingPrecision scope(200);
  struct Known {
    std::int64_t d_model;
    std::int64_t last;
    std::int64_t offset;
    std::string_view distance;
  };
  Facts facts;
  for (const auto& [d, last, offset, decimal] : std::array<Known, 13>{{{2, 1 << 20, 312689, "0.0000029"},
                                                                       {4, 1 << 20, 735761, "0.0005293"},
                                                                       {6, 1 << 20, 428708, "0.02282"},
                                                                       {8, 1 << 20, 169646, "0.003310"},
                                                                       {16, 1 << 20, 615746, "0.8812"},
                                                                       {32, 1 << 20, 1, "1.1716"},
                                                                       {128, 1 << 20, 1, "1.9526"},
                                                                       {512, 1 << 20, 1, "3.7143"},
                                                                       {2, 5000, 710, "0.00006029"},
                                                                       {4, 5000, 1885, "0.04441"},
                                                                       {6, 5000, 2840, "0.20694"},
                                                                       {8, 5000, 63, "0.64529"},
                                                                       {16, 5000, 1, "1.01473"}}}) {
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
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> collision_evidence() {
  return {
      {"collisions/rounded-rows",
       "the first equal rows of the paper's encoding, correctly rounded to three formats, to position 2^24",
       Method::exhaustive, rounded_rows},
      {"collisions/sines-alone", "the first equal rows of rounded encodings by sines alone, to position 2^20",
       Method::exhaustive, sines_alone},
      {"collisions/separations", "the smallest distance of two rows over all offsets to 2^20",
       Method::exhaustive, separations},
  };
}

}  // namespace vernier
