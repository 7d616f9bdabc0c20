#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/asking/questions.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/formats/tensor.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/support/threads.hpp"
#include "reports/command/argument_parser.hpp"

// What options of several commands take.

namespace vernier {

/// The floating-point types, by their names: what an option usually takes.
std::vector<std::string> stored_formats();

/// What integers an option takes besides.
enum class Integers { none, of_indices };

/// The type that --dtype names: "bfloat16", or as people write it "bf16". \param option what to call it in
/// errors \throws InputError for another word
ElementType read_dtype(const std::string& word, Integers integers = Integers::none,
                       std::string_view option = "--dtype");

/// What --quantization says; nothing where it is not given. \throws InputError for what is no quantization
std::optional<Quantization> read_quantization_option(const std::string& json);

/// The contract of sines and cosines that --contract names. \throws InputError for a word that names none
const Contract& read_contract(std::string_view id);

/// The recipe that --recipe names. \throws InputError for a word that names none
const Recipe& read_recipe(const std::string& id);

/// The format that an option of an element type names; `otherwise` where it is not given. \throws InputError
Format read_format(const std::string& word, Format otherwise, std::string_view option = "--dtype");

/// Writes a document where --json asks for one, and the text unless the document goes to standard output.
void write_findings(const std::string& json, const std::string& document, const std::string& text,
                    std::ostream& out);

/// A seed that nobody knows beforehand, short enough to be typed.
std::uint64_t fresh_seed();

/// The questions that an implementation is asked, with what --positions and --dtype say; empty: as they are.
/// \throws InputError for positions or a type that there are not
QuestionOptions with_asked(QuestionOptions questions, const std::string& positions, const std::string& dtype);

/// How work is done that takes long and whose result does not depend on it.
struct LongWorkOption {
  ArgumentParser& command;
  const unsigned& threads = command.given<unsigned>("--threads", available_threads());
  const bool& quiet = command.given<bool>("--quiet");  ///< no progress
};

}  // namespace vernier
