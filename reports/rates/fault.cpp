#include "reports/rates/fault.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "props/specs.hpp"
#include "reports/rates/budgets.hpp"

namespace vernier::rates {

const std::vector<Fault>& faults() {
  static const auto all = make_all_groups(fault_makers);
  return all;
}

std::int64_t draw_position(Draw& draw, const Design& design) {
  const auto row = draw.between(1, std::max<std::int64_t>(1, design.length() - 1));
  return design.positions.at(std::min(row, design.length() - 1));
}

std::int64_t least_position(const Design& design) {
  return std::min(design.positions.first, design.positions.at(design.length() - 1));
}

std::int64_t greatest_position(const Design& design) {
  return std::max(design.positions.first, design.positions.at(design.length() - 1));
}

std::string draw_role(Draw& draw, const Design& design) {
  std::vector<std::string> roles;
  for (const auto& table : design.encoding->tables_of_axes()) {
    roles.emplace_back(role_of(table));
  }
  if (!roles.empty()) {
    return draw.any_of(roles);
  }
  for (const auto& table : design.encoding->plain_tables()) {
    roles.push_back(table.role);
  }
  for (const auto& table : design.encoding->all<ExactTable>()) {
    roles.push_back(table.role);
  }
  for (const auto& table : design.encoding->scaled_tables()) {
    roles.emplace_back(role_of(table));
  }
  if (design.rotates()) {
    roles.insert(roles.end(), {"rotated", "rotated"});
  }
  return draw.any_of(roles);
}

bool has_rows(const Design& design) {
  return !design.encoding->has<BiasTable>() && !design.encoding->has<BucketTable>();
}

bool has_products(const Design& design) {
  return design.has_turns() && design.rule == nullptr && design.encoding->has_plain_tables() &&
         !design.encoding->has_tables_of_axes();
}

bool hardly_turns(const Design& design, std::size_t pair) {
  return std::ranges::all_of(
      std::array{least_position(design), greatest_position(design)}, [&](std::int64_t position) {
        const double phase = static_cast<double>(position) * design.frequencies[pair];
        return std::fabs(phase) < 1 &&
               design.amplitude * (1 - std::cos(phase)) <= element_budget(design, position, pair);
      });
}

void map_places(Design& design, std::function<double(double place)> map) {
  design.placing.push_back([map = std::move(map)](const Question&, std::vector<double>& places) {
    std::ranges::transform(places, places.begin(), map);
  });
}

void finish_rows(Design& design, std::string role,
                 std::function<void(std::int64_t position, std::span<double> row)> change) {
  design.finishing.push_back([role = std::move(role), change = std::move(change)](
                                 const Question& question, std::size_t width, std::span<double> values) {
    if (question.role != role) {
      return;
    }
    for (std::size_t row = 0; row < question.positions.size(); ++row) {
      change(question.positions[row], values.subspan(row * width, width));
    }
  });
}

void compute_another(Design& design, const OrderedJson& spec) {
  const auto encoding = encoding_of(spec.dump());
  const auto table = encoding->plain_tables().front();
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    design.frequencies[pair] =
        round_to(design.compute, table.frequencies.approximate(static_cast<int>(pair)));
  }
  design.amplitude = round_to(design.compute, approximately(table.amplitude));
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

}  // namespace vernier::rates
