#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

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
    visit.defaulted({"r_max", "differences farther than this share a bin with it", "positions"}, r_max,
                    integer(1, most_listed_positions));
    visit.defaulted(
        {"chain", "whether both indices are of one chain; those of another have a bin of their own"}, chain,
        one_of(chain_names));
    visit.optional(
        {"period", "the length of a cyclic chain, along which differences count the short way", "positions"},
        period, integer(1, largest_position));
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

Scheme alphafold_bin_scheme() {
  return {
      "alphafold_bin",
      "relative positions of residues, tokens or chains in bins, those of other chains in one of their own "
      "(AlphaFold 3)",
      {R"({"scheme":"alphafold_bin"})"},
      {form_of<AlphafoldBinSpec>()}};
}

}  // namespace vernier
