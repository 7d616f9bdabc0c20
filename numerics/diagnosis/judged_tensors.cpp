#include "numerics/diagnosis/judged_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <oneapi/tbb/enumerable_thread_specific.h>

#include "numerics/computation/row_sums.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "numerics/tensors/engine_forms.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

double element_at(const Tensor& tensor, std::size_t index) {
  if (tensor.format()) {
    return tensor.number(index);
  }
  const auto integer = tensor.integer(index);
  return integer ? static_cast<double>(*integer) : std::numeric_limits<double>::infinity();
}

Prediction judged(const AllowedElement& allowed, double got, std::size_t row) {
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

}  // namespace

/// Where the rows stand by an encoding.
struct JudgedTensors::Places {
  struct OfRows {
    std::vector<std::int64_t> positions;
    std::vector<std::vector<std::int64_t>> by_axis;
  };

  OfRows rows;
  std::vector<bool> zero_rows;
  std::vector<OfRows> of_vectors;  ///< of each tensor of vectors
  std::vector<TensorDefinition> definitions;
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

/// The definition of a role that a tensor fits; null if there is none.
template <class Definition, class Fits>
const Definition* definition_of(const std::vector<TensorDefinition>& all, std::string_view role,
                                const Fits& fits) {
  for (const auto& definition : all) {
    const auto* one = std::get_if<Definition>(&definition);
    if (one != nullptr && role_of(*one) == role && fits(*one)) {
      return one;
    }
  }
  return nullptr;
}

}  // namespace

/// Adds the tensors of a case whose roles are wanted, kind by kind.
class JudgedTensors::Collector {
 public:
  Collector(const Case& subject, std::span<const std::string> roles, std::shared_ptr<const Places> places)
      : subject_(subject),
        roles_(roles),
        places_(std::move(places)),
        rows_{.positions = places_->rows.positions,
              .by_axis = places_->rows.by_axis,
              .zero_rows = places_->zero_rows} {}

  /// Nothing where one has no definition.
  std::optional<std::vector<One>> run() {
    subject_.tensors.for_each([&](const auto& one) {
      if (std::ranges::find(roles_, one.role()) != roles_.end()) {
        add(one);
      }
      vectors_ += std::is_same_v<std::decay_t<decltype(one)>, RotatedTensor> ? 1 : 0;
    });
    return are_all_ && !tensors_.empty() ? std::optional(std::move(tensors_)) : std::nullopt;
  }

 private:
  void add(const TableTensor& one) {
    add_table<TurnedTable>(one, rows_, subject_.leading, [&](const TurnedTable& table) {
      return !table.axes && !table.scale && columns_of(table) == one.columns();
    });
  }

  void add(const TurnedTensor& one) {
    add_table<TurnedTable>(one, rows_, subject_.leading, [&](const TurnedTable& table) {
      return columns_of(table) == one.columns() && table.axes.has_value() == one.table.axes.has_value() &&
             table.scale.has_value() == one.table.scale.has_value();
    });
  }

  void add(const ExactTensor& one) {
    add_table<ExactTable>(one, rows_, subject_.leading, [&](const ExactTable& table) {
      return columns_of(table) == one.columns() &&
             std::ranges::all_of(rows_.positions, [&](std::int64_t p) { return table.defined(p); });
    });
  }

  void add(const BiasTensor& one) {
    auto rows = rows_;
    rows.queries = one.tensor.shape().size() == 3 ? one.queries() : 0;
    add_table<BiasTable>(one, rows, {}, [&](const BiasTable& table) {
      return table.heads() == one.table.heads() && table.factor == one.table.factor;
    });
  }

  void add(const BucketTensor& one) {
    const auto* table =
        definition_of<BucketTable>(places_->definitions, one.role(), [](const BucketTable&) { return true; });
    keep(
        table, one.role(), one.buckets.size(), 1, {},
        [&one](std::size_t index) { return static_cast<double>(one.buckets[index]); },
        [=, &one] {
          return bound(element_source(*table, {.positions = one.relative_positions}), one.contract,
                       Format::binary64);
        });
  }

  void add(const RotatedTensor& one) {
    const auto* rotation =
        definition_of<HeadRotation>(places_->definitions, one.role(), [&](const HeadRotation& other) {
          return other.head_dim == one.head_dim() && other.axes.empty() == one.rotation.axes.empty() &&
                 other.scale.has_value() == one.rotation.scale.has_value();
        });
    const auto& of_vectors = places_->of_vectors[vectors_];
    keep(
        rotation, one.role(), one.rows(), one.head_dim(), one.leading,
        [&one](std::size_t index) { return one.rotated.number(index); },
        [=, &one, &of_vectors] {
          const SourceRows rows{.positions = of_vectors.positions, .by_axis = of_vectors.by_axis};
          auto input = [&one](std::size_t row, std::span<double> out) {
            one.input.numbers(row * one.head_dim(), out);
          };
          return bound(std::make_unique<RotatedSource>(*rotation, rows, input, one.quantization),
                       one.contract, one.stored());
        });
  }

