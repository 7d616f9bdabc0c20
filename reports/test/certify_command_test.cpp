// Certificates as the command writes them; certificates/test/mutants.py has them checked.

#include <nlohmann/json.hpp>

#include "numerics/test/made_artefacts.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CertifyCommand : public Program {
 protected:
  /// The command refuses a case of good.npy with this spec, and says what it expected.
  void expect_uncertified(const std::string& spec, const std::string& expected,
                          const std::string& options = "") {
    folder_.write("other.json", sinusoidal_case("\"d_model\": 8" + spec, "good.npy"));
    expect_refused("certify other.json -o refused.json" + options, expected);
  }
};

TEST_F(CertifyCommand, TellsWhatWasJudgedAndTheWorstElement) {
  const auto outcome = run("certify good.json -o certificate.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("positions 0 to 9"), HasSubstr("all 80 elements are within")));
  const auto document = nlohmann::json::parse(slurp("certificate.json"));
  EXPECT_EQ(document["accuracy"], "pass");
  EXPECT_EQ(document["frequencies"][2], "0.0100000000000000000000000000000");
  const auto& tensor = document["tensors"][0];
  EXPECT_EQ(tensor["file"], "good.npy");
  EXPECT_EQ(tensor["beyond"], 0);
  EXPECT_EQ(tensor["worst"]["row"], tensor["worst"]["position"]);
  EXPECT_TRUE(tensor["first_beyond"].is_null());
}

TEST_F(CertifyCommand, CertifiesARefutation) {
  const auto outcome = run("certify bad.json -o certificate.json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const auto document = nlohmann::json::parse(slurp("certificate.json"));
  EXPECT_EQ(document["accuracy"], "fail");
  const auto& tensor = document["tensors"][0];
  EXPECT_EQ(tensor["beyond"], 1);
  EXPECT_EQ(tensor["first_beyond"]["row"], 4);
  EXPECT_EQ(tensor["first_beyond"]["column"], 1);
  EXPECT_EQ(tensor["first_beyond"], tensor["worst"]);
}

TEST_F(CertifyCommand, NamesFilesFromTheFolderOfTheCertificate) {
  std::filesystem::create_directory(folder_.path() / "certificates");
  EXPECT_EQ(run("certify good.json -o certificates/certificate.json").exit_code, 0);
  EXPECT_THAT(slurp("certificates/certificate.json"), HasSubstr(R"("file": "../good.npy")"));
}

TEST_F(CertifyCommand, RefusesWhatTheCheckerDoesNotKnow) {
  expect_uncertified(R"(, "downscale_freq_shift": 1)", "an even d_model without downscale_freq_shift");
  expect_uncertified(R"(, "position_scale": 2)", "integer positions that are turned by as they are");
  expect_uncertified(R"(, "frequency": "linear", "first": 1, "last": 8)", "frequencies base^(-2i/d)");
  expect_uncertified(R"(, "base": 10000.00000000000000001)", "decimals or integers");
  expect_uncertified("", "found the contract float32-iterated", " --contract float32-iterated");
  folder_.write("good.npz", zip_bytes({{"encoding.npy", slurp("good.npy")}}));
  folder_.write("packed.json", sinusoidal_case("\"d_model\": 8", "good.npz"));
  EXPECT_EQ(run("validate packed.json").exit_code, 0);
  expect_refused("certify packed.json -o refused.json",
                 "found an .npz file for encoding, expected a .npy or");
  folder_.write(
      "other.json",
      R"({"name": "a", "spec": {"scheme": "alibi", "num_heads": 8}, "tensors": {"slopes": "a.npy"}})");
  folder_.write("a.npy", npy_bytes(tensor_of(Format::binary32, {8}, std::vector(8, 0.5))));
  expect_refused("certify other.json -o refused.json", "expected the scheme sinusoidal or rope");
}

TEST_F(CertifyCommand, KeepsItsInputs) {
  expect_refused("certify good.json -o good.npy", "good.npy");
}

}  // namespace
}  // namespace vernier
