#include "props/matrix/models/linear_bias_model.hpp"
#include "props/matrix/models/offset_score.hpp"
#include "props/matrix/models/rotary_score.hpp"
#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"
#include "reference/joint_table.hpp"

namespace vernier {
namespace {

MatrixMember rotary(const std::string& name, const RotaryScore::Pairs& query, const RotaryScore::Pairs& key) {
  const auto spec = R"({"scheme": "rope", "head_dim": )" + std::to_string(2 * query.size()) + "}";
  return {name,
          [query, key, spec] {
            return std::make_unique<RotaryScore>(joint_table(*encoding_of(spec)), query, key);
          },
          spec};
}

MatrixMember alibi(const std::string& bias) {
  const auto spec = R"({"scheme": "alibi", "num_heads": 12, "bias": ")" + bias + R"("})";
  return {bias,
          [spec] { return std::make_unique<LinearBiasModel>(encoding_of(spec)->all<BiasTable>().back()); },
          spec};
}

}  // namespace

std::vector<MatrixRow> relative_rows() {
  const RotaryScore::Pairs alike(4, {1, 0});
  const std::string transformer_xl = R"({"scheme": "transformer_xl", "d_model": 4})";
  return {
      {"rope",
       "RoPE",
       {rotary("q = k", {{3, 1}, {2, -1}}, {{3, 1}, {2, -1}}),
        rotary("q, k in general", {{3, 1}, {2, -1}}, {{1, 2}, {-2, 4}}),
        rotary("q = k alike in 4 pairs, which is the sinusoid's score", alike, alike)}},
      {"alibi", "ALiBi", {alibi("distance"), alibi("key_position"), alibi("distance_to_last")}},
      {"shaw",
       "Shaw's clipped offsets",
       {bucket_member("K = 16", R"({"scheme": "shaw", "max_relative_position": 16})", false)}},
      {"transformer-xl",
       "Transformer-XL, R_(i-j) with u and v",
       {{"d = 4",
         [transformer_xl] {
           return std::make_unique<OffsetScore>(encoding_of(transformer_xl)->plain_tables().front(),
                                                std::vector{3, 1, 2, -1});
         },
         transformer_xl}}},
      {"t5-bidirectional",
       "T5 buckets, both directions",
       {bucket_member("32, 128", R"({"scheme": "t5_bucket"})", false)}},
      {"t5-causal",
       "T5 buckets, one direction",
       {bucket_member("32, 128", R"({"scheme": "t5_bucket", "bidirectional": false})", true)}},
      {"deberta-span",
       "DeBERTa v1 spans",
       {bucket_member("k = 512", R"({"scheme": "deberta_span", "max_relative_positions": 512})", false)}},
      {"deberta",
       "DeBERTa v3 buckets",
       {bucket_member("256, 512", R"({"scheme": "deberta_bucket", "bucket_size": 256, "max_position": 512})",
                      false)}},
  };
}

}  // namespace vernier
