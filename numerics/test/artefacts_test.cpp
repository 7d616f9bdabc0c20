// Files of models: what their readers find, and that nothing in a file is trusted.

#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/artefacts/gguf.hpp"
#include "numerics/artefacts/onnx.hpp"
#include "numerics/artefacts/torch_file.hpp"
#include "numerics/test/made_artefacts.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<float> four_floats{1.0F, 0.5F, 0.25F, 0.125F};
const std::string artefact_name = "model";

std::shared_ptr<const std::string> owned(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

Gguf read_gguf_bytes(const std::string& bytes) {
  const auto owner = owned(bytes);
  return {std::as_bytes(std::span(*owner)), owner, artefact_name};
}

Onnx read_onnx_bytes(const std::string& bytes) {
  const auto owner = owned(bytes);
  return {std::as_bytes(std::span(*owner)), owner, artefact_name};
}

std::vector<StoredTensor> read_archive_bytes(const std::string& bytes) {
  const auto owner = owned(bytes);
  const ZipArchive archive(std::as_bytes(std::span(*owner)), artefact_name);
  return is_torch_archive(archive) ? torch_tensors(archive, owner, artefact_name)
                                   : npz_tensors(archive, owner, artefact_name);
}

std::string small_gguf(std::uint32_t version = 3) {
  return gguf_bytes({{"general.architecture", std::string("llama")},
                     {"llama.rope.freq_base", 500000.0F},
                     {"llama.context_length", std::uint32_t{4096}},
                     {"llama.rope.dimension_sections", std::vector<std::int32_t>{16, 24, 24, 0}}},
                    {{"rope_freqs.weight", {1, 1, 2, 8}}, {"output_norm.weight", {7, 7}}}, version);
}

std::string small_onnx() {
  return onnx_bytes(
      {onnx_tensor("cos_cache", {2, 2}, four_floats), onnx_tensor("sin_cache", {2, 2}, four_floats)},
      {{"interleaved", 1}, {"rotary_embedding_dim", 4}});
}

std::string small_npz() {
  return zip_bytes({{"inv_freq.npy", npy_bytes(npy_header("<f4", "(4,)"), float_bytes(four_floats))}});
}

TEST(GgufFile, GivesMetadataAndDenseTensors) {
  for (const std::uint32_t version : {2U, 3U}) {
    const auto file = read_gguf_bytes(small_gguf(version));
    EXPECT_EQ(file.version(), version);
    EXPECT_EQ(std::get<double>(file.metadata().at("llama.rope.freq_base")), 500000);
    EXPECT_EQ(std::get<std::string>(file.metadata().at("general.architecture")), "llama");
    EXPECT_THAT(std::get<Gguf::Array>(file.metadata().at("llama.rope.dimension_sections")).numbers,
                ElementsAre(16, 24, 24, 0));
    ASSERT_EQ(file.tensors().size(), 2U);
    EXPECT_EQ(file.tensors()[0].tensor->number(3), 8);
    EXPECT_EQ(file.tensors()[1].tensor->number(1), 7);
  }
}

TEST(GgufFile, RefusesWhatItCannotRead) {
  const auto refusal = [](const std::string& bytes) { return refusal_of([&] { read_gguf_bytes(bytes); }); };
  EXPECT_THAT(refusal("GGML"), HasSubstr("expected those of a GGUF file"));
  EXPECT_THAT(refusal(gguf_bytes({}, {}, 1)), HasSubstr("found GGUF version 1, expected 2 or 3"));
  EXPECT_THAT(refusal(small_gguf().substr(0, 70)), StartsWith("model: found "));
  auto long_array = gguf_bytes({{"a", std::vector<std::int32_t>{}}});
  const auto length = std::uint64_t{1} << 60;
  std::memcpy(&long_array[24 + 9 + 8], &length, sizeof length);
  EXPECT_THAT(refusal(long_array), HasSubstr("found an array of 1152921504606846976 values"));
  EXPECT_THAT(refusal(gguf_bytes({{"a", 1.0F}, {"a", 2.0F}})), HasSubstr("found the key twice"));
}

TEST(OnnxFile, GivesInitialisersAndTheAttributesOfRotations) {
  const auto file = read_onnx_bytes(small_onnx());
  ASSERT_EQ(file.tensors().size(), 2U);
  EXPECT_EQ(file.tensors()[0].name, "cos_cache");
  EXPECT_EQ(file.tensors()[0].shape, (Shape{2, 2}));
  EXPECT_EQ(file.tensors()[1].tensor->number(1), 0.5);
  ASSERT_EQ(file.rotations().size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(file.rotations()[0].attributes.at("rotary_embedding_dim")), 4);
  EXPECT_THAT(file.rotations()[0].inputs, ElementsAre("q", "position_ids", "cos_cache", "sin_cache"));
}

TEST(OnnxFile, GivesDataOfAFileBesideIt) {
  const TemporaryFolder folder;
  folder.write("model.onnx_data", float_bytes(four_floats));
  const auto read = [&](const std::string& location, std::uint64_t offset, std::uint64_t length) {
    const auto owner = owned(onnx_bytes({onnx_tensor_outside(location, offset, length)}, {}));
    return Onnx(std::as_bytes(std::span(*owner)), owner, artefact_name, folder.path());
  };
  const auto file = read("model.onnx_data", 8, 8);
  ASSERT_EQ(file.tensors().size(), 1U);
  ASSERT_TRUE(file.tensors()[0].tensor.has_value());
  EXPECT_EQ(file.tensors()[0].tensor->number(0), 0.25);
  EXPECT_EQ(file.tensors()[0].tensor->number(1), 0.125);
  const auto without = read("absent", 0, 8);
  EXPECT_FALSE(without.tensors()[0].tensor.has_value());
  EXPECT_EQ(without.tensors()[0].obstacle, "its data are in \"absent\", which is missing");
  EXPECT_THAT(refusal_of([&] { read("model.onnx_data", 12, 8); }),
              HasSubstr("found 8 bytes of data from byte 12, expected them in a file of 16 bytes"));
  std::filesystem::create_symlink("/etc", folder.path() / "out");
  for (const auto* outside : {"../secret", "/etc/hostname", "a/../../secret", "out/hostname", "."}) {
    EXPECT_THAT(refusal_of([&] { read(outside, 0, 8); }),
                HasSubstr("expected a file in the folder of the model"))
        << outside;
  }
}

TEST(OnnxFile, RefusesWhatIsNoModel) {
  EXPECT_THAT(refusal_of([] { read_onnx_bytes("hello"); }), HasSubstr("bytes that are not an ONNX model"));
  std::string deep;
  for (int i = 0; i < 100; ++i) {
    deep = bytes_field(1, bytes_field(5, bytes_field(6, deep)));
  }
  EXPECT_THAT(refusal_of([&] { read_onnx_bytes(bytes_field(7, deep)); }), HasSubstr("at most 16 deep"));
}

TEST(TorchFile, GivesTheTensorsOfAPickleWithoutRunningIt) {
  const auto tensors = read_archive_bytes(torch_bytes("model.inv_freq", four_floats));
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "model.inv_freq");
  EXPECT_EQ(tensors[0].type, "float32");
  EXPECT_EQ(tensors[0].tensor->number(2), 0.25);
}

