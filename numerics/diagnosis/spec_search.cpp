#include "numerics/diagnosis/spec_search.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "numerics/decoding/held_number.hpp"
#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/fault_kinds.hpp"
#include "numerics/diagnosis/judged_tensors.hpp"
#include "reference/keys/key_edit.hpp"

namespace vernier {
namespace {

constexpr FaultKind spec_key{
    .id = "spec/key",
    .stage = Stage::spec,
    .title = "the tensors are those of another spec",
    .means = "The implementation computes what the key with the other value stands for, exactly.",
    .advice =
        "If the implementation is right, the spec needs that value; else look at where it reads the key: "
        "its name, its default, its place in the configuration."};

/// What keys of any scheme are a matter of, by the last part of their path: a kind that has a name already.
struct KeyKind {
  std::string_view key;
  std::string_view kind;
};
constexpr std::array key_kinds{KeyKind{"position_offset", "position/offset"},
                               KeyKind{"first_position", "position/offset"},
                               KeyKind{"position_scale", "position/scaled"},
                               KeyKind{"base", "frequency/base"},
                               KeyKind{"rope_theta", "frequency/base"},
                               KeyKind{"frequency_scale", "frequency/factor"},
                               KeyKind{"layout", "mapping/layout"},
                               KeyKind{"table_layout", "mapping/table-layout"},
                               KeyKind{"order", "mapping/components"},
                               KeyKind{"direction", "direction/sign"},
                               KeyKind{"max_distance", "bucket/max-distance"},
                               KeyKind{"num_buckets", "bucket/num-buckets"},
                               KeyKind{"block_order", "mapping/axes"},
                               KeyKind{"padding_idx", "mapping/padding"},
                               KeyKind{"zero_prefix", "mapping/zero-prefix"}};

/// Of a change of one such key; else that the spec is another.
const FaultKind& kind_of(const OrderedJson& patch) {
  if (patch.size() == 1) {
    const auto path = patch.front().at("path").get<std::string>();
    const auto last = std::string_view(path).substr(path.rfind('/') + 1);
    for (const auto& [key, kind] : key_kinds) {
      const auto* named = key == last ? fault_kind_named(kind) : nullptr;
      if (named != nullptr) {
        return *named;
      }
    }
  }
  return spec_key;
}

/// So many rows of a tensor refute most specs.
constexpr std::size_t tried_rows = 12;
/// Beside so many choices of one key those of a second are tried: each takes some hundredths of a second.
constexpr std::size_t most_bases = 12;
constexpr double further_change_bits = 2;

std::string key_words(const std::string& pointer) {
  auto words = pointer.substr(1);
  std::ranges::replace(words, '/', '.');
  return words;
}

std::string value_words(const OrderedJson& value) {
  constexpr std::size_t longest = 40;
  auto words = value.is_string() ? value.get<std::string>() : value.dump();
  return words.size() <= longest ? words : words.substr(0, longest - 3) + "...";
}

/// "mode is bicubic, not bilinear, and antialias is left out"
std::string words_of(const OrderedJson& before, const OrderedJson& patch) {
  std::string text;
  for (const auto& change : patch) {
    const auto path = change.at("path").get<std::string>();
    const auto key = key_words(path);
    const OrderedJson::json_pointer pointer(path);
    const auto had = before.contains(pointer) ? value_words(before.at(pointer)) : std::string();
    if (!text.empty()) {
      text += ", and ";
    }
    if (change.at("op") == "remove") {
      text += fmt::format("{} ({}) is left out", key, had);
    } else {
      const auto has = value_words(change.at("value"));
      text += had.empty() ? fmt::format("{} is {}, where the spec has none", key, has)
                          : fmt::format("{} is {}, not {}", key, has, had);
    }
  }
  return text;
}

double bits_of(const OrderedJson& patch) {
  double bits = 0;
  for (const auto& change : patch) {
    const auto value = change.value("value", OrderedJson());
    bits += bits == 0 ? 0 : further_change_bits;
    if (value.is_number()) {
      bits += variant_bits + number_bits(value.get<double>());
    } else if (value.is_array() || value.is_object()) {
      bits += variant_bits + listed_bits;
    } else {
      bits += variant_bits;
    }
  }
  return bits;
}

/// Whether a whole number becomes so much larger that it is none of that key: a size, as whose tensors would
/// fill the memory.
bool is_far_off(const SpecEdit& edit) {
  constexpr std::int64_t most_times = 2;
  constexpr std::int64_t small = 64;
  const auto* becomes = std::get_if<std::int64_t>(&edit.value);
  const auto* was = std::get_if<std::int64_t>(&edit.key.value);
  return becomes != nullptr && *becomes > most_times * std::max(small, was == nullptr ? 0 : *was);
}

/// Whether an edit gives a key one of a few values.
bool is_choice(const SpecEdit& edit) {
  return !edit.key.domain || edit.key.domain->kind == KeyDomain::Kind::choice ||
         edit.key.domain->kind == KeyDomain::Kind::boolean ||
         std::holds_alternative<std::monostate>(edit.value);
}

class KeySearch {
 public:
  KeySearch(const Case& subject, std::span<const std::string> roles, unsigned threads)
      : subject_(subject), roles_(roles), threads_(threads), before_(subject.encoding->spec()) {}

