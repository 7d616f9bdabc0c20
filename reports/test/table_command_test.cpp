// `vernier table`, run as people run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST_F(Program, WritesACertifiedTable) {
  const auto written = run("table --spec spec.json --positions 0:10 -o table.npy");
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("encoding [10, 8] float32, every element correctly rounded"));
  const auto judged = run("validate --spec spec.json --encoding table.npy --contract correctly-rounded");
  EXPECT_EQ(judged.exit_code, 0) << judged.out;
}

TEST_F(Program, WritesASafetensorsFileWithItsSpec) {
  EXPECT_EQ(run("table --spec spec.json --positions 5:-6:-5 --dtype bfloat16 -o table.safetensors").exit_code,
            0);
  const auto bytes = slurp("table.safetensors");
  const auto header = nlohmann::json::parse(
      bytes.substr(8, static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1])));
  EXPECT_EQ(header["encoding"]["dtype"], "BF16");
  EXPECT_EQ(header["encoding"]["shape"], nlohmann::json({3, 8}));
  EXPECT_EQ(nlohmann::json::parse(header["__metadata__"]["spec"].get<std::string>())["d_model"], 8);
}

TEST_F(Program, RefusesTablesItCannotMake) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"--positions 0:0 -o x.npy", "found \"0:0\", expected at least one position"},
      {"--positions 0:2^31:0 -o x.npy", "a step that is not 0"},
      {"--positions 0:2147483650 -o x.npy", "expected positions from -2^31 to 2^31"},
      {"--positions seven -o x.npy", "expected A:B or A:B:STEP"},
      {"--positions 0:9 --dtype int8 -o x.npy",
       "float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz, int32 or int64"},
      {"--positions 0:9 --role cos -o x.npy", "expected encoding of 8 columns"},
      {"--positions 0:9 -o x.txt", "expected .npy or .safetensors"},
      {"--positions 0:9 -o missing/x.npy", "cannot be written"},
      {"--positions -2147483648:2147483649 --dtype float64 -o x.npy", "bytes free in"},
  };
  for (const auto& [arguments, sentence] : refused) {
    const auto conclusion = run("table --spec spec.json " + arguments);
    EXPECT_EQ(conclusion.exit_code, 2) << arguments;
    EXPECT_THAT(conclusion.err, HasSubstr(sentence)) << arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.npy"));
}

/// What `table` writes of values, biases and buckets, `validate` finds right, as it should: the one rounds
/// what the other judges.
TEST_F(Program, WritesValuesBiasesAndBucketsThatItFindsRight) {
  folder_.write("share.json", R"({"scheme": "normalised", "length": 9})");
  folder_.write("alibi.json", R"({"scheme": "alibi", "num_heads": 6, "bias": "distance"})");
  folder_.write("shaw.json", R"({"scheme": "shaw", "max_relative_position": 4})");
  const auto expect_told = [this](const std::string& command, const std::string& told) {
    const auto conclusion = run(command);
    EXPECT_EQ(conclusion.exit_code, 0) << command << conclusion.err;
    EXPECT_THAT(conclusion.out, HasSubstr(told)) << command;
  };
  const std::string held = " --contract correctly-rounded";
  expect_told("table --spec share.json --positions 0:9 -o share.npy",
              "encoding [9, 1] float32, every element correctly rounded");
  expect_told("validate --spec share.json --encoding share.npy" + held, "");
  expect_told("table --spec alibi.json --positions 0:1 -o slopes.npy", "slopes [6] float32");
  expect_told("validate --spec alibi.json --slopes slopes.npy" + held, "");
  expect_told("table --spec alibi.json --role bias --positions 0:7 -o flat.npy", "bias [6, 7] float32");
  expect_told("validate --spec alibi.json --bias flat.npy" + held, "");
  expect_told("table --spec alibi.json --role bias --queries 3 --positions 0:7 --dtype float16 -o deep.npy",
              "bias [6, 3, 7] float16");
  expect_told("validate --spec alibi.json --bias deep.npy" + held, "");
  expect_told("table --spec shaw.json --positions -9:10 --dtype int32 -o buckets.npy",
              "buckets [19] int32, every element exact");
}

