#include "numerics/arithmetic/stored_bits.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "numerics/arithmetic/rounding.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Where in a row the sine and the cosine of each pair stand: first, and again.
struct PairPlaces {
  std::vector<std::vector<std::size_t>> sine;
  std::vector<std::vector<std::size_t>> cosine;
};

PairPlaces places_in(const TrigTable& table, std::size_t pairs) {
  PairPlaces result{std::vector<std::vector<std::size_t>>(pairs),
                    std::vector<std::vector<std::size_t>>(pairs)};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto& of = table.columns[column];
    if (of.component != Component::zero) {
      (of.component == Component::sine ? result.sine : result.cosine)[static_cast<std::size_t>(of.pair)]
          .push_back(column);
    }
  }
  return result;
}

void require_plain(const Case& judged, const PositionMap& map) {
  refuse_if(!map.is_plain(), "{}: positions: found scaled or fractional ones, expected integers",
            judged.name);
}

/// Rows in the order in which they tell most: the furthest from 0 first.
std::vector<std::size_t> furthest_first(std::span<const std::int64_t> positions) {
  std::vector<std::size_t> rows(positions.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, std::greater{}, [&](std::size_t row) { return std::llabs(positions[row]); });
  return rows;
}

/// Reads the tensors of one table: cosines and sines, in one tensor or in two.
class TableReader {
 public:
  TableReader(const Case& judged, const Frequencies& frequencies) : judged_(&judged) {
    table_.pairs = static_cast<std::size_t>(frequencies.pairs());
    rows_ = furthest_first(judged.positions);
    for (const auto row : rows_) {
      table_.positions.push_back(judged.positions[row]);
    }
    table_.elements.resize(rows_.size() * table_.pairs);
  }

  void read(const TableTensor& tensor) {
    const auto places = places_in(tensor.table.sines, table_.pairs);
    padding_ = tensor.table.sines.zero_position;
    if (table_.has_cosines || table_.has_sines) {
      refuse_if(tensor.stored() != table_.format, "{}: {}: found {}, expected {}, as the first table",
                judged_->name, tensor.role(), traits(tensor.stored()).name, traits(table_.format).name);
    }
    table_.format = tensor.stored();
    const auto is_there = [](const auto& columns) { return !columns.empty(); };
    table_.has_sines = table_.has_sines || std::ranges::any_of(places.sine, is_there);
    table_.has_cosines = table_.has_cosines || std::ranges::any_of(places.cosine, is_there);
    std::vector<double> numbers(tensor.columns());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      tensor.row(rows_[row], numbers);
      for (std::size_t pair = 0; pair < table_.pairs; ++pair) {
        auto& element = table_.elements[row * table_.pairs + pair];
        take(numbers, places.sine[pair], element.sine);
        take(numbers, places.cosine[pair], element.cosine);
      }
    }
  }

  StoredTable table() && {
    drop_repeated_rows();
    return std::move(table_);
  }

 private:
  void take(std::span<const double> numbers, const std::vector<std::size_t>& columns, double& out) {
    for (const auto column : columns) {
      if (column != columns.front() && !same_bits(numbers[column], numbers[columns.front()])) {
        ++table_.repeated;
      }
    }
    out = columns.empty() ? out : numbers[columns.front()];
  }

  /// Copies of a row that have its bits tell nothing.
  void drop_repeated_rows() {
    const auto row_of = [&](std::size_t row) {
      return std::span(table_.elements).subspan(row * table_.pairs, table_.pairs);
    };
    std::size_t kept = 0;
    for (std::size_t row = 0; row < table_.positions.size(); ++row) {
      const auto own = row_of(row);
      const bool comes_again =
          kept > 0 && table_.positions[kept - 1] == table_.positions[row] &&
          std::ranges::equal(own, row_of(kept - 1), [](const StoredSine& a, const StoredSine& b) {
            return same_bits(a.sine, b.sine) && same_bits(a.cosine, b.cosine);
          });
      if (!comes_again && padding_ != table_.positions[row]) {
        table_.positions[kept] = table_.positions[row];
        std::ranges::copy(own, row_of(kept).begin());
        ++kept;
      }
    }
    table_.positions.resize(kept);
    table_.elements.resize(kept * table_.pairs);
  }

  const Case* judged_;
  StoredTable table_;
  std::vector<std::size_t> rows_;
  std::optional<std::int64_t> padding_;  ///< the position of a row of zeros
};

