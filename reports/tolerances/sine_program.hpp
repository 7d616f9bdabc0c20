#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/computation/formula.hpp"
#include "numerics/recipes/recipe.hpp"
#include "numerics/tolerances/tolerance_study.hpp"

namespace vernier {

/// Random choices, the same with every standard library.
class ProgramDraw {
 public:
  explicit ProgramDraw(std::uint64_t seed) : generator_(seed) {}
  /// The n-th of a stream is the same however many there are.
  ProgramDraw(std::uint64_t seed, std::uint64_t stream, int n)
      : ProgramDraw(std::mt19937_64(2 * seed + stream)() +
                    0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(n)) {}

  /// Uniform in [least, greatest].
  std::int64_t between(std::int64_t least, std::int64_t greatest) {
    return least + static_cast<std::int64_t>(generator_() % static_cast<std::uint64_t>(greatest - least + 1));
  }
  /// Uniform in [0, 1).
  double share() { return std::ldexp(static_cast<double>(generator_() >> 11), -53); }
  bool chance(double probability) { return share() < probability; }
  template <class Range>
  const auto& any_of(const Range& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  std::mt19937_64 generator_;
};

/// The tensors that a tolerance is of.
struct ComparedTensors {
  /// Tables, one a role, and behind them what rotates vectors; this alone where these are compared.
  std::vector<TensorDefinition> definitions = {};
  std::vector<double> input = {};  ///< of the rotation, row after row
};

using CosineAndSine = std::pair<double, double>;

/// A program that computes cosines and sines, and rotates vectors by them. It is honest when it is drawn; a
/// fault changes its numbers, or puts formulas in the place of its stages.
struct SineProgram {
  std::vector<std::string> words = {};  ///< how it computes, one clause each
  Format compute = Format::binary32;
  Format stored = Format::binary32;
  bool rounds_phase = true;  ///< to `compute`
  std::vector<double> frequencies = {};
  double amplitude = 1;
  std::shared_ptr<const PhaseRule> rule = nullptr;  ///< where phases are no products with the frequencies
  CosineAndSine (*trigonometry)(double phase) = nullptr;
  std::optional<RotationOrder> order = std::nullopt;  ///< by which vectors rotate
  double direction = 1;
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  ///< the dimensions of rotated vectors
  std::vector<std::string> roles = {};  ///< of all tensors of the encoding, that of vectors twice
  std::map<std::string, std::vector<Formula>, std::less<>> stages = {};  ///< in place of honest ones

  /// Every element of the tensors at these positions, tensor after tensor.
  std::vector<double> values(const ComparedTensors& tensors, std::span<const std::int64_t> positions) const;
  /// Takes the frequencies and the amplitude of the encoding, rounded, and the pairs of its rotation.
  void take(const Encoding& encoding);
  /// Its place among the roles, or their number.
  double code_of_role(std::string_view role) const;

 private:
  /// Replaces honest results by what the formulas of a stage make of the variables, if it has formulas.
  void edit(std::string_view stage, std::initializer_list<double> variables,
            std::initializer_list<double*> results) const;
  double honest_phase(int pair, double place) const;
  std::vector<CosineAndSine> turns(std::int64_t position) const;  ///< one a pair
  std::pair<double, double> rotated(double x0, double x1, double cosine, double sine) const;
  /// Edits the values of a tensor, and stores them.
  void finish(std::string_view role, std::span<const std::int64_t> positions, std::span<const double> input,
              std::span<double> values) const;
};

/// An honest program that computes in the declared order, its frequencies, phases, sines and cosines drawn.
/// \throws InputError where no program that can be drawn keeps the contract
SineProgram draw_program(const ToleranceQuestion& question, ProgramDraw& draw);

}  // namespace vernier
