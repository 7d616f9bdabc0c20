#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "reference/support/threads.hpp"

namespace vernier {

/// What all rows of a suspect add up to. \param threads how many may work \param add called as
/// `add(row, sum)`, in any order of rows: whether to go on; once it says no, the sum is of some rows
/// \tparam Sum default: of no row; `a.append(b)` adds the sum of later rows
template <class Sum, class Add>
Sum sum_of_rows(std::size_t rows, unsigned threads, const Add& add) {
  constexpr std::size_t grain = 16;  // rows: some thousand elements
  std::atomic<bool> goes_on = true;
  return with_threads(threads, [&] {
    return oneapi::tbb::parallel_reduce(
        oneapi::tbb::blocked_range<std::size_t>(0, rows, grain), Sum{},
        [&](const oneapi::tbb::blocked_range<std::size_t>& range, Sum sum) {
          for (std::size_t row = range.begin(); row < range.end() && goes_on; ++row) {
            if (!add(row, sum)) {
              goes_on = false;
            }
          }
          return sum;
        },
        [](Sum a, Sum b) {
          a.append(std::move(b));
          return a;
        });
  });
}

}  // namespace vernier
