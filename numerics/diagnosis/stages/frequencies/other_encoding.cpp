// The frequencies of another encoding: of another base without the declared scaling, or of a published model.

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "numerics/diagnosis/stages/frequencies/scaling_spec.hpp"
#include "reference/catalogue/catalogue.hpp"

namespace vernier {
namespace {

using FrequencyList = std::vector<double>;

/// What of a spec decides its frequencies, beside their number.
constexpr std::array deciding_keys{"rope_theta", "rope_scaling", "max_position_embeddings",
                                   "sequence_length"};

/// The deciding keys of every scaled encoding of the catalogue, each with the models that have them.
const std::map<OrderedJson, std::set<std::string>>& scaled_encodings() {
  static const auto all = [] {
    std::map<OrderedJson, std::set<std::string>> result;
    for (const auto& model : catalogue()) {
      for (const auto& layers : model.layer_specs) {
        const auto spec = model.encoding(layers)->spec();
        if (spec.contains("rope_scaling") && !spec.at("rope_scaling").is_null()) {
          OrderedJson deciding = OrderedJson::object();
          for (const auto* key : deciding_keys) {
            if (spec.contains(key)) {
              deciding[key] = spec.at(key);
            }
          }
          result[std::move(deciding)].insert(model.id);
        }
      }
    }
    return result;
  }();
  return all;
}

/// The patch that gives the declared spec the deciding keys of another.
OrderedJson with_deciding(const Clues& clues, const OrderedJson& deciding) {
  const auto spec = clues.suspect.encoding().spec();
  auto patch = OrderedJson::array();
  for (const auto* key : deciding_keys) {
    if (deciding.contains(key)) {
      patch.push_back(replacement(key, deciding.at(key))[0]);
    } else if (spec.contains(key)) {
      patch.push_back(removal(key)[0]);
    }
  }
  return patch;
}

/// Whether most of the measured pairs turn at these frequencies: a fault beside them may hide some.
bool are_measured(const FrequencyList& frequencies, const std::vector<MeasuredPair>& measured) {
  const auto agreeing = std::ranges::count_if(measured, [&](MeasuredPair pair) {
    pair.declared = frequencies[static_cast<std::size_t>(pair.pair)];
    return pair.agrees();
  });
  return 4 * agreeing > 3 * std::ssize(measured);
}

/// No scaling, and another base.
void propose_unscaled(const Clues& clues, const FaultKind& kind, const std::vector<MeasuredPair>& measured,
                      Proposals& out) {
  const auto declared = declared_base(clues);
  const auto without = unscaled(clues);
  if (!without || !declared) {
    return;
  }
  std::optional<double> base;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& pair : measured) {
    // w = base^-x, where x is of the width alone.
    const double exponent = -std::log(without->frequency(pair.pair)) / std::log(declared->second);
    const double uncertainty = pair.uncertainty / exponent;
    if (exponent > 0 && uncertainty < least) {
      least = uncertainty;
      base = shortest_decimal(std::exp(-std::log(pair.frequency) / exponent), uncertainty);
    }
  }
  if (!base || *base <= 1 || *base == declared->second) {
    return;
  }
  auto patch = replacement("rope_theta", json_number(*base));
  patch.push_back(removal("rope_scaling")[0]);
  const auto frequencies = clues.suspect.frequencies_by(patch);
  if (frequencies && are_measured(*frequencies, measured)) {
    propose_rescaled(clues, kind,
                     fmt::format("the base is {}, not {}, and nothing is scaled", number_words(*base),
                                 number_words(declared->second)),
                     flag_bits + number_bits(*base), patch, out);
  }
}

/// The scaling of a published model.
void propose_published(const Clues& clues, const FaultKind& kind, const std::vector<MeasuredPair>& measured,
                       Proposals& out) {
  struct Published {
    OrderedJson patch;
    OrderedJson deciding;
    std::set<std::string> models;
  };
  // Several have the same frequencies: they differ in keys that their scaling does not read.
  std::map<FrequencyList, Published> matching;
  for (const auto& [deciding, models] : scaled_encodings()) {
    if (deciding.at("rope_scaling") == scaling_of(clues)) {
      continue;  // another base, which has a name of its own
    }
    const auto patch = with_deciding(clues, deciding);
    const auto frequencies = clues.suspect.frequencies_by(patch);
    if (frequencies && frequencies->size() == clues.base.tones.size() &&
        are_measured(*frequencies, measured)) {
      auto& published = matching.try_emplace(*frequencies, Published{patch, deciding, {}}).first->second;
      published.models.insert(models.begin(), models.end());
    }
  }
  for (const auto& [frequencies, published] : matching) {
    const auto& [patch, deciding, models] = published;
    // Models that are made from another mostly add to its name.
    const auto& first = *std::ranges::min_element(models, {}, &std::string::size);
    const auto others = models.size() > 1 ? fmt::format(" and {} more", models.size() - 1) : std::string();
    propose_rescaled(clues, kind,
                     fmt::format("the frequencies are those of {}{}: base {}, scaling {}", first, others,
                                 number_words(deciding.at("rope_theta").get<double>()),
                                 deciding.at("rope_scaling").value("rope_type", std::string("of its own"))),
                     listed_bits + std::log2(static_cast<double>(scaled_encodings().size())), patch, out);
  }
}

void propose_other(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto measured = measured_pairs(clues);
  if (!clues.suspect.encoding().spec().contains("rope_theta") || measured.size() < 3 ||
      2 * std::ranges::count_if(measured, &MeasuredPair::agrees) >= std::ssize(measured)) {
    return;
  }
  propose_unscaled(clues, kind, measured, out);
  propose_published(clues, kind, measured, out);
}

}  // namespace

StageEdits other_encoding_edits() {
  return {{"frequency/other-encoding", propose_other}};
}

}  // namespace vernier
