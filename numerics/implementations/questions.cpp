#include "numerics/implementations/questions.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <future>
#include <random>
#include <span>

#include "numerics/implementations/fractions.hpp"
#include "numerics/implementations/hard_positions.hpp"
#include "numerics/implementations/length_anchor.hpp"
#include "numerics/implementations/made_vectors.hpp"
#include "numerics/implementations/rows.hpp"
#include "reference/input_error.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

constexpr std::int64_t usual_last_position = 131071;
/// Of biases by curves, each of which takes several microseconds to certify.
constexpr std::int64_t last_position_of_curves = 8191;
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

/// A tensor that can be asked for, and in which widths.
struct Askable {
  std::string role;
  std::vector<std::size_t> widths;
};

/// The tables of sines and cosines. Where rows have several positions those of one position are left out, as
/// an implementation is asked for positions that differ.
std::vector<Askable> tables_of(const Encoding& encoding) {
  const bool has_axes = encoding.has_tables_of_axes();
  std::vector<Askable> result;
  const auto add = [&](const auto& table) {
    const std::string role(role_of(table));
    const auto found = std::ranges::find(result, role, &Askable::role);
    auto& askable = found == result.end() ? result.emplace_back(Askable{role, {}}) : *found;
    askable.widths.push_back(columns_of(table));
  };
  for (const auto& tensor : encoding.tensors()) {
    if (const auto* table = std::get_if<TurnedTable>(&tensor);
        table != nullptr && !(has_axes && table->is_plain())) {
      add(*table);
    }
  }
  return result;
}

/// Elements of a row of all tables together, each in its widest shape.
std::size_t elements_of_tables(const std::vector<Askable>& tables) {
  std::size_t sum = 0;
  for (const auto& table : tables) {
    sum += std::ranges::max(table.widths);
  }
  return sum;
}

/// [S, T]: tokens with the positions of a text token or patch, then tokens whose positions differ.
/// \param one how many numbers there are from one position to the next, among which theirs are drawn
Tensor positions_along(const PositionAxes& axes, const std::vector<std::int64_t>& positions,
                       std::uint64_t seed, std::int64_t one) {
  auto by_axis = axes.of_positions(positions);
  std::mt19937_64 generator(seed);
  std::vector<std::int64_t> all;
  for (auto& of_axis : by_axis) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto fraction =
          one == 1 ? 0 : static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(one));
      of_axis.push_back(of_axis[generator() % positions.size()] + fraction);
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
      if (std::ranges::find(known_, role) == known_.end()) {
        throw InputError("--roles: found \"{}\", expected {}", role,
                         known_.empty() ? std::string("none: nothing of this scheme can be asked for")
                                        : joined(known_, " or "));
      }
    }
  }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> known_;
};

/// Tables side by side, one request for each of their widths.
std::vector<Request> ask_for_tables(const Request& base, const std::vector<Askable>& tables,
                                    ElementType type) {
  std::vector<Request> ways;
  for (std::size_t way = 0; way < tables.front().widths.size(); ++way) {
    auto request = base;
    for (const auto& table : tables) {
      const auto width = table.widths[std::min(way, table.widths.size() - 1)];
      request.wanted.push_back({table.role, type, {rows_of(base), width}});
    }
    ways.push_back(std::move(request));
  }
  return ways;
}

std::vector<Request> ask_for(const Request& base, WantedTensor wanted) {
  auto request = base;
  request.wanted.push_back(std::move(wanted));
  return {std::move(request)};
}

/// How many rows of so many elements take at most so many.
std::size_t rows_within(std::size_t elements, std::size_t of_row) {
  return std::max(elements / of_row, fewest_rows);
}

/// They are sought once somebody wants them.
using HardPositions = std::shared_future<std::vector<std::int64_t>>;

/// What is asked of one kind of tensors, at any positions.
class QuestionSubject {
 public:
  using Ways = std::function<std::vector<Request>(const Request& base)>;

  /// \param hard positions, which samples have  \param ways of asking, given a request with positions and
  /// nothing wanted
  QuestionSubject(const Encoding& encoding, const QuestionOptions& options, HardPositions hard, Ways ways)
      : encoding_(encoding),
        options_(options),
        range_(asked_range(encoding, options.positions)),
        hard_(std::move(hard)),
        values_(encoding.all<ExactTable>()),
        ways_(std::move(ways)) {
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
    question.ways =
        ways_({encoding_.spec(),
               axes_ ? positions_along(*axes_, positions, options_.seed, numbers_of_one(encoding_))
                     : integer_tensor({positions.size()}, positions),
               std::nullopt,
               {}});
    return question;
  }

  /// \param shape of the whole question \param of_row elements of a row
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
  Ways ways_;
};

/// Everything to ask for, and how many elements of a row of it there are.
struct Wanted {
  QuestionSubject::Ways ways;
  std::size_t of_row = 1;
  bool is_rotated = false;
};

Wanted wanted_vectors(const HeadRotation& rotation, bool has_axes, const QuestionOptions& options) {
  return {[role = std::string(rotation.role()), width = rotation.head_dim, options](const Request& base) {
            const auto rows = rows_of(base);
            auto ways = ask_for(base, {role, options.type, {rows, width}});
            ways.front().input = made_vectors(options.type, rows, width, options.seed, options.quantization);
            return ways;
          },
          2 * rotation.head_dim * (has_axes ? 2 : 1), true};
}