  SpecSearch run(bool tries_two) {
    seen_.insert(before_.dump());
    const auto single = edits_of(*subject_.encoding);
    for (const auto& edit : single) {
      if (!is_far_off(edit)) {
        attempt(*edit.encoding);
      }
    }
    std::size_t bases = 0;
    for (const auto& first : single) {
      if (tries_two && result_.explanations.empty() && is_choice(first) && bases < most_bases &&
          most_rows_fail()) {
        ++bases;
        attempt_beside(first);
      }
    }
    return std::move(result_);
  }

 private:
  void attempt_beside(const SpecEdit& first) {
    for (const auto& second : edits_of(*first.encoding)) {
      if (is_choice(second) && !is_far_off(second)) {
        attempt(*second.encoding);
      }
    }
  }

  /// Two other keys show in most rows; damage, and what is wrong with some positions, does not.
  bool most_rows_fail() {
    constexpr std::size_t looked_at = 16;
    if (!most_rows_fail_) {
      const auto tensors = JudgedTensors::of(subject_, *subject_.encoding, roles_);
      const auto rows =
          tensors ? some_rows(tensors->all().front().rows, looked_at) : std::vector<std::size_t>();
      const auto failing = std::ranges::count_if(
          rows, [&](std::size_t row) { return tensors->predict(std::array{row}, true).failing > 0; });
      most_rows_fail_ = 2 * static_cast<std::size_t>(failing) > rows.size();
    }
    return *most_rows_fail_;
  }

  bool proves_less(const Prediction& one) {
    constexpr double much_less = 0.9;
    if (!declared_) {
      const auto tensors = JudgedTensors::of(subject_, *subject_.encoding, roles_);
      declared_ = tensors ? tensors->predict({}, false, threads_) : Prediction{};
    }
    return static_cast<double>(one.conclusive) < much_less * static_cast<double>(declared_->conclusive);
  }

  void attempt(const Encoding& encoding) {
    auto after = encoding.spec();
    if (!seen_.insert(after.dump()).second) {
      return;
    }
    ++result_.searched;
    const auto tensors = JudgedTensors::of(subject_, encoding, roles_);
    if (!tensors) {
      return;
    }
    const auto rows = some_rows(tensors->all().front().rows, tried_rows);
    if (tensors->predict(rows, true).failing > 0) {
      return;
    }
    // What allows more than the declared spec does explains nothing.
    const auto whole = tensors->predict({}, true, threads_);
    if (!whole.is_proved() || proves_less(whole)) {
      return;
    }
    const auto patch = OrderedJson::diff(before_, after);
    result_.explanations.push_back(
        {{{&kind_of(patch), words_of(before_, patch), patch}}, whole, bits_of(patch)});
  }

  const Case& subject_;
  std::span<const std::string> roles_;
  unsigned threads_;
  OrderedJson before_;
  std::set<std::string> seen_;
  std::optional<bool> most_rows_fail_;
  std::optional<Prediction> declared_;
  SpecSearch result_;
};

}  // namespace

FaultKinds spec_kinds() {
  return {&spec_key};
}

SpecSearch search_spec_keys(const Case& subject, std::span<const std::string> roles, bool has_explanation,
                            unsigned threads) {
  return KeySearch(subject, roles, threads).run(!has_explanation);
}

}  // namespace vernier