TEST(TorchFile, TellsTheCommandThatExportsWhatAPickleDoesBesides) {
  const auto archive = zip_bytes({{"a/data.pkl", "\x80\x02(iposix\nsystem\n."}});
  EXPECT_THAT(refusal_of([&] { read_archive_bytes(archive); }),
              AllOf(StartsWith("model: found a pickle that is not one of tensors"), HasSubstr("python3 -c")));
}

TEST(NpzFile, UnpacksWhatIsDeflated) {
  const auto whole = compressed_npz();
  const auto tensors = read_archive_bytes(whole);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "inv_freq");
  EXPECT_EQ(tensors[0].type, "float32");
  EXPECT_EQ(tensors[0].shape, (Shape{64, 4}));
  EXPECT_EQ(tensors[0].tensor->number(255), 0.125);
  auto off = whole;
  off[whole.size() / 3] = static_cast<char>(off[whole.size() / 3] ^ 1);
  EXPECT_THAT(refusal_of([&] { read_archive_bytes(off); }), HasSubstr("found bytes that do not unpack"));
}

TEST(NpzFile, GivesItsArraysAndNamesThoseThatArePackedInAnotherWay) {
  const auto tensors = read_archive_bytes(small_npz());
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "inv_freq");
  EXPECT_EQ(tensors[0].tensor->number(3), 0.125);
  const auto compressed = read_archive_bytes(zip_bytes({{"a.npy", "xyz"}}, 12));  // bzip2
  EXPECT_FALSE(compressed.at(0).tensor.has_value());
}

/// A few bytes of the file are others, or it ends early: numbers at their limits come often.
std::string mutated(std::string file, std::mt19937_64& random) {
  constexpr std::array limits{0, 1, 127, 128, 254, 255};
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (std::size_t i = 0, changes = 1 + below(4); i < changes; ++i) {
    file[below(file.size())] =
        static_cast<char>(below(2) == 0 ? limits[below(limits.size())] : static_cast<int>(below(256)));
  }
  if (below(4) == 0) {
    file.resize(below(file.size()));
  }
  return file;
}

TEST(ArtefactMutations, AreReadOrRefusedInOneSentence) {
  const char* wanted = std::getenv("VERNIER_MUTATED_HEADERS");
  const auto count = wanted == nullptr ? 4000 : std::atoi(wanted);
  const std::array<std::pair<std::string, void (*)(const std::string&)>, 5> readers{{
      {small_gguf(), [](const std::string& bytes) { read_gguf_bytes(bytes); }},
      {small_onnx(), [](const std::string& bytes) { read_onnx_bytes(bytes); }},
      {torch_bytes("model.inv_freq", four_floats),
       [](const std::string& bytes) { read_archive_bytes(bytes); }},
      {small_npz(), [](const std::string& bytes) { read_archive_bytes(bytes); }},
      {compressed_npz(), [](const std::string& bytes) { read_archive_bytes(bytes); }},
  }};
  std::mt19937_64 random(50);
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const auto& [file, read] = readers[static_cast<std::size_t>(i) % readers.size()];
    const auto bytes = mutated(file, random);
    const auto sentence = refusal_of([&, reader = read] { reader(bytes); });
    refused += sentence.empty() ? 0 : 1;
    ASSERT_TRUE(sentence.empty() || sentence.starts_with("model: ")) << sentence;
    ASSERT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  EXPECT_GT(refused, count / 4);
}

}  // namespace
}  // namespace vernier
