#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/diagnosis/judged_tensors.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "numerics/views/case_views.hpp"

namespace vernier {
namespace {

/// So many rows of a tensor refute most specs.
constexpr std::size_t tried_rows = 12;
/// Beside so many choices of one key those of a second are tried, each in some hundredths of a second: as
/// many as the key with the most values has, rule of position_ids, and those of a dozen others.
constexpr std::size_t most_bases = 30;

class KeySearch {
 public:
  KeySearch(const Case& subject, std::span<const std::string> roles, unsigned threads)
      : subject_(subject), roles_(roles), threads_(threads) {}

  SpecSearch run(bool tries_two) {
    seen_.insert(subject_.encoding->spec().dump());
    auto single = spec_changes(*subject_.encoding);
    std::ranges::move(position_changes(*subject_.encoding, points()), std::back_inserter(single));
    for (const auto& change : single) {
      attempt(change);
    }
    if (result_.explanations.empty() && !has_sines()) {
      for (const auto& change : fitted_numbers()) {
        attempt(change);
      }
    }
    std::size_t bases = 0;
    for (const auto& first : single) {
      if (tries_two && result_.explanations.empty() && first.is_choice && bases < most_bases &&
          most_rows_fail()) {
        ++bases;
        attempt_beside(first);
      }
    }
    return std::move(result_);
  }

 private:
  /// Of each axis one more than the last position along it.
  std::vector<std::int64_t> points() const {
    const auto views = views_of(subject_);
    const auto judged = std::ranges::find_if(views, [&](const CaseView& viewed) {
      return std::ranges::any_of(viewed.view.parts(), [&](const TensorPart& part) {
        return std::ranges::count(roles_, part.role) > 0;
      });
    });
    std::vector<std::int64_t> result(axis_count(*subject_.encoding), 1);
    for (std::size_t axis = 0; judged != views.end() && axis < result.size(); ++axis) {
      const auto& [positions, by_axis, zero_rows, queries] = judged->rows.source;
      const auto places = axis < by_axis.size() ? std::span(by_axis[axis]) : positions;
      const auto& map = subject_.encoding->positions_along(axis);
      if (!places.empty()) {
        result[axis] = static_cast<std::int64_t>(map.approximate(std::ranges::max(places))) + 1;
      }
    }
    return result;
  }

  void attempt_beside(const SpecChange& first) {
    for (const auto& second : choice_changes(*first.encoding)) {
      attempt(change_between(*subject_.encoding, second.encoding, ChangedValue::choice));
    }
  }

  /// Whether the numbers of the spec are frequencies: those are fitted to measured ones.
  bool has_sines() const {
    return std::ranges::any_of(views_of(subject_), [](const CaseView& viewed) {
      return std::ranges::any_of(viewed.view.parts(), &TensorPart::has_pairs);
    });
  }

  std::vector<SpecChange> fitted_numbers() const {
    const auto misfit = [&](const OrderedJson& spec) {
      const auto encoding = encoding_of(spec);
      const auto tensors =
          encoding == nullptr ? std::nullopt : JudgedTensors::of(subject_, *encoding, roles_);
      return tensors ? tensors->misfit(spread_indices(tensors->all().front().tensor().rows, tried_rows))
                     : std::numeric_limits<double>::infinity();
    };
    return fitted_changes(*subject_.encoding, misfit, [](std::string_view) { return true; });
  }

  /// Two other keys show in most rows; damage, and what is wrong with some positions, does not.
  bool most_rows_fail() {
    constexpr std::size_t looked_at = 16;
    if (!most_rows_fail_) {
      const auto tensors = JudgedTensors::of(subject_, *subject_.encoding, roles_);
      const auto rows = tensors ? spread_indices(tensors->all().front().tensor().rows, looked_at)
                                : std::vector<std::size_t>();
      const auto failing = std::ranges::count_if(
          rows, [&](std::size_t row) { return tensors->predict(std::array{row}, true).failing > 0; });
      most_rows_fail_ = 2 * static_cast<std::size_t>(failing) > rows.size();
    }
    return *most_rows_fail_;
  }

  const Prediction& declared() {
    if (!declared_) {
      const auto tensors = JudgedTensors::of(subject_, *subject_.encoding, roles_);
      declared_ = tensors ? tensors->predict({}, false, threads_) : Prediction{};
    }
    return *declared_;
  }

  void attempt(SpecChange change) {
    if (!seen_.insert(change.encoding->spec().dump()).second) {
      return;
    }
    ++result_.searched;
    const auto tensors = JudgedTensors::of(subject_, *change.encoding, roles_);
    if (!tensors) {
      return;
    }
    const auto rows = spread_indices(tensors->all().front().tensor().rows, tried_rows);
    if (tensors->predict(rows, true).failing > 0) {
      return;
    }
    // What allows more than the declared spec does explains nothing.
    const auto whole = tensors->predict({}, true, threads_);
    if (whole.is_proved() && !whole.says_less_than(declared())) {
      tell_held_defaults(*subject_.encoding, change);
      result_.explanations.push_back({{std::move(change.finding)}, whole, change.bits});
    }
  }

  const Case& subject_;
  std::span<const std::string> roles_;
  unsigned threads_;
  std::set<std::string> seen_;
  std::optional<bool> most_rows_fail_;
  std::optional<Prediction> declared_;
  SpecSearch result_;
};

}  // namespace

SpecSearch search_spec_keys(const Case& subject, std::span<const std::string> roles, bool has_explanation,
                            unsigned threads) {
  return KeySearch(subject, roles, threads).run(!has_explanation);
}

}  // namespace vernier
