#include "numerics/diagnosis/judged_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/core.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include "numerics/computation/row_sums.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/tensors/engine_forms.hpp"
#include "numerics/views/case_views.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

Prediction prediction_of(const AllowedElement& allowed, double got, std::size_t row) {
  Prediction result{.elements = 1};
  if (allowed.may_overflow || allowed.is_instead(got)) {
    result.conclusive = allowed.may_overflow ? 0 : 1;
    return result;
  }
  if (allowed.proves_nothing()) {
    return result;
  }
  result.conclusive = 1;
  const auto element = judged_element(row, got, *allowed.truth, allowed.budget.total());
  result.largest_budget_ratio = element.budget_ratio;
  result.worst_row = row;
  result.failing = element.budget_ratio <= 1 ? 0 : 1;
  result.clearly_failing = element.budget_ratio <= clear_failure ? 0 : 1;
  return result;
}

/// An element of a view as one that is predicted.
PredictedElement shown_element(RowView& view, std::size_t part, std::size_t column) {
  const double got = view.got(part, column);
  const auto allowed = view.allowed(part, column);
  PredictedElement result{.row = view.row(), .column = column, .got = got, .conclusive = false};
  if (allowed.may_overflow || allowed.proves_nothing() || !allowed.truth) {
    result.predicted = got;
    return result;
  }
  result.conclusive = true;
  result.predicted = allowed.truth->approximately();
  result.allowed = allowed.budget.total();
  const double ratio = judged_element(view.row(), got, *allowed.truth, result.allowed).budget_ratio;
  if (allowed.is_instead(got)) {
    result.predicted = got;
  } else if ((ratio <= 1) != (result.ratio() <= 1)) {
    result.allowed = std::fabs(got - result.predicted) / ratio;  // the double next to the truth misleads
  }
  return result;
}

}  // namespace

/// The tensors as an encoding defines them, where their rows stand by it, and their views.
struct JudgedTensors::Hypothesis {
  CaseTensors tensors;
  std::vector<std::int64_t> positions;
  std::vector<std::vector<std::int64_t>> positions_by_axis;
  std::vector<CaseView> views;
};

namespace {

/// The places of the same numbers by another encoding. \throws InputError for those that it has not
std::vector<std::int64_t> moved(const Encoding& from, const Encoding& to, std::vector<std::int64_t> places,
                                std::size_t axis) {
  const auto& own = from.positions_along(axis);
  const auto& other = to.positions_along(axis);
  if (own != other) {
    std::ranges::transform(places, places.begin(),
                           [&](std::int64_t place) { return other.place(own.number(place)); });
  }
  return places;
}

std::vector<std::vector<std::int64_t>> moved_by_axis(const Encoding& from, const Encoding& to,
                                                     std::vector<std::vector<std::int64_t>> by_axis) {
  for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
    by_axis[axis] = moved(from, to, std::move(by_axis[axis]), axis);
  }
  return by_axis;
}

/// The definition of a role that a tensor fits; null if there is none.
template <class Definition, class Fits>
const Definition* definition_of(const std::vector<TensorDefinition>& all, std::string_view role,
                                const Fits& fits) {
  for (const auto& definition : all) {
    const auto* found = std::get_if<Definition>(&definition);
    if (found != nullptr && role_of(*found) == role && fits(*found)) {
      return found;
    }
  }
  return nullptr;
}

/// Sets what a tensor is to what another encoding defines. \returns whether it defines such a tensor
class Redefinition {
 public:
  Redefinition(const Encoding& from, const Encoding& to, std::vector<TensorDefinition> definitions,
               std::span<const std::int64_t> positions)
      : from_(from), to_(to), definitions_(std::move(definitions)), positions_(positions) {}

