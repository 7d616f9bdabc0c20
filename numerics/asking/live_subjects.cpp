#include "numerics/asking/live_subjects.hpp"

#include <algorithm>
#include <cassert>

#include "numerics/processes/rows.hpp"
#include "numerics/recipes/recipe.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/mapped.hpp"

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

LiveAnswers::LiveAnswers(LiveImplementation& implementation, OrderedJson spec, ElementType type,
                         std::vector<AskedRole> roles)
    : implementation_(implementation), spec_(std::move(spec)), type_(type), roles_(std::move(roles)) {
  assert(traits(type).format && !roles_.empty());
}

const std::vector<double>* LiveAnswers::find(std::int64_t position, std::span<const double> input) {
  Question question{position, {input.begin(), input.end()}};
  auto found = answers_.find(question);
  if (found == answers_.end() && requests_left_ > 0 && !failure_) {
    --requests_left_;
    ask(std::span(&question, 1));
    found = answers_.find(question);
  }
  if (found != answers_.end()) {
    return &found->second;
  }
  ++unanswered_;
  if (!failure_) {
    collected_.insert(std::move(question));
  }
  return nullptr;
}

bool LiveAnswers::ask_collected() {
  if (collected_.empty() || failure_) {
    return false;
  }
  const std::vector<Question> questions(collected_.begin(), collected_.end());
  collected_.clear();
  ask(questions);
  return true;
}

Request LiveAnswers::request_for(std::span<const Question> questions) const {
  std::vector<std::int64_t> positions;
  std::vector<double> inputs;
  for (const auto& [position, input] : questions) {
    positions.push_back(position);
    inputs.insert(inputs.end(), input.begin(), input.end());
  }
  Request request{spec_, integer_tensor({positions.size()}, positions), std::nullopt, {}};
  request.wanted = mapped(roles_, [&](const AskedRole& asked) -> WantedTensor {
    return {asked.role, type_, {questions.size(), asked.width}};
  });
  if (!inputs.empty()) {
    request.input = number_tensor(type_, {questions.size(), inputs.size() / questions.size()}, inputs);
  }
  return request;
}

void LiveAnswers::ask(std::span<const Question> questions) {
  ++requests_;
  const auto request = request_for(questions);
  auto response = implementation_.ask(request);
  if (response.status != ResponseStatus::answered) {
    failure_ = std::move(response);
    return;
  }
  for (std::size_t row = 0; row < questions.size(); ++row) {
    std::vector<double> answer;
    for (const auto& [role, width] : roles_) {
      const auto found = response.tensors.find(role);
      assert(found != response.tensors.end() && found->second.elements() == questions.size() * width);
      const auto begin = answer.size();
      answer.resize(begin + width);
      found->second.numbers(row * width, std::span(answer).subspan(begin));
    }
    answers_.emplace(questions[row], std::move(answer));
  }
}

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
  const PhaseRule products(Format::binary64, {Format::binary64, std::move(frequencies)}, false);
  return std::make_unique<RecipeTable>(honest_recipe(), products, table, stored);
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
    const auto dimension = spec_.dimensions(static_cast<int>(pair)).first - spec_.rotary_offset;
    result[pair] = row[static_cast<std::size_t>(dimension)];
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
