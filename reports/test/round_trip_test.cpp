// Vernier's own certified tables, and tables computed in the ways that honest code computes them, are never
// refused: every scheme, type and default contract, short lengths and usual widths.

#include <cmath>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/reference_tensor.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

/// A spec or two of every scheme.
const std::vector<std::string> specs{
    R"({"scheme":"sinusoidal","d_model":8})",
    R"({"scheme":"sinusoidal","d_model":33,"layout":"halves","frequency":"tensor2tensor","scale":3})",
    R"({"scheme":"rope","head_dim":8})",
    R"({"scheme":"rope","head_dim":64,"rope_theta":500000})",
    R"({"scheme":"rope","head_dim":128,"rope_theta":1000000,"partial_rotary_factor":0.5})",
    R"({"scheme":"rope","head_dim":32,"rope_scaling":{"rope_type":"linear","factor":3}})",
    R"({"scheme":"rope","head_dim":64,"rope_theta":500000,"max_position_embeddings":131072,"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}})",
    R"({"scheme":"rope","head_dim":64,"rope_scaling":{"rope_type":"yarn","factor":4,"original_max_position_embeddings":4096}})",
    R"({"scheme":"axial_rope","head_dim":32,"grid_width":16,"reading":"pixtral"})",
    R"({"scheme":"xpos","head_dim":16,"sequence_length":256})",
    R"({"scheme":"alibi","num_heads":12})",
    R"({"scheme":"alibi","num_heads":16,"bias":"distance"})",
    R"({"scheme":"t5_bucket"})",
    R"({"scheme":"deberta_bucket"})",
    R"({"scheme":"deberta_span"})",
    R"({"scheme":"shaw","max_relative_position":16})",
    R"({"scheme":"transformer_xl","d_model":16})",
    R"({"scheme":"sine_only","d_model":12,"reading":"descending"})",
    R"({"scheme":"sine_powers_of_two","d_model":12})",
    R"({"scheme":"frequency_list","frequencies":["1/3",0.7,2]})",
    R"({"scheme":"frequency_family","d_model":12,"family":"power","exponent":2})",
    R"({"scheme":"scaled_sinusoid","d_model":12,"divisor":100})",
    R"({"scheme":"integer_index"})",
    R"({"scheme":"normalised","length":300,"reading":"zero_to_one"})",
    R"({"scheme":"binary","bits":9})",
    R"({"scheme":"learned","values":[[0.1,"1/3"],[2,3],[4,5.5]]})",
    R"({"scheme":"one_hot","num_positions":300})",
    R"({"scheme":"none","d_model":4})",
};

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  return parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", ""));
}

/// The rows from position 0 that the encoding has, at most so many.
std::size_t rows_of(const Encoding& encoding, std::size_t most) {
  for (const auto& table : encoding.values()) {
    if (table.last_position) {
      most = std::min(most, static_cast<std::size_t>(*table.last_position + 1));
    }
  }
  return most;
}

Tensor certified(const TrigTable& table, const PositionRange& range, Format format) {
  auto truth = certified_table_for(table, positions_from(range.first, static_cast<std::size_t>(range.count)));
  std::vector<Enclosure> row(table.columns.size());
  std::vector<double> values;
  for (std::int64_t r = 0; r < range.count; ++r) {
    truth.row(range.at(r), row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto value = rounded(format, row[c]);
      values.push_back(value ? *value : *correctly_rounded(format, table.entry(range.at(r), c)));
    }
  }
  return tensor_of(format, {static_cast<std::size_t>(range.count), row.size()}, values);
}

/// How a phase is computed before the sine is taken in double.
enum class Way { float32_product, unrounded_product, float64 };

double phase_by(Way way, std::int64_t position, double frequency) {
  const auto w = static_cast<float>(frequency);
  switch (way) {
    case Way::float32_product:
      return static_cast<double>(static_cast<float>(position) * w);
    case Way::unrounded_product:
      return static_cast<double>(position) * static_cast<double>(w);
    case Way::float64:
      break;
  }
  return static_cast<double>(position) * frequency;
}

