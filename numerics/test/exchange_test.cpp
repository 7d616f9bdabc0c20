// Requests and responses as files: what is written is read back, and no response, however made, does harm.

#include "numerics/processes/exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "numerics/formats/safetensors.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Request rotation_request() {
  return {{{"scheme", "rope"}, {"head_dim", 4}},
          positions_tensor({-1, 7}),
          tensor_of(Format::bfloat16, {1, 2, 4}, std::vector<double>(8, 0.5)),
          {{"rotated", ElementType::bfloat16, {1, 2, 4}}, {"cos", ElementType::float32, {2, 2}}}};
}

/// What answers it, or with something changed.
std::map<std::string, Tensor, std::less<>> answer() {
  return {{"rotated", tensor_of(Format::bfloat16, {1, 2, 4}, std::vector<double>(8, 1.0))},
          {"cos", tensor_of(Format::binary32, {2, 2}, std::vector<double>(4, 1.0))}};
}

class Exchange : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name = "response.safetensors") const {
    return folder_.path() / name;
  }

  Response respond(const std::map<std::string, Tensor, std::less<>>& tensors,
                   const std::map<std::string, std::string>& metadata = {}) const {
    write_safetensors(path(), tensors, metadata);
    return read_response(path(), rotation_request()).response;
  }

  /// Why the response, or what is in its place, is malformed.
  std::string fault() const {
    const auto response = read_response(path(), rotation_request()).response;
    EXPECT_EQ(response.status, ResponseStatus::malformed);
    EXPECT_THAT(response.tensors, IsEmpty());
    return response.reason;
  }

  std::string refusal(const std::map<std::string, std::string>& metadata) const {
    write_safetensors(path("request"), {{"positions", positions_tensor({1})}}, metadata);
    return refusal_of([&] { read_request(path("request")); });
  }

  TemporaryFolder folder_;
};

TEST_F(Exchange, ReadsBackTheRequestThatWasWritten) {
  const auto request = rotation_request();
  write_request(request, path("request"));
  const auto back = read_request(path("request"));
  EXPECT_EQ(back.spec, request.spec);
  EXPECT_EQ(back.positions.shape(), Shape{2});
  EXPECT_EQ(back.positions.integer(0), -1);
  ASSERT_TRUE(back.input);
  EXPECT_EQ(back.input->type(), ElementType::bfloat16);
  EXPECT_EQ(back.input->number(7), 0.5);
  ASSERT_EQ(back.wanted.size(), 2U);
  EXPECT_EQ(back.wanted[0].role, "rotated");
  EXPECT_EQ(back.wanted[1].type, ElementType::float32);
  EXPECT_EQ(back.wanted[0].shape, (Shape{1, 2, 4}));
  EXPECT_EQ(read_safetensors(path("request")).metadata().at("dtype"), "bfloat16");
}

TEST_F(Exchange, RefusesWhatIsNoRequest) {
  const std::map<std::string, std::string> right{
      {"vernier_request", "1"},
      {"spec", "{}"},
      {"wanted", R"([{"role":"cos","dtype":"float32","shape":[1]}])"}};
  const auto with = [&](const std::string& key, const std::string& value) {
    auto changed = right;
    changed[key] = value;
    return refusal(changed);
  };
  EXPECT_EQ(refusal(right), "");
  EXPECT_THAT(refusal({}), HasSubstr("__metadata__.vernier_request: missing"));
  EXPECT_THAT(with("vernier_request", "2\x1b"), HasSubstr("found \"2?\", expected \"1\""));
  EXPECT_THAT(with("spec", std::string(100000, '[')), HasSubstr("__metadata__.spec: found more than 64"));
  EXPECT_THAT(with("wanted", "[]"), HasSubstr("expected an array of one to 64 tensors"));
  EXPECT_THAT(with("wanted", R"([{"role":"cos","dtype":"float8","shape":[1]}])"), HasSubstr("float8"));
  EXPECT_THAT(with("wanted", R"([{"role":"cos","dtype":"int8","shape":[0]}])"), HasSubstr("found 0"));
  EXPECT_THAT(with("wanted", R"([{"role":"cos","dtype":"int8","shape":[4294967296,4294967296]}])"),
              HasSubstr("fits in memory"));
  EXPECT_THAT(
      with("wanted", R"([{"role":"a","dtype":"int8","shape":[1]},{"role":"a","dtype":"int8","shape":[1]}])"),
      HasSubstr("each role once"));
}

