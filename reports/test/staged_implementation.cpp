#include "reports/test/staged_implementation.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier::staged {
namespace {

std::vector<std::vector<std::int64_t>> tokens_of(const Request& request) {
  const auto rows = rows_of(request);
  const auto all = integers_of(request.positions);
  std::vector<std::vector<std::int64_t>> result(rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    result[i % rows].push_back(all[i]);
  }
  return result;
}

/// The sines and cosines of a table of this role and width, whichever kind the encoding has.
std::optional<std::vector<double>> turns(const Encoding& encoding, const Stages& stages,
                                         const Request& request, const WantedTensor& wanted) {
  struct Found {
    TrigTable table;
    std::vector<int> axes;
    std::optional<TurnedTable> scaled;
  };
  std::vector<Found> candidates;
  for (const auto& one : encoding.all<TurnedTable>(&TurnedTable::axes)) {
    candidates.push_back({one.sines, one.axes->of_columns, {}});
  }
  for (const auto& one : encoding.all<TurnedTable>(&TurnedTable::scale)) {
    candidates.push_back({one.sines, {}, one});
  }
  for (const auto& one : candidates.empty() ? encoding.plain_tables() : std::vector<TrigTable>()) {
    candidates.push_back({one, {}, {}});
  }
  const auto found = std::ranges::find_if(candidates, [&](const Found& one) {
    return one.table.role == wanted.role && one.table.columns.size() == wanted.shape.back();
  });
  if (found == candidates.end() || request.input) {
    return std::nullopt;
  }
  std::vector<double> frequencies;
  for (int pair = 0; pair < found->table.frequencies.pairs(); ++pair) {
    frequencies.push_back(found->table.frequencies.approximate(pair));
  }
  const double amplitude = approximately(found->table.amplitude);
  std::vector<double> values;
  for (const auto& token : tokens_of(request)) {
    for (std::size_t c = 0; c < found->table.columns.size(); ++c) {
      const auto& column = found->table.columns[c];
      const auto axis = found->axes.empty() ? 0 : static_cast<std::size_t>(found->axes[c]);
      const double position = stages.turned_by(token, axis);
      double scale = amplitude;
      if (found->scaled) {
        auto of_query = *found->scaled->scale;
        const bool is_of_keys = of_query.is_reciprocal;
        of_query.is_reciprocal = false;
        const double query =
            std::pow(approximately(of_query.ratios[static_cast<std::size_t>(column.pair)]),
                     static_cast<double>(token[0] - of_query.centre) / approximately(of_query.base));
        scale *= is_of_keys ? stages.key_scale(query) : query;
        if (found->scaled->is_scale_alone) {
          values.push_back(scale);
          continue;
        }
      }
      const double phase = position * frequencies[static_cast<std::size_t>(column.pair)];
      const bool is_cosine = column.component == Component::cosine;
      values.push_back(
          stages.finish(scale * (is_cosine ? std::cos(phase) : std::sin(phase)), position, is_cosine));
    }
  }
  return values;
}

std::vector<double> biases(const BiasTable& table, const Stages& stages, const Request& request,
                           const WantedTensor& wanted) {
  const auto positions = integers_of(request.positions);
  const bool is_slope = table.factor == BiasTable::Factor::one;
  const auto queries = wanted.shape.size() == 3 ? wanted.shape[1] : 1;
  const auto heads = table.slopes.size();
  std::vector<double> values;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto& exact = table.slopes[head];
    const double slope =
        stages.slope(head, heads, std::exp2(-approximately(exact.step) * static_cast<double>(exact.power)));
    if (is_slope) {
      values.push_back(slope);
      continue;
    }
    for (std::size_t query = 0; query < queries; ++query) {
      for (std::size_t key = 0; key < positions.size(); ++key) {
        const auto honest = static_cast<double>(table.multiplier(positions, queries, query, key));
        values.push_back(
            slope * stages.multiplier(positions[positions.size() - queries + query], positions[key], honest));
      }
    }
  }
  return values;
}

}  // namespace

Implementation::Implementation(const std::string& spec, Stages stages)
    : encoding_(parsed(spec)), stages_(std::move(stages)) {}

Response Implementation::ask(const Request& request) {
  Response response;
  for (const auto& wanted : request.wanted) {
    if (wanted.role == "buckets") {
      const auto rule = encoding_->all<BucketTable>().front().rule;
      std::vector<std::int64_t> buckets;
      for (const auto r : integers_of(request.positions)) {
        buckets.push_back(stages_.bucket(rule, r, buckets.size()));
      }
      response.tensors.emplace(wanted.role, integer_tensor(wanted.shape, buckets));
      continue;
    }
    const auto values = numbers(request, wanted);
    if (!values) {
      return {ResponseStatus::unsupported, "not done"};
    }
    const auto format = *traits(wanted.type).format;
    auto rounded = *values;
    for (auto& value : rounded) {
      value = round_to(format, value);
    }
    response.tensors.emplace(wanted.role, tensor_of(format, wanted.shape, rounded));
  }
  return response;
}

std::optional<std::vector<double>> Implementation::numbers(const Request& request,
                                                           const WantedTensor& wanted) const {
  for (const auto& table : encoding_->all<BiasTable>()) {
    if (table.role == wanted.role) {
      return biases(table, stages_, request, wanted);
    }
  }
  return turns(*encoding_, stages_, request, wanted);
}

}  // namespace vernier::staged
