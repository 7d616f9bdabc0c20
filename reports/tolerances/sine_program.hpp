#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/asking/seeded_draws.hpp"
#include "numerics/computation/formula.hpp"
#include "numerics/recipes/recipe.hpp"
#include "numerics/tolerances/tolerance_study.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// The tensors that a tolerance is of.
struct ComparedTensors {
  /// Tables, one a role, and behind them what rotates vectors.
  std::vector<TensorDefinition> definitions = {};
  std::vector<double> input = {};  ///< of the rotation, row after row
};

using CosineAndSine = std::pair<double, double>;

/// A program that computes cosines and sines, and rotates vectors by them. It is honest when it is drawn; a
/// fault changes its numbers, or puts formulas in the place of its stages.
struct SineProgram {
  std::string words = {};  ///< how it computes, or the parameters of its fault: "by 3 from position 714 on"
  std::vector<std::int64_t> telling = {};  ///< positions at which the fault shows most, if only some show it
  Format compute = Format::binary32;
  Format stored = Format::binary32;
  bool rounds_phase = true;  ///< to `compute`
  std::vector<double> frequencies = {};
  double amplitude = 1;
  std::optional<PhaseRule> rule = std::nullopt;  ///< where phases are no products with the frequencies
  CosineAndSine (*trigonometry)(double phase) = nullptr;  ///< before it is rounded to `compute`
  std::optional<RotationOrder> order = std::nullopt;      ///< by which vectors rotate
  double direction = 1;
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  ///< the dimensions of rotated vectors
  std::vector<std::string> roles = {};  ///< of all tensors of the encoding, that of vectors twice
  std::map<std::string, std::vector<Formula>, std::less<>> stages = {};  ///< in place of honest ones

  /// Every element of the tensors at these positions, tensor after tensor.
  std::vector<double> values(const ComparedTensors& tensors, std::span<const std::int64_t> positions) const;
  /// Takes the frequencies and the amplitude of the encoding, rounded, and the pairs of its rotation.
  void take(const Encoding& encoding);
  CosineAndSine honest_turn(double phase) const;
  /// Its place among the roles, or their number.
  double code_of_role(std::string_view role) const {
    return static_cast<double>(std::ranges::find(roles, role) - roles.begin());
  }

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
SineProgram draw_program(const ToleranceQuestion& question, SeededDraws& draw);

/// The kinds of fault that people ship, grouped by the stage that each spoils: the rows of faults.json, whose
/// formulas take the place of stages. "id" is "positions/offset", "what" the fault as its author would put
/// it.
const OrderedJson& program_faults();

/// Plants a fault with drawn parameters; nothing if the program cannot have it. \param honest outlives the
/// result
std::optional<SineProgram> plant(const OrderedJson& fault, const ToleranceQuestion& question,
                                 const SineProgram& honest, SeededDraws& draw);

}  // namespace vernier
