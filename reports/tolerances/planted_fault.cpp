#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "numerics/computation/spec_patch.hpp"
#include "reference/support/mapped.hpp"
#include "reports/tolerances/sine_program.hpp"

namespace vernier {

/// faults.json as it stands.
std::string program_faults_text();

namespace {

/// The variables of the formulas that take the place of a stage, or of both components of it.
const std::map<std::string, std::vector<std::string>, std::less<>> stage_variables{
    {"place", {"p"}},
    {"phase", {"p", "i", "f"}},
    {"trigonometry", {"x"}},
    {"turn", {"p", "i", "c", "s"}},
    {"read", {"x"}},
    {"pair", {"x0", "x1", "c", "s"}},
    {"value", {"p", "r", "j", "v", "rows", "width", "of"}}};

std::size_t as_index(double x) {
  return static_cast<std::size_t>(x);
}

std::int64_t as_integer(double x) {
  return static_cast<std::int64_t>(x);
}

/// What the contract allows the larger of a pair's cosine and sine to be off by.
double element_budget(const ToleranceQuestion& question, std::int64_t position, int pair) {
  const auto model = question.contract->bind(question.encoding->plain_tables().front(), question.stored());
  const double phase = static_cast<double>(position) * model.frequency(pair);
  const double c = model.amplitude() * std::cos(phase);
  const double s = model.amplitude() * std::sin(phase);
  return std::max(model.at(position, pair, c, s).total(), model.at(position, pair, s, c).total());
}

/// A formula, or several.
std::vector<std::string> formulas_in(const OrderedJson& value) {
  return value.is_array() ? value.get<std::vector<std::string>>() : std::vector{value.get<std::string>()};
}

/// What formulas name of the program and its tensors, and of the spec: "spec.rope_scaling.factor",
/// "has.rope_scaling.factor", "is.rope", "scaling.yarn".
NamedNumbers numbers_of(const ToleranceQuestion& question, const SineProgram& honest) {
  const auto& [first, step, count] = question.positions;
  const auto& pairs = honest.pairs;
  const auto table = question.encoding->plain_tables().front();
  const auto number = [](auto value) { return static_cast<double>(value); };
  NamedNumbers numbers{{"products", number(!honest.rule)},
                       {"geometric", number(table.frequencies.geometric() != nullptr)},
                       {"rotates", number(question.rotation.has_value())},
                       {"halves", number(!pairs.empty() && pairs.front().second == pairs.size())},
                       {"pairs", number(honest.frequencies.size())},
                       {"least", number(first)},
                       {"last", number(question.positions.at(count - 1))},
                       {"length", number(count)},
                       {"amplitude", honest.amplitude},
                       {"direction", honest.direction},
                       {"stored", number(honest.stored)},
                       {"precision", number(traits(honest.stored).precision)},
                       {"compute", number(honest.compute)},
                       {"compute_precision", number(traits(honest.compute).precision)}};
  for (const auto& role : honest.roles) {
    numbers["role." + role] = honest.code_of_role(role);
  }
  const auto by_path = question.encoding->spec().flatten();
  for (const auto& [path, told] : by_path.items()) {
    auto key = path.substr(1);
    std::ranges::replace(key, '/', '.');
    numbers["has." + key] = 1;
    numbers["spec." + key] = told.is_boolean()  ? told.get<bool>()
                             : told.is_number() ? told.get<double>()
                                                : std::numeric_limits<double>::quiet_NaN();
    if (key == "scheme" || key == "rope_scaling.rope_type") {
      numbers[(key == "scheme" ? "is." : "scaling.") + told.get<std::string>()] = 1;
    }
  }
  return numbers;
}

/// A row of the catalogue while it is planted.
class RowPlanting {
 public:
  RowPlanting(const ToleranceQuestion& question, const SineProgram& honest, SeededDraws& draw)
      : question_(question),
        honest_(honest),
        draw_(draw),
        planted_(honest),
        numbers_(numbers_of(question, honest)) {}

  /// The row, then one of its variants. \return whether the program can have it
  bool plant(const OrderedJson& row) {
    if (!suits(row)) {
      return false;
    }
    const auto drawn = row.value("draw", OrderedJson::object());
    for (const auto& [name, text] : drawn.items()) {
      numbers_[name] = value(text);
      if (name == "if" && numbers_[name] == 0) {
        return false;
      }
    }
    for (const auto& [key, told] : row.items()) {
      if (!apply(key, told)) {
        return false;
      }
    }
    return !row.contains("variants") || plant(chosen_variant(row));
  }

  SineProgram planted() { return std::move(planted_); }

 private:
  /// What is not in the spec is no number, and no truth; "scaling.ntk" is true of "ntk_mixed", and
  /// "has.rope_scaling" where that has a key.
  std::optional<double> constant(const std::string& name) const {
    const auto found = numbers_.lower_bound(name);
    const bool begins = found != numbers_.end() && found->first.starts_with(name);
    if (begins && found->first.size() == name.size()) {
      return found->second;
    }
    if (name.starts_with("spec.") || name.starts_with("role.")) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    return name.find('.') == std::string::npos ? std::nullopt : std::optional(begins ? 1.0 : 0.0);
  }

