// Broken sinusoidal tables: a row each.

#include <cmath>

#include "props/broken/broken_lists.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {
namespace {

using Value = double (*)(const SinusoidalSpec& spec, std::int64_t t, const Element& e);
using Laws = std::vector<std::string_view>;

Broken broken_table(std::string_view id, std::string_view description, Laws caught_by, Laws escapes,
                    Value value) {
  return {.id = id,
          .description = description,
          .caught_by = std::move(caught_by),
          .escapes = std::move(escapes),
          .table = [value](const SinusoidalSpec& spec) {
            return table_of(spec, [=](std::int64_t t, const Element& e) { return value(spec, t, e); });
          }};
}

/// The honest element of another position, whole or not.
double at(double position, const Element& e) {
  return honest_value(position * e.frequency, e);
}

}  // namespace

std::vector<Broken> broken_tables() {
  using Spec = SinusoidalSpec;
  return {
      broken_table("wrong-sign",
                   "sin(-t w): the table runs backwards, as with the opposite sign convention for the phase",
                   {"sinusoidal/accuracy", "sinusoidal/linear-shift"},
                   {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                    "sinusoidal/shift-group", "sinusoidal/offset-only", "sinusoidal/symmetric"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(-static_cast<double>(t) * e.frequency, e);
                   }),
      broken_table("wrong-exponent",
                   "base^(-i/d) for pair i in place of base^(-2i/d): the frequencies fall half as fast",
                   {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only"},
                   {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                    "sinusoidal/shift-group", "sinusoidal/symmetric"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(static_cast<double>(t) * std::sqrt(e.frequency), e);
                   }),
      broken_table(
          "column-exponent",
          "base^(-c/d) with the index c of the column: sine and cosine of a pair get different frequencies",
          {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/constant-norm",
           "sinusoidal/shift-group", "sinusoidal/offset-only"},
          {"sinusoidal/bounded", "sinusoidal/unique"},
          [](const Spec& spec, std::int64_t t, const Element& e) {
            // Two columns make a step of the pair's own frequency, so the second one is half a step on.
            const double half_step =
                std::pow(approximately(spec.base), -1.0 / static_cast<double>(spec.d_model));
            const bool second =
                (e.component == Component::sine) != (spec.order == SinusoidalSpec::Order::sin_cos);
            return honest_value(static_cast<double>(t) * e.frequency * (second ? half_step : 1), e);
          }),
      broken_table("modulo-4096", "positions wrap around at 4096, the length of a precomputed table",
                   {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only",
                    "sinusoidal/unique", "sinusoidal/shift-group"},
                   {"sinusoidal/bounded", "sinusoidal/constant-norm"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(static_cast<double>(t & 4095) * e.frequency, e);
                   }),
      broken_table(
          "half-position", "the position is halved in integers: neighbours share a row",
          {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/linear-shift", "sinusoidal/shift-group"},
          {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          [](const Spec&, std::int64_t t, const Element& e) {
            const std::int64_t half = t / 2;
            return honest_value(static_cast<double>(half) * e.frequency, e);
          }),
      broken_table("swapped-pair", "sine and cosine change places in the first pair only",
                   {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/shift-group"},
                   {"sinusoidal/bounded", "sinusoidal/unique", "sinusoidal/constant-norm",
                    "sinusoidal/offset-only", "sinusoidal/symmetric"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     const double phase = static_cast<double>(t) * e.frequency;
                     return e.pair > 0 ? honest_value(phase, e)
                                       : e.amplitude * (e.component == Component::sine ? std::cos(phase)
                                                                                       : std::sin(phase));
                   }),
      broken_table(
          "amplitude", "every element is 1 % too large",
          {"sinusoidal/accuracy", "sinusoidal/bounded", "sinusoidal/constant-norm", "sinusoidal/offset-only",
           "sinusoidal/shift-group"},
          {"sinusoidal/unique", "sinusoidal/linear-shift", "sinusoidal/symmetric"},
          [](const Spec&, std::int64_t t, const Element& e) { return 1.01 * at(static_cast<double>(t), e); }),
      broken_table(
          "grows-with-position", "the row is multiplied by t / 1000, to make far positions count for more",
          {"sinusoidal/accuracy", "sinusoidal/bounded", "sinusoidal/constant-norm", "sinusoidal/linear-shift",
           "sinusoidal/offset-only", "sinusoidal/symmetric", "sinusoidal/shift-group"},
          {"sinusoidal/unique"},
          [](const Spec&, std::int64_t t, const Element& e) {
            return static_cast<double>(t) / 1000 * at(static_cast<double>(t), e);
          }),
      broken_table("sine-only", "the columns of cosines hold sines as well",
                   {"sinusoidal/accuracy", "sinusoidal/constant-norm", "sinusoidal/linear-shift",
                    "sinusoidal/shift-group", "sinusoidal/offset-only"},
                   {"sinusoidal/bounded"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return e.amplitude * std::sin(static_cast<double>(t) * e.frequency);
                   }),
      broken_table(
          "position-dependent-base",
          "the base grows with the position beyond 128, as when dynamic NTK scaling is recomputed at every"
          " step",
          {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/shift-group",
           "sinusoidal/offset-only", "sinusoidal/symmetric"},
          {"sinusoidal/bounded", "sinusoidal/constant-norm", "sinusoidal/unique"},
          [](const Spec& spec, std::int64_t t, const Element& e) {
            const double length = std::fabs(static_cast<double>(t));
            const double growth =
                length > 128
                    ? std::pow(length / 128, -static_cast<double>(e.pair) / static_cast<double>(spec.d_model))
                    : 1;
            return honest_value(static_cast<double>(t) * e.frequency * growth, e);
          }),
      broken_table("bfloat16-position", "the position is held in bfloat16: integers beyond 256 are rounded",
                   {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/linear-shift",
                    "sinusoidal/shift-group", "sinusoidal/offset-only"},
                   {"sinusoidal/bounded", "sinusoidal/constant-norm"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(round_to(Format::bfloat16, static_cast<double>(t)) * e.frequency, e);
                   }),
      broken_table("absolute-position", "|t| is used for t: negative offsets look like positive ones",
                   {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/shift-group",
                    "sinusoidal/linear-shift", "sinusoidal/offset-only", "sinusoidal/symmetric"},
                   {"sinusoidal/bounded", "sinusoidal/constant-norm"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(std::fabs(static_cast<double>(t)) * e.frequency, e);
                   }),
      broken_table(
          "one-constant-reduction",
          "the phase is reduced by one float32 value of 2 pi before sine and cosine: shaders, fast-math",
          {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only"},
          {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          [](const Spec&, std::int64_t t, const Element& e) {
            const float phase = static_cast<float>(t) * static_cast<float>(e.frequency);
            const float two_pi = 6.2831853F;
            return honest_value(static_cast<double>(phase - two_pi * std::rint(phase / two_pi)), e);
          }),
      broken_table("shifted-by-one", "the first row is that of position 1: indices that start from one",
                   {"sinusoidal/accuracy", "sinusoidal/shift-group"},
                   {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                    "sinusoidal/linear-shift", "sinusoidal/offset-only", "sinusoidal/symmetric"},
                   [](const Spec&, std::int64_t t, const Element& e) {
                     return honest_value(static_cast<double>(t + 1) * e.frequency, e);
                   })};
}

}  // namespace vernier
