#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/views/row_view.hpp"
#include "reference/support/threads.hpp"

namespace vernier {

/// Shows all rows of a view to a judge. A judge looks at the row that a view is at, add(view), and takes what
/// another found in later rows, merge(later). Blocks are merged in their order, so that what is found does
/// not depend on the number of threads. \param fresh a judge that has seen nothing
template <class Judge>
Judge walked(const RowView& view, unsigned threads, const Judge& fresh) {
  constexpr std::size_t rows_of_block = 1024;
  std::vector<Judge> by_block((view.rows() + rows_of_block - 1) / rows_of_block, fresh);
  oneapi::tbb::enumerable_thread_specific<RowView> views([&view] { return RowView(view); });
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, by_block.size(), [&](std::size_t block) {
      auto& of_thread = views.local();
      const auto first = block * rows_of_block;
      for (auto row = first; row < std::min(first + rows_of_block, view.rows()); ++row) {
        of_thread.go_to(row);
        by_block[block].add(of_thread);
      }
    });
  });
  auto result = fresh;
  for (const auto& judge : by_block) {
    result.merge(judge);
  }
  return result;
}

}  // namespace vernier
