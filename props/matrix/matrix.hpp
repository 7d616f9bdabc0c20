#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/judging/check.hpp"
#include "props/judging/property.hpp"
#include "props/models/position_model.hpp"
#include "reference/json/json.hpp"

namespace vernier {

struct Scheme;

/// One choice of a scheme's parameters.
struct MatrixMember {
  std::string name;  ///< "d_model 8", empty for the only one
  std::function<std::unique_ptr<PositionModel>()> make;
  std::string spec = {};  ///< that it is made of
};

/// The member of a text as rows.json has it: its spec, and what the model has beside that: vectors of a query
/// and of a key, a bilinear form, a vector that rows are read with, a step of exponents in place of the
/// spec's own (the fault of taking the column's index where the formula has the pair's), whether values are
/// trained, whether keys ahead are masked. \pre a model sees something of the encoding
MatrixMember member_of(const OrderedJson& text);

/// A row of the matrix: a scheme, stood for by some of its members.
struct MatrixRow {
  std::string_view id;    ///< "sinusoidal"
  std::string_view name;  ///< "Sinusoid of the paper, sine first"
  std::vector<MatrixMember> members;
};

/// The columns in order: the properties that models are judged by.
std::span<const Property* const> matrix_properties();

/// One cell, computed: yes if the statement is proved of every member and no search breaks it; no if every
/// member breaks it; conditional if some do, or if a weaker statement holds.
struct MatrixCell {
  Answer answer = Answer::undecided;
  Method method = Method::exact;
  std::string told;  ///< the proof, or the shrunk counterexample, and of which members
};

/// What a property's search and the member's justification say together: a proof that a search contradicts,
/// and a statement neither proved nor broken, leave the cell undecided. \pre the property has a judge of
/// models
MatrixCell decide(const Property& property, const MatrixMember& member, const CheckOptions& options);

/// The cell of a whole row.
MatrixCell decide(const Property& property, const MatrixRow& row, const CheckOptions& options);

/// The rows in order: those of rows.json, then example_rows().
std::span<const MatrixRow> matrix_rows();

/// A row for each of the schemes that none of the other rows stands for, of those of its examples that have
/// something to judge: a table of one position, values, buckets or biases.
std::vector<MatrixRow> example_rows(std::span<const Scheme> schemes, std::span<const MatrixRow> others);

/// A row with its cells, in the order of matrix_properties().
struct ComputedRow {
  const MatrixRow* row;
  std::vector<MatrixCell> cells;
};

std::vector<ComputedRow> compute_matrix(const CheckOptions& options);

}  // namespace vernier
