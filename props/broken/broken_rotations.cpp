// Broken rotations, and broken ways back: a row each.

#include <algorithm>
#include <cmath>

#include "props/broken/broken_lists.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {
namespace {

using Laws = std::vector<std::string_view>;
using RotateBy = void (*)(const RopeSpec& spec, std::int64_t m, std::span<const double> x,
                          std::span<double> y);
/// \param phi the angle of the pair, as the spec has it
using TurnPair = void (*)(const RopeSpec& spec, double m, int pair, double phi, double x0, double x1,
                          double& y0, double& y1);

MakeRotation by_rotation(RotateBy rotate) {
  return [rotate](const RopeSpec& spec) {
    return rotation_of(
        spec, [=](std::int64_t m, std::span<const double> x, std::span<double> y) { rotate(spec, m, x, y); });
  };
}

MakeRotation by_pairs(TurnPair turn_pair) {
  return [turn_pair](const RopeSpec& spec) {
    return rotation_of(spec, [=](std::int64_t m, std::span<const double> x, std::span<double> y) {
      const auto position = static_cast<double>(m);
      for (int pair = 0; pair < spec.pairs(); ++pair) {
        const auto [first, second] = spec.dimensions(pair);
        const auto a = static_cast<std::size_t>(first);
        const auto b = static_cast<std::size_t>(second);
        turn_pair(spec, position, pair, angle(spec, position, pair), x[a], x[b], y[a], y[b]);
      }
    });
  };
}

RopeSpec other_layout(const RopeSpec& spec) {
  auto other = spec;
  other.layout =
      spec.layout == RopeSpec::Layout::half ? RopeSpec::Layout::interleaved : RopeSpec::Layout::half;
  return other;
}

Broken broken_rotation(std::string_view id, std::string_view description, Laws caught_by, Laws escapes,
                       MakeRotation queries, MakeRotation keys = {}) {
  return {.id = id,
          .description = description,
          .caught_by = std::move(caught_by),
          .escapes = std::move(escapes),
          .rotation = std::move(queries),
          .key_rotation = std::move(keys)};
}

Broken backward(std::string_view id, std::string_view description, MakeRotation gradient) {
  auto result = broken_rotation(id, description, {"rope/adjoint", "rope/transpose-returns"},
                                {"rope/accuracy", "rope/offset-only", "rope/constant-norm"}, turning(1));
  result.gradient = std::move(gradient);
  return result;
}

Broken inverse(std::string_view id, std::string_view description, MakeRotation back) {
  auto result = broken_rotation(id, description, {"rope/inverse-returns"},
                                {"rope/accuracy", "rope/offset-only"}, turning(1));
  result.inverse = std::move(back);
  return result;
}

/// Tried on a spec with an amplitude, where alone it shows.
Broken with_amplitude(Broken broken) {
  broken.spec = rope_with_amplitude();
  return broken;
}

}  // namespace

