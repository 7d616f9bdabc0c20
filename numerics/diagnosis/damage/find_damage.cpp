#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/judged_tensors.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// What an element may be in place of what it should.
struct ElementKind {
  std::string_view of_rows;     ///< the kind of fault, its id
  std::string_view of_columns;  ///< empty: whole rows alone are told
  std::string_view one;         ///< "is zero"
  std::string_view many;        ///< "are zero"
  double bits;
  bool (*is)(const PredictedElement& element);
};

using Rounding = double (*)(double);

/// Whether a number is what rounding makes of one that the declared value may be.
template <Rounding whole>
bool is_whole(const PredictedElement& one) {
  return one.got == whole(one.predicted - one.allowed) || one.got == whole(one.predicted + one.allowed);
}

constexpr double element_kind_bits = 5;
/// Zeros are what memory holds that nobody wrote. Another number is likelier than a map of positions, and
/// less likely than frequencies of zero, of which cosines are one.
constexpr double constant_bits = listed_bits - 1;

/// Whether a number is the multiple of 1/n that is nearest to the declared one, or the next below.
template <int n>
bool is_step(const PredictedElement& one) {
  const double steps = one.got * n;
  constexpr double rounded = 0x1p-23;  // the factor 1/n and the product, each rounded to float32
  return std::fabs(steps - std::rint(steps)) <= rounded * std::fabs(steps) &&
         std::fabs(std::rint(steps) - one.predicted * n) <= 1 + one.allowed * n;
}

template <int n>
constexpr ElementKind steps_of(const char* one, const char* many) {
  return {"storage/steps", "storage/steps", one, many, element_kind_bits + 2, is_step<n>};
}

const std::array element_kinds{
    ElementKind{"damage/row-zero", "damage/column-zero", "is zero", "are zero", element_kind_bits,
                [](const PredictedElement& one) { return one.got == 0; }},
    ElementKind{"damage/non-finite", "damage/non-finite", "is NaN", "are NaN", element_kind_bits,
                [](const PredictedElement& one) { return std::isnan(one.got); }},
    ElementKind{"damage/non-finite", "damage/non-finite", "is NaN or infinite", "are NaN or infinite",
                element_kind_bits + 1, [](const PredictedElement& one) { return !std::isfinite(one.got); }},
    ElementKind{"mapping/padding", "", "should be zero, as that of padding",
                "should be zero, as those of padding", element_kind_bits,
                [](const PredictedElement& one) { return one.predicted == 0 && one.allowed == 0; }},
    ElementKind{"storage/integers", "storage/integers", "is cut off to whole numbers",
                "are cut off to whole numbers", element_kind_bits + 1,
                is_whole<static_cast<Rounding>(std::trunc)>},
    ElementKind{"storage/integers", "storage/integers", "is rounded to whole numbers",
                "are rounded to whole numbers", element_kind_bits + 1,
                is_whole<static_cast<Rounding>(std::nearbyint)>},
    steps_of<127>("is a multiple of 1/127", "are multiples of 1/127"),
    steps_of<128>("is a multiple of 1/128", "are multiples of 1/128"),
    steps_of<255>("is a multiple of 1/255", "are multiples of 1/255"),
    steps_of<32767>("is a multiple of 1/32767", "are multiples of 1/32767"),
    steps_of<32768>("is a multiple of 1/32768", "are multiples of 1/32768")};

/// What is told of the elements of a tensor that fail.
struct DamageWords {
  const FaultKind* kind;
  std::string words;  ///< with <role>
  double bits;
  bool says_what_is_held = true;  ///< rather than where something else is
};

/// A few elements that were overwritten, in no order: where all others are well within their budgets.
class FewElements {
 public:
  void add(const PredictedElement& one) {
    ++count_;
    if (failing_.size() <= most) {
      failing_.push_back(one);
    }
  }

  bool are_few() const { return count_ <= most; }
  /// \pre there is one
  const PredictedElement& first() const { return failing_.front(); }