  bool operator()(TableTensor& tensor) const {
    return redefine(tensor, [&](const TurnedTable& other) {
      return columns_of(other) == tensor.columns() &&
             other.axes.has_value() == tensor.table.axes.has_value() &&
             other.scale.has_value() == tensor.table.scale.has_value();
    });
  }
  bool operator()(ExactTensor& tensor) const {
    return redefine(tensor, [&](const ExactTable& other) {
      return columns_of(other) == tensor.columns() &&
             std::ranges::all_of(positions_, [&](std::int64_t place) { return other.defined(place); });
    });
  }
  bool operator()(BiasTensor& tensor) const {
    return redefine(tensor, [&](const BiasTable& other) {
      return other.heads() == tensor.table.heads() && other.factor == tensor.table.factor;
    });
  }
  bool operator()(BucketTensor& tensor) const {
    return redefine(tensor, [](const BucketTable&) { return true; });
  }
  bool operator()(RotatedTensor& tensor) const {
    const auto* rotation = to_.first<HeadRotation>(
        [&](const HeadRotation& other) { return other.makes_vectors_like(tensor.rotation); });
    if (rotation == nullptr) {
      return false;
    }
    tensor.rotation = *rotation;
    tensor.positions = moved(from_, to_, std::move(tensor.positions), 0);
    tensor.positions_by_axis = moved_by_axis(from_, to_, std::move(tensor.positions_by_axis));
    return true;
  }

 private:
  template <class Stored, class Fits>
  bool redefine(Stored& tensor, const Fits& fits) const {
    const auto* table =
        definition_of<std::decay_t<decltype(tensor.table)>>(definitions_, tensor.role(), fits);
    if (table != nullptr) {
      tensor.table = *table;
    }
    return table != nullptr;
  }

  const Encoding& from_;
  const Encoding& to_;
  std::vector<TensorDefinition> definitions_;
  std::span<const std::int64_t> positions_;
};

std::vector<TensorDefinition> definitions_of(const Encoding& encoding, std::span<const std::string> roles) {
  auto result = encoding.tensors();
  if (std::ranges::find(roles, frequencies_role) != roles.end()) {
    std::ranges::move(frequency_definitions(encoding), std::back_inserter(result));
  }
  return result;
}

}  // namespace

