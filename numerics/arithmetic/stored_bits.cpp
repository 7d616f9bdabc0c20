#include "numerics/arithmetic/stored_bits.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Rows in the order in which they tell most: the furthest from 0 first.
std::vector<std::size_t> furthest_first(std::span<const std::int64_t> positions) {
  std::vector<std::size_t> rows(positions.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, std::greater{}, [&](std::size_t row) { return std::llabs(positions[row]); });
  return rows;
}

/// Drops rows of zeros, and copies of a row that have its bits, which tell nothing. \param padding the
/// position of a row of zeros
void drop_rows(StoredTable& table, std::optional<std::int64_t> padding) {
  const auto row_of = [&](std::size_t row) {
    return std::span(table.elements).subspan(row * table.pairs, table.pairs);
  };
  std::size_t kept = 0;
  for (std::size_t row = 0; row < table.positions.size(); ++row) {
    const auto own = row_of(row);
    const bool comes_again = kept > 0 && table.positions[kept - 1] == table.positions[row] &&
                             std::ranges::equal(own, row_of(kept - 1), &StoredSine::has_bits_of);
    if (!comes_again && padding != table.positions[row]) {
      table.positions[kept] = table.positions[row];
      std::ranges::copy(own, row_of(kept).begin());
      ++kept;
    }
  }
  table.positions.resize(kept);
  table.elements.resize(kept * table.pairs);
}

/// Takes the numbers of a row.
void take_row(StoredTable& table, std::size_t row, std::span<const Column> columns,
              std::span<const double> numbers) {
  std::array<std::vector<bool>, 2> seen{std::vector<bool>(table.pairs), std::vector<bool>(table.pairs)};
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto& [index, component] = columns[column];
    if (component == Component::zero) {
      continue;
    }
    const bool is_sine = component == Component::sine;
    const auto pair = static_cast<std::size_t>(index);
    auto& element = table.elements[row * table.pairs + pair];
    auto& number = is_sine ? element.sine : element.cosine;
    auto is_again = seen[is_sine ? 0 : 1][pair];
    if (!is_again) {
      number = numbers[column];
    } else if (!same_bits(numbers[column], number)) {
      ++table.repeated;
    }
    is_again = true;
  }
}

/// Cosines and sines, in one tensor or in two.
StoredTable table_of(const Case& judged, std::span<const TableTensor> tables,
                     const Frequencies& frequencies) {
  const auto rows = furthest_first(judged.positions);
  StoredTable result;
  result.pairs = static_cast<std::size_t>(frequencies.pairs());
  result.positions = mapped(rows, [&](std::size_t row) { return judged.positions[row]; });
  result.elements.resize(rows.size() * result.pairs);
  result.format = tables.front().stored();
  for (const auto& tensor : tables) {
    refuse_if(tensor.stored() != result.format, "{}: {}: found {}, expected {}, as the first table",
              judged.name, tensor.role(), traits(tensor.stored()).name, traits(result.format).name);
    const auto& columns = tensor.table.sines.columns;
    const auto has = [&](Component component) {
      return std::ranges::find(columns, component, &Column::component) != columns.end();
    };
    result.has_sines = result.has_sines || has(Component::sine);
    result.has_cosines = result.has_cosines || has(Component::cosine);
    std::vector<double> numbers(columns.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      tensor.row(rows[row], numbers);
      take_row(result, row, columns, numbers);
    }
  }
  drop_rows(result, tables.back().table.sines.zero_position);
  return result;
}

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
  return sum_of(pairs, &std::vector<TurnedPair>::size);
}

std::size_t StoredBits::numbers() const {
  return sum_of(tables, &StoredTable::numbers) + 2 * sum_of(vectors, &StoredVectors::count);
}

StoredBits stored_bits(const Case& judged) {
  const auto& tables = judged.tensors.plain_tables();
  const auto& vectors = judged.tensors.all<RotatedTensor>();
  refuse_if(tables.empty() && vectors.empty(),
            "{}: found no table of sines and cosines of one position and no vectors rotated by one, expected "
            "either",
            judged.name);
  refuse_if(!judged.encoding->positions().is_plain(),
            "{}: positions: found scaled or fractional ones, expected integers", judged.name);
  const auto& definition = tables.empty() ? vectors.front().rotation.table : tables.front().table.sines;
  StoredBits result{.name = judged.name,
                    .frequencies = definition.frequencies,
                    .amplitude = approximately(definition.amplitude)};
  if (!tables.empty()) {
    result.tables.push_back(table_of(judged, tables, definition.frequencies));
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
