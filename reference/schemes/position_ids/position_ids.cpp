#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/position_ids/position_rule.hpp"
#include "reference/schemes/position_ids/row_selection.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> next_starts{"after_greatest", "after_grid", "at_greatest"};
constexpr std::array<std::string_view, 3> temporal_roundings{"product", "interval", "nearest"};
constexpr std::array<std::string_view, 2> frame_counts{"in_turn", "at_once"};
constexpr std::array<std::string_view, 3> centres{"rounded_up", "rounded_down", "none"};
constexpr std::int64_t most_seconds = 10000;
constexpr std::int64_t most_merged = 64;

const std::vector<PositionRule>& rules() {
  static const auto all = [] {
    auto result = language_rules();
    std::ranges::move(image_rules(), std::back_inserter(result));
    std::ranges::move(sequence_rules(), std::back_inserter(result));
    return result;
  }();
  return all;
}

/// Blocks one behind the other: the positions of a sequence.
class PositionSequence {
 public:
  explicit PositionSequence(std::vector<PositionBlock> blocks) : blocks_(std::move(blocks)), first_rows_{0} {
    for (const auto& block : blocks_) {
      first_rows_.push_back(first_rows_.back() + block.rows());
    }
  }

  std::int64_t rows() const { return first_rows_.back(); }
  /// \param row from 0, below rows() \param axis below the number of axes
  std::int64_t at(std::int64_t row, std::size_t axis) const {
    const auto next = std::ranges::upper_bound(first_rows_, row) - first_rows_.begin();
    const auto block = static_cast<std::size_t>(next - 1);
    return blocks_[block].at(row - first_rows_[block], axis);
  }

 private:
  std::vector<PositionBlock> blocks_;
  std::vector<std::int64_t> first_rows_;  ///< of each block, and of what would follow the last
};

void visit_segment(KeyVisitor& visit, Segment& segment, const PositionRule::Keys& has) {
  static const NumberRange seconds{0, most_seconds,
                                   "a number from 0 to 10000, or one written as text (\"2/3\")"};
  if (visit.fills()) {
    const auto names = std::span(Segment::names).first(has.hears ? 4 : 3);
    const auto found = std::ranges::find_if(names, [&](auto name) { return visit.has(name); });
    visit.require_all(found != names.end(),
                      fmt::format("found none of {}, expected one of them", joined(names, in_quotes)));
    segment.kind = static_cast<Segment::Kind>(found - names.begin());
  }
  if (segment.is_counted()) {
    visit.required(segment.name(), segment.grid[0], integer(1, most_listed_positions));
  } else {
    visit.required(segment.name(), segment.grid,
                   list_of(whole_numbers(1, largest_dimension, integer_from_to(1, largest_dimension)),
                           of_size(segment.grid.size()),
                           fmt::format("three integers from 1 to {}: frames, rows and columns of patches",
                                       largest_dimension)));
  }
  if (has.keeps_time && segment.kind == Segment::Kind::video) {
    visit.defaulted("seconds_per_grid", segment.seconds_per_grid, quotient(seconds));
  }
  if (has.hears && segment.kind == Segment::Kind::video) {
    visit.optional("audio", segment.audio, integer(1, most_listed_positions));
  }
}

/// The positions that a project gives the tokens of a sequence, as its builder of position ids makes them.
struct PositionIdsSpec {
  static constexpr std::string_view scheme = "position_ids";

  const PositionRule* rule = rules().data();
  PositionSpec sequence;
  RowSelection selection;

  void keys(KeyVisitor& visit) {
    auto which = static_cast<Choice>(rule - rules().data());
    visit.required("rule", which,
                   one_of(names_of(rules()), "one of " + joined(rules(), &PositionRule::name)));
    visit.fallback(rule, &rules()[static_cast<std::size_t>(which)]);
    visit_segments(visit);
    const auto& has = rule->keys;
    auto& of = sequence;
    if (has.merges_patches) {
      visit.fallback(of.spatial_merge_size, 2);
      visit.defaulted("spatial_merge_size", of.spatial_merge_size, integer(1, most_merged));
      visit.defaulted("next_start", of.next_start, one_of(next_starts));
      visit.defaulted("frames", of.frames, one_of(frame_counts));
      visit.require(of.frames == FrameCount::in_turn || of.next_start == NextStart::after_grid, "frames",
                    "\"in_turn\", unless next_start is \"after_grid\"");
    }
    if (has.merges_frames) {
      visit.fallback(of.temporal_merge_size, 2);
      visit.defaulted("temporal_merge_size", of.temporal_merge_size, integer(1, most_merged));
    }
    if (has.keeps_time) {
      visit.required("tokens_per_second", of.tokens_per_second, integer(0, most_seconds));
      visit.defaulted("temporal_rounding", of.temporal_rounding, one_of(temporal_roundings));
    }
    if (has.centres) {
      visit.defaulted("centre", of.centre, one_of(centres));
    }
    if (has.keeps_chunks) {
      visit.defaulted("seconds_per_chunk", of.seconds_per_chunk, integer(1, most_seconds));
    }
    if (has.branches) {
      visit_parents(visit);
    }
    require_sound(visit);
    require_merging(visit);
    require_positions(visit);
    selection.keys(visit, visit.fills() ? PositionSequence(rule->place(sequence)).rows() : 0);
  }

