#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "numerics/contract.hpp"
#include "numerics/tensor.hpp"
#include "reference/bias_table.hpp"
#include "reference/enclosure.hpp"

namespace vernier {

/// A tensor that claims to hold the biases of a table, and the contract it is held to.
struct BiasTensor {
  BiasTable table;
  Tensor tensor;             ///< [heads], [heads, keys] or [heads, queries, keys], of a floating-point type
  const Contract* contract;  ///< never null, with a budget for biases

  Format stored() const { return *tensor.format(); }
  std::size_t queries() const { return tensor.shape().size() == 3 ? tensor.shape()[1] : 1; }
  std::size_t keys() const { return tensor.shape().size() == 1 ? 1 : tensor.shape().back(); }
};

/// Checks a tensor's shape and type against the table. \param file named in errors \throws InputError
void check_fit(const BiasTable& table, const Tensor& tensor, const std::filesystem::path& file);

/// One element of a bias, judged.
struct BiasElement {
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t key = 0;
  double got = 0;
  Enclosure truth = {};
  double budget = 0;
  double error = 0;  ///< got - truth
  /// |error| / budget: more than 1 breaks the contract. Infinite for a non-finite element.
  double used = 0;
};

struct BiasReport {
  std::uint64_t elements = 0;
  std::uint64_t judged = 0;                         ///< conclusively
  std::uint64_t failing = 0;                        ///< beyond their budget, or not finite
  std::uint64_t inconclusive = 0;                   ///< finite ones whose budget proves nothing
  std::optional<BiasElement> worst = std::nullopt;  ///< of those judged
  std::optional<BiasElement> first_failing = std::nullopt;
};

/// Judges every element. \param keys the positions of the keys, as many as the tensor has; ignored for slopes
BiasReport audit_bias(const BiasTensor& bias, std::span<const std::int64_t> keys);

}  // namespace vernier
