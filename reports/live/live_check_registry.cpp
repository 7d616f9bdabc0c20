#include <array>

#include "reports/live/live_check.hpp"

namespace vernier {

std::span<const LiveCheckKind> live_check_kinds() {
  // Those of side effects last: they tell what was seen while all others asked.
  static const std::array all{
      answers_check(),  queries_check(),      determinism_check(), batch_check(),    rows_check(),
      sequence_check(), out_of_range_check(), blocks_check(),      decoding_check(), packed_check(),
      heads_check(),    batches_check(),      strides_check(),     lengths_check(),  longest_check(),
      order_check(),    input_range_check(),  laws_check(),        input_check(),    memory_check(),
      output_check(),   environment_check(),
  };
  return all;
}

}  // namespace vernier
