#include "reports/measures/tolerances/compared_tensors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reports/measures/rates/model.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_spaced_positions = 4096;
constexpr std::int64_t few_positions = 48;

/// So many of a range, evenly spaced, the first and the last among them.
std::vector<std::int64_t> spaced(const PositionRange& range, std::int64_t most) {
  const auto count = std::min(range.count, most);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < count; ++i) {
    positions.push_back(range.at(count == 1 ? 0 : i * (range.count - 1) / (count - 1)));
  }
  return positions;
}

/// The cosine of each pair, a column each.
TrigTable by_pair(const TrigTable& table) {
  TrigTable result{"cos", table.frequencies, table.amplitude, {}, std::nullopt, table.positions};
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    result.columns.push_back({pair, Component::cosine});
  }
  return result;
}

}  // namespace

std::vector<ComparedTensors::TrueTurn> ComparedTensors::certified_row(CertifiedTable& table,
                                                                      std::int64_t position) {
  std::vector<Enclosure> cosine(table.columns());
  std::vector<Enclosure> sine(table.columns());
  table.row(position, cosine, sine);
  const auto wide = [](const Enclosure& e) {
    return static_cast<long double>(e.middle.high) + static_cast<long double>(e.middle.low);
  };
  std::vector<TrueTurn> row;
  for (std::size_t pair = 0; pair < cosine.size(); ++pair) {
    row.push_back({wide(cosine[pair]), wide(sine[pair])});
  }
  return row;
}

ComparedTensors::ComparedTensors(const ToleranceQuestion& question, std::uint64_t seed)
    : question_(question),
      seed_(seed),
      tables_(question.encoding->plain_tables()),
      pairs_(by_pair(tables_.front())),
      all_(spaced(question.positions, most_spaced_positions)) {
  CertifiedTable certified(pairs_, static_cast<std::int64_t>(all_.size()));
  for (const auto position : all_) {
    turns_.push_back(certified_row(certified, position));
  }
  std::vector<std::string> roles;
  if (question.rotation) {
    rotation_ = question.encoding->all<HeadRotation>().front();
    roles.emplace_back(rotation_->role());
  } else {
    for (const auto& table : tables_) {
      roles.push_back(table.role);
    }
    std::ranges::sort(roles);
    roles.erase(std::ranges::unique(roles).begin(), roles.end());
  }
  auto first = question.positions;
  first.count = 1;
  const QuestionOptions options{
      .type = question.type, .positions = first, .seed = seed, .roles = std::move(roles)};
  for (auto& asked : questions_of(*question.encoding, options)) {
    likely_.push_back(asked.ways.front());
    unlikely_.push_back(asked.ways.back());
  }
}

std::vector<std::int64_t> ComparedTensors::some_positions(const std::vector<std::int64_t>& telling) const {
  const auto& range = question_.positions;
  auto positions = spaced(range, few_positions);
  for (const auto position : telling) {
    if (position >= range.first && position - range.first < range.count) {
      positions.push_back(position);
    }
  }
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

std::vector<Request> ComparedTensors::requests(std::span<const std::int64_t> positions,
                                               bool doubles_columns) const {
  std::vector<Request> result;
  for (const auto& request : doubles_columns ? unlikely_ : likely_) {
    result.push_back(at_positions(request, positions));
    if (auto& input = result.back().input) {
      input = rates::normal_vectors(*input, seed_, question_.rotation->input_bound);
    }
  }
  return result;
}

const std::vector<Request>& ComparedTensors::requests_for_all(bool doubles_columns) const {
  return requests_for_all_[doubles_columns ? 1 : 0].get([&] { return requests(all_, doubles_columns); });
}

template <class Visit>
void ComparedTensors::each_request(std::span<const std::int64_t> positions, bool doubles_columns,
                                   Visit visit) const {
  if (are_all(positions)) {
    std::ranges::for_each(requests_for_all(doubles_columns), visit);
  } else {
    std::ranges::for_each(requests(positions, doubles_columns), visit);
  }
}

std::vector<double> ComparedTensors::values(const rates::Design& design,
                                            std::span<const std::int64_t> positions) const {
  auto open = design;
  open.refusing.clear();
  rates::Model model(open);
  std::vector<double> values;
  each_request(positions, design.doubles_columns, [&](const Request& request) {
    const auto answer = model.ask(request);
    for (const auto& [role, tensor] : answer.tensors) {
      const auto first = values.size();
      values.resize(first + tensor.elements());
      tensor.numbers(0, std::span(values).subspan(first));
    }
  });
  return values;
}

std::vector<double> ComparedTensors::certified(std::span<const std::int64_t> positions,
                                               bool doubles_columns) const {
  std::vector<double> values;
  each_request(positions, doubles_columns, [&](const Request& request) {
    // In the order of an answer's tensors.
    auto wanted = request.wanted;
    std::ranges::sort(wanted, {}, &WantedTensor::role);
    for (const auto& one : wanted) {
      if (question_.rotation) {
        append_rotated(*request.input, positions, values);
      } else {
        append_table(one, positions, values);
      }
    }
  });
  return values;
}

std::vector<ComparedTensors::TrueTurn> ComparedTensors::turns(std::int64_t position) const {
  const auto known = std::ranges::lower_bound(all_, position);
  if (known != all_.end() && *known == position) {
    return turns_[static_cast<std::size_t>(known - all_.begin())];
  }
  CertifiedTable table(pairs_, 1);
  return certified_row(table, position);
}

void ComparedTensors::append_table(const WantedTensor& wanted, std::span<const std::int64_t> positions,
                                   std::vector<double>& out) const {
  const auto table = std::ranges::find_if(tables_, [&](const TrigTable& one) {
    return one.role == wanted.role && one.columns.size() == wanted.shape.back();
  });
  assert(table != tables_.end());
  for (const auto position : positions) {
    const auto row = turns(position);
    for (std::size_t column = 0; column < table->columns.size(); ++column) {
      const auto& [pair, component] = table->columns[column];
      const auto& turn = row[static_cast<std::size_t>(pair)];
      const bool is_zero = table->is_zero(position, column);
      out.push_back(is_zero ? 0
                            : static_cast<double>(component == Component::sine ? turn.sine : turn.cosine));
    }
  }
}

void ComparedTensors::append_rotated(const Tensor& input, std::span<const std::int64_t> positions,
                                     std::vector<double>& out) const {
  const auto width = input.shape().back();
  const auto first = out.size();
  out.resize(first + input.elements());
  const auto values = std::span(out).subspan(first);
  input.numbers(0, values);
  std::vector<double> x(width);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const auto by_pair = turns(positions[row]);
    for (auto at = row * width; at < values.size(); at += positions.size() * width) {
      const auto y = values.subspan(at, width);
      std::ranges::copy(y, x.begin());
      for (const auto& d : rotation_->rotated) {
        const auto& turn = by_pair[static_cast<std::size_t>(d.pair)];
        y[d.out] = static_cast<double>(static_cast<long double>(x[d.own]) * turn.cosine +
                                       d.sign * static_cast<long double>(x[d.other]) * turn.sine);
      }
    }
  }
}

}  // namespace vernier
