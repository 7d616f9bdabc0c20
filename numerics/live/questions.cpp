#include "numerics/live/questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "numerics/live/rows.hpp"
#include "numerics/word_list.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::int64_t usual_last_position = 131071;
constexpr std::size_t most_rows = 6144;
constexpr std::size_t fewest_rows = 16;
/// Wide encodings are asked for fewer rows: some seconds of work for a slow implementation.
constexpr std::size_t most_elements = std::size_t{1} << 21;

/// A tensor that can be asked for, and in which widths.
struct Askable {
  std::string role;
  std::vector<std::size_t> widths;
};

/// Uniform on [0, 1), the same with every standard library.
double uniform(std::mt19937_64& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -53);
}

template <class Table>
std::vector<Askable> by_role(const std::vector<Table>& tables) {
  std::vector<Askable> result;
  for (const auto& table : tables) {
    const auto found = std::ranges::find(result, table.role, &Askable::role);
    auto& askable = found == result.end() ? result.emplace_back(Askable{table.role, {}}) : *found;
    askable.widths.push_back(table.columns.size());
  }
  return result;
}

std::vector<Askable> tables_of(const Encoding& encoding) {
  const auto streamed = encoding.streamed_tables();
  std::vector<TrigTable> tables = streamed ? std::vector<TrigTable>() : encoding.tables();
  for (const auto& one : streamed ? streamed->tables : std::vector<StreamedTable>()) {
    tables.push_back(one.table);
  }
  for (const auto& one : encoding.scaled_tables()) {
    tables.push_back(one.sines);
  }
  return by_role(tables);
}

std::size_t greatest_width(const Encoding& encoding) {
  std::size_t greatest = 1;
  for (const auto& table : tables_of(encoding)) {
    greatest = std::max(greatest, std::ranges::max(table.widths));
  }
  for (const auto& table : encoding.values()) {
    greatest = std::max(greatest, table.columns);
  }
  for (const auto& table : encoding.biases()) {
    greatest = std::max(greatest, table.slopes.size());
  }
  for (const auto& rotation : encoding.rotations()) {
    greatest = std::max(greatest, rotation.head_dim);
  }
  return greatest;
}

/// Positions at which every table of values is defined.
void keep_defined(const Encoding& encoding, std::vector<std::int64_t>& positions) {
  for (const auto& table : encoding.values()) {
    std::erase_if(positions, [&](std::int64_t position) { return !table.defined(position); });
  }
}

std::vector<std::int64_t> listed(const Encoding& encoding, const PositionRange& range) {
  const auto most = std::max(fewest_rows, most_elements * 64 / greatest_width(encoding));
  if (static_cast<std::uint64_t>(range.count) > most) {
    throw InputError("--positions: found " + std::to_string(range.count) + " positions, expected at most " +
                     std::to_string(most) + " of an encoding as wide as this one");
  }
  std::vector<std::int64_t> positions;
  for (std::int64_t row = 0; row < range.count; ++row) {
    positions.push_back(range.at(row));
  }
  for (const auto& table : encoding.values()) {
    std::ranges::for_each(positions, [&](std::int64_t position) { table.require(position); });
  }
  return positions;
}

std::vector<std::int64_t> chosen_positions(const Encoding& encoding, const QuestionOptions& options) {
  if (options.positions) {
    return listed(encoding, *options.positions);
  }
  const auto most = std::clamp(most_elements / greatest_width(encoding), fewest_rows, most_rows);
  const auto first = encoding.default_positions(1).first;
  const auto last = std::max(first, last_probed_position(encoding));
  auto positions = probing_positions(first, last, most, options.seed);
  if (encoding.buckets()) {
    for (auto i = positions.size(); i-- > 0;) {
      positions.push_back(-positions[i]);
    }
    std::ranges::sort(positions);
    positions.erase(std::ranges::unique(positions).begin(), positions.end());
  }
  keep_defined(encoding, positions);
  return positions;
}

/// [S, T]: tokens with the positions of a text token or patch, then tokens whose positions differ.
Tensor streamed_positions(const StreamedTables& streamed, const std::vector<std::int64_t>& positions,
                          std::uint64_t seed) {
  std::vector<std::vector<std::int64_t>> by_stream(streamed.streams);
  for (const auto position : positions) {
    const auto of_token = streamed.of_position(position);
    for (std::size_t i = 0; i < by_stream.size(); ++i) {
      by_stream[i].push_back(of_token[i]);
    }
  }
  std::mt19937_64 generator(seed);
  std::vector<std::int64_t> all;
  for (auto& stream : by_stream) {
    const auto count = stream.size();
    for (std::size_t i = 0; i < count; ++i) {
      stream.push_back(stream[generator() % count]);
    }
    all.insert(all.end(), stream.begin(), stream.end());
  }
  return integer_tensor({by_stream.size(), by_stream.front().size()}, all);
}

