#include "numerics/elements/element_source.hpp"

#include <cmath>
#include <numeric>

#include "numerics/elements/bias_source.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "numerics/elements/sources.hpp"
#include "numerics/errors/overflow.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

[[noreturn]] void refuse(const ElementSource& source, std::size_t index, ElementType type,
                         const std::string& why) {
  throw InputError("{}: found element {} {}, expected {} to hold every element", source.role(), index, why,
                   traits(type).name);
}

std::uint64_t rounded_bits(const ElementSource& source, std::size_t index, std::size_t column,
                           ElementType type, Format format, Overflow overflow) {
  if (source.are_indices()) {
    refuse(source, index, type, "to be an index");
  }
  const auto truth = source.truth(column);
  auto value = truth ? rounded(format, *truth) : std::nullopt;
  value = value ? value : correctly_rounded(format, source.exact(column));
  if (!value) {
    refuse(source, index, type, "undecided at " + std::to_string(ziv_precision_cap) + " bits");
  }
  if (!std::isfinite(*value) && overflow == Overflow::undeclared) {
    refuse(source, index, type, "beyond its greatest number");
  }
  if (!std::isfinite(*value) && overflow == Overflow::saturate) {
    value = round_saturating(format, tight_enclosure(source.exact(column)).approximately());
  }
  return encode_bits(format, *value);
}

std::uint64_t integer_bits(const ElementSource& source, std::size_t index, std::size_t column,
                           ElementType type) {
  const auto value = source.integer(column);
  if (!value) {
    refuse(source, index, type, "not to be an integer");
  }
  const auto width = traits(type).bytes * 8;
  const auto greatest = std::numeric_limits<std::int64_t>::max() >> (64 - width);
  if (*value > greatest || *value < -greatest - 1) {
    refuse(source, index, type, "to be " + std::to_string(*value));
  }
  return static_cast<std::uint64_t>(*value);
}

}  // namespace

bool AllowedElement::is_instead(double got) const {
  return instead && (got == *instead || (std::isnan(got) && std::isnan(*instead)));
}

void hold_to(Overflow overflow, Format stored, double computed, std::optional<double> got,
             AllowedElement& element) {
  const double truth = element.truth->approximately();
  if (has_overflown(overflow, stored, std::fabs(truth), computed, got.value_or(truth))) {
    element.truth = exactly(std::copysign(end_of_range(overflow, stored), truth));
    element.budget = {};
    element.instead = overflow_value(overflow, stored, truth);
  }
}

std::size_t ElementSource::elements() const {
  const auto sizes = shape();
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t ElementSource::columns() const {
  const auto sizes = shape();
  return sizes.size() == 1 ? 1 : sizes.back();
}

void add_element(ElementwiseReport& report, std::size_t index, double got, const AllowedElement& allowed,
                 const std::optional<ElementPlace>& place) {
  if (allowed.may_overflow) {
    ++report.elements;
    ++report.inconclusive;
    return;
  }
  const auto truth = allowed.truth.value_or(Enclosure());
  const bool is_instead = allowed.is_instead(got);
  report.instead += is_instead ? 1 : 0;
  const auto element =
      judged_element(index, is_instead ? truth.approximately() : got, truth,
                     allowed.truth ? allowed.budget.total() : std::numeric_limits<double>::infinity());
  const bool proves_nothing = allowed.proves_nothing();
  if (proves_nothing && !report.first_inconclusive) {
    report.first_inconclusive = {index, allowed.truth ? allowed.budget.largest_term() : "", element.budget,
                                 allowed.size};
  }
  if (place) {
    report.add(element, proves_nothing, place->position, place->pair);
  } else {
    report.add(element, proves_nothing);
  }
}

std::unique_ptr<ElementSource> element_source(const TensorDefinition& definition, const SourceRows& rows,
                                              std::function<void(std::size_t, std::span<double>)> input) {
  return std::visit(
      [&]<class Definition>(const Definition& defined) -> std::unique_ptr<ElementSource> {
        if constexpr (std::is_same_v<Definition, TurnedTable>) {
          return turned_source(defined, rows);
        } else if constexpr (std::is_same_v<Definition, ExactTable>) {
          return value_source(defined, rows.positions);
        } else if constexpr (std::is_same_v<Definition, BiasTable>) {
          return std::make_unique<BiasSource>(defined, rows.positions, rows.queries);
        } else if constexpr (std::is_same_v<Definition, BucketTable>) {
          return bucket_source(defined, rows.positions);
        } else {
          return std::make_unique<RotatedSource>(defined, rows, std::move(input));
        }
      },
      definition);
}

ElementwiseReport audit_elements(ElementSource& source, const std::function<double(std::size_t index)>& got) {
  ElementwiseReport report;
  const auto columns = source.columns();
  for (std::size_t row = 0; row < source.rows(); ++row) {
    source.go_to(row);
    for (std::size_t column = 0; column < columns; ++column) {
      const auto index = row * columns + column;
      const double value = got(index);
      add_element(report, index, value, source.allowed(column, value),
                  source.has_pairs() ? std::optional(source.place(column)) : std::nullopt);
    }
  }
  return report;
}

void append_rounded(ElementSource& source, ElementType type, std::size_t first, std::size_t last,
                    std::vector<std::byte>& bytes, Overflow overflow) {
  const auto format = traits(type).format;
  const auto columns = source.columns();
  for (auto index = first; index < last; ++index) {
    const auto column = index % columns;
    if (index == first || column == 0) {
      source.go_to(index / columns);
    }
    const auto bits = format ? rounded_bits(source, index, column, type, *format, overflow)
                             : integer_bits(source, index, column, type);
    for (std::size_t byte = 0; byte < traits(type).bytes; ++byte) {
      bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
    }
  }
}

}  // namespace vernier
