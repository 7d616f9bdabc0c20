#include <algorithm>
#include <cmath>

#include "numerics/computation/formula.hpp"
#include "props/broken/broken.hpp"
#include "props/laws/law.hpp"
#include "reference/json/json.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/scheme_registry.hpp"

namespace vernier {

/// broken.json as it stands.
std::string broken_text();

namespace {

using MakeRotation = std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)>;

/// What an entry has in place of something honest. \param angle of a pair at a position, for those that ask
std::optional<Formula> formula_in(const OrderedJson& entry, const char* key,
                                  std::vector<std::string> variables, const NamedNumbers& numbers,
                                  Formula::Function angle = {}) {
  if (!entry.contains(key)) {
    return std::nullopt;
  }
  return Formula(entry[key].get<std::string>(),
                 {std::move(variables),
                  [&](const std::string& name) {
                    const auto found = numbers.find(name);
                    return found == numbers.end() ? std::nullopt : std::optional(found->second);
                  },
                  [&](const std::string& name) { return name == "angle" ? angle : Formula::Function(); }});
}

/// A sinusoidal table in float64, stored as float32, whose phase f of position t and pair i with the
/// frequency w, or value of that phase, v where it is honest, is another.
class BrokenTable final : public TableUnderTest {
 public:
  BrokenTable(const OrderedJson& entry, const SinusoidalSpec& spec)
      : table_(spec.table()),
        amplitude_(approximately(table_.amplitude)),
        second_(spec.order == SinusoidalSpec::Order::sin_cos ? Component::cosine : Component::sine) {
    const NamedNumbers numbers{{"amplitude", amplitude_},
                               {"base", approximately(spec.base)},
                               {"width", static_cast<double>(spec.d_model)}};
    phase_ = formula_in(entry, "phase", {"t", "w", "i", "is_second"}, numbers);
    value_ = formula_in(entry, "value", {"t", "f", "v", "i", "is_sine"}, numbers);
    for (const auto& column : table_.columns) {
      frequencies_.push_back(table_.frequencies.approximate(column.pair));
    }
  }

  Format stored() const override { return Format::binary32; }
  std::size_t columns() const override { return frequencies_.size(); }
  void row(std::int64_t position, std::span<double> out) const override {
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c] = table_.columns[c].component == Component::zero
                   ? 0
                   : round_to(Format::binary32, element(static_cast<double>(position), c));
    }
  }

 private:
  double element(double t, std::size_t column) const {
    const auto& [pair, component] = table_.columns[column];
    const auto i = static_cast<double>(pair);
    const double w = frequencies_[column];
    const double f = phase_ ? (*phase_)({t, w, i, component == second_ ? 1.0 : 0.0}) : t * w;
    const bool is_sine = component == Component::sine;
    const double v = amplitude_ * (is_sine ? std::sin(f) : std::cos(f));
    return value_ ? (*value_)({t, f, v, i, is_sine ? 1.0 : 0.0}) : v;
  }

  TrigTable table_;
  double amplitude_;
  Component second_;
  std::vector<double> frequencies_ = {};  ///< one a column
  std::optional<Formula> phase_;
  std::optional<Formula> value_;
};

/// The layout that an entry rotates in.
RopeSpec laid_out(const OrderedJson& entry, RopeSpec spec) {
  const auto layout = entry.value("layout", std::string());
  if (layout == "other") {
    spec.layout =
        spec.layout == RopeSpec::Layout::half ? RopeSpec::Layout::interleaved : RopeSpec::Layout::half;
  } else if (layout == "whole head") {
    spec.partial_rotary_factor = 1;
  }
  return spec;
}

/// A rotation in float64, stored as float32, which turns a pair by the angle f, that of pair i at position m.
/// Another position of p, angle, turn, factor of the turn, or value of a dimension that should pass through
/// takes the place of the honest one.
class BrokenRotation final : public RotationUnderTest {
 public:
  BrokenRotation(const OrderedJson& entry, const RopeSpec& declared) : spec_(laid_out(entry, declared)) {
    const auto frequencies = spec_.frequencies();
    for (int pair = 0; pair < spec_.pairs(); ++pair) {
      const double sign = spec_.direction == RopeSpec::Direction::counterclockwise ? 1 : -1;
      steps_.push_back(sign * frequencies.approximate(pair));
    }
    const NamedNumbers numbers{{"amplitude", approximately(spec_.amplitude())},
                               {"pairs", spec_.pairs()},
                               {"rotary_dim", spec_.rotary_dim()},
                               {"head_dim", static_cast<double>(spec_.head_dim)}};
    const auto formula = [&](const OrderedJson& in, const char* key, std::vector<std::string> variables) {
      return formula_in(in, key, std::move(variables), numbers,
                        [steps = steps_](FormulaArguments a, const FormulaRows&) {
                          return a[0] * steps[static_cast<std::size_t>(a[1])];
                        });
    };
    position_ = formula(entry, "position", {"p"});
    angle_ = formula(entry, "angle", {"m", "i", "f"});
    passed_ = formula(entry, "passed", {});
    if (const auto factor = formula(entry, "factor", {})) {
      factor_ = (*factor)({});
    }
    if (entry.contains("turn")) {
      first_ = formula({{"first", entry["turn"][0]}}, "first", {"m", "i", "f", "x0", "x1"});
      second_ = formula({{"second", entry["turn"][1]}}, "second", {"m", "i", "f", "x0", "x1", "y0"});
    }
  }

