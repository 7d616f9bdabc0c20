#include "reports/test/property_faults.hpp"

#include <cmath>

#include "reference/numbers/format.hpp"

namespace vernier::staged {
namespace {

constexpr auto t5 = R"({"scheme": "t5_bucket"})";
constexpr auto t5_causal = R"({"scheme": "t5_bucket", "bidirectional": false})";
constexpr auto deberta = R"({"scheme": "deberta_bucket", "bucket_size": 64, "max_position": 128})";
constexpr auto deberta_clamped =
    R"({"scheme": "deberta_bucket", "bucket_size": 64, "max_position": 128, "clamp": true})";
constexpr auto span = R"({"scheme": "deberta_span", "max_relative_positions": 64})";
constexpr auto shaw = R"({"scheme": "shaw", "max_relative_position": 16})";
constexpr auto alibi = distances;
constexpr auto alibi_keys = R"({"scheme": "alibi", "num_heads": 8})";
constexpr auto alibi_last = R"({"scheme": "alibi", "num_heads": 8, "bias": "distance_to_last"})";
constexpr auto alibi_twelve = R"({"scheme": "alibi", "num_heads": 12})";
constexpr auto transformer_xl = R"({"scheme": "transformer_xl", "d_model": 16})";
constexpr auto sinusoidal = R"({"scheme": "sinusoidal", "d_model": 16})";
constexpr auto llama3 = R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "llama3",
    "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})";
constexpr auto yarn = R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "yarn",
    "factor": 4, "original_max_position_embeddings": 256}})";
constexpr auto mrope = R"({"scheme": "rope", "head_dim": 16,
    "rope_scaling": {"rope_type": "default", "mrope_section": [2, 3, 3]}})";
constexpr auto pixtral = R"({"scheme": "axial_rope", "head_dim": 16, "grid_width": 20})";
constexpr auto llama4 = R"({"scheme": "axial_rope", "head_dim": 16, "grid_width": 20,
    "reading": "llama4_vision"})";
constexpr auto xpos = R"({"scheme": "xpos", "head_dim": 16, "sequence_length": 400})";

std::int64_t magnitude(std::int64_t r) {
  return r < 0 ? -r : r;
}

}  // namespace

const std::vector<const char*>& all_specs() {
  static const std::vector<const char*> all{
      t5,           t5_causal,      deberta,    deberta_clamped, span, shaw,  alibi,   alibi_keys, alibi_last,
      alibi_twelve, transformer_xl, sinusoidal, llama3,          yarn, mrope, pixtral, llama4,     xpos};
  return all;
}

const std::map<std::string, std::vector<const char*>>& owners() {
  static const std::map<std::string, std::vector<const char*>> all{
      {"bucket-order", {t5, t5_causal, deberta, deberta_clamped, span, shaw}},
      {"bucket-saturation", {t5, t5_causal, deberta_clamped, span, shaw}},
      {"bucket-antisymmetry", {deberta, deberta_clamped, shaw}},
      {"bucket-sides", {t5, t5_causal, deberta, deberta_clamped, span, shaw}},
      {"bias-line", {alibi, alibi_keys, alibi_last, alibi_twelve}},
      {"decay", {alibi, alibi_keys, alibi_last, alibi_twelve}},
      {"bias-zero", {alibi, alibi_last}},
      {"bias-ratio", {alibi, alibi_keys, alibi_last}},
      {"offset-only",
       {t5, t5_causal, deberta, deberta_clamped, span, shaw, alibi, transformer_xl, sinusoidal, llama3, yarn,
        mrope, pixtral, llama4, xpos}},
      {"own-position", {mrope, pixtral, llama4}},
      {"constant-norm", {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos}},
      {"keys-undo-queries", {xpos}},
  };
  return all;
}

