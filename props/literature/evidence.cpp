#include "props/literature/evidence.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/formula.hpp"
#include "numerics/recipes/c_library.hpp"
#include "props/broken/broken.hpp"
#include "props/judging/interval_predicates.hpp"
#include "props/laws/run_law.hpp"
#include "props/literature/quantities.hpp"
#include "props/matrix/matrix.hpp"

namespace vernier {

/// evidence.json as it stands.
std::string evidence_text();

namespace {

constexpr std::array<std::string_view, 5> ruling_names{"holds", "conditional", "approximate", "refuted",
                                                       "undecided"};

/// Bits of intervals where evidence.json does not say: figures of a few digits need few, differences of
/// nearly equal numbers more.
constexpr unsigned usual_bits = 128;

const OrderedJson& evidence_entries() {
  static const auto entries = OrderedJson::parse(evidence_text());
  return entries;
}

template <class Value, std::size_t count>
Value named_value(const std::array<std::string_view, count>& names, const OrderedJson& name) {
  return static_cast<Value>(std::ranges::find(names, name.get<std::string>()) - names.begin());
}

/// What to put for names in a formula.
using RowTexts = std::vector<std::pair<std::string, std::string>>;

std::string with_row(std::string formula, const RowTexts& row) {
  for (const auto& [name, value] : row) {
    formula = std::regex_replace(formula, std::regex("\\b" + name + "\\b"), value);
  }
  return formula;
}

/// The rows of a fact, or one without names.
std::vector<RowTexts> rows_of_fact(const OrderedJson& fact) {
  if (!fact.contains("for")) {
    return {{}};
  }
  std::vector<RowTexts> rows;
  static const std::regex space(" ");
  const auto names = fact.at("for").get<std::string>();
  for (const auto& cells : fact.at("rows")) {
    RowTexts row;
    std::sregex_token_iterator name(names.begin(), names.end(), space, -1);
    for (const auto& cell : cells) {
      row.emplace_back(name->str(), cell.is_string() ? cell.get<std::string>() : cell.dump());
      ++name;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Gathers what is established, fact by fact.
class FactJudge {
 public:
  explicit FactJudge(const OrderedJson& entry) : entry_(entry), functions_(quantities()) {
    numbers_ = named_numbers();
    const auto& models = entry.value("models", OrderedJson::object());
    for (const auto& [name, member] : models.items()) {
      members_.emplace(name, member_of(member));
      add_functions_of(name, members_.at(name), functions_);
    }
    const auto& names = entry.value("let", OrderedJson::object());
    for (const auto& [name, formula] : names.items()) {
      numbers_[name] = evaluated(formula.get<std::string>(), numbers_, functions_);
    }
  }

  void take(const OrderedJson& fact) {
    if (fact.is_string()) {
      take_sentence(fact.get<std::string>(), "", {});
    } else if (fact.contains("law")) {
      take_law(fact.at("law").get<std::string>(), fact.value("on", "reference"));
    } else if (fact.contains("property")) {
      take_property(fact.at("property").get<std::string>(), fact.at("of").get<std::string>(),
                    fact.at("is").get<std::string>());
    } else {
      for (const auto& row : rows_of_fact(fact)) {
        take_sentence(fact.at("says").get<std::string>(), fact.value("if", ""), row);
      }
    }
  }

  EvidenceResult conclusion() const {
    if (!failed_.empty()) {
      return {Ruling::undecided, "not so: " + failed_};
    }
    return {told_.empty() ? Ruling::undecided : named_value<Ruling>(ruling_names, entry_.at("finds")), told_};
  }

 private:
  void add(bool is_established, const std::string& sentence) {
    auto& text = is_established ? told_ : failed_;
    text += (text.empty() ? "" : "; ") + sentence;
  }

  Interval value(const std::string& formula) const { return evaluated(formula, numbers_, functions_); }

  void take_sentence(const std::string& sentence, const std::string& condition, const RowTexts& row) {
    bool is_established = true;
    const auto text = filled_in(
        sentence, [&](const std::string& formula) { return shown(with_row(formula, row), is_established); });
    is_established &= condition.empty() || is_certain(value(with_row(condition, row)));
    add(is_established, text);
  }

  /// What is read for a formula in braces.
  std::string shown(const std::string& formula, bool& is_established) const {
    if (const auto tilde = formula.rfind("~ "); tilde != std::string::npos) {
      const auto number = value(formula.substr(0, tilde));
      const auto decimal = formula.substr(tilde + 2);
      const bool rounds = rounds_to_decimal(number, decimal);
      is_established &= rounds;
      return rounds ? decimal : fmt::format("{}, not {},", digits(number, 12), decimal);
    }
    if (const auto colon = formula.rfind(": "); colon != std::string::npos) {
      return digits(value(formula.substr(0, colon)), std::stoi(formula.substr(colon + 2)));
    }
    return formula == "c_library" ? c_library() : formula;
  }

  void take_law(const std::string& id, const std::string& subject_id) {
    const auto* law = law_named(id);
    const auto subject = subject_named(subject_id);
    if (law == nullptr || !subject) {
      throw std::invalid_argument("no law " + id + " on " + subject_id);
    }
    const auto result = run_law(*law, *subject, options_from_environment());
    const bool is_honest = subject_id == "reference";
    add(result.status == (is_honest ? CheckStatus::holds : CheckStatus::fails),
        fmt::format("the law {}, {}, {} on {} in {} random cases, {} of them conclusive", id,
                    law->property->statement, is_honest ? "holds" : "fails",
                    is_honest ? "the reference" : "an implementation with the fault: " + subject->description,
                    result.cases, result.conclusive));
  }

  void take_property(const std::string& id, const std::string& of, const std::string& answer) {
    const auto* property = property_named(id);
    const auto row = std::ranges::find(matrix_rows(), of, &MatrixRow::id);
    const auto member = members_.find(of);
    if (property == nullptr || (row == matrix_rows().end()) == (member == members_.end())) {
      throw std::invalid_argument("no property " + id + " of " + of);
    }
    const auto options = options_from_environment();
    const auto cell = member == members_.end() ? decide(*property, *row, options)
                                               : decide(*property, member->second, options);
    add(name_of(cell.answer) == answer,
        fmt::format("{}, {}: {}; {}", member == members_.end() ? std::string(row->name) : member->second.name,
                    property->model->column, name_of(cell.answer), cell.told));
  }

  const OrderedJson& entry_;
  std::map<std::string, Interval, std::less<>> numbers_;
  IntervalFunctions functions_;
  std::map<std::string, MatrixMember, std::less<>> members_ = {};
  std::string told_ = {};
  std::string failed_ = {};
};

}  // namespace

EvidenceResult computed(const OrderedJson& entry) {
  const WorkingPrecision scope(entry.value("bits", usual_bits));
  FactJudge judge(entry);
  for (const auto& fact : entry.at("facts")) {
    judge.take(fact);
  }
  return judge.conclusion();
}

EvidenceResult Evidence::compute() const {
  return computed(*text);
}

std::span<const Evidence> evidence() {
  static const auto listed = [] {
    std::vector<Evidence> result;
    for (const auto& [id, entry] : evidence_entries().items()) {
      result.push_back({id, entry.at("computes").get<std::string>(),
                        named_value<Method>(method_names, entry.at("method")), &entry});
    }
    return result;
  }();
  return listed;
}

const Evidence* evidence_named(std::string_view id) {
  const auto found = std::ranges::find(evidence(), id, &Evidence::id);
  return found == evidence().end() ? nullptr : &*found;
}

std::string_view name_of(Ruling finding) {
  return ruling_names[static_cast<std::size_t>(finding)];
}

}  // namespace vernier
