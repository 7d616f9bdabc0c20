#include "reports/contract_text.hpp"

#include <fmt/core.h>

#include "numerics/contracts/contract_allowance.hpp"
#include "numerics/errors/frequency_error.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int budget_digits = 2;
constexpr int head_dim = 128;

/// What passes of a RoPE: its base, and the frequency of its slowest pair.
std::string rotation_allowance(int base, Format compute) {
  const RopeSpec spec{.head_dim = head_dim, .rope_theta = base};
  const auto frequencies = spec.unscaled_frequencies();
  const double slowest = frequency_error(spec.frequencies(), frequencies.pairs - 1, compute);
  return fmt::format(
      "  base {}: a base off by less than {}; "
      "the slowest pair's frequency off by less than {} of itself, {} u\n",
      base, significant_text(base_allowance(frequencies, compute) * base, budget_digits),
      significant_text(slowest, budget_digits),
      significant_text(slowest / traits(compute).unit_roundoff(), budget_digits));
}

/// An amplitude that is not 1, and so is multiplied by.
std::string amplitude_allowance(const Contract& contract, Format compute) {
  auto table = RopeSpec{.head_dim = head_dim}.table(Component::cosine);
  table.amplitude = Rational(5, 4);
  const double share = amplitude_allowance(contract.bind(table, compute));
  return fmt::format("  an amplitude such as YaRN's: off by less than {} of itself\n",
                     significant_text(share, budget_digits));
}

/// A contract that is named after the format it computes in.
std::string allowances(const Contract& contract, Format compute) {
  return fmt::format(
      "What honest code may be off by, other code may be off by too, and conforms. "
      "RoPE of {} dimensions, u = 2^-{}:\n"
      "{}{}{}"
      "A base off by d of itself moves the frequency of pair i by 2i/{} d, which may be off by r: no pair "
      "may "
      "be off by more.\n"
      "For less room name a stricter contract: correctly-rounded or faithful.\n",
      head_dim, traits(compute).precision, rotation_allowance(10000, compute),
      rotation_allowance(500000, compute), amplitude_allowance(contract, compute), head_dim);
}

}  // namespace

std::string contract_text(const Contract& contract) {
  auto text = fmt::format("contract/{}\n\n{}\n\nBudget of an element: {}\n", contract.id, contract.meaning,
                          contract.budget);
  const auto compute = format_named(contract.id);
  return compute ? text + "\n" + allowances(contract, *compute) : text;
}

}  // namespace vernier
