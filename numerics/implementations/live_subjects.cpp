#include "numerics/implementations/live_subjects.hpp"

#include <algorithm>
#include <cassert>

#include "numerics/recipes/recipe.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

Format format_of(const LiveAnswers& answers) {
  return *traits(answers.type()).format;
}

TrigTable without_padding(TrigTable table) {
  table.zero_position.reset();
  return table;
}

}  // namespace

const Recipe& honest_recipe() {
  const auto found = std::ranges::find(recipes(), "float64-pow", &Recipe::id);
  assert(found != recipes().end());
  return *found;
}

std::unique_ptr<TableUnderTest> honest_table(const TrigTable& table, Format stored) {
  std::vector<double> frequencies;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    frequencies.push_back(tight_enclosure([&] { return table.frequencies.at(pair); }).approximately());
  }
  return std::make_unique<RecipeTable>(
      honest_recipe(), std::make_shared<ProductPhases>(Format::binary64, std::move(frequencies)), table,
      stored);
}

LiveTable::LiveTable(std::shared_ptr<LiveAnswers> answers, const TrigTable& table)
    : answers_(std::move(answers)),
      zero_position_(table.zero_position),
      stand_in_(honest_table(without_padding(table), format_of(*answers_))) {}

void LiveTable::row(std::int64_t position, std::span<double> out) const {
  const auto* answer = position == zero_position_ ? nullptr : answers_->find(position);
  if (answer == nullptr) {
    stand_in_->row(position, out);
  } else {
    std::ranges::copy(*answer, out.begin());
  }
}

std::vector<AskedRole> LiveRotation::roles(const RopeSpec& spec, Means means, std::size_t width) {
  const auto head_dim = static_cast<std::size_t>(spec.head_dim);
  switch (means) {
    case Means::rotated:
      return {{"rotated", head_dim}};
    case Means::gradient:
    case Means::both:
      return {{"rotated", head_dim}, {"input_gradient", head_dim}};
    case Means::tables:
      break;
  }
  return {{"cos", width}, {"sin", width}};
}

LiveRotation::LiveRotation(std::shared_ptr<LiveAnswers> answers, RopeSpec spec, Means means)
    : answers_(std::move(answers)),
      spec_(std::move(spec)),
      means_(means),
      stand_in_(std::make_unique<RecipeRotation>(honest_recipe(), spec_, format_of(*answers_))) {}

std::vector<double> LiveRotation::by_pair(std::span<const double> row) const {
  const auto pairs = static_cast<std::size_t>(spec_.pairs());
  std::vector<double> result(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(pairs));
  for (std::size_t pair = 0; pair < pairs && row.size() > pairs; ++pair) {
    result[pair] = row[static_cast<std::size_t>(spec_.dimensions(static_cast<int>(pair)).first)];
  }
  return result;
}

void LiveRotation::rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const {
  const auto* answer = means_ == Means::tables ? answers_->find(position) : answers_->find(position, x);
  if (answer == nullptr) {
    stand_in_->rotate(position, x, y);
  } else if (means_ != Means::tables) {
    const auto of_gradient = means_ == Means::gradient ? y.size() : 0;
    std::ranges::copy(std::span(*answer).subspan(of_gradient, y.size()), y.begin());
  } else {
    const auto width = answer->size() / 2;
    const auto cosine = by_pair(std::span(*answer).first(width));
    const auto sine = by_pair(std::span(*answer).last(width));
    spec_.rotate<double>(cosine, sine, x, y);
    std::ranges::transform(y, y.begin(), [&](double value) { return round_to(stored(), value); });
  }
}

}  // namespace vernier
