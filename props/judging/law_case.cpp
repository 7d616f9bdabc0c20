#include "props/judging/law_case.hpp"

#include <algorithm>
#include <cassert>
#include <sstream>

namespace vernier {
namespace {

/// What differs from a spec's defaults.
std::string_view told_if(bool is_other, std::string_view words) {
  return is_other ? words : "";
}

void print(std::ostream& out, const SinusoidalSpec& spec) {
  out << "d_model = " << spec.d_model << ", base = " << to_string(spec.base)
      << told_if(spec.layout == SinusoidalSpec::Layout::halves, ", layout = halves")
      << told_if(spec.order == SinusoidalSpec::Order::cos_sin, ", order = cos_sin")
      << told_if(spec.frequency == SinusoidalSpec::FrequencyRule::tensor2tensor,
                 ", frequency = tensor2tensor")
      << (spec.scale != 1 ? ", scale = " + to_string(spec.scale) : "") << spec.positions.summary();
}

void print(std::ostream& out, const RopeSpec& spec) {
  out << "head_dim = " << spec.head_dim << ", rope_theta = " << to_string(spec.rope_theta)
      << told_if(spec.layout == RopeSpec::Layout::interleaved, ", layout = interleaved")
      << told_if(spec.direction == RopeSpec::Direction::clockwise, ", direction = clockwise");
  if (spec.rotary_dim() != spec.head_dim) {
    out << ", rotary_dim = " << spec.rotary_dim();
    if (spec.rotary_offset != 0) {
      out << " from " << spec.rotary_offset << " on";
    }
  }
  out << spec.positions.summary();
}

template <class Variables>
const auto& named(const Variables& variables, std::string_view name) {
  const auto found = std::ranges::find(variables, name, [](const auto& variable) { return variable.name; });
  assert(found != variables.end());
  return *found;
}

}  // namespace

std::int64_t LawCase::position(std::string_view name) const {
  return named(positions, name).value;
}

const std::vector<double>& LawCase::vector(std::string_view name) const {
  return named(vectors, name).values;
}

std::int64_t LawCase::dimension() const {
  const auto* sinusoidal = std::get_if<SinusoidalSpec>(&spec);
  return sinusoidal != nullptr ? sinusoidal->d_model : std::get<RopeSpec>(spec).head_dim;
}

const Rational& LawCase::base() const {
  const auto* sinusoidal = std::get_if<SinusoidalSpec>(&spec);
  return sinusoidal != nullptr ? sinusoidal->base : std::get<RopeSpec>(spec).rope_theta;
}

std::string to_string(const LawCase::Vector& vector) {
  constexpr std::ptrdiff_t least_told_once = 4;
  std::ostringstream out;
  out.precision(17);
  out << "[";
  for (auto at = vector.values.begin(); at != vector.values.end();) {
    const auto next = std::find_if(at, vector.values.end(), [&](double value) { return value != *at; });
    const bool told_once = next - at >= least_told_once;
    out << (at == vector.values.begin() ? "" : ", ");
    if (told_once) {
      out << next - at << " x ";
    }
    out << *at;
    at = told_once ? next : at + 1;
  }
  out << "]";
  return out.str();
}

std::string to_string(const LawCase& instance) {
  std::ostringstream out;
  out.precision(17);
  std::visit([&](const auto& spec) { print(out, spec); }, instance.spec);
  for (const auto& [name, value] : instance.positions) {
    out << ", " << name << " = " << value;
  }
  for (const auto& vector : instance.vectors) {
    out << ", " << vector.name << " = " << to_string(vector);
  }
  return out.str();
}

}  // namespace vernier
