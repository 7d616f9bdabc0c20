// The inverse frequencies and amplitudes of every RoPE model of the catalogue against the independent
// oracle's.
#include "reference/test/inverse_frequency_oracle.hpp"

#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <mpfi.h>

#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::Answer;
using oracle::Ball;
using oracle::integer_at;
using oracle::InverseFrequencies;
using oracle::Json;
using oracle::read;
using oracle::text_at;

/// The library's precision, and the relative width of an enclosure that counts as narrow: what overlaps and
/// is narrow agrees to 2^-99, well within 1e-15.
constexpr unsigned frequency_bits = 128;
constexpr slong narrow_frequency_bits = 100;
/// Whether both enclosures are narrow and overlap; zero has to be exactly zero.
bool frequencies_agree(const Interval& ours, const Ball& theirs) {
  const auto* ends = ours.backend().data();
  Ball ball;
  arb_set_interval_mpfr(ball.get(), &ends->left, &ends->right, 2 * mp_limb_signed_t{frequency_bits});
  if (arb_is_zero(theirs.get()) != 0) {
    return arb_is_zero(ball.get()) != 0;
  }
  return arb_rel_accuracy_bits(ball.get()) > narrow_frequency_bits &&
         arb_rel_accuracy_bits(theirs.get()) > narrow_frequency_bits &&
         arb_overlaps(ball.get(), theirs.get()) != 0;
}

struct FrequencyTally {
  std::size_t specs = 0;
  std::size_t numbers = 0;
  std::size_t disagreements = 0;
};

/// The frequencies and the amplitude of a library's encoding against the oracle's.
void compare(const Encoding& encoding, const Answer& theirs, FrequencyTally& tally) {
  const auto ours = encoding.plain_tables().front();
  ++tally.specs;
  tally.numbers += theirs.frequencies.size() + 1;
  if (ours.frequencies.pairs() != static_cast<int>(theirs.frequencies.size())) {
    tally.disagreements += theirs.frequencies.size() + 1;
    return;
  }
  for (int pair = 0; pair < ours.frequencies.pairs(); ++pair) {
    tally.disagreements +=
        frequencies_agree(ours.frequencies.at(pair), theirs.frequencies[static_cast<std::size_t>(pair)]) ? 0
                                                                                                         : 1;
  }
  tally.disagreements += frequencies_agree(enclose(ours.amplitude), theirs.amplitude) ? 0 : 1;
}

/// The lengths at which a spec is compared: its whole context, and where it depends on the length, both sides
/// of every switch and one beyond the context.
std::set<std::int64_t> lengths(const Json& spec) {
  const auto positions = integer_at(spec, "max_position_embeddings");
  std::set<std::int64_t> result{positions};
  if (spec.contains("rope_scaling")) {
    const auto& scaling = spec["rope_scaling"];
    const auto type = text_at(scaling, "rope_type", "");
    const auto original =
        std::stoll(text_at(scaling, "original_max_position_embeddings", std::to_string(positions)));
    if (type == "dynamic" || type == "dynamic_qwen" || type == "longrope") {
      result.insert({1, original - 1, original, original + 1, 2 * original, 2 * original + 1, 3 * positions});
    }
  }
  return result;
}

/// The library's encoding of a spec at a length.
std::unique_ptr<Encoding> at_length(LayerSpec layer_spec, std::int64_t length) {
  std::get<JsonValue::Object>(layer_spec.spec.value())
      .emplace_back("sequence_length", JsonValue(JsonValue::Number{std::to_string(length)}));
  return parse_spec(ObjectReader(layer_spec.spec, "oracle", ""));
}

