#include "props/matrix/models/bilinear_score.hpp"

namespace vernier {
namespace {

IntervalMatrix enclosed(const RationalMatrix& h) {
  IntervalMatrix result(h.rows(), h.cols());
  for (Eigen::Index i = 0; i < h.rows(); ++i) {
    for (Eigen::Index j = 0; j < h.cols(); ++j) {
      result(i, j) = enclose(h(i, j));
    }
  }
  return result;
}

bool is_symmetric(const RationalMatrix& h) {
  return h == h.transpose();
}

}  // namespace

bool commutes_with_shifts(const RationalMatrix& h) {
  for (Eigen::Index i = 0; i < h.rows(); ++i) {
    for (Eigen::Index j = 0; j < h.cols(); ++j) {
      if (i / 2 != j / 2 && h(i, j) != 0) {
        return false;
      }
    }
  }
  for (Eigen::Index i = 0; i < h.rows(); i += 2) {
    if (h(i, i) != h(i + 1, i + 1) || h(i, i + 1) != -h(i + 1, i)) {
      return false;
    }
  }
  return true;
}

BilinearScore::BilinearScore(TrigTable code, RationalMatrix h) : code_(std::move(code)), h_(std::move(h)) {}

Interval BilinearScore::score(std::int64_t query, std::int64_t key) const {
  return code_.code(query).dot(enclosed(h_) * code_.code(key));
}

std::optional<Justification> BilinearScore::justification(std::string_view property) const {
  if (property != "offset-only" && property != "symmetric" && property != "direction-aware" &&
      property != "decay") {
    return Justification{Answer::not_applicable, Method::exact, "the code is the sinusoid"};
  }
  if (property == "offset-only" && commutes_with_shifts(h_)) {
    return Justification{Answer::yes, Method::exact, "H is a direct sum of blocks a I + b J (T6)"};
  }
  if (property == "symmetric" && commutes_with_shifts(h_) && is_symmetric(h_)) {
    return Justification{Answer::yes, Method::exact,
                         "no block has a part b J, which alone is odd in the offset (T6)"};
  }
  if (property == "direction-aware" && is_symmetric(h_)) {
    return Justification{Answer::no, Method::exact, "H is symmetric"};
  }
  return std::nullopt;
}

}  // namespace vernier
