#include "reports/measures/tolerances/tolerances_in_use.hpp"

#include <algorithm>
#include <array>

#include "reference/json/json.hpp"

namespace vernier {

/// tolerances_in_use.json as it stands.
std::string tolerances_in_use_text();

namespace {

std::vector<ToleranceInUse> read_tolerances() {
  static constexpr std::array<std::pair<std::string_view, Expected>, 3> expected_names{
      {{"same_table", Expected::same_table},
       {"another", Expected::another},
       {"certified", Expected::certified}}};
  std::vector<ToleranceInUse> result;
  for (const auto& one : OrderedJson::parse(tolerances_in_use_text())) {
    ToleranceInUse in_use;
    in_use.project = one.at("project");
    in_use.source = one.at("source");
    in_use.of = one.at("compares");
    in_use.type = element_type_named(one.at("type").get<std::string>()).value();
    in_use.positions = one.at("positions");
    in_use.tolerance = {one.at("absolute"), one.at("relative")};
    const auto expected = one.value("expected", std::string("same_table"));
    in_use.expected =
        std::ranges::find(expected_names, expected, [](const auto& name) { return name.first; })->second;
    in_use.input_bound = one.value("input_bound", in_use.input_bound);
    result.push_back(std::move(in_use));
  }
  return result;
}

}  // namespace

std::span<const ToleranceInUse> tolerances_in_use() {
  static const auto all = read_tolerances();
  return all;
}

const ToleranceInUse* tolerance_of(std::string_view project, Format stored) {
  const auto all = tolerances_in_use();
  const auto found = std::ranges::find_if(all, [&](const ToleranceInUse& one) {
    return one.project == project && traits(one.type).name == traits(stored).name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vernier
