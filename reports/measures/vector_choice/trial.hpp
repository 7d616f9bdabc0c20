#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "numerics/processes/request.hpp"
#include "reports/exchange/vectors/context_sums.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/measures/rates/design.hpp"

namespace vernier {

/// What refuses an implementation.
struct Refusal {
  std::vector<bool> by_row;  ///< one a row of the vectors
  bool by_sums = false;

  bool by_rows() const;
};

/// The vectors of a group at work: they judge implementations as those who vendor them do, by the numbers
/// that the files hold and nothing else.
class VectorTrial {
 public:
  /// \param positions of the rows: the group's own, or candidates for them
  VectorTrial(const VectorGroup& group, std::vector<std::int64_t> positions);

  const VectorGroup& group() const { return group_; }
  const Encoding& encoding() const { return *encoding_; }
  const PositionRange& context() const { return context_; }
  const std::vector<std::int64_t>& positions() const { return positions_; }
  const std::vector<VectorTensor>& tensors() const { return tensors_; }

  /// What refuses a design, which is asked for its whole context and for the rows beyond it; nothing where
  /// the vectors have no budgets of its contract and format.
  std::optional<Refusal> judge(const rates::Design& design) const;

 private:
  struct Judged;

  Request request_of(const Request& way) const;
  void judge(const VectorTensor& expected, const Tensor& got, const Judged& as, Refusal& refusal) const;
  void judge(const ContextSums& expected, const Tensor& got, const Judged& as, Refusal& refusal) const;
  /// The column of the vectors that a column of a table of this width should equal: wider ones hold each
  /// several times.
  std::vector<std::size_t> columns_of(const VectorTensor& expected, std::size_t width) const;

  const VectorGroup& group_;
  std::unique_ptr<Encoding> encoding_;
  PositionRange context_;
  std::vector<std::int64_t> positions_;
  std::vector<VectorTensor> tensors_;
  std::vector<ContextSums> sums_;
  std::vector<std::int64_t> asked_;  ///< the context and what is beyond it
  std::vector<std::size_t> places_;  ///< of the rows among those that are asked for
};

}  // namespace vernier
