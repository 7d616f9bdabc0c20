#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// What a function is given.
using FormulaArguments = std::span<const double>;

/// The numbers of a sequence of which a formula may be about one.
struct FormulaRows {
  std::span<const double> values = {};  ///< [rows, width]
  std::span<const double> input = {};   ///< likewise, of rotated vectors
  std::size_t width = 0;
};

/// A formula as the faults of broken implementations, and of those that are drawn (reports/measures/rates),
/// are written in: "p >= start ? p + by : p". FormulaArguments, variables, constants and functions with C's
/// operators (no bits, no remainder), `name = formula;` before the last one for what it uses several times,
/// and `any(n, formula)`, whether one holds of some k below n. Truth is 1 or 0.
class FaultFormula {
 public:
  using Function = std::function<double(FormulaArguments arguments, const FormulaRows& rows)>;
  /// What a formula is written with, beside mathematical functions.
  struct Names {
    std::vector<std::string> variables = {};
    std::function<std::optional<double>(const std::string& name)> constant = {};
    std::function<Function(const std::string& name)> function = {};  ///< empty for what there is not
  };

  /// \throws std::invalid_argument
  FaultFormula(std::string_view text, const Names& names);

  /// \param variables in the order of their names
  double operator()(std::initializer_list<double> variables, const FormulaRows& rows = {}) const;

 private:
  struct Frame;
  class Parser;
  using Node = std::function<double(Frame&)>;

  Node node_;
};

}  // namespace vernier