  std::string summary() const {
    return fmt::format("position ids of {} tokens along {}, as {} makes them{}",
                       PositionSequence(rule->place(sequence)).rows(),
                       rule->axes == 1 ? "one axis" : std::to_string(rule->axes) + " axes", rule->name,
                       selection.summary());
  }

  std::vector<TensorDefinition> tensors() const {
    const auto places = std::make_shared<const PositionSequence>(rule->place(sequence));
    return {ExactTable{.role = "position_ids",
                       .columns = rule->axes,
                       .factor =
                           [places, of = selection](std::int64_t row, std::size_t axis) {
                             const auto [token, filled] = of.source(row, places->rows());
                             return Rational(token ? places->at(*token, axis) : filled);
                           },
                       .first_position = 0,
                       .last_position = selection.rows(places->rows()) - 1}};
  }

 private:
  void visit_segments(KeyVisitor& visit) {
    constexpr std::string_view words =
        R"(an array of segments, as {"text": 5} or {"image": [1, 4, 6]}, of at most 1048576 tokens together)";
    visit.objects("segments", sequence.segments, {.fewest = 1, .has_own_words = true}, words, {},
                  [&](KeyVisitor& within, Segment& segment) { visit_segment(within, segment, rule->keys); });
    std::int64_t tokens = 0;
    for (const auto& segment : sequence.segments) {
      tokens += segment.grid[0] * segment.grid[1] * segment.grid[2];
      visit.require(tokens <= most_listed_positions, "segments", words);
    }
    visit.require(!sequence.segments.empty() && rule->accepts(sequence.segments), "segments",
                  fmt::format("{} for the rule {}", rule->segments, rule->name));
  }

  void visit_parents(KeyVisitor& visit) {
    constexpr std::int64_t most_nodes = 4096;
    constexpr std::string_view words =
        "at most 4096 integers, each the number of a node before, counted from 1, or 0 for the text";
    auto& parents = sequence.parents;
    visit.required(
        "parents", parents,
        list_of(whole_numbers(0, most_nodes, std::string(words)), {1, most_nodes, true}, std::string(words)));
    bool are_before = !parents.empty();
    for (std::size_t node = 0; node < parents.size(); ++node) {
      are_before = are_before && parents[node] <= static_cast<std::int64_t>(node);
    }
    visit.require(are_before, "parents", words);
    if (!are_before) {
      parents.clear();
    }
  }

  /// Refuses frames that are no more in chunks, and times that are no integers where the code rounds none.
  void require_sound(KeyVisitor& visit) const {
    for (const auto& segment : sequence.segments) {
      if (segment.audio == 0) {
        continue;
      }
      const Rational step = segment.seconds_per_grid * sequence.tokens_per_second;
      visit.require(sequence.frames == FrameCount::in_turn, "frames", "\"in_turn\" where videos have audio");
      visit.require(!rule->keys.keeps_chunks || segment.seconds_per_grid <= sequence.seconds_per_chunk,
                    "seconds_per_chunk", "at least the seconds_per_grid of videos with audio");
      visit.require(
          step > 0 && (rule->keys.keeps_chunks || denominator(step) == 1), "tokens_per_second",
          "a number that makes whole positions, one at least, of the seconds between frames of videos "
          "with audio");
    }
  }

  /// Refuses patches that do not merge without a remainder.
  void require_merging(KeyVisitor& visit) const {
    for (std::size_t number = 0; number < sequence.segments.size(); ++number) {
      const auto& segment = sequence.segments[number];
      const auto require_multiple = [&](std::string_view what, std::int64_t found, std::string_view key,
                                        std::int64_t size) {
        visit.require_all(found % size == 0,
                          fmt::format("segments[{}].{}: found {} {}, expected a multiple of {}, {}", number,
                                      segment.name(), found, what, key, size));
      };
      if (!segment.is_counted()) {
        require_multiple("rows", segment.grid[1], "spatial_merge_size", sequence.spatial_merge_size);
        require_multiple("columns", segment.grid[2], "spatial_merge_size", sequence.spatial_merge_size);
      }
      if (segment.kind == Segment::Kind::video) {
        require_multiple("frames", segment.grid[0], "temporal_merge_size", sequence.temporal_merge_size);
      }
    }
  }

  /// Refuses positions that are none.
  void require_positions(KeyVisitor& visit) const {
    if (!visit.fills()) {
      return;
    }
    for (const auto& block : rule->place(sequence)) {
      for (std::size_t axis = 0; axis < rule->axes; ++axis) {
        visit.require(block.last(axis) <= largest_position, "segments",
                      fmt::format("positions of at most {}, not {}", largest_position, block.last(axis)));
      }
    }
  }
};

}  // namespace

std::vector<Scheme> position_ids_schemes() {
  return schemes_of<PositionIdsSpec>();
}

}  // namespace vernier
