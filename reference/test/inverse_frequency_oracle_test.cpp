// The independent oracle for the model catalogue: the inverse frequencies and amplitudes of every RoPE model
// once more, from the JSON of its spec by the formulas of the papers and of transformers'
// modeling_rope_utils.py, in Arb's ball arithmetic. Not a line of the schemes, their scalings or their JSON
// reader is used.

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <arb.h>
#include <gtest/gtest.h>
#include <mpfi.h>
#include <nlohmann/json.hpp>

#include "reference/catalogue/catalogue.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

/// The oracle's precision: far above the library's, so that a ball never decides by its own width.
constexpr slong oracle_bits = 512;
/// The library's precision, and the relative width of an enclosure that counts as narrow: what overlaps and
/// is narrow agrees to 2^-99, well within 1e-15.
constexpr unsigned library_bits = 128;
constexpr slong narrow_bits = 100;

/// A real number as an Arb ball, with the arithmetic the formulas need.
class Ball {
 public:
  Ball() { arb_init(value_); }
  Ball(std::int64_t value) : Ball() { arb_set_si(value_, value); }
  /// \param decimal as JSON has it, taken as exactly that number
  explicit Ball(const std::string& decimal) : Ball() {
    if (arb_set_str(value_, decimal.c_str(), oracle_bits) != 0) {
      throw std::invalid_argument("not a number: " + decimal);
    }
  }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  arb_struct* get() { return value_; }
  const arb_struct* get() const { return value_; }

  friend Ball operator+(const Ball& a, const Ball& b) { return made(arb_add, a, b); }
  friend Ball operator-(const Ball& a, const Ball& b) { return made(arb_sub, a, b); }
  friend Ball operator*(const Ball& a, const Ball& b) { return made(arb_mul, a, b); }
  friend Ball operator/(const Ball& a, const Ball& b) { return made(arb_div, a, b); }
  friend Ball lesser(const Ball& a, const Ball& b) { return made(arb_min, a, b); }
  friend Ball greater(const Ball& a, const Ball& b) { return made(arb_max, a, b); }
  friend Ball power(const Ball& base, const Ball& exponent) { return made(arb_pow, base, exponent); }
  friend Ball logarithm(const Ball& a) { return made(arb_log, a); }
  friend Ball square_root(const Ball& a) { return made(arb_sqrt, a); }
  /// The integer, proved to be one: a ball that straddles an integer is an error, not a guess.
  friend Ball floor(const Ball& a) { return integer(made(arb_floor, a)); }
  friend Ball ceiling(const Ball& a) { return integer(made(arb_ceil, a)); }
  static Ball pi() {
    Ball result;
    arb_const_pi(result.value_, oracle_bits);
    return result;
  }

 private:
  template <class Function>
  static Ball made(Function function, const Ball& a, const Ball& b) {
    Ball result;
    function(result.value_, a.value_, b.value_, oracle_bits);
    return result;
  }
  template <class Function>
  static Ball made(Function function, const Ball& a) {
    Ball result;
    function(result.value_, a.value_, oracle_bits);
    return result;
  }
  static Ball integer(const Ball& a) {
    if (arb_is_exact(a.value_) == 0) {
      throw std::logic_error("floor or ceiling of a ball that straddles an integer");
    }
    return a;
  }

  arb_t value_;
};

/// Whether a < b, proved either way.
bool is_less(const Ball& a, const Ball& b) {
  if (arb_lt(a.get(), b.get()) == 0 && arb_ge(a.get(), b.get()) == 0) {
    throw std::logic_error("two balls overlap where they have to be compared");
  }
  return arb_lt(a.get(), b.get()) != 0;
}

using Json = nlohmann::json;

