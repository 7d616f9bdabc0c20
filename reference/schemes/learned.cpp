#include "reference/schemes/learned.hpp"

#include <cassert>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::string_view expected_rows =
    "an array of rows of numbers, all of one length, at least one of each";
constexpr std::string_view expected_number =
    "a number from -1e30 to 1e30, or one written as text (\"0.1\", \"1/3\")";

bool is_ordinary(const Rational& value) {
  static const Rational limit = *parse_rational("1e30");
  return abs(value) <= limit;
}

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  LearnedSpec spec;
  for (const auto& row : reader.array("values", expected_rows)) {
    const auto within = "values[" + std::to_string(spec.values.size()) + "]";
    const auto* numbers = std::get_if<JsonValue::Array>(&row.value());
    if (numbers == nullptr) {
      reader.refuse_within(within, row, "a row of numbers");
    }
    spec.values.push_back(read_exact_numbers(reader, within, *numbers, is_ordinary, expected_number));
    if (spec.values.back().size() != spec.values.front().size()) {
      reader.refuse_all(within + ": found " + std::to_string(spec.values.back().size()) +
                        " numbers, expected " + std::to_string(spec.values.front().size()) +
                        ", as in the first row");
    }
  }
  if (spec.values.empty() || spec.values.front().empty()) {
    reader.refuse("values", expected_rows);
  }
  return std::make_unique<LearnedEncoding>(std::move(spec));
}

}  // namespace

LearnedEncoding::LearnedEncoding(LearnedSpec spec)
    : spec_(std::make_shared<const LearnedSpec>(std::move(spec))) {
  assert(!spec_->values.empty() && !spec_->values.front().empty());
}

std::vector<ValueTable> LearnedEncoding::values() const {
  const auto factor = [spec = spec_](std::int64_t position, std::size_t column) {
    return spec->values.at(static_cast<std::size_t>(position)).at(column);
  };
  return {{.role = "encoding",
           .columns = spec_->values.front().size(),
           .factor = factor,
           .first_position = 0,
           .last_position = static_cast<std::int64_t>(spec_->values.size()) - 1}};
}

std::string LearnedEncoding::summary() const {
  return std::string("learned table of ") + std::to_string(spec_->values.size()) + " positions, d_model " +
         std::to_string(spec_->values.front().size());
}

OrderedJson LearnedEncoding::spec() const {
  auto rows = OrderedJson::array();
  for (const auto& row : spec_->values) {
    rows.push_back(exact_json_numbers(row));
  }
  return {{"scheme", "learned"}, {"values", rows}};
}

Scheme learned_scheme() {
  return {"learned", "a table of trained rows, given in the spec: nothing beyond its last row", parse};
}

}  // namespace vernier
