// The reader against files that are right, wrong in every way we know, and wrong in every single byte.

#include "numerics/formats/safetensors.hpp"

#include <cstring>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string file_of(std::string_view header, std::string_view data = "") {
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file + std::string(header) + std::string(data);
}

Safetensors safetensors_of(const std::string& bytes) {
  const auto file = std::make_shared<const std::string>(bytes);
  return {std::as_bytes(std::span(*file)), file, "x.safetensors"};
}

/// The sentence that refuses the file or, if there is a name, that tensor; empty if neither is refused.
std::string safetensors_refusal(const std::string& bytes, const std::string& name = "") {
  return refusal_of([&] {
    const auto file = safetensors_of(bytes);
    if (!name.empty()) {
      file.tensor(name);
    }
  });
}

/// One float32 tensor "a" of these parts of a header.
std::string one_tensor(std::string_view dtype, std::string_view shape, std::string_view offsets,
                       std::string_view data = "0123") {
  return file_of(std::string(R"({"a":{"dtype":")") + std::string(dtype) + R"(","shape":)" +
                     std::string(shape) + R"(,"data_offsets":)" + std::string(offsets) + "}}",
                 data);
}

constexpr std::string_view two_tensors =
    R"({"__metadata__":{"by":"me"},"b":{"dtype":"I8","shape":[2],"data_offsets":[4,6]},)"
    R"("a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}  )";

TEST(SafetensorsFile, GivesItsTensorsAndMetadata) {
  const auto file = safetensors_of(file_of(two_tensors, std::string("\0\0\x80\x3f\x05\xff", 6)));
  EXPECT_THAT(file.names(), ElementsAre("a", "b"));
  EXPECT_EQ(file.metadata().at("by"), "me");
  EXPECT_EQ(file.tensor("a").number(0), 1.0);
  EXPECT_EQ(file.tensor("a").shape(), (Shape{1, 1}));
  EXPECT_EQ(file.tensor("b").integer(1), -1);
  EXPECT_EQ(file.tensor("b").type(), ElementType::int8);
}

TEST(SafetensorsFile, MayHoldNothing) {
  EXPECT_THAT(safetensors_of(file_of("{}")).names(), ElementsAre());
}

TEST(SafetensorsFile, RefusesATensorOnlyWhenItIsAskedFor) {
  const auto float8 = one_tensor("F8_E8M0", "[4]", "[0,4]");
  EXPECT_EQ(safetensors_refusal(float8), "");
  EXPECT_THAT(safetensors_refusal(float8, "a"),
              HasSubstr(R"("a": found the dtype "F8_E8M0", expected F64, F32)"));
  const auto empty = one_tensor("F32", "[0,3]", "[0,0]", "");
  EXPECT_EQ(safetensors_refusal(empty), "");
  EXPECT_THAT(safetensors_refusal(empty, "a"),
              HasSubstr("found the shape [0, 3], expected at least one element"));
  EXPECT_EQ(safetensors_refusal(file_of(two_tensors, "012345"), "c\x1b"),
            R"(x.safetensors: found the tensors "a", "b", expected one named "c\u001b")");
}

struct HostileSafetensors {
  std::string what;
  std::string bytes;
  std::string found;  ///< what the sentence must name
};

