#include "reports/exchange/vectors/vector_tensor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "reference/ladder/certified_scale.hpp"
#include "reference/support/input_error.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr double proves_nothing_at_all = std::numeric_limits<double>::infinity();

const Contract& contract_of(const BudgetKey& key) {
  const auto* contract = contract_named(key.contract);
  assert(contract != nullptr);
  return *contract;
}

/// An element of the vectors to rotate: odd eighths below 2, which all formats hold but float8_e5m2 and
/// float8_e5m2fnuz, and of which those beside each other differ. At odd positions they have all 24 bits that
/// float32 holds, so that it shows if they go through a narrower format.
double input_at(std::int64_t position, std::size_t dimension) {
  const auto mixed = static_cast<std::uint64_t>(position) * 5 + dimension * 11 + dimension / 16;
  const double eighths = (2 * static_cast<double>(mixed % 16) - 15) / 8;
  return position % 2 == 0 ? eighths : eighths * (1 + 0x1p-9 + 0x1p-20);
}

/// What is rotated, of all rows.
std::vector<double> rotated_input(const std::vector<std::int64_t>& positions, std::size_t head_dim) {
  std::vector<double> input;
  for (const auto position : positions) {
    for (std::size_t dimension = 0; dimension < head_dim; ++dimension) {
      input.push_back(input_at(position, dimension));
    }
  }
  return input;
}

/// Left out are products of sines with values, tables with rows of zeros or whose columns turn by all axes,
/// and gradients.
bool is_told(const Encoding& encoding, const TensorDefinition& definition) {
  const auto form = tensor_form(definition);
  if (const auto* vectors = vector_role_named(role_of(definition))) {
    return !vectors->is_gradient && !form.mixes_axes();
  }
  const bool is_product = form.frequencies != nullptr && form.sines == nullptr;
  const bool has_zero_rows = !form.axes.empty() && encoding.axes()->given_for_zeros;
  return !is_product && !has_zero_rows && !form.mixes_axes();
}

/// Calls `visit` with each element. \param visit is given the index of the element and its column
template <class Visit>
void for_each_element(ElementSource& source, const Visit& visit) {
  for (std::size_t row = 0; row < source.rows(); ++row) {
    source.go_to(row);
    for (std::size_t column = 0; column < source.columns(); ++column) {
      visit(row * source.columns() + column, column);
    }
  }
}

void enclose_all(ElementSource& source, VectorTensor& tensor) {
  std::vector<Real> exact;
  for_each_element(source, [&](std::size_t /*index*/, std::size_t column) {
    const auto truth = source.truth(column);
    if (!truth) {
      throw InputError("vectors: found a scale at position {} beyond 2^{}, expected one within",
                       source.place(column).position, CertifiedScale::greatest_binade);
    }
    tensor.truth.push_back(*truth);
    exact.push_back(source.exact(column));
  });
  tensor.real = [exact = std::move(exact)](std::size_t index) { return exact[index]; };
}

/// Nothing is proved where the format does not hold what is rotated.
void add_budgets(ElementSource& source, VectorTensor& tensor) {
  for (const auto& key : budget_keys()) {
    if (!source.bind(contract_of(key), key.stored)) {
      continue;
    }
    auto& budgets = tensor.budgets[key.name()];
    for_each_element(source, [&](std::size_t index, std::size_t column) {
      const auto first = index - column;
      const auto allowed = source.allowed(column);
      const bool is_open = allowed.may_overflow || allowed.proves_nothing() ||
                           (!tensor.input.empty() && !is_member(key.stored, tensor.input[first]));
      budgets.push_back(is_open ? proves_nothing_at_all : rounded_up(allowed.budget.total()));
    });
  }
}

VectorTensor vector_tensor(const Encoding& encoding, const TensorDefinition& definition,
                           const std::vector<std::int64_t>& positions) {
  VectorTensor tensor{std::string(role_of(definition)), shape_of(definition, positions.size())};
  tensor.rows = has_rows(definition) ? positions.size() : 0;
  if (tensor_form(definition).columns || are_vectors(definition)) {
    tensor.consecutive = tensor.shape.back();
  }
  if (are_vectors(definition)) {
    tensor.input = rotated_input(positions, tensor.shape.back());
  }
  const PlacedElements elements(
      encoding, definition, positions, 0, [&](std::size_t row, std::span<double> out) {
        std::ranges::copy(std::span(tensor.input).subspan(row * out.size(), out.size()), out.begin());
      });
  if (are_integers(definition)) {
    for (const auto relative : positions) {
      const auto bucket = (*encoding.bucket_rule())(relative);
      tensor.integers.push_back(bucket.index);
      tensor.across.push_back(bucket.across.value_or(bucket.index));
    }
    return tensor;
  }
  enclose_all(*elements, tensor);
  add_budgets(*elements, tensor);
  return tensor;
}

}  // namespace

double rounded_up(double budget) {
  const double nearest = round_to(Format::bfloat16, budget);
  return nearest < budget ? next_up(Format::bfloat16, nearest) : nearest;
}

std::string BudgetKey::name() const {
  return fmt::format("{}@{}", contract, traits(stored).name);
}

std::span<const BudgetKey> budget_keys() {
  static constexpr std::array keys{
      BudgetKey{"float64", Format::binary64},
      BudgetKey{"float32", Format::binary32},
      BudgetKey{"float32", Format::binary16},
      BudgetKey{"float32", Format::bfloat16},
      BudgetKey{"float32-iterated", Format::binary32},
      BudgetKey{"float32-ratio-power", Format::binary32},
      BudgetKey{"float32-interpolated", Format::binary32},
  };
  return keys;
}

double VectorTensor::rounded_to(Format format, std::size_t index) const {
  if (const auto value = rounded(format, truth[index])) {
    return *value;
  }
  if (const auto value = correctly_rounded(format, real(index))) {
    return *value;
  }
  throw InputError("vectors: found element {} of {} undecided at {} bits, expected a {}", index, role,
                   ziv_precision_cap, traits(format).name);
}

double VectorTensor::rest(std::size_t index) const {
  const auto& middle = truth[index].middle;
  return (middle.high - rounded_to(Format::binary64, index)) + middle.low;
}

std::vector<VectorTensor> vector_tensors(const Encoding& encoding, const std::vector<std::int64_t>& positions,
                                         std::string_view role) {
  std::vector<VectorTensor> result;
  for (const auto& definition : encoding.tensors()) {
    const bool is_wanted = role.empty() || role == role_of(definition);
    const bool is_known = std::ranges::find(result, role_of(definition), &VectorTensor::role) != result.end();
    if (is_wanted && !is_known && is_told(encoding, definition)) {
      result.push_back(vector_tensor(encoding, definition, positions));
    }
  }
  return result;
}

}  // namespace vernier
