#include <cassert>
#include <cstdint>
#include <vector>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// A learned table of positions, as it came out of training: row t is the encoding of position t, and there
/// is nothing beyond the last row (BERT, GPT-2).
struct LearnedSpec {
  std::vector<std::vector<Rational>> values;  ///< at least one row; rows of one length, at least 1
};

class LearnedEncoding final : public Encoding {
 public:
  explicit LearnedEncoding(LearnedSpec spec);

  std::string_view scheme() const override { return "learned"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  std::shared_ptr<const LearnedSpec> spec_;  ///< shared with the tables, which would copy it otherwise
};

constexpr std::string_view expected_rows =
    "an array of rows of numbers, all of one length, at least one of each";
constexpr std::string_view expected_number =
    "a number from -1e30 to 1e30, or one written as text (\"0.1\", \"1/3\")";

bool is_ordinary(const Rational& value) {
  static const Rational limit = *parse_rational("1e30");
  return abs(value) <= limit;
}

std::unique_ptr<Encoding> parse_learned(ObjectReader& reader) {
  LearnedSpec spec;
  for (const auto& row : reader.array("values", expected_rows)) {
    const auto within = fmt::format("values[{}]", spec.values.size());
    const auto* numbers = std::get_if<JsonValue::Array>(&row.value());
    if (numbers == nullptr) {
      reader.refuse_within(within, row, "a row of numbers");
    }
    spec.values.push_back(read_exact_numbers(reader, within, *numbers, is_ordinary, expected_number));
    if (spec.values.back().size() != spec.values.front().size()) {
      reader.refuse_all(fmt::format("{}: found {} numbers, expected {}, as in the first row", within,
                                    spec.values.back().size(), spec.values.front().size()));
    }
  }
  if (spec.values.empty() || spec.values.front().empty()) {
    reader.refuse("values", expected_rows);
  }
  return std::make_unique<LearnedEncoding>(std::move(spec));
}

LearnedEncoding::LearnedEncoding(LearnedSpec spec)
    : spec_(std::make_shared<const LearnedSpec>(std::move(spec))) {
  assert(!spec_->values.empty() && !spec_->values.front().empty());
}

std::vector<TensorDefinition> LearnedEncoding::define_tensors() const {
  const auto factor = [spec = spec_](std::int64_t position, std::size_t column) {
    return spec->values.at(static_cast<std::size_t>(position)).at(column);
  };
  return {ExactTable{.role = "encoding",
                     .columns = spec_->values.front().size(),
                     .factor = factor,
                     .first_position = 0,
                     .last_position = static_cast<std::int64_t>(spec_->values.size()) - 1}};
}

std::string LearnedEncoding::summary() const {
  return fmt::format("learned table of {} positions, d_model {}", spec_->values.size(),
                     spec_->values.front().size());
}

OrderedJson LearnedEncoding::spec() const {
  auto rows = OrderedJson::array();
  for (const auto& row : spec_->values) {
    rows.push_back(exact_json_numbers(row));
  }
  return {{"scheme", "learned"}, {"values", rows}};
}

}  // namespace

Scheme learned_scheme() {
  return {"learned",
          "a table of trained rows, given in the spec: nothing beyond its last row",
          parse_learned,
          {R"({"scheme":"learned","values":[[0.1,"1/3"],[2,3],[4,5.5]]})"}};
}

}  // namespace vernier
