#include "numerics/views/vector_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/elements/narrow_arithmetic.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "numerics/views/walk.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/number_text.hpp"

namespace vernier {
namespace {

SourceRows source_rows(const RotatedTensor& tensor) {
  return {.positions = tensor.positions, .by_axis = tensor.positions_by_axis};
}

/// The points of rotated vectors: pairs of dimensions, turned from what the input has there.
class VectorPoints final : public PointSource {
 public:
  explicit VectorPoints(const RotatedTensor& tensor)
      : tensor_(tensor),
        allowed_(turns_of(tensor.rotation), *tensor.contract, tensor.model().parameters().stored,
                 {tensor.model()}, source_rows(tensor)),
        input_(tensor.head_dim()) {
    const auto& rotation = tensor.rotation;
    for (std::size_t i = 0; i < rotation.pairs.size(); ++i) {
      const auto [first, second] = rotation.pairs[i];
      layout_.points.push_back({rotation.table.columns[i].pair, rotation.axes.empty() ? 0 : rotation.axes[i],
                                PointLayout::PartColumn{0, first}, PointLayout::PartColumn{0, second}});
    }
    layout_.direction = rotation.rotated.empty() ? 1 : rotation.direction();
    layout_.has_scale = rotation.scale.has_value();
    layout_.has_block_scales = tensor.quantization.scales != nullptr;
    layout_.is_of_gradients = rotation.is_gradient;
    if (!allowed_.is_mixed() && !rotation.scale && tensor.model().judges_computation()) {
      layout_.frequencies = exact_frequencies(rotation.table.frequencies);
      layout_.frequency_error = tensor.model().parameters().frequency_error;
    }
  }

  std::unique_ptr<PointSource> copy() const override { return std::make_unique<VectorPoints>(*this); }

  const PointLayout& layout() const override { return layout_; }
  void read(const RowView& view, PointBounds /*bounds*/, std::span<const std::int64_t> skip,
            std::span<std::optional<Point>> out) override {
    allowed_.go_to(view.row());
    tensor_.input.numbers(view.row() * input_.size(), input_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (skip.empty() || skip[i] == 0) {
        out[i] = point(view, i);
      }
    }
  }

 private:
  std::optional<Point> point(const RowView& view, std::size_t index) {
    const auto [first, second] = tensor_.rotation.pairs[index];
    const auto& turns = layout_.points[index];
    const auto arithmetic = arithmetic_of(allowed_.model(turns.axis).parameters().compute, tensor_.stored());
    const std::complex<double> input(input_[first], input_[second]);
    const double length = std::hypot(input.real(), input.imag());
    std::optional<Point> result = Point{};
    const auto scale = allowed_.describe_turn(turns.pair, turns.axis, arithmetic, *result);
    if (!scale) {
      result->is_open = true;
      return result;
    }
    const double sum = std::fabs(input.real()) + std::fabs(input.imag());
    const double error =
        length > 0 ? component_error(view.row(), index, *scale, input, result->radius * length) : 0;
    const double greatest =
        std::min(traits(arithmetic).largest(), greatest_stored(view.row(), first, second));
    result->is_open = !std::isfinite(length) || (length > 0 && !(result->radius * sum + error <= greatest));
    const bool is_plain = length == 0 || (length > 0x1p-400 && length < 0x1p400);
    result->exponent = is_plain || result->is_open ? 0 : std::ilogb(length);
    const auto over = [&](double number) {
      return is_plain ? number : std::ldexp(number, -result->exponent);
    };
    const double x = over(input.real());
    const double y = over(input.imag());
    result->z = {over(view.got(0, first)), over(view.got(0, second))};
    result->real_error = result->imaginary_error = over(error);
    result->unit = length > 0 ? std::complex(x, y) / over(length) : 1;
    result->length = over(length);
    result->square = result->square * (two_product(x, x) + two_product(y, y));
    // Numbers in blocks are rounded by scales of their own.
    result->shows_frequency = result->shows_frequency && is_plain && !tensor_.quantization.scales;
    return result;
  }