std::vector<HostileSafetensors> hostile_safetensors_files() {
  std::string many_dimensions = "[1";
  for (int i = 0; i < 40; ++i) {
    many_dimensions += ",1";
  }
  return {
      {"empty file", "", "found 0 bytes"},
      {"a length alone, of nothing", std::string(8, '\0'), "does not begin with '{'"},
      {"text", "hello world, this is no tensor", "found a header of "},
      {"header longer than the file", std::string("\x09\0\0\0\0\0\0\0{}", 10), "expected 9"},
      {"header of 2^64 - 1 bytes", std::string(8, '\xff') + "{}", "found a header of 18446744073709551615"},
      {"header of 17 MB", std::string("\0\0\x03\x01\0\0\0\0{}", 10), "found a header of 16973824"},
      {"header is an array", file_of("[]"), "does not begin with '{'"},
      {"header is no JSON", file_of("{\"a\":}"), "not JSON"},
      {"header breaks off", file_of(R"({"a":{"dtype":"F32")"), "not JSON"},
      {"byte order mark", file_of("\xef\xbb\xbf{}"), "does not begin with '{'"},
      {"name is not UTF-8", file_of("{\"\xff\":1}"), "not JSON"},
      {"nested 100000 deep", file_of("{\"a\":" + std::string(100000, '[')), "64 levels of nesting"},
      {"tensor is a number", file_of(R"({"a":1})"), R"("a": found 1, expected an object)"},
      {"name twice", file_of(R"({"a":{},"a":{}})"), "\"a\" stands twice"},
      {"key twice", file_of(R"({"a":{"dtype":"F32","dtype":"F64"}})"), "\"dtype\" stands twice"},
      {"unknown key", file_of(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", "0123"),
       "unknown key \"x\""},
      {"no dtype", file_of(R"({"a":{"shape":[],"data_offsets":[0,4]}})", "0123"), "dtype: missing"},
      {"no shape", file_of(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", "0123"), "shape: missing"},
      {"no offsets", file_of(R"({"a":{"dtype":"F32","shape":[]}})", "0123"), "data_offsets: missing"},
      {"metadata is a string", file_of(R"({"__metadata__":"x"})"), "\"__metadata__\": found the string"},
      {"metadata of numbers", file_of(R"({"__metadata__":{"a":1}})"), "found 1, expected a string"},
      {"negative dimension", one_tensor("F32", "[-1]", "[0,4]"), "found -1"},
      {"fractional dimension", one_tensor("F32", "[1.0]", "[0,4]"), "found 1.0"},
      {"dimension beyond 64 bits", one_tensor("F32", "[18446744073709551616]", "[0,4]"),
       "found 18446744073709551616"},
      {"size beyond 64 bits", one_tensor("F32", "[4294967296,4294967296]", "[0,4]"),
       "expected more than any file holds"},
      {"a terabyte", one_tensor("F32", "[274877906944]", "[0,4]"), "expected 1099511627776"},
      {"41 dimensions", one_tensor("F32", many_dimensions + "]", "[0,4]"), "41 dimensions"},
      {"one offset", one_tensor("F32", "[1]", "[4]"), "found data_offsets [4]"},
      {"three offsets", one_tensor("F32", "[1]", "[0,4,4]"), "found data_offsets [0, 4, 4]"},
      {"end before begin", one_tensor("F32", "[1]", "[4,0]"), "found data_offsets [4, 0]"},
      {"end beyond the file", one_tensor("F32", "[2]", "[0,8]"), "within the 4 bytes of data"},
      {"offsets that wrap", one_tensor("F32", "[1]", "[18446744073709551612,0]"), "18446744073709551612"},
      {"too few bytes for the shape", one_tensor("F32", "[2]", "[0,4]"), "found 4 bytes of data, expected 8"},
      {"bytes for no elements", one_tensor("F32", "[0]", "[0,4]"), "found 4 bytes of data, expected 0"},
      {"hole before the data", one_tensor("I8", "[3]", "[1,4]"),
       "found data from byte 1 on, expected from 0"},
      {"data left over", one_tensor("I8", "[3]", "[0,3]"), "found 4 bytes of data, expected 3"},
      {"overlap",
       file_of(R"({"a":{"dtype":"I8","shape":[3],"data_offsets":[0,3]},)"
               R"("b":{"dtype":"I8","shape":[2],"data_offsets":[2,4]}})",
               "0123"),
       "\"b\": found data from byte 2 on, expected from 3"},
  };
}

TEST(SafetensorsFile, RefusesHostileFilesInOneSentenceThatNamesFileAndFinding) {
  for (const auto& hostile : hostile_safetensors_files()) {
    const auto sentence = safetensors_refusal(hostile.bytes);
    EXPECT_THAT(sentence, AllOf(StartsWith("x.safetensors: "), HasSubstr(hostile.found))) << hostile.what;
    EXPECT_EQ(sentence.find_first_of("\n\x1b"), std::string::npos) << hostile.what;
  }
}

TEST(SafetensorsFile, RefusesEveryTruncation) {
  const auto file = file_of(two_tensors, "012345");
  ASSERT_EQ(safetensors_refusal(file), "");
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_NE(safetensors_refusal(file.substr(0, length)), "") << length;
  }
}

TEST(SafetensorsFile, SurvivesEveryChangeOfOneByte) {
  const auto file = file_of(two_tensors, "012345");
  for (std::size_t i = 0; i < file.size() - 6; ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      auto changed = file;
      changed[i] = static_cast<char>(byte);
      if (safetensors_refusal(changed).empty()) {
        EXPECT_EQ(safetensors_of(changed).names().size(), 2U) << i << " " << byte;
      }
    }
  }
}

TEST(SafetensorsFile, OfAHundredThousandTensorsIsReadInNoTimeToSpeakOf) {
  std::string header = "{";
  for (int i = 0; i < 100000; ++i) {
    header += "\"" + std::to_string(i) + R"(":{"dtype":"I8","shape":[0],"data_offsets":[0,0]},)";
  }
  header.back() = '}';
  EXPECT_EQ(safetensors_of(file_of(header)).names().size(), 100000U);
}

TEST(SafetensorsFile, ReadsBackWhatWasWrittenAlignedToItsElements) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  std::map<std::string, Tensor, std::less<>> tensors;
  for (const auto& type : element_types()) {
    std::vector<std::byte> bytes(3 * type.bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(7 * i + type.bytes);
    }
    tensors.emplace(std::string(type.name) + "\x1b<b>", Tensor(type.type, {1, 3}, std::move(bytes)));
  }
  write_safetensors(path, tensors, {{"spec", R"({"scheme": "rope"})"}});
  const auto back = read_safetensors(path);
  EXPECT_EQ(back.metadata().at("spec"), R"({"scheme": "rope"})");
  EXPECT_EQ(back.names().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const auto read = back.tensor(name);
    EXPECT_EQ(read.type(), tensor.type());
    EXPECT_EQ(read.shape(), tensor.shape());
    EXPECT_TRUE(std::ranges::equal(read.bytes(), tensor.bytes())) << name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.bytes().data()) % traits(read.type()).bytes, 0U) << name;
  }
}

TEST(SafetensorsFile, IsARegularFile) {
  EXPECT_THROW(read_safetensors(std::filesystem::temp_directory_path()), InputError);
  EXPECT_THROW(read_safetensors("/nonexistent/x.safetensors"), InputError);
}

}  // namespace
}  // namespace vernier