/// Builds a JSON value whose numbers are strings of their digits: no decimal passes through a double.
class NumbersAsText final : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return put(std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return put(text); }
  bool string(std::string& value) override { return put(value); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    key_ = value;
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) override {
    throw std::invalid_argument("not JSON at " + token);
  }

 private:
  Json* add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool put(Json value) {
    add(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(add(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  ///< a child that is open is its parent's last: nothing moves under it
  std::string key_;
};

Json read(const std::string& text) {
  NumbersAsText builder;
  Json::sax_parse(text, &builder);
  return builder.take();
}

std::string text_at(const Json& object, const char* key, const std::string& otherwise) {
  return object.contains(key) && !object[key].is_null() ? object[key].get<std::string>() : otherwise;
}

std::int64_t integer_at(const Json& object, const char* key) {
  return std::stoll(object.at(key).get<std::string>());
}

/// floor(count * decimal), in integers. \param decimal at most 1, of at most 12 digits, with no exponent
std::int64_t floor_of_product(std::int64_t count, const std::string& decimal) {
  std::int64_t digits = 0;
  std::int64_t denominator = 1;
  bool behind_point = false;
  for (const char c : decimal) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    digits = 10 * digits + (c - '0');
    denominator *= behind_point ? 10 : 1;
  }
  return count * digits / denominator;
}

/// What the oracle computes of one spec at one length.
struct Answer {
  std::vector<Ball> frequencies;
  Ball amplitude = 1;
};

/// One RoPE spec at one length of sequence.
class Oracle {
 public:
  Oracle(const Json& spec, std::int64_t length)
      : spec_(spec),
        scaling_(spec.contains("rope_scaling") ? spec["rope_scaling"] : Json::object()),
        type_(text_at(scaling_, "rope_type", "default")),
        length_(length),
        head_dim_(integer_at(spec, "head_dim")),
        base_(text_at(spec, "rope_theta", "10000")) {}

  Answer answer() const {
    if (type_ == "default") {
      return {geometric(base_), 1};
    }
    if (type_ == "linear") {
      return {divided(geometric(base_), factor()), 1};
    }
    if (type_ == "dynamic" || type_ == "dynamic_qwen" || type_ == "ntk") {
      return {geometric(base_ * power(alpha(), Ball(rotating()) / (rotating() - 2))), 1};
    }
    if (type_ == "yarn") {
      return {yarn(), yarn_amplitude()};
    }
    if (type_ == "ntk_by_parts") {
      return {ntk_by_parts(), 1};
    }
    if (type_ == "longrope") {
      return {longrope(), longrope_amplitude()};
    }
    if (type_ == "llama3") {
      return {llama3(), 1};
    }
    if (type_ == "proportional") {
      return {proportional(), 1};
    }
    throw std::invalid_argument("the oracle does not know " + type_);
  }

 private:
  std::string share() const { return text_at(spec_, "partial_rotary_factor", "1"); }
  std::int64_t rotating() const {
    return spec_.contains("rotary_dim") ? integer_at(spec_, "rotary_dim")
                                        : floor_of_product(head_dim_, share());
  }
  std::int64_t positions() const { return integer_at(spec_, "max_position_embeddings"); }
  std::int64_t original() const {
    return scaling_.contains("original_max_position_embeddings")
               ? integer_at(scaling_, "original_max_position_embeddings")
               : positions();
  }
  /// s; where no factor is told, how much longer the context became.
  Ball factor() const {
    const auto told = text_at(scaling_, "factor", "");
    return told.empty() ? Ball(positions()) / original() : Ball(told);
  }

  /// b^(-2i/r).
  std::vector<Ball> geometric(const Ball& base) const {
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < rotating() / 2; ++i) {
      result.push_back(power(base, Ball(-2 * i) / rotating()));
    }
    return result;
  }

  static std::vector<Ball> divided(std::vector<Ball> values, const Ball& divisor) {
    for (auto& value : values) {
      value = value / divisor;
    }
    return values;
  }

  /// What the base is multiplied by, before the power r/(r-2): (s L'/N - (s-1)) with L' = max(L, N) for
  /// dynamic NTK, 2^ceil(log2(L/N) + 1) - 1 and at least 1 for Qwen's.
  Ball alpha() const {
    if (type_ == "ntk") {
      return Ball(text_at(scaling_, "alpha", ""));
    }
    if (type_ == "dynamic") {
      const auto longest = std::max(length_, original());
      return factor() * longest / original() - (factor() - 1);
    }
    std::int64_t power_of_two = 1;  // the least 2^k >= 2 L/N with k >= 0
    while (power_of_two * original() < 2 * length_) {
      power_of_two *= 2;
    }
    return std::max<std::int64_t>(power_of_two - 1, 1);
  }

  /// The pair, as a real number, that makes `turns` full turns in the original context.
  Ball pair_of_turns(const Ball& turns) const {
    return Ball(rotating()) * logarithm(Ball(original()) / (2 * Ball::pi() * turns)) / (2 * logarithm(base_));
  }

  /// How far each pair is from `fast` turns on its way to `slow` ones: 0 before the first, 1 behind the
  /// second, in between straight.
  std::vector<Ball> ramp(const std::string& fast, const std::string& slow) const {
    Ball low = pair_of_turns(Ball(fast));
    Ball high = pair_of_turns(Ball(slow));
    if (!scaling_.contains("truncate") || scaling_["truncate"].get<bool>()) {
      low = floor(low);
      high = ceiling(high);
    }
    const bool clamped_to_pairs = text_at(scaling_, "clamp", "rotary_dim") == "pairs";
    low = greater(low, 0);
    high = lesser(high, (clamped_to_pairs ? rotating() / 2 : rotating()) - 1);
    if (arb_equal(low.get(), high.get()) != 0) {
      high = high + Ball("0.001");
    }
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < rotating() / 2; ++i) {
      result.push_back(lesser(greater((Ball(i) - low) / (high - low), 0), 1));
    }
    return result;
  }

  static std::vector<Ball> blended(const std::vector<Ball>& before, const std::vector<Ball>& behind,
                                   const std::vector<Ball>& ramp) {
    std::vector<Ball> result;
    for (std::size_t i = 0; i < ramp.size(); ++i) {
      result.push_back(behind[i] * ramp[i] + before[i] * (1 - ramp[i]));
    }
    return result;
  }

  std::vector<Ball> yarn() const {
    const auto plain = geometric(base_);
    return blended(plain, divided(plain, factor()),
                   ramp(text_at(scaling_, "beta_fast", "32"), text_at(scaling_, "beta_slow", "1")));
  }

  /// jquesnelle/yarn, scaled_rope/LlamaPartNTKScaledRotaryEmbedding.py.
  std::vector<Ball> ntk_by_parts() const {
    const auto plain = geometric(base_);
    const auto ntk = geometric(base_ * power(factor(), Ball(rotating()) / (rotating() - 2)));
    return blended(plain, blended(ntk, divided(plain, factor()), ramp("1.25", "0.75")), ramp("16", "2"));
  }

  Ball yarn_magnitude(const Ball& coefficient) const {
    return is_less(1, factor()) ? coefficient * logarithm(factor()) / 10 + 1 : 1;
  }

  Ball yarn_amplitude() const {
    if (scaling_.contains("attention_factor")) {
      return Ball(text_at(scaling_, "attention_factor", ""));
    }
    const Ball mscale(text_at(scaling_, "mscale", "0"));
    const Ball mscale_all_dim(text_at(scaling_, "mscale_all_dim", "0"));
    if (arb_is_nonzero(mscale.get()) != 0 && arb_is_nonzero(mscale_all_dim.get()) != 0) {
      return yarn_magnitude(mscale) / yarn_magnitude(mscale_all_dim);
    }
    return yarn_magnitude(1);
  }

  bool is_long() const { return length_ > original(); }

  std::vector<Ball> longrope() const {
    const auto& factors = scaling_.at(is_long() ? "long_factor" : "short_factor");
    auto result = geometric(base_);
    if (factors.size() != result.size()) {
      throw std::invalid_argument("as many factors as pairs");
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = result[i] / Ball(factors[i].get<std::string>());
    }
    return result;
  }

  Ball longrope_amplitude() const {
    for (const char* key : {"attention_factor", is_long() ? "long_mscale" : "short_mscale"}) {
      if (scaling_.contains(key)) {
        return Ball(text_at(scaling_, key, ""));
      }
    }
    return is_less(1, factor()) ? square_root(logarithm(factor()) / logarithm(Ball(original())) + 1) : 1;
  }

  std::vector<Ball> llama3() const {
    const Ball low_factor(text_at(scaling_, "low_freq_factor", ""));
    const Ball high_factor(text_at(scaling_, "high_freq_factor", ""));
    auto result = geometric(base_);
    for (auto& w : result) {
      const Ball turns = Ball(original()) * w / (2 * Ball::pi());  // context over wavelength
      if (is_less(high_factor, turns)) {
        continue;
      }
      if (is_less(turns, low_factor)) {
        w = w / factor();
        continue;
      }
      const Ball smooth = (turns - low_factor) / (high_factor - low_factor);
      w = (1 - smooth) * w / factor() + smooth * w;
    }
    return result;
  }

  std::vector<Ball> proportional() const {
    const auto live = floor_of_product(head_dim_, share()) / 2;
    const Ball divisor = scaling_.contains("factor") ? factor() : 1;
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < head_dim_ / 2; ++i) {
      result.push_back(i < live ? power(base_, Ball(-2 * i) / head_dim_) / divisor : 0);
    }
    return result;
  }

  const Json& spec_;
  Json scaling_;
  std::string type_;
  std::int64_t length_;
  std::int64_t head_dim_;
  Ball base_;
};

