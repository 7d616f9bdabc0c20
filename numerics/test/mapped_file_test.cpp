#include "numerics/formats/mapped_file.hpp"

#include <chrono>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "made_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

class MappedFiles : public ::testing::Test {
 protected:
  MappedFiles() { folder_.write("data", std::string(100, 'x')); }

  std::filesystem::path file() const { return folder_.path() / "data"; }

  static std::string refusal() { return refusal_of(require_unchanged_files); }

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

/// Whoever writes may set the time back, but not that of the change itself.
TEST_F(MappedFiles, ThatWereWrittenToSecretlyAreRefused) {
  const auto modified = std::filesystem::last_write_time(file());
  const MappedFile mapped(file());
  const auto change = [&] {
    struct stat status {};
    stat(file().c_str(), &status);
    return std::pair(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  };
  // Clocks of file systems tick some hundred times a second.
  for (const auto before = change(); change() == before;) {
    folder_.write("data", std::string(100, 'y'));
    std::filesystem::last_write_time(file(), modified);
  }
  EXPECT_THAT(refusal(), HasSubstr("data: the file changed while it was being read"));
}

TEST_F(MappedFiles, TellWhatIsThereInstead) {
  const auto refused = [](const std::filesystem::path& place) {
    return refusal_of([&] { const MappedFile mapped(place); });
  };
  EXPECT_THAT(refused(folder_.path()), HasSubstr("found a folder or device"));
  EXPECT_THAT(refused(folder_.path() / "none"), HasSubstr("no such file"));
}

TEST_F(MappedFiles, ThatAreNoLongerMappedMayChange) {
  { const MappedFile mapped(file()); }
  std::filesystem::resize_file(file(), 50);
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace vernier
