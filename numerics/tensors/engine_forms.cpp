#include "numerics/tensors/engine_forms.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "numerics/tensors/fit_tensor.hpp"
#include "numerics/tensors/packed_forms.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

void unpack(CaseInput& parts, const PackedForm& form) {
  const auto found = parts.tensors.find(form.role);
  if (found == parts.tensors.end()) {
    return;
  }
  const auto named = found->second;
  auto unpacked = form.unpack(named.tensor);
  refuse_if(!unpacked, "{}: {}: found the shape {}, expected {}", named.source, form.role,
            to_string(named.tensor.shape()), form.shapes);
  for (auto& [role, tensor] : *unpacked) {
    refuse_if(!parts.tensors.try_emplace(role, NamedTensor{named.source, std::move(tensor)}).second,
              "{}: {}: found {} beside it, expected one of the two", named.source, form.role, role);
  }
  parts.tensors.erase(parts.tensors.find(form.role));
}

/// The widths that rows of a role may have.
std::vector<std::size_t> widths_of(const Encoding& encoding, std::string_view role) {
  std::vector<std::size_t> widths;
  for (const auto& definition : encoding.tensors()) {
    if (const auto columns = tensor_form(definition).columns; columns && role_of(definition) == role) {
      widths.push_back(*columns);
    }
  }
  return widths;
}

/// The tensor with rows as a definition has them, or as it is.
Tensor with_rows(const Tensor& tensor, const std::vector<std::size_t>& widths, const Encoding& encoding) {
  const auto& shape = tensor.shape();
  const auto has = [&](std::size_t width) { return std::ranges::find(widths, width) != widths.end(); };
  if (shape.size() == 1 && has(1)) {
    return {tensor.type(), {shape[0], 1}, tensor.bytes(), std::make_shared<const Tensor>(tensor)};
  }
  if (shape.size() == 3 && !has(shape[2]) && has(shape[0] * shape[2]) &&
      encoding.spec().contains("frequencies")) {
    const auto heads = shape[0];
    const auto rows = shape[1];
    const auto width = shape[2];
    return gathered(tensor, {rows, heads * width}, [=](std::size_t i) {
      const auto row = i / (heads * width);
      const auto head = i / width % heads;
      return (head * rows + row) * width + i % width;
    });
  }
  return tensor;
}

/// The number of rows of zeros in front, and what stands for one along every axis.
struct ZeroPrefix {
  std::size_t rows = 0;
  std::int64_t mark = -1;
};

ZeroPrefix zero_prefix_of(const Encoding& encoding) {
  const auto* axes = encoding.axes();
  const auto spec = encoding.spec();
  const auto prefix = spec.find("zero_prefix");
  if (axes == nullptr || prefix == spec.end() || !axes->given_for_zeros) {
    return {};
  }
  return {prefix->get<std::size_t>(), *axes->given_for_zeros};
}

/// Positions [T - k] or [axes, T - k] of tables with T rows, k of them zeros in front, as those of all rows.
void add_zero_prefix(CaseInput& parts, const Encoding& encoding) {
  const auto found = parts.tensors.find(positions_role);
  const auto prefix = found == parts.tensors.end() ? ZeroPrefix() : zero_prefix_of(encoding);
  const auto table = std::ranges::find_if(
      parts.tensors, [&](const auto& entry) { return !widths_of(encoding, entry.first).empty(); });
  if (prefix.rows == 0 || table == parts.tensors.end()) {
    return;
  }
  const auto& given = found->second.tensor;
  const auto& rows = table->second.tensor.shape();
  const auto& shape = given.shape();
  if (shape.empty() || shape.size() > 2 || rows.size() < 2 ||
      shape.back() + prefix.rows != rows[rows.size() - 2]) {
    return;
  }
  const auto count = shape.back();
  const auto rows_of_tables = count + prefix.rows;
  const bool is_real = given.format().has_value();
  std::vector<std::byte> bytes(given.elements() / count * rows_of_tables * sizeof(std::int64_t));
  for (std::size_t i = 0; i < bytes.size() / sizeof(std::int64_t); ++i) {
    const auto column = i % rows_of_tables;
    const auto from = i / rows_of_tables * count + column - prefix.rows;
    // Along one axis rows are counted, along several all rows of zeros have one mark.
    const auto mark =
        shape.size() == 1 ? prefix.mark * static_cast<std::int64_t>(prefix.rows - column) : prefix.mark;
    const auto put = [&](auto number) {
      std::memcpy(bytes.data() + i * sizeof(number), &number, sizeof(number));
    };
    if (is_real) {
      put(column < prefix.rows ? static_cast<double>(mark) : given.number(from));
    } else if (const auto number = column < prefix.rows ? mark : given.integer(from)) {
      put(*number);
    } else {
      return;  // whoever reads the positions says what is wrong
    }
  }
  auto whole = shape;
  whole.back() = rows_of_tables;
  found->second.tensor = {is_real ? ElementType::float64 : ElementType::int64, std::move(whole),
                          std::move(bytes)};
}

}  // namespace

std::vector<std::string_view> packed_roles() {
  return mapped(packed_forms(), &PackedForm::role);
}

std::vector<TensorDefinition> frequency_definitions(const Encoding& encoding) {
  const auto* table = encoding.first<TurnedTable>();
  if (table == nullptr || !table->sines.positions.is_plain() ||
      (table->axes && !table->axes->positions.maps.empty())) {
    return {};
  }
  return {BiasTable{.role = std::string(frequencies_role),
                    .slopes = {},
                    .sines = std::make_shared<const TrigTable>(table->sines)}};
}

CaseInput in_defined_forms(CaseInput parts, const Encoding& encoding) {
  for (const auto& form : packed_forms()) {
    unpack(parts, form);
  }
  for (auto& [role, named] : parts.tensors) {
    named.tensor = with_rows(named.tensor, widths_of(encoding, role), encoding);
  }
  add_zero_prefix(parts, encoding);
  return parts;
}

}  // namespace vernier