/// Whether both enclosures are narrow and overlap; zero has to be exactly zero.
bool agree(const Interval& ours, const Ball& theirs) {
  const auto* ends = ours.backend().data();
  Ball ball;
  arb_set_interval_mpfr(ball.get(), &ends->left, &ends->right, 2 * library_bits);
  if (arb_is_zero(theirs.get()) != 0) {
    return arb_is_zero(ball.get()) != 0;
  }
  return arb_rel_accuracy_bits(ball.get()) > narrow_bits &&
         arb_rel_accuracy_bits(theirs.get()) > narrow_bits && arb_overlaps(ball.get(), theirs.get()) != 0;
}

struct Tally {
  std::size_t specs = 0;
  std::size_t numbers = 0;
  std::size_t disagreements = 0;
};

/// The frequencies and the amplitude of a library's encoding against the oracle's.
void compare(const Encoding& encoding, const Answer& theirs, Tally& tally) {
  const auto ours = encoding.tables().front();
  ++tally.specs;
  tally.numbers += theirs.frequencies.size() + 1;
  if (ours.frequencies.pairs() != static_cast<int>(theirs.frequencies.size())) {
    tally.disagreements += theirs.frequencies.size() + 1;
    return;
  }
  for (int pair = 0; pair < ours.frequencies.pairs(); ++pair) {
    tally.disagreements +=
        agree(ours.frequencies.at(pair), theirs.frequencies[static_cast<std::size_t>(pair)]) ? 0 : 1;
  }
  tally.disagreements += agree(enclose(ours.amplitude), theirs.amplitude) ? 0 : 1;
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
  const WorkingPrecision precision(library_bits);
  Tally tally;
  std::map<std::string, int> types;
  for_each_rope([&](const CatalogueModel& model, const LayerSpec& layer_spec, const Json& spec) {
    for (const auto length : lengths(spec)) {
      const auto before = tally.disagreements;
      compare(*at_length(layer_spec, length), Oracle(spec, length).answer(), tally);
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
/// are clamped at both ends.
TEST(InverseFrequencyOracle, AgreesOnOtherScalings) {
  const WorkingPrecision precision(library_bits);
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
      R"({"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 0.707,
          "mscale_all_dim": 1})",
      R"({"rope_type": "llama3", "factor": 7.5, "low_freq_factor": 0.3, "high_freq_factor": 20.1,
          "original_max_position_embeddings": 4096})",
      R"({"rope_type": "proportional", "factor": 3})",
      R"({"rope_type": "longrope", "short_factor": [1, 1.1, 1.25, 2], "long_factor": [1, 2, 4, 8.01],
          "original_max_position_embeddings": 4096})",
      R"({"rope_type": "longrope", "short_factor": [1, 1.1, 1.25, 2], "long_factor": [1, 2, 4, 8.01],
          "original_max_position_embeddings": 4096, "factor": 5, "attention_factor": 1.19})",
  };
  Tally tally;
  for (const auto& scaling : scalings) {
    const std::string head_dim = scaling.find("longrope") != std::string::npos ? "8" : "96";
    const auto text = std::string(R"({"scheme": "rope", "rope_theta": 10000.5, "head_dim": )") + head_dim +
                      R"(, "max_position_embeddings": 32768, "rope_scaling": )" + scaling + "}";
    const auto spec = read(text);
    const LayerSpec layer_spec{.layers = "all", .spec = parse_json(text, "oracle")};
    for (const auto length : lengths(spec)) {
      const auto before = tally.disagreements;
      compare(*at_length(layer_spec, length), Oracle(spec, length).answer(), tally);
      EXPECT_EQ(tally.disagreements, before) << text << ", length " << length;
    }
  }
  flint_cleanup();
}

/// The comparison is sharp: a base that is off by one part in 10^27 is seen on every model.
TEST(InverseFrequencyOracle, SeesABaseThatIsHardlyOff) {
  const WorkingPrecision precision(library_bits);
  for_each_rope([&](const CatalogueModel& model, const LayerSpec& layer_spec, const Json& spec) {
    auto changed = spec;
    const auto base = text_at(spec, "rope_theta", "10000");
    changed["rope_theta"] =
        base + (base.find('.') == std::string::npos ? "." : "") + std::string(20, '0') + "1";
    const auto length = integer_at(spec, "max_position_embeddings");
    Tally tally;
    compare(*at_length(layer_spec, length), Oracle(changed, length).answer(), tally);
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
  const WorkingPrecision precision(library_bits);
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
      Tally tally;
      compare(*at_length(layer_spec, length), Oracle(changed, length).answer(), tally);
      seen += tally.disagreements;
    });
    EXPECT_GT(seen, 0) << id << ", " << key << " " << value;
  }
  flint_cleanup();
}

}  // namespace
}  // namespace vernier
