#include "reports/verdict/live/subject_questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "numerics/processes/rows.hpp"
#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

/// Vectors that a position comes with, so that heads and batches differ and few have to be judged by the
/// reference.
constexpr std::uint64_t vectors_of_position = 2;
/// Positions that questions draw from, as few as are met often: of the main answer, and beside multiples of
/// powers of two, where pages and tables begin.
constexpr std::size_t pooled_rows = 512;
constexpr std::size_t pooled_of_a_power = 16;
constexpr int least_pooled_power = 4;
constexpr int greatest_pooled_power = 14;
/// The first rows of vectors are consecutive in the main answer, and judged there.
constexpr std::size_t first_run = 1024;
/// Rows of consecutive positions, most of which the reference judges: vectors take some 15 us each, and
/// tables a tenth of that.
constexpr std::size_t most_judged_block = 1024;
constexpr std::size_t most_judged_rows = 4096;

}  // namespace

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::optional<Spoilt> spoilt_at(const RotatedTensor& vectors, const QuestionPoint& point, std::size_t index) {
  if (point.not_finite == NotFinite::none || (point.count() > 1 && index % 3 != 1)) {
    return std::nullopt;
  }
  const auto choice = mixed(point.vectors + index);
  if (point.not_finite == NotFinite::nan_in_passing) {
    const auto passing = vectors.rotation.passed_through();
    return Spoilt{passing[choice % passing.size()], std::nullopt};
  }
  const auto& pairs = vectors.rotation.pairs;
  const auto& [first, second] = pairs[choice % pairs.size()];
  return choice / 2 % 2 == 0 ? Spoilt{first, second} : Spoilt{second, first};
}

bool passes_on(const Spoilt& spoilt, NotFinite kind, const Tensor& answer, std::size_t index, bool turns) {
  const auto is_marked = [&](std::size_t dimension) {
    const double value = answer.number(index * answer.shape().back() + dimension);
    return kind == NotFinite::infinity_in_pair ? !std::isfinite(value) : std::isnan(value);
  };
  return is_marked(spoilt.first) && (!spoilt.second || !turns || is_marked(*spoilt.second));
}

void blank(const Spoilt& spoilt, std::size_t width, std::vector<std::byte>& row) {
  for (const auto dimension : {spoilt.first, spoilt.second.value_or(spoilt.first)}) {
    std::fill_n(row.begin() + static_cast<std::ptrdiff_t>(dimension * width), width, std::byte{});
  }
}

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

VectorSources::VectorSources(const QuestionPoint& question, std::span<const std::int64_t> main_positions)
    : question_(question), main_rows_(main_positions.size()) {
  std::ranges::transform(question.positions, std::back_inserter(own_), [&](std::int64_t position) {
    const auto found = std::ranges::lower_bound(main_positions, position);
    const bool is_there = found != main_positions.end() && *found == position;
    return OwnRow{is_there ? static_cast<std::size_t>(found - main_positions.begin())
                           : mixed(static_cast<std::uint64_t>(position)) % main_rows_,
                  is_there};
  });
}

std::size_t VectorSources::source(std::size_t vector) const {
  const auto own = at(vector).row;
  if (question_.count() == question_.rows) {
    return own;
  }
  const auto sequence = vector / question_.rows;
  const auto other = mixed(question_.vectors * 0x9e3779b97f4a7c15 + sequence) % vectors_of_position;
  return (own + other * (main_rows_ / vectors_of_position + 1)) % main_rows_;
}

SubjectQuestions::SubjectQuestions(const LiveSession& session, const Asked& main,
                                   const RotatedTensor* vectors)
    : session_(session),
      main_(main),
      vectors_(vectors),
      is_plain_(vernier::rows_stand_alone(main.request)),
      positions_(integers_of(main.request.positions)) {
  if (!is_plain_) {
    positions_.resize(rows_of(main.request));
    std::iota(positions_.begin(), positions_.end(), std::int64_t{0});
  }
  fill_pool();
  add_type(main.request.wanted.front().type);
}

void SubjectQuestions::add_type(ElementType type) {
  types_.push_back(type);
  if (main_.request.input) {
    inputs_.emplace(type, main_.request.input->type() == type || types_.size() == 1
                              ? *main_.request.input
                              : in_type(*main_.request.input, type));
  }
}

