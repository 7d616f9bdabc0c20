#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of Shaw et al. (2018), section 3.2: the row of the learned embeddings that a key k
/// seen from a query q uses, clip(k - q, -L, R) + L. There L = R; speech models look farther back than ahead
/// (w2v-BERT 2.0: 64 and 8).
struct ShawSpec {
  static constexpr std::string_view scheme = "shaw";

  std::int64_t left = 1;   ///< L
  std::int64_t right = 1;  ///< R

  void keys(KeyVisitor& visit) {
    const bool is_symmetric = visit.fills() ? !visit.has("left") && !visit.has("right") : left == right;
    const auto either = integer(0, most_listed_positions);
    if (is_symmetric) {
      visit.required("max_relative_position", left, integer(1, most_listed_positions));
      visit.fallback(right, left);
      std::optional<std::int64_t> neither;
      visit.optional("left", neither, either);
      visit.optional("right", neither, either);
      return;
    }
    visit.require(!visit.has("max_relative_position"), "max_relative_position",
                  "none beside left and right, which say the same");
    visit.required("left", left, either);
    visit.required("right", right, either);
    visit.require(left > 0 || right > 0, "right", "at least 1 where left is 0");
  }

  std::string summary() const {
    return left == right
               ? fmt::format("Shaw relative positions, clipped to {} either way", left)
               : fmt::format("Shaw relative positions, clipped to {} behind and {} ahead", left, right);
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[spec = *this](std::int64_t r) -> Bucket {
      return {std::clamp(r, -spec.left, spec.right) + spec.left};
    }}};
  }
};

/// The relative positions of the first DeBERTa (P. He et al. 2021, equation 3). Of a query i and a key j,
/// with r = i - j and the span k: 0 for r <= -k, 2k - 1 for r >= k, else r + k. DeBERTa v2 has logarithmic
/// buckets (logarithmic_buckets.hpp) instead.
struct DebertaSpanSpec {
  static constexpr std::string_view scheme = "deberta_span";

  std::int64_t max_relative_positions = 512;  ///< k

  void keys(KeyVisitor& visit) {
    visit.defaulted("max_relative_positions", max_relative_positions, integer(1, most_listed_positions));
  }

  std::string summary() const {
    return fmt::format("DeBERTa relative positions, clamped to a span of {} either way",
                       max_relative_positions);
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[span = max_relative_positions](std::int64_t r) -> Bucket {
      return {std::clamp(r + span, std::int64_t{0}, 2 * span - 1)};
    }}};
  }
};

constexpr std::array<std::string_view, 2> chain_names{"same", "other"};

/// d less the multiple of the period that is nearest to it, that of an even quotient where two are, as
/// torch.round has it.
std::int64_t around_cycle(std::int64_t d, std::int64_t period) {
  const auto wraps = (d >= 0 ? d : d - (period - 1)) / period;  // rounded down
  const auto rest = d - wraps * period;
  const bool is_up = 2 * rest > period || (2 * rest == period && wraps % 2 != 0);
  return is_up ? rest - period : rest;
}

/// The bins of relative positions of AlphaFold 3 (J. Abramson et al. 2024, supplement, algorithm 3; Boltz,
/// Protenix, HelixFold3): of the difference d of two indices, clip(d + r_max, 0, 2 r_max), and 2 r_max + 1
/// for two of other chains. Of residues and of tokens r_max is 32, of the numbers of chains (s_max) it is 2.
/// Boltz counts cyclic chains round: d - P round(d/P).
struct AlphafoldBinSpec {
  enum class Chain { same, other };

  static constexpr std::string_view scheme = "alphafold_bin";

  std::int64_t r_max = 32;
  Chain chain = Chain::same;
  std::optional<std::int64_t> period = std::nullopt;  ///< P

  void keys(KeyVisitor& visit) {
    visit.defaulted("r_max", r_max, integer(1, most_listed_positions));
    visit.defaulted("chain", chain, one_of(chain_names));
    visit.optional("period", period, integer(1, largest_position));
  }

  std::string summary() const {
    return fmt::format("AlphaFold 3 bins of relative positions, r_max {}, of {} chain{}", r_max,
                       chain == Chain::same ? "one" : "another",
                       period ? fmt::format(", cyclic with period {}", *period) : "");
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[spec = *this](std::int64_t difference) -> Bucket {
      if (spec.chain == Chain::other) {
        return {2 * spec.r_max + 1};
      }
      const auto d = spec.period ? around_cycle(difference, *spec.period) : difference;
      return {std::clamp(d + spec.r_max, std::int64_t{0}, 2 * spec.r_max)};
    }}};
  }
};

}  // namespace

std::vector<Scheme> clipped_offset_schemes() {
  return schemes_of<ShawSpec, DebertaSpanSpec, AlphafoldBinSpec>();
}

}  // namespace vernier
