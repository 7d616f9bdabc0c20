#include "numerics/tensors/fit_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/contracts/pinned_ways.hpp"
#include "numerics/tensors/case_positions.hpp"
#include "numerics/tensors/engine_forms.hpp"
#include "numerics/tensors/leading_dimensions.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// \param found the contract's id \param for_what " for cos" \param applies whether a contract would do
template <class Applies>
[[noreturn]] void refuse_contract(const CaseInput& parts, std::string_view found, const std::string& for_what,
                                  const Applies& applies) {
  std::vector<std::string> known;
  for (const auto& contract : contracts()) {
    if (applies(contract)) {
      known.emplace_back(contract.id);
    }
  }
  if (for_what.empty()) {
    known.emplace_back("arithmetic:STAGE=WAY,...");
  }
  throw InputError("{}: contract: found {}, expected{} {}", parts.source, OrderedJson(found).dump(), for_what,
                   joined(known, " or "));
}

/// What a tensor is held to where the case does not say.
const Contract& default_contract_of(const TensorDefinition& definition, const Tensor& tensor) {
  if (role_of(definition) == frequencies_role) {
    return default_contract(Format::binary32);  // whatever buffer holds what a model computes in float32
  }
  return tensor.format() && !are_integers(definition) ? default_contract(*tensor.format())
                                                      : *contract_named("exact");
}

/// The contract of a tensor: the one that the case names, if it names one.
const Contract* contract_of(const CaseInput& parts, const TensorDefinition& definition,
                            const Tensor& tensor) {
  const auto& scales = parts.quantization ? parts.quantization->scales : nullptr;
  const auto* contract = parts.contract ? declared_contract(*parts.contract)
                         : scales       ? &default_contract(scales->element().format)
                                        : &default_contract_of(definition, tensor);
  if (contract == nullptr || !contract->judges(definition)) {
    refuse_contract(parts, contract == nullptr ? *parts.contract : std::string(contract->id),
                    " for " + std::string(role_of(definition)),
                    [&](const Contract& other) { return other.judges(definition); });
  }
  return contract;
}

/// \throws InputError: the encoding has no such tensor
[[noreturn]] void refuse_role(const Encoding& encoding, std::string_view role, const std::string& source) {
  std::vector<std::string> known;
  for (const auto& definition : encoding.tensors()) {
    std::string name(role_of(definition));
    if (!are_vectors(definition) && std::ranges::find(known, name) == known.end()) {
      known.push_back(std::move(name));
    }
  }
  throw InputError("{}: found a tensor for \"{}\", expected one for {} of the encoding: {}", source, role,
                   joined(known, " or "), encoding.summary());
}

[[noreturn]] void refuse_shape(const Encoding& encoding, std::string_view role, const NamedTensor& named,
                               const std::string& expected) {
  throw InputError("{}: {}: found the shape {}, expected {} of the encoding: {}", named.source, role,
                   to_string(named.tensor.shape()), expected, encoding.summary());
}

void require_floating_point(const NamedTensor& named, std::string_view role) {
  refuse_if(!named.tensor.format(),
            "{}: {}: found {}, expected a floating-point type (bfloat16 bits need \"dtype\")", named.source,
            role, traits(named.tensor.type()).name);
}

/// \pre a floating-point tensor
void require_finite(const NamedTensor& input, std::string_view role) {
  std::vector<double> row(input.tensor.shape().back());
  for (std::size_t first = 0; first < input.tensor.elements(); first += row.size()) {
    input.tensor.numbers(first, row);
    const auto bad = std::ranges::find_if(row, [](double x) { return !std::isfinite(x); });
    refuse_if(bad != row.end(),
              "{}: {}: found element {} to be infinite or not a number, expected numbers to rotate",
              input.source, role, first + static_cast<std::size_t>(bad - row.begin()));
  }
}

NamedTensor without_leading_ones(const NamedTensor& named, std::size_t rank) {
  return {named.source, Tensor(named.tensor).without_leading_ones(rank)};
}

/// What a role of vectors needs, or what vectors to rotate need.
std::string_view both_of(const VectorRole& vectors) {
  return vectors.is_gradient ? "both the gradient of the output and that of the input"
                             : "both the vectors before and after their rotation";
}