std::vector<Fault> faults() {
  // Honest, but for one stage.
  const auto with = [](auto stage) {
    return [stage](auto make) {
      Stages stages;
      stages.*stage = make;
      return stages;
    };
  };
  const auto bucket = with(&Stages::bucket);
  const auto bias = with(&Stages::multiplier);
  const auto slope = with(&Stages::slope);
  const auto turned = with(&Stages::turned_by);
  const auto finished = with(&Stages::finish);
  const auto keys = with(&Stages::key_scale);
  using Rule = const BucketRule&;
  return {
      {"the second half of the rows is one further",
       "offset-only",
       {t5, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t i) { return rule(i < 401 ? r : r + 1).index; })},
      {"every third row is query minus key",
       "offset-only",
       {t5, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t i) { return rule(i % 3 == 0 ? -r : r).index; })},
      {"relative positions wrap at 64",
       "bucket-order",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r % 64).index; })},
      {"far distances are halved",
       "bucket-order",
       {t5, t5_causal, deberta},
       bucket(
           [](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r) < 60 ? r : r / 2).index; })},
      {"far distances are counted from the clip",
       "bucket-order",
       {shaw, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) {
         return rule(magnitude(r) < 120 ? r : r / 40).index;
       })},
      {"no clip",
       "bucket-saturation",
       {t5, shaw, deberta_clamped, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index + r / 150; })},
      {"the last bucket is split",
       "bucket-saturation",
       {t5, t5_causal, shaw, deberta_clamped, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index + (r < -180 ? 1 : 0); })},
      {"rounded down on both sides",
       "bucket-antisymmetry",
       {deberta, deberta_clamped, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index - (r < -10 ? 1 : 0); })},
      {"the sign is lost",
       "bucket-antisymmetry",
       {deberta, deberta_clamped, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r)).index; })},
      {"the sign is lost",
       "bucket-sides",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r)).index; })},
      {"far keys ahead count as behind",
       "bucket-sides",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r > 90 ? -r : r).index; })},
      {"the key's position for the distance",
       "offset-only",
       {alibi},
       bias([](std::int64_t, std::int64_t key, double) { return static_cast<double>(key); })},
      {"the distance as a share of the query's",
       "offset-only",
       {alibi},
       bias([](std::int64_t query, std::int64_t, double honest) {
         return honest / static_cast<double>(query + 1);
       })},
      {"positions in bfloat16",
       "bias-line",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return round_to(Format::bfloat16, honest); })},
      {"the logarithm of the distance",
       "bias-line",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) {
         return std::copysign(std::log1p(std::fabs(honest)), honest);
       })},
      {"the other sign",
       "decay",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return -honest; })},
      {"distances wrap at 256",
       "decay",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return std::fmod(honest, 256); })},
      {"distances from 1",
       "bias-zero",
       {alibi, alibi_last},
       bias([](std::int64_t, std::int64_t, double honest) { return honest - 1; })},
      {"the key's position for the distance",
       "bias-zero",
       {alibi, alibi_last},
       bias([](std::int64_t, std::int64_t key, double) { return static_cast<double>(key); })},
      {"slopes on a straight line",
       "bias-ratio",
       {alibi, alibi_keys, alibi_last},
       slope([](std::size_t head, std::size_t heads, double) {
         return 0.5 * static_cast<double>(heads - head) / static_cast<double>(heads);
       })},
      {"every other head first",
       "bias-ratio",
       {alibi, alibi_keys, alibi_last},
       slope([](std::size_t head, std::size_t heads, double) {
         const auto place = 2 * head % heads + 2 * head / heads;
         return std::exp2(-1.0 - static_cast<double>(place));
       })},
      {"positions wrap at 100",
       "offset-only",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         return std::fmod(static_cast<double>(token[stream]), token.size() == 2 ? 7.0 : 100.0);
       })},
      {"positions grow like their square",
       "offset-only",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         const auto p = static_cast<double>(token[stream]);
         return p + p * p / 1000;
       })},
      {"the other axis",
       "own-position",
       {mrope, pixtral, llama4},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         return static_cast<double>(token[token.size() - 1 - stream]);
       })},
      {"the sum of the axes",
       "own-position",
       {mrope, pixtral, llama4},
       turned([](const std::vector<std::int64_t>& token, std::size_t) {
         double sum = 0;
         for (const auto position : token) {
           sum += static_cast<double>(position);
         }
         return sum;
       })},
      {"cosines one per mille too long",
       "constant-norm",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       finished([](double value, double, bool is_cosine) { return is_cosine ? value * 1.001 : value; })},
      {"elements grow with the position",
       "constant-norm",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       finished([](double value, double position, bool) { return value * (1 + position / 1000); })},
      {"keys scaled like queries", "keys-undo-queries", {xpos}, keys([](double query) { return query; })},
      {"keys not scaled", "keys-undo-queries", {xpos}, keys([](double) { return 1.0; })},
  };
}

}  // namespace vernier::staged
