// Rows of a table of values that hold other positions.

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/values/value_model.hpp"

namespace vernier {
namespace {

using MovedPosition = std::function<std::int64_t(std::int64_t position)>;

ValueEdit with_positions(std::string sentence, double bits, const MovedPosition& map) {
  return {{nullptr, std::move(sentence)}, bits, value_order::positions, [map](ValueModel& model) {
            std::ranges::transform(model.positions, model.positions.begin(), map);
          }};
}

std::int64_t modulo(std::int64_t value, std::int64_t modulus) {
  return (value % modulus + modulus) % modulus;
}

/// The positions that a few of the failing rows hold, with their own.
std::vector<std::pair<std::int64_t, std::int64_t>> decoded_rows(const ValueSubject& subject) {
  constexpr std::size_t most_rows = 6;
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  const auto& failing = subject.failing_rows;
  for (std::size_t i = 0; i < std::min(most_rows, failing.size()); ++i) {
    const auto row =
        failing[i * (failing.size() - 1) / std::max<std::size_t>(1, std::min(most_rows, failing.size()) - 1)];
    if (const auto held = held_position(subject, row)) {
      result.emplace_back(subject.positions[row], *held);
    }
  }
  return result;
}

ValueEdits value_offsets(const ValueSubject& subject) {
  std::set<std::int64_t> offsets{1, -1};
  for (const auto& [own, held] : decoded_rows(subject)) {
    offsets.insert(held - own);
  }
  offsets.erase(0);
  ValueEdits edits;
  const auto& table = subject.tensor.table;
  for (const auto offset : offsets) {
    const auto by = std::abs(offset);
    const auto text = fmt::format("positions are {} by {}", offset > 0 ? "larger" : "smaller", by);
    const double bits = by == 1 ? flag_bits + 1 : integer_bits(by) + flag_bits;
    edits.push_back(with_positions(text, bits, [offset](std::int64_t p) { return p + offset; }));
    const auto has_row = [&](std::int64_t position) { return table.defined(position + offset); };
    if (table.first_position && table.last_position && !std::ranges::all_of(subject.positions, has_row)) {
      const auto first = *table.first_position;
      const auto last = *table.last_position;
      edits.push_back(with_positions(text + ", and held to those of the table", bits + flag_bits,
                                     [=](std::int64_t p) { return std::clamp(p + offset, first, last); }));
      edits.push_back(with_positions(
          text + ", and wrap at the ends of the table", bits + flag_bits,
          [=](std::int64_t p) { return first + modulo(p + offset - first, last - first + 1); }));
    }
  }
  return edits;
}

ValueEdits value_wraps(const ValueSubject& subject) {
  std::set<std::int64_t> moduli;
  const auto greatest = *std::ranges::max_element(subject.positions);
  for (std::int64_t modulus = 2; modulus <= greatest; modulus *= 2) {
    moduli.insert(modulus);
  }
  for (const auto& [own, held] : decoded_rows(subject)) {
    for (const std::int64_t times : {1, 2, 3}) {
      if (own > held && (own - held) % times == 0) {
        moduli.insert((own - held) / times);
      }
    }
  }
  ValueEdits edits;
  for (const auto modulus : moduli) {
    edits.push_back(with_positions(fmt::format("positions wrap at {}", modulus),
                                   std::min(listed_bits, integer_bits(modulus)),
                                   [modulus](std::int64_t p) { return modulo(p, modulus); }));
  }
  return edits;
}

ValueEdits value_clamps(const ValueSubject& subject) {
  std::set<std::int64_t> last;
  for (const auto& [own, held] : decoded_rows(subject)) {
    last.insert(held);
  }
  ValueEdits edits;
  for (const auto most : last) {
    edits.push_back(with_positions(fmt::format("positions beyond {} have its row", most),
                                   variant_bits + std::min(listed_bits, integer_bits(most)) / 2,
                                   [most](std::int64_t p) { return std::min(p, most); }));
    edits.push_back(with_positions(fmt::format("all rows are that of position {}", most),
                                   variant_bits + std::min(listed_bits, integer_bits(most)) / 2,
                                   [most](std::int64_t) { return most; }));
  }
  return edits;
}

ValueEdits value_reversals(const ValueSubject& subject) {
  const auto sum = subject.positions.front() + subject.positions.back();
  ValueEdits edits{
      with_positions("rows are in reverse order", flag_bits, [sum](std::int64_t p) { return sum - p; })};
  const auto& table = subject.tensor.table;
  if (table.first_position && table.last_position) {
    const auto ends = *table.first_position + *table.last_position;
    edits.push_back(with_positions("positions are counted from the end of the table", flag_bits + 1,
                                   [ends](std::int64_t p) { return ends - p; }));
  }
  return edits;
}

ValueEdits value_scales(const ValueSubject&) {
  ValueEdits edits{
      with_positions("positions are doubled", variant_bits, [](std::int64_t p) { return 2 * p; }),
      with_positions("positions are halved", variant_bits, [](std::int64_t p) { return p / 2; })};
  return edits;
}

ValueEdits value_position_formats(const ValueSubject&) {
  ValueEdits edits;
  for (const auto format : {Format::binary16, Format::bfloat16}) {
    edits.push_back(with_positions(fmt::format("positions are rounded to {}", traits(format).name),
                                   variant_bits, [format](std::int64_t p) {
                                     constexpr double most = 65504;
                                     return static_cast<std::int64_t>(
                                         std::clamp(round_to(format, static_cast<double>(p)), -most, most));
                                   }));
  }
  return edits;
}

ValueEdits gray_codes(const ValueSubject& subject) {
  if (!subject.is("binary")) {
    return {};
  }
  return {with_positions("the digits are those of a Gray code", variant_bits,
                         [](std::int64_t p) { return p ^ (p >> 1); })};
}

constexpr std::array<ValueFault, 7> value_position_faults{{{"position/offset", value_offsets},
                                                           {"position/wrapped", value_wraps},
                                                           {"position/clamped", value_clamps},
                                                           {"position/reversed", value_reversals},
                                                           {"position/scaled", value_scales},
                                                           {"position/format", value_position_formats},
                                                           {"mapping/gray-code", gray_codes}}};

}  // namespace

ValueEdits value_position_edits(const ValueSubject& subject) {
  ValueEdits edits;
  for (const auto& fault : value_position_faults) {
    for (auto& edit : fault.propose(subject)) {
      edit.finding.kind = fault_kind_named(fault.kind);
      edits.push_back(std::move(edit));
    }
  }
  return edits;
}

}  // namespace vernier
