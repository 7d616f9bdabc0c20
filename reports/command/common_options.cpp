#include "reports/command/common_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <random>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/tables/trig_table.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/nearest_names.hpp"
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

constexpr std::int64_t greatest_exponent = 62;

std::optional<std::int64_t> decimal(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> parsed_position(std::string_view text) {
  const bool negative = text.starts_with("-2^");
  if (!negative && !text.starts_with("2^")) {
    return decimal(text);
  }
  const auto exponent = decimal(text.substr(negative ? 3 : 2));
  if (!exponent || *exponent < 0 || *exponent > greatest_exponent) {
    return std::nullopt;
  }
  const auto power = std::int64_t{1} << *exponent;
  return negative ? -power : power;
}

std::vector<std::optional<std::int64_t>> numbers(std::string_view text) {
  std::vector<std::optional<std::int64_t>> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(':', begin), text.size());
    result.push_back(parsed_position(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

bool in_range(std::int64_t position) {
  return position >= -largest_position && position <= largest_position;
}

[[noreturn]] void refuse_positions(std::string_view text, std::string_view option,
                                   std::string_view expected) {
  throw InputError("{}: found \"{}\", expected {}", option, one_line(text), expected);
}

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

std::int64_t parse_position(std::string_view text, std::string_view option) {
  const auto position = parsed_position(text);
  if (!position || !in_range(*position)) {
    refuse_positions(text, option, "a position from -2^31 to 2^31, such as 4095 or 2^20");
  }
  return *position;
}

PositionRange parse_positions(std::string_view text, std::string_view option) {
  const auto parts = numbers(text);
  if (parts.size() < 2 || parts.size() > 3 || !parts[0] || !parts[1] || !parts.back()) {
    refuse_positions(text, option, "A:B or A:B:STEP, such as 0:4096 or 0:2^24:1000");
  }
  const auto first = *parts[0];
  const auto end = *parts[1];
  const auto step = parts.size() == 3 ? *parts[2] : 1;
  if (step == 0 || !in_range(first) || end < -largest_position - 1 || end > largest_position + 1 ||
      step > 2 * largest_position || step < -2 * largest_position) {
    refuse_positions(text, option, "positions from -2^31 to 2^31 and a step that is not 0");
  }
  const auto span = step > 0 ? end - first : first - end;
  const auto stride = step > 0 ? step : -step;
  const PositionRange range{first, step, (span + stride - 1) / stride};
  if (span <= 0) {
    refuse_positions(text, option, "at least one position (B is not included)");
  }
  return range;
}

std::optional<Quantization> read_quantization_option(const std::string& json) {
  if (json.empty()) {
    return std::nullopt;
  }
  const auto document = parse_json(json, "--quantization");
  return read_quantization(ObjectReader(document, "--quantization", ""));
}

const Recipe& read_recipe(const std::string& id) {
  const auto found = std::ranges::find(recipes(), id, &Recipe::id);
  if (found == recipes().end()) {
    throw InputError("--recipe: found \"{}\", expected one of {}", one_line(id),
                     joined(recipes(), &Recipe::id));
  }
  return *found;
}

std::uint64_t fresh_seed() {
  return std::random_device()();
}

void add_questions_options(ArgumentParser& command, QuestionsOption& option) {
  command.add("--seed", option.seed);
  command.add("--quick", option.quick);
}

QuestionOptions read_questions_option(const QuestionsOption& option, const std::string& dtype) {
  QuestionOptions result{.seed = option.seed, .quick = option.quick, .thorough = option.thorough};
  if (!dtype.empty()) {
    result.type = read_dtype(dtype);
  }
  if (!option.positions.empty()) {
    result.positions = parse_positions(option.positions, "--positions");
  }
  return result;
}

void add_long_work_option(ArgumentParser& command, LongWorkOption& option) {
  command.add("--threads", option.threads);
  command.add("--quiet", option.quiet);
}

}  // namespace vernier