  /// \param largest_holding the greatest share of its budget that an element uses which does not fail
  std::optional<DamageWords> told(const ShownTensor& tensor, double largest_holding) const {
    // Arithmetic that is a little off leaves some elements just beyond their budgets: damage misses by more.
    // Next to a pair that is damaged the others use less than half as much.
    constexpr double least_error_ratio = 4;
    constexpr double least_gap = 2;
    const auto& first = failing_.front();
    const auto all = [&](auto is_so) { return std::ranges::all_of(failing_, is_so); };
    const auto is_lost = [](const PredictedElement& one) {  // what flushing leaves
      return one.got == 0 && std::fabs(one.predicted) < 0x1p-10;
    };
    const bool are_in_one_row = all([&](const PredictedElement& one) { return one.row == first.row; });
    const bool are_one_pair = first.pair >= 0 && are_in_one_row &&
                              all([&](const PredictedElement& one) { return one.pair == first.pair; });
    const bool are_dispersed = !are_in_one_row || count_ <= 2;
    const bool are_overwritten =
        all([](const PredictedElement& one) { return one.ratio() >= least_error_ratio; });
    const double greatest = std::ranges::max_element(failing_, {}, &PredictedElement::ratio)->ratio();
    const bool stand_out = are_one_pair && count_ > 1 && greatest >= least_gap * largest_holding;
    if (!are_few() || all(is_lost) || !((are_dispersed && are_overwritten) || stand_out)) {
      return std::nullopt;
    }
    const auto words = [&](const PredictedElement& one) {
      return fmt::format("{} of <role> is {}", tensor.place_words(one.row, one.column),
                         one_not_other(one.got, one.predicted, 9));
    };
    return DamageWords{&fault_kind("damage/element"), joined(failing_, words, ", and "),
                       element_bits * static_cast<double>(count_), false};
  }

 private:
  static constexpr std::size_t most = 4;
  static constexpr double element_bits = 2.5 * damaged_bits;  // where it is, and what it is

  std::size_t count_ = 0;
  std::vector<PredictedElement> failing_;
};

/// The elements of one tensor, and which of them are what.
class DamagedTensor {
 public:
  explicit DamagedTensor(const ShownTensor& tensor)
      : tensor_(tensor),
        failing_rows_(tensor.grid.all(), Membership::no),
        failing_columns_(tensor.columns, Membership::no) {
    for (auto& of_kind : kinds_) {
      of_kind.rows.assign(failing_rows_.size(), Membership::either);
      of_kind.columns.assign(tensor.columns, Membership::either);
    }
  }

