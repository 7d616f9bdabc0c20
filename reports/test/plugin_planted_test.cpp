// The plug-in that planted.py plants faults in is refused for its fault alone, and every effect changes what
// it answers.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/asking/questions.hpp"
#include "numerics/processes/plugin_process.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {
namespace {

/// The plug-in in a process of its own, which inherits a kernel (planted_kernel.hpp) whenever it is started.
class PlantedPlugin {
 public:
  explicit PlantedPlugin(const std::string& kernel)
      : is_set_(::setenv("VERNIER_PLANTED_KERNEL", kernel.c_str(), 1) == 0) {
    EXPECT_TRUE(is_set_);
  }

  Verdict judge() {
    LiveOptions options{.name = "planted", .source = "spec", .cases = 1};
    options.details = {.error_splits = false, .reasons = false};
    return validate_live(process_, rope(), options);
  }
  /// The rotated vectors of positions that descend, after a question about others.
  std::vector<std::byte> second_answer() {
    const auto encoding = rope();
    std::vector<std::byte> bytes;
    for (const std::int64_t first : {90'000, 100'000}) {
      const auto questions =
          questions_of(*encoding, {.positions = PositionRange{first, -1, 40}, .roles = {"rotated"}});
      const auto response = process_.ask(questions.front().ways.front());
      EXPECT_EQ(response.status, ResponseStatus::answered) << response.reason;
      const auto answer = response.tensors.at("rotated").bytes();
      bytes.assign(answer.begin(), answer.end());
    }
    return bytes;
  }

 private:
  static std::unique_ptr<Encoding> rope() {
    return parse_spec(
        R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "partial_rotary_factor": 0.75})", "spec");
  }

  bool is_set_;  // before the process is started
  PluginProcess process_{std::filesystem::path(VERNIER_TEST_PLUGINS) / "planted.so"};
};

TEST(PlantedKernel, IsRefusedForItsFaultAlone) {
  const auto honest = PlantedPlugin("{}").judge();
  EXPECT_EQ(exit_code(honest), 0) << told(honest);
  EXPECT_EQ(exit_code(PlantedPlugin(R"({"where": [["position", ">=", 1000, 1]], "effect": "next"})").judge()),
            1);
}

TEST(PlantedKernel, EveryEffectChangesTheAnswer) {
  const auto right = PlantedPlugin("{}").second_answer();
  EXPECT_EQ(PlantedPlugin(R"({"where": [["row", ">=", 40, 1]], "effect": "next"})").second_answer(), right);
  for (const auto* effect :
       {"next", "previous", "row_index", "counts_on", "first_row", "previous_row", "last_question", "wraps",
        "start", "other_pair", "scaled", "sine_sign", "swapped", "unrotated", "zero", "nan"}) {
    const auto kernel = R"({"where": [["row", ">=", 7, 1]], "effect": ")" + std::string(effect) + R"("})";
    EXPECT_NE(PlantedPlugin(kernel).second_answer(), right) << effect;
  }
}

}  // namespace
}  // namespace vernier
