#pragma once

#include <string>
#include <vector>

#include "reference/schemes/encoding.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A rotation, and the configurations that turn by it.
struct NamedRotation {
  TrigTable table;  ///< its frequencies and amplitude; the columns do not matter
  std::string summary;
  std::vector<std::string>
      models;  ///< "llama-2-7b-hf"; "gemma-3-4b-it, sliding_attention" where layers differ
};

/// A configuration whose rotation no recipe computes, and why.
struct LeftOut {
  std::string model;
  std::string why;
};

struct CataloguedRotations {
  std::vector<NamedRotation> rotations;  ///< each once, in the order of their first models
  std::vector<LeftOut> left_out;
};

/// What recipes compute of an encoding: its rotation, or its tables of sines and cosines. \throws InputError
/// if there is nothing that they do
TrigTable table_of_recipes(const Encoding& encoding);

/// All rotations of the model catalogue.
CataloguedRotations catalogued_rotations();

}  // namespace vernier