  void add(const PredictedElement& one) {
    only_number_ = prediction_.elements == 0 || one.got == only_number_ ? one.got : NAN;
    ++prediction_.elements;
    const bool is_lost = !std::isfinite(one.got) && std::isfinite(one.predicted);
    if (!one.conclusive && !is_lost) {
      return;
    }
    ++prediction_.conclusive;
    const double ratio = one.ratio();
    const bool fails = is_lost || !(ratio <= 1);
    if (fails) {
      ++prediction_.failing;
      few_.add(one);
      failing_rows_[one.row] = Membership::yes;
      failing_columns_[one.column] = Membership::yes;
      greatest_lost_ = std::max(greatest_lost_, std::fabs(one.predicted));
      const auto error = [](const PredictedElement& of) { return std::fabs(of.got - of.predicted); };
      worst_ = worst_ && error(one) <= error(*worst_) ? worst_ : one;
    } else {
      prediction_.largest_budget_ratio = std::max(prediction_.largest_budget_ratio, ratio);
    }
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      auto& shown = kinds_[kind];
      const bool is = element_kinds[kind].is(one);
      shown.has_all = shown.has_all && (is || !fails);
      // An element that is right and none of the kind keeps its row and its column out.
      for (auto* member : {&shown.rows[one.row], &shown.columns[one.column]}) {
        if (!is) {
          *member = Membership::no;
        } else if (fails && *member == Membership::either) {
          *member = Membership::yes;
        }
      }
    }
  }

  /// Of all elements, those that are as declared, or fail; the former conclusive.
  const Prediction& prediction() const { return prediction_; }
  bool fails() const { return prediction_.failing > 0; }
  /// Whether elements that fail are all of one kind, or few.
  bool has_a_kind() const {
    return few_.are_few() || std::isfinite(only_number_) || std::ranges::any_of(kinds_, &OfKind::has_all);
  }

  /// Where elements fail, and the worst of them.
  std::string failing_words() const {
    const auto& grid = tensor_.grid;
    const auto of_rows = simplest_set(grid, failing_rows_, {});
    const auto of_columns = simplest_set(columns(), failing_columns_, {});
    const auto rows = of_rows ? of_rows->rows : counted_members(failing_rows_, grid.noun);
    const bool are_all_columns = of_columns && of_columns->is_whole;
    const auto in_columns =
        are_all_columns ? std::string()
                        : fmt::format(" in {}", of_columns ? of_columns->rows
                                                           : counted_members(failing_columns_, "column"));
    const auto column = tensor_.columns == 1 ? std::string() : fmt::format(", column {}", worst_->column);
    const auto [expected, got] = told_apart(worst_->predicted, worst_->got, 6);
    return fmt::format("{} of {} {}{}; {} {}{}: expected {}, got {}", rows, tensor_.role,
                       of_rows && of_rows->is_told_as_one() ? "fails" : "fail", in_columns, grid.noun,
                       grid.row(worst_->row), column, expected, got);
  }

  /// What is told of one kind, or of the one that takes least to say; nothing where there is none.
  std::optional<DamageWords> told(std::optional<std::size_t> kind) const {
    if (kind) {
      return *kind == one_number ? told_as_one_number() : told_of(kinds_[*kind], element_kinds[*kind]);
    }
    std::optional<DamageWords> best = few_.told(tensor_, prediction_.largest_budget_ratio);
    for (std::size_t one = 0; one <= one_number; ++one) {
      if (auto words = told(one); words && (!best || words->bits < best->bits)) {
        best = std::move(words);
      }
    }
    return best;
  }

  /// Behind the kinds of single elements: that all of them are one number.
  static constexpr std::size_t one_number = element_kinds.size();

 private:
  struct OfKind {
    std::vector<Membership> rows = {};
    std::vector<Membership> columns = {};
    bool has_all = true;  ///< every element that fails is of the kind
  };

  bool is_one_number() const {
    constexpr std::uint64_t least_elements = 8;  // fewer may be equal by chance
    return prediction_.elements >= least_elements && std::isfinite(only_number_);
  }

  std::optional<DamageWords> told_as_one_number() const {
    const double x = only_number_ + 0.0;  // no negative zero
    const double bits = x == 0 ? 0 : constant_bits + (x == 1 ? 0 : number_bits(x));
    return is_one_number() ? std::optional(DamageWords{
                                 &fault_kind("damage/constant"),
                                 fmt::format("every element of <role> is {}", in_sentence(x)), bits})
                           : std::nullopt;
  }

  RowGrid columns() const { return {{}, tensor_.columns, "column"}; }

  std::optional<DamageWords> told_of(const OfKind& shown, const ElementKind& is) const {
    // Where no normal number is lost, subnormal ones are flushed: that is no damage.
    const bool are_flushed =
        is.of_rows == "damage/row-zero" && greatest_lost_ < traits(tensor_.stored).smallest_normal();
    if (!shown.has_all || are_flushed) {
      return std::nullopt;
    }
    const auto of_rows = covering(simplest_set(tensor_.grid, shown.rows, {}), failing_rows_);
    const auto of_columns = is.of_columns.empty()
                                ? std::nullopt
                                : covering(simplest_set(columns(), shown.columns, {}), failing_columns_);
    if (prediction_.failing == 1 || (!of_rows && !of_columns)) {
      return is.of_rows == "damage/non-finite" ? std::optional(told_by_count(is)) : std::nullopt;
    }
    if (of_rows && of_rows->is_whole) {
      return DamageWords{&fault_kind(is.of_rows), fmt::format("every element of <role> {}", is.one), is.bits};
    }
    const bool by_rows = of_rows && (!of_columns || of_rows->bits <= of_columns->bits);
    const auto& set = by_rows ? *of_rows : *of_columns;
    return DamageWords{&fault_kind(by_rows ? is.of_rows : is.of_columns),
                       fmt::format("{} of <role> {}", set.rows, set.is_told_as_one() ? is.one : is.many),
                       is.bits + set.bits};
  }

  /// Of what lies in no simple rows or columns.
  DamageWords told_by_count(const ElementKind& is) const {
    const auto& first = few_.first();
    const auto place = tensor_.place_words(first.row, first.column) + " of <role>";
    return {&fault_kind(is.of_rows),
            prediction_.failing == 1
                ? fmt::format("{} is {}", place, std::isnan(first.got) ? NAN : first.got)
                : fmt::format("{} elements {}, the first of them {}", prediction_.failing, is.many, place),
            damaged_bits, false};
  }

  /// The set, if nothing fails outside it: a row that has an element of another kind is none of it.
  static std::optional<RowSet> covering(std::optional<RowSet> set, const std::vector<Membership>& failing) {
    for (std::size_t i = 0; set && i < failing.size(); ++i) {
      if (failing[i] == Membership::yes && !set->has[i]) {
        return std::nullopt;
      }
    }
    return set;
  }

  static std::string counted_members(const std::vector<Membership>& members, std::string_view what) {
    return fmt::format("{} of {} {}s", std::ranges::count(members, Membership::yes), members.size(), what);
  }

  const ShownTensor& tensor_;
  Prediction prediction_;
  FewElements few_;
  std::vector<Membership> failing_rows_;  ///< no where none of the row fails
  std::vector<Membership> failing_columns_;
  double only_number_ = NAN;  ///< that all elements are
  double greatest_lost_ = 0;  ///< that is predicted of an element which fails
  std::optional<PredictedElement> worst_;
  std::array<OfKind, element_kinds.size()> kinds_;
};

