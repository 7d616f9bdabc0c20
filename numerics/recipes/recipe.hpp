#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/program/program.hpp"
#include "numerics/program/rounding.hpp"
#include "numerics/recipes/phase_rule.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/numbers/format.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A way of computing sinusoids that people ship: the formats and the order of operations.
struct Recipe {
  std::string_view id;           ///< "float32-pow"
  std::string_view description;  ///< the formula as code writes it, and who does
  std::string_view contract;     ///< the contract it keeps (see contract.hpp)
  program::Program program;      ///< up to what sine and cosine are taken of

  /// The format of phase, sine and cosine, and of all whose way says no other.
  Format compute() const { return program.in.format; }
  /// What positions or frequencies are rounded to, where that is narrower than compute().
  std::optional<Format> narrowed() const;
  /// How it makes phases of these frequencies. \throws InputError for those that it does not compute
  PhaseRule prepare(const Frequencies& frequencies) const;
  /// The same of the places of a table (position_map.hpp), whose positions and frequencies may be scaled.
  PhaseRule prepare(const TrigTable& table) const;
};

/// Sine or cosine as the format's usual library computes it: binary64 and binary32 by the C library; binary16
/// and bfloat16 by the binary32 function, rounded (what PyTorch does on a CPU). Not certified: this is what
/// is under test.
double recipe_sine(Format compute, double phase);
double recipe_cosine(Format compute, double phase);
/// The same of a C library whose functions round correctly: what the element would be on any machine. Nothing
/// where the rounding is undecided; NaN for a phase that is not finite. \param component sine or cosine
std::optional<double> rounded_component(Component component, Format compute, double phase);

/// The table a recipe makes: computed in the recipe's format, then stored.
class RecipeTable final : public TableUnderTest {
 public:
  RecipeTable(const Recipe& recipe, const TrigTable& table, Format stored);
  /// The same with phases that are prepared already. \param phases of the table's frequencies
  RecipeTable(const Recipe& recipe, PhaseRule phases, const TrigTable& table, Format stored);

  Format stored() const override { return stored_; }
  std::size_t columns() const override { return columns_; }
  void row(std::int64_t position, std::span<double> out) const override;
  /// The element that a phase makes. \param component sine or cosine \param phase as
  /// used_phase() gives it
  double element(Component component, double phase) const;
  /// The same with the sine or cosine given. \param value a number of the compute format
  double element_of(double value) const;
  /// Computes an element once, however many columns hold it and however many positions the recipe rounds to
  /// one.
  void rows(const PositionRange& positions, std::span<double> out) const override;

 private:
  struct Lanes;
  /// The columns that hold a pair's sine, and those that hold its cosine.
  struct PairColumns {
    std::vector<std::size_t> sine;
    std::vector<std::size_t> cosine;
    bool empty() const { return sine.empty() && cosine.empty(); }
  };

  /// rows() of at most as many positions as there are lanes.
  void block(const PositionRange& positions, Lanes& lanes, double* out) const;
  void compute_phases(Lanes& lanes) const;
  void compute_components(Lanes& lanes, std::size_t lane) const;
  /// Rounds to the compute format, scales and stores what the C library gave.
  void finish(std::span<double> values) const;
  void repeat_rows(const Lanes& lanes, std::size_t count, double* out) const;
  void put_zeros(std::int64_t position, double* row) const;

  Format compute_;
  Format stored_;
  double amplitude_;
  PhaseRule phases_;
  std::optional<std::int64_t> zero_position_;
  std::size_t columns_;
  std::vector<PairColumns> pairs_;  ///< up to the last that a column holds
  std::vector<std::size_t> zero_columns_;
};

/// RoPE's rotation as a recipe makes it: cos and sin as RecipeTable stores them, then x0 c - x1 s and x0 s +
/// x1 c in the stored format, each operation rounded.
class RecipeRotation final : public RotationUnderTest {
 public:
  RecipeRotation(const Recipe& recipe, RopeSpec spec, Format stored);

  Format stored() const override { return stored_; }
  std::size_t head_dim() const override { return static_cast<std::size_t>(spec_.head_dim); }
  void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const override;

 private:
  RopeSpec spec_;
  Format stored_;
  RecipeTable cosine_;
  RecipeTable sine_;
};

}  // namespace vernier