/// The role of queries beside that of keys.
const VectorRole& of_queries(const VectorRole& vectors) {
  return *std::ranges::find_if(vector_roles(), [&](const VectorRole& role) {
    return !role.is_of_keys && role.is_gradient == vectors.is_gradient;
  });
}

/// The vectors before a rotation, by their role.
const std::pair<const std::string, NamedTensor>& input_of(const CaseInput& parts, const VectorRole& vectors) {
  auto found = parts.tensors.find(vectors.input);
  const auto fallback = of_queries(vectors).input;
  found = found == parts.tensors.end() ? parts.tensors.find(fallback) : found;
  refuse_if(found == parts.tensors.end(), "{}: tensors.{}: missing, expected {}", parts.source, fallback,
            both_of(vectors));
  return *found;
}

std::string expected_shape(const BiasTable& table) {
  const auto heads = std::to_string(table.heads());
  return table.factor == BiasTable::Factor::one ? std::string("[") + heads + "]"
                                                : std::string("[") + heads + ", keys] or [" + heads +
                                                      ", queries, keys], no more queries than keys";
}

bool has_shape_of(const BiasTable& table, const Shape& shape) {
  if (shape.empty() || shape.front() != table.heads()) {
    return false;
  }
  if (table.factor == BiasTable::Factor::one) {
    return shape.size() == 1;
  }
  return shape.size() == 2 || (shape.size() == 3 && shape[1] <= shape[2]);
}

void check_fit(const BiasTable& table, const NamedTensor& named) {
  refuse_if(!has_shape_of(table, named.tensor.shape()), "{}: {}: found the shape {}, expected {}",
            named.source, table.role, to_string(named.tensor.shape()), expected_shape(table));
  require_floating_point(named, table.role);
}

/// A tensor, made what its definition says it is.
class Fitting {
 public:
  Fitting(CaseTensors& tensors, const CaseInput& parts, const Encoding& encoding, const NamedTensor& named)
      : tensors_(tensors), parts_(parts), encoding_(encoding), named_(named) {}

  void operator()(const TurnedTable& table) const {
    require_floating_point(named_, role_of(table));
    if (table.scale) {
      refuse_quantization(role_of(table));
    } else {
      require_eight_bits(role_of(table));
    }
    add(table);
  }

  void operator()(const ExactTable& table) const {
    refuse_quantization(table.role);
    add(table);
  }

  void operator()(const BiasTable& table) const {
    refuse_quantization(table.role);
    auto fitted = without_leading_ones(named_, table.factor == BiasTable::Factor::one ? 1 : 3);
    check_fit(table, fitted);
    const auto* its_contract = contract(table, fitted.tensor);
    tensors_.add(BiasTensor{{table, std::move(fitted.tensor), its_contract}});
  }

  void operator()(const BucketTable& table) const {
    refuse_quantization(BucketTable::role);
    constexpr IntegerRange any_integers{std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max(), "integers"};
    const auto found = parts_.tensors.find(relative_positions_role);
    refuse_if(found == parts_.tensors.end(),
              "{}: tensors.relative_positions: missing, expected the relative position of every bucket",
              parts_.source);
    const auto buckets = without_leading_ones(named_, 1);
    const auto relative = without_leading_ones(found->second, 1);
    refuse_if(relative.tensor.shape() != buckets.tensor.shape(),
              "{}: relative_positions: found the shape {}, expected {}, the shape of buckets",
              relative.source, to_string(relative.tensor.shape()), to_string(buckets.tensor.shape()));
    tensors_.add(BucketTensor{table, integers(relative, relative_positions_role, position_integers),
                              integers(buckets, BucketTable::role, any_integers), buckets.tensor.type(),
                              contract(table, buckets.tensor)});
  }

