#include "reports/rates/fault.hpp"

#include <algorithm>
#include <sstream>

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
  for (const auto& table : design.encoding->all<MultiAxisTable>()) {
    roles.emplace_back(role_of(table));
  }
  if (!roles.empty()) {
    return draw.any_of(roles);
  }
  for (const auto& table : design.encoding->all<TrigTable>()) {
    roles.push_back(table.role);
  }
  for (const auto& table : design.encoding->all<ExactTable>()) {
    roles.push_back(table.role);
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
  return design.has_turns() && design.rule == nullptr && design.encoding->has<TrigTable>() &&
         !design.encoding->has<MultiAxisTable>();
}

void map_places(Design& design, std::function<double(double place)> map) {
  design.placing.push_back([map = std::move(map)](const Question&, std::vector<double>& places) {
    std::ranges::transform(places, places.begin(), map);
  });
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

}  // namespace vernier::rates