Wanted wanted_tensor(std::string role, ElementType type, std::size_t of_row,
                     std::function<Shape(std::size_t)> shape) {
  return {[role = std::move(role), type, shape = std::move(shape)](const Request& base) {
            return ask_for(base, {role, type, shape(rows_of(base))});
          },
          of_row};
}

/// What to ask for a tensor that stands alone; nothing for tables of sines and cosines, which are asked for
/// side by side.
std::optional<Wanted> wanted_alone(const TensorDefinition& tensor, bool has_axes,
                                   const QuestionOptions& options) {
  if (const auto* rotation = std::get_if<HeadRotation>(&tensor)) {
    return wanted_vectors(*rotation, has_axes, options);
  }
  if (const auto* values = std::get_if<ExactTable>(&tensor)) {
    return wanted_tensor(values->role, options.type, values->columns,
                         [columns = values->columns](std::size_t rows) {
                           return Shape{rows, columns};
                         });
  }
  if (const auto* bias = std::get_if<BiasTable>(&tensor)) {
    const auto heads = bias->heads();
    const bool has_rows = bias->factor != BiasTable::Factor::one;
    return wanted_tensor(bias->role, options.type, heads, [heads, has_rows](std::size_t rows) {
      return has_rows ? Shape{heads, rows} : Shape{heads};
    });
  }
  if (std::holds_alternative<BucketTable>(tensor)) {
    return wanted_tensor(std::string(BucketTable::role), ElementType::int64, 1,
                         [](std::size_t rows) { return Shape{rows}; });
  }
  return std::nullopt;
}

/// All that the encoding defines, of the roles that are wanted.
std::vector<Wanted> all_wanted(const Encoding& encoding, const QuestionOptions& options) {
  Roles is_wanted(options.roles);
  const bool has_axes = encoding.has_tables_of_axes();
  std::vector<Wanted> result;
  auto tables = tables_of(encoding);
  std::erase_if(tables, [&](const Askable& table) { return !is_wanted(table.role); });
  if (!tables.empty()) {
    const auto of_row = elements_of_tables(tables) * (has_axes ? 2 : 1);
    result.push_back(
        {[tables, type = options.type](const Request& base) { return ask_for_tables(base, tables, type); },
         of_row});
  }
  for (const auto& tensor : encoding.tensors()) {
    auto wanted = wanted_alone(tensor, has_axes, options);
    const auto* vectors = vector_role_named(role_of(tensor));
    const bool is_offered =
        options.gradients || !options.roles.empty() || vectors == nullptr || !vectors->is_gradient;
    if (wanted && is_wanted(std::string(role_of(tensor))) && is_offered) {
      result.push_back(*std::move(wanted));
    }
  }
  is_wanted.finish();
  return result;
}

}  // namespace

std::int64_t last_probed_position(const Encoding& encoding) {
  if (const auto length = encoding.sequence_length()) {
    return *length - 1;
  }
  const auto spec = encoding.spec();
  const auto one = numbers_of_one(encoding);
  // What depends on a length says nothing of positions beyond it.
  const auto stated = spec.find(encoding.has_scaled_tables() ? "sequence_length" : "max_position_embeddings");
  auto last = (stated == spec.end() ? usual_last_position + 1 : stated->get<std::int64_t>()) * one - 1;
  for (const auto& table : encoding.all<ExactTable>()) {
    last = std::min(last, table.last_position.value_or(last));
  }
  for (const auto& table : encoding.all<BiasTable>()) {
    last = table.curves.empty() ? last : std::min(last, last_position_of_curves);
  }
  return last;
}

std::int64_t first_probed_position(const Encoding& encoding) {
  return encoding.default_positions(1).first * numbers_of_one(encoding);
}

bool declares_context(const Encoding& encoding) {
  const auto values = encoding.all<ExactTable>();
  return encoding.sequence_length() || encoding.spec().contains("max_position_embeddings") ||
         std::ranges::any_of(values, [](const ExactTable& table) { return table.last_position.has_value(); });
}

PositionRange asked_range(const Encoding& encoding, const std::optional<PositionRange>& given) {
  const auto one = numbers_of_one(encoding);
  const bool skips_fractions = encoding.has_tables_of_axes();
  if (given) {
    const auto length = encoding.sequence_length();
    const auto greatest = std::max(given->first, given->at(given->count - 1));
    if (length && greatest >= *length) {
      throw InputError(
          "--positions: found {}, expected positions below {}, the sequence_length that the frequencies of "
          "this encoding belong to",
          greatest, *length);
    }
    return skips_fractions || std::abs(given->step) > 1
               ? PositionRange{given->first * one, given->step * one, given->count}
               : PositionRange{given->first * one, given->step, given->count * one};
  }
  const auto first = first_probed_position(encoding);
  const auto last = std::max(first, last_probed_position(encoding));
  if (skips_fractions) {
    return {first, one, (last - first) / one + 1};
  }
  return encoding.has<BucketTable>() ? PositionRange{-last, 1, 2 * last + 1}
                                     : PositionRange{first, 1, last - first + 1};
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
    const QuestionSubject subject(encoding, options, hard, wanted.ways);
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
