#include "props/matrix/models/value_code.hpp"
#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"

namespace vernier {
namespace {

/// The share of the length that a position is, by one of its readings; shown at a length of 16.
MatrixMember normalised(const std::string& reading) {
  constexpr std::int64_t shown = 16;
  const auto spec = [reading](std::int64_t length) {
    return R"({"scheme": "normalised", "length": )" + std::to_string(length) + R"(, "reading": ")" + reading +
           R"("})";
  };
  const auto table = [spec](std::int64_t length) {
    return encoding_of(spec(length))->all<ExactTable>().front();
  };
  return {
      reading,
      [table] { return std::make_unique<ValueCode>(table(shown), ValueCode::Options{.of_length = table}); },
      spec(shown)};
}

}  // namespace

std::vector<MatrixRow> index_rows() {
  return {
      {"integer-index",
       "Integer index",
       {value_member("from 0", R"({"scheme": "integer_index"})"),
        value_member("from 1", R"({"scheme": "integer_index", "first_index": 1})")}},
      {"normalised",
       "Share of the length, in [0, 1]",
       {normalised("zero_to_one"), normalised("zero_to_below_one"), normalised("above_zero_to_one")}},
      {"binary",
       "Binary digits",
       {value_member("3 bits", R"({"scheme": "binary", "bits": 3})"),
        value_member("8 bits", R"({"scheme": "binary", "bits": 8})")}},
      {"learned",
       "Learned table",
       {value_member("rows of no pattern",
                     R"({"scheme": "learned", "values": [[0.5, -1.25], [2, 0.75], [-0.25, 1.5], [3, -2],
                         [0.125, 0.375], [-1.5, -0.5]]})",
                     true),
        value_member("two rows alike",
                     R"({"scheme": "learned", "values": [[0.5, -1.25], [2, 0.75], [-0.25, 1.5], [0.5, -1.25],
                         [0.125, 0.375], [-1.5, -0.5]]})",
                     true),
        value_member("rows no more than columns",
                     R"({"scheme": "learned", "values": [[2, 0.5, -1, 1.5], [0.5, -0.25, -0.5, 1],
                         [-0.25, 1.5, 0.5, -3]]})",
                     true)}},
      {"one-hot", "One-hot rows", {value_member("", R"({"scheme": "one_hot", "num_positions": 8})")}},
      {"scaled-sinusoid",
       "(t/C) times the sinusoid",
       {value_member("d = 2", R"({"scheme": "scaled_sinusoid", "d_model": 2, "divisor": 1000})"),
        value_member("d = 16", R"({"scheme": "scaled_sinusoid", "d_model": 16, "divisor": 1000})")}},
      {"none", "No encoding", {value_member("", R"({"scheme": "none", "d_model": 4})")}},
  };
}

}  // namespace vernier
