#pragma once

#include <functional>
#include <initializer_list>
#include <map>
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

/// A formula as rows of data are written in: edits that the diagnosis tries, the faults of broken
/// implementations and of those that are drawn: "p >= start ? p + by : p". Numbers, variables, constants and
/// functions with C's operators (no bits), // and %, the floor of a quotient and what it leaves, `name =
/// formula;` before the last one for what it uses several times, and `any(n, formula)`, whether one holds of
/// some k below n. Truth is 1 or 0.
class Formula {
 public:
  using Function = std::function<double(FormulaArguments arguments, const FormulaRows& rows)>;
  /// What a formula is written with, beside mathematical functions.
  struct Names {
    std::vector<std::string> variables = {};
    std::function<std::optional<double>(const std::string& name)> constant = {};
    std::function<Function(const std::string& name)> function = {};  ///< empty for what there is not
  };

  /// \throws std::invalid_argument
  Formula(std::string_view text, const Names& names);

  /// \param variables in the order of their names
  double operator()(std::initializer_list<double> variables, const FormulaRows& rows = {}) const;

 private:
  struct Frame;
  class Parser;
  using Node = std::function<double(Frame&)>;

  Node node_;
};

/// Text with what stands for the formulas in braces: "by {by}".
std::string filled_in(std::string text, const std::function<std::string(const std::string& formula)>& shown);

/// Numbers that formulas name.
using NamedNumbers = std::map<std::string, double, std::less<>>;

/// A number, as it depends on another one.
using NumberMap = std::function<double(double x)>;

/// The formula of x that names these numbers: "min(0, x)". \throws std::invalid_argument
NumberMap formula(std::string_view text, const NamedNumbers& numbers);

}  // namespace vernier
