#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// A learned table of positions, as it came out of training: row t is the encoding of position t, and there
/// is nothing beyond the last row (BERT, GPT-2).
struct LearnedSpec {
  static constexpr std::string_view scheme = "learned";

  NumberRows values;

  void keys(KeyVisitor& visit) {
    static const Rational limit = *parse_rational("1e30");
    static const NumberRange each{-limit, limit,
                                  "a number from -1e30 to 1e30, or one written as text (\"0.1\", \"1/3\")"};
    visit.required(
        {"values", "the trained rows, that of position 0 first", "rows"}, values,
        rows_of(each, {.fewest = 1}, "an array of rows of numbers, all of one length, at least one of each"));
  }

  std::string summary() const {
    return fmt::format("learned table of {} positions, d_model {}", values.size(), values.front().size());
  }

  std::vector<TensorDefinition> tensors() const {
    // Shared, as copies of the table would copy them otherwise.
    const auto factor = [rows = std::make_shared<const NumberRows>(values)](std::int64_t position,
                                                                            std::size_t column) {
      return rows->at(static_cast<std::size_t>(position)).at(column);
    };
    return {ExactTable{.role = "encoding",
                       .columns = values.front().size(),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = static_cast<std::int64_t>(values.size()) - 1}};
  }
};

}  // namespace

Scheme learned_scheme() {
  return {"learned",
          "a table of trained rows, given in the spec: nothing beyond its last row",
          {R"({"scheme":"learned","values":[[0.1,"1/3"],[2,3],[4,5.5]]})"},
          {form_of<LearnedSpec>()}};
}

}  // namespace vernier
