#include "numerics/diagnosis/damage/failing_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/core.h>

#include "reference/word_list.hpp"

namespace vernier {

std::string role_of(const Suspect& suspect, std::size_t tensor) {
  return suspect.vectors() != nullptr ? suspect.vectors()->role() : suspect.tables()[tensor].role;
}

std::string position_words(const Suspect& suspect, std::size_t row) {
  const auto* vectors = suspect.vectors();
  const bool has_copies = vectors != nullptr && !vectors->leading.empty();
  return fmt::format("row {}{} (position {})", row, has_copies ? " of all copies" : "",
                     suspect.encoding().positions().text(suspect.positions().front()[row]));
}

std::string some_of(const std::set<std::size_t>& numbers) {
  const auto first = *numbers.begin();
  const auto last = *numbers.rbegin();
  if (numbers.size() == 1) {
    return fmt::format("{}", first);
  }
  if (last - first + 1 == numbers.size()) {
    return fmt::format("{} to {}", first, last);
  }
  std::vector<std::string> words;
  for (const auto number : numbers) {
    if (words.size() == 3 && numbers.size() > 4) {
      return joined(words) + fmt::format(" and {} others", numbers.size() - 3);
    }
    words.push_back(fmt::format("{}", number));
  }
  return joined(words, " and ");
}

FailingTensor::FailingTensor(const Suspect& of, const Predictor& by, std::size_t index,
                             std::vector<const PredictedElement*> elements)
    : suspect(of), predictor(by), tensor(index), failing(std::move(elements)) {
  assert(!failing.empty());
  for (const auto* one : failing) {
    rows[one->row].push_back(one);
    columns[one->column].push_back(one);
  }
}

std::size_t FailingTensor::width() const {
  return suspect.width(tensor);
}

double FailingTensor::at(std::size_t row, std::size_t column) const {
  const auto index = row * width() + column;
  return suspect.vectors() != nullptr ? suspect.vectors()->rotated.number(index)
                                      : suspect.tables()[tensor].tensor->number(index);
}

std::set<std::size_t> FailingTensor::keys(const Lines& lines) {
  std::set<std::size_t> result;
  for (const auto& line : lines) {
    result.insert(line.first);
  }
  return result;
}

std::size_t a_few(std::size_t of) {
  return std::max<std::size_t>(4, of / 50);
}

void tell(Damage& damage, const FaultKind& kind, std::string sentence, double bits) {
  damage.findings.push_back({&kind, std::move(sentence)});
  damage.bits += bits;
}

void append(Damage from, Damage& to) {
  std::ranges::move(from.findings, std::back_inserter(to.findings));
  to.bits += from.bits;
}

bool explain(const FailingTensor& tensor, Damage& damage) {
  return explain_zeros(tensor, damage) || explain_elements(tensor, damage) ||
         explain_columns(tensor, damage) || explain_rows(tensor, damage) ||
         explain_beside_padding(tensor, damage);
}

}  // namespace vernier
