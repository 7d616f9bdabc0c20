#include "numerics/views/plain_views.hpp"

#include <limits>
#include <memory>
#include <string>

#include "numerics/elements/bias_source.hpp"
#include "numerics/elements/sources.hpp"
#include "numerics/tensors/engine_forms.hpp"

namespace vernier {

std::function<void(std::size_t row, std::span<double> out)> numbers_of_rows(const Tensor& tensor) {
  if (tensor.format()) {
    return [tensor](std::size_t row, std::span<double> out) { tensor.numbers(row * out.size(), out); };
  }
  return [tensor](std::size_t row, std::span<double> out) {
    for (std::size_t column = 0; column < out.size(); ++column) {
      const auto integer = tensor.integer(row * out.size() + column);
      out[column] = integer ? static_cast<double>(*integer) : std::numeric_limits<double>::infinity();
    }
  };
}

RowView view_of_values(const ExactTensor& values, const PlacedRows& rows) {
  TensorPart part{values.role(), rows.source.positions.size(), values.columns(), values.contract,
                  values.tensor.type()};
  part.make_truth = [&values, positions = rows.source.positions] {
    return bound_truth(value_source(values.table, positions), *values.contract, values.stored(),
                       values.overflow);
  };
  part.read = numbers_of_rows(values.tensor);
  part.describe = [rows](std::size_t row, std::size_t column) {
    auto place = rows.describe(row);
    place.emplace_back("column", std::to_string(column));
    return place;
  };
  part.family = "values";
  return RowView(part);
}

RowView view_of_biases(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  TensorPart part{bias.role(), bias.tensor.elements() / bias.keys(), bias.keys(), bias.contract,
                  bias.tensor.type()};
  part.make_truth = [&bias, keys] {
    const auto queries = bias.tensor.shape().size() == 3 ? bias.queries() : 0;
    return bound_truth(std::make_unique<BiasSource>(bias.table, keys, queries), *bias.contract,
                       bias.stored());
  };
  part.tensor = &bias.tensor;
  part.read = numbers_of_rows(bias.tensor);
  part.describe = [&bias, keys](std::size_t row, std::size_t key) {
    const auto owner = bias.table.role == frequencies_role ? "pair" : "head";
    Described place{{owner, std::to_string(row / bias.queries())}};
    if (bias.table.factor != BiasTable::Factor::one) {
      place.emplace_back("query", std::to_string(row % bias.queries()));
      place.emplace_back("key", std::to_string(key));
      place.emplace_back("key position", std::to_string(keys[key]));
    }
    return place;
  };
  return RowView(part);
}

RowView view_of_buckets(const BucketTensor& buckets) {
  TensorPart part{buckets.role(), buckets.buckets.size(), 1, buckets.contract, buckets.stored};
  part.make_truth = [&buckets] {
    return bound_truth(bucket_source(buckets.table, buckets.relative_positions), *buckets.contract,
                       Format::binary64);
  };
  part.read = [&buckets](std::size_t row, std::span<double> out) {
    out.front() = static_cast<double>(buckets.buckets[row]);
  };
  part.describe = [&buckets](std::size_t row, std::size_t) {
    return Described{{"index", std::to_string(row)},
                     {"relative position", std::to_string(buckets.relative_positions[row])}};
  };
  part.holds_indices = true;
  return RowView(part);
}

}  // namespace vernier