TEST_F(Program, RefusesElementsThatTheirTypeCannotHold) {
  folder_.write("share.json", R"({"scheme": "normalised", "length": 9})");
  folder_.write("index.json", R"({"scheme": "integer_index"})");
  folder_.write("shaw.json", R"({"scheme": "shaw", "max_relative_position": 4})");
  folder_.write("alibi.json", R"({"scheme": "alibi", "num_heads": 6})");
  expect_refused("table --spec share.json --positions 0:9 --dtype int32 -o x.npy",
                 "encoding: found element 1 not to be an integer, expected int32");
  expect_refused("table --spec share.json --positions 0:10 -o x.npy", "found the position 9, expected one");
  expect_refused("table --spec index.json --positions 2^31:2147483649 --dtype int32 -o x.npy",
                 "encoding: found element 0 to be 2147483648, expected int32");
  expect_refused("table --spec index.json --positions 65520:65521 --dtype float16 -o x.npy",
                 "encoding: found element 0 beyond its greatest number, expected float16");
  expect_refused("table --spec shaw.json --positions 0:9 -o x.npy",
                 "buckets: found element 0 to be an index, expected float32");
  expect_refused("table --spec alibi.json --role bias --queries 8 --positions 0:7 -o x.npy",
                 "found 8 queries, expected no more than the 7 positions of the keys");
  expect_refused("table --spec spec.json --positions 0:9 --dtype int32 -o x.npy",
                 "float8_e4m3fnuz or float8_e5m2fnuz for sines");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.npy"));
}

/// 1000 is beyond all formats of eight bits but those with five bits of exponent, and 65536 beyond those.
TEST_F(Program, RefusesTablesBeyondTheGreatestNumberUnlessTheOverflowIsDeclared) {
  folder_.write("large.json", R"({"scheme": "sinusoidal", "d_model": 4, "scale": 65536})");
  folder_.write("axes.json", R"({"scheme": "sinusoidal", "scale": 65536, "axes": [{"dims": 2}, {"dims": 2}],
                                 "grid": [2]})");
  const auto table = [](const std::string& spec, const std::string& dtype, const std::string& more = "") {
    return fmt::format("table --spec {} --positions 0:4 -o x.npy --dtype {}{}", spec, dtype, more);
  };
  const auto saturated = " --quantization '{\"overflow\": \"saturate\"}'";
  for (const std::string dtype :
       {"float16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"}) {
    std::filesystem::remove(folder_.path() / "x.npy");
    expect_refused(table("large.json", dtype), "encoding: found 65536 at position 0, column 1, beyond");
    expect_refused(table("axes.json", dtype), "encoding: found element 1 beyond its greatest number");
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.npy"));
    for (const std::string spec : {"large.json", "axes.json"}) {
      if (dtype == "float16") {
        expect_refused(table(spec, dtype, saturated), "expected a format of eight bits");
        continue;
      }
      const auto format = *traits(*element_type_named(dtype)).format;
      EXPECT_EQ(run(table(spec, dtype, saturated)).exit_code, 0) << dtype;
      const auto bytes = slurp("x.npy");
      for (std::size_t i = 0; i < 16; ++i) {
        const auto bits = static_cast<unsigned char>(bytes[bytes.size() - 16 + i]);
        EXPECT_TRUE(std::isfinite(decode_bits(format, bits))) << dtype << ", " << i;
      }
      EXPECT_EQ(decode_bits(format, static_cast<unsigned char>(bytes[bytes.size() - 15])),
                traits(format).largest());
    }
  }
  // Of position 2 the cosine is negative.
  EXPECT_EQ(run(table("large.json", "float8_e4m3fn", saturated)).exit_code, 0);
  const auto bytes = slurp("x.npy");
  EXPECT_EQ(decode_bits(Format::float8_e4m3fn, static_cast<unsigned char>(bytes[bytes.size() - 16 + 9])),
            -448);
  EXPECT_EQ(run(table("large.json", "float8_e5m2", " --quantization '{\"scale\": 0.5}'")).exit_code, 0);
  EXPECT_EQ(
      run(table("large.json", "float8_e5m2", " --quantization '{\"overflow\": \"infinity\"}'")).exit_code, 0);
  expect_refused(table("large.json", "float8_e4m3fn", " --quantization '{\"overflow\": \"infinity\"}'"),
                 "quantization.overflow: found \"infinity\", expected \"saturate\" or \"nan\"");
  folder_.write("alibi.json", R"({"scheme": "alibi", "num_heads": 6})");
  expect_refused(table("alibi.json", "float8_e5m2", saturated),
                 "quantization: found slopes, expected sines or cosines");
}

/// A row of padding and sines that no column holds may be beyond it.
TEST_F(Program, WritesTablesOfWhichNoElementIsBeyondTheGreatestNumber) {
  folder_.write("padded.json", R"({"scheme": "sinusoidal", "d_model": 2, "scale": 500, "padding_idx": 0})");
  EXPECT_EQ(run("table --spec padded.json --positions 0:2 -o x.npy --dtype float8_e4m3fn").exit_code, 0);
}

}  // namespace
}  // namespace vernier
