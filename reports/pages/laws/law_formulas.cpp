#include "reports/pages/laws/law_formulas.hpp"

#include <algorithm>
#include <array>

namespace vernier {
namespace {

struct Formula {
  std::string_view property;
  std::string_view notation;
};

constexpr std::array formulas{
    Formula{"accuracy", "PE_{t, 2i} = A sin(t w_i)"},
    Formula{"accuracy", "PE_{t, 2i+1} = A cos(t w_i)"},
    Formula{"accuracy", "w_i = base^{−2i/d}"},
    Formula{"unique", "code(t) = code(s) \" only if \" t = s"},
    Formula{"unique", "∑_i sin^2 (w_i (t − s)/2) > 0 \" else\""},
    Formula{"bounded", "|code(t)_j| ≤ b"},
    Formula{"linear-shift", "code(t + k) = M_k code(t)"},
    Formula{"shift-group", "T_a T_b = A T_{a+b}"},
    Formula{"shift-group", "T_a^⊤ T_a = A^2 I"},
    Formula{"offset-only", "score(t, t + k) = score(s, s + k)"},
    Formula{"symmetric", "score(t, t + k) = score(t, t − k)"},
    Formula{"constant-norm", "|code(t)| = |code(s)|"},
    Formula{"constant-norm", "c^2 + s^2 = (A σ_p)^2"},
    Formula{"pass-through", "(R_m x)_i = x_i \" for \" i ≥ r"},
    Formula{"adjoint", "(A R_m x)^⊤ g = x^⊤ (A R_m^⊤ g)"},
    Formula{"transpose-returns", "A R_m^⊤ (A R_m x) = A^2 x"},
    Formula{"inverse-returns", "R_m^⊤ (A R_m x) / A = x"},
};

}  // namespace

std::vector<std::string_view> law_formulas(std::string_view property) {
  std::vector<std::string_view> result;
  for (const auto& one : formulas) {
    if (one.property == property) {
      result.push_back(one.notation);
    }
  }
  return result;
}

}  // namespace vernier
