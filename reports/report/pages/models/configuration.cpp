#include "reports/report/pages/models/configuration.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <tuple>

#include <boost/algorithm/string.hpp>
#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/page_texts.hpp"

namespace vernier {
namespace {

bool is_alphabetic(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::ptrdiff_t capitals(const std::string& word) {
  return std::ranges::count_if(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool serves(const std::vector<FieldEntry>& entries, std::string_view recipe) {
  return !field_entry(entries, recipe, Format::binary32).first_unusable;
}

}  // namespace

std::vector<Configuration> configurations(const std::vector<FieldEncoding>& field) {
  std::vector<Configuration> all;
  std::map<std::string, std::string> families;  // by their words in small letters
  for (const auto& encoding : field) {
    for (const auto& model : encoding.models) {
      const auto& one = all.emplace_back(Configuration{&encoding, &model, {}, family_of(model)});
      auto& family = families[file_word(one.family)];
      family = family.empty() || capitals(one.family) > capitals(family) ? one.family : family;
    }
  }
  std::ranges::sort(all, {},
                    [](const Configuration& one) { return std::tie(one.model->id, one.model->layers); });
  // Models that differ in their names alone are told on one page, that of the first.
  const auto by_model = grouped(all, [](const Configuration& one) { return one.model->id; });
  const auto judged = [](const Configuration& one) {
    return std::tuple(one.model->layers, one.encoding, one.model->context);
  };
  std::map<decltype(mapped(all, judged)), std::string> pages;
  for (auto& one : all) {
    one.family = families.at(file_word(one.family));
    one.page =
        pages.emplace(mapped(by_model.at(one.model->id), judged), page_of(one.model->id)).first->second;
  }
  return all;
}

Need need_of(const std::vector<FieldEntry>& entries) {
  return serves(entries, usual_recipe)          ? Need::usual_table
         : serves(entries, best_float32_recipe) ? Need::exact_frequencies
         : serves(entries, wide_recipe)         ? Need::wide_phase
                                                : Need::unknown;
}

Need need_of(const FieldEncoding& encoding) {
  return need_of(encoding.entries);
}

std::int64_t with_need(const std::vector<Configuration>& all, Need need) {
  return std::ranges::count(all, need, [](const Configuration& one) { return need_of(*one.encoding); });
}

std::string_view text_of(Need need, const char* key) {
  return page_texts().at("needs").at(static_cast<std::size_t>(need)).at(key).get_ref<const std::string&>();
}

std::string_view text_of_need(const Configuration& configuration, const char* key) {
  const auto need = need_of(*configuration.encoding);
  return need == Need::usual_table && is_cut(configuration)
             ? page_texts().at("enough_so_far").at(key).get_ref<const std::string&>()
             : text_of(need, key);
}

std::string_view recipe_of(Need need) {
  static constexpr std::array recipes_of_needs{usual_recipe, best_float32_recipe, wide_recipe, wide_recipe};
  return recipes_of_needs[static_cast<std::size_t>(need)];
}

std::int64_t last_usable(const FieldEncoding& encoding, const FieldEntry& entry) {
  return entry.first_unusable.value_or(encoding.positions) - 1;
}

std::string reach_text(const FieldEncoding& encoding, const FieldEntry& entry) {
  return entry.first_unusable ? count_text(*entry.first_unusable) : "all " + count_text(encoding.positions);
}

bool is_cut(const Configuration& configuration) {
  return configuration.model->context > configuration.encoding->positions;
}

std::string name_of(const Configuration& configuration) {
  const auto& model = *configuration.model;
  return model.layers == "all" ? model.id : model.id + ", " + layers_of(model);
}

std::string layers_of(const FieldModel& model) {
  auto layers = model.layers;
  std::ranges::replace(layers, '_', ' ');
  return layers;
}

std::string family_of(const FieldModel& model) {
  const std::string word(model.id.begin(), std::ranges::find_if_not(model.id, is_alphabetic));
  // The publisher's spelling, where the model's name has the word: "Qwen/Qwen2-7B".
  const auto published = model.name.substr(model.name.find('/') + 1);
  const auto found = boost::algorithm::ifind_first(published, word);
  std::string family = found.empty() ? word : std::string(found.begin(), found.end());
  if (!family.empty() && boost::algorithm::to_lower_copy(family) == family) {
    family.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(family.front())));
  }
  return family;
}

std::string choice_of(const Configuration& configuration) {
  const auto& model = *configuration.model;
  return "--model " + model.id + (model.layers == "all" ? "" : " --layer " + model.layers);
}

std::string point_anchor(const Configuration& configuration) {
  return file_word(name_of(configuration));
}

std::string file_word(std::string_view text) {
  static const std::regex others("[^a-z0-9]+");
  const auto small = boost::algorithm::to_lower_copy(std::string(text));
  return boost::algorithm::trim_copy_if(std::regex_replace(small, others, "-"),
                                        boost::algorithm::is_any_of("-"));
}

std::string page_of(std::string_view model_id) {
  return "model-" + file_word(model_id) + ".html";
}

std::string finding_of(const Configuration& configuration) {
  const auto& encoding = *configuration.encoding;
  const auto& usual = field_entry(encoding, usual_recipe, Format::binary32);
  const auto context = count_text(configuration.model->context);
  if (usual.first_unusable) {
    return fmt::format("The usual float32 table is right at the first {} of {} positions.",
                       count_text(*usual.first_unusable), context);
  }
  if (is_cut(configuration)) {
    return fmt::format(
        "The usual float32 table is right at the first {} of {} positions, which were examined.",
        count_text(encoding.positions), context);
  }
  return fmt::format("The usual float32 table is right at all {} positions.", context);
}

}  // namespace vernier
