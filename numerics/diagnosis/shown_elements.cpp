#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/diagnosis/judged_tensors.hpp"
#include "numerics/tensors/spread_indices.hpp"

namespace vernier {
namespace {

/// What an element may be in place of what it should.
struct ElementKind {
  std::string_view of_rows;  ///< the kind of fault, its id
  std::string_view of_columns;
  std::string_view one;   ///< "is zero"
  std::string_view many;  ///< "are zero"
  double bits;
  /// \param off how far the declared value may be off
  bool (*is)(double got, double declared, double off);
};

bool is_whole(double got, double low, double high, double (*whole)(double)) {
  return got == whole(low) || got == whole(high);
}

constexpr double element_kind_bits = 5;

/// Whether a number is the multiple of 1/n that is nearest to the declared one, or the next below.
template <int n>
bool is_step(double got, double declared, double off) {
  const double steps = got * n;
  constexpr double rounded = 0x1p-23;  // the factor 1/n and the product, each rounded to float32
  return std::fabs(steps - std::rint(steps)) <= rounded * std::fabs(steps) &&
         std::fabs(std::rint(steps) - declared * n) <= 1 + off * n;
}

template <int n>
constexpr ElementKind steps_of(const char* one, const char* many) {
  return {"storage/steps", "storage/steps", one, many, element_kind_bits + 2, is_step<n>};
}

const std::array element_kinds{
    ElementKind{"damage/row-zero", "damage/column-zero", "is zero", "are zero", element_kind_bits,
                [](double got, double, double) { return got == 0; }},
    ElementKind{"damage/non-finite", "damage/non-finite", "is NaN", "are NaN", element_kind_bits,
                [](double got, double, double) { return std::isnan(got); }},
    ElementKind{"storage/integers", "storage/integers", "is cut off to whole numbers",
                "are cut off to whole numbers", element_kind_bits + 1,
                [](double got, double declared, double off) {
                  return is_whole(got, declared - off, declared + off,
                                  [](double x) { return std::trunc(x); });
                }},
    ElementKind{"storage/integers", "storage/integers", "is rounded to whole numbers",
                "are rounded to whole numbers", element_kind_bits + 1,
                [](double got, double declared, double off) {
                  return is_whole(got, declared - off, declared + off,
                                  [](double x) { return std::nearbyint(x); });
                }},
    steps_of<127>("is a multiple of 1/127", "are multiples of 1/127"),
    steps_of<128>("is a multiple of 1/128", "are multiples of 1/128"),
    steps_of<255>("is a multiple of 1/255", "are multiples of 1/255"),
    steps_of<32767>("is a multiple of 1/32767", "are multiples of 1/32767"),
    steps_of<32768>("is a multiple of 1/32768", "are multiples of 1/32768")};

/// The elements of one tensor, and which of them are what.
class ShownTensor {
 public:
  static constexpr std::size_t most_elements = std::size_t{1} << 23;

  /// \param looked_at so many rows at most, spread over all
  explicit ShownTensor(const JudgedTensors::Judged& judged,
                       std::size_t looked_at = std::numeric_limits<std::size_t>::max())
      : tensor_(judged.tensor()),
        grid_(judged.grid),
        failing_rows_(tensor_.rows, Membership::no),
        failing_columns_(tensor_.columns, Membership::no) {
    for (auto& of_kind : kinds_) {
      of_kind.rows.assign(tensor_.rows, Membership::either);
      of_kind.columns.assign(tensor_.columns, Membership::either);
    }
    RowView view(*judged.view);
    for (const auto row : spread_indices(tensor_.rows, looked_at)) {
      view.go_to(row);
      for (std::size_t column = 0; column < tensor_.columns; ++column) {
        add(row, column, view.got(judged.part, column), view.allowed(judged.part, column));
      }
    }
  }

  /// Of all elements, those that are as declared, or fail; the former conclusive.
  Prediction prediction() const { return prediction_; }
  bool fails() const { return prediction_.failing > 0; }

