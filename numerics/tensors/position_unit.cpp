#include "numerics/tensors/position_unit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "numerics/tensors/case_positions.hpp"
#include "numerics/tensors/fit_tensor.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {
namespace {

/// Calls `visit` with every element of the tensors of positions that are of a floating-point type.
template <class Visit>
void for_each_number(const CaseInput& parts, const Visit& visit) {
  const auto visit_all = [&](const NamedTensor& named) {
    for (std::size_t i = 0; named.tensor.format() && i < named.tensor.elements(); ++i) {
      visit(named, i, named.tensor.number(i));
    }
  };
  if (const auto found = parts.tensors.find(positions_role); found != parts.tensors.end()) {
    visit_all(found->second);
  }
  for (const auto& [role, named] : parts.positions_of_vectors) {
    visit_all(named);
  }
}

[[noreturn]] void refuse(const NamedTensor& named, std::size_t index, double found,
                         std::string_view expected) {
  throw InputError("{}: positions: found element {} to be {}, expected {}", named.source, index, found,
                   expected);
}

}  // namespace

int places_of(double number) {
  constexpr int precision = 53;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(number), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, precision));
  return number == 0 ? 0 : std::max(0, precision - exponent - std::countr_zero(digits));
}

std::optional<int> binary_places(const CaseInput& parts) {
  std::optional<int> result;
  for_each_number(parts, [&](const NamedTensor& named, std::size_t index, double number) {
    if (!std::isfinite(number)) {
      refuse(named, index, number, "a finite number");
    }
    if (number != 0 && std::fabs(number) < traits(*named.tensor.format()).smallest_normal()) {
      refuse(named, index, number, "zero or a number that is not denormal");
    }
    result = std::max(result.value_or(0), places_of(number));
  });
  return result;
}

std::unique_ptr<Encoding> counting_in(const Rational& unit, const Encoding& encoding,
                                      const std::string& source) {
  auto spec = encoding.spec();
  spec[position_unit_key] = unit.str();
  try {
    return parse_spec(spec.dump(), source, "spec");
  } catch (const KeyFault& fault) {
    if (fault.kind() != KeyFault::Kind::unknown) {
      throw;
    }
    return nullptr;
  }
}

std::unique_ptr<Encoding> with_binary_places(const CaseInput& parts, std::unique_ptr<Encoding> encoding,
                                             int places) {
  const Rational unit(1, pow(boost::multiprecision::mpz_int(2), static_cast<unsigned>(places)));
  if (encoding->positions().unit() == unit) {
    return encoding;
  }
  if (auto counting = counting_in(unit, *encoding, parts.source)) {
    return counting;
  }
  for_each_number(parts, [&](const NamedTensor& named, std::size_t index, double number) {
    if (number != std::rint(number)) {
      refuse(named, index, number,
             fmt::format("an integer, as {} takes no other positions", encoding->scheme()));
    }
  });
  return encoding;
}

std::vector<std::int64_t> position_numbers(const NamedTensor& named, int places) {
  if (places == 0) {
    return integers(named, positions_role, position_integers);
  }
  std::vector<std::int64_t> result;
  result.reserve(named.tensor.elements());
  for (std::size_t i = 0; i < named.tensor.elements(); ++i) {
    const auto integer = named.tensor.format() ? std::nullopt : named.tensor.integer(i);
    const double number = named.tensor.format() ? named.tensor.number(i)
                          : integer             ? static_cast<double>(*integer)
                                                : HUGE_VAL;
    const double scaled = std::ldexp(number, places);
    refuse_if(
        !(std::fabs(scaled) <= static_cast<double>(largest_place)),
        "{}: positions: found element {} to be {} beside others with {} binary places behind the point, "
        "expected numbers that 53 bits hold together",
        named.source, i, number, places);
    result.push_back(static_cast<std::int64_t>(scaled));
  }
  return result;
}

}  // namespace vernier