TEST_F(Exchange, ReadsAnAnswerAndWhoGaveIt) {
  auto tensors = answer();
  tensors.emplace("nobody asked", tensor_of(Format::binary64, {1}, std::vector{1.0}));
  write_safetensors(path(), tensors, {{"implementation", "mine\x1b[31m <b>1.0"}});
  const auto read = read_response(path(), rotation_request());
  EXPECT_EQ(read.response.status, ResponseStatus::answered);
  EXPECT_EQ(read.implementation, "mine?[31m <b>1.0");
  ASSERT_EQ(read.response.tensors.size(), 2U);
  std::filesystem::resize_file(path(), 0);
  EXPECT_EQ(read.response.tensors.at("cos").number(3), 1.0);
}

TEST_F(Exchange, LetsAnImplementationDecline) {
  EXPECT_EQ(respond({}, {{"unsupported", "no bfloat16"}}).status, ResponseStatus::unsupported);
  const auto rejected = respond({}, {{"rejected", "positions below 0\n\x07"}});
  EXPECT_EQ(rejected.status, ResponseStatus::rejected);
  EXPECT_EQ(rejected.reason, "positions below 0 ?");
  // Who answers has not declined.
  EXPECT_EQ(respond(answer(), {{"unsupported", "?"}}).status, ResponseStatus::answered);
}

TEST_F(Exchange, SaysWhatIsWrongWithAnAnswer) {
  EXPECT_EQ(respond({}).reason, "the response has no tensor named rotated");
  const auto other = respond({{"out", tensor_of(Format::binary32, {1}, std::vector<double>(1))}});
  EXPECT_EQ(other.status, ResponseStatus::malformed);
  EXPECT_EQ(other.reason, "the response has `out`, expected `rotated`");
  auto tensors = answer();
  tensors.at("cos") = tensor_of(Format::binary64, {2, 2}, std::vector<double>(4, 1.0));
  EXPECT_EQ(respond(tensors).reason, "the response has cos of float64, expected float32");
  tensors.at("cos") = tensor_of(Format::binary32, {4}, std::vector<double>(4, 1.0));
  EXPECT_EQ(respond(tensors).reason, "the response has cos of shape [4], expected [2, 2]");
}

TEST_F(Exchange, SurvivesWhateverIsInPlaceOfAnAnswer) {
  EXPECT_EQ(fault(), "the response is missing");
  std::filesystem::create_directory(path());
  EXPECT_EQ(fault(), "the response is not a regular file");
  std::filesystem::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(fault(), "the response is not a regular file");
  std::filesystem::remove(path());
  std::filesystem::create_symlink("/dev/zero", path());
  EXPECT_EQ(fault(), "the response is a symbolic link, expected a file");
  std::filesystem::remove(path());
  std::filesystem::create_symlink(path(), path());
  EXPECT_EQ(fault(), "the response is a symbolic link, expected a file");
  std::filesystem::remove(path());
  folder_.write("response.safetensors", "");
  EXPECT_THAT(fault(), HasSubstr("the response: found 0 bytes"));
  folder_.write("response.safetensors", std::string(8, '\xff'));
  EXPECT_THAT(fault(), HasSubstr("found a header of 18446744073709551615 bytes"));
  std::filesystem::resize_file(path(), std::uintmax_t{1} << 40);
  EXPECT_THAT(fault(), HasSubstr("the response has 1099511627776 bytes, expected at most"));
}

TEST_F(Exchange, RefusesEveryTruncatedAnswer) {
  ASSERT_EQ(respond(answer()).status, ResponseStatus::answered);
  for (auto size = std::filesystem::file_size(path()); size > 0; --size) {
    std::filesystem::resize_file(path(), size - 1);
    EXPECT_NE(fault(), "");
  }
}

TEST(ThirdPartyText, CannotCommandATerminal) {
  EXPECT_EQ(third_party_text("a\x1b]0;title\x07\xc2\x9b\xff", 100), "a?]0;title????");
  EXPECT_EQ(third_party_text(" \n two\r\n\twords \n", 100), "two words");
  EXPECT_EQ(third_party_text("0123456789", 4), "...6789");
}

}  // namespace
}  // namespace vernier
