#include "reports/measures/kill_matrix/project.hpp"

namespace vernier::kill_matrix {

const std::vector<ProjectTest>& project_tests() {
  static const auto all = make_all(project_test_makers);
  return all;
}

}  // namespace vernier::kill_matrix