  /// The most that a component may be off by, for no error of the phase. \param whole A L
  double component_error(std::size_t row, std::size_t index, const ScaleAt& scale,
                         const std::complex<double>& input, double whole) const {
    const auto& turns = layout_.points[index];
    const auto& model = allowed_.model(turns.axis);
    const auto place = allowed_.place(turns.axis);
    if (const auto& scales = tensor_.quantization.scales) {
      const double computed = computed_component_budget(model, tensor_.stored(), place, turns.pair,
                                                        input.real(), input.imag(), scale);
      const double u = traits(arithmetic_of(model.parameters().compute, tensor_.stored())).unit_roundoff();
      const auto [first, second] = tensor_.rotation.pairs[index];
      return computed + std::max(scales->rounding(row, first, whole + computed, u),
                                 scales->rounding(row, second, whole + computed, u));
    }
    return model.judges_computation() ? component_budget(model, tensor_.stored(), place, turns.pair,
                                                         input.real(), input.imag(), scale)
                                      : model.storage(whole);
  }
  /// The greatest magnitude that both dimensions can hold.
  double greatest_stored(std::size_t row, std::size_t first, std::size_t second) const {
    const auto& scales = tensor_.quantization.scales;
    return scales ? scales->element().largest() *
                        std::min(std::fabs(scales->scale(row, first)), std::fabs(scales->scale(row, second)))
                  : traits(tensor_.stored()).largest();
  }

  const RotatedTensor& tensor_;
  TurnAllowance allowed_;
  std::vector<double> input_;
  PointLayout layout_;
};

/// Whether a dimension that passes is the input as it is stored.
bool is_copy(const RotatedTensor& tensor, const RotatedSource& truth, std::size_t row, std::size_t dimension,
             double got) {
  const auto& quantization = tensor.quantization;
  const double input = truth.input()[dimension];
  if (const auto& scales = quantization.scales) {
    const double value = input * quantization.approximate_factor();
    const double error = scales->rounding(row, dimension, std::fabs(value), truth.unit_roundoff());
    return std::fabs(got - value) <= error || scales->saturates(row, dimension, got, value, error);
  }
  const double expected = quantization.stored(tensor.stored(), input);
  const bool is_overflow = std::isnan(got) && std::isnan(expected) && quantization.overflow == Overflow::nan;
  return is_overflow || (got == expected && std::signbit(got) == std::signbit(expected)) ||
         (quantization.factor != 1 && got == quantization.stored_from_single(tensor.stored(), input));
}

std::unique_ptr<ElementSource> bound_source(const RotatedTensor& tensor) {
  auto truth = std::make_unique<RotatedSource>(
      tensor.rotation, source_rows(tensor),
      [&tensor](std::size_t row, std::span<double> out) { tensor.input.numbers(row * out.size(), out); },
      tensor.quantization);
  return bound_truth(std::move(truth), *tensor.contract, tensor.stored());
}

/// Where a rotated element is, which pair it belongs to, and what that was before.
Described described_dimension(const RotatedTensor& tensor, const PlacedRows& rows, std::size_t row,
                              std::size_t dimension) {
  auto place = rows.describe(row);
  place.emplace_back("dimension", std::to_string(dimension));
  const auto& rotated = tensor.rotation.rotated;
  const auto found = std::ranges::find(rotated, dimension, &RotatedDimension::out);
  if (found == rotated.end()) {
    return place;
  }
  place.emplace_back("pair", std::to_string(found->pair));
  if (!tensor.positions_by_axis.empty()) {
    place.push_back(turning_axis(tensor.rotation.axes[static_cast<std::size_t>(found->pair)]));
  }
  const auto input = [&](std::size_t column) {
    return shortest_text(*tensor.input.format(), tensor.input.number(row * tensor.head_dim() + column));
  };
  place.emplace_back("input", fmt::format("{}, with {} of dimension {}", input(found->own),
                                          input(found->other), found->other));
  return place;
}

/// Judges the scales of a row by the greatest of the values that they belong to.
class BlockScaleJudge {
 public:
  const ElementwiseReport& report() const { return report_; }
  void merge(const BlockScaleJudge& later) { report_.merge(later.report_); }

