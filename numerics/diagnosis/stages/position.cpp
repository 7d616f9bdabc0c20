// The numbers that frequencies are multiplied by.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/position_decoder.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array position_offset_bugs{"sentence-transformers #3879"sv,
                                          "huggingface/transformers #22161"sv, "nnsight #673"sv};
constexpr std::array position_wrap_bugs{"microsoft/onnxruntime #31995"sv,
                                        "huggingface/transformers #36537"sv};
constexpr std::array position_clamp_bugs{"tenstorrent/tt-mlir #9211"sv, "jax-ml/jax #3604"sv};
constexpr std::array position_jump_bugs{"skyzh/tiny-llm #46"sv, "huggingface/transformers #40490"sv};
constexpr std::array position_format_bugs{"huggingface/transformers #25681"sv, "NVIDIA/Megatron-LM #535"sv,
                                          "huggingface/diffusers #13922"sv};

constexpr FaultKind position_offset{
    .id = "position/offset",
    .stage = Stage::position,
    .title = "every position is off by as much",
    .means =
        "Scores within one table are unchanged, as they depend on the distance; against a cache or "
        "another kernel that counts otherwise, every distance is off.",
    .advice = "Look for where counting begins: at 0, at 1, or after the padding.",
    .similar = position_offset_bugs};
constexpr FaultKind position_wrapped{
    .id = "position/wrapped",
    .stage = Stage::position,
    .title = "positions wrap",
    .means = "Tokens that are a whole turn apart cannot be told apart.",
    .advice = "Look for a table that is shorter than the context and repeated, or an index that overflows.",
    .similar = position_wrap_bugs};
constexpr FaultKind position_clamped{
    .id = "position/clamped",
    .stage = Stage::position,
    .title = "positions beyond one are taken for it",
    .means = "Tokens beyond it all stand at one place.",
    .advice = "Look for a table that is shorter than the context, and a gather that clamps its index.",
    .similar = position_clamp_bugs};
constexpr FaultKind position_jump{.id = "position/jump",
                                  .stage = Stage::position,
                                  .title = "positions jump",
                                  .means = "Distances across the jump are off by as much.",
                                  .advice =
                                      "Look at how positions are counted on: from block to block, or past an "
                                      "image.",
                                  .similar = position_jump_bugs};
constexpr FaultKind position_block{
    .id = "position/block",
    .stage = Stage::position,
    .title = "a block of positions is off",
    .means = "Distances between tokens of the block and all others are off by as much.",
    .advice = "Look at the edges of the blocks or tiles in which rows are computed.",
    .similar = position_jump_bugs};
constexpr FaultKind position_staircase{.id = "position/staircase",
                                       .stage = Stage::position,
                                       .title = "several positions share a row",
                                       .means = "Neighbouring tokens cannot be told apart.",
                                       .advice = "Look for an integer division of positions, or a stride."};
constexpr FaultKind position_reversed{.id = "position/reversed",
                                      .stage = Stage::position,
                                      .title = "positions are counted from the end",
                                      .means = "Distances have the other sign.",
                                      .advice = "Look for a flip of the table or of the indices."};
constexpr FaultKind position_magnitude{
    .id = "position/magnitude",
    .stage = Stage::position,
    .title = "negative positions lose their sign",
    .means = "Tokens before and after the origin cannot be told apart.",
    .advice = "Look for an absolute value, a clamp at zero, or an unsigned type."};
constexpr FaultKind position_format{
    .id = "position/format",
    .stage = Stage::position,
    .title = "positions are rounded to a 16-bit format",
    .means = "From 256 on in bfloat16, and from 2048 on in float16, neighbouring tokens share a position.",
    .advice =
        "Look for arange in the type of the model, or for autocast; positions need integers or float32.",
    .similar = position_format_bugs};
constexpr FaultKind position_rows{
    .id = "position/rows",
    .stage = Stage::position,
    .title = "single rows hold other positions",
    .means = "These tokens stand elsewhere.",
    .advice =
        "Look at how these rows are written or gathered: the edges of tiles, and "
        "races."};

/// Appends the base with every place mapped.
template <class Map>
void propose_map(const Clues& clues, const FaultKind& kind, std::string sentence, double bits, Proposals& out,
                 const Map& map, const OrderedJson& patch = nullptr) {
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
  const auto spec = clues.suspect.encoding().spec();
  const auto shift = static_cast<double>(by);
  OrderedJson patch = nullptr;
  if (spec.contains("first_position") && spec.at("first_position").is_number()) {
    patch = replacement("first_position", spec.at("first_position").get<std::int64_t>() + by);
  }
  propose_map(
      clues, kind, fmt::format("positions are {} by {}", by > 0 ? "larger" : "smaller", std::abs(by)), bits,
      out, [shift](double p) { return p + shift; }, patch);
}

/// The positions that rows hold, beside those they should; some rows if there are many.
struct Held {
  std::int64_t declared;
  std::int64_t found;
  std::size_t row;
};