  /// Where elements fail, and the worst of them.
  std::string failing_words() const {
    const RowGrid columns{{}, tensor_.columns, "column"};
    const auto of_rows = simplest_set(grid_, failing_rows_, {});
    const auto of_columns = simplest_set(columns, failing_columns_, {});
    const auto rows = of_rows ? of_rows->rows : counted_rows(failing_rows_, grid_.noun);
    const bool are_all_columns = of_columns && of_columns->is_whole;
    const auto in_columns =
        are_all_columns
            ? std::string()
            : fmt::format(" in {}", of_columns ? of_columns->rows : counted_rows(failing_columns_, "column"));
    const auto column =
        tensor_.columns == 1 ? std::string() : fmt::format(", column {}", worst_ % tensor_.columns);
    return fmt::format("{} of {} {}{}; {} {}{}: expected {:.6g}, got {:.6g}", rows, tensor_.role,
                       of_rows && of_rows->is_told_as_one() ? "fails" : "fail", in_columns, grid_.noun,
                       grid_.row(worst_ / tensor_.columns), column, worst_declared_, worst_got_);
  }

  /// Whether elements that fail are all of one kind.
  bool has_a_kind() const {
    return std::ranges::any_of(kinds_, [](const Shown& shown) { return shown.has_all; });
  }

  struct Told {
    const FaultKind* kind;
    std::string words;  ///< with <role>
    double bits;
  };
  std::optional<Told> told(std::size_t kind) const {
    const auto& shown = kinds_[kind];
    if (!shown.has_all) {
      return std::nullopt;
    }
    const auto& is = element_kinds[kind];
    const RowGrid columns{{}, tensor_.columns, "column"};
    const auto of_rows = covering(simplest_set(grid_, shown.rows, {}), failing_rows_);
    const auto of_columns = covering(simplest_set(columns, shown.columns, {}), failing_columns_);
    if (!of_rows && !of_columns) {
      return std::nullopt;
    }
    if (of_rows && of_rows->is_whole) {
      return Told{&fault_kind(is.of_rows), fmt::format("every element of <role> {}", is.one), is.bits};
    }
    const bool by_rows = of_rows && (!of_columns || of_rows->bits <= of_columns->bits);
    const auto& set = by_rows ? *of_rows : *of_columns;
    const bool is_one = set.is_told_as_one();
    return Told{&fault_kind(by_rows ? is.of_rows : is.of_columns),
                fmt::format("{} of <role> {}", set.rows, is_one ? is.one : is.many), is.bits + set.bits};
  }

 private:
  /// The set, if nothing fails outside it: a row that has an element of another kind is none of it.
  static std::optional<RowSet> covering(std::optional<RowSet> set, const std::vector<Membership>& failing) {
    for (std::size_t i = 0; set && i < failing.size(); ++i) {
      if (failing[i] == Membership::yes && !set->has[i]) {
        return std::nullopt;
      }
    }
    return set;
  }

  static std::string counted_rows(const std::vector<Membership>& members, std::string_view what) {
    return fmt::format("{} of {} {}s", std::ranges::count(members, Membership::yes), members.size(), what);
  }

  struct Shown {
    std::vector<Membership> rows;
    std::vector<Membership> columns;
    bool has_all = true;  ///< every element that fails is of the kind
  };

  void add(std::size_t row, std::size_t column, double got, const AllowedElement& allowed) {
    ++prediction_.elements;
    if (allowed.may_overflow || allowed.proves_nothing() || !allowed.truth) {
      return;
    }
    ++prediction_.conclusive;
    const double declared = allowed.truth->approximately();
    const double off = allowed.budget.total();
    const double ratio = judged_element(row, got, *allowed.truth, off).budget_ratio;
    const bool fails = !allowed.is_instead(got) && !(ratio <= 1);
    prediction_.failing += fails ? 1 : 0;
    if (fails) {
      failing_rows_[row] = Membership::yes;
      failing_columns_[column] = Membership::yes;
      if (!(std::fabs(got - declared) <= worst_error_)) {
        worst_error_ = std::fabs(got - declared);
        worst_ = row * tensor_.columns + column;
        worst_got_ = got;
        worst_declared_ = declared;
      }
    }
    prediction_.largest_budget_ratio =
        fails ? prediction_.largest_budget_ratio : std::max(prediction_.largest_budget_ratio, ratio);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      auto& shown = kinds_[kind];
      const bool is = element_kinds[kind].is(got, declared, off);
      shown.has_all = shown.has_all && (is || !fails);
      // An element that is right and none of the kind keeps its row and its column out.
      for (auto* member : {&shown.rows[row], &shown.columns[column]}) {
        if (!is) {
          *member = Membership::no;
        } else if (fails && *member == Membership::either) {
          *member = Membership::yes;
        }
      }
    }
  }

