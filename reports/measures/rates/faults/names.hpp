#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/computation/formula.hpp"
#include "reference/json/json.hpp"
#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/draw.hpp"

namespace vernier::rates {

/// What the formulas of a fault are written with: numbers of the design that it is planted into, before it
/// is, of its spec, and those that were drawn.
class FaultNames {
 public:
  /// \param draw outlives whatever formula draws
  FaultNames(Draw& draw, const Design& design);
  /// Where there is no design yet.
  explicit FaultNames(Draw& draw) : draw_(draw) {}

  /// The value of a formula without variables.
  double value(const std::string& formula) const { return Formula(formula, names({}))({}); }
  bool holds(const std::string& formula) const { return value(formula) != 0; }
  Formula formula(const std::string& text, std::vector<std::string> variables) const {
    return {text, names(std::move(variables))};
  }
  void define(const std::string& name, double value) { drawn_[name] = value; }
  /// Lets formulas call another one.
  void define_formula(const std::string& name, std::string formula) { formulas_[name] = std::move(formula); }
  void define_text(const std::string& name, std::string text) { texts_[name] = std::move(text); }

  /// What a formula says of a role: "role", "role.cos".
  std::string role(const std::string& formula) const;
  /// Text with numbers in it: "by {by}". After a colon: i, an integer; f, the name of a format; role; json;
  /// spec, what the spec has under a key; text, what define_text() defined.
  std::string words(const std::string& text) const;

  const Design& before() const { return *before_; }
  Draw& draw() const { return draw_; }
  /// As it was written. \return null where the key is not there \param path "rope_scaling.factor"
  const OrderedJson* written(std::string_view path) const;
  /// The same, or what the encoding takes where nothing is written.
  OrderedJson in_spec(std::string_view path) const;
  const OrderedJson& spec() const { return spec_; }

 private:
  Formula::Names names(std::vector<std::string> variables) const;
  std::optional<double> constant(const std::string& name) const;
  Formula::Function function(const std::string& name) const;
  double code_of_role(const std::string& role) const;
  std::string shown(const std::string& formula, std::string_view as) const;

  Draw& draw_;
  std::shared_ptr<const Design> before_ = {};  ///< null: there is none
  OrderedJson spec_ = {};
  std::map<std::string, double, std::less<>> drawn_ = {};
  std::map<std::string, std::string, std::less<>> formulas_ = {};
  std::map<std::string, std::string, std::less<>> texts_ = {};
  mutable std::vector<std::string> roles_ = {};  ///< by their code
};

/// A number as a spec writes it: integers without a fraction.
OrderedJson number_json(double value);
/// "/rope_scaling/factor" of "rope_scaling.factor".
OrderedJson::json_pointer pointer_to(std::string_view path);

}  // namespace vernier::rates
