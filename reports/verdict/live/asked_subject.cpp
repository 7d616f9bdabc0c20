#include "reports/verdict/live/asked_subject.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <unordered_set>

#include "numerics/processes/rows.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reports/verdict/live/case_of_answers.hpp"

namespace vernier {
namespace {

/// Of a question for another type, or another width.
constexpr std::size_t rows_of_a_look = 64;
/// Wrong rows of a table that are told from right ones beside them: each takes a judgement of its own.
constexpr std::size_t most_told_apart = 128;
constexpr std::array other_types{ElementType::float16, ElementType::bfloat16, ElementType::float32,
                                 ElementType::float64};

bool is_wider(ElementType type, ElementType than) {
  return traits(*traits(type).format).precision > traits(*traits(than).format).precision;
}

/// Appends a row of an answer, counted over all that is in front of rows.
void append_row(const WantedTensor& wanted, const Tensor& tensor, std::size_t row,
                std::vector<std::byte>& bytes) {
  if (wanted.role == "bias") {
    const auto part = with_places(tensor, *row_dimension(wanted), std::span(&row, 1));
    bytes.insert(bytes.end(), part.bytes().begin(), part.bytes().end());
    return;
  }
  const auto width = (wanted.role == "buckets" ? 1 : tensor.shape().back()) * traits(tensor.type()).bytes;
  const auto part = tensor.bytes().subspan(row * width, width);
  bytes.insert(bytes.end(), part.begin(), part.end());
}

/// The same of all tensors of a request.
void append_rows(const Request& request, const Response& response, std::size_t row,
                 std::vector<std::byte>& bytes) {
  for (const auto& wanted : request.wanted) {
    append_row(wanted, response.tensors.find(wanted.role)->second, row, bytes);
  }
}

std::vector<std::byte> bytes_of(const Request& request, const Response& response, std::size_t row) {
  std::vector<std::byte> bytes;
  append_rows(request, response, row, bytes);
  return bytes;
}

bool are_same(std::span<const std::byte> one, std::span<const std::byte> other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace

void VectorTally::add(const VectorTally& more) {
  same += more.same;
  other += more.other;
  fresh += more.fresh;
  untold += more.untold;
  greatest_budget_ratio = std::max(greatest_budget_ratio, more.greatest_budget_ratio);
}

std::size_t AskedSubject::KeyHash::operator()(const Key& key) const {
  return mixed(mixed(static_cast<std::uint64_t>(key.position) * 4 + static_cast<std::uint64_t>(key.type)) +
               key.source);
}

AskedSubject::AskedSubject(LiveSession& session, const Asked& main, const Case& judged, bool is_wrong)
    : session_(session),
      main_(main),
      judged_(judged),
      is_wrong_(is_wrong),
      vectors_(vernier::rows_stand_alone(main.request) && main.request.input
                   ? rotated_vectors(judged, main.request)
                   : nullptr),
      questions_(session, main, vectors_),
      has_budgets_(have_budgets(judged, main.request)),
      main_rows_(questions_.positions().size()) {
  const auto main_type = questions_.main_type();
  const auto format = traits(main_type).format;
  const bool is_costly = session.implementation().costs_a_process();
  // A number of 16 bits that is rounded to another format of 16 bits is rounded twice.
  if (!questions_.is_plain() || is_costly || !format || !is_wider(main_type, ElementType::float16)) {
    return;
  }
  for (const auto type : other_types) {
    if (type != main_type && case_of(type) != nullptr) {
      questions_.add_type(type);
    } else if (type != main_type && cases_[type].is_declined) {
      questions_.add_declined(type);
    }
  }
}

/// Null where the implementation does not take the type. A contract that was chosen holds for each type.
/// Answers in a wider type than the main one are judged as those: a table in float32 may be stored in
/// float64.
const Case* AskedSubject::case_of(ElementType type) {
  const auto main_type = questions_.main_type();
  if (type == main_type) {
    return &judged_;
  }
  const auto known = cases_.find(type);
  if (known == cases_.end()) {
    const auto rows = consecutive_rows(std::min(rows_of_a_look, rows_of(main_.request)));
    const auto request = in_type(with_rows(main_.request, rows), type);
    Asked asked{main_.roles, request, session_.ask(request)};
    auto contract = contract_of(judged_, asked.request);
    if (contract == default_contract(*traits(main_type).format).id) {
      contract.reset();
    }
    auto& result = cases_[type];
    result.is_taken = asked.answered();
    result.is_declined = asked.response.status == ResponseStatus::unsupported;
    if (asked.answered() && !is_wider(type, main_type)) {
      result.own = case_of_answers(session_, {&asked, 1}, contract);
      result.is_taken = result.own.has_value();
    }
    return case_of(type);
  }
  const auto& [is_taken, is_declined, own] = known->second;
  return !is_taken ? nullptr : own ? &*own : &judged_;
}

Marked AskedSubject::main_marks() {
  if (!is_wrong_) {
    return {.was_answered = true};
  }
  AnsweredPoint told;
  const auto point = questions_.main_points().back();
  auto marked = mark({point, main_.request, main_.response, questions_.sources_of(point)}, told);
  is_wrong_ = !marked.wrong.empty();
  return marked;
}

std::optional<AnsweredPoint> AskedSubject::first_answer() {
  if (!main_.first_rows || !main_.first_rows->tensors.contains(main_.request.wanted.front().role)) {
    return std::nullopt;
  }
  AnsweredPoint told{*main_.first_rows};
  const auto point = questions_.main_points().front();
  const auto request = questions_.request_for(point);
  told.marked = mark({point, request, told.response, questions_.sources_of(point)}, told);
  return told;
}

AnsweredRows AskedSubject::rows_of_answer(const Answer& answer, std::span<const std::size_t> indices) const {
  if (!questions_.is_plain()) {
    return answered_rows(answer.request, answer.response, indices);
  }
  AnsweredRows rows{mapped(indices, [&](std::size_t index) { return answer.sources.position(index); }), {}};
  const auto gathered = [&](const Tensor& tensor, ElementType of) {
    std::vector<std::byte> bytes;
    for (const auto index : indices) {
      const auto row = judged_row(answer, tensor, of, index);
      bytes.insert(bytes.end(), row.begin(), row.end());
    }
    return Tensor(is_judged_as_main(answer) ? of : tensor.type(), {indices.size(), tensor.shape().back()},
                  std::move(bytes));
  };
  for (const auto& wanted : answer.request.wanted) {
    rows.tensors.emplace(wanted.role,
                         gathered(answer.response.tensors.find(wanted.role)->second, questions_.main_type()));
  }
  if (answer.request.input) {
    rows.input = gathered(*answer.request.input, main_.request.input->type());
  }
  return rows;
}

bool AskedSubject::is_judged_as_main(const Answer& answer) const {
  return is_wider(answer.point.type, questions_.main_type());
}

/// A row as it is judged: of an answer in a wider type than the main one, in that. \param of what the tensor
/// is of the main question
std::vector<std::byte> AskedSubject::judged_row(const Answer& answer, const Tensor& tensor, ElementType of,
                                                std::size_t row) const {
  const auto bytes = row_bytes(tensor, row);
  std::vector<std::byte> result(bytes.begin(), bytes.end());
  if (!is_judged_as_main(answer)) {
    return result;
  }
  const auto part = in_type(Tensor(tensor.type(), {tensor.shape().back()}, std::move(result)), of);
  return {part.bytes().begin(), part.bytes().end()};
}

/// The same of vectors, one at a time.
void AskedSubject::judge_vectors(const Answer& answer, std::span<const std::size_t> suspects,
                                 AnsweredPoint& told, std::vector<WrongVector>& wrong) {
  const auto& [point, request, response, sources] = answer;
  const auto& judged = *case_of(point.type);
  const auto& vectors = *rotated_vectors(judged, request);
  auto& judge = judges_[point.type];
  if (!judge) {
    judge = std::make_unique<VectorJudge>(vectors);
  }
  const auto& map = judged.encoding->positions_along(0);
  const auto& tensor = response.tensors.begin()->second;
  for (const auto i : suspects) {
    const auto position = sources.position(i);
    auto input = judged_row(answer, *request.input, main_.request.input->type(), i);
    auto rotated = judged_row(answer, tensor, questions_.main_type(), i);
    if (const auto spoilt = spoilt_at(vectors, point, i)) {
      blank(*spoilt, input.size() / vectors.head_dim(), input);
      blank(*spoilt, rotated.size() / vectors.head_dim(), rotated);
    }
    const auto findings = judge->judge(map.is_plain() ? position : map.place(position), input, rotated);
    const auto& elements = findings.parts.front().elements;
    const auto& changed = findings.parts.front().changed;
    const auto ratio = elements.worst ? elements.worst->budget_ratio : 0;
    told.tally.untold += elements.judged == 0 ? 1 : 0;
    if (elements.failing == 0 && (!findings.norms || findings.norms->failing == 0) && changed.count == 0) {
      told.tally.greatest_budget_ratio = std::max(told.tally.greatest_budget_ratio, ratio);
      continue;
    }
    if (!told.wrong) {
      const auto& first = elements.first_failing;
      told.wrong =
          WrongElement{std::string(vectors.role()), i, first ? first->index : changed.first.value_or(0),
                       first ? first->budget_ratio : infinity};
    }
    wrong.push_back({i, elements.failing == 0 || point.not_finite != NotFinite::none
                            ? std::vector<bool>()
                            : judge->failing_pairs()});
  }
}

/// Appends which of the suspects are wrong: parts of them, as long as one of a part is.
void AskedSubject::judge(const Answer& answer, std::span<const std::size_t> suspects, AnsweredPoint& told,
                         std::vector<WrongVector>& wrong) {
  if (suspects.empty()) {
    return;
  }
  if (has_vectors()) {
    return judge_vectors(answer, suspects, told, wrong);
  }
  const auto found = judge_rows(*case_of(answer.point.type), rows_of_answer(answer, suspects));
  if (!found.wrong) {
    told.tally.untold += found.judged == 0 ? suspects.size() : 0;
    told.tally.greatest_budget_ratio =
        std::max(told.tally.greatest_budget_ratio, found.greatest_budget_ratio);
    return;
  }
  if (!told.wrong) {
    told.wrong = found.wrong;
    told.wrong->row = suspects[found.wrong->row];
  }
  if (suspects.size() == 1 || wrong.size() >= most_told_apart) {
    std::ranges::transform(suspects, std::back_inserter(wrong), [](std::size_t i) { return WrongVector{i}; });
    return;
  }
  const auto half = suspects.size() / 2;
  judge(answer, suspects.first(half), told, wrong);
  judge(answer, suspects.subspan(half), told, wrong);
}

/// The answer that a vector must have in a type, by one that was judged; empty where there is none yet.
std::span<const std::byte> AskedSubject::known_answer(const Answer& answer, std::size_t index,
                                                      ElementType type) {
  const auto& sources = answer.sources;
  if (type == questions_.main_type() && !is_wrong_ && sources.is_own_row(index) &&
      (!has_vectors() || sources.is_of_main(index))) {
    auto& row = main_rows_[sources.own_row(index)];
    if (row.empty()) {
      row = bytes_of(main_.request, main_.response, sources.own_row(index));
    }
    return row;
  }
  const auto known = known_.find(key_of(answer, index, type));
  return known == known_.end() ? std::span<const std::byte>() : known->second;
}

/// What is known of a vector of an answer: whether it is right or wrong, or must be judged.
AskedSubject::Standing AskedSubject::standing_of(const Answer& answer, std::size_t index) {
  row_.clear();
  append_rows(answer.request, answer.response, index, row_);
  const auto known = known_answer(answer, index, answer.point.type);
  bool is_same = are_same(row_, known);
  // Of a wider type that is judged as the main one, the same numbers are right.
  const auto main_type = questions_.main_type();
  if (known.empty() && has_vectors() && is_judged_as_main(answer) &&
      are_same(judged_row(answer, answer.response.tensors.begin()->second, main_type, index),
               known_answer(answer, index, main_type))) {
    known_.emplace(key_of(answer, index, answer.point.type), row_);
    return Standing::same;
  }
  if (const auto spoilt = vectors_ != nullptr ? spoilt_at(*vectors_, answer.point, index) : std::nullopt) {
    // A position that turns nothing may be passed over.
    const bool turns = answer.sources.position(index) != 0;
    if (!passes_on(*spoilt, answer.point.not_finite, answer.response.tensors.begin()->second, index, turns)) {
      return Standing::wrong;
    }
    std::vector<std::byte> others(known.begin(), known.end());
    for (auto* row : {&row_, &others}) {
      if (!row->empty()) {
        blank(*spoilt, row->size() / vectors_->head_dim(), *row);
      }
    }
    is_same = row_ == others;
  }
  return known.empty()                               ? Standing::unknown
         : is_same                                   ? Standing::same
         : session_.requires_bits() || !has_budgets_ ? Standing::wrong
                                                     : Standing::other;
}

Marked AskedSubject::mark(const Answer& answer, AnsweredPoint& told) {
  Marked marked{.was_answered = true};
  auto left = consecutive_rows(answer.point.count());
  // Of rows that are asked for several times, one is judged first, and tells the others.
  for (const bool is_first_round : {true, false}) {
    std::vector<std::size_t> suspects;
    std::vector<std::size_t> repeated;
    std::unordered_set<Key, KeyHash> met;
    std::uint64_t other = 0;
    for (const auto i : left) {
      const auto standing = standing_of(answer, i);
      told.tally.same += standing == Standing::same ? 1 : 0;
      other += standing == Standing::other ? 1 : 0;
      if (standing == Standing::wrong) {
        marked.wrong.push_back({i});
      } else if (standing == Standing::unknown && is_first_round &&
                 !met.insert(key_of(answer, i, answer.point.type)).second) {
        repeated.push_back(i);
      } else if (standing != Standing::same) {
        suspects.push_back(i);
      }
    }
    const auto before = marked.wrong.size();
    judge(answer, suspects, told, marked.wrong);
    const auto right = suspects.size() - (marked.wrong.size() - before);
    told.tally.other += std::min<std::uint64_t>(other, right);
    told.tally.fresh += right - std::min<std::uint64_t>(other, right);
    keep_right_ones(answer, suspects, std::span(marked.wrong).subspan(before));
    left = std::move(repeated);
  }
  std::ranges::sort(marked.wrong, {}, &WrongVector::index);
  return marked;
}

/// \param wrong those of the suspects that are not to be kept, in their order
void AskedSubject::keep_right_ones(const Answer& answer, std::span<const std::size_t> suspects,
                                   std::span<const WrongVector> wrong) {
  auto next = wrong.begin();
  for (const auto i : suspects) {
    if (next != wrong.end() && next->index == i) {
      ++next;
    } else if (vectors_ == nullptr || !spoilt_at(*vectors_, answer.point, i)) {
      known_.try_emplace(key_of(answer, i, answer.point.type), bytes_of(answer.request, answer.response, i));
    }
  }
}

AnsweredPoint AskedSubject::ask(const QuestionPoint& point) {
  assert((point.rank > 0 || point.heads == 1) && (point.rank > 1 || point.batches == 1));
  const auto request = questions_.request_for(point);
  AnsweredPoint told{session_.ask(request)};
  // A type that is declined cannot be judged where it is answered all the same.
  if (!told.response.is_answered() || case_of(point.type) == nullptr) {
    return told;
  }
  told.marked = mark({point, request, told.response, questions_.sources_of(point)}, told);
  if (!told.marked.wrong.empty() && point.type == questions_.main_type() && !is_wrong_) {
    told.rule = rule_of_held_rows(main_.request, main_.response, request, told.response);
  }
  return told;
}

AskedSubjects::AskedSubjects(LiveSession& session) {
  // Subjects are added to no longer once they are referred to.
  for (const auto& asked : session.asked()) {
    if (!asked.answered() || !rows_stand_alone(session, asked)) {
      continue;
    }
    const bool is_wrong = std::ranges::any_of(asked.request.wanted,
                                              [&](const auto& one) { return session.is_wrong(one.role); });
    subjects_.emplace_back(session, asked, *session.judged_case(), is_wrong);
  }
  for (const auto& request : other_widths(session)) {
    auto asked = std::make_unique<Asked>(Asked{roles_of(request), request, session.ask(request)});
    if (!asked->answered()) {
      continue;
    }
    if (auto judged =
            case_of_answers(session, {asked.get(), 1}, contract_of(*session.judged_case(), request))) {
      others_.push_back(std::move(asked));
      cases_.push_back(std::make_unique<Case>(*std::move(judged)));
      subjects_.emplace_back(session, *others_.back(), *cases_.back(), true);
    }
  }
}

}  // namespace vernier
