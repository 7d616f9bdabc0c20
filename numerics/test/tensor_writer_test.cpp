// The writer against the reader, and against everything that can keep a file from being written.

#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/formats/npy.hpp"
#include "numerics/formats/tensor_file.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/json/json.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::vector<std::byte> counting_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(i + 1);
  }
  return bytes;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class TensorWriters : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  /// Writes the bytes in two pieces.
  void write(const std::string& name, ElementType type, const Shape& shape,
             std::span<const std::byte> bytes) const {
    TensorWriter writer(path(name), type, shape, "the \"cos\"", {{"producer", "p"}, {"bytes", "\xff"}});
    const auto half = bytes.size() / 2;
    writer.append(bytes.first(half));
    writer.append(bytes.subspan(half));
    writer.finish();
  }

  std::string refusal(const std::filesystem::path& file, const Shape& shape = {2, 2}) const {
    return refusal_of([&] { const TensorWriter writer(file, ElementType::float32, shape, "x", {}); });
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  TemporaryFolder folder_;
};

TEST_F(TensorWriters, WriteNpyThatReadsBackBitForBit) {
  for (const auto& type : element_types()) {
    for (const auto& shape : {Shape{}, Shape{6}, Shape{1, 3, 2}}) {
      const auto bytes = counting_bytes(*size_in_bytes(type.type, shape));
      write("x.npy", type.type, shape, bytes);
      const auto back = read_npy(path("x.npy"));
      EXPECT_EQ(back.type(), type.type == ElementType::bfloat16 ? ElementType::uint16
                             : type.format && type.bytes == 1   ? ElementType::uint8
                                                                : type.type);
      EXPECT_EQ(back.shape(), shape);
      EXPECT_TRUE(std::ranges::equal(back.bytes(), bytes)) << type.name;
      EXPECT_EQ((content_of(path("x.npy")).size() - bytes.size()) % 64, 0U);
    }
  }
  EXPECT_EQ(files(), std::vector<std::string>{"x.npy"});
}

TEST_F(TensorWriters, WriteSafetensors) {
  const std::vector<std::pair<ElementType, std::string>> names{
      {ElementType::float64, "F64"},   {ElementType::float32, "F32"}, {ElementType::float16, "F16"},
      {ElementType::bfloat16, "BF16"}, {ElementType::int8, "I8"},     {ElementType::uint64, "U64"}};
  for (const auto& [type, name] : names) {
    const auto bytes = counting_bytes(6 * traits(type).bytes);
    write("x.safetensors", type, {3, 2}, bytes);
    const auto file = content_of(path("x.safetensors"));
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    ASSERT_EQ(8 + length + bytes.size(), file.size());
    EXPECT_EQ(length % 8, 0U);
    const auto header = OrderedJson::parse(file.substr(8, length));
    const OrderedJson expected = {
        {"__metadata__", {{"bytes", "\xef\xbf\xbd"}, {"producer", "p"}}},
        {"the \"cos\"", {{"dtype", name}, {"shape", {3, 2}}, {"data_offsets", {0, bytes.size()}}}}};
    EXPECT_EQ(header, expected);
    EXPECT_EQ(std::memcmp(file.data() + 8 + length, bytes.data(), bytes.size()), 0);
  }
}

TEST_F(TensorWriters, LeaveNothingUnlessFinished) {
  {
    TensorWriter writer(path("x.npy"), ElementType::float32, {4}, "x", {});
    writer.append(counting_bytes(8));
    EXPECT_FALSE(std::filesystem::exists(path("x.npy")));
  }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(TensorWriters, KeepTheOldFileUnlessFinished) {
  folder_.write("x.npy", "old");
  { const TensorWriter writer(path("x.npy"), ElementType::float32, {4}, "x", {}); }
  EXPECT_EQ(content_of(path("x.npy")), "old");
}

TEST_F(TensorWriters, WriteThroughSymbolicLinks) {
  std::filesystem::create_directory(path("far"));
  folder_.write("far/x.npy", "old");
  std::filesystem::create_symlink("far/x.npy", path("x.npy"));
  write("x.npy", ElementType::int8, {2}, counting_bytes(2));
  EXPECT_TRUE(std::filesystem::is_symlink(path("x.npy")));
  EXPECT_EQ(read_npy(path("far/x.npy")).integer(1), 2);
}

TEST_F(TensorWriters, WriteIntoTheCurrentFolder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const auto sentence = refusal("x.npy");
  std::filesystem::current_path(before);
  EXPECT_EQ(sentence, "");
}

TEST_F(TensorWriters, RefuseOtherExtensions) {
  EXPECT_EQ(refusal("x.bin"), "x.bin: found the extension .bin, expected .npy or .safetensors");
  EXPECT_EQ(refusal("x"), "x: found no extension, expected .npy or .safetensors");
}

TEST_F(TensorWriters, RefuseWhereNothingCanBeWritten) {
  EXPECT_EQ(refusal("/nonexistent/x.npy"),
            "/nonexistent/x.npy: cannot be written (No such file or directory)");
  std::filesystem::create_directory(path("x.npy"));
  EXPECT_THAT(refusal(path("x.npy")), HasSubstr("x.npy: found a directory"));
  EXPECT_THAT(refusal(path(std::string(252, 'x') + ".npy")),
              HasSubstr("cannot be written (File name too long)"));
  std::filesystem::create_symlink("nowhere.npy", path("link.npy"));
  EXPECT_THAT(refusal(path("link.npy")), HasSubstr("link.npy: found a symbolic link to nothing"));
  EXPECT_THAT(files(), UnorderedElementsAre("x.npy", "link.npy"));
}

/// As two containers with processes of the same number do on one volume.
TEST_F(TensorWriters, OfOneNameAtOnceDoNotMix) {
  TensorWriter first(path("x.npy"), ElementType::int8, {2}, "x", {});
  TensorWriter second(path("x.npy"), ElementType::int8, {3}, "x", {});
  first.append(counting_bytes(2));
  second.append(counting_bytes(3));
  first.finish();
  EXPECT_EQ(read_npy(path("x.npy")).shape(), Shape{2});
  second.finish();
  EXPECT_EQ(read_npy(path("x.npy")).shape(), Shape{3});
  EXPECT_EQ(files(), std::vector<std::string>{"x.npy"});
}

TEST_F(TensorWriters, TakeTheLongestName) {
  EXPECT_EQ(refusal(path(std::string(251, 'x') + ".npy")), "");
}

TEST_F(TensorWriters, RefuseWhatFitsOnNoDisk) {
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  const auto no_room = AllOf(StartsWith(path("x.npy").string() + ": found "), HasSubstr(" bytes free in "));
  EXPECT_THAT(refusal(path("x.npy"), {std::size_t{1} << 60}),
              AllOf(no_room, HasSubstr("expected 4611686018427388032 for the tensor")));
  for (const auto& shape : {Shape{most}, Shape{most, most}, Shape{most / 4}}) {
    EXPECT_THAT(refusal(path("x.npy"), shape),
                AllOf(no_room, HasSubstr("expected more than any disk holds for the tensor")));
  }
  EXPECT_THAT(refusal(path("x.npy"), {3, 0}),
              HasSubstr("found the shape [3, 0], expected at least one element"));
  EXPECT_THAT(files(), IsEmpty());
}

}  // namespace
}  // namespace vernier