  void add(RowView& view) {
    const auto& part = view.parts().front();
    const auto& truth = static_cast<const RotatedSource&>(view.truth(0));
    const auto& scales = *part.block_scales();
    const auto input = truth.input();
    std::vector<double> magnitude(input.size());
    for (const auto dimension : part.copied) {
      magnitude[dimension] = std::fabs(input[dimension] * part.quantization->approximate_factor());
    }
    std::vector<double> error(input.size());
    for (const auto& d : truth.rotation().rotated) {
      const auto& pair = truth.pair(static_cast<std::size_t>(d.pair));
      const auto value = truth.truth(d.out);
      magnitude[d.out] = value ? std::fabs(value->approximately()) : std::numeric_limits<double>::infinity();
      const auto& model = truth.model();
      const double norm = model.amplitude() * pair.scale.value * std::hypot(input[d.own], input[d.other]);
      error[d.out] = computed_component_budget(model, scales.element().format, pair.place, pair.frequency,
                                               input[d.own], input[d.other], pair.scale) +
                     norm * model.phase_error(pair.place, pair.frequency);
    }
    for (std::size_t first = 0; first < input.size(); first += scales.width()) {
      const auto block = [&](const std::vector<double>& values) {
        return *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                 values.begin() + static_cast<std::ptrdiff_t>(first + scales.width()));
      };
      const double greatest = block(magnitude);
      const double most_off = block(error);
      // Whatever scale a block of zeros has, it stays one.
      if (!(greatest > 2 * most_off) || !std::isfinite(greatest)) {
        ++report_.elements;
        ++report_.inconclusive;
      } else {
        report_.add(
            scales.judged(view.row(), first / scales.width(), greatest, most_off, truth.unit_roundoff()),
            false);
      }
    }
  }

 private:
  ElementwiseReport report_;
};

}  // namespace

RowView view_of_vectors(const RotatedTensor& tensor, const PlacedRows& rows) {
  TensorPart part{tensor.role(), tensor.rows(), tensor.head_dim(), tensor.contract, tensor.rotated.type()};
  part.make_truth = [&tensor] { return bound_source(tensor); };
  part.read = [&tensor](std::size_t row, std::span<double> out) {
    tensor.rotated.numbers(row * out.size(), out);
  };
  part.has_pairs = true;
  part.describe = [&tensor, rows](std::size_t row, std::size_t dimension) {
    return described_dimension(tensor, rows, row, dimension);
  };
  for (const auto& dimension : tensor.rotation.rotated) {
    part.judged.push_back(dimension.out);
  }
  part.copied = tensor.rotation.passed_through();
  part.input = &tensor.input;
  part.quantization = &tensor.quantization;
  part.model = [&tensor] { return tensor.model(); };
  part.is_copy = [&tensor](const ElementSource& truth, std::size_t row, std::size_t dimension, double got) {
    return is_copy(tensor, static_cast<const RotatedSource&>(truth), row, dimension, got);
  };
  const auto make_points = [&tensor] { return std::make_unique<VectorPoints>(tensor); };
  return RowView(part, tensor.rotation.pairs.empty() ? nullptr : RowView::MakePoints(make_points));
}

ElementwiseReport audit_block_scales(const RowView& view, unsigned threads) {
  return walked(view, threads, BlockScaleJudge()).report();
}

ElementwiseReport audit_one_rounding(const RowView& view) {
  constexpr std::size_t most_rows = 64;
  const auto& part = view.parts().front();
  if (part.input == nullptr || part.block_scales() != nullptr || !part.model().judges_computation()) {
    return {};
  }
  std::vector<double> numbers(part.columns);
  std::optional<std::size_t> read_row;
  const auto number = [&](std::size_t index) {
    if (const auto row = index / part.columns; read_row != row) {
      part.read(row, numbers);
      read_row = row;
    }
    return numbers[index % part.columns];
  };
  return audit_one_rounding(*part.make_truth(), *part.contract, part.model().parameters().compute,
                            part.format(), spread_indices(part.rows, most_rows), number);
}

ViewFindings VectorJudge::judge(std::int64_t position, std::span<const std::byte> input,
                                std::span<const std::byte> rotated) {
  const auto vector = [](const Tensor& like, std::span<const std::byte> bytes) {
    return Tensor(like.type(), {1, like.shape().back()}, std::vector<std::byte>(bytes.begin(), bytes.end()));
  };
  tensor_.positions.front() = position;
  tensor_.input = vector(tensor_.input, input);
  tensor_.rotated = vector(tensor_.rotated, rotated);
  view_.go_to(0);
  return audited_row(view_);
}

std::vector<bool> VectorJudge::failing_pairs() {
  std::vector<bool> failing(tensor_.rotation.pairs.size());
  for (const auto& dimension : tensor_.rotation.rotated) {
    ElementwiseReport report;
    add_element(report, 0, view_.got(0, dimension.out), view_.allowed(0, dimension.out), std::nullopt);
    if (report.failing > 0) {
      failing[static_cast<std::size_t>(dimension.pair)] = true;
    }
  }
  return failing;
}

}  // namespace vernier
