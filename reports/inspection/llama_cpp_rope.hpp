#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/artefacts/gguf.hpp"
#include "reference/readers/reader.hpp"
#include "reports/inspection/rotation.hpp"

namespace vernier {

/// A rotation in llama.cpp's terms: what its loader makes of a GGUF file, or what a file would have to say.
struct LlamaCppRope {
  /// By the names of llama_cpp.json: base, width, factor, original, extrapolation, attention, beta_fast ...
  std::map<std::string, double, std::less<>> quantities = {};
  std::string scaling_type;
  /// What each frequency is divided by; empty: by nothing. Of long sequences and of short ones where they
  /// differ.
  std::vector<double> long_factors = {};
  std::vector<double> short_factors = {};
  bool by_length = false;          ///< whether those are two lists, else one of rope_freqs.weight
  bool truncates = true;           ///< whether YaRN's ramp begins and ends at whole pairs
  std::vector<int> sections = {};  ///< pairs of each axis of M-RoPE; empty: there is one axis
  bool are_interleaved = false;    ///< whether the pairs of those axes take turns
  double context = 0;              ///< the stated one; 0: none

  double at(std::string_view quantity) const { return quantities.find(quantity)->second; }
  /// As ggml computes it (rope_yarn). \param is_long whether the sequence is longer than the original context
  TurnRates turning(bool is_long) const;
  /// The spec that says the same; null where none does. \param head_dim 0: all dimensions rotate
  OrderedJson spec(const std::string& layout, int head_dim) const;
};

/// The rope that a spec asks for in those terms, so that llama.cpp computes what the spec says.
/// \param has_log_multiplier whether the architecture reads one \pre the spec's scheme is rope
LlamaCppRope wanted_rope(const OrderedJson& spec, const std::string& source, bool has_log_multiplier);

/// How llama.cpp reads the file: llama_cpp.json applied to its metadata.
class LlamaCppReading {
 public:
  /// \throws InputError for a file that names no architecture
  LlamaCppReading(const Gguf& file, const std::string& source);

  const std::string& architecture() const { return architecture_; }
  /// "half", "interleaved", "none" of one that does not rotate; empty of one that is unknown.
  std::string layout() const;
  bool needs_sections() const;
  bool has_log_multiplier() const;
  /// The rope of layers with full attention, or of those with a sliding window. \param width where the file
  /// does not say how many dimensions rotate \throws InputError where neither does
  LlamaCppRope rope(bool is_sliding, std::optional<double> width) const;
  /// The file's key of a quantity: "qwen2.rope.freq_base".
  std::string key(std::string_view quantity, bool is_sliding) const;
  bool has(const std::string& key) const { return file_.metadata().contains(key); }
  std::string key_named(std::string_view name) const { return architecture_ + "." + std::string(name); }
  std::optional<double> number(const std::string& key) const;
  /// The width of a head, if the file says it.
  std::optional<double> head_width() const;
  /// Keys of rotations that llama.cpp does not read.
  std::vector<std::string> unread_keys() const;

 private:
  /// What the metadata have under a key; null where it is absent or of another type.
  template <class Value>
  const Value* held(const std::string& key) const;
  std::vector<double> factors(std::string_view role) const;
  double quantity(const OrderedJson& rule, bool is_sliding, std::optional<double> width) const;

  const Gguf& file_;
  std::string source_;
  std::string architecture_;
};

/// The data of llama_cpp.json.
const OrderedJson& llama_cpp_data();

/// How llama.cpp comes by a quantity of a rotation, by its row of readers.json. \pre the row has it
const ReadRule& llama_cpp_rule(std::string_view quantity);

}  // namespace vernier