/// Vectors exact in their type, of magnitude below 4, each bit of the significand used, some elements zero
/// and some powers of two, where other paths are taken.
Tensor made_input(ElementType type, std::size_t rows, std::size_t width, std::uint64_t seed) {
  const auto format = *traits(type).format;
  const auto precision = traits(format).precision;
  std::mt19937_64 generator(seed);
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < rows * width; ++i) {
    const auto kind = generator() % 16;
    const double sign = generator() % 2 == 0 ? 1 : -1;
    const double integer = std::floor(std::ldexp(uniform(generator), precision));
    const double value = kind == 0   ? 0
                         : kind == 1 ? std::ldexp(1.0, static_cast<int>(generator() % 8) - 6)
                                     : std::ldexp(integer, 2 - precision);
    const auto bits = encode_bits(format, sign * value);
    for (std::size_t byte = 0; byte < traits(type).bytes; ++byte) {
      bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
    }
  }
  return {type, {rows, width}, std::move(bytes)};
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
        throw InputError("--roles: found \"" + role + "\", expected " +
                         (known_.empty() ? std::string("none: nothing of this scheme can be asked for")
                                         : joined(known_, " or ")));
      }
    }
  }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> known_;
};

/// Tables side by side, one request for each of their widths.
Question ask_for_tables(const Request& base, const std::vector<Askable>& tables, ElementType type) {
  Question question;
  for (std::size_t way = 0; way < tables.front().widths.size(); ++way) {
    auto request = base;
    for (const auto& table : tables) {
      const auto width = table.widths[std::min(way, table.widths.size() - 1)];
      request.wanted.push_back({table.role, type, {rows_of(base), width}});
    }
    question.ways.push_back(std::move(request));
  }
  return question;
}

Question ask_for(const Request& base, WantedTensor wanted) {
  auto request = base;
  request.wanted.push_back(std::move(wanted));
  return {{std::move(request)}};
}

}  // namespace

std::int64_t last_probed_position(const Encoding& encoding) {
  const auto spec = encoding.spec();
  // What depends on a length says nothing of positions beyond it.
  const auto stated =
      spec.find(encoding.scaled_tables().empty() ? "max_position_embeddings" : "sequence_length");
  auto last = stated == spec.end() ? usual_last_position : stated->get<std::int64_t>() - 1;
  for (const auto& table : encoding.values()) {
    last = std::min(last, table.last_position.value_or(last));
  }
  return last;
}

std::vector<std::int64_t> probing_positions(std::int64_t first, std::int64_t last, std::size_t most,
                                            std::uint64_t seed) {
  std::vector<std::int64_t> positions;
  const auto add = [&](std::int64_t position) {
    if (position >= first && position <= last) {
      positions.push_back(position);
    }
  };
  const auto dense = static_cast<std::int64_t>(2 * most / 3);
  for (std::int64_t i = 0; i < dense; ++i) {
    add(first + i);
  }
  std::vector<std::int64_t> sparse{last - 1, last};
  for (std::int64_t power = 2; power <= last && power > 0; power *= 2) {
    sparse.insert(sparse.end(), {power - 1, power, power + 1});
  }
  // Beyond the dense ones, which have all that is before.
  const auto start = static_cast<double>(dense);
  const auto octaves = std::log2(std::max(static_cast<double>(last - first), start) / start);
  std::mt19937_64 generator(seed);
  while (sparse.size() < most / 3) {
    sparse.push_back(first + static_cast<std::int64_t>(start * std::exp2(uniform(generator) * octaves)));
  }
  sparse.resize(std::min(sparse.size(), most / 3));
  std::ranges::for_each(sparse, add);
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

std::vector<Question> questions_of(const Encoding& encoding, const QuestionOptions& options) {
  const auto positions = chosen_positions(encoding, options);
  const auto streamed = encoding.streamed_tables();
  const Request base{encoding.spec(),
                     streamed ? streamed_positions(*streamed, positions, options.seed)
                              : integer_tensor({positions.size()}, positions),
                     std::nullopt,
                     {}};
  const auto rows = rows_of(base);
  Roles is_wanted(options.roles);
  std::vector<Question> questions;
  auto tables = tables_of(encoding);
  std::erase_if(tables, [&](const Askable& table) { return !is_wanted(table.role); });
  if (!tables.empty()) {
    questions.push_back(ask_for_tables(base, tables, options.type));
  }
  for (const auto& rotation : encoding.rotations()) {
    if (is_wanted(rotation.role())) {
      auto question = ask_for(base, {rotation.role(), options.type, {rows, rotation.head_dim}});
      question.ways.front().input = made_input(options.type, rows, rotation.head_dim, options.seed);
      questions.push_back(std::move(question));
    }
  }
  for (const auto& values : encoding.values()) {
    if (is_wanted(values.role)) {
      questions.push_back(ask_for(base, {values.role, options.type, {rows, values.columns}}));
    }
  }
  for (const auto& bias : encoding.biases()) {
    if (is_wanted(bias.role)) {
      const auto heads = bias.slopes.size();
      questions.push_back(
          ask_for(base, {bias.role, options.type,
                         bias.factor == BiasTable::Factor::one ? Shape{heads} : Shape{heads, rows}}));
    }
  }
  if (encoding.buckets() && is_wanted("buckets")) {
    questions.push_back(ask_for(base, {"buckets", ElementType::int64, {rows}}));
  }
  is_wanted.finish();
  return questions;
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
