#include "reports/command/common_options.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "numerics/tolerances/frequency_order.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct Synonym {
  std::string_view word;
  ElementType type;
};

constexpr std::array synonyms{
    Synonym{"bf16", ElementType::bfloat16}, Synonym{"f16", ElementType::float16},
    Synonym{"fp16", ElementType::float16},  Synonym{"half", ElementType::float16},
    Synonym{"f32", ElementType::float32},   Synonym{"fp32", ElementType::float32},
    Synonym{"float", ElementType::float32}, Synonym{"f64", ElementType::float64},
    Synonym{"fp64", ElementType::float64},  Synonym{"double", ElementType::float64}};

}  // namespace

std::vector<std::string> stored_formats() {
  return names_of(filtered(element_types(), &ElementTraits::format), &ElementTraits::name);
}

ElementType read_dtype(const std::string& word, Integers integers, std::string_view option) {
  if (const auto* const found = std::ranges::find(synonyms, word, &Synonym::word); found != synonyms.end()) {
    return found->type;
  }
  auto names = stored_formats();
  if (integers == Integers::of_indices) {
    names.insert(names.end(), {"int32", "int64"});
  }
  if (std::ranges::find(names, word) == names.end()) {
    throw InputError("{}: {}", option, not_among(word, names));
  }
  return *element_type_named(word);
}

std::optional<Quantization> read_quantization_option(const std::string& json) {
  if (json.empty()) {
    return std::nullopt;
  }
  const auto document = parse_json(json, "--quantization");
  return read_quantization(ObjectReader(document, "--quantization", ""));
}

const Contract& read_contract(std::string_view id) {
  const auto* contract = contract_named(id);
  refuse_if(contract == nullptr || contract->of_sines == nullptr,
            "--contract: found \"{}\", expected one of sines and cosines that `vernier list contracts` names",
            one_line(std::string(id)));
  return *contract;
}

const Recipe& read_recipe(const std::string& id) {
  const auto found = std::ranges::find(every_recipe(), id, &Recipe::id);
  refuse_if(found == every_recipe().end(), "--recipe: found \"{}\", expected one of {}, {}", one_line(id),
            joined(recipes(), &Recipe::id), "or an order of operations such as float32:exp2");
  return *found;
}

Format read_format(const std::string& word, Format otherwise, std::string_view option) {
  return word.empty() ? otherwise : *traits(read_dtype(word, Integers::none, option)).format;
}

void write_findings(const std::string& json, const std::string& document, const std::string& text,
                    std::ostream& out) {
  if (!json.empty()) {
    write_file(json, document, out);
  }
  if (json != standard_output) {
    out << text;
  }
}

std::uint64_t fresh_seed() {
  return std::random_device()();
}

QuestionOptions with_asked(QuestionOptions questions, const std::string& positions,
                           const std::string& dtype) {
  if (!dtype.empty()) {
    questions.type = read_dtype(dtype);
  }
  if (!positions.empty()) {
    questions.positions = parse_positions(positions, "--positions");
  }
  return questions;
}

}  // namespace vernier
