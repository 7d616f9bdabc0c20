#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "reference/test/seed.hpp"

namespace vernier {

std::uint64_t test_seed() {
  const char* given = std::getenv("VERNIER_SEED");
  return given == nullptr ? 20170612 : std::strtoull(given, nullptr, 10);
}

namespace {

/// Prints the seed when tests run (never when they are only listed), and hands it to RapidCheck, which
/// otherwise picks its own, with VERNIER_CASES as the number of its draws. RC_PARAMS, RapidCheck's own
/// variable, wins.
class Seeded final : public ::testing::Environment {
 public:
  void SetUp() override {
    const std::string seed = std::to_string(test_seed());
    std::cout << "seed " << seed << " (VERNIER_SEED sets another)\n";
    const char* const given = std::getenv("VERNIER_CASES");
    const std::string cases = given == nullptr ? "100" : given;
    setenv("RC_PARAMS", ("seed=" + seed + " max_success=" + cases).c_str(), /*overwrite=*/0);
  }
};

}  // namespace
}  // namespace vernier

int main(int count, char** arguments) {
  ::testing::InitGoogleMock(&count, arguments);
  ::testing::AddGlobalTestEnvironment(std::make_unique<vernier::Seeded>().release());
  return RUN_ALL_TESTS();
}
