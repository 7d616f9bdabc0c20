#include "reports/measures/vector_choice/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "numerics/asking/questions.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/errors/metrics.hpp"
#include "numerics/processes/rows.hpp"
#include "reports/measures/rates/model.hpp"

namespace vernier {
namespace {

/// Of a column the pair, the component and the axis.
using Meaning = std::tuple<int, Component, int>;

/// Of the columns of a table of sines. \pre the encoding has one of this role and width
std::vector<Meaning> meanings_of(const Encoding& encoding, const std::string& role, std::size_t width) {
  std::vector<Meaning> result;
  const auto add = [&](const TrigTable& table, const std::vector<int>& axis) {
    if (table.role == role && table.columns.size() == width && result.empty()) {
      for (std::size_t column = 0; column < width; ++column) {
        const auto& [pair, component] = table.columns[column];
        result.emplace_back(pair, component, axis.empty() ? 0 : axis[column]);
      }
    }
  };
  for (const auto& table : encoding.all<TurnedTable>()) {
    add(table.sines, table.axes ? table.axes->of_columns : std::vector<int>());
  }
  return result;
}

/// A number, also where the tensor holds integers.
double number_of(const Tensor& tensor, std::size_t index) {
  return tensor.format() ? tensor.number(index) : static_cast<double>(tensor.integer(index).value_or(0));
}

}  // namespace

/// How a design is judged.
struct VectorTrial::Judged {
  Format stored;
  std::string key;         ///< of its budgets
  bool may_cross = false;  ///< edges between buckets, as its contract is that of a rounded logarithm
};

bool Refusal::by_rows() const {
  return std::ranges::find(by_row, true) != by_row.end();
}

VectorTrial::VectorTrial(const VectorGroup& group, std::vector<std::int64_t> positions)
    : group_(group),
      encoding_(group.encoding()),
      context_(group.context(*encoding_)),
      positions_(std::move(positions)),
      tensors_(vector_tensors(*encoding_, positions_)),
      sums_(context_sums(*encoding_, context_)),
      asked_(listed(context_)) {
  for (const auto position : positions_) {
    auto found = std::ranges::find(asked_, position);
    if (found == asked_.end()) {
      found = asked_.insert(found, position);
    }
    places_.push_back(static_cast<std::size_t>(found - asked_.begin()));
  }
}

Request VectorTrial::request_of(const Request& way) const {
  const auto tables = encoding_->tables_of_axes();
  auto request =
      tables.empty() ? at_positions(way, asked_) : with_rows(way, std::vector<std::size_t>(asked_.size(), 0));
  if (!tables.empty()) {
    const auto by_axis = tables.front().axes->positions.of_positions(asked_);
    std::vector<std::int64_t> all;
    for (const auto& along : by_axis) {
      all.insert(all.end(), along.begin(), along.end());
    }
    request.positions = integer_tensor({by_axis.size(), asked_.size()}, all);
  }
  if (!request.input) {
    return request;
  }
  const auto width = request.input->shape().back();
  std::vector<double> values(request.input->elements());
  request.input->numbers(0, values);
  for (const auto& tensor : tensors_) {
    for (std::size_t i = 0; i < tensor.input.size(); ++i) {
      values[places_[tensor.row_of(i)] * width + i % width] =
          round_to(*traits(request.input->type()).format, tensor.input[i]);
    }
  }
  request.input = number_tensor(request.input->type(), request.input->shape(), values);
  return request;
}

std::vector<std::size_t> VectorTrial::columns_of(const VectorTensor& expected, std::size_t width) const {
  std::vector<std::size_t> columns(width);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (width == expected.consecutive) {
    return columns;
  }
  const auto wide = meanings_of(*encoding_, expected.role, width);
  const auto narrow = meanings_of(*encoding_, expected.role, expected.consecutive);
  for (auto& column : columns) {
    column = static_cast<std::size_t>(std::ranges::find(narrow, wide[column]) - narrow.begin());
  }
  return columns;
}

void VectorTrial::judge(const VectorTensor& expected, const Tensor& got, const Judged& as,
                        Refusal& refusal) const {
  const auto is_wrong = [&](std::size_t index, std::size_t at) {
    if (!expected.integers.empty()) {
      const auto integer = got.integer(at);
      return integer != expected.integers[index] && !(as.may_cross && integer == expected.across[index]);
    }
    const double value = number_of(got, at);
    if (!std::isfinite(value)) {
      return value != expected.rounded_to(as.stored, index);
    }
    return std::fabs(signed_error(value, expected.truth[index])) > expected.budgets.at(as.key)[index];
  };
  if (expected.rows == 0) {
    for (std::size_t index = 0; index < expected.elements(); ++index) {
      if (is_wrong(index, index)) {
        refusal.by_row.assign(refusal.by_row.size(), true);
      }
    }
    return;
  }
  const auto outer = expected.elements() / expected.rows / expected.consecutive;
  const auto width = got.elements() / outer / asked_.size();
  const auto columns = columns_of(expected, width);
  for (std::size_t copy = 0; copy < outer; ++copy) {
    for (std::size_t row = 0; row < expected.rows; ++row) {
      for (std::size_t column = 0; column < width; ++column) {
        const auto index = (copy * expected.rows + row) * expected.consecutive + columns[column];
        const auto at = (copy * asked_.size() + places_[row]) * width + column;
        refusal.by_row[row] = refusal.by_row[row] || is_wrong(index, at);
      }
    }
  }
}

void VectorTrial::judge(const ContextSums& expected, const Tensor& got, const Judged& as,
                        Refusal& refusal) const {
  const auto width = got.shape().back();
  const auto blocks = expected.shape.front();
  std::vector<double> sums(blocks * width);
  for (std::size_t i = 0; i < width * static_cast<std::size_t>(context_.count); ++i) {
    sums[i / width / rows_per_sum * width + i % width] += got.number(i);
  }
  const auto tensor = std::ranges::find(tensors_, expected.role, &VectorTensor::role);
  const auto columns = columns_of(*tensor, width);
  const auto& budgets = expected.budgets.at(as.key);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto own = i / width * expected.shape.back() + columns[i % width];
    refusal.by_sums = refusal.by_sums || !(std::fabs(sums[i] - expected.sums[own]) <= budgets[own]);
  }
}

std::optional<Refusal> VectorTrial::judge(const rates::Design& design) const {
  const auto stored = design.stored();
  const Judged as{stored,
                  BudgetKey{design.contract ? *design.contract : default_contract(stored).id, stored}.name(),
                  design.contract == "float32"};
  const bool has_budgets = std::ranges::all_of(tensors_, [&](const VectorTensor& tensor) {
    return !tensor.integers.empty() || tensor.budgets.contains(as.key);
  });
  if (!has_budgets) {
    return std::nullopt;
  }
  auto open = design;
  open.refusing.clear();
  Refusal refusal{std::vector<bool>(positions_.size()), false};
  const QuestionOptions one{.type = design.type, .positions = PositionRange{context_.first, 1, 1}};
  for (const auto& question : questions_of(*encoding_, one)) {
    const auto& way = open.doubles_columns ? question.ways.back() : question.ways.front();
    const auto response = rates::Model(open).ask(request_of(way));
    for (const auto& [role, got] : response.tensors) {
      if (const auto found = std::ranges::find(tensors_, role, &VectorTensor::role);
          found != tensors_.end()) {
        judge(*found, got, as, refusal);
      }
      if (const auto found = std::ranges::find(sums_, role, &ContextSums::role); found != sums_.end()) {
        judge(*found, got, as, refusal);
      }
    }
  }
  return refusal;
}

}  // namespace vernier