StoredVectors vectors_of(const RotatedTensor& tensor) {
  const auto& rotation = tensor.rotation;
  StoredVectors result{.role = tensor.role(), .input = *tensor.input.format(), .output = tensor.stored()};
  // By pair, so that the two dimensions of each stand together.
  std::map<int, std::pair<const RotatedDimension*, const RotatedDimension*>> by_pair;
  for (const auto& one : rotation.rotated) {
    auto& [first, second] = by_pair[one.pair];
    (first == nullptr ? first : second) = &one;
  }
  result.sign = rotation.rotated.front().sign;
  result.pairs_of_vector = by_pair.size();
  std::map<std::int64_t, std::size_t> index;
  std::vector<double> x(tensor.head_dim());
  std::vector<double> y(tensor.head_dim());
  for (const auto row : furthest_first(tensor.positions)) {
    const auto position = tensor.positions[row];
    const auto [found, is_new] = index.try_emplace(position, result.positions.size());
    if (is_new) {
      result.positions.push_back(position);
      result.pairs.emplace_back();
    }
    tensor.input.numbers(row * tensor.head_dim(), x);
    tensor.rotated.numbers(row * tensor.head_dim(), y);
    for (const auto& [pair, dimensions] : by_pair) {
      const auto& [first, second] = dimensions;
      result.pairs[found->second].push_back({x[first->own], x[first->other], y[first->out], y[second->out]});
    }
  }
  return result;
}

}  // namespace

std::size_t StoredVectors::count() const {
  return std::accumulate(pairs.begin(), pairs.end(), std::size_t{0},
                         [](std::size_t sum, const auto& of) { return sum + of.size(); });
}

std::size_t StoredBits::numbers() const {
  std::size_t result = 0;
  for (const auto& table : tables) {
    result += table.elements.size() *
              (static_cast<std::size_t>(table.has_sines) + static_cast<std::size_t>(table.has_cosines));
  }
  for (const auto& one : vectors) {
    result += 2 * one.count();
  }
  return result;
}

StoredBits stored_bits(const Case& judged) {
  const auto& tables = judged.tensors.plain_tables();
  const auto& vectors = judged.tensors.all<RotatedTensor>();
  refuse_if(tables.empty() && vectors.empty(),
            "{}: found no table of sines and cosines of one position and no vectors rotated by one, expected "
            "either",
            judged.name);
  require_plain(judged, judged.encoding->positions());
  const auto& definition = tables.empty() ? vectors.front().rotation.table : tables.front().table.sines;
  StoredBits result{.name = judged.name,
                    .frequencies = definition.frequencies,
                    .amplitude = approximately(definition.amplitude)};
  if (!tables.empty()) {
    TableReader reader(judged, definition.frequencies);
    for (const auto& table : tables) {
      reader.read(table);
    }
    result.tables.push_back(std::move(reader).table());
  }
  for (const auto& one : vectors) {
    refuse_if(
        !one.rotation.axes.empty() || one.rotation.scale || one.rotation.rotated.empty(),
        "{}: {}: found vectors that turn by several positions or a scale, expected one position: the space "
        "of arithmetics rounds one position for all pairs",
        judged.name, one.role());
    result.vectors.push_back(vectors_of(one));
    refuse_if(
        result.vectors.back().pairs_of_vector != static_cast<std::size_t>(definition.frequencies.pairs()),
        "{}: {}: found {} pairs that turn, expected {}, one a frequency", judged.name, one.role(),
        result.vectors.back().pairs_of_vector, definition.frequencies.pairs());
  }
  const auto reach = [&](std::span<const std::int64_t> positions) {
    if (!positions.empty()) {
      result.context = std::max<std::int64_t>(result.context, std::llabs(positions.front()) + 1);
    }
  };
  for (const auto& table : result.tables) {
    reach(table.positions);
  }
  for (const auto& one : result.vectors) {
    reach(one.positions);
  }
  const auto spec = judged.encoding->spec();
  for (const auto* key : {"max_position_embeddings", "max_position"}) {
    if (spec.contains(key) && spec.at(key).is_number_integer()) {
      result.context = std::max(result.context, spec.at(key).get<std::int64_t>());
    }
  }
  return result;
}

}  // namespace vernier
