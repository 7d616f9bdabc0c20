#include "reports/tolerances/planted_fault.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "numerics/computation/spec_patch.hpp"
#include "props/judging/specs.hpp"
#include "reference/support/input_error.hpp"

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
    {"value", {"p", "r", "j", "v", "rows", "width", "of"}},
    {"store", {"v"}}};

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

using FaultFunctions = std::map<std::string, Formula::Function, std::less<>>;

/// Of the program before it has the fault. Those that draw, and the budget, do not outlive what they refer
/// to.
FaultFunctions functions_of(const ToleranceQuestion& question, const SineProgram& honest, ProgramDraw& draw) {
  return {
      {"w", [w = honest.frequencies](auto a, auto&) { return w[as_index(a[0])]; }},
      {"cosine", [of = honest.trigonometry](auto a, auto&) { return of(a[0]).first; }},
      {"sine", [of = honest.trigonometry](auto a, auto&) { return of(a[0]).second; }},
      {"at", [](auto a, auto& rows) { return rows.values[as_index(a[0]) * rows.width + as_index(a[1])]; }},
      {"input", [](auto a, auto& rows) { return rows.input[as_index(a[0]) * rows.width + as_index(a[1])]; }},
      {"budget",
       [&](auto a, auto&) { return element_budget(question, as_integer(a[0]), static_cast<int>(a[1])); }},
      {"between",
       [&](auto a, auto&) { return static_cast<double>(draw.between(as_integer(a[0]), as_integer(a[1]))); }},
      {"chance", [&](auto a, auto&) { return draw.chance(a[0]) ? 1.0 : 0.0; }},
      {"sign", [&](auto, auto&) { return draw.chance(0.5) ? 1.0 : -1.0; }},
      {"one_of", [&](auto a, auto&) { return draw.any_of(a); }},
      // As likely in every octave.
      {"spread", [&](auto a, auto&) { return a[0] * std::pow(a[1] / a[0], draw.share()); }},
      {"role", [&](auto, auto&) { return honest.code_of_role(draw.any_of(honest.roles)); }},
  };
}

NamedNumbers numbers_of(const ToleranceQuestion& question, const SineProgram& honest) {
  const auto number = [](auto value) { return static_cast<double>(value); };
  const auto& [first, step, count] = question.positions;
  const auto& pairs = honest.pairs;
  const auto table = question.encoding->plain_tables().front();
  return {{"products", number(honest.rule == nullptr)},
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
}

/// A formula, or several.
std::vector<std::string> formulas_in(const OrderedJson& value) {
  return value.is_array() ? value.get<std::vector<std::string>>() : std::vector{value.get<std::string>()};
}

/// A row of the catalogue while it is planted.
class RowPlanting {
 public:
  RowPlanting(const ToleranceQuestion& question, const SineProgram& honest, ProgramDraw& draw)
      : honest_(honest),
        draw_(draw),
        spec_(question.encoding->spec()),
        numbers_(numbers_of(question, honest)),
        functions_(functions_of(question, honest, draw)),
        result_{honest} {}

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
    for (const auto& [key, edit] : row.items()) {
      if (!apply(key, edit)) {
        return false;
      }
    }
    if (!row.contains("variants")) {
      return true;
    }
    const auto* variant = chosen_variant(row);
    return variant != nullptr && plant(*variant);
  }

  FaultyProgram result() { return std::move(result_); }

 private:
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

  /// The place of "rope_scaling.factor" in a spec.
  static OrderedJson::json_pointer place(const std::string& path) {
    return OrderedJson::json_pointer("/" + pointer_of(path));
  }

  std::optional<double> constant(const std::string& name) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) {
      return found->second;
    }
    const auto dot = name.find('.');
    if (dot == std::string::npos) {
      return std::nullopt;
    }
    const auto group = name.substr(0, dot);
    const auto rest = name.substr(dot + 1);
    if (group == "role") {
      return honest_.code_of_role(rest);
    }
    const std::string path = group == "scaling" ? "rope_scaling.rope_type" : group == "is" ? "scheme" : rest;
    const auto told = spec_.value(place(path), OrderedJson());
    if (group != "spec") {
      return group == "has" ? !told.is_null() : told.is_string() && told.get<std::string>().starts_with(rest);
    }
    return told.is_boolean()  ? told.get<bool>()
           : told.is_number() ? told.get<double>()
                              : std::numeric_limits<double>::quiet_NaN();
  }

  /// Does what a key of a row says. \return whether the program can have it
  bool apply(const std::string& key, const OrderedJson& told) {
    auto& program = result_.program;
    if (const auto stage = stage_variables.find(key); stage != stage_variables.end()) {
      for (const auto& text : formulas_in(told)) {
        program.stages[key].push_back(formula(text, stage->second));
      }
    } else if (key == "frequency") {
      const auto edited = formula(told, {"i", "w", "before"});
      double before = 0;
      for (double i = 0; auto& w : program.frequencies) {
        before = w = round_to(program.compute, edited({i++, w, before}));
      }
    } else if (key == "amplitude") {
      program.amplitude = round_to(program.compute, value(told));
    } else if (key == "spec") {
      return compute_spec(told);
    } else if (key == "words") {
      result_.words = words(told);
    } else if (key == "at") {
      for (const auto& text : formulas_in(told)) {
        result_.telling.push_back(as_integer(value(text)));
      }
    }
    return true;
  }

  /// Takes the frequencies and the amplitude of a spec that has other values under these keys, or none.
  /// \return whether there is such an encoding
  bool compute_spec(const OrderedJson& keys) {
    auto spec = spec_;
    for (const auto& [key, text] : keys.items()) {
      if (text == "") {
        spec.erase(key);
        continue;
      }
      const double number = value(text);
      spec[place(key)] = number == std::floor(number) ? OrderedJson(as_integer(number)) : OrderedJson(number);
    }
    try {
      result_.program.take(*encoding_of(spec.dump()));
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  /// By number, or any that the program can have.
  const OrderedJson* chosen_variant(const OrderedJson& row) const {
    const auto& variants = row["variants"];
    if (row.contains("variant")) {
      return &variants[as_index(value(row["variant"]))];
    }
    std::vector<const OrderedJson*> possible;
    for (const auto& variant : variants) {
      if (suits(variant)) {
        possible.push_back(&variant);
      }
    }
    return possible.empty() ? nullptr : draw_.any_of(possible);
  }

  /// Text with numbers in it: "by {by}".
  std::string words(std::string text) const {
    for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
      const auto close = text.find('}', open);
      const auto number = shown(text.substr(open + 1, close - open - 1));
      text.replace(open, close + 1 - open, number);
    }
    return text;
  }

  std::string shown(const std::string& text) const {
    const double x = value(text);
    return text == "role"     ? honest_.roles[as_index(x)]
           : text == "format" ? std::string(traits(static_cast<Format>(as_index(x))).name)
           : x == std::floor(x) && std::fabs(x) < 0x1p53 ? std::to_string(as_integer(x))
                                                         : fmt::format("{:.4g}", x);
  }

  const SineProgram& honest_;
  ProgramDraw& draw_;
  OrderedJson spec_;
  NamedNumbers numbers_;
  FaultFunctions functions_;
  FaultyProgram result_;
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

std::optional<FaultyProgram> plant(const OrderedJson& fault, const ToleranceQuestion& question,
                                   const SineProgram& honest, ProgramDraw& draw) {
  RowPlanting planting(question, honest, draw);
  return planting.plant(fault) ? std::optional(planting.result()) : std::nullopt;
}

}  // namespace vernier
