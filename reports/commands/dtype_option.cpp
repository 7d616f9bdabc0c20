#include "reports/commands/dtype_option.hpp"

#include <algorithm>
#include <array>

#include "reference/input_error.hpp"
#include "reports/nearest_names.hpp"

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
  std::vector<std::string> names;
  for (const auto& type : element_types()) {
    if (type.format) {
      names.emplace_back(type.name);
    }
  }
  return names;
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

}  // namespace vernier
