#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/computation/finding.hpp"
#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/tensors/bias_tensor.hpp"
#include "numerics/tensors/bucket_tensor.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {

/// The id of the likeliest explanation's findings: "slope/factor + direction/bias-sign", "unexplained".
inline std::string named(const Diagnosis& diagnosis) {
  if (!diagnosis.is_explained()) {
    return "unexplained";
  }
  std::string ids;
  for (const auto& finding : diagnosis.explanations.front().findings) {
    ids += (ids.empty() ? "" : " + ") + std::string(finding.kind->id);
  }
  return ids;
}

/// Everything that it says, for messages of tests.
inline std::string told(const Diagnosis& diagnosis) {
  std::string text = named(diagnosis) + ": " + diagnosis.rest;
  for (const auto& explanation : diagnosis.explanations) {
    text += "\n  " + sentence_of(explanation) + " (" + std::to_string(explanation.bits) + ") " +
            explanation.consequence;
  }
  for (const auto& explanation : diagnosis.partial) {
    text += "\n  partly " + sentence_of(explanation);
  }
  return text;
}

/// Whether one of the explanations is a single finding of this kind.
inline bool is_among(const Diagnosis& diagnosis, std::string_view id) {
  for (const auto& explanation : diagnosis.explanations) {
    if (explanation.findings.size() == 1 && explanation.findings.front().kind->id == id) {
      return true;
    }
  }
  return false;
}

/// What is told of a case of one tensor, on its own.
template <class Tensor>
Diagnosis diagnosed_alone(const Encoding& encoding, Tensor tensor, std::vector<std::int64_t> positions) {
  Case subject{"a test", "made", parsed(encoding.spec().dump()), std::move(positions)};
  const auto role = tensor.role();
  subject.tensors.add(std::move(tensor));
  auto all = diagnose(subject, 1);
  return all.empty() ? Diagnosis{.roles = role} : std::move(all.front());
}

/// Biases, or slopes, that somebody's code made, and what they claim to be.
struct MadeBias {
  std::unique_ptr<Encoding> encoding;
  BiasTensor bias;
  std::vector<std::int64_t> keys;
};

using BiasCode = std::function<double(std::size_t head, std::int64_t query, std::int64_t key)>;

/// \param role "slopes" or "bias" \param queries 0 for biases without queries: [heads, keys]
/// \param code what it makes of the indices of the query among the keys, and of the key, rounded to the
/// format
inline MadeBias made_bias(const std::string& spec, std::string_view role, Format stored, std::size_t queries,
                          std::size_t keys, const BiasCode& code) {
  auto encoding = parsed(spec);
  auto table = encoding->all<BiasTable>().at(role == "slopes" ? 0 : 1);
  const auto heads = table.slopes.size();
  const auto rows = std::max(queries, std::size_t{1});
  std::vector<double> values;
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t query = 0; query < rows; ++query) {
      for (std::size_t key = 0; key < keys; ++key) {
        values.push_back(round_to(stored, code(head, static_cast<std::int64_t>(keys - rows + query),
                                               static_cast<std::int64_t>(key))));
      }
    }
  }
  const Shape shape = role == "slopes" ? Shape{heads}
                      : queries == 0   ? Shape{heads, keys}
                                       : Shape{heads, rows, keys};
  return {std::move(encoding),
          {std::move(table), tensor_of(stored, shape, values), &default_contract(stored)},
          positions_from(0, keys)};
}

/// Buckets of all relative positions from -reach to reach, and what they claim to be.
struct MadeBuckets {
  std::unique_ptr<Encoding> encoding;
  BucketTensor buckets;
};

using BucketCode = std::function<std::int64_t(std::int64_t relative_position)>;

inline MadeBuckets made_buckets(const std::string& spec, std::int64_t reach, std::string_view contract,
                                const BucketCode& code) {
  auto encoding = parsed(spec);
  BucketTensor tensor{
      encoding->all<BucketTable>().at(0), {}, {}, ElementType::int64, contract_named(contract)};
  for (auto r = -reach; r <= reach; ++r) {
    tensor.relative_positions.push_back(r);
    tensor.buckets.push_back(code(r));
  }
  return {std::move(encoding), std::move(tensor)};
}

}  // namespace vernier
