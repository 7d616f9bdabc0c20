#include "numerics/implementations/live_answers.hpp"

#include <algorithm>
#include <cassert>

#include "numerics/implementations/number_tensor.hpp"
#include "numerics/implementations/rows.hpp"

namespace vernier {

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
  for (const auto& [role, width] : roles_) {
    request.wanted.push_back({role, type_, {questions.size(), width}});
  }
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

}  // namespace vernier