/// The tensors by so many rows, or fewer once the elements that fail are of no kind.
std::vector<DamagedTensor> damaged_tensors(const ShownElements& elements, std::size_t looked_at) {
  std::vector<DamagedTensor> result(elements.tensors.begin(), elements.tensors.end());
  for (const auto row : spread_indices(elements.rows, looked_at)) {
    elements.visit(row, [&](const PredictedElement& one) { result[one.tensor].add(one); });
    if (!std::ranges::all_of(result, &DamagedTensor::has_a_kind)) {
      break;
    }
  }
  return result;
}

/// \param kind of all tensors alike; nothing: of each its own
std::optional<Explanation> explained_as(const ShownElements& elements,
                                        const std::vector<DamagedTensor>& tensors,
                                        std::optional<std::size_t> kind) {
  Explanation result;
  std::vector<std::pair<DamageWords, std::string>> told_of;  // the same words once, with their roles
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const auto& prediction = tensors[t].prediction();
    result.prediction.append(prediction);
    if (!tensors[t].fails()) {
      continue;
    }
    const auto told = tensors[t].told(kind);
    if (!told) {
      return std::nullopt;
    }
    result.prediction.conclusive -= told->says_what_is_held ? 0 : prediction.failing;
    const auto& role = elements.tensors[t].role;
    const auto same =
        std::ranges::find_if(told_of, [&](const auto& one) { return one.first.words == told->words; });
    if (same == told_of.end()) {
      told_of.emplace_back(*told, role);
      result.bits += told->bits;
    } else {
      same->second += " and " + role;
      result.bits += 1;
    }
  }
  result.prediction.failing = 0;
  for (const auto& [told, roles] : told_of) {
    result.findings.push_back({told.kind, boost::algorithm::replace_all_copy(told.words, "<role>", roles)});
  }
  return result;
}

