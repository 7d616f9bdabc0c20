#include "reports/bindings/library/certified_output.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "numerics/tensors/case_positions.hpp"
#include "numerics/tensors/fit_tensor.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/threads.hpp"
#include "reports/bindings/library/strided_memory.hpp"
#include "reports/words/specs/placed_tensor.hpp"

namespace vernier {
namespace {

/// Below, starting threads takes longer than the elements.
constexpr std::size_t elements_for_threads = std::size_t{1} << 16;

/// The positions from one on that are evenly spaced.
PositionRange run_from(const std::vector<std::int64_t>& positions, std::size_t first) {
  PositionRange run{positions[first], 1, 1};
  if (first + 1 < positions.size() && positions[first + 1] != positions[first]) {
    run.step = positions[first + 1] - positions[first];
    while (first + static_cast<std::size_t>(run.count) < positions.size() &&
           positions[first + static_cast<std::size_t>(run.count)] == run.at(run.count)) {
      ++run.count;
    }
  }
  return run;
}

void write_rows(const TrigTable& table, const std::vector<std::int64_t>& positions, ElementType type,
                std::span<std::byte> out) {
  const auto format = traits(type).format;
  refuse_if(!format, "out: found {}, expected a floating-point type for sines", traits(type).name);
  const bool many = positions.size() * table.columns.size() >= elements_for_threads;
  const auto threads = many ? available_threads() : 1U;
  for (std::size_t first = 0; first < positions.size();) {
    const auto run = run_from(positions, first);
    const RoundedTable rows(table, table.positions.places(run), *format, {.threads = threads});
    rows.write(0, run.count,
               out.subspan(first * rows.row_bytes(), static_cast<std::size_t>(run.count) * rows.row_bytes()));
    first += static_cast<std::size_t>(run.count);
  }
}

void write_elements(ElementSource& elements, ElementType type, std::span<std::byte> out) {
  constexpr std::size_t at_once = 4096;
  std::vector<std::byte> bytes;
  for (std::size_t first = 0; first < elements.elements(); first += at_once) {
    const auto last = std::min(first + at_once, elements.elements());
    bytes.clear();
    append_rounded(elements, type, first, last, bytes);
    std::ranges::copy(bytes, out.begin() + static_cast<std::ptrdiff_t>(first * traits(type).bytes));
  }
}

void write(const Encoding& encoding, const PlacedTensor& tensor, const std::vector<std::int64_t>& positions,
           std::size_t queries, ElementType type, std::span<std::byte> out) {
  if (const auto* table = tensor.plain_table()) {
    return write_rows(*table, positions, type, out);
  }
  write_elements(*PlacedElements(encoding, tensor.definition, positions, queries), type, out);
}

/// The elements where they lie, if rows can be written there at once.
std::optional<std::span<std::byte>> writable(const StridedMemory& memory) {
  const auto dense = memory.dense();
  const auto width = traits(memory.type()).bytes;
  return dense && std::bit_cast<std::uintptr_t>(dense->data()) % width == 0 ? dense : std::nullopt;
}

}  // namespace

std::vector<std::int64_t> read_positions(const VernierTensor* positions, const std::string& name) {
  const StridedMemory memory(positions, name);
  refuse_if(memory.shape().size() != 1, "{}: found the shape {}, expected one dimension", name,
            to_string(memory.shape()));
  return integers({name, tensor_in(memory)}, positions_role, position_integers);
}

void write_certified(const ChosenEncoding& chosen, const std::string& role, std::size_t queries,
                     const std::vector<std::int64_t>& positions, const VernierTensor* out) {
  const StridedMemory memory(out, "out");
  const auto& shape = memory.shape();
  const auto tensor = first_tensor(*chosen.encoding, positions.size(),
                                   {role, shape.empty() ? 0 : shape.back(), queries}, chosen.source);
  refuse_if(tensor.shape != shape, "out: found the shape {}, expected {} for {} at {} positions",
            to_string(shape), to_string(tensor.shape), tensor.role, positions.size());
  if (const auto place = writable(memory)) {
    return write(*chosen.encoding, tensor, positions, queries, memory.type(), *place);
  }
  std::vector<std::byte> dense(tensor_in(memory).bytes().size());
  write(*chosen.encoding, tensor, positions, queries, memory.type(), dense);
  memory.scatter(dense);
}

}  // namespace vernier
