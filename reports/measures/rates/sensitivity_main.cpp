// vernier_sensitivity prints the smallest perturbation that the verdict on stored tensors catches, by place,
// tensor and kind.

#include <iostream>

#include "reports/measures/rates/sensitivity.hpp"

int main() {
  const auto found = vernier::rates::measure_sensitivity([](const vernier::rates::Sensitivity& next) {
    std::cerr << "searching: " << next.what << ", " << next.tensors << ", position " << next.position << "\n";
    return true;
  });
  std::cout << vernier::rates::to_text(found);
}
