#include "numerics/asking/questions.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <span>

#include "numerics/asking/asked_through.hpp"
#include "numerics/asking/seeded_draws.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/threads.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::size_t fewest_rows = 16;
/// Tables of more bytes than this, all together, are sampled: see questions_of().
constexpr std::size_t most_asked_bytes = std::size_t{1} << 30;
/// A sample of larger ones: what an implementation computes within some seconds.
constexpr std::size_t sampled_bytes = most_asked_bytes / 4;
/// What is asked by hand, and its answer, as files that are carried elsewhere.
constexpr std::size_t bytes_by_hand = std::size_t{1} << 28;
/// Vectors that are rotated.
constexpr std::size_t most_vectors = 8192;
constexpr std::size_t most_vector_elements = std::size_t{1} << 20;
/// A small sample, for slow implementations and quick looks.
constexpr std::size_t few_rows = 6144;
constexpr std::size_t few_elements = std::size_t{1} << 21;
/// Neighbours that are asked for together in the samples of tables.
constexpr std::int64_t run_of_tables = 4;

/// A table and the widths in which it can be asked for.
struct KnownWidths {
  std::string role;
  std::vector<std::size_t> widths;
};

/// The tables of sines and cosines. Where rows have several positions those of one position are left out, as
/// an implementation is asked for positions that differ.
std::vector<KnownWidths> tables_of(const Encoding& encoding) {
  const bool has_axes = encoding.has_tables_of_axes();
  std::vector<KnownWidths> result;
  const auto add = [&](const auto& table) {
    const std::string role(role_of(table));
    const auto found = std::ranges::find(result, role, &KnownWidths::role);
    auto& known = found == result.end() ? result.emplace_back(KnownWidths{role, {}}) : *found;
    known.widths.push_back(columns_of(table));
  };
  for (const auto& tensor : encoding.tensors()) {
    if (const auto* table = std::get_if<TurnedTable>(&tensor);
        table != nullptr && !(has_axes && table->is_plain())) {
      add(*table);
    }
  }
  return result;
}

/// [S, T]: tokens with the positions of a text token or patch, then tokens whose positions differ.
/// \param one how many numbers there are from one position to the next, among which theirs are drawn
Tensor positions_along(const PositionAxes& axes, const std::vector<std::int64_t>& positions,
                       std::uint64_t seed, std::int64_t one) {
  auto by_axis = axes.of_positions(positions);
  SeededDraws draws(seed);
  std::vector<std::int64_t> all;
  for (auto& of_axis : by_axis) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto fraction = one == 1 ? 0 : draws.between(0, one - 1);
      of_axis.push_back(of_axis[draws.below(positions.size())] + fraction);
    }
    all.insert(all.end(), of_axis.begin(), of_axis.end());
  }
  return integer_tensor({by_axis.size(), by_axis.front().size()}, all);
}

/// Whether a role is asked for.
class Roles {
 public:
  explicit Roles(const std::vector<std::string>& wanted) : wanted_(wanted) {}

  bool operator()(const std::string& role) {
    known_.push_back(role);
    return wanted_.empty() || std::ranges::find(wanted_, role) != wanted_.end();
  }

  /// \throws InputError for a role that was never offered
  void finish() const {
    for (const auto& role : wanted_) {
      refuse_if(std::ranges::find(known_, role) == known_.end(), "--roles: found \"{}\", expected {}", role,
                known_.empty() ? std::string("none: nothing of this scheme can be asked for")
                               : joined(known_, " or "));
    }
  }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> known_;
};

/// How many rows of so many elements take at most so many.
std::size_t rows_within(std::size_t elements, std::size_t of_row) {
  return std::max(elements / of_row, fewest_rows);
}

/// They are sought once somebody wants them.
using HardPositions = std::shared_future<std::vector<std::int64_t>>;

/// A tensor to ask for: of the shape [before, rows, after], or without rows.
struct Askable {
  std::string role;
  ElementType type;
  Shape before = {};
  Shape after = {};
  bool has_rows = true;

  WantedTensor at(std::size_t rows) const {
    auto shape = before;
    if (has_rows) {
      shape.push_back(rows);
    }
    shape.insert(shape.end(), after.begin(), after.end());
    return {role, type, std::move(shape)};
  }
};

/// What to ask for together, in ways that differ in shape, and how many elements of a row of it there are.
struct Wanted {
  std::vector<std::vector<Askable>> ways;
  std::size_t of_row = 1;
  bool is_rotated = false;
};

/// What is asked of one kind of tensors, at any positions.
class QuestionSubject {
 public:
  /// \param hard positions, which samples have
  QuestionSubject(const Encoding& encoding, const QuestionOptions& options, HardPositions hard, Wanted wanted)
      : encoding_(encoding),
        options_(options),
        range_(asked_range(encoding, options.positions)),
        hard_(std::move(hard)),
        values_(encoding.all<ExactTable>()),
        wanted_(std::move(wanted)) {
    if (const auto tables = encoding.tables_of_axes(); !tables.empty()) {
      axes_ = tables.front().axes->positions;
    }
  }