/// Calls visit(model, layer spec, the oracle's own reading of that spec) for every RoPE spec of the
/// catalogue.
template <class Visit>
void for_each_rope(const Visit& visit) {
  const auto document = read(catalogue_text());
  std::size_t index = 0;
  for (const auto& model : catalogue()) {
    const auto& entry = document.at("models").at(index++);
    ASSERT_EQ(entry.at("id"), model.id);
    for (std::size_t layers = 0; layers < model.layer_specs.size(); ++layers) {
      const auto& spec = entry.at("specs").at(layers).at("spec");
      if (spec.at("scheme") == "rope") {
        visit(model, model.layer_specs[layers], spec);
      }
    }
  }
}

/// Every inverse frequency and every amplitude of the catalogue agrees with the oracle's to 2^-99.
TEST(InverseFrequencyOracle, AgreesOnEveryModel) {
  const WorkingPrecision precision(frequency_bits);
  FrequencyTally tally;
  std::map<std::string, int> types;
  for_each_rope([&](const CatalogueModel& model, const LayerSpec& layer_spec, const Json& spec) {
    for (const auto length : lengths(spec)) {
      const auto before = tally.disagreements;
      compare(*at_length(layer_spec, length), InverseFrequencies(spec, length).answer(), tally);
      EXPECT_EQ(tally.disagreements, before)
          << model.id << ", " << layer_spec.layers << ", length " << length << ": " << spec.dump();
    }
    ++types[spec.contains("rope_scaling") ? text_at(spec["rope_scaling"], "rope_type", "") : "none"];
  });
  std::cout << tally.specs << " specs at a length, " << tally.numbers << " numbers, " << tally.disagreements
            << " disagreements;";
  for (const auto& [type, count] : types) {
    std::cout << " " << type << " " << count;
  }
  std::cout << "\n";
  EXPECT_EQ(tally.disagreements, 0);
  EXPECT_GE(tally.specs, 200);
  flint_cleanup();
}

/// What no catalogued model asks of the formulas: other types, the keys that models leave out, and ramps that
/// are clamped at both ends or whose ends are carried past each other.
TEST(InverseFrequencyOracle, AgreesOnOtherScalings) {
  const WorkingPrecision precision(frequency_bits);
  const std::vector<std::string> scalings{
      R"({"rope_type": "ntk", "alpha": 8})",
      R"({"rope_type": "ntk_by_parts", "factor": 4, "original_max_position_embeddings": 2048})",
      R"({"rope_type": "ntk_by_parts", "factor": 2.5, "original_max_position_embeddings": 131072})",
      R"({"rope_type": "linear", "factor": 2.5})",
      R"({"rope_type": "dynamic", "factor": 2, "original_max_position_embeddings": 4096})",
      R"({"rope_type": "yarn", "original_max_position_embeddings": 2048})",
      R"({"rope_type": "yarn", "factor": null, "original_max_position_embeddings": 4096})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 4096, "clamp": "pairs"})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 1048576, "clamp": "pairs"})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 1048576, "truncate": false})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 100, "truncate": false})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 8192, "beta_fast": 2,
          "beta_slow": 2, "truncate": false})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 1073741824, "clamp": "pairs"})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 2, "beta_slow": 2})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 5, "truncate": false})",
      R"({"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 0.707,
          "mscale_all_dim": 1})",
      R"({"rope_type": "llama3", "factor": 7.5, "low_freq_factor": 0.3, "high_freq_factor": 20.1,
          "original_max_position_embeddings": 4096})",
      R"({"rope_type": "proportional", "factor": 3})",
      R"({"rope_type": "riflex", "pair": 0, "length": 77})",
      R"({"rope_type": "riflex", "pair": 47, "length": 1000})",
      R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 4096, "truncate": false,
          "extrapolation_factor": 0.3})",
      R"({"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 8192,
          "extrapolation_factor": 64})",
      R"({"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 8192,
          "extrapolation_factor": 0})",
      R"({"rope_type": "ntk_mixed", "factor": 16, "mixed_b": 0.625})",
      R"({"rope_type": "ntk_mixed", "factor": 5})",
      R"({"rope_type": "longrope", "short_factor": [1, 1.1, 1.25, 2], "long_factor": [1, 2, 4, 8.01],
          "original_max_position_embeddings": 4096})",
      R"({"rope_type": "longrope", "short_factor": [1, 1.1, 1.25, 2], "long_factor": [1, 2, 4, 8.01],
          "original_max_position_embeddings": 4096, "factor": 5, "attention_factor": 1.19})",
  };
  FrequencyTally tally;
  for (const auto& scaling : scalings) {
    const std::string head_dim = scaling.find("longrope") != std::string::npos ? "8" : "96";
    const auto text = std::string(R"({"scheme": "rope", "rope_theta": 10000.5, "head_dim": )") + head_dim +
                      R"(, "max_position_embeddings": 32768, "rope_scaling": )" + scaling + "}";
    const auto spec = read(text);
    const LayerSpec layer_spec{.layers = "all", .spec = parse_json(text, "oracle")};
    for (const auto length : lengths(spec)) {
      const auto before = tally.disagreements;
      compare(*at_length(layer_spec, length), InverseFrequencies(spec, length).answer(), tally);
      EXPECT_EQ(tally.disagreements, before) << text << ", length " << length;
    }
  }
  flint_cleanup();
}