std::vector<Broken> broken_rotations() {
  return {
      broken_rotation("rotates-backwards", "queries and keys both turn against the direction of the spec",
                      {"rope/accuracy"},
                      {"rope/constant-norm", "rope/shift-group", "rope/offset-only", "rope/pass-through"},
                      turning(-1, 1.0)),
      broken_rotation("rotary-dim-frequencies",
                      "partial rotation with the frequencies of the whole head, base^(-2i/head_dim)",
                      {"rope/accuracy"}, {"rope/constant-norm", "rope/offset-only", "rope/pass-through"},
                      by_pairs([](const RopeSpec& spec, double m, int pair, double, double x0, double x1,
                                  double& y0, double& y1) {
                        const double share =
                            static_cast<double>(spec.rotary_dim()) / static_cast<double>(spec.head_dim);

                        const double step = angle(spec, 1, pair);
                        const double wrong = std::copysign(std::pow(std::fabs(step), share), step) * m;
                        y0 = x0 * std::cos(wrong) - x1 * std::sin(wrong);
                        y1 = x0 * std::sin(wrong) + x1 * std::cos(wrong);
                      })),
      broken_rotation(
          "frequencies-of-half-the-pairs",
          "pair i turns at the frequency of pair i // 2: an index into a table that is not repeated",
          {"rope/accuracy"},
          {"rope/constant-norm", "rope/offset-only", "rope/shift-group", "rope/pass-through"},
          by_pairs([](const RopeSpec& spec, double m, int pair, double, double x0, double x1, double& y0,
                      double& y1) {
            const double phi = angle(spec, m, pair / 2);
            y0 = x0 * std::cos(phi) - x1 * std::sin(phi);
            y1 = x0 * std::sin(phi) + x1 * std::cos(phi);
          })),
      broken_rotation(
          "key-not-rotated",
          "queries are rotated and keys are not: a cache that stores keys before the rotation",
          {"rope/offset-only", "rope/accuracy"},
          {"rope/constant-norm", "rope/shift-group", "rope/pass-through"}, turning(1, 1.0),
          by_rotation([](const RopeSpec&, std::int64_t, std::span<const double>, std::span<double>) {
            // The key stays as it is.
          })),
      broken_rotation(
          "key-opposite-direction", "keys turn against queries: scores depend on the sum of the positions",
          {"rope/offset-only", "rope/accuracy"},
          {"rope/constant-norm", "rope/shift-group", "rope/pass-through"}, turning(1, 1.0), turning(-1, 1.0)),
      broken_rotation(
          "key-other-layout",
          "queries pair their dimensions in one layout, keys in the other: weights permuted on one side "
          "only",
          {"rope/offset-only", "rope/accuracy", "rope/constant-norm"}, {"rope/pass-through"}, turning(1, 1.0),
          [](const RopeSpec& spec) { return turning(1, 1.0)(other_layout(spec)); }),
      broken_rotation(
          "aliasing",
          "the vector is rotated in place, and the second element of a pair is made from the first one "
          "already rotated",
          {"rope/constant-norm", "rope/shift-group", "rope/offset-only", "rope/accuracy"},
          {"rope/pass-through"},
          by_pairs(
              [](const RopeSpec&, double, int, double phi, double x0, double x1, double& y0, double& y1) {
                y0 = x0 * std::cos(phi) - x1 * std::sin(phi);
                y1 = y0 * std::sin(phi) + x1 * std::cos(phi);
              })),
      broken_rotation("shear", "each pair is sheared by the angle in place of being turned: x0 - phi x1, x1",
                      {"rope/constant-norm", "rope/offset-only", "rope/accuracy"}, {"rope/pass-through"},
                      by_pairs([](const RopeSpec&, double, int, double phi, double x0, double x1, double& y0,
                                  double&) { y0 = x0 - phi * x1; })),
      broken_rotation("sine-left-out",
                      "the second element of a pair is multiplied by the cosine, and the first is not added",
                      {"rope/constant-norm", "rope/shift-group", "rope/offset-only", "rope/accuracy"},
                      {"rope/pass-through"},
                      by_pairs([](const RopeSpec&, double, int, double phi, double x0, double x1, double& y0,
                                  double& y1) {
                        y0 = x0 * std::cos(phi) - x1 * std::sin(phi);
                        y1 = x1 * std::cos(phi);
                      })),
      broken_rotation("reflection",
                      "a sign is lost in the second row of the rotation, which becomes a reflection",
                      {"rope/shift-group", "rope/accuracy"},
                      {"rope/constant-norm", "rope/offset-only", "rope/pass-through"},
                      by_pairs([](const RopeSpec&, double, int, double phi, double x0, double x1, double& y0,
                                  double& y1) {
                        y0 = x0 * std::cos(phi) + x1 * std::sin(phi);
                        y1 = x0 * std::sin(phi) - x1 * std::cos(phi);
                      })),
      broken_rotation(
          "pass-through-zeroed",
          "the dimensions that do not rotate come out as zeros: the output was made of the rotating part "
          "alone",
          {"rope/pass-through", "rope/accuracy"}, {"rope/constant-norm", "rope/offset-only"},
          by_rotation(
              [](const RopeSpec& spec, std::int64_t m, std::span<const double> x, std::span<double> y) {
                turn(spec, static_cast<double>(m), x, y);
                std::ranges::fill(y.subspan(static_cast<std::size_t>(spec.rotary_dim())), 0);
              })),
      broken_rotation("pass-through-rotated", "partial rotation is ignored: every dimension rotates",
                      {"rope/pass-through", "rope/accuracy"}, {"rope/offset-only"},
                      by_rotation([](const RopeSpec& spec, std::int64_t m, std::span<const double> x,
                                     std::span<double> y) {
                        RopeSpec whole = spec;
                        whole.partial_rotary_factor = 1;
                        turn(whole, static_cast<double>(m), x, y);
                      })),
      broken_rotation(
          "wrapped-position", "positions wrap around at 4096, the length of a precomputed cache",
          {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
          {"rope/constant-norm", "rope/pass-through"},
          by_rotation([](const RopeSpec& spec, std::int64_t m, std::span<const double> x,
                         std::span<double> y) { turn(spec, static_cast<double>(m & 4095), x, y); })),
      broken_rotation("bfloat16-rotary-position",
                      "the position is held in bfloat16: integers beyond 256 are rounded",
                      {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
                      {"rope/constant-norm", "rope/pass-through"},
                      by_rotation([](const RopeSpec& spec, std::int64_t m, std::span<const double> x,
                                     std::span<double> y) {
                        turn(spec, round_to(Format::bfloat16, static_cast<double>(m)), x, y);
                      })),
      broken_rotation(
          "dynamic-base",
          "the base grows with the position beyond 128: keys in the cache were rotated with another base "
          "than new ones",
          {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
          {"rope/constant-norm", "rope/pass-through"},
          by_pairs([](const RopeSpec& spec, double m, int pair, double phi, double x0, double x1, double& y0,
                      double& y1) {
            const double length = std::fabs(m);
            const double growth =
                length > 128 ? std::pow(length / 128, -static_cast<double>(pair) / spec.rotary_dim()) : 1;
            y0 = x0 * std::cos(phi * growth) - x1 * std::sin(phi * growth);
            y1 = x0 * std::sin(phi * growth) + x1 * std::cos(phi * growth);
          })),
      broken_rotation(
          "scaled-rotation",
          "cosine and sine carry a factor of 1.01, an attention factor that the spec does not have",
          {"rope/constant-norm", "rope/accuracy", "rope/shift-group"},
          {"rope/offset-only", "rope/pass-through"},
          by_pairs(
              [](const RopeSpec&, double, int, double phi, double x0, double x1, double& y0, double& y1) {
                y0 = 1.01 * (x0 * std::cos(phi) - x1 * std::sin(phi));
                y1 = 1.01 * (x0 * std::sin(phi) + x1 * std::cos(phi));
              })),
      backward("gradient-forward", "the backward pass does not negate the sine", turning(1)),
      backward("gradient-layout", "the backward pass pairs the dimensions of the other layout",
               [](const RopeSpec& spec) { return turning(-1)(other_layout(spec)); }),
      backward("gradient-half-table",
               "the backward pass asks the forward kernel for negated positions, which it counts from the "
               "end of a "
               "table of 2^15 rows",
               by_rotation(
                   [](const RopeSpec& spec, std::int64_t m, std::span<const double> x, std::span<double> y) {
                     constexpr std::int64_t rows = 1 << 15;
                     turn(spec, static_cast<double>(((-m) % rows + rows) % rows), x, y);
                   })),
      backward("gradient-partner", "the backward pass takes the partner's sine from the next pair",
               by_pairs([](const RopeSpec& spec, double m, int pair, double own, double x0, double x1,
                           double& y0, double& y1) {
                 const double partner = angle(spec, m, (pair + 1) % spec.pairs());
                 y0 = x0 * std::cos(own) + x1 * std::sin(partner);
                 y1 = x1 * std::cos(own) - x0 * std::sin(own);
               })),
      with_amplitude(backward("gradient-without-amplitude",
                              "the backward pass leaves the attention factor out", turning(-1, 1.0))),
      inverse("inverse-forward", "the inverse turns as the rotation does", turning(1)),
      with_amplitude(
          inverse("inverse-amplitude",
                  "the inverse negates the sine of tables that carry the attention factor: it is the "
                  "transpose, and multiplies where it should divide (Megatron-LM)",
                  turning(-1)))};
}

}  // namespace vernier
