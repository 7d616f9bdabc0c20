#include "numerics/tensors/engine_forms.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "numerics/tensors/fit_tensor.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// How a tensor holds cosines and sines: numbers of a row that lie `side by side` belong to one pair.
struct PackedForm {
  std::string_view role;
  bool side_by_side;  ///< along a last dimension of 2; else in the halves of a row
  std::array<std::string_view, 2> parts;
};

constexpr std::array packed_forms{PackedForm{"cos_sin_cache", false, {"cos", "sin"}},
                                  PackedForm{"freqs_cis", true, {"cos", "sin"}}};

constexpr std::array packed_names{packed_forms[0].role, packed_forms[1].role};

/// The elements of a tensor in another order. \param index_of of an element of the result in the tensor
template <class IndexOf>
Tensor gathered(const Tensor& tensor, Shape shape, const IndexOf& index_of) {
  const auto width = traits(tensor.type()).bytes;
  std::size_t count = 1;
  for (const auto size : shape) {
    count *= size;
  }
  std::vector<std::byte> bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(bytes.data() + i * width, tensor.bytes().data() + index_of(i) * width, width);
  }
  return {tensor.type(), std::move(shape), std::move(bytes)};
}

[[noreturn]] void refuse_form(const NamedTensor& named, std::string_view role, std::string_view expected) {
  throw InputError("{}: {}: found the shape {}, expected {}", named.source, role,
                   to_string(named.tensor.shape()), expected);
}

/// One of the parts of a packed tensor. \param part 0 or 1
Tensor unpacked(const NamedTensor& named, const PackedForm& form, std::size_t part) {
  auto shape = named.tensor.shape();
  if (form.side_by_side) {
    if (shape.size() < 3 || shape.back() != 2) {
      refuse_form(named, form.role, "[..., T, pairs] of complex numbers or [..., T, pairs, 2]");
    }
    shape.pop_back();
    return gathered(named.tensor, std::move(shape), [=](std::size_t i) { return 2 * i + part; });
  }
  if (shape.size() < 2 || shape.back() % 2 != 0) {
    refuse_form(named, form.role, "[..., T, 2 pairs] or [..., T, 2 rotary_dim], cosines before sines");
  }
  const auto half = shape.back() /= 2;
  return gathered(named.tensor, std::move(shape),
                  [=](std::size_t i) { return i / half * 2 * half + part * half + i % half; });
}

void unpack(CaseInput& parts, const PackedForm& form) {
  const auto found = parts.tensors.find(form.role);
  if (found == parts.tensors.end()) {
    return;
  }
  for (std::size_t part = 0; part < form.parts.size(); ++part) {
    const std::string role(form.parts[part]);
    if (!parts.tensors
             .try_emplace(role, NamedTensor{found->second.source, unpacked(found->second, form, part)})
             .second) {
      throw InputError("{}: {}: found {} beside it, expected one of the two", found->second.source, form.role,
                       role);
    }
  }
  parts.tensors.erase(found);
}

/// The widths that rows of a role may have.
std::vector<std::size_t> widths_of(const Encoding& encoding, std::string_view role) {
  std::vector<std::size_t> widths;
  for (const auto& definition : encoding.tensors()) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { columns_of(one); }) {
            if (role_of(one) == role) {
              widths.push_back(columns_of(one));
            }
          }
        },
        definition);
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
  const auto tables = encoding.tables_of_axes();
  const auto spec = encoding.spec();
  const auto prefix = spec.find("zero_prefix");
  if (tables.empty() || prefix == spec.end() || !tables.front().axes->positions.given_for_zeros) {
    return {};
  }
  return {prefix->get<std::size_t>(), *tables.front().axes->positions.given_for_zeros};
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
  const auto all = count + prefix.rows;
  const bool is_real = given.format().has_value();
  std::vector<std::byte> bytes(given.elements() / count * all * sizeof(std::int64_t));
  for (std::size_t i = 0; i < bytes.size() / sizeof(std::int64_t); ++i) {
    const auto column = i % all;
    const auto from = i / all * count + column - prefix.rows;
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
  whole.back() = all;
  found->second.tensor = {is_real ? ElementType::float64 : ElementType::int64, std::move(whole),
                          std::move(bytes)};
}

}  // namespace

std::span<const std::string_view> packed_roles() {
  return packed_names;
}

std::vector<TensorDefinition> frequency_definitions(const Encoding& encoding) {
  for (const auto& definition : encoding.tensors()) {
    const auto* table = std::get_if<TurnedTable>(&definition);
    if (table == nullptr) {
      continue;
    }
    const auto& sines = table->sines;
    if (!sines.positions.is_plain() || (table->axes && !table->axes->positions.maps.empty())) {
      return {};
    }
    return {BiasTable{.role = std::string(frequencies_role),
                      .slopes = {},
                      .sines = std::make_shared<const TrigTable>(sines)}};
  }
  return {};
}

CaseInput in_defined_forms(CaseInput parts, const Encoding& encoding) {
  for (const auto& form : packed_forms) {
    unpack(parts, form);
  }
  for (auto& [role, named] : parts.tensors) {
    named.tensor = with_rows(named.tensor, widths_of(encoding, role), encoding);
  }
  add_zero_prefix(parts, encoding);
  return parts;
}

}  // namespace vernier
