#include "props/matrix/models/trig_code.hpp"
#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"

namespace vernier {
namespace {

/// Members of several widths; `rest` goes on after the width: R"(, "order": "cos_sin"})".
std::vector<MatrixMember> of_widths(std::initializer_list<int> widths, const std::string& rest) {
  std::vector<MatrixMember> members;
  for (const int width : widths) {
    const auto d = std::to_string(width);
    members.push_back(table_member(std::string("d = ") + d,
                                   std::string(R"({"scheme": "sinusoidal", "d_model": )") + d + rest));
  }
  return members;
}

/// The fault of taking the column's index where the formula has the pair's: w_i = base^(-i/d).
MatrixMember column_exponent(int width) {
  return {std::string("d = ") + std::to_string(width), [width] {
            auto table = encoding_of(std::string(R"({"scheme": "sinusoidal", "d_model": )") +
                                     std::to_string(width) + "}")
                             ->plain_tables()
                             .front();
            table.frequencies = GeometricFrequencies{10000, Rational(1, width), width / 2};
            return std::make_unique<TrigCode>(table);
          }};
}

}  // namespace

std::vector<MatrixRow> sinusoid_rows() {
  return {
      {"sinusoidal", "Sinusoid of the paper, [sin, cos]", of_widths({2, 8, 64}, "}")},
      {"sinusoidal-cos-sin", "Sinusoid, [cos, sin]", of_widths({2, 8, 64}, R"(, "order": "cos_sin"})")},
      {"sinusoidal-halves", "Sinusoid in halves (Marian, Transformer-XL)",
       of_widths({2, 8, 64}, R"(, "layout": "halves"})")},
      {"tensor2tensor", "tensor2tensor: halves, base^(-i/(d/2-1))",
       of_widths({4, 8, 64}, R"(, "layout": "halves", "frequency": "tensor2tensor"})")},
      {"column-exponent",
       "Fault: exponent i/d for pair i",
       {column_exponent(4), column_exponent(8), column_exponent(64)}},
      {"odd-width", "Sinusoid of odd width, a sine alone", of_widths({3, 7}, "}")},
      {"odd-width-padded", "tensor2tensor of odd width, a column of zeros",
       of_widths({5, 9, 65}, R"(, "layout": "halves", "frequency": "tensor2tensor"})")},
  };
}

}  // namespace vernier