  void operator()(const HeadRotation& rotation) const {
    const auto role = rotation.role();
    const auto& [input_role, input] = input_of(parts_, rotation.vectors());
    const auto shape = without_leading_ones(input, 2).tensor.shape();
    if (shape.size() < 2 || shape.back() != rotation.head_dim) {
      refuse_shape(encoding_, input_role, input, "[..., T, " + std::to_string(rotation.head_dim) + "]");
    }
    refuse_if(without_leading_ones(named_, 2).tensor.shape() != shape,
              "{}: {}: found the shape {}, expected {}, the shape of {}", named_.source, role,
              to_string(named_.tensor.shape()), to_string(shape), input_role);
    require_floating_point(input, input_role);
    require_floating_point(named_, role);
    require_finite(input, input_role);
    require_eight_bits(role);
    const auto* its_contract = contract(rotation, named_.tensor);
    refuse_if(parts_.quantization && parts_.quantization->scales &&
                  !its_contract->bind(rotation.table, Format::binary32).judges_computation(),
              "{}: contract: found {} beside block_scales, expected a contract that says how results "
              "are computed",
              parts_.source, its_contract->id);
    tensors_.add(RotatedTensor{rotation,
                               as_rows(input.tensor),
                               as_rows(named_.tensor),
                               its_contract,
                               {},
                               leading_dimensions(input.tensor),
                               {},
                               parts_.quantization.value_or(Quantization{})});
  }

 private:
  /// A table with rows of its width.
  template <class Table>
  void add(const Table& table) const {
    tensors_.add(TensorOf<Table>{table, as_rows(named_.tensor), contract(table, named_.tensor),
                                 parts_.quantization.value_or(Quantization{}).overflow});
  }

  void refuse_quantization(std::string_view role) const {
    refuse_if(parts_.quantization.has_value(),
              "{}: quantization: found {}, expected sines, cosines or rotated vectors", parts_.source, role);
  }

  /// Of a quantization, the format that it is for and an overflow that the format has.
  void require_eight_bits(std::string_view role) const {
    if (parts_.quantization && !parts_.quantization->scales) {
      vernier::require_eight_bits(*parts_.quantization, *named_.tensor.format(), parts_.source, role);
    }
  }

  const Contract* contract(const TensorDefinition& definition, const Tensor& tensor) const {
    return contract_of(parts_, definition, tensor);
  }

  CaseTensors& tensors_;
  const CaseInput& parts_;
  const Encoding& encoding_;
  const NamedTensor& named_;
};

}  // namespace

void require_known_contract(const CaseInput& parts) {
  if (parts.contract && declared_contract(*parts.contract) == nullptr) {
    refuse_contract(parts, *parts.contract, "", [](const Contract&) { return true; });
  }
}

bool is_accompanying(const CaseInput& parts, std::string_view role) {
  const auto require = [&](std::string_view wanted, std::string_view expected) {
    refuse_if(!parts.tensors.contains(wanted), "{}: tensors.{}: missing, expected {}", parts.source, wanted,
              expected);
  };
  const auto vectors = std::ranges::find(vector_roles(), role, &VectorRole::input);
  if (vectors != vector_roles().end()) {
    const bool is_of_keys_too = std::ranges::any_of(vector_roles(), [&](const VectorRole& other) {
      return &of_queries(other) == &*vectors && parts.tensors.contains(other.role);
    });
    if (!is_of_keys_too) {
      require(vectors->role, both_of(*vectors));
    }
    return true;
  }
  if (role == relative_positions_role) {
    require(BucketTable::role, "the bucket of every relative position");
    return true;
  }
  return role == positions_role;
}

void add_fitted(CaseTensors& tensors, const CaseInput& parts, const Encoding& encoding,
                std::span<const TensorDefinition> definitions, const std::string& role,
                const NamedTensor& named) {
  const auto& shape = named.tensor.shape();
  std::vector<std::string> expected;
  for (const auto& definition : definitions) {
    if (role_of(definition) != role) {
      continue;
    }
    const auto width = tensor_form(definition).columns;
    if (!width || (shape.size() >= 2 && shape.back() == *width)) {
      std::visit(Fitting(tensors, parts, encoding, named), definition);
      return;
    }
    expected.push_back("[..., T, " + std::to_string(*width) + "]");
  }
  if (expected.empty()) {
    refuse_role(encoding, role, named.source);
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  refuse_shape(encoding, role, named, joined(expected, " or "));
}

}  // namespace vernier
