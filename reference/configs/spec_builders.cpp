#include <algorithm>
#include <array>
#include <cassert>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"

namespace vernier {
namespace {

using Members = JsonValue::Object;

constexpr std::int64_t largest_count = std::int64_t{1} << 30;

void add_constants(QuantityReader& reader, Members& spec) {
  for (const auto& [key, value] : reader.rules().spec) {
    spec.emplace_back(key, value);
  }
}

void add_integer(QuantityReader& reader, Members& spec, const std::string& key, std::string_view quantity) {
  spec.emplace_back(key, integer_value(reader.integer(quantity, 1, largest_count)));
}

void add_alibi(QuantityReader& reader, Members& spec) {
  add_integer(reader, spec, "num_heads", "num_attention_heads");
  add_constants(reader, spec);
  if (const auto max_bias = reader.value("max_bias")) {
    spec.emplace_back("max_bias", max_bias->value);
  }
}

void add_t5_bucket(QuantityReader& reader, Members& spec) {
  add_integer(reader, spec, "num_buckets", "num_buckets");
  add_integer(reader, spec, "max_distance", "max_distance");
  add_constants(reader, spec);
}

/// DeBERTa's reach: max_relative_positions where it is positive, else the longest input.
std::int64_t deberta_reach(QuantityReader& reader) {
  const auto reach = reader.integer("max_relative_positions", -1, largest_count);
  return reach >= 1 ? reach : reader.integer("max_position_embeddings", 1, largest_count);
}

void add_deberta_span(QuantityReader& reader, Members& spec) {
  spec.emplace_back("max_relative_positions", integer_value(deberta_reach(reader)));
}

/// Buckets if the configuration has any, else the span of the first DeBERTa.
void add_deberta_bucket(QuantityReader& reader, Members& spec) {
  const auto buckets = reader.integer("position_buckets", -1, largest_count);
  if (buckets < 1) {
    spec.front().second = JsonValue(std::string("deberta_span"));
    return add_deberta_span(reader, spec);
  }
  spec.emplace_back("bucket_size", integer_value(buckets));
  spec.emplace_back("max_position", integer_value(deberta_reach(reader)));
}

/// fairseq's rows start after the one of padding_idx, which is zero.
void add_sinusoidal(QuantityReader& reader, Members& spec) {
  add_integer(reader, spec, "d_model", "hidden_size");
  add_constants(reader, spec);
  if (member_of(reader.rules().defaults, "padding_idx") != nullptr) {
    const auto padding = reader.integer("padding_idx", 0, largest_count);
    spec.emplace_back("first_position", integer_value(padding + 1));
    spec.emplace_back("padding_idx", integer_value(padding));
  }
}

void add_transformer_xl(QuantityReader& reader, Members& spec) {
  add_integer(reader, spec, "d_model", "hidden_size");
  const auto clamp = reader.integer("clamp_len", -1, largest_count);
  if (clamp > 0) {
    spec.emplace_back("clamp_len", integer_value(clamp));
  }
}

void add_none(QuantityReader& reader, Members& spec) {
  spec.emplace_back("d_model", integer_value(model_width(reader)));
}

struct SpecBuilder {
  std::string_view scheme;
  void (*add)(QuantityReader& reader, Members& spec);
};

constexpr std::array builders{
    SpecBuilder{"alibi", add_alibi},
    SpecBuilder{"t5_bucket", add_t5_bucket},
    SpecBuilder{"deberta_bucket", add_deberta_bucket},
    SpecBuilder{"deberta_span", add_deberta_span},
    SpecBuilder{"sinusoidal", add_sinusoidal},
    SpecBuilder{"transformer_xl", add_transformer_xl},
    SpecBuilder{"none", add_none},
};

}  // namespace

std::int64_t model_width(QuantityReader& reader) {
  const bool by_heads = !reader.stated("hidden_size") &&
                        member_of(reader.rules().defaults, "hidden_size") == nullptr &&
                        reader.value("head_dim");
  return by_heads ? read_head_dim(reader) * reader.integer("num_attention_heads", 1, std::int64_t{1} << 20)
                  : reader.integer("hidden_size", 1, largest_count);
}

namespace {

/// Whether a list of bases has 0 for the layers that are read, which then do not rotate.
bool is_unrotated(QuantityReader& reader) {
  if (reader.rules().encoding != "rope") {
    return false;
  }
  auto& config = reader.config();
  auto base = config.find("layer_rope_theta");
  for (const auto& name : reader.names_of("rope_theta")) {
    base = base ? base : config.find(name);
  }
  return base && base->path.ends_with("]") && config.number(*base) == 0;
}

}  // namespace

JsonValue spec_of_rules(QuantityReader& reader, const std::string& kind) {
  const auto scheme = is_unrotated(reader) ? std::string("none") : reader.rules().encoding;
  if (scheme == "rope") {
    return rope_spec(reader, kind);
  }
  if (scheme == "axial_rope") {
    return axial_rope_spec(reader);
  }
  if (scheme == "sinusoidal" && member_of(reader.rules().spec, "axes_shares") != nullptr) {
    return sinusoidal_axes_spec(reader);
  }
  const auto* builder = std::ranges::find(builders, scheme, &SpecBuilder::scheme);
  assert(builder != builders.end());  // the data files name no other
  Members spec{{"scheme", JsonValue(scheme)}};
  builder->add(reader, spec);
  return JsonValue(std::move(spec));
}

}  // namespace vernier
