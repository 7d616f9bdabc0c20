#include "numerics/cases/reference_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

using Positions = std::shared_ptr<const std::vector<std::int64_t>>;

ReferenceTensor values_tensor(const ValueTable& table, const Positions& positions) {
  const auto entry_at = [table, positions](std::size_t index, auto what) {
    return what((*positions)[index / table.columns], index % table.columns);
  };
  ReferenceTensor result{table.role, {positions->size(), table.columns}};
  result.real = [=](std::size_t index) {
    return entry_at(index, [&](std::int64_t p, std::size_t column) { return table.entry(p, column); });
  };
  if (!table.sines) {
    result.integer = [=](std::size_t index) {
      return entry_at(index, [&](std::int64_t p, std::size_t column) {
        table.require(p);
        return as_integer(table.factor(p, column));
      });
    };
  }
  return result;
}

ReferenceTensor real_tensor(const RealTable& table, const Positions& positions) {
  return {table.role, {positions->size(), table.columns}, [table, positions](std::size_t index) {
            return table.entry((*positions)[index / table.columns], index % table.columns);
          }};
}

ReferenceTensor bias_tensor(const BiasTable& table, const Positions& keys, std::size_t queries) {
  const auto heads = table.slopes.size();
  if (table.factor == BiasTable::Factor::one) {
    return {table.role, {heads}, [table](std::size_t head) -> Real {
              return [slope = table.slopes[head]] { return slope.enclosure(); };
            }};
  }
  if (queries > keys->size()) {
    throw InputError("found " + std::to_string(queries) + " queries, expected no more than the " +
                     std::to_string(keys->size()) + " positions of the keys");
  }
  ReferenceTensor result{table.role, {heads, keys->size()}};
  if (queries > 0) {
    result.shape = {heads, queries, keys->size()};
  }
  result.real = [table, keys, rows = std::max<std::size_t>(queries, 1)](std::size_t index) -> Real {
    const auto key = index % keys->size();
    const auto row = index / keys->size();
    const auto multiplier = table.multiplier(*keys, rows, row % rows, key);
    return [slope = table.slopes[row / rows], multiplier] {
      return Interval(slope.enclosure() * enclose(multiplier));
    };
  };
  return result;
}

ReferenceTensor bucket_tensor(const BucketRule& rule, const Positions& relative) {
  ReferenceTensor result{"buckets", {relative->size()}};
  result.integer = [rule, relative](std::size_t index) {
    return std::optional(rule((*relative)[index]).index);
  };
  return result;
}

[[noreturn]] void refuse(const ReferenceTensor& tensor, std::size_t index, ElementType type,
                         const std::string& why) {
  throw InputError(tensor.role + ": found element " + std::to_string(index) + " " + why + ", expected " +
                   std::string(traits(type).name) + " to hold every element");
}

std::uint64_t rounded_bits(const ReferenceTensor& tensor, std::size_t index, ElementType type,
                           Format format) {
  if (!tensor.real) {
    refuse(tensor, index, type, "to be an index");
  }
  const auto value = correctly_rounded(format, tensor.real(index));
  if (!value) {
    refuse(tensor, index, type, "undecided at " + std::to_string(ziv_precision_cap) + " bits");
  }
  if (std::isinf(*value)) {
    refuse(tensor, index, type, "beyond its greatest number");
  }
  return encode_bits(format, *value);
}

std::uint64_t integer_bits(const ReferenceTensor& tensor, std::size_t index, ElementType type) {
  const auto value = tensor.integer ? tensor.integer(index) : std::nullopt;
  if (!value) {
    refuse(tensor, index, type, "not to be an integer");
  }
  const auto width = traits(type).bytes * 8;
  const auto greatest = std::numeric_limits<std::int64_t>::max() >> (64 - width);
  if (*value > greatest || *value < -greatest - 1) {
    refuse(tensor, index, type, "to be " + std::to_string(*value));
  }
  return static_cast<std::uint64_t>(*value);
}

}  // namespace

std::size_t ReferenceTensor::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<ReferenceTensor> reference_tensors(const Encoding& encoding,
                                               const std::vector<std::int64_t>& positions,
                                               std::size_t queries) {
  const auto shared = std::make_shared<const std::vector<std::int64_t>>(positions);
  std::vector<ReferenceTensor> result;
  for (const auto& table : encoding.values()) {
    result.push_back(values_tensor(table, shared));
  }
  for (const auto& table : encoding.real_tables()) {
    result.push_back(real_tensor(table, shared));
  }
  for (const auto& bias : encoding.biases()) {
    result.push_back(bias_tensor(bias, shared, queries));
  }
  if (const auto rule = encoding.buckets()) {
    result.push_back(bucket_tensor(rule, shared));
  }
  return result;
}

void append_rounded(const ReferenceTensor& tensor, ElementType type, std::size_t first, std::size_t last,
                    std::vector<std::byte>& bytes) {
  const auto format = traits(type).format;
  for (auto index = first; index < last; ++index) {
    const auto bits = format ? rounded_bits(tensor, index, type, *format) : integer_bits(tensor, index, type);
    for (std::size_t byte = 0; byte < traits(type).bytes; ++byte) {
      bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
    }
  }
}

}  // namespace vernier