  Question at(const SampleShape& shape) const {
    Question question{{}, range_, {}};
    std::vector<std::int64_t> positions;
    const bool is_whole = range_.count <= static_cast<std::int64_t>(shape.most);
    const auto hard = is_whole || shape.in_few_runs ? std::span<const std::int64_t>() : hard_.get();
    for (const auto row : sampled_rows(range_, shape, options_.seed, hard)) {
      if (is_defined(range_.at(row))) {
        question.rows.push_back(row);
        positions.push_back(range_.at(row));
      }
    }
    ask_for_all({encoding_.spec(),
                 axes_ ? positions_along(*axes_, positions, options_.seed, numbers_of_one(encoding_))
                       : integer_tensor({positions.size()}, positions),
                 std::nullopt,
                 {}},
                question);
    return question;
  }

  /// \param shape of the whole question \param of_row elements of a row of all that is asked with it
  Question with_smaller(const SampleShape& shape, std::size_t of_row) const {
    const auto few = std::min({few_rows, rows_within(few_elements, of_row), shape.most});
    if (options_.quick) {
      return at({.most = few});
    }
    auto question = at(shape);
    const bool is_sample = static_cast<std::int64_t>(question.rows.size()) < range_.count;
    if (question.rows.size() > few) {
      question.smaller.emplace_back([*this, few] { return at({.most = few}); });
    }
    if (question.rows.size() > few || is_sample) {
      question.smaller.emplace_back([*this, few] { return at({.most = few, .in_few_runs = true}); });
    }
    return question;
  }

 private:
  /// \param base at the positions, nothing wanted
  void ask_for_all(const Request& base, Question& question) const {
    const auto rows = rows_of(base);
    for (const auto& way : wanted_.ways) {
      auto& request = question.ways.emplace_back(base);
      std::ranges::transform(way, std::back_inserter(request.wanted),
                             [&](const Askable& one) { return one.at(rows); });
      if (wanted_.is_rotated) {
        request.input = made_vectors(options_.type, rows, way.front().after.front(), options_.seed,
                                     options_.quantization);
      }
    }
  }
  /// \throws InputError for a position that was given and is not defined
  bool is_defined(std::int64_t position) const {
    return std::ranges::all_of(values_, [&](const ExactTable& table) {
      if (options_.positions) {
        table.require(position);
      }
      return table.defined(position);
    });
  }

  const Encoding& encoding_;
  QuestionOptions options_;
  PositionRange range_;
  HardPositions hard_;
  std::vector<ExactTable> values_;
  std::optional<PositionAxes> axes_;
  Wanted wanted_;
};

/// A tensor that stands alone; nothing for tables of sines and cosines, which are asked for side by side.
std::optional<Askable> askable_alone(const TensorDefinition& tensor, ElementType type) {
  const std::string role(role_of(tensor));
  if (const auto* rotation = std::get_if<HeadRotation>(&tensor)) {
    return Askable{role, type, {}, {rotation->head_dim}};
  }
  if (const auto* values = std::get_if<ExactTable>(&tensor)) {
    return Askable{role, type, {}, {values->columns}};
  }
  if (const auto* bias = std::get_if<BiasTable>(&tensor)) {
    return Askable{role, type, {bias->heads()}, {}, bias->factor != BiasTable::Factor::one};
  }
  if (std::holds_alternative<BucketTable>(tensor)) {
    return Askable{role, ElementType::int64};
  }
  return std::nullopt;
}

/// All that the encoding defines, of the roles that are wanted.
std::vector<Wanted> all_wanted(const Encoding& encoding, const QuestionOptions& options) {
  Roles is_wanted(options.roles);
  const std::size_t of_axes = encoding.has_tables_of_axes() ? 2 : 1;
  std::vector<Wanted> result;
  auto tables = tables_of(encoding);
  std::erase_if(tables, [&](const KnownWidths& table) { return !is_wanted(table.role); });
  Wanted side_by_side{{}, 0};
  for (const auto& table : tables) {
    side_by_side.of_row += of_axes * std::ranges::max(table.widths);
  }
  for (std::size_t way = 0; !tables.empty() && way < tables.front().widths.size(); ++way) {
    auto& all = side_by_side.ways.emplace_back();
    for (const auto& table : tables) {
      all.push_back({table.role, options.type, {}, {table.widths[std::min(way, table.widths.size() - 1)]}});
    }
  }
  if (!tables.empty()) {
    result.push_back(std::move(side_by_side));
  }
  for (const auto& tensor : encoding.tensors()) {
    const auto askable = askable_alone(tensor, options.type);
    const auto* vectors = vector_role_named(role_of(tensor));
    const bool is_offered =
        options.gradients || !options.roles.empty() || vectors == nullptr || !vectors->is_gradient;
    if (askable && is_wanted(askable->role) && is_offered) {
      const bool is_rotated = std::holds_alternative<HeadRotation>(tensor);
      const auto of_row = size_in_bytes(ElementType::uint8, askable->at(1).shape).value_or(1);
      result.push_back(
          {{{*askable}}, static_cast<std::size_t>(of_row) * (is_rotated ? 2 * of_axes : 1), is_rotated});
    }
  }
  is_wanted.finish();
  return result;
}

}  // namespace

