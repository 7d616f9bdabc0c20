#include <algorithm>
#include <iterator>

#include "props/matrix/matrix.hpp"
#include "props/models/offset_models.hpp"
#include "props/models/trig_scores.hpp"
#include "props/models/value_code.hpp"
#include "reference/json/json.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

/// rows.json as it stands.
std::string matrix_rows_text();

namespace {

RationalMatrix matrix_of(const OrderedJson& rows) {
  const auto size = static_cast<Eigen::Index>(rows.size());
  RationalMatrix result(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<int>();
    }
  }
  return result;
}

std::unique_ptr<PositionModel> model_of_table(TrigTable table, const OrderedJson& member) {
  if (const auto form = member.find("form"); form != member.end()) {
    return std::make_unique<BilinearScore>(std::move(table), matrix_of(*form));
  }
  if (const auto vector = member.find("vector"); vector != member.end()) {
    return std::make_unique<OffsetScore>(std::move(table), vector->get<std::vector<int>>());
  }
  if (const auto step = member.find("exponent_step"); step != member.end()) {
    const auto parsed = parse_rational(step->get_ref<const std::string&>());
    table.frequencies = GeometricFrequencies{10000, *parsed, table.frequencies.pairs()};
  }
  return std::make_unique<TrigCode>(std::move(table));
}

std::unique_ptr<PositionModel> model_of_values(ExactTable table, const OrderedJson& member) {
  ValueCode::Options options{.trained = member.value("trained", false)};
  if (member.contains("/spec/length"_json_pointer)) {
    options.of_length = [spec = member.at("spec")](std::int64_t length) mutable {
      spec["length"] = length;
      return *parse_spec(spec.dump(), "spec")->first<ExactTable>();
    };
  }
  return std::make_unique<ValueCode>(std::move(table), std::move(options));
}

/// The model of a tensor; null if the matrix has none.
struct ModelOfTensor {
  using Model = std::unique_ptr<PositionModel>;
  const OrderedJson& member;

  Model operator()(const TurnedTable& table) const {
    return table.is_plain() ? model_of_table(table.sines, member) : nullptr;
  }
  /// Other tables by positions are no codes of them: what queries are scaled by, what is looked up. Of
  /// numbers that have formulas of their own the model of values knows nothing.
  Model operator()(const ExactTable& table) const {
    return table.role == "encoding" && !table.computed ? model_of_values(table, member) : nullptr;
  }
  Model operator()(const BucketTable& table) const {
    return std::make_unique<BucketModel>(table.rule, member.value("causal", false),
                                         member.value("of_distance", false));
  }
  /// That of biases is linear, and slopes alone are none.
  Model operator()(const BiasTable& table) const {
    const bool is_linear = table.curves.empty() && table.factor != BiasTable::Factor::one;
    return is_linear ? std::make_unique<LinearBiasModel>(table) : nullptr;
  }
  Model operator()(const HeadRotation& /*rotation*/) const { return nullptr; }
};

/// \param member of rows.json \returns null if the matrix has no model of the encoding
std::unique_ptr<PositionModel> model_of(const Encoding& encoding, const OrderedJson& member) {
  if (member.contains("query")) {
    return std::make_unique<RotaryScore>(joint_table(encoding), member.at("query").get<RotaryScore::Pairs>(),
                                         member.at("key").get<RotaryScore::Pairs>());
  }
  for (const auto& tensor : encoding.tensors()) {
    if (auto model = std::visit(ModelOfTensor{member}, tensor)) {
      return model;
    }
  }
  return nullptr;
}

MatrixMember member_of_spec(std::string name, const std::string& spec, const OrderedJson& member) {
  return {std::move(name), [spec, member] { return model_of(*parse_spec(spec, "spec"), member); }, spec};
}

bool stands_for(const MatrixRow& row, std::string_view scheme) {
  return std::ranges::any_of(row.members, [&](const MatrixMember& member) {
    return parse_spec(member.spec, "spec")->scheme() == scheme;
  });
}

std::vector<MatrixRow> all_rows() {
  static const auto texts = OrderedJson::parse(matrix_rows_text());
  std::vector<MatrixRow> all;
  for (const auto& text : texts) {
    MatrixRow row{
        text.at("id").get_ref<const std::string&>(), text.at("name").get_ref<const std::string&>(), {}};
    row.members = mapped(text.at("members"), [&](const auto& member) { return member_of(member); });
    all.push_back(std::move(row));
  }
  std::ranges::move(example_rows(schemes(), all), std::back_inserter(all));
  return all;
}

}  // namespace

MatrixMember member_of(const OrderedJson& text) {
  return member_of_spec(text.value("name", ""), text.at("spec").dump(), text);
}

std::vector<MatrixRow> example_rows(std::span<const Scheme> schemes, std::span<const MatrixRow> others) {
  std::vector<MatrixRow> rows;
  for (const auto& scheme : schemes) {
    if (std::ranges::any_of(others, [&](const MatrixRow& row) { return stands_for(row, scheme.name); })) {
      continue;
    }
    MatrixRow row{scheme.name, scheme.description, {}};
    for (const auto spec : scheme.examples) {
      const auto encoding = parse_spec(std::string(spec), "spec");
      if (model_of(*encoding, OrderedJson::object()) != nullptr) {
        row.members.push_back(member_of_spec(encoding->summary(), std::string(spec), OrderedJson::object()));
      }
    }
    if (!row.members.empty()) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::span<const MatrixRow> matrix_rows() {
  static const auto all = all_rows();
  return all;
}

}  // namespace vernier
