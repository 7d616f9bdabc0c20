#include "numerics/diagnosis/judged_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/diagnosis/computation/row_sums.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

double element_at(const Tensor& tensor, std::size_t index) {
  if (tensor.format()) {
    return tensor.number(index);
  }
  const auto integer = tensor.integer(index);
  return integer ? static_cast<double>(*integer) : std::numeric_limits<double>::infinity();
}

/// \throws InputError where the contract says nothing of the tensor
void bind(ElementSource& source, const Contract& contract, Format stored) {
  if (!source.bind(contract, stored)) {
    throw InputError("{}: the contract says nothing of it", source.role());
  }
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
  std::vector<std::int64_t> positions;
  std::vector<std::vector<std::int64_t>> by_axis;
  std::vector<bool> zero_rows;
  std::vector<std::vector<std::int64_t>> of_vectors;  ///< of each tensor of vectors, one a row
  std::vector<std::vector<std::vector<std::int64_t>>> of_vectors_by_axis;
};

std::optional<JudgedTensors> JudgedTensors::of(const Case& subject, const Encoding& encoding,
                                               std::span<const std::string> roles) {
  JudgedTensors result;
  auto places = std::make_shared<Places>();
  const auto moved = [&](std::vector<std::int64_t> given, std::size_t axis) {
    const auto& own = subject.encoding->positions_along(axis);
    const auto& other = encoding.positions_along(axis);
    if (own != other) {
      std::ranges::transform(given, given.begin(),
                             [&](std::int64_t place) { return other.place(own.number(place)); });
    }
    return given;
  };
  const auto moved_axes = [&](const std::vector<std::vector<std::int64_t>>& given) {
    std::vector<std::vector<std::int64_t>> all;
    for (std::size_t axis = 0; axis < given.size(); ++axis) {
      all.push_back(moved(given[axis], axis));
    }
    return all;
  };
  const auto axes =
      encoding.has_tables_of_axes() ? encoding.tables_of_axes().front().axes->positions.count : 1;
  if (!subject.positions_by_axis.empty() && subject.positions_by_axis.size() != axes) {
    return std::nullopt;
  }
  const auto is_wanted = [&](const std::string& role) {
    return std::ranges::find(roles, role) != roles.end();
  };
  try {
    places->positions = moved(subject.positions, 0);
    places->by_axis = moved_axes(subject.positions_by_axis);
    places->zero_rows = subject.zero_rows;
    for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
      places->of_vectors.push_back(moved(vectors.positions, 0));
      places->of_vectors_by_axis.push_back(moved_axes(vectors.positions_by_axis));
    }
    result.definitions_ = std::make_shared<std::vector<TensorDefinition>>(with_gradients(encoding.tensors()));
  } catch (const InputError&) {
    return std::nullopt;
  }
  result.places_ = places;
  const auto definition_of = [&]<class Definition>(const std::string& role, const auto& fits,
                                                   const Definition*) -> const TensorDefinition* {
    for (const auto& definition : *result.definitions_) {
      const auto* one = std::get_if<Definition>(&definition);
      if (one != nullptr && std::string(role_of(*one)) == role && fits(*one)) {
        return &definition;
      }
    }
    return nullptr;
  };
  bool are_all = true;
  const auto add = [&](const std::string& role, const TensorDefinition* definition, const Tensor& tensor,
                       const Contract* contract, SourceRows rows, const Shape& leading, Overflow overflow) {
    if (definition == nullptr) {
      are_all = false;
      return;
    }
    const auto stored = tensor.format().value_or(Format::binary64);
    One one;
    one.role = role;
    one.source = [=, keep = result.definitions_, places = result.places_] {
      auto source = element_source(*definition, rows);
      bind(*source, *contract, stored);
      source->declare(overflow);
      return source;
    };
    one.got = [&tensor](std::size_t index) { return element_at(tensor, index); };
    one.columns = tensor.shape().size() == 1 ? 1 : tensor.shape().back();
    one.are_integers = !tensor.format();
    one.rows = tensor.elements() / std::max<std::size_t>(1, one.columns);
    one.grid.leading = leading;
    one.grid.rows = one.rows / one.grid.copies();
    result.tensors_.push_back(std::move(one));
  };
  const SourceRows rows{
      .positions = places->positions, .by_axis = places->by_axis, .zero_rows = places->zero_rows};
  for (const auto& one : subject.tensors.all<TableTensor>()) {
    if (is_wanted(one.role())) {
      const auto fits = [&](const TurnedTable& table) {
        return !table.axes && !table.scale && columns_of(table) == one.columns();
      };
      add(one.role(), definition_of(one.role(), fits, static_cast<TurnedTable*>(nullptr)), one.tensor,
          one.contract, rows, subject.leading, one.overflow);
    }
  }
  for (const auto& one : subject.tensors.all<TurnedTensor>()) {
    if (is_wanted(one.role())) {
      const auto fits = [&](const TurnedTable& table) {
        return columns_of(table) == one.columns() && table.axes.has_value() == one.table.axes.has_value() &&
               table.scale.has_value() == one.table.scale.has_value() &&
               (!table.axes || table.axes->positions.count == places->by_axis.size());
      };
      add(one.role(), definition_of(one.role(), fits, static_cast<TurnedTable*>(nullptr)), one.tensor,
          one.contract, rows, subject.leading, one.overflow);
    }
  }
  for (const auto& one : subject.tensors.all<ExactTensor>()) {
    if (is_wanted(one.role())) {
      const auto fits = [&](const ExactTable& table) {
        return columns_of(table) == one.columns() &&
               std::ranges::all_of(places->positions, [&](std::int64_t p) { return table.defined(p); });
      };
      add(one.role(), definition_of(one.role(), fits, static_cast<ExactTable*>(nullptr)), one.tensor,
          one.contract, rows, subject.leading, one.overflow);
    }
  }
  for (const auto& one : subject.tensors.all<BiasTensor>()) {
    if (is_wanted(one.role())) {
      auto of_bias = rows;
      of_bias.queries = one.tensor.shape().size() == 3 ? one.queries() : 0;
      const auto fits = [&](const BiasTable& table) {
        return table.heads() == one.table.heads() && table.factor == one.table.factor;
      };
      add(one.role(), definition_of(one.role(), fits, static_cast<BiasTable*>(nullptr)), one.tensor,
          one.contract, of_bias, {}, one.overflow);
    }
  }
  for (const auto& one : subject.tensors.all<BucketTensor>()) {
    if (is_wanted(one.role())) {
      const auto* definition = definition_of(
          one.role(), [](const BucketTable&) { return true; }, static_cast<BucketTable*>(nullptr));
      if (definition == nullptr) {
        return std::nullopt;
      }
      One judged{.role = one.role(),
                 .source =
                     [=, &one, keep = result.definitions_] {
                       auto source = element_source(*definition, {.positions = one.relative_positions});
                       bind(*source, *one.contract, Format::binary64);
                       return source;
                     },
                 .got = [&one](std::size_t index) { return static_cast<double>(one.buckets[index]); },
                 .rows = one.buckets.size(),
                 .columns = 1,
                 .grid = {{}, one.buckets.size()},
                 .are_integers = true};
      result.tensors_.push_back(std::move(judged));
    }
  }
  const auto& all_vectors = subject.tensors.all<RotatedTensor>();
  for (std::size_t i = 0; i < all_vectors.size(); ++i) {
    const auto& one = all_vectors[i];
    if (!is_wanted(one.role())) {
      continue;
    }
    const auto& by_axis = places->of_vectors_by_axis[i];
    const auto fits = [&](const HeadRotation& rotation) {
      return rotation.head_dim == one.head_dim() && rotation.axes.empty() == one.rotation.axes.empty() &&
             rotation.scale.has_value() == one.rotation.scale.has_value();
    };
    const auto* definition = definition_of(one.role(), fits, static_cast<HeadRotation*>(nullptr));
    if (definition == nullptr) {
      return std::nullopt;
    }
    One judged{.role = one.role(),
               .source = [=, &one, &by_axis, &positions = places->of_vectors[i], keep = result.definitions_,
                          places = result.places_]() -> std::unique_ptr<ElementSource> {
                 const SourceRows of_vectors{.positions = positions, .by_axis = by_axis};
                 auto source = std::make_unique<RotatedSource>(
                     std::get<HeadRotation>(*definition), of_vectors,
                     [&one](std::size_t row, std::span<double> out) {
                       one.input.numbers(row * one.head_dim(), out);
                     },
                     one.quantization);
                 bind(*source, *one.contract, one.stored());
                 return source;
               },
               .got = [&one](std::size_t index) { return one.rotated.number(index); },
               .rows = one.rows(),
               .columns = one.head_dim(),
               .grid = {one.leading, 0}};
    judged.grid.rows = judged.rows / judged.grid.copies();
    result.tensors_.push_back(std::move(judged));
  }
  try {
    for (const auto& one : result.tensors_) {
      one.source();
    }
  } catch (const InputError&) {
    return std::nullopt;
  }
  return are_all && !result.tensors_.empty() && !subject.quantization ? std::optional(std::move(result))
                                                                      : std::nullopt;
}