  const TensorPart& tensor_;
  const RowGrid& grid_;
  Prediction prediction_;
  std::vector<Membership> failing_rows_;  ///< no where none of the row fails
  std::vector<Membership> failing_columns_;
  double worst_error_ = -1;
  std::size_t worst_ = 0;
  double worst_got_ = 0;
  double worst_declared_ = 0;
  std::array<Shown, element_kinds.size()> kinds_;
};

void put_roles(std::string& words, const std::string& roles) {
  if (const auto at = words.find("<role>"); at != std::string::npos) {
    words.replace(at, 6, roles);
  }
}

}  // namespace

std::optional<Explanation> explain_elements(const Case& subject, std::span<const std::string> roles) {
  const auto judged = JudgedTensors::of(subject, *subject.encoding, roles);
  if (!judged) {
    return std::nullopt;
  }
  std::vector<ShownTensor> tensors;
  std::size_t elements = 0;
  for (const auto& tensor : judged->all()) {
    elements += tensor.tensor().rows * tensor.tensor().columns;
  }
  if (elements > ShownTensor::most_elements) {
    return std::nullopt;
  }
  // Some rows refute most kinds.
  constexpr std::size_t first_rows = 64;
  if (std::ranges::any_of(judged->all(), [](const JudgedTensors::Judged& tensor) {
        return !ShownTensor(tensor, first_rows).has_a_kind();
      })) {
    return std::nullopt;
  }
  Prediction prediction;
  for (const auto& tensor : judged->all()) {
    tensors.emplace_back(tensor);
    prediction.append(tensors.back().prediction());
  }
  prediction.failing = 0;
  std::optional<Explanation> best;
  for (std::size_t kind = 0; kind < element_kinds.size(); ++kind) {
    std::map<std::string, std::pair<const FaultKind*, std::string>> roles_by_words;
    double bits = 0;
    bool are_all = true;
    for (std::size_t t = 0; t < tensors.size() && are_all; ++t) {
      if (!tensors[t].fails()) {
        continue;
      }
      const auto told = tensors[t].told(kind);
      are_all = told.has_value();
      if (told) {
        auto& [of, names] = roles_by_words[told->words];
        bits += names.empty() ? told->bits : 1;
        of = told->kind;
        names += (names.empty() ? "" : " and ") + judged->all()[t].tensor().role;
      }
    }
    if (!are_all || roles_by_words.empty() || (best && best->bits <= bits)) {
      continue;
    }
    Explanation explanation{{}, prediction, bits};
    for (const auto& [words, told] : roles_by_words) {
      auto sentence = words;
      put_roles(sentence, told.second);
      explanation.findings.push_back({told.first, std::move(sentence)});
    }
    best = std::move(explanation);
  }
  return best && best->prediction.is_proved() ? best : std::nullopt;
}

std::string failing_words(const Case& subject, std::span<const std::string> roles) {
  const auto judged = JudgedTensors::of(subject, *subject.encoding, roles);
  for (std::size_t i = 0; judged && i < judged->all().size(); ++i) {
    const auto& tensor = judged->all()[i];
    if (tensor.tensor().rows * tensor.tensor().columns > ShownTensor::most_elements) {
      return {};
    }
    if (const ShownTensor shown(tensor); shown.fails()) {
      return shown.failing_words();
    }
  }
  return {};
}

}  // namespace vernier