std::optional<JudgedTensors> JudgedTensors::of(const Case& subject, const Encoding& encoding,
                                               std::span<const std::string> roles) {
  const bool has_other_axes =
      !subject.positions_by_axis.empty() && subject.positions_by_axis.size() != axis_count(encoding);
  const auto& quantization = subject.quantization;
  if (has_other_axes || (quantization && !(quantization->scales && quantization->factor == 1))) {
    return std::nullopt;
  }
  try {
    auto hypothesis = std::make_shared<Hypothesis>();
    hypothesis->positions = moved(*subject.encoding, encoding, subject.positions, 0);
    hypothesis->positions_by_axis = moved_by_axis(*subject.encoding, encoding, subject.positions_by_axis);
    const Redefinition redefine(*subject.encoding, encoding, definitions_of(encoding, roles),
                                hypothesis->positions);
    bool are_all_defined = true;
    subject.tensors.for_each([&](auto tensor) {
      if (std::ranges::find(roles, tensor.role()) != roles.end()) {
        are_all_defined = are_all_defined && redefine(tensor);
        hypothesis->tensors.add(std::move(tensor));
      }
    });
    if (!are_all_defined || hypothesis->tensors.empty()) {
      return std::nullopt;
    }
    const PlacedRows rows{{.positions = hypothesis->positions,
                           .by_axis = hypothesis->positions_by_axis,
                           .zero_rows = subject.zero_rows},
                          subject.leading,
                          [&encoding](std::size_t axis, std::int64_t place) {
                            return encoding.positions_along(axis).text(place);
                          }};
    hypothesis->views = views_of(hypothesis->tensors, rows);
    JudgedTensors result;
    for (const auto& viewed : hypothesis->views) {
      for (std::size_t part = 0; part < viewed.view.parts().size(); ++part) {
        const auto& role = viewed.view.parts()[part].role;
        RowGrid grid{viewed.rows.leading, viewed.view.rows(), role == frequencies_role ? "pair" : "row"};
        grid.rows /= grid.copies();
        result.tensors_.push_back({&viewed.view, part, std::move(grid)});
      }
    }
    result.hypothesis_ = std::move(hypothesis);
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Prediction JudgedTensors::predict(std::span<const std::size_t> rows, bool stops, unsigned threads) const {
  Prediction sum;
  for (const auto& judged : tensors_) {
    // A truth takes its time to be made, the longer the more rows it has: each thread makes one.
    oneapi::tbb::enumerable_thread_specific<RowView> views([&] { return RowView(*judged.view); });
    const auto count = rows.empty() ? judged.tensor().rows : rows.size();
    try {
      sum.append(sum_of_rows<Prediction>(count, threads, [&](std::size_t i, Prediction& of_rows) {
        const auto row = rows.empty() ? i : rows[i];
        if (row >= judged.tensor().rows) {
          return true;
        }
        auto& view = views.local();
        view.go_to(row);
        for (std::size_t column = 0; column < judged.tensor().columns; ++column) {
          of_rows.append(
              prediction_of(view.allowed(judged.part, column), view.got(judged.part, column), row));
        }
        return !(stops && of_rows.failing > 0);
      }));
    } catch (const InputError&) {
      return {.elements = 1, .conclusive = 1, .failing = 1};
    }
    if (stops && sum.failing > 0) {
      break;
    }
  }
  return sum;
}

double JudgedTensors::misfit(std::span<const std::size_t> rows) const {
  double sum = 0;
  try {
    for (const auto& judged : tensors_) {
      RowView view(*judged.view);
      for (const auto row : rows) {
        if (row >= judged.tensor().rows) {
          continue;
        }
        view.go_to(row);
        for (std::size_t column = 0; column < judged.tensor().columns; ++column) {
          const double off =
              std::fabs(view.got(judged.part, column) - view.truth(judged.part).estimate(column));
          sum += std::isfinite(off) ? off : 0;
        }
      }
    }
  } catch (const InputError&) {
    return std::numeric_limits<double>::infinity();
  }
  return sum;
}

std::optional<ShownElements> shown_elements(const Case& subject, std::span<const std::string> roles) {
  constexpr std::size_t most_elements = std::size_t{1} << 23;
  auto judged = JudgedTensors::of(subject, *subject.encoding, roles);
  if (!judged) {
    return std::nullopt;
  }
  ShownElements result;
  std::size_t elements = 0;
  std::vector<RowView> views;
  for (const auto& tensor : judged->all()) {
    const auto& part = tensor.tensor();
    result.tensors.push_back(
        {part.role, part.columns, tensor.grid, part.format(),
         [describe = part.describe](std::size_t row, std::size_t column) {
           const auto is_place = [](const auto& where) { return where.first != "turns by"; };
           return joined(filtered(describe(row, column), is_place),
                         [](const auto& where) { return fmt::format("{} {}", where.first, where.second); });
         }});
    result.rows = std::max(result.rows, part.rows);
    elements += part.rows * part.columns;
    views.push_back(*tensor.view);
  }
  result.visit = [judged = *std::move(judged),
                  views = std::make_shared<std::vector<RowView>>(std::move(views))](
                     std::size_t row, const Predictor::Visit& visit) {
    for (std::size_t t = 0; t < views->size(); ++t) {
      const auto& tensor = judged.all()[t];
      if (row >= tensor.tensor().rows) {
        continue;
      }
      auto& view = (*views)[t];
      view.go_to(row);
      for (std::size_t column = 0; column < tensor.tensor().columns; ++column) {
        auto one = shown_element(view, tensor.part, column);
        one.tensor = t;
        visit(one);
      }
    }
  };
  return elements > most_elements ? std::nullopt : std::optional(std::move(result));
}

}  // namespace vernier