/// Whether two narrow balls are of one number.
bool are_same(const Ball& a, const Ball& b) {
  return arb_overlaps(a.get(), b.get()) != 0;
}

/// Frequencies by a ramp, and which pairs it leaves, blends and divides.
void compare_ramp(const std::string& text, FrequencyTally& tally, std::map<PairTreatment, int>& treated) {
  const auto before = tally.disagreements;
  const auto encoding = parsed(text);
  auto spec = read(text);
  const auto theirs = InverseFrequencies(spec, 1).answer();
  compare(*encoding, theirs, tally);
  EXPECT_EQ(tally.disagreements, before) << text;
  const bool is_yarn = spec["rope_scaling"]["rope_type"] == "yarn";
  const Ball factor(text_at(spec["rope_scaling"], "factor", ""));
  spec.erase("rope_scaling");
  const auto plain = InverseFrequencies(spec, 1).answer();
  const auto frequencies = encoding->plain_tables().front().frequencies;
  for (std::size_t i = is_yarn ? 0 : 1; i < plain.frequencies.size(); ++i) {
    const auto treatment = frequencies.scaled()->treatment(static_cast<int>(i));
    const auto& w = theirs.frequencies[i];
    EXPECT_EQ(treatment == PairTreatment::unchanged, are_same(w, plain.frequencies[i]))
        << text << ", pair " << i;
    // The last pair of NTK is divided by the factor too.
    EXPECT_TRUE(!is_yarn ||
                (treatment == PairTreatment::divided) == are_same(w * factor, plain.frequencies[i]))
        << text << ", pair " << i;
    ++treated[treatment];
  }
}

/// Ramps far beyond those of any model: their ends are clamped, coincide, and are carried past each other.
TEST(InverseFrequencyOracle, AgreesOnDrawnRamps) {
  const WorkingPrecision precision(frequency_bits);
  FrequencyTally tally;
  std::map<PairTreatment, int> treated;
  std::mt19937_64 engine(test_seed());
  const auto between = [&](std::uint64_t least, std::uint64_t greatest) {
    return least + engine() % (greatest - least + 1);
  };
  const auto of_any_size = [&](int bits) { return 2 + (engine() >> (64 - between(1, bits))); };
  for (int draw = 0; draw < 400; ++draw) {
    const auto slow = between(1, 64);
    const auto fast = slow * (between(0, 9) == 0 ? 1 : between(2, 64));
    auto scaling = fmt::format(R"("factor": {}, "original_max_position_embeddings": {})",
                               static_cast<double>(between(5, 256)) / 4, of_any_size(30));
    scaling += draw % 4 == 0 ? R"(, "rope_type": "ntk_by_parts")"
                             : fmt::format(R"(, "rope_type": "yarn", "beta_slow": {}, "beta_fast": {},
                                               "truncate": {}, "clamp": "{}")",
                                           static_cast<double>(slow) / 4, static_cast<double>(fast) / 4,
                                           between(0, 2) > 0, between(0, 2) > 0 ? "rotary_dim" : "pairs");
    compare_ramp(fmt::format(R"({{"scheme": "rope", "head_dim": {}, "rope_theta": {},
                                       "rope_scaling": {{{}}}}})",
                             2 * between(2, 128), of_any_size(26), scaling),
                 tally, treated);
  }
  for (const auto treatment : {PairTreatment::unchanged, PairTreatment::blended, PairTreatment::divided}) {
    EXPECT_GT(treated[treatment], 1000);
  }
  flint_cleanup();
}

