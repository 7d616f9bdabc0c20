#pragma once

#include <memory>
#include <string>

#include "reference/configs/understood_config.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// What the parts of a choice of an encoding are called where it is made, for errors.
struct ChoiceWords {
  std::string model = "--model";
  std::string layer = "--layer";
};

/// The encoding of a model of the catalogue. \param id the catalogue's, or what its publishers call the
/// model, as in "meta-llama/Llama-3.1-8B" \param layer which of its layers, where they differ; else empty
/// \throws InputError for an id the catalogue has not, naming the nearest it has; for a model without a spec;
/// and for layers the model has not, or none where its layers differ
std::unique_ptr<Encoding> model_encoding(const std::string& id, const std::string& layer,
                                         const ChoiceWords& words = {});

/// What a model's layers are, as from its config.json, for an id as above. \throws InputError for an id the
/// catalogue has not
UnderstoodConfig catalogued_config(const std::string& id, const ChoiceWords& words = {});

}  // namespace vernier
