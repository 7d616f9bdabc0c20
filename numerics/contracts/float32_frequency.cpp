#include "numerics/contracts/contracts.hpp"
#include "numerics/errors/frequency_error.hpp"

namespace vernier {
namespace {

/// The frequency is that of float32, off by r = (4 |ln w| + 3) u at most, one number a pair, with u = 2^-24.
/// It is a number of float64 too, so that all after it is as of the contract float64: with v = 2^-53 each
/// phase is rounded by v, and by v once more where it may be scaled; the trigonometry is good to 4 ulp.
BudgetModel of_float32_frequencies(const TrigTable& table, Format stored) {
  auto model = contract_named("float64")->bind(table, stored);
  auto parameters = model.parameters();
  parameters.frequencies = Format::binary32;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    parameters.frequency_error[static_cast<std::size_t>(pair)] =
        frequency_error(table.frequencies, pair, Format::binary32);
  }
  return {std::move(parameters), table};
}

}  // namespace

Contract float32_frequency_contract() {
  return {
      "float32-frequency",
      "the frequency in float32, phase and trigonometry in float64: inv_freq as a model stores it, used by "
      "a kernel that makes its phases in double",
      "as float64, with the relative error of the frequency (4 |ln w| + 3) u of float32",
      of_float32_frequencies};
}

}  // namespace vernier