/// So many positions are compared with rows in all, where no neighbouring row says what to look for.
constexpr double most_comparisons = 1.5e7;
constexpr std::size_t most_rows = std::size_t{1} << 16;

/// The likely positions of a row: its own, as far off as the rows before it, the same as the last, or a
/// neighbour of that.
class Likely {
 public:
  void remember(const Held& held) {
    last_ = held.found;
    const auto by = held.found - held.declared;
    std::erase(shifts_, by);
    shifts_.push_back(by);
    if (shifts_.size() > 4) {
      shifts_.erase(shifts_.begin());
    }
  }

  std::optional<std::int64_t> position(const PositionDecoder& decoder, std::size_t row,
                                       std::int64_t declared) const {
    std::vector<std::int64_t> likely{declared};
    for (auto shift = shifts_.rbegin(); shift != shifts_.rend(); ++shift) {
      likely.push_back(declared + *shift);
    }
    if (last_) {
      likely.insert(likely.end(), {*last_, *last_ + 1, *last_ - 1});
    }
    const auto found =
        std::ranges::find_if(likely, [&](std::int64_t position) { return decoder.fits(row, position); });
    return found == likely.end() ? std::nullopt : std::optional(*found);
  }

 private:
  std::vector<std::int64_t> shifts_;
  std::optional<std::int64_t> last_;
};

std::vector<Held> held_positions(const Clues& clues) {
  const PositionDecoder decoder(clues.suspect, clues.base);
  const auto& positions = clues.suspect.positions().front();
  auto chosen = spread_rows(clues.suspect.rows(), most_rows);
  std::ranges::stable_sort(chosen, {}, [&](std::size_t row) { return positions[row]; });
  const auto candidates = static_cast<double>(decoder.candidates());
  double comparisons = 0;
  std::size_t unread = 0;
  Likely likely;
  std::vector<Held> result;
  for (const auto row : chosen) {
    auto found = likely.position(decoder, row, positions[row]);
    if (!found) {
      comparisons += candidates;
      if (comparisons > most_comparisons || 4 * unread > 64 + result.size()) {
        return {};  // the frequencies are not those of the base, or the rows are in no order
      }
      found = decoder.position(row);
    }
    if (found) {
      result.push_back({positions[row], *found, row});
      likely.remember(result.back());
    } else {
      ++unread;
    }
  }
  return result.size() < 2 || 4 * unread > result.size() ? std::vector<Held>() : result;
}

void propose_wraps(const Clues& clues, const std::vector<Held>& held, Proposals& out) {
  std::int64_t common = 0;
  std::int64_t greatest = 0;
  for (const auto& one : held) {
    if (one.found < 0) {
      return;
    }
    common = std::gcd(common, one.declared - one.found);
    greatest = std::max(greatest, one.found);
  }
  for (std::int64_t part = 1; part <= 8 && common > 0; ++part) {
    const auto modulus = common / part;
    if (common % part == 0 && modulus > greatest) {
      propose_map(clues, position_wrapped, fmt::format("positions wrap at {}", modulus), listed_bits, out,
                  [m = static_cast<double>(modulus)](double p) { return p - m * std::floor(p / m); });
    }
  }
}

/// From which position on, by what the rows show: "from position 714 on".
std::string from_words(std::int64_t last_right, std::int64_t first_wrong) {
  return first_wrong == last_right + 1
             ? fmt::format("from position {} on", first_wrong)
             : fmt::format("from a position between {} and {} on", last_right + 1, first_wrong);
}

void propose_jumps(const Clues& clues, const std::vector<Held>& held, Proposals& out) {
  const auto is_wrong = [](const Held& one) { return one.found != one.declared; };
  const auto first = std::ranges::find_if(held, is_wrong);
  if (first == held.end() || first == held.begin()) {
    return;
  }
  const auto last_right = (first - 1)->declared;
  const auto end = std::find_if_not(first, held.end(), is_wrong);
  const auto by = first->found - first->declared;
  const bool is_constant =
      std::all_of(first, end, [&](const Held& one) { return one.found - one.declared == by; });
  const bool is_rest_right = std::none_of(end, held.end(), is_wrong);
  const auto start = static_cast<double>(first->declared);
  const auto shift = static_cast<double>(by);
  if (is_constant && end == held.end()) {
    propose_map(clues, position_jump,
                fmt::format("positions are {} by {} {}", by > 0 ? "larger" : "smaller", std::abs(by),
                            from_words(last_right, first->declared)),
                2 * listed_bits, out, [=](double p) { return p >= start ? p + shift : p; });
  } else if (is_constant && is_rest_right) {
    const auto stop = static_cast<double>((end - 1)->declared);
    const bool is_one = first->declared == (end - 1)->declared;
    propose_map(clues, is_one ? position_rows : position_block,
                is_one ? fmt::format("row {} (position {}) holds the values of position {}", first->row,
                                     first->declared, first->found)
                       : fmt::format("positions {} to {} are {} by {}", first->declared, (end - 1)->declared,
                                     by > 0 ? "larger" : "smaller", std::abs(by)),
                is_one ? damaged_bits : 2.5 * listed_bits, out,
                [=](double p) { return p >= start && p <= stop ? p + shift : p; });
  }
  const bool is_clamp =
      std::all_of(first, held.end(), [&](const Held& one) { return one.found == first->found; });
  if (is_clamp && first->found <= first->declared && std::distance(first, held.end()) > 1) {
    propose_map(clues, position_clamped, fmt::format("positions beyond {} are taken for it", first->found),
                listed_bits, out,
                [most = static_cast<double>(first->found)](double p) { return std::min(p, most); });
  }
}