int exponent_of(const std::optional<Quantization>& quantization) {
  const double factor = quantization ? quantization->approximate_factor() : 1;
  return factor > 1 ? static_cast<int>(std::ceil(std::log2(factor))) : 0;
}

Tensor made_vectors(ElementType of_results, std::size_t rows, std::size_t width, std::uint64_t seed,
                    const std::optional<Quantization>& quantization) {
  const bool only_stores = traits(*traits(of_results).format).is_storage_only();
  const auto type = only_stores ? ElementType::float32 : of_results;
  const auto precision = traits(only_stores ? Format::bfloat16 : *traits(type).format).precision;
  const int smaller = exponent_of(quantization);
  SeededDraws draws(seed);
  std::vector<double> values(rows * width);
  for (auto& value : values) {
    // Half an ulp of eight bits proves nothing of a pair of zeros.
    const auto kind = std::max<std::uint64_t>(draws.below(16), only_stores ? 1 : 0);
    const double sign = draws.one_in(2) ? 1 : -1;
    double integer = std::floor(std::ldexp(draws.share(), precision));
    if (only_stores) {
      // In the upper half, and odd: no tie between two numbers of eight bits, which any of both could be.
      integer = std::floor(std::ldexp(integer, -2)) * 2 + std::ldexp(1.0, precision - 1) + 1;
    }
    const double magnitude = kind == 0   ? 0
                             : kind == 1 ? std::ldexp(1.0, static_cast<int>(draws.below(8)) - 6)
                                         : std::ldexp(integer, 2 - precision);
    value = sign * std::ldexp(magnitude, -smaller);
  }
  return number_tensor(type, {rows, width}, values);
}

std::vector<Question> questions_of(const Encoding& encoding, const QuestionOptions& options) {
  const auto all = all_wanted(encoding, options);
  const auto bytes = traits(options.type).bytes;
  std::size_t in_all = 0;
  for (const auto& wanted : all) {
    in_all += options.by_hand || !wanted.is_rotated ? wanted.of_row : 0;
  }
  in_all = std::max<std::size_t>(in_all, 1);
  const auto range = asked_range(encoding, options.positions);
  const auto count = static_cast<std::uint64_t>(range.count);
  const auto whole_rows = rows_within((options.by_hand ? bytes_by_hand : most_asked_bytes) / bytes, in_all);
  const auto sampled = rows_within((options.by_hand ? bytes_by_hand : sampled_bytes) / bytes, in_all);
  const auto table_rows = count <= whole_rows ? whole_rows : sampled;
  const HardPositions hard = std::async(std::launch::deferred, [&encoding, range, type = options.type] {
                               return hard_positions(encoding, range, type);
                             }).share();
  std::vector<Question> questions;
  for (const auto& wanted : all) {
    const QuestionSubject subject(encoding, options, hard, wanted);
    if (wanted.is_rotated && !options.by_hand) {
      const auto most = std::min(most_vectors, rows_within(most_vector_elements, wanted.of_row / 2));
      questions.push_back(subject.with_smaller({.most = most}, wanted.of_row));
    } else {
      questions.push_back(subject.with_smaller({.most = table_rows, .run = run_of_tables},
                                               options.by_hand ? in_all : wanted.of_row));
    }
  }
  return questions;
}

std::optional<PositionCoverage> coverage_of(const Encoding& encoding, const Request& request) {
  if (request.positions.shape().size() != 1) {
    return std::nullopt;
  }
  const auto range = asked_range(encoding, std::nullopt);
  std::vector<std::int64_t> rows;
  for (const auto position : integers_of(request.positions)) {
    if (position >= range.first && position < range.first + range.count) {
      rows.push_back(position - range.first);
    }
  }
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return coverage_of(rows, static_cast<std::uint64_t>(range.count));
}

std::vector<WantedTensor> in_known_widths(const Encoding& encoding, const WantedTensor& wanted) {
  std::vector<WantedTensor> result{wanted};
  for (const auto& table : tables_of(encoding)) {
    for (const auto width : table.widths) {
      if (table.role == wanted.role && width != wanted.shape.back()) {
        result.push_back(wanted);
        result.back().shape.back() = width;
      }
    }
  }
  return result;
}

Request merged(const std::vector<Request>& requests) {
  auto result = requests.front();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    result.wanted.insert(result.wanted.end(), requests[i].wanted.begin(), requests[i].wanted.end());
    result.input = result.input ? result.input : requests[i].input;
  }
  return result;
}

}  // namespace vernier
