#pragma once

#include <memory>
#include <string>

#include "reference/encoding.hpp"

namespace CLI {
class App;
}

namespace vernier {

/// Which encoding a command is about.
struct SpecOption {
  std::string file;   ///< a spec, or a model's configuration
  std::string layer;  ///< which of its layers, where they differ: a number or a kind
};

/// Declares --spec and --layer. \param description what --spec is for, in the manual
void add_spec_option(CLI::App& command, SpecOption& option, const std::string& description, bool required);

/// The encoding that the option names. \throws InputError naming the file and the key
std::unique_ptr<Encoding> read_encoding(const SpecOption& option);

/// The same, of an encoding that has tables of sines and cosines. \throws InputError
std::unique_ptr<Encoding> read_table_encoding(const SpecOption& option);

}  // namespace vernier