void propose_stairs(const Clues& clues, const std::vector<Held>& held, Proposals& out) {
  const auto first = std::ranges::find_if(held, [](const Held& one) { return one.found != one.declared; });
  if (first == held.end()) {
    return;
  }
  for (std::int64_t tread = 2; tread <= 64; ++tread) {
    for (const auto start : {std::int64_t{0}, first->found}) {
      const auto stair = [&](std::int64_t p) { return p < start ? p : start + (p - start) / tread * tread; };
      if (std::ranges::all_of(held, [&](const Held& one) { return stair(one.declared) == one.found; })) {
        propose_map(clues, position_staircase,
                    start == 0 ? fmt::format("positions come in steps of {}", tread)
                               : fmt::format("positions come in steps of {} from {} on", tread, start),
                    start == 0 ? listed_bits : 2 * listed_bits, out, [=](double p) {
                      const auto low = static_cast<double>(start);
                      const auto step = static_cast<double>(tread);
                      return p < low ? p : low + std::floor((p - low) / step) * step;
                    });
        return;
      }
    }
    if (std::ranges::all_of(held, [&](const Held& one) { return one.declared / tread == one.found; })) {
      propose_map(clues, position_staircase,
                  fmt::format("positions are divided by {}, and the remainder is dropped", tread),
                  listed_bits, out, [=](double p) { return std::trunc(p / static_cast<double>(tread)); });
      return;
    }
  }
}

void propose_held(const Clues& clues, const FaultKind&, Proposals& out) {
  if (clues.suspect.positions().size() > 1 || clues.suspect.rows() < 2) {
    return;
  }
  const auto held = held_positions(clues);
  const auto wrong = std::ranges::count_if(held, [](const Held& one) { return one.found != one.declared; });
  if (wrong == 0) {
    return;
  }
  const auto by = held.front().found - held.front().declared;
  if (std::ranges::all_of(held, [&](const Held& one) { return one.found - one.declared == by; })) {
    propose_offset_by(clues, position_offset, by, std::abs(by) == 1 ? variant_bits : listed_bits, out);
    return;
  }
  const auto sum = held.front().found + held.front().declared;
  if (std::ranges::all_of(held, [&](const Held& one) { return one.found + one.declared == sum; })) {
    propose_map(clues, position_reversed, fmt::format("positions are counted down: p stands for {} - p", sum),
                listed_bits, out, [s = static_cast<double>(sum)](double p) { return s - p; });
  }
  if (std::ranges::all_of(held, [](const Held& one) { return std::abs(one.declared) == one.found; })) {
    propose_map(clues, position_magnitude, "negative positions lose their sign", flag_bits, out,
                [](double p) { return std::fabs(p); });
  }
  if (std::ranges::all_of(
          held, [](const Held& one) { return std::max<std::int64_t>(one.declared, 0) == one.found; })) {
    propose_map(clues, position_magnitude, "negative positions are taken for 0", flag_bits, out,
                [](double p) { return std::max(p, 0.0); });
  }
  propose_wraps(clues, held, out);
  propose_jumps(clues, held, out);
  propose_stairs(clues, held, out);
}

void propose_offset(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_offset_by(clues, kind, 1, variant_bits, out);
  propose_offset_by(clues, kind, -1, variant_bits, out);
  const auto [least, greatest] = std::ranges::minmax(clues.suspect.positions().front());
  propose_map(clues, position_reversed,
              fmt::format("positions are counted down: p stands for {} - p", least + greatest), listed_bits,
              out, [sum = static_cast<double>(least + greatest)](double p) { return sum - p; });
  propose_held(clues, kind, out);
}

void propose_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    propose_edit(clues, kind, "positions are rounded to " + std::string(traits(narrow).name), variant_bits,
                 out, [&](Computation& computation) { computation.place_format = narrow; });
  }
}

}  // namespace

StageEdits position_edits() {
  return {{&position_offset,
           propose_offset,
           false,
           {&position_wrapped, &position_clamped, &position_jump, &position_block, &position_staircase,
            &position_reversed, &position_magnitude, &position_rows}},
          {&position_format, propose_format}};
}

}  // namespace vernier
