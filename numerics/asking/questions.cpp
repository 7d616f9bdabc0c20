#include "numerics/asking/questions.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <span>

#include "numerics/asking/asked_through.hpp"
#include "numerics/asking/seeded_draws.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
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

/// A table, by its definition in each width in which it can be asked for.
struct KnownTable {
  std::string_view role;
  std::vector<const TensorDefinition*> widths;
};

/// The tables of sines and cosines. Where rows have several positions those of one position are left out, as
/// an implementation is asked for positions that differ.
std::vector<KnownTable> tables_of(const Encoding& encoding) {
  std::vector<KnownTable> result;
  for (const auto& tensor : encoding.tensors()) {
    const auto form = tensor_form(tensor);
    if (form.sines != nullptr && !(form.is_plain() && encoding.axes() != nullptr)) {
      auto found = std::ranges::find(result, role_of(tensor), &KnownTable::role);
      found = found == result.end() ? result.insert(found, {role_of(tensor), {}}) : found;
      found->widths.push_back(&tensor);
    }
  }
  return result;
}

std::size_t width_of(const TensorDefinition* table) {
  return tensor_form(*table).columns.value();
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

  bool operator()(std::string_view role) {
    known_.emplace_back(role);
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

/// What to ask for together, in ways that differ in shape, and how many elements of a row of it there are.
struct Wanted {
  std::vector<std::vector<const TensorDefinition*>> ways;
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
        wanted_(std::move(wanted)) {}

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
    const auto* axes = encoding_.axes();
    ask_for_all({encoding_.spec(),
                 axes != nullptr ? positions_along(*axes, positions, options_.seed, numbers_of_one(encoding_))
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
      request.wanted = mapped(way, [&](const auto* tensor) -> WantedTensor {
        return {std::string(role_of(*tensor)), are_integers(*tensor) ? ElementType::int64 : options_.type,
                shape_of(*tensor, rows)};
      });
      if (wanted_.is_rotated) {
        request.input = made_vectors(options_.type, rows, request.wanted.front().shape.back(), options_.seed,
                                     options_.quantization);
      }
    }
  }
  /// \throws InputError for a position that was given and is not defined
  bool is_defined(std::int64_t position) const {
    const auto* undefined = encoding_.undefined_at(position);
    if (undefined != nullptr && options_.positions) {
      undefined->require(position);
    }
    return undefined == nullptr;
  }

  const Encoding& encoding_;
  QuestionOptions options_;
  PositionRange range_;
  HardPositions hard_;
  Wanted wanted_;
};

/// All that the encoding defines, of the roles that are wanted.
std::vector<Wanted> all_wanted(const Encoding& encoding, const QuestionOptions& options) {
  Roles is_wanted(options.roles);
  const std::size_t of_axes = encoding.axes() != nullptr ? 2 : 1;
  std::vector<Wanted> result;
  auto tables = tables_of(encoding);
  std::erase_if(tables, [&](const KnownTable& table) { return !is_wanted(table.role); });
  Wanted side_by_side{{}, 0};
  for (const auto& table : tables) {
    side_by_side.of_row += of_axes * width_of(std::ranges::max(table.widths, {}, width_of));
  }
  for (std::size_t way = 0; !tables.empty() && way < tables.front().widths.size(); ++way) {
    auto& all = side_by_side.ways.emplace_back();
    for (const auto& table : tables) {
      all.push_back(table.widths[std::min(way, table.widths.size() - 1)]);
    }
  }
  if (!tables.empty()) {
    result.push_back(std::move(side_by_side));
  }
  for (const auto& tensor : encoding.tensors()) {
    const auto* vectors = vector_role_named(role_of(tensor));
    const bool is_offered =
        options.gradients || !options.roles.empty() || vectors == nullptr || !vectors->is_gradient;
    const bool is_asked_alone = tensor_form(tensor).sines == nullptr;
    if (is_asked_alone && is_wanted(role_of(tensor)) && is_offered) {
      const auto of_row = size_in_bytes(ElementType::uint8, shape_of(tensor, 1)).value_or(1);
      result.push_back({{{&tensor}},
                        static_cast<std::size_t>(of_row) * (vectors != nullptr ? 2 * of_axes : 1),
                        vectors != nullptr});
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
    for (const auto* definition : table.widths) {
      if (table.role == wanted.role && width_of(definition) != wanted.shape.back()) {
        result.push_back(wanted);
        result.back().shape.back() = width_of(definition);
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
