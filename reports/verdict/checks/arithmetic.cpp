#include <algorithm>

#include "numerics/arithmetic/pinned_bits.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/words/arithmetic_words.hpp"

namespace vernier {
namespace {

/// The columns of the pairs that hold exceptions.
template <class Columns, class Pair, class Column>
ClosedRange columns_of_pairs(const Columns& columns, const ClosedRange& pairs, const Pair& pair_of,
                             const Column& column_of) {
  std::optional<ClosedRange> result;
  for (const auto& one : columns) {
    const std::int64_t column = column_of(one);
    if (pairs.contains({pair_of(one), pair_of(one)})) {
      result = result.value_or(ClosedRange{column, column});
      result->include({column, column});
    }
  }
  return result.value_or(ClosedRange());
}

ClosedRange columns_of_exceptions(const PinnedBits& bits, const Case& subject) {
  const auto& vectors = subject.tensors.all<RotatedTensor>();
  const auto found =
      std::ranges::find_if(vectors, [&](const RotatedTensor& one) { return one.role() == bits.tensors; });
  if (found != vectors.end()) {
    return columns_of_pairs(
        found->rotation.rotated, bits.pairs, [](const auto& one) { return std::int64_t{one.pair}; },
        [](const auto& one) { return static_cast<std::int64_t>(one.out); });
  }
  const auto& columns = subject.tensors.all<TableTensor>().front().table.columns;
  return columns_of_pairs(
      columns, bits.pairs,
      [](const Column& one) {
        return one.component == Component::zero ? FailingExtent::no_pair : std::int64_t{one.pair};
      },
      [&](const Column& one) { return &one - columns.data(); });
}

Check check_of(const PinnedBits& bits, const Case& subject, std::string_view contract) {
  Check check{"arithmetic/" + bits.tensors};
  check.required = "a computation that takes the ways of the contract predicts every stored bit: " +
                   std::string(contract.substr(arithmetic_contract.size()));
  check.counts = {bits.numbers, bits.numbers - bits.unasked, bits.exceptions, bits.unasked};
  check.reason = pinned_text(bits);
  if (bits.is_kept()) {
    check.status = Status::pass;
  } else if (bits.exceptions == 0 && bits.has_computation) {
    check.status = Status::inconclusive;
  } else {
    check.status = Status::fail;
    check.finding =
        bits.parted.empty() ? "the bits are not those of the contract's arithmetic" : parted_text(bits);
    if (bits.first) {
      check.counterexample = exception_text(bits);
      check.failing_extent = FailingExtent{bits.positions, columns_of_exceptions(bits, subject), bits.pairs};
    }
  }
  return check;
}

}  // namespace

std::string_view pinned_contract(const Case& subject) {
  std::string_view result;
  subject.tensors.for_each([&](const auto& tensor) {
    if (tensor.contract->id.starts_with(arithmetic_contract)) {
      result = tensor.contract->id;
    }
  });
  return result;
}

void judge_arithmetic(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  const auto contract = pinned_contract(audited.subject);
  if (contract.empty()) {
    return;
  }
  for (const auto& bits : judge_pinned(stored_bits(audited.subject), pinned_ways(contract))) {
    out.push_back(check_of(bits, audited.subject, contract));
  }
}

}  // namespace vernier
