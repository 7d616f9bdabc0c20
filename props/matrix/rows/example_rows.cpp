#include <algorithm>
#include <optional>

#include "props/matrix/models/linear_bias_model.hpp"
#include "props/matrix/rows/members.hpp"

namespace vernier {
namespace {

/// The member that a spec is, named by it; nothing where there is nothing that a model of the matrix sees.
std::optional<MatrixMember> member_of(const std::string& spec) {
  const auto encoding = encoding_of(spec);
  const auto name = encoding->summary();
  if (encoding->has_plain_tables()) {
    return table_member(name, spec);
  }
  if (encoding->has<ExactTable>()) {
    // Other tables by positions are no codes of them: what queries are scaled by, what is looked up.
    const bool is_code = encoding->all<ExactTable>().front().role == "encoding";
    return is_code ? std::optional(value_member(name, spec)) : std::nullopt;
  }
  if (encoding->has<BucketTable>()) {
    return bucket_member(name, spec, false);
  }
  // The model of biases is that of linear ones.
  if (encoding->has<BiasTable>() && encoding->all<BiasTable>().back().curves.empty()) {
    return MatrixMember{
        name,
        [spec] { return std::make_unique<LinearBiasModel>(encoding_of(spec)->all<BiasTable>().back()); },
        spec};
  }
  return std::nullopt;
}

bool stands_for(const MatrixRow& row, std::string_view scheme) {
  return std::ranges::any_of(row.members, [&](const MatrixMember& member) {
    return !member.spec.empty() && encoding_of(member.spec)->scheme() == scheme;
  });
}

}  // namespace

std::vector<MatrixRow> example_rows(std::span<const Scheme> schemes, std::span<const MatrixRow> others) {
  std::vector<MatrixRow> rows;
  for (const auto& scheme : schemes) {
    if (std::ranges::any_of(others, [&](const MatrixRow& row) { return stands_for(row, scheme.name); })) {
      continue;
    }
    MatrixRow row{scheme.name, scheme.description, {}};
    for (const auto spec : scheme.examples) {
      if (auto member = member_of(std::string(spec))) {
        row.members.push_back(std::move(*member));
      }
    }
    if (!row.members.empty()) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace vernier