Prediction JudgedTensors::predict(std::span<const std::size_t> rows, bool stops, unsigned threads) const {
  constexpr std::size_t rows_at_once = 64;  // a source takes its time to be made
  Prediction sum;
  for (const auto& tensor : tensors_) {
    const auto count = rows.empty() ? tensor.rows : rows.size();
    const auto parts = (count + rows_at_once - 1) / rows_at_once;
    try {
      sum.append(sum_of_rows<Prediction>(parts, threads, [&](std::size_t part, Prediction& of_rows) {
        const auto source = tensor.source();
        for (auto i = part * rows_at_once; i < std::min(count, (part + 1) * rows_at_once); ++i) {
          const auto row = rows.empty() ? i : rows[i];
          if (row >= tensor.rows) {
            continue;
          }
          source->go_to(row);
          for (std::size_t column = 0; column < tensor.columns; ++column) {
            const double got = tensor.got(row * tensor.columns + column);
            of_rows.append(judged(source->allowed(column, got), got, row));
          }
          if (stops && of_rows.failing > 0) {
            return false;
          }
        }
        return true;
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

std::vector<std::size_t> some_rows(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < std::min(rows, most); ++i) {
    result.push_back(rows <= most ? i : i * (rows - 1) / (most - 1));
  }
  return result;
}

}  // namespace vernier
