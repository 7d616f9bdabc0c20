// What is common to all kinds of faults.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/computation/fault_kind.hpp"

namespace vernier {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

TEST(FaultKinds, AreNamedByTheirStageAndSayWhatToDo) {
  std::set<std::string_view> ids;
  for (const auto& kind : fault_kinds()) {
    const std::string id(kind.id);
    EXPECT_TRUE(ids.insert(kind.id).second) << id;
    EXPECT_EQ(fault_kind_named(id), &kind);
    if (id != "unexplained") {
      EXPECT_THAT(id, StartsWith(std::string(to_string(kind.stage)) + "/"));
    }
    EXPECT_FALSE(kind.title.empty() || kind.title.ends_with(".")) << id;
    EXPECT_THAT(std::string(kind.means), EndsWith(".")) << id;
    EXPECT_THAT(std::string(kind.advice), EndsWith(".")) << id;
  }
}

}  // namespace
}  // namespace vernier
