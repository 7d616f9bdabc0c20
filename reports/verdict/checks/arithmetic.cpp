
#include "numerics/arithmetic/pinned_bits.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/words/arithmetic_words.hpp"

namespace vernier {
namespace {

/// The columns of the pairs that hold exceptions.
ClosedRange columns_of_exceptions(const PinnedBits& bits, const AuditedCase& audited) {
  std::optional<ClosedRange> result;
  for (const auto& viewed : *audited.views) {
    if (!viewed.view.has_points() ||
        bits.tensors != (viewed.view.layout().is_of_tables ? "tables" : viewed.view.parts().front().role)) {
      continue;
    }
    for (const auto& place : viewed.view.layout().points) {
      for (const auto& stored : {place.real, place.imaginary}) {
        if (stored && stored->part == 0 && bits.exceptions.pairs().contains({place.pair, place.pair})) {
          const auto column = static_cast<std::int64_t>(stored->column);
          result = result.value_or(ClosedRange{column, column});
          result->include({column, column});
        }
      }
    }
  }
  return result.value_or(ClosedRange());
}

Check check_of(const PinnedBits& bits, const AuditedCase& audited, std::string_view contract) {
  Check check{"arithmetic/" + bits.tensors};
  check.required = "a computation that takes the ways of the contract predicts every stored bit: " +
                   std::string(contract.substr(arithmetic_contract.size()));
  check.counts = {bits.numbers, bits.numbers - bits.unasked, bits.exceptions.count, bits.unasked};
  check.reason = pinned_text(bits);
  if (bits.is_kept()) {
    check.status = Status::pass;
  } else if (bits.exceptions.count == 0 && bits.has_computation) {
    check.status = Status::inconclusive;
  } else {
    check.status = Status::fail;
    check.finding =
        bits.parted.empty() ? "the bits are not those of the contract's arithmetic" : parted_text(bits);
    if (bits.exceptions.nearest) {
      check.counterexample = exception_text(bits);
      check.failing_extent = FailingExtent{bits.exceptions.positions, columns_of_exceptions(bits, audited),
                                           bits.exceptions.pairs()};
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
    out.push_back(check_of(bits, audited, contract));
  }
}

}  // namespace vernier
