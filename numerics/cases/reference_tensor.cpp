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

/// \param what is made of the position and the column of an element
template <class Table, class Make>
auto by_element(const Table& table, const Positions& positions, const Make& what) {
  return [table, positions, what, width = columns_of(table)](std::size_t index) {
    return what(table, (*positions)[index / width], index % width);
  };
}

/// A table with rows.
template <class Table>
ReferenceTensor tensor_of(const Table& table, const Positions& positions, std::size_t /*queries*/) {
  ReferenceTensor result{std::string(role_of(table)), {positions->size(), columns_of(table)}};
  result.real = by_element(table, positions, [](const Table& one, std::int64_t p, std::size_t column) {
    return one.entry(p, column);
  });
  if constexpr (std::is_same_v<Table, ExactTable>) {
    if (table.is_rational()) {
      result.integer =
          by_element(table, positions, [](const ExactTable& one, std::int64_t p, std::size_t column) {
            one.require(p);
            return as_integer(one.factor(p, column));
          });
    }
  }
  return result;
}

ReferenceTensor tensor_of(const BiasTable& table, const Positions& keys, std::size_t queries) {
  const auto heads = table.heads();
  if (table.factor == BiasTable::Factor::one) {
    return {table.role, {heads}, [table](std::size_t head) { return table.entry(head, 1); }};
  }
  if (queries > keys->size()) {
    throw InputError("found {} queries, expected no more than the {} positions of the keys", queries,
                     keys->size());
  }
  ReferenceTensor result{table.role, {heads, keys->size()}};
  if (queries > 0) {
    result.shape = {heads, queries, keys->size()};
  }
  result.real = [table, keys, rows = std::max<std::size_t>(queries, 1)](std::size_t index) {
    const auto key = index % keys->size();
    const auto row = index / keys->size();
    const auto multiplier = table.multiplier(*keys, rows, row % rows, key);
    return table.entry(row / rows, multiplier);
  };
  return result;
}

ReferenceTensor tensor_of(const BucketTable& table, const Positions& relative, std::size_t /*queries*/) {
  ReferenceTensor result{std::string(role_of(table)), {relative->size()}};
  result.integer = [rule = table.rule, relative](std::size_t index) {
    return std::optional(rule((*relative)[index]).index);
  };
  return result;
}

[[noreturn]] void refuse(const ReferenceTensor& tensor, std::size_t index, ElementType type,
                         const std::string& why) {
  throw InputError("{}: found element {} {}, expected {} to hold every element", tensor.role, index, why,
                   traits(type).name);
}

std::uint64_t rounded_bits(const ReferenceTensor& tensor, std::size_t index, ElementType type, Format format,
                           Overflow overflow) {
  if (!tensor.real) {
    refuse(tensor, index, type, "to be an index");
  }
  auto value = correctly_rounded(format, tensor.real(index));
  if (!value) {
    refuse(tensor, index, type, "undecided at " + std::to_string(ziv_precision_cap) + " bits");
  }
  if (!std::isfinite(*value) && overflow == Overflow::undeclared) {
    refuse(tensor, index, type, "beyond its greatest number");
  }
  if (!std::isfinite(*value) && overflow == Overflow::saturate) {
    value = round_saturating(format, tight_enclosure(tensor.real(index)).approximately());
  }
  return encode_bits(format, *value);
}

std::uint64_t stored_integer_bits(const ReferenceTensor& tensor, std::size_t index, ElementType type) {
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

std::vector<ReferenceTensor> reference_tensors(const std::vector<TensorDefinition>& definitions,
                                               const std::vector<std::int64_t>& positions,
                                               std::size_t queries) {
  const auto shared = std::make_shared<const std::vector<std::int64_t>>(positions);
  std::vector<ReferenceTensor> result;
  for (const auto& definition : definitions) {
    std::visit(
        [&]<class Definition>(const Definition& one) {
          if constexpr (std::is_same_v<Definition, MultiAxisTable>) {
            if (one.turns_by_one_position()) {
              return;  // there is a table of one position, which says the same
            }
          }
          if constexpr (!std::is_same_v<Definition, TrigTable> && !std::is_same_v<Definition, HeadRotation>) {
            result.push_back(tensor_of(one, shared, queries));
          }
        },
        definition);
  }
  return result;
}

void append_rounded(const ReferenceTensor& tensor, ElementType type, std::size_t first, std::size_t last,
                    std::vector<std::byte>& bytes, Overflow overflow) {
  const auto format = traits(type).format;
  for (auto index = first; index < last; ++index) {
    const auto bits = format ? rounded_bits(tensor, index, type, *format, overflow)
                             : stored_integer_bits(tensor, index, type);
    for (std::size_t byte = 0; byte < traits(type).bytes; ++byte) {
      bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
    }
  }
}

}  // namespace vernier