  /// A tensor of a table, of any kind.
  template <class Definition, class Tensor, class Fits>
  void add_table(const Tensor& one, const SourceRows& rows, const Shape& leading, const Fits& fits) {
    const auto* table = definition_of<Definition>(places_->definitions, one.role(), fits);
    const auto& shape = one.tensor.shape();
    const auto columns = shape.size() == 1 ? 1 : shape.back();
    keep(
        table, one.role(), one.tensor.elements() / columns, columns, leading,
        [&one](std::size_t index) { return element_at(one.tensor, index); },
        [=, &one] {
          auto source = bound(element_source(*table, rows), one.contract, one.stored());
          source->declare(one.overflow);
          return source;
        });
  }

  /// \throws InputError where the contract says nothing of the tensor
  static std::unique_ptr<ElementSource> bound(std::unique_ptr<ElementSource> source, const Contract* contract,
                                              Format stored) {
    if (!source->bind(*contract, stored)) {
      throw InputError("{}: the contract does not apply to it", source->role());
    }
    return source;
  }

  template <class Source>
  void keep(const void* definition, const std::string& role, std::size_t rows, std::size_t columns,
            const Shape& leading, std::function<double(std::size_t)> got, const Source& source) {
    are_all_ = are_all_ && definition != nullptr;
    if (are_all_) {
      RowGrid grid{leading, rows, role == frequencies_role ? "pair" : "row"};
      grid.rows /= grid.copies();
      tensors_.push_back({role, source, std::move(got), rows, columns, std::move(grid)});
    }
  }

  const Case& subject_;
  std::span<const std::string> roles_;
  std::shared_ptr<const Places> places_;
  SourceRows rows_;
  std::size_t vectors_ = 0;  ///< how many tensors of vectors were passed
  bool are_all_ = true;
  std::vector<One> tensors_;
};

std::optional<JudgedTensors> JudgedTensors::of(const Case& subject, const Encoding& encoding,
                                               std::span<const std::string> roles) {
  const bool has_other_axes =
      !subject.positions_by_axis.empty() && subject.positions_by_axis.size() != axis_count(encoding);
  const auto& quantization = subject.quantization;
  if (has_other_axes || (quantization && !(quantization->scales && quantization->factor == 1))) {
    return std::nullopt;
  }
  try {
    auto places = std::make_shared<Places>();
    const auto all_moved = [&](const auto& positions, const auto& by_axis) {
      Places::OfRows result{moved(*subject.encoding, encoding, positions, 0), {}};
      for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
        result.by_axis.push_back(moved(*subject.encoding, encoding, by_axis[axis], axis));
      }
      return result;
    };
    places->rows = all_moved(subject.positions, subject.positions_by_axis);
    places->zero_rows = subject.zero_rows;
    for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
      places->of_vectors.push_back(all_moved(vectors.positions, vectors.positions_by_axis));
    }
    places->definitions = with_gradients(encoding.tensors());
    if (std::ranges::find(roles, frequencies_role) != roles.end()) {
      std::ranges::move(frequency_definitions(encoding), std::back_inserter(places->definitions));
    }
    JudgedTensors result;
    result.places_ = places;
    auto tensors = Collector(subject, roles, std::move(places)).run();
    if (!tensors) {
      return std::nullopt;
    }
    result.tensors_ = *std::move(tensors);
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Prediction JudgedTensors::predict(std::span<const std::size_t> rows, bool stops, unsigned threads) const {
  Prediction sum;
  for (const auto& tensor : tensors_) {
    // A source takes its time to be made, the longer the more rows it has: each thread makes one.
    oneapi::tbb::enumerable_thread_specific<std::unique_ptr<ElementSource>> sources(tensor.source);
    const auto count = rows.empty() ? tensor.rows : rows.size();
    try {
      sum.append(sum_of_rows<Prediction>(count, threads, [&](std::size_t i, Prediction& of_rows) {
        const auto row = rows.empty() ? i : rows[i];
        if (row >= tensor.rows) {
          return true;
        }
        auto& source = *sources.local();
        source.go_to(row);
        for (std::size_t column = 0; column < tensor.columns; ++column) {
          const double got = tensor.got(row * tensor.columns + column);
          of_rows.append(judged(source.allowed(column, got), got, row));
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
    for (const auto& tensor : tensors_) {
      const auto source = tensor.source();
      for (const auto row : rows) {
        if (row >= tensor.rows) {
          continue;
        }
        source->go_to(row);
        for (std::size_t column = 0; column < tensor.columns; ++column) {
          const double got = tensor.got(row * tensor.columns + column);
          const double off = std::fabs(got - source->estimate(column));
          sum += std::isfinite(off) ? off : 0;
        }
      }
    }
  } catch (const InputError&) {
    return std::numeric_limits<double>::infinity();
  }
  return sum;
}

}  // namespace vernier
