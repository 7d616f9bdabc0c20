#include "numerics/mapped_file.hpp"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_tensors.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

class MappedFiles : public ::testing::Test {
 protected:
  MappedFiles() { folder_.write("data", std::string(100, 'x')); }

  std::filesystem::path file() const { return folder_.path() / "data"; }

  static std::string refusal() {
    try {
      require_unchanged_files();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(MappedFiles, AreTheBytesOfTheFile) {
  const MappedFile mapped(file());
  EXPECT_EQ(mapped.bytes().size(), 100U);
  EXPECT_EQ(mapped.bytes()[99], static_cast<std::byte>('x'));
  EXPECT_EQ(refusal(), "");
}

/// No signal tells of it: the rest of the page reads as zeros.
TEST_F(MappedFiles, ThatShrankWithinTheLastPageAreRefused) {
  const MappedFile mapped(file());
  std::filesystem::resize_file(file(), 50);
  EXPECT_THAT(refusal(), HasSubstr("data: the file changed while it was being read"));
}

TEST_F(MappedFiles, ThatWereWrittenToAreRefused) {
  const MappedFile mapped(file());
  std::filesystem::last_write_time(file(),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THAT(refusal(), HasSubstr("expected it to stay as it was"));
}

TEST_F(MappedFiles, ThatAreNoLongerMappedMayChange) {
  { const MappedFile mapped(file()); }
  std::filesystem::resize_file(file(), 50);
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace vernier
