#pragma once

#include <cstddef>

#include "numerics/implementations/asked_through.hpp"

namespace vernier {

/// The answer for the first rows of a request.
struct PartAnswer {
  std::size_t rows = 0;  ///< how many were answered, from the first on
  /// The answer for those rows; where there are none, why.
  Response response = {};
  /// Why the rows after them were not answered; "answered" if there are none.
  Response refusal = {};
};

/// Asks an implementation that refuses questions about many rows, or takes too long for them, for blocks of
/// rows that it takes.
class InBlocks final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;

  /// Asks as many rows at a time as were taken before.
  Response ask(const Request& request) override;

  /// Asks for all rows, and for half as many at a time as often as they are refused, until a single row is.
  /// What takes too long is halved twice only, and not at all where each question costs a process; nor is
  /// what is not supported there.
  PartAnswer ask_for_most(const Request& request);

 private:
  std::size_t most_rows_ = 0;  ///< of one question; 0: any number
};

}  // namespace vernier
