#pragma once

#include <memory>
#include <string>

#include "reference/schemes/encoding.hpp"
#include "reports/command/argument_parser.hpp"

namespace vernier {

/// Which encoding a command is about.
struct SpecOption {
  std::string file;   ///< --spec: a spec, or a model's configuration
  std::string model;  ///< --model: an id of the catalogue, in place of a file
  std::string layer;  ///< --layer: which of a model's layers, where they differ: a number or a kind
  /// --sequence-length: in place of the spec's, where frequencies depend on it; 0: as the spec has it
  int sequence_length = 0;
  std::string model_option = "--model";  ///< what took the model, for errors

  bool given() const { return !file.empty() || !model.empty(); }
  /// What to call the encoding in errors: the file, or "--model llama-3.1-8b".
  std::string source() const { return model.empty() ? file : model_option + " " + model; }
  /// What to call it in headings: the file's name without its extension, or the model's id.
  std::string name() const;
};

/// Declares --spec, and what add_model_options() declares.
void add_spec_option(ArgumentParser& command, SpecOption& option);

/// Declares --model, --layer and --sequence-length.
void add_model_options(ArgumentParser& command, SpecOption& option);

/// The encoding that the option names. \param command its name, for the sentence where neither or both of
/// --spec and --model are given \throws InputError naming the file and the key
std::unique_ptr<Encoding> read_encoding(const std::string& command, const SpecOption& option);

/// The same, of an encoding that has tables of sines and cosines. \throws InputError
std::unique_ptr<Encoding> read_table_encoding(const std::string& command, const SpecOption& option);

}  // namespace vernier
