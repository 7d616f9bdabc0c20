#include "reports/live/asked_subject.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include <fmt/core.h>

#include "numerics/implementations/number_tensor.hpp"
#include "numerics/implementations/rows.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/live/answered_again.hpp"
#include "reports/live/case_of_answers.hpp"
#include "reports/live/held_rows.hpp"
#include "reports/live/spoilt_vectors.hpp"

namespace vernier {
namespace {

/// Vectors that a position comes with, so that heads and batches differ and few have to be judged by the
/// reference.
constexpr std::uint64_t vectors_of_position = 3;
/// Positions that questions draw from, as few as are met often: of the main answer, and beside multiples of
/// powers of two, where pages and tables begin.
constexpr std::size_t pooled_rows = 512;
constexpr std::size_t pooled_of_a_power = 16;
constexpr int least_pooled_power = 4;
constexpr int greatest_pooled_power = 14;
/// The first rows of vectors are consecutive in the main answer, and judged there.
constexpr std::size_t first_run = 2048;
/// Rows of consecutive positions, most of which the reference judges: vectors take some 15 us each, and
/// tables a tenth of that.
constexpr std::size_t most_judged_block = 1024;
constexpr std::size_t most_judged_rows = 4096;
/// Of a question for another type, or another width.
constexpr std::size_t rows_of_a_look = 64;
/// Wrong rows of a table that are told from right ones beside them: each takes a judgement of its own.
constexpr std::size_t most_told_apart = 128;
constexpr std::array other_types{ElementType::float16, ElementType::bfloat16, ElementType::float32,
                                 ElementType::float64};

Tensor in_type(const Tensor& tensor, ElementType type) {
  std::vector<double> values(tensor.elements());
  tensor.numbers(0, values);
  std::ranges::transform(values, values.begin(),
                         [&](double value) { return round_to(*traits(type).format, value); });
  return number_tensor(type, tensor.shape(), values);
}

Request in_type(Request request, ElementType type) {
  for (auto& wanted : request.wanted) {
    wanted.type = type;
  }
  if (request.input && request.input->type() != type) {
    request.input = in_type(*request.input, type);
  }
  return request;
}

bool is_wider(ElementType type, ElementType than) {
  return traits(*traits(type).format).precision > traits(*traits(than).format).precision;
}

Response in_type(Response response, ElementType type) {
  for (auto& [role, tensor] : response.tensors) {
    tensor = in_type(tensor, type);
  }
  return response;
}

Request first_rows(const Request& request, std::size_t count) {
  std::vector<std::size_t> rows(std::min(count, rows_of(request)));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return with_rows(request, rows);
}

/// A row of an answer, counted over all that is in front of rows.
std::vector<std::byte> row_of(const WantedTensor& wanted, const Tensor& tensor, std::size_t row) {
  if (wanted.role == "bias") {
    const auto part = with_places(tensor, *row_dimension(wanted), std::span(&row, 1));
    return {part.bytes().begin(), part.bytes().end()};
  }
  const auto width = wanted.role == "buckets" ? 1 : tensor.shape().back();
  const auto bytes = width * traits(tensor.type()).bytes;
  const auto part = tensor.bytes().subspan(row * bytes, bytes);
  return {part.begin(), part.end()};
}

/// The same of all tensors of a request.
std::vector<std::byte> bytes_of(const Request& request, const Response& response, std::size_t row) {
  std::vector<std::byte> bytes;
  for (const auto& wanted : request.wanted) {
    const auto part = row_of(wanted, response.tensors.find(wanted.role)->second, row);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

const RotatedTensor* vectors_of(const Case& judged, const Request& request) {
  const auto& all = judged.tensors.all<RotatedTensor>();
  const auto found = std::ranges::find_if(all, [&](const RotatedTensor& vectors) {
    return vectors.role() == request.wanted.front().role && vectors.positions_by_axis.empty();
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

AskedSubject::AskedSubject(LiveSession& session, const Asked& main, const Case& judged, bool is_wrong)
    : session_(session),
      main_(main),
      judged_(judged),
      is_wrong_(is_wrong),
      is_plain_(vernier::rows_stand_alone(main.request)),
      vectors_(is_plain_ && main.request.input ? vectors_of(judged, main.request) : nullptr),
      has_budgets_(have_budgets(judged, main.request)),
      positions_(integers_of(main.request.positions)) {
  if (!is_plain_) {
    positions_.resize(rows_of(main.request));
    std::iota(positions_.begin(), positions_.end(), std::int64_t{0});
  }
  fill_pool();
  const auto main_type = main.request.wanted.front().type;
  types_ = {main_type};
  const auto format = traits(main_type).format;
  const bool is_costly = session.implementation().costs_a_process();
  // A number of 16 bits that is rounded to another format of 16 bits is rounded twice.
  if (is_plain_ && !is_costly && format && is_wider(main_type, ElementType::float16)) {
    for (const auto type : other_types) {
      if (type != main_type && case_of(type) != nullptr) {
        types_.push_back(type);
      }
    }
  }
}

void AskedSubject::fill_pool() {
  const auto rows = positions_.size();
  for (std::size_t row = 0; row < rows;
       row += row < pooled_rows / 4 ? 1 : std::max<std::size_t>(1, rows / pooled_rows)) {
    pool_.push_back(positions_[row]);
  }
  auto choice = session_.options().seed;
  for (int power = least_pooled_power; is_plain_ && power <= greatest_pooled_power; ++power) {
    const auto least = positions_.front() >> power;
    const auto count = (positions_.back() >> power) - least + 1;
    for (std::size_t i = 0; i < pooled_of_a_power; ++i) {
      choice = mixed(choice + i + 1);
      const auto times = least + static_cast<std::int64_t>(choice % static_cast<std::uint64_t>(count));
      const auto beside = static_cast<std::int64_t>(choice >> 32) % 3 - 1;
      const auto position = (times << power) + (i % 2 == 0 ? 0 : beside);
      const bool is_defined = std::ranges::all_of(session_.encoding().all<ExactTable>(),
                                                  [&](const auto& table) { return table.defined(position); });
      if (position >= positions_.front() && position <= positions_.back() && is_defined &&
          session_.can_ask_for(position)) {
        pool_.push_back(position);
      }
    }
  }
  std::ranges::sort(pool_);
  const auto repeated = std::ranges::unique(pool_);
  pool_.erase(repeated.begin(), repeated.end());
}

/// Null where the implementation does not take the type. A contract that was chosen holds for each type.
/// Answers in a wider type than the main one are judged as those: a table in float32 may be stored in
/// float64.
const Case* AskedSubject::case_of(ElementType type) {
  const auto main_type = main_.request.wanted.front().type;
  if (type == main_type) {
    return &judged_;
  }
  const auto known = cases_.find(type);
  if (known == cases_.end()) {
    const auto request = in_type(first_rows(main_.request, rows_of_a_look), type);
    Asked asked{main_.roles, request, session_.ask(request)};
    auto contract = contract_of(judged_, asked.request);
    if (contract == default_contract(*traits(main_type).format).id) {
      contract.reset();
    }
    auto& result = cases_[type];
    result.is_taken = asked.answered();
    if (asked.answered() && !is_wider(type, main_type)) {
      result.own = case_of_answers(session_, {&asked, 1}, contract);
      result.is_taken = result.own.has_value();
    }
    return case_of(type);
  }
  const auto& [is_taken, own] = known->second;
  return !is_taken ? nullptr : own ? &*own : &judged_;
}

DesignLimits AskedSubject::design_limits() const {
  const auto takes = session_.implementation().takes();
  DesignLimits limits;
  limits.start = positions_.front();
  limits.end = positions_.back();
  limits.pool = pool_;
  limits.has_vectors = has_vectors();
  limits.takes_heads = has_vectors();
  limits.takes_scattered = !takes.contiguous_only;
  limits.takes_own_positions =
      has_vectors() && takes.batched_positions && !session_.encoding().sequence_length();
  limits.takes_strides = is_plain_ && takes.strides;
  limits.takes_not_finite = has_vectors();
  limits.starts_afresh = session_.implementation().can_start_afresh();
  limits.keeps_process = !session_.implementation().costs_a_process() && !takes.one_length;
  limits.types = types_;
  limits.has_passing_dimensions = has_vectors() && !vectors_->rotation.passed_through().empty();
  const auto spec = session_.encoding().spec();
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  const auto original = scaling.find("original_max_position_embeddings");
  if (original != scaling.end() && original->is_number_integer() && is_plain_) {
    limits.edges.push_back(original->get<std::int64_t>());
  }
  const auto run = std::min(first_run, positions_.size());
  const bool is_run = positions_[run - 1] - positions_.front() == static_cast<std::int64_t>(run) - 1;
  limits.cheap_run = is_run ? run : 0;
  limits.most_consecutive = has_vectors() ? most_judged_block : most_judged_rows;
  return limits;
}

BoundaryLimits AskedSubject::boundary_limits() const {
  const auto design = design_limits();
  BoundaryLimits limits;
  static_cast<AskLimits&>(limits) = design;
  limits.starts_afresh = design.starts_afresh && design.keeps_process;
  return limits;
}

std::vector<QuestionPoint> AskedSubject::main_points() const {
  QuestionPoint point;
  point.rows = positions_.size();
  point.positions = positions_;
  point.type = types_.front();
  std::vector<QuestionPoint> points{point};
  if (main_.first_rows) {
    const auto rows = rows_of(main_.request);
    auto few = point;
    few.rows = std::min(first_rows_of(main_.request).size(), rows);
    few.positions.resize(few.rows);
    points.insert(points.begin(), std::move(few));
  }
  points.front().afresh = true;
  return points;
}

Marked AskedSubject::main_marks() {
  if (!is_wrong_) {
    return {.was_answered = true};
  }
  AnsweredPoint told;
  auto marked = mark(main_points().back(), main_.request, main_.response, told);
  is_wrong_ = !marked.wrong.empty();
  return marked;
}

std::optional<AnsweredPoint> AskedSubject::first_answer() {
  if (!main_.first_rows || !main_.first_rows->tensors.contains(main_.request.wanted.front().role)) {
    return std::nullopt;
  }
  AnsweredPoint told{*main_.first_rows};
  const auto point = main_points().front();
  told.marked = mark(point, request_for(point), told.response, told);
  return told;
}

std::size_t AskedSubject::own_row(std::int64_t position) const {
  const auto found = std::ranges::lower_bound(positions_, position);
  const bool is_there = found != positions_.end() && *found == position;
  return is_there ? static_cast<std::size_t>(found - positions_.begin())
                  : mixed(static_cast<std::uint64_t>(position)) % positions_.size();
}

std::size_t AskedSubject::source_of(const QuestionPoint& point, std::size_t index) const {
  const auto sequence = index / point.rows;
  const auto own = own_row(point.position(sequence / point.heads, index % point.rows));
  if (point.count() == point.rows) {
    return own;
  }
  const auto other = mixed(point.vectors * 0x9e3779b97f4a7c15 + sequence) % vectors_of_position;
  return (own + other * (positions_.size() / vectors_of_position + 1)) % positions_.size();
}

std::string AskedSubject::key_of(const QuestionPoint& point, std::size_t index) const {
  const auto position = point.position(index / point.rows / point.heads, index % point.rows);
  const std::array<std::int64_t, 3> key{
      static_cast<std::int64_t>(point.type), position,
      has_vectors() ? static_cast<std::int64_t>(source_of(point, index)) : 0};
  const auto bytes = std::as_bytes(std::span(key));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Request AskedSubject::request_for(const QuestionPoint& point) const {
  const auto& main = main_.request;
  if (!is_plain_) {
    return with_rows(main, std::vector<std::size_t>(point.positions.begin(), point.positions.end()));
  }
  auto shape = point.leading();
  shape.insert(shape.end(), {point.rows, main.wanted.front().shape.back()});
  Request request{main.spec,
                  integer_tensor(point.own_positions ? Shape{point.batches, point.rows} : Shape{point.rows},
                                 point.positions),
                  std::nullopt, main.wanted, point.apart ? std::size_t{7} : std::size_t{0}};
  for (auto& wanted : request.wanted) {
    shape.back() = wanted.shape.back();
    wanted.shape = shape;
    wanted.type = point.type;
  }
  if (!main.input) {
    return request;
  }
  std::vector<std::byte> input;
  for (std::size_t i = 0; i < point.count(); ++i) {
    const auto row = row_bytes(*main.input, source_of(point, i));
    input.insert(input.end(), row.begin(), row.end());
  }
  request.input = Tensor(main.input->type(), shape, std::move(input));
  if (point.type != types_.front()) {
    request = in_type(std::move(request), point.type);
  }
  if (point.not_finite != NotFinite::none) {
    std::vector<double> values(request.input->elements());
    request.input->numbers(0, values);
    for (std::size_t i = 0; i < point.count(); ++i) {
      if (const auto spoilt = spoilt_at(*vectors_, point, i)) {
        values[i * shape.back() + spoilt->first] = special_of(point.not_finite);
      }
    }
    request.input = number_tensor(request.input->type(), shape, values);
  }
  return request;
}

AnsweredRows AskedSubject::rows_of_answer(const QuestionPoint& point, const Request& request,
                                          const Response& response,
                                          std::span<const std::size_t> indices) const {
  AnsweredRows rows;
  if (is_plain_) {
    for (const auto index : indices) {
      rows.positions.push_back(point.position(index / point.rows / point.heads, index % point.rows));
    }
  } else {
    const auto part = with_rows(request, indices);
    const auto positions = integers_of(part.positions);
    rows.positions.assign(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(indices.size()));
    if (part.positions.shape().size() > 1) {
      for (std::size_t axis = 0; axis < positions.size(); axis += indices.size()) {
        rows.positions_by_axis.emplace_back(
            positions.begin() + static_cast<std::ptrdiff_t>(axis),
            positions.begin() + static_cast<std::ptrdiff_t>(axis + indices.size()));
      }
    }
  }
  const auto gathered = [&](const Tensor& tensor) {
    std::vector<std::byte> bytes;
    for (const auto index : indices) {
      const auto row = row_bytes(tensor, index);
      bytes.insert(bytes.end(), row.begin(), row.end());
    }
    return Tensor(tensor.type(), {indices.size(), tensor.shape().back()}, std::move(bytes));
  };
  for (const auto& wanted : request.wanted) {
    const auto& tensor = response.tensors.find(wanted.role)->second;
    rows.tensors.emplace(wanted.role,
                         is_plain_ ? gathered(tensor) : with_places(tensor, *row_dimension(wanted), indices));
  }
  if (request.input) {
    rows.input = gathered(*request.input);
  }
  return rows;
}

/// The same of vectors, one at a time.
void AskedSubject::judge_vectors(const QuestionPoint& point, const Request& request, const Response& response,
                                 std::span<const std::size_t> suspects, AnsweredPoint& told,
                                 std::vector<WrongVector>& wrong) {
  if (suspects.empty()) {
    return;
  }
  const auto& judged = *case_of(point.type);
  const auto& vectors = *vectors_of(judged, request);
  auto& judge = judges_[point.type];
  if (!judge) {
    judge = std::make_unique<VectorJudge>(vectors);
  }
  const auto& map = judged.encoding->positions_along(0);
  const auto& answer = response.tensors.begin()->second;
  for (const auto i : suspects) {
    const auto position = point.position(i / point.rows / point.heads, i % point.rows);
    auto input = row_of(request.wanted.front(), *request.input, i);
    auto rotated = row_of(request.wanted.front(), answer, i);
    if (const auto spoilt = spoilt_at(vectors, point, i)) {
      blank(*spoilt, input.size() / vectors.head_dim(), input);
      blank(*spoilt, rotated.size() / vectors.head_dim(), rotated);
    }
    const auto report = judge->judge(map.is_plain() ? position : map.place(position), input, rotated);
    const auto& elements = report.elements;
    const auto ratio = elements.worst ? elements.worst->budget_ratio : 0;
    told.untold += elements.judged == 0 ? 1 : 0;
    if (elements.failing == 0 && report.norms.failing == 0 && report.changed.count == 0) {
      told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, ratio);
      continue;
    }
    if (!told.wrong) {
      const auto& first = elements.first_failing;
      told.wrong = WrongElement{std::string(vectors.role()), i,
                                first ? first->index : report.changed.first.value_or(0),
                                first ? first->budget_ratio : infinity};
    }
    wrong.push_back({i, elements.failing == 0 || point.not_finite != NotFinite::none
                            ? std::vector<bool>()
                            : judge->failing_pairs()});
  }
}

/// Appends which of the suspects are wrong: parts of them, as long as one of a part is.
void AskedSubject::judge(const QuestionPoint& point, const Request& request, const Response& response,
                         std::span<const std::size_t> suspects, AnsweredPoint& told,
                         std::vector<WrongVector>& wrong) {
  if (suspects.empty()) {
    return;
  }
  if (has_vectors()) {
    return judge_vectors(point, request, response, suspects, told, wrong);
  }
  const auto found = judge_rows(*case_of(point.type), rows_of_answer(point, request, response, suspects));
  if (!found.wrong) {
    told.untold += found.judged == 0 ? suspects.size() : 0;
    told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, found.greatest_budget_ratio);
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
  judge(point, request, response, suspects.first(half), told, wrong);
  judge(point, request, response, suspects.subspan(half), told, wrong);
}

/// The answer that a vector must have, by one that was judged; nothing where there is none yet.
std::optional<std::vector<std::byte>> AskedSubject::known_answer(const QuestionPoint& point,
                                                                 std::size_t index) const {
  const auto position = point.position(index / point.rows / point.heads, index % point.rows);
  const auto own = own_row(position);
  const bool is_of_main = point.type == types_.front() && !is_wrong_ && positions_[own] == position &&
                          (!has_vectors() || source_of(point, index) == own);
  if (is_of_main) {
    return bytes_of(main_.request, main_.response, own);
  }
  const auto known = known_.find(key_of(point, index));
  return known == known_.end() ? std::nullopt : std::optional(known->second);
}

/// What is known of a vector of an answer: whether it is right or wrong, or must be judged.
AskedSubject::Standing AskedSubject::standing_of(const QuestionPoint& point, const Request& request,
                                                 const Response& response, std::size_t index) const {
  auto row = bytes_of(request, response, index);
  auto known = known_answer(point, index);
  if (const auto spoilt = vectors_ != nullptr ? spoilt_at(*vectors_, point, index) : std::nullopt) {
    // A position that turns nothing may be passed over.
    const bool turns = point.position(index / point.rows / point.heads, index % point.rows) != 0;
    if (!passes_on(*spoilt, point.not_finite, response.tensors.begin()->second, index, turns)) {
      return Standing::wrong;
    }
    blank(*spoilt, row.size() / vectors_->head_dim(), row);
    if (known) {
      blank(*spoilt, row.size() / vectors_->head_dim(), *known);
    }
  }
  return row == known                                ? Standing::same
         : !known                                    ? Standing::unknown
         : session_.requires_bits() || !has_budgets_ ? Standing::wrong
                                                     : Standing::other;
}

Marked AskedSubject::mark(const QuestionPoint& point, const Request& request, const Response& response,
                          AnsweredPoint& told) {
  Marked marked{.was_answered = true};
  std::vector<std::size_t> left(point.count());
  std::iota(left.begin(), left.end(), std::size_t{0});
  // Of rows that are asked for several times, one is judged first, and tells the others.
  for (const bool is_first_round : {true, false}) {
    std::vector<std::size_t> suspects;
    std::vector<std::size_t> repeated;
    std::unordered_set<std::string> met;
    std::uint64_t other = 0;
    for (const auto i : left) {
      const auto standing = standing_of(point, request, response, i);
      told.same += standing == Standing::same ? 1 : 0;
      other += standing == Standing::other ? 1 : 0;
      if (standing == Standing::wrong) {
        marked.wrong.push_back({i});
      } else if (standing == Standing::unknown && is_first_round && !met.insert(key_of(point, i)).second) {
        repeated.push_back(i);
      } else if (standing != Standing::same) {
        suspects.push_back(i);
      }
    }
    const auto before = marked.wrong.size();
    judge(point, request, response, suspects, told, marked.wrong);
    const auto right = suspects.size() - (marked.wrong.size() - before);
    told.other += std::min<std::uint64_t>(other, right);
    told.fresh += right - std::min<std::uint64_t>(other, right);
    keep_right_ones(point, request, response, suspects, std::span(marked.wrong).subspan(before));
    left = std::move(repeated);
  }
  std::ranges::sort(marked.wrong, {}, &WrongVector::index);
  return marked;
}

/// \param wrong those of the suspects that are not to be kept, in their order
void AskedSubject::keep_right_ones(const QuestionPoint& point, const Request& request,
                                   const Response& response, std::span<const std::size_t> suspects,
                                   std::span<const WrongVector> wrong) {
  auto next = wrong.begin();
  for (const auto i : suspects) {
    if (next != wrong.end() && next->index == i) {
      ++next;
    } else if (vectors_ == nullptr || !spoilt_at(*vectors_, point, i)) {
      known_.try_emplace(key_of(point, i), bytes_of(request, response, i));
    }
  }
}

AnsweredPoint AskedSubject::ask(const QuestionPoint& point) {
  assert((point.rank > 0 || point.heads == 1) && (point.rank > 1 || point.batches == 1));
  auto request = request_for(point);
  AnsweredPoint told{session_.ask(request)};
  if (told.response.status == ResponseStatus::answered && point.type != types_.front() &&
      is_wider(point.type, types_.front())) {
    told.response = in_type(std::move(told.response), types_.front());
    request = in_type(std::move(request), types_.front());
  }
  if (told.response.status == ResponseStatus::answered) {
    told.marked = mark(point, request, told.response, told);
    if (!told.marked.wrong.empty() && point.type == types_.front() && !is_wrong_) {
      told.rule = rule_of_held_rows(main_.request, main_.response, request, told.response);
    }
  }
  return told;
}

std::string AskedSubject::position_text(std::int64_t position) const {
  return is_plain_ ? session_.position_text(position)
                   : position_text_of_row(main_.request, static_cast<std::size_t>(position));
}

std::string AskedSubject::words_of(const QuestionPoint& point) const {
  auto shape = point.leading();
  shape.insert(shape.end(), {point.rows, main_.request.wanted.front().shape.back()});
  const auto [least, greatest] = std::ranges::minmax_element(point.positions);
  return fmt::format("{} in {}{} at {}", main_.roles, traits(point.type).name,
                     point.rank > 0 ? ", " + to_string(shape) + "," : "",
                     *least == *greatest ? "position " + position_text(*least)
                                         : fmt::format("{} positions from {} to {}", point.positions.size(),
                                                       position_text(*least), position_text(*greatest)));
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
