#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "props/judging/interval_view.hpp"
#include "props/literature/quantities.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr Eigen::Index token_width = 4;
constexpr Eigen::Index token_count = 5;

/// \param seed in [1, 2^31 - 2]
IntervalMatrix pseudo_random(Eigen::Index rows, std::int64_t seed) {
  IntervalMatrix matrix(rows, token_width);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < token_width; ++j) {
      seed = seed * 48271 % 2147483647;  // Park and Miller's generator
      matrix(i, j) = enclose(Rational(seed % 2001 - 1000, 1000));
    }
  }
  return matrix;
}

std::array<Eigen::Index, token_count> order_numbered(std::int64_t number) {
  std::array<Eigen::Index, token_count> order{};
  std::iota(order.begin(), order.end(), 0);
  for (; number > 0; --number) {
    std::ranges::next_permutation(order);
  }
  return order;
}

/// The paper's encodings of the positions 0 to 4.
IntervalMatrix encodings() {
  const TrigCode code(SinusoidalSpec{.d_model = token_width}.table());
  IntervalMatrix rows(token_count, token_width);
  for (Eigen::Index place = 0; place < token_count; ++place) {
    rows.row(place) = code.code(place).transpose();
  }
  return rows;
}

IntervalMatrix tokens(std::int64_t order, bool are_coded) {
  const auto places = order_numbered(order);
  const auto given = pseudo_random(token_count, 14);
  IntervalMatrix rows(token_count, token_width);
  for (Eigen::Index place = 0; place < token_count; ++place) {
    rows.row(place) = given.row(places[static_cast<std::size_t>(place)]);
  }
  return are_coded ? IntervalMatrix(rows + encodings()) : rows;
}

IntervalMatrix attention_weights(const IntervalMatrix& x) {
  const IntervalMatrix queries = x * pseudo_random(token_width, 11);
  const IntervalMatrix keys = x * pseudo_random(token_width, 12);
  IntervalMatrix weights = queries * keys.transpose() / Interval(2);  // sqrt(d_k)
  for (Eigen::Index query = 0; query < weights.rows(); ++query) {
    for (Eigen::Index key = 0; key < weights.cols(); ++key) {
      weights(query, key) = exp(weights(query, key));
    }
    const Interval total = weights.row(query).sum();
    weights.row(query) /= total;
  }
  return weights;
}

IntervalMatrix attention(const IntervalMatrix& x) {
  return attention_weights(x) * (x * pseudo_random(token_width, 13));
}

}  // namespace

IntervalFunctions attention_functions() {
  using Outputs = std::map<std::pair<std::int64_t, bool>, IntervalMatrix>;
  const auto outputs = [known = std::make_shared<Outputs>()](FormulaValues a) -> const IntervalMatrix& {
    const std::pair asked{whole(a[0]), whole(a[1]) != 0};
    const auto found = known->find(asked);
    return found != known->end()
               ? found->second
               : known->emplace(asked, attention(tokens(asked.first, asked.second))).first->second;
  };
  return {
      {"token_at",
       [](FormulaValues a) {
         return Interval(order_numbered(whole(a[0])).at(static_cast<std::size_t>(whole(a[1]))));
       }},
      {"weight",
       [](FormulaValues a) {
         return attention_weights(tokens(whole(a[0]), false))(whole(a[1]), whole(a[2]));
       }},
      {"output", [outputs](FormulaValues a) { return outputs(a)(whole(a[2]), whole(a[3])); }},
      {"pooled",
       [outputs](FormulaValues a) {
         return Interval(outputs(a).col(whole(a[2])).sum() / Interval(token_count));
       }},
      {"read_out",
       [](FormulaValues a) {
         auto x = tokens(0, false);
         x.row(1) += a[0] * encodings().row(1);
         x.row(3) += a[1] * encodings().row(3);
         return Interval(attention(x).cwiseProduct(pseudo_random(token_count, 15)).sum());
       }},
  };
}

}  // namespace vernier
