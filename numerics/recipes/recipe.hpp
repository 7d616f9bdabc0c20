#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/recipes/recipe_frequencies.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// What a recipe makes phases from, for programs that make the same ones elsewhere. Every operation is
/// rounded to the recipe's compute format.
struct PhaseSeeds {
  Format positions;             ///< that positions are rounded to, before the compute format
  std::vector<double> factors;  ///< one a pair: position * factor is the phase; or one, from pair to pair
  std::vector<double> divisors = {};  ///< one a pair: of the phase that is used; none: it is used as it is
};

/// How a recipe gets from positions to phases, pair after pair, every operation rounded as the recipe rounds
/// it.
class PhaseRule {
 public:
  PhaseRule() = default;
  PhaseRule(const PhaseRule&) = delete;
  PhaseRule& operator=(const PhaseRule&) = delete;
  virtual ~PhaseRule() = default;

  /// The position as the recipe rounds it, which its phases depend on alone.
  virtual double rounded(std::int64_t position) const = 0;
  /// The phases of one pair at several positions, values of the recipe's compute format.
  /// \param positions as rounded() gives them
  /// \param phases of the pair before, if there is one; replaced by those of `pair`
  virtual void advance(int pair, std::span<const double> positions, std::span<double> phases) const = 0;
  /// Whether the phases of a pair are made from those of the pair before, so that no pair can be left out.
  virtual bool is_recursive() const { return false; }
  /// The phases that sines and cosines are taken of, where they are not the ones that are carried from pair
  /// to pair. \param carried as advance() left them \param room at least as long, to write into
  virtual std::span<const double> phases_for_pair(int, std::span<const double> carried,
                                                  std::span<double>) const {
    return carried;
  }
  /// The most that a used phase of the pair differs from position * frequency, at any position from 0 to
  /// `position`; infinite where the phase may overflow. \param frequency the true one
  virtual double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const = 0;
  virtual PhaseSeeds seeds() const = 0;
};

/// The phase of one pair at a position, as the recipe uses it.
double used_phase(const PhaseRule& rule, std::int64_t position, int pair);

/// The phase as one product: position and frequency each rounded, then their product.
class ProductPhases final : public PhaseRule {
 public:
  /// Position and product in one format.
  ProductPhases(Format format, std::vector<double> frequencies)
      : ProductPhases(format, std::move(frequencies), format) {}
  /// \param positions the format that positions are rounded to
  ProductPhases(Format format, std::vector<double> frequencies, Format positions)
      : format_(format), positions_(positions), frequencies_(std::move(frequencies)) {}
  double rounded(std::int64_t position) const override;
  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override;
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const override;
  PhaseSeeds seeds() const override { return {positions_, frequencies_}; }

 private:
  Format format_;
  Format positions_;
  std::vector<double> frequencies_;
};

/// A way of computing sinusoids that people ship: the formats and the order of operations.
struct Recipe {
  std::string_view id;           ///< "float32-pow"
  std::string_view description;  ///< the formula as code writes it, and who does
  Format compute;                ///< of frequency, phase, sine and cosine
  std::string_view contract;     ///< the contract it keeps (see contract.hpp)
  std::unique_ptr<PhaseRule> (*prepare)(const RecipeFrequencies& frequencies);
  /// What positions or frequencies are rounded to, where that is narrower than `compute`.
  std::optional<Format> narrowed = std::nullopt;
};

/// Sine or cosine as the format's usual library computes it: binary64 and binary32 by the C library; binary16
/// and bfloat16 by the binary32 function, rounded (what PyTorch does on a CPU). Not certified: this is what
/// is under test.
double recipe_sine(Format compute, double phase);
double recipe_cosine(Format compute, double phase);
/// The same of a C library whose functions round correctly: what the element would be on any machine. Nothing
/// where the rounding is undecided; NaN for a phase that is not finite. \param component sine or cosine
std::optional<double> rounded_component(Component component, Format compute, double phase);

/// a * b and a +- b in the format: computed in binary32 or wider and rounded once more where the format is
/// narrower. For products and sums of 16-bit values the first rounding is innocuous (24 >= 2 * 11 + 2:
/// Figueroa 1995).
double multiply(Format format, double a, double b);
double add(Format format, double a, double b);

/// The table a recipe makes: computed in the recipe's format, then stored.
class RecipeTable final : public TableUnderTest {
 public:
  RecipeTable(const Recipe& recipe, const TrigTable& table, Format stored);
  /// The same with phases that are prepared already. \param phases of the table's frequencies
  RecipeTable(const Recipe& recipe, std::shared_ptr<const PhaseRule> phases, const TrigTable& table,
              Format stored);

  Format stored() const override { return stored_; }
  std::size_t columns() const override { return columns_; }
  void row(std::int64_t position, std::span<double> out) const override;
  /// The element that a phase makes. \param component sine or cosine \param phase as
  /// PhaseRule::phases_for_pair() gives it
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
  std::shared_ptr<const PhaseRule> phases_;
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
