#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/position_ids/position_rule.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> next_starts{"after_greatest", "after_grid", "at_greatest"};
constexpr std::array<std::string_view, 3> temporal_roundings{"product", "interval", "nearest"};
constexpr std::array<std::string_view, 2> frame_counts{"in_turn", "at_once"};
constexpr std::array<std::string_view, 3> centre_names{"rounded_up", "rounded_down", "none"};
constexpr std::int64_t most_seconds = 10000;
constexpr std::int64_t most_merged = 64;

/// The positions that a project gives the tokens of a sequence, as its builder of position ids makes them.
class PositionIdsEncoding final : public Encoding {
 public:
  PositionIdsEncoding(const PositionRule& rule, PositionSpec spec)
      : rule_(rule),
        spec_(std::move(spec)),
        sequence_(std::make_shared<const PositionSequence>(rule_.place(spec_))) {}

  std::string_view scheme() const override { return "position_ids"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  PositionRule rule_;
  PositionSpec spec_;
  std::shared_ptr<const PositionSequence> sequence_;
};

/// \param within the path of the segment
Segment read_segment(ObjectReader& reader, const PositionRule& rule) {
  Segment segment;
  const auto found = std::ranges::find_if(Segment::names, [&](auto name) { return reader.has(name); });
  if (found == Segment::names.end()) {
    reader.refuse_all(
        fmt::format("found none of {}, expected one of them", joined(Segment::names, in_quotes)));
  }
  segment.kind = static_cast<Segment::Kind>(found - Segment::names.begin());
  if (segment.is_text()) {
    segment.grid[0] = reader.integer(*found, 1, most_listed_positions);
  } else {
    const auto expected =
        fmt::format("three integers from 1 to {}: frames, rows and columns of patches", largest_dimension);
    const auto numbers = read_exact_numbers(
        reader, std::string(*found), reader.array(*found, expected),
        [](const Rational& x) { return x >= 1 && x <= largest_dimension && denominator(x) == 1; },
        integer_from_to(1, largest_dimension));
    if (numbers.size() != segment.grid.size()) {
      reader.refuse(*found, expected);
    }
    std::ranges::transform(numbers, segment.grid.begin(), [](const Rational& x) { return *as_integer(x); });
  }
  if (rule.keys.keeps_time && segment.kind == Segment::Kind::video) {
    const auto seconds = reader.optional_constant(
        "seconds_per_grid",
        [](const Constant& x) { return x.power_of_pi == 0 && x.factor >= 0 && x.factor <= most_seconds; },
        "a number from 0 to 10000, or one written as text (\"2/3\")");
    segment.seconds_per_grid = seconds ? seconds->factor : segment.seconds_per_grid;
  }
  reader.finish();
  return segment;
}

/// \throws InputError unless the patches of a segment merge without a remainder
void require_merging(const ObjectReader& reader, const PositionSpec& spec, std::size_t number) {
  const auto& segment = spec.segments[number];
  const auto refuse = [&](std::string_view what, std::int64_t found, std::string_view key,
                          std::int64_t size) {
    reader.refuse_all(fmt::format("segments[{}].{}: found {} {}, expected a multiple of {}, {}", number,
                                  Segment::names[static_cast<std::size_t>(segment.kind)], found, what, key,
                                  size));
  };
  const std::array<std::string_view, 3> sides{"frames", "rows", "columns"};
  for (const std::size_t side : {1U, 2U}) {
    if (!segment.is_text() && segment.grid[side] % spec.spatial_merge_size != 0) {
      refuse(sides[side], segment.grid[side], "spatial_merge_size", spec.spatial_merge_size);
    }
  }
  if (segment.kind == Segment::Kind::video && segment.grid[0] % spec.temporal_merge_size != 0) {
    refuse(sides[0], segment.grid[0], "temporal_merge_size", spec.temporal_merge_size);
  }
}

std::vector<Segment> read_segments(ObjectReader& reader, const PositionRule& rule) {
  constexpr std::string_view expected =
      R"(an array of segments, as {"text": 5} or {"image": [1, 4, 6]}, of at most 1048576 tokens together)";
  std::vector<Segment> segments;
  std::int64_t tokens = 0;
  for (auto& of_segment : reader.objects("segments", expected)) {
    segments.push_back(read_segment(of_segment, rule));
    const auto& grid = segments.back().grid;
    tokens += grid[0] * grid[1] * grid[2];
    if (tokens > most_listed_positions) {
      reader.refuse("segments", expected);
    }
  }
  if (segments.empty() || !rule.accepts(segments)) {
    reader.refuse("segments", fmt::format("{} for the rule {}", rule.segments, rule.name));
  }
  return segments;
}

/// \throws InputError for a position that is none
void require_positions(const ObjectReader& reader, const PositionRule& rule, const PositionSpec& spec) {
  for (const auto& block : rule.place(spec)) {
    for (std::size_t axis = 0; axis < rule.axes; ++axis) {
      if (block.last(axis) > largest_position) {
        reader.refuse("segments",
                      fmt::format("positions of at most {}, not {}", largest_position, block.last(axis)));
      }
    }
  }
}

std::unique_ptr<Encoding> parse_position_ids(ObjectReader& reader) {
  const auto rules = make_all(position_rules);
  const auto name = reader.string("rule");
  const auto rule = std::ranges::find(rules, name, &PositionRule::name);
  if (rule == rules.end()) {
    reader.refuse("rule", "one of " + joined(rules, &PositionRule::name));
  }
  PositionSpec spec;
  spec.segments = read_segments(reader, *rule);
  if (rule->keys.merges_patches) {
    spec.spatial_merge_size = reader.optional_integer("spatial_merge_size", 1, most_merged).value_or(2);
    spec.next_start = static_cast<NextStart>(
        reader.choice("next_start", {next_starts[0], next_starts[1], next_starts[2]}, 0));
    spec.frames = static_cast<FrameCount>(reader.choice("frames", {frame_counts[0], frame_counts[1]}, 0));
    if (spec.frames == FrameCount::at_once && spec.next_start != NextStart::after_grid) {
      reader.refuse("frames", "\"in_turn\", unless next_start is \"after_grid\"");
    }
  }
  if (rule->keys.merges_frames) {
    spec.temporal_merge_size = reader.optional_integer("temporal_merge_size", 1, most_merged).value_or(2);
  }
  if (rule->keys.keeps_time) {
    spec.tokens_per_second = reader.integer("tokens_per_second", 0, most_seconds);
    spec.temporal_rounding = static_cast<TemporalRounding>(reader.choice(
        "temporal_rounding", {temporal_roundings[0], temporal_roundings[1], temporal_roundings[2]}, 0));
  }
  if (rule->keys.centres) {
    spec.centre = static_cast<ImageCentre>(
        reader.choice("centre", {centre_names[0], centre_names[1], centre_names[2]}, 0));
  }
  for (std::size_t i = 0; i < spec.segments.size(); ++i) {
    require_merging(reader, spec, i);
  }
  require_positions(reader, *rule, spec);
  return std::make_unique<PositionIdsEncoding>(*rule, std::move(spec));
}

std::vector<TensorDefinition> PositionIdsEncoding::define_tensors() const {
  return {ExactTable{
      .role = "position_ids",
      .columns = rule_.axes,
      .factor = [sequence = sequence_](std::int64_t row,
                                       std::size_t axis) { return Rational(sequence->at(row, axis)); },
      .first_position = 0,
      .last_position = sequence_->rows() - 1}};
}

std::string PositionIdsEncoding::summary() const {
  return fmt::format("position ids of {} tokens along {} axes, as {} makes them", sequence_->rows(),
                     rule_.axes, rule_.name);
}

OrderedJson PositionIdsEncoding::spec() const {
  OrderedJson result{{"scheme", "position_ids"}, {"rule", rule_.name}, {"segments", OrderedJson::array()}};
  for (const auto& segment : spec_.segments) {
    OrderedJson one;
    auto& grid = one[Segment::names[static_cast<std::size_t>(segment.kind)]];
    grid = segment.is_text() ? OrderedJson(segment.grid[0]) : OrderedJson(segment.grid);
    if (rule_.keys.keeps_time && segment.kind == Segment::Kind::video) {
      one["seconds_per_grid"] = exact_json_number(segment.seconds_per_grid);
    }
    result["segments"].push_back(std::move(one));
  }
  if (rule_.keys.merges_patches) {
    result["spatial_merge_size"] = spec_.spatial_merge_size;
    result["next_start"] = next_starts[static_cast<std::size_t>(spec_.next_start)];
    result["frames"] = frame_counts[static_cast<std::size_t>(spec_.frames)];
  }
  if (rule_.keys.merges_frames) {
    result["temporal_merge_size"] = spec_.temporal_merge_size;
  }
  if (rule_.keys.keeps_time) {
    result["tokens_per_second"] = spec_.tokens_per_second;
    result["temporal_rounding"] = temporal_roundings[static_cast<std::size_t>(spec_.temporal_rounding)];
  }
  if (rule_.keys.centres) {
    result["centre"] = centre_names[static_cast<std::size_t>(spec_.centre)];
  }
  return result;
}

}  // namespace

Scheme position_ids_scheme() {
  return {
      "position_ids",
      "the positions along several axes that a model's code gives the tokens of text, images and videos",
      parse_position_ids,
      {R"({"scheme":"position_ids","rule":"qwen2_vl","segments":[{"text":5},{"image":[1,4,6]},{"text":3},{"video":[8,4,6]},{"text":2}]})",
       R"({"scheme":"position_ids","rule":"qwen2_5_vl","tokens_per_second":2,"segments":[{"text":3},{"video":[4,4,6],"seconds_per_grid":0.75},{"text":2}]})",
       R"({"scheme":"position_ids","rule":"ernie4_5_vl","segments":[{"video":[6,4,4]},{"text":2}],"next_start":"after_grid"})",
       R"({"scheme":"position_ids","rule":"flux2","segments":[{"text":4},{"image":[1,3,2]},{"image":[1,2,2]}]})",
       R"({"scheme":"position_ids","rule":"qwen_image","segments":[{"image":[1,9,4]},{"image":[1,2,3]},{"text":6}]})",
       R"({"scheme":"position_ids","rule":"z_image","segments":[{"text":5},{"image":[1,3,4]}]})"}};
}

}  // namespace vernier