void SubjectQuestions::fill_pool() {
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
      if (position >= positions_.front() && position <= positions_.back() &&
          session_.encoding().undefined_at(position) == nullptr && session_.can_ask_for(position)) {
        pool_.push_back(position);
      }
    }
  }
  std::ranges::sort(pool_);
  const auto repeated = std::ranges::unique(pool_);
  pool_.erase(repeated.begin(), repeated.end());
}

DesignLimits SubjectQuestions::design_limits() const {
  const auto takes = session_.implementation().takes();
  const bool has_vectors = vectors_ != nullptr;
  DesignLimits limits;
  limits.start = positions_.front();
  limits.end = positions_.back();
  limits.pool = pool_;
  limits.takes_heads = has_vectors;
  limits.takes_scattered = !takes.contiguous_only;
  limits.takes_own_positions =
      has_vectors && takes.batched_positions && !session_.encoding().sequence_length();
  limits.takes_strides = is_plain_ && takes.strides;
  limits.takes_not_finite = has_vectors;
  limits.starts_afresh = session_.implementation().can_start_afresh();
  limits.keeps_process = !session_.implementation().costs_a_process() && !takes.one_length;
  limits.types = types_;
  for (const auto type : declined_) {
    limits.refused.push_back({.type = type, .positions = {positions_.front()}});
  }
  limits.has_passing_dimensions = has_vectors && !vectors_->rotation.passed_through().empty();
  const auto spec = session_.encoding().spec();
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  const auto original = scaling.find("original_max_position_embeddings");
  if (original != scaling.end() && original->is_number_integer() && is_plain_) {
    limits.edges.push_back(original->get<std::int64_t>());
  }
  const auto run = std::min(first_run, positions_.size());
  const bool is_run = positions_[run - 1] - positions_.front() == static_cast<std::int64_t>(run) - 1;
  limits.cheap_run = is_run ? run : 0;
  limits.most_consecutive = has_vectors ? most_judged_block : most_judged_rows;
  return limits;
}

BoundaryLimits SubjectQuestions::boundary_limits() const {
  const auto design = design_limits();
  BoundaryLimits limits;
  static_cast<AskLimits&>(limits) = design;
  limits.starts_afresh = design.starts_afresh && design.keeps_process;
  return limits;
}

std::vector<QuestionPoint> SubjectQuestions::main_points() const {
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

Request SubjectQuestions::request_for(const QuestionPoint& point) const {
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
  const auto& vectors = inputs_.contains(point.type) ? inputs_.find(point.type)->second : *main.input;
  const auto sources = sources_of(point);
  const auto width = row_bytes(vectors, 0).size();
  std::vector<std::byte> input(point.count() * width);
  for (std::size_t i = 0; i < point.count(); ++i) {
    std::ranges::copy(row_bytes(vectors, sources.source(i)),
                      input.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  if (point.not_finite != NotFinite::none) {
    const double value =
        point.not_finite == NotFinite::infinity_in_pair ? infinity : std::numeric_limits<double>::quiet_NaN();
    const auto special = number_tensor(vectors.type(), {1}, {&value, 1});
    for (std::size_t i = 0; i < point.count(); ++i) {
      if (const auto spoilt = spoilt_at(*vectors_, point, i)) {
        const auto at = i * width + spoilt->first * special.bytes().size();
        std::ranges::copy(special.bytes(), input.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
  request.input = Tensor(vectors.type(), shape, std::move(input));
  return request;
}

std::string SubjectQuestions::words_of(const QuestionPoint& point) const {
  auto shape = point.leading();
  shape.insert(shape.end(), {point.rows, main_.request.wanted.front().shape.back()});
  const auto [least, greatest] = std::ranges::minmax_element(point.positions);
  return fmt::format("{} in {}{} at {}", main_.roles, traits(point.type).name,
                     point.rank > 0 ? ", " + to_string(shape) + "," : "",
                     *least == *greatest ? "position " + position_text(*least)
                                         : fmt::format("{} positions from {} to {}", point.positions.size(),
                                                       position_text(*least), position_text(*greatest)));
}

}  // namespace vernier