Tensor computed(const TrigTable& table, const PositionRange& range, Format format, Way way) {
  std::vector<double> values;
  const double amplitude = approximately(table.amplitude);
  for (std::int64_t r = 0; r < range.count; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [pair, component] = table.columns[c];
      const double phase = phase_by(way, range.at(r), table.frequencies.approximate(pair));
      const double value = component == Component::sine ? std::sin(phase) : std::cos(phase);
      values.push_back(table.is_zero(range.at(r), c) ? 0 : round_to(format, amplitude * value));
    }
  }
  return tensor_of(format, {static_cast<std::size_t>(range.count), table.columns.size()}, values);
}

/// The exit code of a verdict on tensors that start at a position.
int judged(const std::string& spec, std::map<std::string, NamedTensor, std::less<>> tensors,
           std::int64_t first, std::size_t rows) {
  if (tensors.empty()) {
    return 0;
  }
  const auto positions = positions_from(first, rows);
  const auto bytes = std::as_bytes(std::span(positions));
  tensors.insert(
      {tensors.contains("buckets") ? "relative_positions" : "positions",
       {"positions", {ElementType::int64, {rows}, std::vector<std::byte>(bytes.begin(), bytes.end())}}});
  const CaseParts parts{"made", "made", "a test", std::move(tensors), std::nullopt};
  return exit_code(validate(assemble_case(parts, encoding_of(spec)), ""));
}

TEST(RoundTrip, KnowsEveryScheme) {
  std::set<std::string, std::less<>> known;
  for (const auto& spec : specs) {
    known.insert(std::string(encoding_of(spec)->scheme()));
  }
  for (const auto& scheme : schemes()) {
    EXPECT_TRUE(known.contains(scheme.name)) << scheme.name;
  }
}

TEST(RoundTrip, CertifiedTensorsAreNeverRefused) {
  std::mt19937_64 random(20170612);
  for (const auto& spec : specs) {
    const auto encoding = encoding_of(spec);
    for (const auto format : all_formats()) {
      for (const std::size_t most :
           {std::size_t{2}, std::size_t{3 + random() % 60}, std::size_t{64 + random() % 236}}) {
        const auto rows = rows_of(*encoding, most);
        const auto range = PositionRange{0, 1, static_cast<std::int64_t>(rows)};
        std::map<std::string, NamedTensor, std::less<>> tensors;
        for (const auto& table : encoding->tables()) {
          tensors.insert({table.role, {table.role, certified(table, range, format)}});
        }
        for (const auto& tensor : reference_tensors(*encoding, positions_from(0, rows), 0)) {
          const auto type = tensor.real ? element_type_of(format) : ElementType::int64;
          std::vector<std::byte> bytes;
          append_rounded(tensor, type, 0, tensor.elements(), bytes);
          tensors.insert({tensor.role, {tensor.role, {type, tensor.shape, std::move(bytes)}}});
        }
        EXPECT_NE(judged(spec, std::move(tensors), 0, rows), 1)
            << spec << " " << traits(format).name << ", " << rows << " rows";
      }
    }
  }
}

TEST(RoundTrip, HonestComputationsAreNeverRefused) {
  std::mt19937_64 random(20170613);
  for (const auto& spec : specs) {
    const auto encoding = encoding_of(spec);
    for (const auto way : {Way::float32_product, Way::unrounded_product, Way::float64}) {
      for (const auto format : all_formats()) {
        // float32 every time, the other formats that the way may be stored in by chance.
        const bool fits = format != Format::binary64 || way == Way::float64;
        if (encoding->tables().empty() || !fits || (format != Format::binary32 && random() % 2 == 0)) {
          continue;
        }
        for (const std::size_t rows : {std::size_t{2 + random() % 40}, std::size_t{40 + random() % 260}}) {
          const auto first = static_cast<std::int64_t>(random() % 3 == 0 ? random() % 100000 : 0);
          const auto range = PositionRange{first, 1, static_cast<std::int64_t>(rows)};
          std::map<std::string, NamedTensor, std::less<>> tensors;
          for (const auto& table : encoding->tables()) {
            tensors.insert({table.role, {table.role, computed(table, range, format, way)}});
          }
          EXPECT_NE(judged(spec, std::move(tensors), first, rows), 1)
              << spec << " " << traits(format).name << ", " << rows << " rows from " << first << ", way "
              << static_cast<int>(way);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vernier