  Formula formula(const std::string& text, std::vector<std::string> variables) const {
    return {text,
            {std::move(variables), [this](const std::string& name) { return constant(name); },
             [this](const std::string& name) {
               const auto found = functions_.find(name);
               return found == functions_.end() ? Formula::Function() : found->second;
             }}};
  }
  double value(const std::string& text) const { return formula(text, {})({}); }

  bool suits(const OrderedJson& row) const { return value(row.value("if", "1")) != 0; }

  /// Does what a key of a row says. \return whether the program can have it
  bool apply(const std::string& key, const OrderedJson& told) {
    if (const auto stage = stage_variables.find(key); stage != stage_variables.end()) {
      for (const auto& text : formulas_in(told)) {
        planted_.stages[key].push_back(formula(text, stage->second));
      }
    } else if (key == "frequency") {
      const auto edited = formula(told, {"i", "w", "before"});
      double before = 0;
      for (double i = 0; auto& w : planted_.frequencies) {
        before = w = round_to(planted_.compute, edited({i++, w, before}));
      }
    } else if (key == "amplitude") {
      planted_.amplitude = round_to(planted_.compute, value(told));
    } else if (key == "spec") {
      return compute_spec(told);
    } else if (key == "words") {
      planted_.words = filled_in(told, [this](const std::string& text) { return shown(text); });
    } else if (key == "at") {
      for (const auto& text : formulas_in(told)) {
        planted_.telling.push_back(as_integer(value(text)));
      }
    }
    return true;
  }

  /// Takes the frequencies and the amplitude of a spec that has other values under these keys, or none.
  /// \return whether there is such an encoding
  bool compute_spec(const OrderedJson& keys) {
    OrderedJson changes;
    for (const auto& [key, text] : keys.items()) {
      auto& change = changes[OrderedJson::json_pointer("/" + pointer_of(key))];
      change = text == "" ? OrderedJson() : json_number(value(text));
    }
    auto spec = question_.encoding->spec();
    spec.merge_patch(changes);
    const auto encoding = encoding_of(spec);
    if (encoding != nullptr) {
      planted_.take(*encoding);
    }
    return encoding != nullptr;
  }

  /// By number, or any that the program can have.
  const OrderedJson& chosen_variant(const OrderedJson& row) const {
    const auto& variants = row["variants"];
    if (row.contains("variant")) {
      return variants[as_index(value(row["variant"]))];
    }
    const auto possible = pointers_to(variants, [&](const auto& variant) { return suits(variant); });
    return possible.empty() ? variants.front() : *draw_.of(possible);
  }

  std::string shown(const std::string& text) const {
    const double x = value(text);
    return text == "role"       ? honest_.roles[as_index(x)]
           : text == "format"   ? std::string(traits(static_cast<Format>(as_index(x))).name)
           : x == std::floor(x) ? fmt::format("{:.0f}", x)
                                : fmt::format("{:.4g}", x);
  }

  const ToleranceQuestion& question_;
  const SineProgram& honest_;
  SeededDraws& draw_;
  SineProgram planted_;
  NamedNumbers numbers_;
  /// Of the program before it has the fault. Those that draw, and the budget, do not outlive this.
  std::map<std::string, Formula::Function> functions_ = {
      {"w", [&w = honest_.frequencies](auto a, auto&) { return w[as_index(a[0])]; }},
      {"cosine", [&honest = honest_](auto a, auto&) { return honest.honest_turn(a[0]).first; }},
      {"sine", [&honest = honest_](auto a, auto&) { return honest.honest_turn(a[0]).second; }},
      {"at", [](auto a, auto& rows) { return rows.values[as_index(a[0]) * rows.width + as_index(a[1])]; }},
      {"input", [](auto a, auto& rows) { return rows.input[as_index(a[0]) * rows.width + as_index(a[1])]; }},
      {"budget",
       [this](auto a, auto&) { return element_budget(question_, as_integer(a[0]), static_cast<int>(a[1])); }},
      {"between",
       [this](auto a, auto&) {
         return static_cast<double>(draw_.between(as_integer(a[0]), as_integer(a[1])));
       }},
      {"chance", [this](auto a, auto&) { return draw_.chance(a[0]) ? 1.0 : 0.0; }},
      {"sign", [this](auto, auto&) { return draw_.chance(0.5) ? 1.0 : -1.0; }},
      {"one_of", [this](auto a, auto&) { return draw_.of(a); }},
      // As likely in every octave.
      {"spread", [this](auto a, auto&) { return a[0] * std::pow(a[1] / a[0], draw_.share()); }},
      {"role", [this](auto, auto&) { return honest_.code_of_role(draw_.of(honest_.roles)); }},
  };
};

}  // namespace

const OrderedJson& program_faults() {
  static const auto rows = [] {
    const auto catalogue = OrderedJson::parse(program_faults_text());
    auto all = OrderedJson::array();
    for (const auto& own : catalogue["faults"]) {
      const auto like = own.value("like", std::string());
      all.push_back(like.empty() ? OrderedJson() : catalogue["templates"].at(like));
      all.back().merge_patch(own);
    }
    return all;
  }();
  return rows;
}

std::optional<SineProgram> plant(const OrderedJson& fault, const ToleranceQuestion& question,
                                 const SineProgram& honest, SeededDraws& draw) {
  RowPlanting planting(question, honest, draw);
  return planting.plant(fault) ? std::optional(planting.planted()) : std::nullopt;
}

}  // namespace vernier