  Format stored() const override { return Format::binary32; }
  std::size_t head_dim() const override { return static_cast<std::size_t>(spec_.head_dim); }
  void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const override {
    std::ranges::copy(x, y.begin());
    const auto p = static_cast<double>(position);
    const double m = position_ ? (*position_)({p}) : p;
    for (int pair = 0; pair < spec_.pairs(); ++pair) {
      const auto [first, second] = spec_.dimensions(pair);
      turn(m, pair, x[static_cast<std::size_t>(first)], x[static_cast<std::size_t>(second)],
           y[static_cast<std::size_t>(first)], y[static_cast<std::size_t>(second)]);
    }
    if (passed_) {
      const auto before = static_cast<std::size_t>(spec_.rotary_offset);
      std::ranges::fill(y.first(before), (*passed_)({}));
      std::ranges::fill(y.subspan(before + static_cast<std::size_t>(spec_.rotary_dim())), (*passed_)({}));
    }
    std::ranges::transform(y, y.begin(), [](double value) { return round_to(Format::binary32, value); });
  }

 private:
  void turn(double m, int pair, double x0, double x1, double& y0, double& y1) const {
    const double i = pair;
    const double own = m * steps_[static_cast<std::size_t>(pair)];
    const double f = angle_ ? (*angle_)({m, i, own}) : own;
    y0 = factor_ * (first_ ? (*first_)({m, i, f, x0, x1}) : x0 * std::cos(f) - x1 * std::sin(f));
    y1 = factor_ * (second_ ? (*second_)({m, i, f, x0, x1, y0}) : x0 * std::sin(f) + x1 * std::cos(f));
  }

  RopeSpec spec_;
  std::vector<double> steps_ = {};  ///< the angle of each pair at position 1
  std::optional<Formula> position_;
  std::optional<Formula> angle_;
  std::optional<Formula> first_;
  std::optional<Formula> second_;
  std::optional<Formula> passed_;
  double factor_ = 1;
};

/// A spec with an amplitude other than 1.
const RopeSpec& rope_with_amplitude() {
  static const auto encoding = parse_spec(R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type":
      "yarn", "factor": 4, "original_max_position_embeddings": 1024}})",
                                          "spec");
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

MakeRotation rotation_in(const OrderedJson& entry, const char* key) {
  if (!entry.contains(key)) {
    return {};
  }
  return
      [&broken = entry[key]](const RopeSpec& spec) { return std::make_unique<BrokenRotation>(broken, spec); };
}

std::vector<std::string_view> laws_in(const OrderedJson& entry, const char* key) {
  std::vector<std::string_view> laws;
  for (const auto& law : entry[key]) {
    laws.emplace_back(law.get_ref<const std::string&>());
  }
  return laws;
}

/// What an entry implements. Some specs alone show the fault of some.
LawTarget target_in(const std::string& id, const OrderedJson& entry) {
  LawTarget target{.id = "broken:" + id,
                   .description = entry["what"],
                   .contract = "float32",
                   .positions = Format::binary32,
                   .stored = Format::binary32,
                   .rotation = rotation_in(entry, "rotation"),
                   .key_rotation = rotation_in(entry, "keys"),
                   .gradient = rotation_in(entry, "gradient"),
                   .inverse = rotation_in(entry, "inverse")};
  if (entry.contains("table")) {
    target.table = [&table = entry["table"]](const SinusoidalSpec& spec) {
      return std::make_unique<BrokenTable>(table, spec);
    };
  }
  if (entry.value("has_amplitude", false)) {
    target.domain.rope = rope_with_amplitude();
  }
  target.domain.lowest_position = -(1 << 16);
  target.domain.highest_position = 1 << 16;
  target.domain.largest_dimension = 64;
  target.domain.has_real_positions = true;
  target.coverage = {{"", 0.25}};
  return target;
}

std::vector<Broken> all_broken() {
  static const auto entries = OrderedJson::parse(broken_text());
  std::vector<Broken> all;
  for (const auto& [id, entry] : entries.items()) {
    all.push_back({id, laws_in(entry, "caught_by"), laws_in(entry, "escapes"), target_in(id, entry)});
  }
  for (const auto& law : laws()) {
    for (const auto id : law.catches) {
      const auto found = std::ranges::find(all, id, &Broken::id);
      if (found != all.end()) {
        found->caught_by.push_back(law.id);
      }
    }
  }
  return all;
}

}  // namespace

std::span<const Broken> broken_implementations() {
  static const auto all = all_broken();
  return all;
}

std::optional<LawTarget> subject_named(std::string_view id) {
  for (auto& subject : subjects()) {
    if (subject.id == id) {
      return subject;
    }
  }
  for (const auto& broken : broken_implementations()) {
    if (broken.target.id == id) {
      return broken.target;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
