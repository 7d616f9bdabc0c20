#include "props/matrix/models/bilinear_score.hpp"
#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"

namespace vernier {
namespace {

RationalMatrix matrix_of(std::initializer_list<std::initializer_list<int>> rows) {
  RationalMatrix result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.size()));
  Eigen::Index i = 0;
  for (const auto& row : rows) {
    Eigen::Index j = 0;
    for (const int value : row) {
      result(i, j++) = value;
    }
    ++i;
  }
  return result;
}

MatrixMember form(const std::string& name, const RationalMatrix& h) {
  return {name, [h] {
            return std::make_unique<BilinearScore>(
                encoding_of(std::string(R"({"scheme": "sinusoidal", "d_model": )") +
                            std::to_string(h.rows()) + "}")
                    ->plain_tables()
                    .front(),
                h);
          }};
}

}  // namespace

std::vector<MatrixRow> bilinear_rows() {
  return {
      {"h-diagonal-in-pairs",
       "p^T H p, H diagonal, equal in each pair",
       {form("d = 4", matrix_of({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 3}})),
        form("d = 8, H = I, which is the sinusoid's score", RationalMatrix::Identity(8, 8))}},
      {"h-blocks",
       "p^T H p, H of blocks a I + b J",
       {form("", matrix_of({{1, 2, 0, 0}, {-2, 1, 0, 0}, {0, 0, 3, -1}, {0, 0, 1, 3}}))}},
      {"h-diagonal",
       "p^T H p, H diagonal, unequal in a pair",
       {form("", matrix_of({{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 3}}))}},
      {"h-dense",
       "p^T H p, H dense (W_Q^T W_K of no special form)",
       {form("", matrix_of({{2, -1, 3, 1}, {4, 1, 0, -2}, {-3, 2, 1, 5}, {1, 0, -1, 2}}))}},
  };
}

}  // namespace vernier