Computation at_position_zero(Computation computation) {
  auto places = *computation.places;
  for (auto& axis : places) {
    std::ranges::fill(axis, 0);
  }
  computation.places = std::make_shared<Computation::Places>(std::move(places));
  return computation;
}

}  // namespace

std::string role_of(const Suspect& suspect, std::size_t tensor) {
  return suspect.vectors() != nullptr ? suspect.vectors()->role() : suspect.tables()[tensor].role;
}

std::optional<Explanation> find_damage(const ShownElements& elements) {
  constexpr std::size_t first_rows = 64;  // some rows refute most
  const auto have_kinds = [](const std::vector<DamagedTensor>& tensors) {
    return std::ranges::all_of(tensors, &DamagedTensor::has_a_kind);
  };
  if (!have_kinds(damaged_tensors(elements, first_rows))) {
    return std::nullopt;
  }
  const auto tensors = damaged_tensors(elements, elements.rows);
  if (!have_kinds(tensors) || std::ranges::none_of(tensors, &DamagedTensor::fails)) {
    return std::nullopt;
  }
  auto best = explained_as(elements, tensors, std::nullopt);
  for (std::size_t kind = 0; kind <= DamagedTensor::one_number; ++kind) {
    if (auto of_kind = explained_as(elements, tensors, kind);
        of_kind && (!best || of_kind->bits < best->bits)) {
      best = std::move(of_kind);
    }
  }
  return best && best->prediction.is_proved() ? std::move(best) : std::nullopt;
}

std::optional<Explanation> find_damage(const Suspect& suspect, const Computation& computation) {
  const Predictor predictor(suspect, computation);
  ShownElements elements{.tensors = {},
                         .rows = suspect.rows(),
                         .visit = [&](std::size_t row, const auto& visit) { predictor.visit(row, visit); }};
  const bool has_copies = suspect.vectors() != nullptr && !suspect.vectors()->leading.empty();
  for (std::size_t t = 0; t < suspect.tensors(); ++t) {
    elements.tensors.push_back({role_of(suspect, t), suspect.width(t), suspect.grid(), suspect.stored(t),
                                [&](std::size_t row, std::size_t column) {
                                  return fmt::format(
                                      "column {} of row {}{} (position {})", column, row,
                                      has_copies ? " of all copies" : "",
                                      suspect.encoding().positions().text(suspect.positions().front()[row]));
                                }});
  }
  auto damage = find_damage(elements);
  // Where there is more to tell position 0 than ones.
  const bool is_one_number = damage && damage->findings.front().kind->id == "damage/constant" &&
                             suspect.places_are_positions() &&
                             (suspect.tensors() > 1 || computation.amplitude != 1);
  if (is_one_number && Predictor(suspect, at_position_zero(computation)).compare_all(1, 1).failing == 0) {
    damage->findings = {{&fault_kind("position/constant"), "every row holds position 0"}};
    damage->bits = std::min(damage->bits, constant_bits - 1);
  }
  return damage;
}

std::optional<Explanation> find_damage(const Case& subject, std::span<const std::string> roles) {
  const auto elements = shown_elements(subject, roles);
  return elements ? find_damage(*elements) : std::nullopt;
}

std::string failing_words(const Case& subject, std::span<const std::string> roles) {
  const auto elements = shown_elements(subject, roles);
  if (!elements) {
    return {};
  }
  std::vector<DamagedTensor> tensors(elements->tensors.begin(), elements->tensors.end());
  for (std::size_t row = 0; row < elements->rows; ++row) {
    elements->visit(row, [&](const PredictedElement& one) { tensors[one.tensor].add(one); });
  }
  const auto failing = std::ranges::find_if(tensors, &DamagedTensor::fails);
  return failing == tensors.end() ? std::string() : failing->failing_words();
}

}  // namespace vernier