/// The comparison is sharp: a base that is off by one part in 10^27 is seen on every model.
TEST(InverseFrequencyOracle, SeesABaseThatIsHardlyOff) {
  const WorkingPrecision precision(frequency_bits);
  for_each_rope([&](const CatalogueModel& model, const LayerSpec& layer_spec, const Json& spec) {
    auto changed = spec;
    const auto base = text_at(spec, "rope_theta", "10000");
    changed["rope_theta"] =
        base + (base.find('.') == std::string::npos ? "." : "") + std::string(20, '0') + "1";
    const auto length = integer_at(spec, "max_position_embeddings");
    FrequencyTally tally;
    compare(*at_length(layer_spec, length), InverseFrequencies(changed, length).answer(), tally);
    EXPECT_GT(tally.disagreements, 0) << model.id << ", " << layer_spec.layers;
  });
  flint_cleanup();
}

/// One key of a model's scaling, and a value that it does not have.
struct Change {
  const char* model;
  const char* key;
  Json value;
};

/// Nor does a scaling pass for another: each of these changes, all of them mistakes that were made, is seen.
TEST(InverseFrequencyOracle, SeesAnotherScaling) {
  const WorkingPrecision precision(frequency_bits);
  const std::vector<Change> changes{
      {"llama-3.1-8b", "rope_type", "default"},
      {"llama-3.1-8b", "rope_type", "linear"},
      {"llama-3.1-8b", "low_freq_factor", "1.0000000000000001"},
      {"llama-3.2-1b", "factor", "8"},
      {"gpt-oss-20b", "truncate", true},
      {"gpt-oss-20b", "beta_fast", "32.00000000000001"},
      {"gpt-oss-20b", "attention_factor", "1"},
      {"deepseek-v3", "mscale", "0.707"},
      {"deepseek-v3", "original_max_position_embeddings", "163840"},
      {"devstral-2-123b-instruct", "mscale_all_dim", "1"},
      {"phi-3-mini-128k-instruct", "original_max_position_embeddings", "131072"},
      {"phi-3-mini-128k-instruct", "factor", "33"},
      {"phi-3.5-moe-instruct", "long_mscale", "1.2431631210161221"},
      {"hunyuan-a13b", "alpha", "1000.0000000000001"},
      {"deepseek-coder-6.7b", "rope_type", "default"},
      {"gemma-4-26b-a4b", "rope_type", "default"},
  };
  for (const auto& [id, key, value] : changes) {
    std::size_t seen = 0;
    for_each_rope([&, id = id, key = key, &value = value](const CatalogueModel& model,
                                                          const LayerSpec& layer_spec, const Json& spec) {
      if (model.id != id || !spec.contains("rope_scaling")) {
        return;
      }
      auto changed = spec;
      changed["rope_scaling"][key] = value;
      const auto length = integer_at(spec, "max_position_embeddings");
      FrequencyTally tally;
      compare(*at_length(layer_spec, length), InverseFrequencies(changed, length).answer(), tally);
      seen += tally.disagreements;
    });
    EXPECT_GT(seen, 0) << id << ", " << key << " " << value;
  }
  flint_cleanup();
}

}  // namespace
}  // namespace vernier
