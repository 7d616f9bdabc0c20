#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/support/registry.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"

namespace vernier::kill_matrix {

/// The test that a project ships, re-enacted: its tolerances, its positions and its reference, on the
/// encoding of the specimen. It sees the specimen's own width, base and scaling, which is more than its own
/// parameters show.
struct ProjectTest {
  std::string_view project;  ///< "vLLM"
  std::string_view source;   ///< the file that the figures are from
  std::string_view method;   ///< what it compares with what, where, how closely; one sentence or two
  /// Whether the specimen passes; nothing where the project has no test of such a thing.
  std::optional<bool> (*passes)(const Specimen& specimen);
};

const std::vector<ProjectTest>& project_tests();

/// A new one is a file in projects/, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(project_test_makers, ProjectTest,
    transformers_test,
    llama_cpp_test,
    vllm_test,  // projects/kernels.cpp, as are the next two
    flashinfer_test,
    liger_test,
    tensorrt_llm_test,  // projects/tensorrt_llm.cpp
    kernelbench_test);  // projects/kernels.cpp
// clang-format on

}  // namespace vernier::kill_matrix
